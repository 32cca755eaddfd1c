#define PRECISION_DOUBLE
#include "world/surface.h"
#include "geometry/box_contact.h"
#include "geometry/tet_tree.h"
#include "geometry/triangle.h"
#include "world/residency.h"
#include <string.h>

// ---- making and fitting -------------------------------------------------------------------------

static tree_box box_of_element(const void* surface, int number)
{
    const body_surface* s = (const body_surface*)surface;
    const int* corner = element_corners(s, number);
    bool segment = element_is_segment(s, number);
    tree_box box = NO_BOX;
    for (int k = 0; k < (segment ? 2 : 3); ++k) box = join_point(box, surface_corner(s, corner[k]));
    double radius = segment ? element_radius(s, number) : 0;
    vec3 more = v3(radius, radius, radius);
    return (tree_box){v3_sub(box.low, more), v3_add(box.high, more)};
}

static tree_box box_of_tet(const void* surface, int tet)
{
    const body_surface* s = (const body_surface*)surface;
    tree_box box = NO_BOX;
    for (int k = 0; k < 4; ++k)
        box = join_point(box, surface_corner(s, s->tets[4 * (size_t)tet + (size_t)k]));
    return box;
}

static pliant_result take_elements(const pliant_mesh* m, const int* triangles, const int* vertex,
                                   int count, body_surface* s)
{
    s->triangle_count = count;
    s->segment_count = m->edge_count;
    s->corner = (int*)mem_array(3 * (size_t)count + 2 * (size_t)m->edge_count, sizeof(int));
    if (!s->corner) return PLIANT_ERROR_MEMORY;
    for (size_t i = 0; i < 3 * (size_t)count; ++i)
        s->corner[i] = vertex ? vertex[triangles[i]] : triangles[i];
    if (m->edge_count)
        memcpy(s->corner + 3 * (size_t)count, m->edges, 2 * (size_t)m->edge_count * sizeof(int));
    return PLIANT_OK;
}

static pliant_result take_particles(const pliant_mesh* m, body_surface* s)
{
    s->segment_count = m->vertex_count;
    s->corner = (int*)mem_array(2 * (size_t)m->vertex_count, sizeof(int));
    if (!s->corner) return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < m->vertex_count; ++i)
        s->corner[2 * (size_t)i] = s->corner[2 * (size_t)i + 1] = i;
    return PLIANT_OK;
}

static pliant_result take_boundary(const pliant_mesh* m, body_surface* s)
{
    pliant_mesh* boundary = NULL;
    int* vertex = (int*)mem_array((size_t)m->vertex_count, sizeof(int));
    pliant_result result =
        vertex ? pliant_mesh_boundary(m, &boundary, vertex) : PLIANT_ERROR_MEMORY;
    if (!result)
        result = take_elements(m, boundary->triangles, vertex, boundary->triangle_count, s);
    pliant_mesh_destroy(boundary);
    mem_free(vertex);
    return result;
}

static void read_places(const body* b, body_surface* s)
{
    for (int i = 0; i < b->s.particle_count; ++i)
        state_read_position(&b->s, i, s->x + 3 * (size_t)i);
    for (int i = 0; s->loose && i < b->s.particle_count; ++i)
        s->radius[i] = state_read(&b->s, b->s.row, ROW, i, ROW_RADIUS);
    s->moves = b->moves;
}

static pliant_result fill_surface(const body* b, body_surface* s)
{
    const pliant_mesh* m = b->asset->mesh;
    s->tets = m->tets;
    s->tet_count = m->tet_count;
    s->asset = b->asset;
    s->loose = mesh_is_loose(m);
    s->x = (double*)mem_array((size_t)m->vertex_count, 3 * sizeof(double));
    if (s->loose) s->radius = (double*)mem_array((size_t)m->vertex_count, sizeof(double));
    if (!s->x || (s->loose && !s->radius)) return PLIANT_ERROR_MEMORY;
    pliant_result result = s->loose ? take_particles(m, s)
                           : m->tet_count
                               ? take_boundary(m, s)
                               : take_elements(m, m->triangles, NULL, m->triangle_count, s);
    if (result) return result;
    read_places(b, s);
    int elements = s->triangle_count + s->segment_count;
    return box_tree_create(elements, box_of_element, s, &s->outside) ? PLIANT_OK
                                                                     : PLIANT_ERROR_MEMORY;
}

static pliant_result make_surface(body* b)
{
    body_surface* s = (body_surface*)mem_alloc_zero(sizeof *s);
    pliant_result result = s ? fill_surface(b, s) : PLIANT_ERROR_MEMORY;
    if (result)
        body_surface_destroy(s);
    else
        b->surface = s;
    return result;
}

void body_surface_destroy(body_surface* s)
{
    if (!s) return;
    box_tree_destroy(&s->outside);
    box_tree_destroy(&s->inside);
    mem_free(s->corner);
    mem_free(s->x);
    mem_free(s->radius);
    mem_free(s);
}

static void fit_outside(const body* b, body_surface* s)
{
    if (s->moves == b->moves) return;
    read_places(b, s);
    box_tree_refit(&s->outside, box_of_element, s);
}

static pliant_result fit_inside(const body* b, body_surface* s)
{
    bool made = s->inside.order != NULL;
    if (!made && !box_tree_create(s->tet_count, box_of_tet, s, &s->inside))
        return PLIANT_ERROR_MEMORY;
    if (made && s->moves_in != b->moves) box_tree_refit(&s->inside, box_of_tet, s);
    s->moves_in = b->moves;
    return PLIANT_OK;
}

// Readers may be several threads: one makes and fits what all see.
pliant_result body_find_surface(const pliant_world* world, body* b, bool inside,
                                const body_surface** out)
{
    if (!body_fetch(world, b, STATE_ROWS | STATE_RESIDUES)) return PLIANT_ERROR_DEVICE;
    platform_mutex_lock(world->reading);
    pliant_result result = b->surface ? PLIANT_OK : make_surface(b);
    if (!result) fit_outside(b, b->surface);
    if (!result && inside) result = fit_inside(b, b->surface);
    *out = b->surface;
    platform_mutex_unlock(world->reading);
    return result;
}

// ---- searches -----------------------------------------------------------------------------------

typedef struct {
    const body_surface* surface;
    const ray* ray;
    vec3 point;
    tree_box box;
    surface_hit best;
    bool found;
} search;

// The lower number of two at the same distance; none is above all.
static double offer(search* q, const surface_hit* hit)
{
    bool nearer = hit->distance < q->best.distance;
    bool lower = (unsigned)hit->element < (unsigned)q->best.element;
    if (nearer || (lower && hit->distance == q->best.distance && hit->distance < INFINITY))
        q->best = *hit;
    return q->best.distance;
}

// Shares of a segment's ends at the place nearest to a point.
static double share_of_segment(const body_surface* s, const int corner[2], vec3 p, double share[3])
{
    vec3 start = surface_corner(s, corner[0]);
    vec3 edge = v3_sub(surface_corner(s, corner[1]), start);
    vec3 from = v3_sub(p, start);
    double along = v3_dot(from, edge) * lane_inverse_or_zero(v3_dot(edge, edge));
    along = along < 0 ? 0 : along > 1 ? 1 : along;
    share[0] = 1 - along, share[1] = along, share[2] = 0;
    vec3 off = v3_add_scaled(from, -along, edge);
    return sqrt(v3_dot(off, off));
}

static double bound_ray(const tree_box* box, const void* query)
{
    return ray_meets_box(((const search*)query)->ray, box);
}

static double cast_at_element(int number, void* query)
{
    search* q = (search*)query;
    const body_surface* s = q->surface;
    const int* corner = element_corners(s, number);
    surface_hit hit = {.element = number};
    if (element_is_absent(s, number)) return q->best.distance;
    const double* place[3] = {surface_place(s, corner[0]), surface_place(s, corner[1]), NULL};
    if (element_is_segment(s, number)) {
        double at[3];
        double radius = element_radius(s, number);
        hit.distance = span_meets(s->loose ? span_ball(q->ray, place[0], radius)
                                           : span_capsule(q->ray, place[0], place[1], radius));
        if (hit.distance == INFINITY) return q->best.distance;
        ray_at(q->ray, hit.distance, at);
        share_of_segment(s, corner, v3(at[0], at[1], at[2]), hit.share);
    } else {
        place[2] = surface_place(s, corner[2]);
        hit.distance = ray_meets_triangle(q->ray, place, hit.share);
    }
    return offer(q, &hit);
}

surface_hit surface_cast(const body_surface* s, const ray* r, double longest)
{
    search q = {.surface = s, .ray = r, .best = {.element = -1, .distance = longest}};
    box_tree_search(&s->outside, bound_ray, cast_at_element, &q, longest);
    return q.best;
}

static double bound_point(const tree_box* box, const void* query)
{
    return sqrt(box_distance2(box->low, box->high, ((const search*)query)->point));
}

// Shares of a triangle's corners at a place in it; of a flat one, on the edge that has the place.
static void share_of_triangle(const body_surface* s, const triangle* t, const int corner[3], vec3 p,
                              double share[3])
{
    double least = INFINITY;
    for (int k = 0; k < 3; ++k)
        share[k] =
            v3_dot(t->normal, v3_cross(t->edge[(k + 1) % 3], v3_sub(p, t->corner[(k + 1) % 3])));
    double sum = share[0] + share[1] + share[2];
    for (int k = 0; k < 3; ++k) share[k] /= sum;
    for (int k = 0; k < 3 && t->flat; ++k) {
        const int end[2] = {corner[k], corner[(k + 1) % 3]};
        double part[3], far = share_of_segment(s, end, p, part);
        if (!(far < least)) continue;
        least = far;
        share[k] = part[0], share[(k + 1) % 3] = part[1], share[(k + 2) % 3] = 0;
    }
}

static double point_at_element(int number, void* query)
{
    search* q = (search*)query;
    const body_surface* s = q->surface;
    const int* corner = element_corners(s, number);
    surface_hit hit = {.element = number};
    if (element_is_absent(s, number)) return q->best.distance;
    if (element_is_segment(s, number)) {
        hit.distance = share_of_segment(s, corner, q->point, hit.share) - element_radius(s, number);
    } else {
        triangle t = triangle_make(s->x, corner);
        hit.distance = sqrt(triangle_distance2(&t, q->point));
        if (hit.distance <= q->best.distance)
            share_of_triangle(s, &t, corner, triangle_nearest(&t, q->point), hit.share);
    }
    return offer(q, &hit);
}

surface_hit surface_nearest(const body_surface* s, const double point[3], double farthest)
{
    search q = {.surface = s,
                .point = v3(point[0], point[1], point[2]),
                .best = {.element = -1, .distance = farthest}};
    box_tree_search(&s->outside, bound_point, point_at_element, &q, farthest);
    return q.best;
}

// ---- yes or no ----------------------------------------------------------------------------------

// Below everything: nothing more is looked at.
static double answer(search* q, bool yes)
{
    q->found = q->found || yes;
    return q->found ? -INFINITY : 0;
}

static double bound_holding(const tree_box* box, const void* query)
{
    return box_holds(box, ((const search*)query)->point) ? 0 : INFINITY;
}

static double point_in_tet(int tet, void* query)
{
    search* q = (search*)query;
    const double rounding = 1e-9; // so that nothing is between two tets
    double share[4];
    bool in = tet_shares(q->surface->x, q->surface->tets + 4 * (size_t)tet, q->point, share);
    for (int k = 0; k < 4; ++k) in = in && share[k] >= -rounding;
    return answer(q, in);
}

bool surface_holds(const body_surface* s, const double point[3])
{
    search q = {.surface = s, .point = v3(point[0], point[1], point[2])};
    box_tree_search(&s->inside, bound_holding, point_in_tet, &q, 0);
    return q.found;
}

static double bound_meeting(const tree_box* box, const void* query)
{
    const tree_box* b = &((const search*)query)->box;
    bool apart = box->low.x > b->high.x || b->low.x > box->high.x || box->low.y > b->high.y ||
                 b->low.y > box->high.y || box->low.z > b->high.z || b->low.z > box->high.z;
    return apart ? INFINITY : 0;
}

static double box_at_element(int number, void* query)
{
    search* q = (search*)query;
    const body_surface* s = q->surface;
    const int* corner = element_corners(s, number);
    vec3 place[3] = {surface_corner(s, corner[0]), surface_corner(s, corner[1]), v3_zero()};
    if (element_is_absent(s, number)) return answer(q, false);
    if (element_is_segment(s, number)) {
        double radius = element_radius(s, number);
        return answer(q, box_segment_distance2(&q->box, place[0], place[1]) <= radius * radius);
    }
    place[2] = surface_corner(s, corner[2]);
    return answer(q, box_meets_triangle(&q->box, place));
}

bool surface_meets_box(const body_surface* s, const tree_box* box)
{
    search q = {.surface = s, .box = *box};
    box_tree_search(&s->outside, bound_meeting, box_at_element, &q, 0);
    return q.found;
}
