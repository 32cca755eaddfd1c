#include "air/skin.h"
#include "base/memory.h"
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

static void number_points(air_skin* a, const state* s)
{
    const contact_surface* of = a->surface;
    for (int i = 0; i < s->particle_count; ++i) a->point[i] = -1;
    for (int p = 0; p < of->point_count; ++p) {
        a->point[of->particle[p]] = p;
        a->row[p] = plan_row(s->plan, of->particle[p], 0);
    }
    for (int i = 0; i < of->element_count; ++i)
        for (int k = 0; k < 3; ++k)
            a->corner[3 * i + k] = k < corners_of(&of->element[i]) ? of->element[i].point[k] : -1;
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
    a->corner = (int*)mem_array(3 * elements, sizeof(int));
    a->row = (int*)mem_array(points, sizeof(int));
    a->use_start = (int*)mem_array_zero(points + 1, sizeof(int));
    a->use = (int*)mem_array(3 * elements, sizeof(int));
    a->lightness = (double*)mem_array_zero(3 * elements, sizeof(double));
    a->force = (double*)mem_array_zero(3 * elements, sizeof(double));
    a->wind = (double*)mem_array_zero(3 * points, sizeof(double));
    a->mean = (double*)mem_array_zero(3 * points, sizeof(double));
    a->sum = (air_sum*)mem_array_zero((size_t)air_pieces((int)elements), sizeof(air_sum));
    a->pushed = mem_array_zero((size_t)s->row_count * ROW4, (size_t)s->scalar_bytes);
    return a->point && a->corner && a->row && a->use_start && a->use && a->lightness && a->force &&
           a->wind && a->mean && a->sum && a->pushed;
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
    if (good) number_points(a, s);
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
    void* const owned[] = {a->point, a->corner, a->row,  a->use_start, a->use,   a->lightness,
                           a->force, a->wind,   a->mean, a->sum,       a->pushed};
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

static air_view view_of(const air_skin* a, const body_run* b)
{
    return (air_view){.corner = a->corner,
                      .row = a->row,
                      .lightness = a->lightness,
                      .use_start = a->use_start,
                      .use = a->use,
                      .wind = a->wind,
                      .force = a->force,
                      .mean = a->mean,
                      .rows = b->s->row,
                      .velocity = b->s->velocity,
                      .scalar_bytes = b->s->scalar_bytes,
                      .rigid = b->rigid,
                      .sides = a->sides,
                      .diameter = a->diameter};
}

static void add_to_sum(air_sum* sum, const air_sum* one)
{
    for (int k = 0; k < 3; ++k) {
        sum->force[k] += one->force[k];
        sum->torque[k] += one->torque[k];
    }
    sum->power += one->power;
}

void air_look(air_skin* a, const body_run* b, const air_rules* r, int piece)
{
    const air_view view = view_of(a, b);
    int first = piece * AIR_PIECE, last = first + AIR_PIECE;
    air_sum sum = {.power = 0}, one;
    for (int i = first; i < last && i < a->surface->element_count; ++i) {
        blow_at_element(&view, r, i, &one);
        add_to_sum(&sum, &one);
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
    const air_view view = view_of(a, b);
    for (int p = first; p < last && p < a->surface->point_count; ++p) {
        double sum[3];
        blow_at_point(&view, r, p, sum);
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
