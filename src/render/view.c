#include "render/view.h"

static view look(vec3 eye, vec3 forward, int width, int height)
{
    view v = {.eye = eye, .forward = v3_unit(forward), .width = width, .height = height};
    vec3 up = fabs(v.forward.y) < 0.999 ? v3(0, 1, 0) : v3(0, 0, 1);
    v.right = v3_unit(v3_cross(v.forward, up));
    v.up = v3_cross(v.right, v.forward);
    return v;
}

static vec3 box_corner(vec3 min, vec3 max, int i)
{
    return v3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z);
}

view view_of_camera(const scene_camera* camera, vec3 min, vec3 max, int width, int height)
{
    const double degree = 0.017453292519943295, margin = 1.08;
    double scale = 0.5 * height / tan(0.5 * degree * camera->field_of_view);
    double a = degree * camera->azimuth, e = degree * camera->elevation, distance = 0;
    vec3 middle = v3_mix(min, max, 0.5), back = v3(cos(e) * sin(a), sin(e), cos(e) * cos(a));
    if (!isnan(camera->eye[0])) {
        vec3 eye = v3_of(camera->eye);
        view given = look(eye, v3_sub(v3_of(camera->target), eye), width, height);
        given.scale = scale;
        return given;
    }
    view v = look(middle, v3_neg(back), width, height);
    v.scale = scale;
    for (int i = 0; i < 8; ++i) {
        vec3 p = v3_sub(box_corner(min, max, i), middle);
        double x = margin * fabs(v3_dot(p, v.right)) * 2 * scale / width;
        double y = margin * fabs(v3_dot(p, v.up)) * 2 * scale / height;
        distance = fmax(distance, fmax(x, y) - v3_dot(p, v.forward));
    }
    v.eye = v3_add_scaled(middle, distance > 0 ? distance : 1, back);
    return v;
}

view view_of_sun(vec3 sun, vec3 min, vec3 max, int size)
{
    vec3 middle = v3_mix(min, max, 0.5);
    double radius = 0.5 * v3_length(v3_sub(max, min)) + 1e-6;
    view v = look(v3_add_scaled(middle, 2 * radius, sun), v3_neg(sun), size, size);
    v.parallel = true;
    v.scale = 0.5 * size / radius;
    v.far = 4 * radius;
    return v;
}

bool view_project(const view* v, vec3 point, spot* out)
{
    vec3 p = v3_sub(point, v->eye);
    double depth = v3_dot(p, v->forward);
    if (!v->parallel && !(depth > 0)) return false;
    double scale = v->parallel ? v->scale : v->scale / depth;
    out->x = 0.5 * v->width + scale * v3_dot(p, v->right);
    out->y = 0.5 * v->height - scale * v3_dot(p, v->up);
    out->near = v->parallel ? v->far - depth : 1 / depth;
    return true;
}

vec3 view_ray(const view* v, double x, double y)
{
    vec3 ray = v3_add_scaled(v->forward, (x - 0.5 * v->width) / v->scale, v->right);
    return v3_add_scaled(ray, (0.5 * v->height - y) / v->scale, v->up);
}
