// Holding and pulling particles: forces, pins, attachments.
#include "world/inside.h"
#include "world/paths.h"
#include "world/residency.h"
#include "world/rigid.h"
#include <math.h>
#include <string.h>

static bool finite3(const double p[3]) { return p && isfinite(p[0] + p[1] + p[2]); }

// ---- forces -------------------------------------------------------------------------------------

static void add_force(state* s, int particle, pliant_vec3 force)
{
    const double value[3] = {(double)force.x, (double)force.y, (double)force.z};
    for (int k = 0; k < 3; ++k) {
        double before = state_read(s, s->force, ROW4, particle, k);
        state_write(s, s->force, ROW4, particle, k, before + value[k]);
    }
    s->pushed = true;
}

pliant_result pliant_body_set_forces(pliant_world* world, pliant_body_id id,
                                     const pliant_vec3* forces, int count)
{
    body* b = world_body(world, id);
    if (!b || !REQUIRE(!forces || (count >= 0 && count <= b->s.particle_count)))
        return PLIANT_ERROR_ARGUMENT;
    for (int i = 0; forces && i < count; ++i)
        if (!REQUIRE(isfinite(forces[i].x + forces[i].y + forces[i].z)))
            return PLIANT_ERROR_ARGUMENT;
    if (!body_edit(world, b, STATE_FORCES)) return PLIANT_ERROR_DEVICE;
    memset(b->s.force, 0, (size_t)b->s.row_count * ROW4 * (size_t)b->s.scalar_bytes);
    b->s.pushed = false;
    for (int i = 0; forces && i < count; ++i)
        if (body_has(b, i)) add_force(&b->s, i, forces[i]);
    return PLIANT_OK;
}

pliant_result pliant_body_add_force(pliant_world* world, pliant_body_id id, int particle,
                                    pliant_vec3 force)
{
    body* b = world_body_with(world, id, particle);
    if (!b || !REQUIRE(isfinite(force.x + force.y + force.z))) return PLIANT_ERROR_ARGUMENT;
    if (!body_edit(world, b, STATE_FORCES)) return PLIANT_ERROR_DEVICE;
    add_force(&b->s, particle, force);
    return PLIANT_OK;
}

pliant_result body_set_force(pliant_world* world, body* b, int particle, pliant_vec3 force)
{
    if (!REQUIRE(isfinite(force.x + force.y + force.z))) return PLIANT_ERROR_ARGUMENT;
    if (!body_edit(world, b, STATE_FORCES)) return PLIANT_ERROR_DEVICE;
    for (int k = 0; k < 3; ++k) state_write(&b->s, b->s.force, ROW4, particle, k, 0);
    if (body_has(b, particle)) add_force(&b->s, particle, force);
    return PLIANT_OK;
}

// ---- pins ---------------------------------------------------------------------------------------

static void drop_mover(body* b, int particle)
{
    for (int i = 0; i < b->mover_count; ++i) {
        if (b->movers[i].particle != particle) continue;
        b->mover_count--;
        memmove(&b->movers[i], &b->movers[i + 1], (size_t)(b->mover_count - i) * sizeof(path));
        return;
    }
}

// Something else holds the body now.
static void note_hold(body* b)
{
    body_start_anew(b);
    body_look_again(b);
}

static const unsigned all_axes = PLIANT_AXIS_X | PLIANT_AXIS_Y | PLIANT_AXIS_Z;

static unsigned read_hold(const body* b, int particle)
{
    return state_read_inverse_mass(&b->s, particle) > 0 ? b->s.axes[particle] : all_axes;
}

// By these axes and no others, where it is. All of them are no inverse mass.
static pliant_result hold(pliant_world* world, body* b, int particle, unsigned axes)
{
    if (!b) return PLIANT_ERROR_ARGUMENT;
    if (!body_refuse_rigid(
            b, "hold all of it (pliant_body_set_held), or join a point of it with the world "
               "(pliant_world_add_joint), instead of pins"))
        return PLIANT_ERROR_UNSUPPORTED;
    if (!body_edit(world, b, STATE_ROWS | STATE_VELOCITIES)) return PLIANT_ERROR_DEVICE;
    bool pinned = axes == all_axes;
    if (read_hold(b, particle) != axes) note_hold(b);
    state_write_inverse_mass(&b->s, particle, pinned ? 0 : 1 / b->mass[particle]);
    b->s.axes[particle] = (unsigned char)(pinned ? 0 : axes);
    drop_mover(b, particle);
    return PLIANT_OK;
}

pliant_result pliant_body_pin(pliant_world* world, pliant_body_id id, int particle)
{
    return hold(world, world_body_with(world, id, particle), particle, all_axes);
}

pliant_result pliant_body_unpin(pliant_world* world, pliant_body_id id, int particle)
{
    return hold(world, world_body_with(world, id, particle), particle, 0);
}

pliant_result pliant_body_pin_axes(pliant_world* world, pliant_body_id id, int particle,
                                   unsigned axes)
{
    body* b = world_body_with(world, id, particle);
    if (!b || !REQUIRE((axes & ~all_axes) == 0)) return PLIANT_ERROR_ARGUMENT;
    return hold(world, b, particle, axes);
}

pliant_result pliant_body_pin_region(pliant_world* world, pliant_body_id id,
                                     const pliant_region* region, int* out_count)
{
    if (out_count) *out_count = 0;
    if (!REQUIRE(world && pliant_body_is_valid(world, id))) return PLIANT_ERROR_ARGUMENT;
    int count = pliant_body_particle_count(world, id), found = 0;
    double* place = (double*)mem_array(3 * (size_t)count, sizeof(double));
    int* index = (int*)mem_array((size_t)count, sizeof(int));
    pliant_result result = place && index ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    if (!result) result = pliant_body_read_positions_exact(world, id, place, count);
    if (!result) result = pliant_region_select(region, place, count, index, &found);
    const body* b = world_body(world, id);
    int pinned = 0;
    for (int i = 0; i < found && !result; ++i) {
        if (!body_has(b, index[i])) continue;
        result = pliant_body_pin(world, id, index[i]);
        ++pinned;
    }
    if (out_count && !result) *out_count = pinned;
    mem_free(place);
    mem_free(index);
    return result;
}

pliant_result pliant_body_move_pin(pliant_world* world, pliant_body_id id, int particle,
                                   const double target[3])
{
    body* b = world_body_with(world, id, particle);
    if (!b || !REQUIRE(finite3(target))) return PLIANT_ERROR_ARGUMENT;
    pliant_result result = pliant_body_pin(world, id, particle);
    if (result) return result;
    if (!body_fetch(world, b, STATE_RESIDUES)) return PLIANT_ERROR_DEVICE;
    if (!mem_reserve((void**)&b->movers, &b->mover_capacity, (int64_t)b->mover_count + 1,
                     sizeof(path)))
        return PLIANT_ERROR_MEMORY;
    path* m = &b->movers[b->mover_count++];
    m->particle = particle;
    state_read_position(&b->s, particle, m->from);
    memcpy(m->to, target, sizeof m->to);
    return PLIANT_OK;
}

// ---- attachments --------------------------------------------------------------------------------

// Where the attachment is among its body's; -1 if nowhere.
static int find_holder(const pliant_world* world, pliant_attachment_id id, body** out)
{
    attachment_slot* slot =
        (attachment_slot*)pool_get(&world->attachments, id.index1, id.generation);
    if (!slot) {
        assert_failed("the id is of an attachment in the world", __FILE__, __LINE__);
        fail(PLIANT_ERROR_ARGUMENT,
             "there is no attachment of this id (%u, %u): it was removed, its body was, or it was "
             "never added to this world",
             (unsigned)id.index1, (unsigned)id.generation);
        return -1;
    }
    pliant_body_id owner = {slot->body_index1, slot->body_generation};
    *out = world_body(world, owner);
    for (int i = 0; *out && i < (*out)->holder_count; ++i)
        if ((*out)->holder_id[i] == id.index1) return i;
    return -1;
}

// Room for one more of the body's; then its slot, or NULL.
static attachment_slot* open_slot(pliant_world* world, body* b, pliant_attachment_id* id)
{
    int64_t count = (int64_t)b->holder_count + 1;
    if (!mem_reserve((void**)&b->holders, &b->holder_capacity, count, sizeof(path)) ||
        !mem_reserve((void**)&b->holder_id, &b->holder_id_capacity, count, sizeof(uint32_t)))
        return NULL;
    return (attachment_slot*)pool_add(&world->attachments, &id->index1, &id->generation);
}

pliant_result pliant_body_attach(pliant_world* world, pliant_body_id id, int particle,
                                 const double point[3], double compliance,
                                 pliant_attachment_id* out)
{
    pliant_attachment_id made = {0, 0};
    if (out) *out = made;
    body* b = world_body_with(world, id, particle);
    if (!b || !REQUIRE(finite3(point)) || !REQUIRE(compliance >= 0 && isfinite(compliance)))
        return PLIANT_ERROR_ARGUMENT;
    if (!body_refuse_rigid(b, "join a point of it with the world (pliant_world_add_joint) instead "
                              "of having a particle attached"))
        return PLIANT_ERROR_UNSUPPORTED;
    if (asset_is_carried(b->asset))
        return fail(
            PLIANT_ERROR_UNSUPPORTED,
            "a gas carries particle %d: it cannot be attached; write its place, or remove it",
            particle);
    if (!body_fetch_holders(world, b)) return PLIANT_ERROR_DEVICE;
    attachment_slot* slot = open_slot(world, b, &made);
    if (!slot) return PLIANT_ERROR_MEMORY;
    slot->body_index1 = id.index1;
    slot->body_generation = id.generation;
    path h = {.particle = particle, .compliance = compliance};
    memcpy(h.from, point, sizeof h.from);
    memcpy(h.to, point, sizeof h.to);
    b->holders[b->holder_count] = h;
    b->holder_id[b->holder_count++] = made.index1;
    if (!b->s.past) b->s.past_h = 0; // nothing is owed by what was not there
    note_hold(b);
    history_clear(&world->past);
    if (out) *out = made;
    return PLIANT_OK;
}

pliant_result pliant_attachment_move(pliant_world* world, pliant_attachment_id id,
                                     const double target[3])
{
    body* b = NULL;
    int at = REQUIRE(world && finite3(target)) ? find_holder(world, id, &b) : -1;
    if (at < 0) return PLIANT_ERROR_ARGUMENT;
    memcpy(b->holders[at].to, target, sizeof b->holders[at].to);
    return PLIANT_OK;
}

bool pliant_attachment_is_valid(const pliant_world* world, pliant_attachment_id id)
{
    return REQUIRE(world) && pool_get(&world->attachments, id.index1, id.generation);
}

int pliant_world_attachment_count(const pliant_world* world)
{
    int count = 0;
    for (int i = 0; REQUIRE(world) && i < world->attachments.count; ++i)
        count += pool_at(&world->attachments, i) != NULL;
    return count;
}

int pliant_world_attachments(const pliant_world* world, pliant_attachment_id* out, int capacity)
{
    int count = 0;
    if (!REQUIRE(world && (out || capacity == 0))) return 0;
    for (int i = 0; i < world->attachments.count && count < capacity; ++i)
        if (pool_at(&world->attachments, i))
            out[count++] =
                (pliant_attachment_id){(uint32_t)i + 1, world->attachments.slot[i].generation};
    return count;
}

pliant_result pliant_attachment_describe(const pliant_world* world, pliant_attachment_id id,
                                         pliant_attachment_info* out)
{
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = (pliant_attachment_info){0};
    body* b = NULL;
    int at = REQUIRE(world) ? find_holder(world, id, &b) : -1;
    if (at < 0) return PLIANT_ERROR_ARGUMENT;
    if (!body_fetch_holders(world, b)) return PLIANT_ERROR_DEVICE;
    const path* h = &b->holders[at];
    const attachment_slot* slot =
        (const attachment_slot*)pool_get(&world->attachments, id.index1, id.generation);
    out->body = (pliant_body_id){slot->body_index1, slot->body_generation};
    out->particle = h->particle;
    out->compliance = h->compliance;
    memcpy(out->point, h->from, sizeof out->point);
    memcpy(out->force, h->force, sizeof out->force);
    return PLIANT_OK;
}

pliant_result pliant_attachment_remove(pliant_world* world, pliant_attachment_id id)
{
    body* b = NULL;
    int at = REQUIRE(world) ? find_holder(world, id, &b) : -1;
    if (at < 0) return PLIANT_ERROR_ARGUMENT;
    if (!body_fetch_holders(world, b)) return PLIANT_ERROR_DEVICE;
    size_t after = (size_t)(--b->holder_count - at);
    memmove(&b->holders[at], &b->holders[at + 1], after * sizeof(path));
    memmove(&b->holder_id[at], &b->holder_id[at + 1], after * sizeof(uint32_t));
    pool_remove(&world->attachments, id.index1);
    note_hold(b);
    history_clear(&world->past);
    return PLIANT_OK;
}
