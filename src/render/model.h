// Triangles to draw, with a paint for each and a normal for each of their corners; and balls.
#pragma once
#include "base/memory.h"
#include "render/space.h"
#include "render/style.h"
#include "render/texture.h"
#include "scene/stage.h"

typedef struct {
    int corner[3], paint;
    float uv[3][2]; // of the corners in the texture
} face;

typedef struct {
    vec3 center, tint; // tint: of the paint's color
    double radius;
    int paint;
    float u; // in the texture
} ball;

typedef struct {
    vec3 color;  // linear light
    bool wires;  // the edges of the faces show
    int texture; // -1: none
    int liquid;  // light goes through it: of the liquids; -1: it does not
} paint;

typedef struct {
    vec3 absorb, color; // [1/m], linear light
    double haze;        // [1/m] how soon its own color is seen
    double gap;         // [m] what is as near as this to it is wet
} liquid_look;

typedef struct model {
    vec3* vertex;
    int vertex_count, vertex_capacity;
    face* face;
    int face_count, face_capacity;
    ball* ball; // on a canvas they have the numbers behind those of the faces
    int ball_count, ball_capacity;
    paint* paint;
    int paint_count, paint_capacity;
    liquid_look* liquid;
    int liquid_count, liquid_capacity;
    texture* texture; // owned
    int texture_count, texture_capacity;
    vec3* normal; // 3 per face
    bool failed;  // memory ran out: nothing more is added
} model;

int model_paint(model* m, vec3 color, bool wires);
// That of a liquid with this color after light has gone `depth` [m] through it.
int model_liquid(model* m, vec3 color, double depth, double gap);
int model_vertex(model* m, vec3 position);
void model_face(model* m, int a, int b, int c, int paint);
static inline bool model_lets_light_through(const model* m, int number)
{
    return m->paint[m->face[number].paint].liquid >= 0;
}
void model_ball(model* m, const ball* b);
// The number of a texture; -1 when it cannot be shown.
int model_texture(model* m, const visual_image* image);
// The same for the colors of a map, one beside the other.
int model_map(model* m, map_kind kind, int count);
// The mean over the faces around a corner, but not across sharp edges.
bool model_make_normals(model* m);
void model_release(model* m);

// A collider that is no plane, smaller by `give` [m] all around, where it is in a moment.
void model_add_collider(model* m, const stage* s, int number, const pliant_collider_info* there,
                        double give);

// A scene's color (as a screen has it), or the fallback, as linear light.
vec3 paint_color(const double color[3], vec3 fallback);
