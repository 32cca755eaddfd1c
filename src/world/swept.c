#include "world/swept.h"
#include "collide/surface.h"
#include "mesh/mesh.h"
#include "world/contacts.h"
#include "world/motion.h"
#include <string.h>

// ---- surfaces -----------------------------------------------------------------------------------

// From corners that the slot takes, and triangles or one edge.
static pliant_result take_surface(double* corner, int corners, int* triangle, int triangles,
                                  int* edge, collider_slot* out)
{
    pliant_mesh mesh = {.vertices = corner,
                        .triangles = triangle,
                        .edges = edge,
                        .vertex_count = corners,
                        .triangle_count = triangles,
                        .edge_count = edge ? 1 : 0};
    out->corner = corner;
    out->outside = contact_surface_create(&mesh);
    return out->outside ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

// A ball is a point, of which a segment has both ends; it has no edge to meet others.
static pliant_result round_surface(const pliant_collider_def* def, collider_slot* out)
{
    bool ball = def->shape == PLIANT_SHAPE_SPHERE || def->half_height == 0;
    int edge[2] = {0, ball ? 0 : 1};
    double* corner = (double*)mem_array_zero(6, sizeof *corner);
    if (!corner) return PLIANT_ERROR_MEMORY;
    if (!ball) {
        corner[1] = -(double)def->half_height;
        corner[4] = (double)def->half_height;
    }
    pliant_result result = take_surface(corner, ball ? 1 : 2, NULL, 0, edge, out);
    if (result) return result;
    if (ball) out->outside->element[0].own_edge = 0;
    // How far is little for it.
    out->outside->mean_edge = fmax(out->outside->mean_edge, 2 * (double)def->radius);
    return PLIANT_OK;
}

// Corner i is at the low or the high end along x, y, z by the bits of i.
static pliant_result box_surface(const pliant_collider_def* def, collider_slot* out)
{
    static const int side[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                   {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    const double half[3] = {(double)def->half_extents.x, (double)def->half_extents.y,
                            (double)def->half_extents.z};
    double* corner = (double*)mem_array(24, sizeof *corner);
    int triangle[36];
    if (!corner) return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < 24; ++i) corner[i] = i / 3 >> i % 3 & 1 ? half[i % 3] : -half[i % 3];
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 3; ++k) {
            triangle[6 * i + k] = side[i][k];
            triangle[6 * i + 3 + k] = side[i][k ? k + 1 : 0];
        }
    pliant_result result = take_surface(corner, 8, triangle, 12, NULL, out);
    if (!result) out->outside->closed = true;
    return result;
}

// Three points, which have no part of their own: points meet the plane.
static pliant_result plane_surface(collider_slot* out)
{
    int triangle[3] = {0, 1, 2};
    double* corner = (double*)mem_array_zero(9, sizeof *corner);
    if (!corner) return PLIANT_ERROR_MEMORY;
    corner[3] = corner[8] = 1; // [m] along x and z
    pliant_result result = take_surface(corner, 3, triangle, 1, NULL, out);
    if (result) return result;
    out->outside->element[0].own_point = out->outside->element[0].own_edge = 0;
    out->outside->mean_edge = 0;
    out->outside->plane = true;
    return PLIANT_OK;
}

static double six_volumes(const surface* s)
{
    double sum = 0;
    for (int i = 0; i < s->triangle_count; ++i) {
        const int* t = s->triangle + 3 * (size_t)i;
        const double *a = s->vertex + 3 * (size_t)t[0], *b = s->vertex + 3 * (size_t)t[1],
                     *c = s->vertex + 3 * (size_t)t[2];
        sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return sum;
}

static void turn_inside_out(surface* s)
{
    for (int i = 0; i < s->triangle_count; ++i) {
        int *t = s->triangle + 3 * (size_t)i, swap = t[1];
        t[1] = t[2];
        t[2] = swap;
    }
}

// Where triangles do not agree about the outside it has none to be pushed to.
static pliant_result mesh_surface(const pliant_collider_def* def, collider_slot* out)
{
    surface s = {0};
    pliant_result result = surface_create(def->mesh, &s);
    if (result) return result;
    if (six_volumes(&s) < 0) turn_inside_out(&s);
    result = take_surface(s.vertex, s.vertex_count, s.triangle, s.triangle_count, NULL, out);
    if (!result) out->outside->closed = s.oriented;
    s.vertex = NULL;
    surface_destroy(&s);
    return result;
}

static pliant_result copy_surface(const double* corner, int corners, const int* triangle,
                                  int triangles, bool closed, collider_slot* out)
{
    double* own = (double*)mem_array((size_t)corners, 3 * sizeof *own);
    int* list = (int*)mem_array((size_t)triangles, 3 * sizeof *list);
    pliant_result result = PLIANT_ERROR_MEMORY;
    if (own && list) {
        memcpy(own, corner, (size_t)corners * 3 * sizeof *own);
        memcpy(list, triangle, (size_t)triangles * 3 * sizeof *list);
        result = take_surface(own, corners, list, triangles, NULL, out);
        own = NULL;
    }
    if (!result) out->outside->closed = closed;
    mem_free(own);
    mem_free(list);
    return result;
}

pliant_result collider_surface_create(const pliant_collider_def* def, collider_slot* out)
{
    pliant_result result = PLIANT_OK;
    bool open = def->shape == PLIANT_SHAPE_TRIANGLES && !def->two_sided;
    out->only_rigid = def->shape == PLIANT_SHAPE_PLANE || open ||
                      def->surface_contacts == PLIANT_SURFACE_CONTACTS_NEVER;
    switch (def->shape) {
    case PLIANT_SHAPE_PLANE:
        result = plane_surface(out);
        break;
    case PLIANT_SHAPE_BOX:
        result = box_surface(def, out);
        break;
    case PLIANT_SHAPE_SPHERE:
    case PLIANT_SHAPE_CAPSULE:
        result = round_surface(def, out);
        break;
    case PLIANT_SHAPE_MESH:
        result = mesh_surface(def, out);
        break;
    case PLIANT_SHAPE_CONVEX:
        result = copy_surface(out->hull.corner, out->hull.corner_count, out->hull.triangle,
                              out->hull.triangle_count, true, out);
        break;
    case PLIANT_SHAPE_TRIANGLES:
        result = copy_surface(out->net.corner, out->net.corner_count, out->net.triangle,
                              out->net.triangle_count, false, out);
        break;
    }
    if (result) collider_surface_destroy(out);
    return result;
}

void collider_surface_destroy(collider_slot* slot)
{
    contact_surface_destroy(slot->outside);
    mem_free(slot->corner);
    slot->outside = NULL;
    slot->corner = NULL;
}

bool world_sweeps_collider(const pliant_world* world, int number)
{
    bool remote = world_meets_remotely(world);
    for (int i = 0; i < world->bodies.count; ++i) {
        const body* b = world_body_at(world, i);
        if (b && (b->remote != NULL) != remote) return false;
    }
    return collider_has_surface(world, number) && !world_collider_at(world, number)->only_rigid;
}

// ---- as bodies of the contact system ------------------------------------------------------------

static bool is_known(const pliant_world* world, int number, int place)
{
    const contact_body* known = &world->contacts.set.body[number];
    pliant_collider_id id = world_collider_id(world, place);
    return number < world->contacts.set.body_count && known->collider &&
           known->slot == (int)id.index1 - 1 && known->born == id.generation;
}

static void enter_collider(pliant_world* world, int number, int place)
{
    contact_body* to = &world->contacts.set.body[number];
    pliant_collider_id id = world_collider_id(world, place);
    contact_body_free(to);
    *to = (contact_body){.surface = world_collider_at(world, place)->outside,
                         .slot = (int)id.index1 - 1,
                         .born = id.generation,
                         .collider = true};
}

void world_enter_colliders(pliant_world* world)
{
    int number = world->contacts.set.first_collider;
    for (int i = 0; i < world->collider_count; ++i) {
        if (!collider_has_surface(world, i)) continue;
        if (!is_known(world, number, i)) enter_collider(world, number, i);
        // A GPU decides who meets it.
        if (world->roll.remote) world->contacts.set.body[number].present = true;
        number++;
    }
}

bool world_knows_colliders(const pliant_world* world)
{
    int number = world->contacts.set.first_collider;
    for (int i = 0; i < world->collider_count; ++i)
        if (collider_has_surface(world, i) && !is_known(world, number++, i)) return false;
    return true;
}

static void tell_collider(const pliant_world* world, int place, double dt, contact_body* out)
{
    const collider* c = &world->collider_list[place];
    bool is_round = c->shape == PLIANT_SHAPE_SPHERE || c->shape == PLIANT_SHAPE_CAPSULE;
    bool is_sheet = c->shape == PLIANT_SHAPE_TRIANGLES;
    out->shape = c;
    out->place = place;
    out->radius = is_round ? c->radius : is_sheet ? c->thickness / 2 : 0;
    out->stick = c->static_friction;
    out->slip = c->dynamic_friction;
    out->restitution = c->restitution;
    out->haste = world_collider_spin_pace(world, place, dt);
    out->still = c->way == NULL;
    out->turns = c->turns;
    memcpy(out->velocity, world_collider_at(world, place)->seen, sizeof out->velocity);
    out->load = c->load;
    out->only_rigid = world_collider_at(world, place)->only_rigid;
}

void world_tell_colliders(pliant_world* world, double dt)
{
    contact_body* bodies = world->contacts.set.body;
    int number = world->contacts.set.first_collider;
    for (int i = 0; i < world->collider_count; ++i)
        if (collider_has_surface(world, i)) tell_collider(world, i, dt, &bodies[number++]);
}
