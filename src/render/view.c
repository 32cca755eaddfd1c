#include "render/view.h"

static view look(vec3 eye, vec3 forward, int width, int height)
{
    view v = {.eye = eye, .forward = v3_unit(forward), .width = width, .height = height};
    vec3 up = fabs(v.forward.y) < 0.999 ? v3(0, 1, 0) : v3(0, 0, 1);
    v.right = v3_unit(v3_cross(v.forward, up));
    v.up = v3_cross(v.right, v.forward);
    return v;
}

// Along one side of the picture: how far points are from its middle line.
typedef struct {
    vec3 side;      // to the right, or up
    double tangent; // of the angle at which points are at the border
} span;

// Which depth of the eye along `forward` holds all points, if it may stand anywhere aside.
static double span_depth(const span* s, vec3 forward, const vec3* point, int count)
{
    double right = -INFINITY, left = -INFINITY;
    for (int i = 0; i < count; ++i) {
        double x = v3_dot(point[i], s->side), z = s->tangent * v3_dot(point[i], forward);
        right = fmax(right, x - z);
        left = fmax(left, -x - z);
    }
    return -0.5 * (right + left) / s->tangent;
}

// Tangents of the outermost points: the sum is 0 where they are in the middle.
static double span_lean(const span* s, const view* v, double aside, const vec3* point, int count)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; ++i) {
        vec3 p = v3_sub(point[i], v->eye);
        double t = (v3_dot(p, s->side) - aside) / v3_dot(p, v->forward);
        low = fmin(low, t);
        high = fmax(high, t);
    }
    return low + high;
}

// The lean falls with every step aside, so it is halved until it is nothing.
static double span_middle(const span* s, const view* v, const vec3* point, int count)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; ++i) {
        double x = v3_dot(v3_sub(point[i], v->eye), s->side);
        low = fmin(low, x);
        high = fmax(high, x);
    }
    for (int i = 0; i < 50; ++i) {
        double middle = 0.5 * (low + high);
        if (span_lean(s, v, middle, point, count) > 0)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

// The nearest place from which all points are in the picture, in its middle.
static void fit(view* v, const vec3* point, int count)
{
    const double filled = 0.86; // of the picture, along the side that decides
    const span across = {v->right, 0.5 * filled * v->width / v->scale};
    const span upward = {v->up, 0.5 * filled * v->height / v->scale};
    double depth = fmin(span_depth(&across, v->forward, point, count),
                        span_depth(&upward, v->forward, point, count));
    double size = 0, nearest = INFINITY;
    for (int i = 0; i < count; ++i) {
        size = fmax(size, v3_length(v3_sub(point[i], point[0])));
        nearest = fmin(nearest, v3_dot(point[i], v->forward));
    }
    // Points behind each other, or a single one, need some way to be seen from.
    depth = fmin(depth, nearest - (size > 0 ? 0.01 * size : 1));
    v->eye = v3_add_scaled(v->eye, depth - v3_dot(v->eye, v->forward), v->forward);
    double right = span_middle(&across, v, point, count),
           up = span_middle(&upward, v, point, count);
    v->eye = v3_add_scaled(v3_add_scaled(v->eye, right, v->right), up, v->up);
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
    if (!given && count) fit(&v, point, count);
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

// The rim of a ball in perspective is an ellipse that is hardly longer than wide.
bool view_project_ball(const view* v, vec3 center, double radius, disk* out)
{
    spot at;
    double depth = view_depth(v, center);
    if (!(depth > 1.001 * radius) || !view_project(v, center, &at)) return false;
    double middle = 1 / (depth - radius);
    *out = (disk){at.x, at.y, v->scale * radius / sqrt(depth * depth - radius * radius), at.near,
                  middle - at.near};
    return true;
}

disk view_drop_ball(const view* v, vec3 center, double radius)
{
    spot at = view_drop(v, center);
    return (disk){at.x, at.y, v->scale * radius, at.near, radius};
}
