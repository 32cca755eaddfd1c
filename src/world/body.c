#include "base/cookie.h"
#include "math/rotation.h"
#include "world/air.h"
#include "world/checks.h"
#include "world/heat.h"
#include "world/immersion.h"
#include "world/inside.h"
#include "world/joints.h"
#include "world/liquid.h"
#include "world/load.h"
#include "world/presence.h"
#include "world/residency.h"
#include "world/rigid.h"
#include "world/tearing.h"
#include "world/unresolved.h"
#include <math.h>
#include <string.h>

body* world_body(const pliant_world* world, pliant_body_id id)
{
    if (!REQUIRE(world)) return NULL;
    body** slot = (body**)pool_get(&world->bodies, id.index1, id.generation);
    if (slot) return *slot;
    assert_failed("the id is of a body in the world", __FILE__, __LINE__);
    fail(PLIANT_ERROR_ARGUMENT,
         "there is no body of this id (%u, %u): it was removed, or never added to this world",
         (unsigned)id.index1, (unsigned)id.generation);
    return NULL;
}

body* world_body_with(const pliant_world* world, pliant_body_id id, int particle)
{
    body* b = world_body(world, id);
    if (!b || !REQUIRE(particle >= 0 && particle < b->s.particle_count)) return NULL;
    if (body_has(b, particle)) return b;
    assert_failed("the particle is there", __FILE__, __LINE__);
    fail(PLIANT_ERROR_ARGUMENT, "particle %d of the body is absent: it was removed, or never added",
         particle);
    return NULL;
}

// ---- creation -----------------------------------------------------------------------------------

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static bool can_hold3(const body* b, const double v[3])
{
    for (int k = 0; k < 3; ++k)
        if (!state_can_hold(v[k], b->s.scalar_bytes)) return false;
    return true;
}

static bool refuse_range(const char* what, int particle)
{
    fail(PLIANT_ERROR_ARGUMENT,
         "a body's %s is beyond the range of its precision at particle %d: place it nearer, or use "
         "other units",
         what, particle);
    return false;
}

// Whether the particle is as far from the first as it is at rest, within 1 % of that.
static bool keeps_shape(const body* b, int particle)
{
    const double *rest = b->asset->mesh->vertices, *r = rest + 3 * (size_t)particle;
    double first[3], p[3], length = 0, now = 0;
    state_read_position(&b->s, 0, first);
    state_read_position(&b->s, particle, p);
    for (int k = 0; k < 3; ++k) {
        length += (r[k] - rest[k]) * (r[k] - rest[k]);
        now += (p[k] - first[k]) * (p[k] - first[k]);
    }
    return fabs(sqrt(now) - sqrt(length)) <= 0.01 * sqrt(length);
}

static bool refuse_distance(const double position[3], int particle)
{
    fail(PLIANT_ERROR_ARGUMENT,
         "a body at (%g, %g, %g) m is so far away that its precision loses its shape, at particle "
         "%d: place it nearer, or use double precision",
         position[0], position[1], position[2], particle);
    return false;
}

// False, with the error text, where the solver's numbers cannot hold it.
static bool place_particles(body* b, const pliant_body_def* def)
{
    const pliant_asset* a = b->asset;
    double axis[3][3], center[3] = {0, 0, 0};
    rotation_axes(def->rotation, axis);
    for (int i = 0; i < a->plan.particle_count; ++i) {
        const double* rest = a->mesh->vertices + 3 * (size_t)i;
        double p[3];
        for (int k = 0; k < 3; ++k) {
            p[k] = def->position[k] + axis[0][k] * rest[0] + axis[1][k] * rest[1] +
                   axis[2][k] * rest[2];
            if (body_has(b, i)) center[k] += b->mass[i] / a->total_mass * p[k];
        }
        if (!can_hold3(b, p)) return refuse_range("position", i);
        state_write_position(&b->s, i, p);
        if (!keeps_shape(b, i)) return refuse_distance(def->position, i);
    }
    const double spin[3] = {(double)def->angular_velocity.x, (double)def->angular_velocity.y,
                            (double)def->angular_velocity.z};
    const double velocity[3] = {(double)def->velocity.x, (double)def->velocity.y,
                                (double)def->velocity.z};
    for (int i = 0; i < a->plan.particle_count; ++i) {
        double p[3], turn[3];
        if (!body_has(b, i)) continue;
        state_read_position(&b->s, i, p);
        for (int k = 0; k < 3; ++k) p[k] -= center[k];
        cross(spin, p, turn);
        for (int k = 0; k < 3; ++k) turn[k] += velocity[k];
        if (!can_hold3(b, turn)) return refuse_range("velocity", i);
        state_write_velocity(&b->s, i, turn);
    }
    return true;
}

static bool set_masses(body* b)
{
    const pliant_asset* a = b->asset;
    int count = a->plan.particle_count;
    b->s.mass_unit = ldexp(1, -ilogb(b->there.mass ? a->mass[count - 1] : a->total_mass / count));
    for (int i = 0; i < count; ++i) {
        if (!body_has(b, i)) {
            state_write_inverse_mass(&b->s, i, 0);
            state_write(&b->s, b->s.row, ROW, i, ROW_RADIUS, (double)ABSENT_RADIUS);
            continue;
        }
        if (!state_write_inverse_mass(&b->s, i, 1 / b->mass[i])) // a copy is lighter
            return refuse_range("inverse mass", i);
        state_write(&b->s, b->s.row, ROW, i, ROW_RADIUS, asset_radius(a, i));
        b->largest_radius = fmax(b->largest_radius, asset_radius(a, i));
    }
    return true;
}

static void turn_clusters(body* b, pliant_quat rotation)
{
    double by[9];
    rotation_matrix(rotation, by);
    cluster_state_turn(&b->asset->clusters, &b->matched, by);
}

static void turn_rods(body* b, pliant_quat rotation)
{
    const double by[4] = {(double)rotation.x, (double)rotation.y, (double)rotation.z,
                          (double)rotation.w};
    if (b->oriented) rod_state_turn(&b->asset->rods, b->oriented, by);
}

// Orientations spin as the whole body does.
static void spin_rods(body* b, pliant_vec3 spin)
{
    double* out = b->oriented ? b->oriented->spin : NULL;
    for (int i = 0; i < b->asset->rods.count; ++i, out += 3)
        out[0] = (double)spin.x, out[1] = (double)spin.y, out[2] = (double)spin.z;
}

static void clear_patch(int number, void* argument) { state_clear_patch((state*)argument, number); }

static pliant_result fill_body(pliant_world* world, const pliant_asset* asset,
                               const pliant_body_def* def, body* b)
{
    asset_retain(asset);
    b->asset = asset;
    b->gravity_scale = (double)def->gravity_scale;
    b->friction = (double)def->friction;
    b->restitution = (double)def->restitution;
    b->contact = def->contact;
    b->immersion = def->immersion;
    b->born = ++world->births;
    b->user_data = def->user_data;
    bool good = state_create(world->rows, &asset->plan, world->def.iterations,
                             body_wants_device(world, b), &b->s);
    good = good && body_create_presence(b) && body_create_liquid(b) && body_create_heat(b);
    if (good && asset->inside.start) good = enclosure_sums_create(&asset->inside, &b->inside);
    if (good && asset->clusters.count)
        good = cluster_state_create(&asset->clusters, world->def.iterations, &b->matched);
    if (good && asset->rods.count)
        good = (b->oriented = rod_state_create(&asset->rods, world->def.iterations,
                                               asset->plan.scalar_bytes)) != NULL;
    if (good && !asset->plan.patched && asset->plan.component_count > 0)
        good = torque_scratch_create(&asset->plan, &b->torque);
    good = good && body_set_airfoil(b, &def->air);
    if (!good) return PLIANT_ERROR_MEMORY;
    executor_run(&world->exec, clear_patch, &b->s, asset->plan.patch_count);
    if (!set_masses(b)) return PLIANT_ERROR_ARGUMENT;
    if (asset_is_rigid(asset)) {
        pliant_result result = body_make_rigid(b, def);
        if (result) return result;
    } else if (!place_particles(b, def)) {
        return PLIANT_ERROR_ARGUMENT;
    }
    turn_clusters(b, def->rotation);
    turn_rods(b, def->rotation);
    spin_rods(b, def->angular_velocity);
    return body_settle(world, b);
}

pliant_result body_create(pliant_world* world, const pliant_asset* asset,
                          const pliant_body_def* def, body** out)
{
    body* b = (body*)mem_alloc_zero(sizeof *b);
    pliant_result result = b ? fill_body(world, asset, def, b) : PLIANT_ERROR_MEMORY;
    if (result) {
        body_destroy(world, b);
        b = NULL;
    }
    *out = b;
    return result;
}

void body_destroy(pliant_world* world, body* b)
{
    if (!b) return;
    body_release_loads(world, b);
    body_unsettle(world, b);
    body_surface_destroy(b->surface);
    body_close_tear(b);
    state_destroy(world->rows, &b->s);
    enclosure_sums_destroy(&b->inside);
    cluster_state_destroy(&b->matched);
    rod_state_destroy(b->oriented);
    torque_scratch_destroy(&b->torque);
    body_free_rigid(b);
    body_release_air(b);
    body_forget_hull(b);
    body_destroy_presence(b);
    mem_free(b->pressure);
    mem_free(b->drawn);
    body_destroy_heat(b);
    mem_free(b->pins);
    mem_free(b->rollers);
    mem_free(b->movers);
    mem_free(b->holders);
    mem_free(b->holder_id);
    mem_free(b->row_movers);
    mem_free(b->row_holders);
    mem_free(b->path_keys);
    asset_release(b->asset);
    mem_free(b);
}

pliant_result pliant_world_add_body(pliant_world* world, const pliant_asset* asset,
                                    const pliant_body_def* def, pliant_body_id* out)
{
    pliant_body_id id = {0, 0};
    if (out) *out = id;
    if (!REQUIRE(world && asset) || !REQUIRE_DEF(def, COOKIE_BODY) || check_body_def(def))
        return PLIANT_ERROR_ARGUMENT;
    if (!mem_reserve((void**)&world->pull, &world->pull_capacity, asset->mesh->vertex_count,
                     PULL * sizeof(double)))
        return PLIANT_ERROR_MEMORY;
    body *b, **slot = NULL;
    pliant_result result = body_create(world, asset, def, &b);
    if (!result) slot = (body**)pool_add(&world->bodies, &id.index1, &id.generation);
    if (!slot) {
        body_destroy(world, b);
        return result ? result : PLIANT_ERROR_MEMORY;
    }
    *slot = b;
    world_count_rigid(world, b, 1);
    world->liquid_count += b->pressure != NULL;
    world->carried_count += asset_is_carried(b->asset);
    world_change_bodies(world);
    history_clear(&world->past);
    if (out) *out = id;
    return PLIANT_OK;
}

pliant_result pliant_world_add_soft(pliant_world* world, const pliant_mesh* mesh,
                                    const pliant_soft_def* soft, const pliant_body_def* def,
                                    pliant_body_id* out)
{
    pliant_asset* asset = NULL;
    if (out) *out = (pliant_body_id){0, 0};
    pliant_result result = pliant_asset_create(mesh, soft, &asset);
    if (!result) result = pliant_world_add_body(world, asset, def, out);
    pliant_asset_destroy(asset);
    return result;
}

void pliant_body_remove(pliant_world* world, pliant_body_id id)
{
    body* b = world_body(world, id);
    if (!b) return;
    for (int i = 0; i < b->holder_count; ++i) pool_remove(&world->attachments, b->holder_id[i]);
    world_remove_joints_of(world, id);
    pool_remove(&world->bodies, id.index1);
    world_count_rigid(world, b, -1);
    world->liquid_count -= b->pressure != NULL;
    world->carried_count -= asset_is_carried(b->asset);
    body_destroy(world, b);
    world_change_bodies(world);
    history_clear(&world->past);
}

// ---- questions ----------------------------------------------------------------------------------

bool pliant_body_is_valid(const pliant_world* world, pliant_body_id id)
{
    return REQUIRE(world) && pool_get(&world->bodies, id.index1, id.generation) != NULL;
}

int pliant_world_bodies(const pliant_world* world, pliant_body_id* out, int capacity)
{
    if (!REQUIRE(world && (out || capacity == 0))) return 0;
    int count = 0;
    for (int i = 0; i < world->bodies.count && count < capacity; ++i) {
        if (!pool_at(&world->bodies, i)) continue;
        out[count].index1 = (uint32_t)i + 1;
        out[count++].generation = world->bodies.slot[i].generation;
    }
    return count;
}

int pliant_world_body_count(const pliant_world* world)
{
    int count = 0;
    for (int i = 0; REQUIRE(world) && i < world->bodies.count; ++i)
        count += pool_at(&world->bodies, i) != NULL;
    return count;
}

int pliant_body_particle_count(const pliant_world* world, pliant_body_id id)
{
    const body* b = world_body(world, id);
    return b ? b->s.particle_count : 0;
}

double pliant_body_mass(const pliant_world* world, pliant_body_id id)
{
    const body* b = world_body(world, id);
    return b ? body_mass(b) : 0;
}

const pliant_asset* pliant_body_asset(const pliant_world* world, pliant_body_id id)
{
    const body* b = world_body(world, id);
    return b ? b->asset : NULL;
}

void* pliant_body_user_data(const pliant_world* world, pliant_body_id id)
{
    const body* b = world_body(world, id);
    return b ? b->user_data : NULL;
}

void pliant_body_set_user_data(pliant_world* world, pliant_body_id id, void* data)
{
    body* b = world_body(world, id);
    if (b) b->user_data = data;
}

void pliant_body_set_gravity_scale(pliant_world* world, pliant_body_id id, float scale)
{
    body* b = world_body(world, id);
    if (b && REQUIRE(isfinite(scale))) b->gravity_scale = (double)scale;
}

void pliant_body_set_friction(pliant_world* world, pliant_body_id id, float friction)
{
    body* b = world_body(world, id);
    if (!b || !REQUIRE(friction >= 0 && isfinite(friction))) return;
    b->friction = (double)friction;
    world_change_bodies(world);
}

void pliant_body_set_restitution(pliant_world* world, pliant_body_id id, float restitution)
{
    body* b = world_body(world, id);
    if (!b || !REQUIRE(restitution >= 0 && restitution <= 1)) return;
    b->restitution = (double)restitution;
    world_change_bodies(world);
}

pliant_result pliant_body_set_contact(pliant_world* world, pliant_body_id id,
                                      const pliant_contact_def* contact)
{
    body* b = world_body(world, id);
    if (!b || !REQUIRE(contact)) return PLIANT_ERROR_ARGUMENT;
    pliant_result result = check_contact_def(contact);
    if (result) return result;
    b->contact = *contact;
    world_change_bodies(world);
    return PLIANT_OK;
}

pliant_result pliant_body_contact(const pliant_world* world, pliant_body_id id,
                                  pliant_contact_def* out)
{
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = (pliant_contact_def){0};
    const body* b = world_body(world, id);
    if (!b) return PLIANT_ERROR_ARGUMENT;
    *out = b->contact;
    return PLIANT_OK;
}

pliant_result pliant_body_bounds(const pliant_world* world, pliant_body_id id, double out_min[3],
                                 double out_max[3])
{
    body* b = world_body(world, id);
    if (!b || !REQUIRE(out_min && out_max)) return PLIANT_ERROR_ARGUMENT;
    if (!body_fetch(world, b, STATE_ROWS | STATE_RESIDUES)) return PLIANT_ERROR_DEVICE;
    bool any = false;
    for (int i = 0; i < b->s.particle_count; ++i) {
        double x[3], radius = state_read(&b->s, b->s.row, ROW, i, ROW_RADIUS);
        if (!body_has(b, i)) continue;
        state_read_position(&b->s, i, x);
        for (int k = 0; k < 3; ++k) {
            if (!any || x[k] - radius < out_min[k]) out_min[k] = x[k] - radius;
            if (!any || x[k] + radius > out_max[k]) out_max[k] = x[k] + radius;
        }
        any = true;
    }
    for (int k = 0; k < 3 && !any; ++k) out_min[k] = INFINITY, out_max[k] = -INFINITY;
    return PLIANT_OK;
}

// ---- teleport -----------------------------------------------------------------------------------

static void turn_vector(const double axis[3][3], const double v[3], double out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = axis[0][k] * v[0] + axis[1][k] * v[1] + axis[2][k] * v[2];
}

typedef struct {
    double axis[3][3], pivot[3], translation[3];
} placement;

static void place_point(const placement* p, const double x[3], double out[3])
{
    double from[3];
    for (int k = 0; k < 3; ++k) from[k] = x[k] - p->pivot[k];
    turn_vector(p->axis, from, out);
    for (int k = 0; k < 3; ++k) out[k] += p->pivot[k] + p->translation[k];
}

// Looks at all places before anything moves.
static bool can_place(body* b, const placement* p)
{
    for (int i = 0; i < b->s.particle_count; ++i) {
        double x[3], to[3];
        state_read_position(&b->s, i, x);
        place_point(p, x, to);
        if (!can_hold3(b, to)) return refuse_range("position", i);
    }
    return true;
}

static void place_body(body* b, const placement* p)
{
    for (int i = 0; i < b->s.particle_count; ++i) {
        double x[3], v[3], to[3];
        state_read_position(&b->s, i, x);
        place_point(p, x, to);
        state_write_position(&b->s, i, to);
        state_read_velocity(&b->s, i, v);
        turn_vector(p->axis, v, to);
        state_write_velocity(&b->s, i, to);
    }
}

pliant_result pliant_body_teleport(pliant_world* world, pliant_body_id id, const double pivot[3],
                                   pliant_quat rotation, const double translation[3])
{
    body* b = world_body(world, id);
    if (!b || !REQUIRE(pivot && translation)) return PLIANT_ERROR_ARGUMENT;
    placement p;
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        p.pivot[k] = pivot[k];
        p.translation[k] = translation[k];
        sum += pivot[k] + translation[k];
    }
    if (!isfinite(sum))
        return fail(PLIANT_ERROR_ARGUMENT, "a body is to be moved by what is not finite");
    if (!rotation_is_valid(rotation))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "a body is to be turned by a rotation that is zero or not finite; the identity "
                    "is {0, 0, 0, 1}");
    rotation_axes(rotation, p.axis);
    if (!body_edit(world, b, STATE_ALL)) return PLIANT_ERROR_DEVICE;
    if (b->rigid) {
        pliant_result result = body_teleport_rigid(b, pivot, rotation, translation);
        if (result) return result;
    } else {
        if (!can_place(b, &p)) return PLIANT_ERROR_ARGUMENT;
        place_body(b, &p);
        turn_clusters(b, rotation);
        turn_rods(b, rotation);
    }
    b->mover_count = 0;
    body_start_anew(b);
    body_look_again(b);
    return body_revive(world, b) ? PLIANT_OK : PLIANT_ERROR_DEVICE;
}

// ---- single particles ---------------------------------------------------------------------------

static pliant_particle describe_particle(const body* b, int particle)
{
    if (!body_has(b, particle)) return (pliant_particle){0};
    return (pliant_particle){.present = true,
                             .radius =
                                 (float)state_read(&b->s, b->s.row, ROW, particle, ROW_RADIUS),
                             .phase = b->s.phase[particle],
                             .axes = b->s.axes[particle],
                             .pinned = !(state_read_inverse_mass(&b->s, particle) > 0)};
}

pliant_result pliant_body_particle(const pliant_world* world, pliant_body_id id, int particle,
                                   pliant_particle* out)
{
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = (pliant_particle){0};
    body* b = world_body(world, id);
    if (!b || !REQUIRE(particle >= 0 && particle < b->s.particle_count))
        return PLIANT_ERROR_ARGUMENT;
    if (!body_fetch(world, b, STATE_ROWS | STATE_VELOCITIES)) return PLIANT_ERROR_DEVICE;
    *out = describe_particle(b, particle);
    return PLIANT_OK;
}

pliant_result pliant_body_read_particles(const pliant_world* world, pliant_body_id id,
                                         pliant_particle* out, int capacity)
{
    body* b = world_body(world, id);
    if (!b || !REQUIRE(out && capacity >= 0)) return PLIANT_ERROR_ARGUMENT;
    if (!body_fetch(world, b, STATE_ROWS | STATE_VELOCITIES)) return PLIANT_ERROR_DEVICE;
    for (int i = 0; i < b->s.particle_count && i < capacity; ++i) out[i] = describe_particle(b, i);
    return PLIANT_OK;
}

pliant_result pliant_body_set_radius(pliant_world* world, pliant_body_id id, int particle,
                                     float radius)
{
    body* b = world_body_with(world, id, particle);
    if (!b || !REQUIRE(radius >= 0 && isfinite(radius))) return PLIANT_ERROR_ARGUMENT;
    if (!body_edit(world, b, STATE_ROWS)) return PLIANT_ERROR_DEVICE;
    state_write(&b->s, b->s.row, ROW, particle, ROW_RADIUS, (double)radius);
    b->largest_radius = fmax(b->largest_radius, (double)radius);
    body_look_again(b);
    if (mesh_is_loose(b->asset->mesh)) {
        b->moves++; // who asks where it is looks again
        world_change_radius(world);
    }
    return PLIANT_OK;
}

void pliant_body_set_phase(pliant_world* world, pliant_body_id id, int particle, uint32_t phase)
{
    body* b = world_body_with(world, id, particle);
    if (!b) return;
    b->s.phase[particle] = phase;
    b->phased = b->phased || phase;
    world_change_bodies(world);
}
