// The step of a world, or of all worlds of a batch at once.
#include "world/stepping.h"
#include "base/platform.h"
#include "world/air.h"
#include "world/carried.h"
#include "world/contacts.h"
#include "world/inside.h"
#include "world/joints.h"
#include "world/links.h"
#include "world/liquid.h"
#include "world/load.h"
#include "world/motion.h"
#include "world/nearby.h"
#include "world/paths.h"
#include "world/pinned_rows.h"
#include "world/presence.h"
#include "world/residency.h"
#include "world/tearing.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

void step_scratch_destroy(step_scratch* s)
{
    mem_free(s->run);
    mem_free(s->pieces);
    mem_free(s->tasks);
    mem_free(s->copies);
    mem_free(s->meetings);
    mem_free(s->joints);
    mem_free(s->airs);
    memset(s, 0, sizeof *s);
}

void history_destroy(history* past)
{
    for (int i = 0; i < past->capacity; ++i) mem_free(past->entry[i].data);
    mem_free(past->entry);
    *past = (history){.changes = past->changes};
}

// ---- bodies -------------------------------------------------------------------------------------

static int body_substeps(const pliant_world* world, const body* b, double dt)
{
    if (asset_is_carried(b->asset)) return 1;
    if (!asset_is_grains(b->asset)) return asset_substeps(b->asset, dt, world->def.iterations);
    const pliant_vec3 g = world->def.gravity;
    double x = (double)g.x, y = (double)g.y, z = (double)g.z;
    double gravity = fabs(b->gravity_scale) * sqrt(x * x + y * y + z * z);
    return asset_is_liquid(b->asset) ? asset_liquid_substeps(b->asset, dt, gravity)
                                     : asset_loose_substeps(b->asset, dt, gravity);
}

int world_choose_substeps(const pliant_world* world, float dt)
{
    int most = 1;
    if (world->def.substeps) return world->def.substeps;
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        int wanted = b ? body_substeps(world, b, (double)dt) : 1;
        if (wanted > most) most = wanted;
    }
    return most;
}

// Each tells where so many substeps for a step of dt [s] are not enough. `who` are the bodies in
// words.
static void warn_of_shaking(const body* b, const char* who, int substeps, double dt)
{
    int fewest = asset_fewest_substeps(b->asset, dt);
    if (substeps >= fewest) return;
    warn("%s: at least %d substeps are needed for a step of %g s to stay calm, and about %d for 1 "
         "%% of energy error; %d are set (0 chooses)",
         who, fewest, dt, asset_substeps(b->asset, dt, 1), substeps);
}

static void warn_of_damping(const body* b, const char* who, int substeps, double dt)
{
    int wanted = asset_brake_substeps(b->asset, dt);
    if (substeps >= wanted) return;
    warn("%s: damping is so strong that %d substeps for a step of %g s weaken it; about %d let it "
         "act in full",
         who, substeps, dt, wanted);
}

static void warn_of_limit(const body* b, const char* who, int substeps, double dt)
{
    if (substeps != MOST_SUBSTEPS || asset_substeps(b->asset, dt, 1) < MOST_SUBSTEPS) return;
    warn("%s: more substeps are wanted for a step of %g s than the %d that are chosen at most: "
         "take shorter steps, or set the number",
         who, dt, MOST_SUBSTEPS);
}

// Bodies of one asset want the same: they are told of together. Returns how many others there are.
static int mark_warned(const pliant_world* world, const pliant_asset* asset)
{
    int others = -1;
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (!b || b->asset != asset || b->warned) continue;
        b->warned = true;
        others++;
    }
    return others;
}

static void warn_of_coarse(const pliant_world* world, const body* b, int number, int substeps,
                           double dt)
{
    char who[80];
    int others = mark_warned(world, b->asset);
    snprintf(who, sizeof who, "body %d", number);
    if (others > 0) snprintf(who, sizeof who, "body %d and %d of the same asset", number, others);
    warn_of_shaking(b, who, substeps, dt);
    warn_of_damping(b, who, substeps, dt);
    warn_of_limit(b, who, substeps, dt);
}

// What bodies of one asset have in common in a step.
typedef struct {
    const pliant_asset* asset;
    foresight sees;
    int brakes;
    bool coarse; // the substeps are not enough, or many
} asset_step;

static asset_step prepare_asset(const pliant_asset* a, const step_work* step)
{
    double h = step->dt / step->substeps;
    bool enough = step->substeps >= asset_fewest_substeps(a, step->dt) &&
                  step->substeps >= asset_brake_substeps(a, step->dt) &&
                  step->substeps < MOST_SUBSTEPS;
    return (asset_step){.asset = a,
                        .sees = asset_foresight(a, h, step->iterations),
                        .brakes = asset_is_damped(a) ? asset_brakes(a, h) : 0,
                        .coarse = !enough};
}

static void prepare_body(const pliant_world* world, body* b, const step_work* step,
                         const asset_step* of, body_run* out)
{
    const float gravity[3] = {world->def.gravity.x, world->def.gravity.y, world->def.gravity.z};
    bool floats = asset_is_gas(b->asset); // the air around carries it (gas/system.h)
    double weight = body_is_on_its_way(b) || floats ? 0 : b->gravity_scale;
    const plan* p = &b->asset->plan;
    memset(out, 0, sizeof *out);
    out->plan = p;
    out->s = &b->s;
    out->inside = b->asset->inside.start ? &b->asset->inside : NULL;
    out->inside_sums = &b->inside;
    out->clusters = b->asset->clusters.count ? &b->asset->clusters : NULL;
    out->matched = &b->matched;
    out->matches = match_kernels_for(p->scalar_bytes);
    if (b->asset->rods.count) {
        out->rods = &b->asset->rods;
        out->oriented = b->oriented;
        out->rod_sweeps = rod_kernels_for(world->def.lanes, p->scalar_bytes);
        rods_aim(out->rods, b->oriented, step->dt);
    }
    out->sweep = sweep_kernels_for(p->serial ? 1 : world->def.lanes, p->scalar_bytes);
    out->particles = particle_kernels_for(p->scalar_bytes);
    out->torques = torque_kernels_for(p->scalar_bytes);
    out->torque = &b->torque;
    out->rigid = b->rigid;
    out->local = b->asset->rigid.local;
    out->failed = &b->failed;
    out->fast = world->def.arithmetic == PLIANT_ARITHMETIC_FAST;
    out->work.s = &b->s;
    out->work.sees = of->sees;
    out->work.damped = asset_is_damped(b->asset);
    out->brakes = of->brakes;
    out->work.drag = b->asset->def.research.drag;
    for (int k = 0; k < 3; ++k) out->work.acceleration[k] = weight * (double)gravity[k];
    out->work.colliders = world->collider_list;
    out->work.collider_count = world->collider_count;
    out->work.net_count = world->net_count;
    out->work.hull_count = world->hull_count;
    out->work.nearby = world->nearby.view;
    memcpy(out->work.aside, b->out.way, sizeof out->work.aside);
    body_list_sunk(b, step->dt, step->substeps, &out->work);
    out->work.load = b->load;
    out->work.load_count = b->load_count;
    out->work.friction = b->pressure ? 0 : b->friction; // viscosity holds a liquid
    out->work.restitution = b->restitution;
}

// A device needs none.
static int piece_count(const pliant_world* world, const body* b)
{
    const plan* p = &b->asset->plan;
    return b->remote ? 0 : p->patched ? p->patch_count : world->exec.width;
}

static void count_bodies(pliant_world* world)
{
    body_census* c = &world->census;
    if (c->changes == world->body_changes) return;
    *c = (body_census){.changes = world->body_changes};
    for (int i = 0; i < world->bodies.count; ++i) {
        const body* b = world_body_at(world, i);
        if (!b) continue;
        c->pieces += piece_count(world, b);
        *(b->remote ? &c->there : &c->here) += 1;
    }
}

// Air, tears that open, liquids, joints of particles, joints of rigid bodies, contacts.
enum { MEETINGS = 6 };
enum { TURNS = 3 }; // that joints of rigid bodies and contacts take

// Room for all bodies. False when memory runs out.
static bool reserve(step_scratch* s, pliant_world* const* worlds, int world_count)
{
    int64_t pieces = 0, bodies = 0;
    for (int w = 0; w < world_count; ++w) {
        count_bodies(worlds[w]);
        pieces += worlds[w]->census.pieces;
        bodies += worlds[w]->census.here + worlds[w]->census.there;
    }
    if (!mem_reserve((void**)&s->run, &s->run_capacity, bodies, sizeof *s->run) ||
        !mem_reserve((void**)&s->pieces, &s->piece_capacity, pieces, sizeof *s->pieces) ||
        !mem_reserve((void**)&s->tasks, &s->task_capacity, pieces, sizeof *s->tasks) ||
        !mem_reserve((void**)&s->copies, &s->copy_capacity, bodies, sizeof *s->copies) ||
        !mem_reserve((void**)&s->meetings, &s->meeting_capacity, MEETINGS * (int64_t)world_count,
                     sizeof *s->meetings) ||
        !mem_reserve((void**)&s->joints, &s->joints_capacity, world_count, sizeof *s->joints) ||
        !mem_reserve((void**)&s->airs, &s->airs_capacity, world_count, sizeof *s->airs))
        return false;
    if (pieces) memset(s->pieces, 0, (size_t)pieces * sizeof *s->pieces);
    return true;
}

// Adds the bodies of a world that are stepped on a device, or the others. False when memory runs
// out.
static bool gather(pliant_world* world, bool remote, step_scratch* s, step_work* step)
{
    asset_step of = {.asset = NULL};
    if ((remote ? world->census.there : world->census.here) == 0) return true;
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (!b || (b->remote != NULL) != remote) continue;
        if (of.asset != b->asset) of = prepare_asset(b->asset, step);
        b->moves++;
        if (asset_is_carried(b->asset)) continue; // (carried.h)
        world_look_for_jump(world, b);
        if (remote) s->copies[step->body_count] = b->remote;
        body_run* run = &step->body[step->body_count++];
        b->run = run;
        if (!body_reserve_loads(world, b)) return false;
        prepare_body(world, b, step, &of, run);
        if (!body_list_paths(b, &run->work) || !body_list_pins(b, &run->work)) return false;
        run->pieces = s->pieces + s->piece_count;
        run->piece_count = piece_count(world, b);
        s->piece_count += run->piece_count;
        if (of.coarse && !b->warned) warn_of_coarse(world, b, i, step->substeps, step->dt);
    }
    return true;
}

static bool gather_all(pliant_world* const* worlds, int count, bool remote, step_scratch* s,
                       step_work* step)
{
    bool good = true;
    step->tasks = s->tasks;
    for (int w = 0; w < count && good; ++w) good = gather(worlds[w], remote, s, step);
    return good;
}

// Worlds whose bodies may touch each other, or are joined, on the CPU or on a GPU: those of a GPU
// come from the end of the list on. Liquids come first, then joints: what contacts do, and the
// guard above all, is done last. Joints of rigid bodies and contacts take turns.
static pliant_result gather_meetings(pliant_world* const* worlds, int count, step_scratch* s,
                                     step_work* here, step_work* there)
{
    here->meetings = s->meetings;
    there->meetings = s->meetings + MEETINGS * count;
    there->joints = s->joints;
    there->airs = s->airs;
    for (int w = 0; w < count; ++w) {
        bool torn, touching, joined, joined_there, airy, airy_there, linked = false;
        bool flows = false;
        pliant_result result =
            world_prepare_air(worlds[w], here->dt, here->substeps, &airy, &airy_there);
        if (!result) result = world_prepare_liquids(worlds[w], here->dt / here->substeps, &flows);
        if (!result)
            result = world_prepare_contacts(worlds[w], here->dt, here->substeps, &touching);
        if (!result)
            result =
                world_prepare_joints(worlds[w], here->dt / here->substeps, &joined, &joined_there);
        if (!result) result = world_prepare_links(worlds[w], &linked);
        if (!result && !world_prepare_bonds(worlds[w], &torn)) result = PLIANT_ERROR_MEMORY;
        if (result) return result;
        there->phased = there->phased || joined_there || airy_there;
        if (airy_there) s->airs[there->air_count++] = &worlds[w]->air.there_told;
        if (joined_there) s->joints[there->joint_count++] = worlds[w]->remote_joints.system;
        int rounds = linked && touching ? TURNS : 1;
        worlds[w]->linking.alone = !touching;
        if (airy)
            s->meetings[here->meeting_count++] =
                (meeting_place){&worlds[w]->air.system, .blow = air_blow};
        if (flows && worlds[w]->flowing.remote) there->phased = true;
        if (flows && !worlds[w]->flowing.remote)
            s->meetings[here->meeting_count++] =
                (meeting_place){.system = &worlds[w]->flowing.system, .meet = fluid_meet};
        if (torn)
            s->meetings[here->meeting_count++] = (meeting_place){
                .system = &worlds[w]->bonds, .meet = bonds_meet, .bounce = bonds_bounce};
        if (joined)
            s->meetings[here->meeting_count++] = (meeting_place){.system = &worlds[w]->joining,
                                                                 .rounds = rounds,
                                                                 .meet = joint_meet,
                                                                 .bounce = joint_bounce};
        if (linked)
            s->meetings[here->meeting_count++] = (meeting_place){.system = &worlds[w]->linking,
                                                                 .rounds = rounds,
                                                                 .meet = linkage_meet,
                                                                 .bounce = linkage_bounce};
        if (worlds[w]->remote_contacts.ready) {
            there->meetings--;
            there->phased = there->phased || touching;
            s->meetings[MEETINGS * count - ++there->meeting_count] =
                (meeting_place){worlds[w]->remote_contacts.system, .sleeps = !touching};
        } else if (touching) {
            s->meetings[here->meeting_count++] = (meeting_place){.system = &worlds[w]->contacts,
                                                                 .rounds = rounds,
                                                                 .meet = contact_meet,
                                                                 .bounce = contact_bounce};
        }
    }
    return PLIANT_OK;
}

// The GPU knows how bodies meet in a step that is prepared.
static pliant_result describe_meetings(pliant_world* const* worlds, int count, step_work* step)
{
    for (int w = 0; w < count && step->joint_count > 0; ++w) world_tell_joints(worlds[w]);
    for (int w = 0; w < count; ++w) {
        if (worlds[w]->air.there && worlds[w]->air.remote.member_count > 0) {
            pliant_result result = world_describe_air(worlds[w]);
            if (result) return result;
        }
        if (!worlds[w]->flowing.remote) continue;
        pliant_result result = world_describe_liquids(worlds[w]);
        if (result) return result;
        step->liquids = worlds[w]->flowing.there; // no world of a batch has some
    }
    for (int w = 0; w < count; ++w)
        for (int i = 0; i < step->meeting_count; ++i) {
            if (step->meetings[i].system != worlds[w]->remote_contacts.system) continue;
            pliant_result result = world_describe_contacts(worlds[w]);
            if (result) return result;
        }
    return PLIANT_OK;
}

// ---- before and after ---------------------------------------------------------------------------

// Moving pins and points have arrived.
static void finish_paths(body* b)
{
    b->mover_count = 0;
    if (!b->remote && b->row_holder_count) body_note_holders(b);
    for (int k = 0; k < b->holder_count; ++k)
        memcpy(b->holders[k].from, b->holders[k].to, sizeof(double[3]));
}

pliant_result world_report_failures(const pliant_world* world)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (b && b->failed)
            return fail(
                PLIANT_ERROR_DIVERGED,
                "body %d left the finite numbers by step %llu (time %g s) and is frozen: use "
                "more substeps, then restore a snapshot or write its positions",
                i, (unsigned long long)world->step_count, world->time);
    }
    return PLIANT_OK;
}

static bool reserve_entry(history_entry* e, size_t bytes)
{
    enum { UNIT = 64 }; // [bytes]
    return mem_reserve(&e->data, &e->units, (int64_t)(bytes / UNIT + 1), UNIT);
}

// All of them at first, so that later steps take memory only where there is more to keep.
static bool reserve_history(history* past, int steps, size_t bytes)
{
    bool good = past->capacity == steps;
    if (good) return true;
    history_destroy(past);
    past->entry = (history_entry*)mem_array_zero((size_t)steps, sizeof *past->entry);
    if (past->entry) past->capacity = steps;
    good = past->entry != NULL;
    for (int i = 0; i < past->capacity && good; ++i) good = reserve_entry(&past->entry[i], bytes);
    if (!good) history_destroy(past);
    return good;
}

static pliant_result keep_history(pliant_world* world)
{
    history* past = &world->past;
    if (!world->def.history) return PLIANT_OK;
    size_t bytes = snapshot_bytes(world);
    if (bytes == 0) return PLIANT_ERROR_DEVICE;
    if (!reserve_history(past, world->def.history, bytes)) return PLIANT_ERROR_MEMORY;
    history_entry* to = &past->entry[past->next];
    if (!reserve_entry(to, bytes)) return PLIANT_ERROR_MEMORY;
    to->bytes = bytes;
    if (!snapshot_write(world, to->data)) return PLIANT_ERROR_DEVICE;
    past->next = (past->next + 1) % past->capacity;
    if (past->count < past->capacity) past->count++;
    return PLIANT_OK;
}

// What the bodies' particles remember is now this step's, and colliders that rise have risen.
static void finish_bodies(pliant_world* world, double dt)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (!b) continue;
        b->moves_then = b->moves + 1; // which the start of the next step adds
        if (!(dt > 0)) continue;
        finish_paths(b);
        if (body_remembers(b)) b->s.past_h = world->substep;
        if (b->out.time > 0) body_note_rise(b, dt);
    }
}

static pliant_result start_world(pliant_world* world, float dt, int substeps)
{
    pliant_result result = keep_history(world);
    if (result) return result;
    result = world_end_lives(world);
    if (!result) result = world_tear(world);
    if (result) return result;
    if (!world_move_out(world, (double)dt)) return PLIANT_ERROR_DEVICE;
    if (!world_start_motion(world, (double)dt, substeps)) return PLIANT_ERROR_MEMORY;
    return world_start_nearby(world, substeps) ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

static void finish_world(pliant_world* world, float dt, const pliant_profile* profile)
{
    if (dt > 0) world->substep = (double)dt / profile->substeps;
    finish_bodies(world, (double)dt);
    world_finish_motion(world, (double)dt);
    world->time += (double)dt;
    world->step_count++;
    world->profile = *profile;
}

// ---- the step -----------------------------------------------------------------------------------

// On the device, while the rest is done here.
static pliant_result run_there(pliant_world* const* worlds, int count, step_scratch* s,
                               step_work* step)
{
    pliant_result result = PLIANT_OK;
    if (step->body_count == 0) return PLIANT_OK;
    result = worlds_send_changes(worlds, count);
    if (result) return result;
    step_prepare(step);
    result = describe_meetings(worlds, count, step);
    if (result) return result;
    result = device_step(*worlds[0]->gpu, step, s->copies,
                         worlds[0]->def.launch_mode == PLIANT_LAUNCH_MODE_GRAPH);
    step->profile->launches = device_launches(*worlds[0]->gpu);
    for (int w = 0; w < count; ++w) world_note_step(worlds[w]); // some may have gone
    return result;
}

static pliant_result run(pliant_world* const* worlds, int count, step_scratch* s, step_work* here,
                         step_work* there)
{
    platform_float_mode mode = platform_standard_floats();
    pliant_result result = run_there(worlds, count, s, there);
    if (!result) step_run(here);
    if (!result) result = here->result;
    platform_restore_float_mode(mode);
    return result;
}

pliant_result worlds_step(pliant_world* const* worlds, int count, step_scratch* s, float dt)
{
    double start = platform_seconds();
    pliant_world* first = worlds[0];
    pliant_profile profile = {.substeps = 1,
                              .iterations = first->def.iterations,
                              .threads = first->exec.width,
                              .lanes = first->def.lanes};
    for (int w = 0; w < count; ++w) {
        int wanted = world_choose_substeps(worlds[w], dt);
        if (wanted > profile.substeps) profile.substeps = wanted;
    }
    if (!reserve(s, worlds, count)) return PLIANT_ERROR_MEMORY;
    step_work here = {.exec = &first->exec,
                      .body = s->run,
                      .substeps = profile.substeps,
                      .iterations = profile.iterations,
                      .phased = first->phased,
                      .dt = (double)dt,
                      .profile = &profile},
              there = here;
    pliant_result result = PLIANT_OK;
    for (int w = 0; w < count && !result; ++w)
        result = start_world(worlds[w], dt, profile.substeps);
    if (result) return result;
    s->piece_count = 0;
    bool good = gather_all(worlds, count, false, s, &here);
    there.body = s->run + here.body_count;
    good = good && gather_all(worlds, count, true, s, &there);
    if (!good) return PLIANT_ERROR_MEMORY;
    if (dt > 0) result = gather_meetings(worlds, count, s, &here, &there);
    if (result) return result;
    if (dt > 0) result = run(worlds, count, s, &here, &there);
    for (int w = 0; w < count && dt > 0 && !result; ++w)
        result = world_carry(worlds[w], (double)dt);
    if (result) return result;
    profile.total = platform_seconds() - start;
    for (int w = 0; w < count; ++w) {
        finish_world(worlds[w], dt, &profile);
        if (dt > 0) world_finish_joints(worlds[w]);
        if (dt > 0) world_finish_bonds(worlds[w]);
        if (dt > 0) world_finish_links(worlds[w], (double)dt);
        if (!world_finish_contacts(worlds[w])) result = PLIANT_ERROR_MEMORY;
    }
    return result;
}

pliant_result pliant_world_step(pliant_world* world, float dt)
{
    if (!REQUIRE(world && !world->batch) || !REQUIRE(dt >= 0 && isfinite(dt)))
        return PLIANT_ERROR_ARGUMENT;
    pliant_result result = worlds_step(&world, 1, &world->scratch, dt);
    return result ? result : world_report_failures(world);
}
