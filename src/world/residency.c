#include "world/residency.h"

// ---- bodies -------------------------------------------------------------------------------------

static pliant_result open_device(pliant_world* world)
{
    return *world->gpu ? PLIANT_OK : device_open(world->gpu);
}

// What colliders are made of, if it is not there yet.
static pliant_result send_shapes(pliant_world* world)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < world->collider_count && !result; ++i) {
        size_t bytes;
        const void* data = collider_data(&world->collider_list[i], &bytes);
        if (data) result = device_add_data(*world->gpu, data, bytes);
    }
    return result;
}

// Only bodies that can flow have shapes, and those with clusters.
static unsigned arrays_of(const body* b, unsigned arrays)
{
    unsigned none = b->s.flow || b->matched.turn ? 0 : STATE_SHAPES;
    none |= (b->rigid ? 0u : STATE_RIGID) | (b->pressure ? 0u : STATE_PRESSURES);
    return arrays & ~none;
}

static bool has_plates(const pliant_asset* a)
{
    return a->parts[PART_PLATE].count > 0 || a->parts[PART_PLATE_SIDE].count > 0 ||
           a->parts[PART_PLATE_END].count > 0;
}

static pliant_result settle(pliant_world* world, body* b)
{
    if (b->asset->plan.serial)
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "the serial schedule is the processor's reference: use another one, or the "
                    "backend cpu");
    if (has_plates(b->asset))
        return fail(
            PLIANT_ERROR_UNSUPPORTED,
            "cloth bends by plates on the processor alone, and not on a GPU yet: bend it by "
            "isometric or angle, or use the backend cpu");
    if (asset_takes_tear_energy(b->asset))
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "a tear_energy is taken by the processor, and not by a GPU yet: leave it out, "
                    "or use the backend cpu");
    if (b->asset->rods.count)
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "rods are stepped by the processor, and not by a GPU yet: use the backend cpu, "
                    "or a rope without orientations (leave out rope.rod)");
    const pliant_asset* a = b->asset;
    const plan_parts parts = {.inside = a->inside.start ? &a->inside : NULL,
                              .clusters = a->clusters.count ? &a->clusters : NULL,
                              .local = b->rigid ? a->rigid.local : NULL,
                              .liquid = asset_is_liquid(a),
                              .tense = b->drawn != NULL};
    pliant_result result = open_device(world);
    if (!result) result = send_shapes(world);
    if (!result) result = device_add(*world->gpu, &b->s, &parts, world->def.iterations, &b->remote);
    if (!result) b->newer_here = arrays_of(b, STATE_ALL);
    return result;
}

bool body_wants_device(const pliant_world* world, const body* b)
{
    pliant_backend wanted = world->def.backend;
    if (asset_is_carried(b->asset)) return false; // (carried.h)
    if (wanted == PLIANT_BACKEND_AUTO) wanted = b->asset->def.solver.target_backend;
    return wanted == PLIANT_BACKEND_CUDA;
}

pliant_result body_settle(pliant_world* world, body* b)
{
    if (!body_wants_device(world, b)) return PLIANT_OK;
    pliant_result result = settle(world, b);
    if (!result || world->def.backend == PLIANT_BACKEND_CUDA) return result;
    if (!world->stays_here)
        warn("the processor steps what was made for a GPU: %s", pliant_error_text());
    world->stays_here = true;
    return PLIANT_OK;
}

void body_unsettle(pliant_world* world, body* b)
{
    if (b->remote) device_remove(*world->gpu, b->remote);
    b->remote = NULL;
}

// A device says what became of a step when it is through with it: here of the last but one.
static void note_failure(const pliant_world* world, body* b)
{
    if (b->remote && device_has_failed(*world->gpu, b->remote)) b->failed = true;
}

static pliant_result fetch_shapes(const pliant_world* world, body* b)
{
    pliant_result result = PLIANT_OK;
    if (b->s.flow) result = device_fetch_shapes(*world->gpu, b->remote, &b->s);
    if (!result && b->matched.turn)
        result = device_fetch_clusters(*world->gpu, b->remote, &b->matched);
    return result;
}

static pliant_result send_rest_shapes(const pliant_world* world, body* b)
{
    pliant_result result = PLIANT_OK;
    if (b->s.flow) result = device_send_shapes(*world->gpu, b->remote, &b->s);
    if (!result && b->matched.turn)
        result = device_send_clusters(*world->gpu, b->remote, &b->matched);
    return result;
}

// What is not in its rows.
enum { STATE_APART = STATE_SHAPES | STATE_RIGID | STATE_PRESSURES };

static pliant_result fetch_apart(const pliant_world* world, body* b, unsigned arrays)
{
    pliant_result result = PLIANT_OK;
    if (arrays & STATE_SHAPES) result = fetch_shapes(world, b);
    if (!result && (arrays & STATE_RIGID))
        result = device_fetch_rigid(*world->gpu, b->remote, b->rigid);
    if (!result && (arrays & STATE_PRESSURES))
        result = device_fetch_pressures(*world->gpu, b->remote, b->pressure, b->drawn,
                                        b->s.particle_count);
    return result;
}

// Pressures stay here: a substep begins with none.
static pliant_result send_apart(const pliant_world* world, body* b, unsigned arrays)
{
    if (arrays & STATE_RIGID) device_send_rigid(*world->gpu, b->remote, b->rigid);
    return arrays & STATE_SHAPES ? send_rest_shapes(world, b) : PLIANT_OK;
}

static bool fetch(const pliant_world* world, body* b, unsigned arrays)
{
    unsigned missing = b->newer_there & arrays;
    if (!missing) return true;
    const device_rows rows = {b->s.rows, missing};
    if (device_download(*world->gpu, &rows, 1) != PLIANT_OK) return false;
    if (fetch_apart(world, b, missing) != PLIANT_OK) return false;
    b->newer_there &= ~missing;
    note_failure(world, b);
    return true;
}

// Readers may be several threads: one brings what all see.
bool body_fetch(const pliant_world* world, body* b, unsigned arrays)
{
    if (!b->remote) return true;
    platform_mutex_lock(world->reading);
    bool good = fetch(world, b, arrays);
    platform_mutex_unlock(world->reading);
    return good;
}

bool body_edit(const pliant_world* world, body* b, unsigned arrays)
{
    if (!body_fetch(world, b, arrays)) return false;
    if (b->remote) b->newer_here |= arrays_of(b, arrays);
    return true;
}

bool body_revive(const pliant_world* world, body* b)
{
    b->failed = false;
    return !b->remote || device_revive(*world->gpu, b->remote) == PLIANT_OK;
}

// ---- many bodies at once ------------------------------------------------------------------------

// Bodies whose rows lie side by side go together.
static bool joins(const device_rows* last, const body* b, unsigned arrays)
{
    const store_slice *a = &last->slice, *s = &b->s.rows;
    return last->arrays == arrays && a->chunk == s->chunk &&
           a->rows.first + a->rows.count == s->rows.first;
}

static bool add_rows(row_list* l, const body* b, unsigned arrays)
{
    device_rows* last = l->count ? &l->rows[l->count - 1] : NULL;
    if (last && joins(last, b, arrays)) {
        last->slice.rows.count += b->s.rows.rows.count;
        return true;
    }
    if (!mem_reserve((void**)&l->rows, &l->capacity, (int64_t)l->count + 1, sizeof *l->rows))
        return false;
    l->rows[l->count++] = (device_rows){b->s.rows, arrays};
    return true;
}

// What differs, of `arrays`: there from here, or the other way.
static unsigned differs(const body* b, bool here, unsigned arrays)
{
    return b->remote ? (here ? b->newer_here : b->newer_there) & arrays : 0;
}

static bool list_rows(pliant_world* const* worlds, int count, bool here, unsigned arrays,
                      row_list* out)
{
    bool good = true;
    for (int w = 0; w < count; ++w)
        for (int i = 0; i < worlds[w]->bodies.count && good; ++i) {
            body* b = world_body_at(worlds[w], i);
            unsigned which = b ? differs(b, here, arrays) : 0;
            if (which) good = add_rows(out, b, which);
        }
    return good;
}

static void note_copied(pliant_world* const* worlds, int count, bool here, unsigned arrays)
{
    for (int w = 0; w < count; ++w)
        for (int i = 0; i < worlds[w]->bodies.count; ++i) {
            body* b = world_body_at(worlds[w], i);
            if (b && here) b->newer_here &= ~arrays;
            if (b && !here) b->newer_there &= ~arrays;
        }
}

static pliant_result copy_apart(pliant_world* const* worlds, int count, bool here, unsigned arrays)
{
    pliant_result result = PLIANT_OK;
    for (int w = 0; w < count; ++w)
        for (int i = 0; i < worlds[w]->bodies.count && !result; ++i) {
            body* b = world_body_at(worlds[w], i);
            unsigned which = b ? differs(b, here, arrays) & STATE_APART : 0;
            if (which)
                result = here ? send_apart(worlds[w], b, which) : fetch_apart(worlds[w], b, which);
        }
    return result;
}

static pliant_result copy_rows(pliant_world* const* worlds, int count, bool here, unsigned arrays)
{
    row_list* list = &worlds[0]->copied;
    device* d = *worlds[0]->gpu;
    list->count = 0;
    pliant_result result =
        list_rows(worlds, count, here, arrays, list) ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    if (!result && list->count)
        result = here ? device_upload(d, list->rows, list->count)
                      : device_download(d, list->rows, list->count);
    if (!result) result = copy_apart(worlds, count, here, arrays);
    if (!result && list->count) note_copied(worlds, count, here, arrays);
    return result;
}

pliant_result worlds_send_changes(pliant_world* const* worlds, int count)
{
    return copy_rows(worlds, count, true, STATE_ALL);
}

pliant_result worlds_fetch(pliant_world* const* worlds, int count, unsigned arrays)
{
    if (count == 0 || !*worlds[0]->gpu) return PLIANT_OK;
    for (int w = 0; w < count; ++w) platform_mutex_lock(worlds[w]->reading);
    pliant_result result = copy_rows(worlds, count, false, arrays);
    for (int w = 0; w < count; ++w) {
        if (!result) world_note_failures(worlds[w]);
        platform_mutex_unlock(worlds[w]->reading);
    }
    return result;
}

// ---- the step -----------------------------------------------------------------------------------

void world_note_step(pliant_world* world)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (!b || !b->remote) continue;
        if (!b->failed) b->newer_there |= arrays_of(b, STATE_STEPPED);
        note_failure(world, b);
    }
}

void world_note_failures(pliant_world* world)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (b) note_failure(world, b);
    }
}

pliant_result pliant_world_wait(pliant_world* world)
{
    if (!REQUIRE(world)) return PLIANT_ERROR_ARGUMENT;
    if (!*world->gpu) return world_report_failures(world);
    pliant_result result = device_wait(*world->gpu);
    if (!result) world_note_failures(world);
    return result ? result : world_report_failures(world);
}

const char* pliant_world_device(const pliant_world* world)
{
    if (!REQUIRE(world) || !*world->gpu) return NULL;
    bool used = world->def.backend == PLIANT_BACKEND_CUDA;
    for (int i = 0; i < world->bodies.count && !used; ++i) {
        body* b = world_body_at(world, i);
        used = b && b->remote;
    }
    return used ? device_name(*world->gpu) : NULL;
}

pliant_result pliant_body_view_state(pliant_world* world, pliant_body_id id, pliant_state_view* out)
{
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = (pliant_state_view){0};
    body* b = world_body(world, id);
    if (!b) return PLIANT_ERROR_ARGUMENT;
    const plan* p = &b->asset->plan;
    size_t bytes = (size_t)p->scalar_bytes;
    device_arrays there = {0};
    pliant_result result = b->remote ? worlds_send_changes(&world, 1) : PLIANT_OK;
    if (!result && b->remote) result = device_find_arrays(*world->gpu, b->remote, &there);
    if (result) return result;
    if (b->remote) b->newer_there |= STATE_ROWS | STATE_VELOCITIES; // they may be written there
    body_start_anew(b);
    *out = (pliant_state_view){.rows = b->remote ? there.row : b->s.row,
                               .velocities = b->remote ? there.velocity : b->s.velocity,
                               .row = b->remote ? there.first : p->copies.first,
                               .stream = there.stream,
                               .row_stride = ROW * bytes,
                               .velocity_stride = ROW4 * bytes,
                               .count = p->particle_count,
                               .row_count = p->row_count,
                               .scalar_bytes = p->scalar_bytes,
                               .copies = plan_copies(p),
                               .on_device = b->remote != NULL};
    return PLIANT_OK;
}
