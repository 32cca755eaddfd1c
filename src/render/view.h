// Cameras: the viewer's, with perspective, and the sun's, without.
#pragma once
#include "render/canvas.h"
#include "scene/scene.h"

typedef struct {
    vec3 eye, right, up, forward; // of length 1
    double scale;                 // samples per tangent, or per meter without perspective
    double width, height;         // [samples]
    double far;                   // [m] without perspective: nothing is farther
} view;

// The scene's camera, or one that shows all of the points, in the middle of the picture, which they
// fill along one side but for a margin.
view view_of_camera(const scene_camera* camera, const vec3* point, int count, int width,
                    int height);
// Along -sun, wide enough for the box.
view view_of_sun(vec3 sun, vec3 min, vec3 max, int size);

// How far in front of the viewer.
static inline double view_depth(const view* v, vec3 point)
{
    return v3_dot(v3_sub(point, v->eye), v->forward);
}
// With perspective: false for what is behind the viewer.
static inline bool view_project(const view* v, vec3 point, spot* out)
{
    vec3 p = v3_sub(point, v->eye);
    double depth = v3_dot(p, v->forward);
    if (!(depth > 0)) return false;
    double scale = v->scale / depth;
    out->x = 0.5 * v->width + scale * v3_dot(p, v->right);
    out->y = 0.5 * v->height - scale * v3_dot(p, v->up);
    out->near = 1 / depth;
    return true;
}
// Without.
static inline spot view_drop(const view* v, vec3 point)
{
    vec3 p = v3_sub(point, v->eye);
    spot out = {0.5 * v->width + v->scale * v3_dot(p, v->right),
                0.5 * v->height - v->scale * v3_dot(p, v->up), v->far - v3_dot(p, v->forward)};
    return out;
}
// Balls likewise: false where the viewer is not in front of all of it.
bool view_project_ball(const view* v, vec3 center, double radius, disk* out);
disk view_drop_ball(const view* v, vec3 center, double radius);
// The direction through a place on the screen, with a part of 1 along `forward`.
vec3 view_ray(const view* v, double x, double y);
