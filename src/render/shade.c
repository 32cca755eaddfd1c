#include "render/shade.h"

// What a sample shows.
typedef struct {
    vec3 point, normal, color;
    double depth; // [m]
    double gloss; // [-] of the highlight
    double fade;  // [-] into the background
} surface_point;

static vec3 background(const lighting* l, int y)
{
    double t = (y + 0.5) / l->canvas.height;
    return v3_mix(v3(0.62, 0.72, 0.84), v3(0.93, 0.94, 0.95), t < 0.7 ? t / 0.7 : 1);
}

// ---- faces --------------------------------------------------------------------------------------

// How much of the sample a face's nearest edge covers: a line of about a pixel.
static double wire(const lighting* l, const vec3 corner[3], const double share[3], double depth)
{
    vec3 cross = v3_cross(v3_sub(corner[1], corner[0]), v3_sub(corner[2], corner[0]));
    double area2 = v3_length(cross), nearest = INFINITY;
    for (int k = 0; k < 3; ++k) {
        double side = v3_length(v3_sub(corner[(k + 2) % 3], corner[(k + 1) % 3]));
        if (side > 0) nearest = fmin(nearest, share[k] * area2 / side);
    }
    double samples = nearest * l->view.scale / depth;
    return samples < 1 ? 1 - samples : 0;
}

static surface_point on_face(const lighting* l, const sample* s)
{
    const face* f = &l->model->face[s->face];
    const double b = (double)s->b, c = (double)s->c;
    const double screen[3] = {1 - b - c, b, c};
    double share[3], sum = 0;
    vec3 corner[3], point = v3(0, 0, 0), normal = v3(0, 0, 0);
    for (int k = 0; k < 3; ++k) {
        corner[k] = l->model->vertex[f->corner[k]];
        share[k] = screen[k] / v3_dot(v3_sub(corner[k], l->view.eye), l->view.forward);
        sum += share[k];
    }
    for (int k = 0; k < 3; ++k) {
        share[k] *= sum > 0 ? 1 / sum : 0; // equal depths on the screen are not equal in space
        point = v3_add_scaled(point, share[k], corner[k]);
        normal = v3_add_scaled(normal, share[k], l->model->normal[3 * s->face + k]);
    }
    const paint* p = &l->model->paint[f->paint];
    vec3 color = p->color;
    if (p->texture >= 0) {
        double u = 0, v = 0;
        for (int k = 0; k < 3; ++k) {
            u += share[k] * (double)f->uv[k][0];
            v += share[k] * (double)f->uv[k][1];
        }
        color = v3_times(color, texture_color(&l->model->texture[p->texture], u, v));
    }
    surface_point out = {point, v3_unit(normal), color, 1 / (double)s->near, 0.25, 0};
    if (p->wires) out.color = v3_scale(1 - 0.28 * wire(l, corner, share, out.depth), out.color);
    return out;
}

// ---- planes -------------------------------------------------------------------------------------

// Part of a line of the grid at a distance u [m] along one axis; `width` [m] is about a sample.
static double grid_line(double u, double cell, double width)
{
    double from = fabs(u - cell * floor(u / cell + 0.5));
    double line = fmax(0.012 * cell, width);
    double strength = fmin(1, 0.024 * cell / line);
    return from < line ? strength * (1 - from / line) : 0;
}

static bool on_plane(const lighting* l, const floor_plane* f, vec3 ray, surface_point* out)
{
    double fall = v3_dot(ray, f->normal);
    double height = v3_dot(v3_sub(l->view.eye, f->point), f->normal);
    if (!(fall < 0) || !(height > 0)) return false;
    double depth = -height / fall;
    if (depth >= out->depth) return false;
    vec3 point = v3_add_scaled(l->view.eye, depth, ray), from = v3_sub(point, f->point);
    double width = 0.7 * depth / l->view.scale, slant = v3_length(ray) / fmax(-fall, 1e-3);
    double across = grid_line(v3_dot(from, f->right), l->cell, width * sqrt(slant));
    double along =
        grid_line(v3_dot(from, v3_cross(f->normal, f->right)), l->cell, width * sqrt(slant));
    double distance = v3_length(v3_sub(point, l->view.eye)) / l->haze;
    out->point = point;
    out->normal = f->normal;
    out->color = v3_scale(1 - 0.30 * fmax(across, along), f->color);
    out->depth = depth;
    out->gloss = 0;
    out->fade = 1 - 1 / (1 + distance * distance * distance * distance);
    return true;
}

// ---- light --------------------------------------------------------------------------------------

// The part of the sun that reaches a point, over a few places of the shadow map around it. The
// pattern turns from sample to sample: together the samples of a pixel make a soft edge.
static double sunlight(const lighting* l, const surface_point* s, int x, int y)
{
    enum { TAPS = 3 };
    const canvas* map = &l->shadow;
    spot at;
    vec3 lifted = v3_add_scaled(s->point, 2.5 / l->sun_view.scale, s->normal);
    view_project(&l->sun_view, lifted, &at);
    double shift_x = x & 1 ? 0.5 : 0, shift_y = y & 1 ? 0.5 : 0;
    int lit = 0;
    for (int i = 0; i < TAPS; ++i)
        for (int j = 0; j < TAPS; ++j) {
            double u = at.x + 2.4 * (i - 1.25 + shift_x), v = at.y + 2.4 * (j - 1.25 + shift_y);
            bool inside = u >= 0 && v >= 0 && u < map->width && v < map->height;
            lit +=
                !inside || (double)map->samples[(size_t)v * (size_t)map->width + (size_t)u].near <=
                               at.near + 1.5 / l->sun_view.scale;
        }
    return (double)lit / (TAPS * TAPS);
}

static vec3 lit_color(const lighting* l, const surface_point* s, int x, int y)
{
    vec3 toward = v3_unit(v3_sub(l->view.eye, s->point));
    vec3 n = v3_dot(s->normal, toward) < 0 && s->gloss > 0 ? v3_neg(s->normal) : s->normal;
    double slope = v3_dot(n, l->sun), sun = slope > 0 ? slope * sunlight(l, s, x, y) : 0;
    vec3 sky = v3_mix(v3(0.30, 0.28, 0.27), v3(0.46, 0.49, 0.54), 0.5 + 0.5 * n.y);
    vec3 light = v3_add(sky, v3_scale(0.74 * sun, v3(1, 0.96, 0.90)));
    vec3 half = v3_unit(v3_add(l->sun, toward));
    double shine = fmax(0, v3_dot(n, half)), rim = 1 - fmax(0, v3_dot(n, toward));
    double highlight = sun > 0 ? s->gloss * sun * pow(shine, 40) : 0;
    double glow = s->gloss * 0.35 * rim * rim * rim;
    return v3_add(v3_times(s->color, light), v3_scale(highlight + glow * 0.5, v3(1, 1, 1)));
}

vec3 shade(const lighting* l, int x, int y)
{
    const sample* found = &l->canvas.samples[(size_t)y * (size_t)l->canvas.width + (size_t)x];
    surface_point s = {.depth = INFINITY};
    bool anything = found->near > 0;
    if (anything) s = on_face(l, found);
    vec3 ray = view_ray(&l->view, x + 0.5, y + 0.5);
    for (int i = 0; i < l->plane_count; ++i)
        anything = on_plane(l, &l->planes[i], ray, &s) || anything;
    vec3 behind = background(l, y);
    return anything ? v3_mix(lit_color(l, &s, x, y), behind, s.fade) : behind;
}
