#include "air/skin.h"
#include "base/memory.h"
#include "math/elementary.h"
#include <string.h>

// ---- what is constant ---------------------------------------------------------------------------

static const double* rest_of(const contact_surface* s, int point)
{
    return s->rest + 3 * (size_t)s->particle[point];
}

// A loose particle is a segment with both ends at the same place.
static int corners_of(const surface_element* e)
{
    return e->point[0] == e->point[1] ? 1 : surface_corners(e);
}

static void cross_of(const double a[3], const double b[3], const double c[3], double out[3])
{
    double p[3], q[3];
    for (int k = 0; k < 3; ++k) {
        p[k] = b[k] - a[k];
        q[k] = c[k] - a[k];
    }
    d3_cross(p, q, out);
}

static double length_of(const double v[3]) { return sqrt(air_dot(v, v)); }

// [m^2] That the air can press on, at rest.
static double area_at_rest(const air_skin* a, const surface_element* e)
{
    const contact_surface* s = a->surface;
    int corners = corners_of(e);
    double v[3];
    if (corners == 1) return 1;
    const double *p = rest_of(s, e->point[0]), *q = rest_of(s, e->point[1]);
    if (corners == 3) {
        cross_of(p, q, rest_of(s, e->point[2]), v);
        return length_of(v) / 2;
    }
    for (int k = 0; k < 3; ++k) v[k] = q[k] - p[k];
    return length_of(v) * a->diameter;
}

// Of the area around a point, or of all, what an element has; nothing where it has hardly any.
static double share_of(double part, double all)
{
    static const double least = 1e-9;
    return all > 0 ? fmax(part / all, least) : 1;
}

// Of each corner, how much lighter it is than its particle: the others have their share of that.
static void share_masses(air_skin* a, double* area)
{
    const contact_surface* s = a->surface;
    for (int i = 0; i < s->element_count; ++i)
        for (int k = 0; k < corners_of(&s->element[i]); ++k)
            area[s->element[i].point[k]] += area_at_rest(a, &s->element[i]);
    for (int i = 0; i < s->element_count; ++i) {
        const surface_element* e = &s->element[i];
        int corners = corners_of(e);
        for (int k = 0; k < corners; ++k)
            a->lightness[3 * (size_t)i + (size_t)k] =
                1 / (corners * share_of(area_at_rest(a, e), area[e->point[k]]));
    }
}

// What is rigid moves as a whole: how much lighter an element is than that.
static void share_mass(air_skin* a)
{
    const contact_surface* s = a->surface;
    double all = 0;
    for (int i = 0; i < s->element_count; ++i) all += area_at_rest(a, &s->element[i]);
    for (int i = 0; i < s->element_count; ++i)
        a->lightness[3 * (size_t)i] = 1 / share_of(area_at_rest(a, &s->element[i]), all);
}

static void number_points(air_skin* a, int particle_count)
{
    for (int i = 0; i < particle_count; ++i) a->point[i] = -1;
    for (int p = 0; p < a->surface->point_count; ++p) a->point[a->surface->particle[p]] = p;
}

static void list_uses(air_skin* a)
{
    const contact_surface* s = a->surface;
    int* start = a->use_start;
    for (int i = 0; i < s->element_count; ++i)
        for (int k = 0; k < corners_of(&s->element[i]); ++k) start[s->element[i].point[k]]++;
    for (int p = 0; p < s->point_count; ++p) start[p + 1] += start[p];
    for (int i = s->element_count - 1; i >= 0; --i)
        for (int k = corners_of(&s->element[i]) - 1; k >= 0; --k)
            a->use[--start[s->element[i].point[k]]] = 3 * i + k;
}

// A surface without an end has an inside, where the air does not press.
static bool is_closed(const contact_surface* s)
{
    if (s->closed) return true;
    for (int i = 0; i < s->edge_count; ++i)
        if (s->edge[i].opposite[0] < 0 || s->edge[i].opposite[1] < 0) return false;
    return s->edge_count > 0 && !s->rope;
}

static bool reserve(air_skin* a, const state* s)
{
    size_t elements = (size_t)a->surface->element_count, points = (size_t)a->surface->point_count;
    a->point = (int*)mem_array((size_t)s->particle_count, sizeof(int));
    a->use_start = (int*)mem_array_zero(points + 1, sizeof(int));
    a->use = (int*)mem_array(3 * elements, sizeof(int));
    a->lightness = (double*)mem_array_zero(3 * elements, sizeof(double));
    a->force = (double*)mem_array_zero(3 * elements, sizeof(double));
    a->wind = (double*)mem_array_zero(3 * points, sizeof(double));
    a->mean = (double*)mem_array_zero(3 * points, sizeof(double));
    a->sum = (air_sum*)mem_array_zero((size_t)air_pieces((int)elements), sizeof(air_sum));
    a->pushed = mem_array_zero((size_t)s->row_count * ROW4, (size_t)s->scalar_bytes);
    return a->point && a->use_start && a->use && a->lightness && a->force && a->wind && a->mean &&
           a->sum && a->pushed;
}

air_skin* air_skin_create(const contact_surface* surface, const state* s, double rope_diameter,
                          bool rigid)
{
    air_skin* a = (air_skin*)mem_alloc_zero(sizeof *a);
    if (!a) return NULL;
    a->surface = surface;
    a->sides = is_closed(surface) ? 0.5 : 1;
    a->diameter = rope_diameter;
    double* area = (double*)mem_array_zero((size_t)surface->point_count, sizeof(double));
    bool good = area && reserve(a, s);
    if (good) number_points(a, s->particle_count);
    if (good) list_uses(a);
    if (good && rigid) share_mass(a);
    if (good && !rigid) share_masses(a, area);
    mem_free(area);
    if (good) return a;
    air_skin_destroy(a);
    return NULL;
}

void air_skin_destroy(air_skin* a)
{
    if (!a) return;
    void* const owned[] = {a->point, a->use_start, a->use, a->lightness, a->force,
                           a->wind,  a->mean,      a->sum, a->pushed};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i) mem_free(owned[i]);
    mem_free(a);
}

void air_skin_start(air_skin* a, const state* s)
{
    memcpy(a->pushed, s->force, (size_t)s->row_count * ROW4 * (size_t)s->scalar_bytes);
    memset(a->mean, 0, 3 * (size_t)a->surface->point_count * sizeof(double));
    memset(&a->total, 0, sizeof a->total);
}

// ---- elements -----------------------------------------------------------------------------------

// An element as it is when a substep begins.
typedef struct {
    double place[3][3], middle[3]; // [m]
    double velocity[3], wind[3];   // [m/s] means of its corners
    double lightness;              // [1/kg] of the lightest corner
} air_element;

// Of a body that does not deform, at a place: it turns, too. Its elements share its mass.
static double lightness_of_whole(const rigid_state* r, const double middle[3])
{
    double square = 0, least = fmin(r->inertia[0], fmin(r->inertia[1], r->inertia[2]));
    if (r->held) return 0;
    for (int k = 0; k < 3; ++k) square += (middle[k] - r->center[k]) * (middle[k] - r->center[k]);
    return 1 / r->mass + (least > 0 ? square / least : 0);
}

static air_element load_element(const air_skin* a, const body_run* b, int number)
{
    const surface_element* e = &a->surface->element[number];
    const state* s = b->s;
    const int bytes = s->scalar_bytes, corners = corners_of(e);
    air_element out = {.lightness = 0};
    for (int i = 0; i < corners; ++i) {
        size_t row = (size_t)plan_row(s->plan, a->surface->particle[e->point[i]], 0);
        const double* wind = a->wind + 3 * (size_t)e->point[i];
        for (size_t k = 0; k < 3; ++k) {
            out.place[i][k] = state_get(s->row, row * ROW + k, bytes);
            out.middle[k] += out.place[i][k] / corners;
            out.velocity[k] += state_get(s->velocity, row * ROW4 + k, bytes) / corners;
            out.wind[k] += wind[k] / corners;
        }
        double light = a->lightness[3 * (size_t)number + (size_t)i] *
                       state_get(s->velocity, row * ROW4 + ROW4_W, bytes);
        out.lightness = fmax(out.lightness, light);
    }
    return out;
}

// The force on an element of so many corners.
static void press(const air_skin* a, const air_rules* r, const air_element* e, int corners,
                  double radius, const double u[3], double out[3])
{
    double n[3] = {0, 0, 0}, pressed = r->density / 2, size;
    if (corners == 3)
        cross_of(e->place[0], e->place[1], e->place[2], n);
    else
        for (int k = 0; k < 3; ++k) n[k] = e->place[1][k] - e->place[0][k];
    size = length_of(n);
    for (int k = 0; k < 3; ++k) n[k] = size > 0 ? n[k] / size : 0;
    if (corners == 1)
        air_press_ball(&r->coefficients, pressed * HALF_TURN * radius * radius, u, out);
    else if (corners == 2)
        air_press_rope(&r->coefficients, pressed * a->diameter * size, n, u, out);
    else
        air_press_sheet(&r->coefficients, pressed * a->sides * size / 2, n, u, out);
}

static void add_to_sum(air_sum* sum, const air_element* e, const double force[3])
{
    double torque[3];
    d3_cross(e->middle, force, torque);
    for (int k = 0; k < 3; ++k) {
        sum->force[k] += force[k];
        sum->torque[k] += torque[k];
    }
    sum->power += air_dot(force, e->velocity);
}

void air_look(air_skin* a, const body_run* b, const air_rules* r, int piece)
{
    const contact_surface* s = a->surface;
    int first = piece * AIR_PIECE, last = first + AIR_PIECE;
    air_sum sum = {.power = 0};
    for (int i = first; i < last && i < s->element_count; ++i) {
        int corners = corners_of(&s->element[i]);
        air_element e = load_element(a, b, i);
        double u[3], radius = 0, *force = a->force + 3 * (size_t)i;
        for (int k = 0; k < 3; ++k) u[k] = e.wind[k] - e.velocity[k];
        if (corners == 1)
            radius =
                state_read(b->s, b->s->row, ROW, s->particle[s->element[i].point[0]], ROW_RADIUS);
        if (b->rigid)
            e.lightness = lightness_of_whole(b->rigid, e.middle) * a->lightness[3 * (size_t)i];
        press(a, r, &e, corners, radius, u, force);
        air_limit(r->h, e.lightness, u, force);
        add_to_sum(&sum, &e, force);
        for (int k = 0; k < 3; ++k) force[k] /= corners;
    }
    a->sum[piece] = sum;
}

// ---- points -------------------------------------------------------------------------------------

static void push_particle(air_skin* a, const state* s, int particle, const double force[3])
{
    for (int copy = 0; copy < plan_copy_count(s->plan, particle); ++copy) {
        size_t at = (size_t)plan_row(s->plan, particle, copy) * ROW4;
        for (size_t k = 0; k < 3; ++k)
            state_set(a->pushed, at + k, state_get(s->force, at + k, s->scalar_bytes) + force[k],
                      s->scalar_bytes);
    }
}

void air_push(air_skin* a, const body_run* b, const air_rules* r, int piece)
{
    int first = piece * AIR_PIECE, last = first + AIR_PIECE;
    for (int p = first; p < last && p < a->surface->point_count; ++p) {
        double sum[3] = {0, 0, 0}, *mean = a->mean + 3 * (size_t)p;
        for (int i = a->use_start[p]; i < a->use_start[p + 1]; ++i)
            for (int k = 0; k < 3; ++k) sum[k] += a->force[3 * (size_t)(a->use[i] / 3) + (size_t)k];
        for (int k = 0; k < 3; ++k) mean[k] += sum[k] / r->substeps;
        push_particle(a, b->s, a->surface->particle[p], sum);
    }
}

void air_add_up(air_skin* a, const air_rules* r)
{
    for (int i = 0; i < air_pieces(a->surface->element_count); ++i) {
        for (int k = 0; k < 3; ++k) {
            a->total.force[k] += a->sum[i].force[k] / r->substeps;
            a->total.torque[k] += a->sum[i].torque[k] / r->substeps;
        }
        a->total.power += a->sum[i].power / r->substeps;
    }
}
