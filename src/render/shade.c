#include "render/shade.h"
#include "render/water.h"
#include <stdlib.h>

// A look along a ray: depths are along `axis`.
typedef struct {
    vec3 origin, ray, axis;
} sight;

static sight sight_of(const lighting* l, double x, double y)
{
    return (sight){l->view.eye, view_ray(&l->view, x, y), l->view.forward};
}

static vec3 background(const lighting* l, double y)
{
    double t = y / l->canvas.height;
    return v3_mix(v3(0.62, 0.72, 0.84), v3(0.93, 0.94, 0.95), t < 0.7 ? t / 0.7 : 1);
}

// ---- faces --------------------------------------------------------------------------------------

// How much of the pixel a face's nearest edge covers: a line of about a pixel. Edges closer to each
// other than a few pixels would only be gray, and fade.
static double wire(const lighting* l, const vec3 corner[3], const double share[3], double depth)
{
    vec3 cross = v3_cross(v3_sub(corner[1], corner[0]), v3_sub(corner[2], corner[0]));
    double area2 = v3_length(cross), nearest = INFINITY, longest = 0;
    for (int k = 0; k < 3; ++k) {
        double side = v3_length(v3_sub(corner[(k + 2) % 3], corner[(k + 1) % 3]));
        longest = fmax(longest, side);
        if (side > 0) nearest = fmin(nearest, fmax(share[k], 0) * area2 / side);
    }
    double pixel = FINE * depth / l->view.scale, pixels = nearest / pixel;
    double height = longest > 0 ? area2 / longest / pixel : 0;
    double strength = fmin(fmax((height - 1.5) / 4, 0), 1);
    return pixels < 0.75 ? strength * (1 - pixels / 0.75) : 0;
}

// Shares of the corners where a ray meets the plane of a face, cut to the face.
static void find_shares(const vec3 corner[3], vec3 eye, vec3 ray, double share[3])
{
    vec3 u = v3_sub(corner[1], corner[0]), v = v3_sub(corner[2], corner[0]);
    vec3 from = v3_sub(eye, corner[0]), p = v3_cross(ray, v), q = v3_cross(from, u);
    double det = v3_dot(u, p);
    double b = det != 0 ? v3_dot(from, p) / det : 0, c = det != 0 ? v3_dot(ray, q) / det : 0;
    b = fmin(fmax(b, 0), 1);
    c = fmin(fmax(c, 0), 1 - b);
    share[0] = 1 - b - c, share[1] = b, share[2] = c;
}

static vec3 face_color(const lighting* l, const face* f, const double share[3])
{
    const paint* p = &l->model->paint[f->paint];
    if (p->texture < 0) return p->color;
    double u = 0, v = 0;
    for (int k = 0; k < 3; ++k) {
        u += share[k] * (double)f->uv[k][0];
        v += share[k] * (double)f->uv[k][1];
    }
    return v3_times(p->color, texture_color(&l->model->texture[p->texture], u, v));
}

static surface_point on_face(const lighting* l, int number, const sight* from)
{
    const face* f = &l->model->face[number];
    double share[3];
    vec3 corner[3], point = v3(0, 0, 0), normal = v3(0, 0, 0);
    for (int k = 0; k < 3; ++k) corner[k] = l->model->vertex[f->corner[k]];
    find_shares(corner, from->origin, from->ray, share);
    for (int k = 0; k < 3; ++k) {
        point = v3_add_scaled(point, share[k], corner[k]);
        normal = v3_add_scaled(normal, share[k], l->model->normal[3 * (size_t)number + (size_t)k]);
    }
    vec3 toward = v3_sub(from->origin, point);
    double depth = -v3_dot(toward, from->axis);
    vec3 flat = v3_cross(v3_sub(corner[1], corner[0]), v3_sub(corner[2], corner[0]));
    if (v3_dot(flat, toward) < 0) normal = v3_neg(normal); // cloth has two sides
    surface_point out = {point, v3_unit(normal), face_color(l, f, share), depth, 0.25, 0};
    if (l->model->paint[f->paint].wires)
        out.color = v3_scale(1 - 0.25 * wire(l, corner, share, depth), out.color);
    return out;
}

// ---- balls
// ---------------------------------------------------------------------------------------

static vec3 ball_color(const lighting* l, const ball* b)
{
    const paint* p = &l->model->paint[b->paint];
    vec3 color = v3_times(p->color, b->tint);
    if (p->texture < 0) return color;
    return v3_times(color, texture_color(&l->model->texture[p->texture], (double)b->u, 0.5));
}

// Where the ray meets the ball, or is nearest to it: the ball is drawn as a disk.
static surface_point on_ball(const lighting* l, const ball* b, const sight* from)
{
    vec3 way = v3_sub(b->center, from->origin), ray = from->ray;
    double square = v3_dot(ray, ray), along = v3_dot(way, ray);
    double beside = v3_dot(way, way) - b->radius * b->radius;
    double depth = (along - sqrt(fmax(along * along - square * beside, 0))) / square;
    vec3 point = v3_add_scaled(from->origin, depth, ray);
    vec3 normal = v3_unit(v3_sub(point, b->center));
    return (surface_point){point, normal, ball_color(l, b), depth, 0.25, 0};
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

static void on_plane(const lighting* l, const floor_plane* f, const sight* from_eye,
                     surface_point* out)
{
    vec3 ray = from_eye->ray, eye = from_eye->origin;
    double fall = v3_dot(ray, f->normal);
    double height = v3_dot(v3_sub(eye, f->point), f->normal);
    if (!(fall < 0) || !(height > 0)) return;
    double depth = -height / fall;
    if (depth >= out->depth) return;
    vec3 point = v3_add_scaled(eye, depth, ray), from = v3_sub(point, f->point);
    double width = 0.7 * FINE * depth / l->view.scale, slant = v3_length(ray) / fmax(-fall, 1e-3);
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
}

// The face or ball that a sample shows (-1: none), or a plane before it.
static surface_point find_along(const lighting* l, int number, const sight* from)
{
    surface_point s = {.depth = INFINITY};
    int beyond = number - l->model->face_count;
    if (beyond >= 0)
        s = on_ball(l, &l->model->ball[beyond], from);
    else if (number >= 0)
        s = on_face(l, number, from);
    for (int i = 0; i < l->plane_count; ++i) on_plane(l, &l->planes[i], from, &s);
    return s;
}

static surface_point find_point(const lighting* l, int number, double x, double y)
{
    const sight from = sight_of(l, x, y);
    return find_along(l, number, &from);
}

surface_point shade_trace(const lighting* l, vec3 origin, vec3 direction)
{
    const sight from = {origin, direction, direction};
    trace_hit hit = trace_solid(&l->tracer, origin, direction, 1e-5 * l->size, INFINITY);
    return find_along(l, hit.number, &from);
}

vec3 shade_normal(const lighting* l, int number, vec3 origin, vec3 direction)
{
    const face* f = &l->model->face[number];
    vec3 corner[3], normal = v3(0, 0, 0);
    double share[3];
    for (int k = 0; k < 3; ++k) corner[k] = l->model->vertex[f->corner[k]];
    find_shares(corner, origin, direction, share);
    for (int k = 0; k < 3; ++k)
        normal = v3_add_scaled(normal, share[k], l->model->normal[3 * (size_t)number + (size_t)k]);
    return v3_unit(normal);
}

static int face_at(const lighting* l, int x, int y)
{
    size_t at = canvas_at(&l->canvas, x, y);
    return l->canvas.near[at] > 0 ? l->canvas.face[at] : -1;
}

// ---- light of the sky ---------------------------------------------------------------------------

void shade_cells(const lighting* l, int row)
{
    const int side = FINE * SKY_CELL;
    int y = row * side + side / 2;
    if (y >= l->canvas.height) y = l->canvas.height - 1;
    for (int i = 0; i < l->cell_width; ++i) {
        int x = i * side + side / 2;
        if (x >= l->canvas.width) x = l->canvas.width - 1;
        sky_cell* out = &l->cells[(size_t)row * (size_t)l->cell_width + (size_t)i];
        surface_point s = find_point(l, face_at(l, x, y), x + 0.5, y + 0.5);
        *out = (sky_cell){.depth = 0};
        if (!isfinite(s.depth)) continue;
        out->light = (float)sky_light(l->sky, s.point, s.normal);
        out->depth = (float)s.depth;
        out->normal[0] = (float)s.normal.x;
        out->normal[1] = (float)s.normal.y;
        out->normal[2] = (float)s.normal.z;
    }
}

static vec3 cell_normal(const sky_cell* c)
{
    return v3((double)c->normal[0], (double)c->normal[1], (double)c->normal[2]);
}

// How much a cell says about a point: nothing where it lies on another surface.
static double likeness(const sky_cell* c, double depth, vec3 normal)
{
    if (!(c->depth > 0)) return 0;
    double apart = fabs((double)c->depth - depth) / (0.02 * depth);
    double same = v3_dot(normal, cell_normal(c));
    return same > 0 ? same * same * same * same / (1 + apart * apart * apart * apart) : 0;
}

void shade_smooth(const lighting* l, int row, bool across)
{
    enum { REACH = 3 };
    const sky_cell* from = across ? l->others : l->cells;
    sky_cell* to = across ? l->cells : l->others;
    int last = (across ? l->cell_height : l->cell_width) - 1, step = across ? l->cell_width : 1;
    for (int x = 0; x < l->cell_width; ++x) {
        size_t here = (size_t)row * (size_t)l->cell_width + (size_t)x;
        const sky_cell* c = &from[here];
        int at = across ? row : x, first = at < REACH ? -at : -REACH;
        double sum = 0, all = 0;
        to[here] = *c;
        for (int k = first; k <= REACH && at + k <= last && c->depth > 0; ++k) {
            const sky_cell* other = c + (ptrdiff_t)k * step;
            double weight =
                (REACH + 1 - abs(k)) * likeness(other, (double)c->depth, cell_normal(c));
            sum += weight * (double)other->light;
            all += weight;
        }
        if (all > 0) to[here].light = (float)(sum / all);
    }
}

// The mean of the cells around, each by its likeness. Where none is alike it is found anew.
static double ambient(const lighting* l, const surface_point* s, double x, double y)
{
    double u = x / (FINE * SKY_CELL) - 0.5, v = y / (FINE * SKY_CELL) - 0.5;
    int left = (int)floor(u), top = (int)floor(v);
    double sum = 0, all = 0;
    for (int k = 0; k < 4; ++k) {
        int i = left + k % 2, j = top + k / 2;
        if (i < 0 || j < 0 || i >= l->cell_width || j >= l->cell_height) continue;
        const sky_cell* c = &l->cells[(size_t)j * (size_t)l->cell_width + (size_t)i];
        double weight =
            (1.02 - fabs(u - i)) * (1.02 - fabs(v - j)) * likeness(c, s->depth, s->normal);
        sum += weight * (double)c->light;
        all += weight;
    }
    return all > 0.05 ? sum / all : sky_light(l->sky, s->point, s->normal);
}

// ---- light of the sun ---------------------------------------------------------------------------

static double blocker(const lighting* l, double x, double y)
{
    const canvas* map = &l->shadow;
    if (!(x >= 0 && y >= 0 && x < map->width && y < map->height)) return 0;
    return (double)map->near[canvas_at(map, (int)x, (int)y)];
}

bool shade_is_sunny(const void* lighting_of, vec3 point)
{
    const lighting* l = (const lighting*)lighting_of;
    spot at = view_drop(&l->sun_view, point);
    return !(blocker(l, at.x, at.y) > fmax(at.near, 0) + 1.5 / l->sun_view.scale);
}

// Places on a disk of radius 1: a spiral.
enum { TAPS = 16 };
static const double spiral[TAPS][2] = {
    {0.18, 0.00},   {-0.22, 0.21},  {0.04, -0.39}, {0.28, 0.37},   {-0.52, -0.09}, {0.50, -0.32},
    {-0.17, 0.61},  {-0.34, -0.59}, {0.72, 0.20},  {-0.70, 0.34},  {0.28, -0.76},  {0.33, 0.78},
    {-0.80, -0.37}, {0.87, -0.28},  {-0.45, 0.83}, {-0.22, -0.96},
};

// The part of a wide sun that reaches a point: the farther away what stands before it, the
// softer its shadow.
static double sunlight(const lighting* l, const surface_point* s, double x, double y)
{
    const double wide = 0.06, search = 10; // radius of the sun over its distance; [texels]
    vec3 lifted = v3_add_scaled(s->point, 2.5 / l->sun_view.scale, s->normal);
    spot at = view_drop(&l->sun_view, lifted);
    double limit = fmax(at.near, 0) + 1.5 / l->sun_view.scale, sum = 0;
    int blockers = 0, lit = 0;
    for (int i = 0; i < TAPS; ++i) {
        double near = blocker(l, at.x + search * spiral[i][0], at.y + search * spiral[i][1]);
        if (near > limit) sum += near - at.near, ++blockers;
    }
    if (!blockers) return 1;
    double radius = fmin(fmax(wide * sum / blockers * l->sun_view.scale, 1.2), search);
    // The pattern turns from pixel to pixel, so that its few places do not show.
    double turn = 2.399963229728653 * ((int)(x / FINE) % 2 * 3 + (int)(y / FINE) % 2 * 7);
    double c = radius * cos(turn), d = radius * sin(turn);
    for (int i = 0; i < TAPS; ++i) {
        double u = c * spiral[i][0] - d * spiral[i][1], v = d * spiral[i][0] + c * spiral[i][1];
        lit += !(blocker(l, at.x + u, at.y + v) > limit);
    }
    return (double)lit / TAPS;
}

// ---- together -----------------------------------------------------------------------------------

// What comes up from planes: less where one is close, without any edge where "close" ends.
static double from_below(const lighting* l, const surface_point* s)
{
    double open = 1;
    for (int i = 0; i < l->plane_count && s->gloss > 0; ++i) {
        const floor_plane* p = &l->planes[i];
        double height = fabs(v3_dot(v3_sub(s->point, p->point), p->normal));
        open *= 1 - 0.65 * exp(-10 * height / l->size);
    }
    return open;
}

static vec3 light_of(const lighting* l, const surface_point* s, vec3 toward, double part,
                     double open)
{
    vec3 n = s->normal, sun_color = v3(1, 0.96, 0.90);
    double slope = v3_dot(n, l->sun), sun = slope > 0 ? slope * part : 0;
    if (l->model->liquid_count && sun > 0)
        sun_color = v3_times(sun_color, water_shadow(l, s->point));
    if (smoke_is_there(&l->smoke) && sun > 0) sun *= smoke_shadow(&l->smoke, s->point, l->sun);
    double up = 0.5 + 0.5 * n.y;
    vec3 below = v3_scale(from_below(l, s), v3(0.30, 0.28, 0.27));
    vec3 around = v3_mix(below, v3_scale(open, v3(0.52, 0.55, 0.61)), up);
    vec3 light = v3_add(around, v3_scale(0.70 * sun, sun_color));
    vec3 half = v3_unit(v3_add(l->sun, toward));
    double shine = fmax(0, v3_dot(n, half)), rim = 1 - fmax(0, v3_dot(n, toward));
    double highlight = sun > 0 ? s->gloss * sun * pow(shine, 40) : 0;
    double glow = s->gloss * 0.18 * open * rim * rim * rim;
    return v3_add(v3_times(s->color, light), v3_scale(highlight + glow, v3(1, 1, 1)));
}

static vec3 lit_color(const lighting* l, const surface_point* s, double x, double y)
{
    vec3 toward = v3_unit(v3_sub(l->view.eye, s->point));
    bool faces_sun = v3_dot(s->normal, l->sun) > 0;
    return light_of(l, s, toward, faces_sun ? sunlight(l, s, x, y) : 0, ambient(l, s, x, y));
}

double shade_sun(const lighting* l, const surface_point* s) { return sunlight(l, s, 0, 0); }

vec3 shade_lit(const lighting* l, const surface_point* s, vec3 toward)
{
    bool faces_sun = v3_dot(s->normal, l->sun) > 0;
    return light_of(l, s, toward, faces_sun ? shade_sun(l, s) : 0,
                    sky_light(l->sky, s->point, s->normal));
}

static bool is_liquid(const lighting* l, int number)
{
    return number >= 0 && number < l->model->face_count &&
           l->model->paint[l->model->face[number].paint].liquid >= 0;
}

// What is seen, and how far it is [m].
typedef struct {
    vec3 color;
    double distance;
} seen_color;

static seen_color solid_color(const lighting* l, const surface_point* s, const sight* from,
                              double x, double y)
{
    vec3 behind = background(l, y);
    if (!isfinite(s->depth)) return (seen_color){behind, INFINITY};
    return (seen_color){v3_mix(lit_color(l, s, x, y), behind, s->fade),
                        s->depth * v3_length(from->ray)};
}

// The liquid's surface in front of the viewer, if no plane is before it.
static seen_color liquid_color(const lighting* l, int number, double x, double y)
{
    const sight from = sight_of(l, x, y);
    vec3 way = v3_unit(from.ray);
    trace_hit hit = trace_liquid(&l->tracer, from.origin, way, 1e-5 * l->size, INFINITY);
    surface_point s = find_along(l, number, &from);
    if (hit.number < 0) hit = (trace_hit){number, v3_dot(v3_sub(s.point, from.origin), way)};
    surface_point plane = find_along(l, -1, &from);
    if (plane.depth * v3_length(from.ray) < hit.distance)
        return solid_color(l, &plane, &from, x, y);
    return (seen_color){water_color(l, from.origin, way, hit.distance, hit.number), hit.distance};
}

// Behind the smoke before it. Steps begin at places that are spread over the pixels.
static vec3 behind_smoke(const lighting* l, const seen_color* seen, double x, double y)
{
    vec3 way = v3_unit(view_ray(&l->view, x, y));
    double part = 0.754877666 * floor(x / FINE) + 0.569840296 * floor(y / FINE), left;
    vec3 smoke =
        smoke_along(&l->smoke, l->view.eye, way, seen->distance, part - floor(part), &left);
    return v3_add_scaled(smoke, left, seen->color);
}

static vec3 color_of(const lighting* l, int number, double x, double y)
{
    const sight from = sight_of(l, x, y);
    seen_color seen;
    if (is_liquid(l, number)) {
        seen = liquid_color(l, number, x, y);
    } else {
        surface_point s = find_along(l, number, &from);
        seen = solid_color(l, &s, &from, x, y);
    }
    return smoke_is_there(&l->smoke) ? behind_smoke(l, &seen, x, y) : seen.color;
}

// Samples of a pixel that show the same face, or a liquid, are lit together, at their middle.
vec3 shade_pixel(const lighting* l, int x, int y)
{
    enum { ALL = FINE * FINE };
    int found[ALL];
    bool done[ALL] = {false};
    vec3 sum = v3(0, 0, 0);
    for (int i = 0; i < ALL; ++i) found[i] = face_at(l, FINE * x + i % FINE, FINE * y + i / FINE);
    for (int i = 0; i < ALL; ++i) {
        double u = 0, v = 0;
        int count = 0;
        if (done[i]) continue;
        for (int k = i; k < ALL; ++k) {
            if (found[k] != found[i] && !(is_liquid(l, found[k]) && is_liquid(l, found[i])))
                continue;
            u += FINE * x + k % FINE + 0.5;
            v += FINE * y + k / FINE + 0.5;
            done[k] = true;
            ++count;
        }
        u /= count, v /= count;
        sum = v3_add_scaled(sum, (double)count / ALL, color_of(l, found[i], u, v));
    }
    return sum;
}
