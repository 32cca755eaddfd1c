#include "render/view.h"

static view look(vec3 eye, vec3 forward, int width, int height)
{
    view v = {.eye = eye, .forward = v3_unit(forward), .width = width, .height = height};
    vec3 up = fabs(v.forward.y) < 0.999 ? v3(0, 1, 0) : v3(0, 0, 1);
    v.right = v3_unit(v3_cross(v.forward, up));
    v.up = v3_cross(v.right, v.forward);
    return v;
}

typedef struct {
    double low, high; // of the tangents of the points' angles
} spread;

static void widen(spread* s, double x)
{
    s->low = fmin(s->low, x);
    s->high = fmax(s->high, x);
}

// Steps back until all points are within the picture, then aside until they are in its middle.
static void fit(view* v, const vec3* point, int count)
{
    const double margin = 1.06;
    const double wide = 2 * margin * v->scale / v->width, high = 2 * margin * v->scale / v->height;
    double back = 0;
    for (int i = 0; i < count; ++i) {
        vec3 p = v3_sub(point[i], v->eye);
        double x = wide * fabs(v3_dot(p, v->right)), y = high * fabs(v3_dot(p, v->up));
        double needed = fmax(x, y) - v3_dot(p, v->forward);
        back = i ? fmax(back, needed) : needed;
    }
    v->eye = v3_add_scaled(v->eye, -back, v->forward);
    spread across = {INFINITY, -INFINITY}, upward = across;
    double nearest = INFINITY;
    for (int i = 0; i < count; ++i) {
        vec3 p = v3_sub(point[i], v->eye);
        double depth = v3_dot(p, v->forward);
        nearest = fmin(nearest, depth);
        widen(&across, v3_dot(p, v->right) / depth);
        widen(&upward, v3_dot(p, v->up) / depth);
    }
    if (!(nearest > 0)) return;
    v->eye = v3_add_scaled(v->eye, 0.5 * nearest * (across.low + across.high), v->right);
    v->eye = v3_add_scaled(v->eye, 0.5 * nearest * (upward.low + upward.high), v->up);
}

view view_of_camera(const scene_camera* camera, const vec3* point, int count, int width, int height)
{
    const double degree = 0.017453292519943295;
    double a = degree * camera->azimuth, e = degree * camera->elevation;
    vec3 back = v3(cos(e) * sin(a), sin(e), cos(e) * cos(a)), eye = v3(0, 0, 0);
    bool given = !isnan(camera->eye[0]);
    if (given) eye = v3_of(camera->eye), back = v3_sub(eye, v3_of(camera->target));
    view v = look(given || count == 0 ? eye : point[0], v3_neg(back), width, height);
    v.scale = 0.5 * height / tan(0.5 * degree * camera->field_of_view);
    for (int i = 0; i < 6 && !given && count; ++i) fit(&v, point, count);
    return v;
}

view view_of_sun(vec3 sun, vec3 min, vec3 max, int size)
{
    vec3 middle = v3_mix(min, max, 0.5);
    double radius = 0.5 * v3_length(v3_sub(max, min)) + 1e-6;
    view v = look(v3_add_scaled(middle, 2 * radius, sun), v3_neg(sun), size, size);
    v.scale = 0.5 * size / radius;
    v.far = 4 * radius;
    return v;
}

vec3 view_ray(const view* v, double x, double y)
{
    vec3 ray = v3_add_scaled(v->forward, (x - 0.5 * v->width) / v->scale, v->right);
    return v3_add_scaled(ray, (0.5 * v->height - y) / v->scale, v->up);
}
