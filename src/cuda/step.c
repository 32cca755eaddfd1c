// A step on the device: packed, copied, launched; and its report when it is done.
#include "cuda/contacts.h"
#include "cuda/joints.h"
#include "cuda/liquids.h"
#include "cuda/listed.h"
#include "cuda/repeat.h"
#include <string.h>

// ---- phases -------------------------------------------------------------------------------------

// Kernels of a family in one phase of a sweep.
static bool list_bodies(const selection* s, const patched_work* work, work_phase phase,
                        const sweep_pass* pass)
{
    const char* body = (const char*)work->body;
    bool good = true;
    if (s->kind.crowd) return list_crowd(s->d, s->kind.kind, work, phase, pass);
    if (s->kind.rigid) return list_rigid(s->d, s->kind.kind, work, phase, pass);
    for (int i = 0; i < s->step->body_count && good; ++i) {
        const body_run* b = &s->step->body[i];
        if (!is_selected(s, i)) continue;
        good = list_colored(s->d, b, s->copy[i], body, phase, pass);
        body += fill_for(b)->body_bytes;
    }
    return good;
}

// Patches begin with their sweep, turn after turn.
static bool list_phase_of_patches(const selection* s, const patched_work* whole, work_phase phase,
                                  const sweep_pass* pass)
{
    patched_work work = *whole;
    int turns = phase == PHASE_SWEEP ? work.turn_count : 1;
    bool good = true;
    if (phase == PHASE_BEGIN || (whole->brakes_too && pass->braking)) return true;
    work.in_phases = true;
    work.brakes_too = whole->brakes_too && phase == PHASE_SWEEP && pass->first;
    work.phase = phase;
    work.braking = pass->braking;
    work.number = pass->turn;
    work.substep = pass->substep;
    for (work.turn = 0; work.turn < turns && good; work.turn++)
        good = list_patches(s->d, s->kind.kind, &work);
    return good;
}

static work_order order_of(const selection* s, bool all)
{
    work_order order = {.iterations = s->step->iterations};
    for (int i = 0; i < s->step->body_count; ++i)
        if ((all || is_selected(s, i)) && s->step->body[i].order.brakes > order.brakes)
            order.brakes = s->step->body[i].order.brakes;
    return order;
}

typedef struct {
    selection* s;
    const family* kind;
    const patched_work* work;
    int first, count;            // families
    packed_meetings meetings[2]; // of each precision
    const joint_world* joints;
    packed_liquids liquids;
    packed_air air;
    bool bounces;
} listed_families;

static bool list_meetings(const listed_families* f, meeting_kind kind, const sweep_pass* pass)
{
    const step_work* step = f->s->step;
    bool good = true;
    for (int i = 0; i < 2 && good; ++i) {
        const packed_meetings* of = &f->meetings[i];
        meeting_work w = {.kind = kind,
                          .step = of->step,
                          .count = kind == MEETING_MEASURE ? of->count : of->awake,
                          .alone = of->alone && kind != MEETING_BOUNCE,
                          .rigid = of->rigid,
                          .awake = of->awake,
                          .bodies = of->bodies,
                          .substeps = step->substeps,
                          .h = step->dt / step->substeps};
        if (pass) {
            w.substep = pass->substep;
            w.first = pass->first;
            w.last = pass->last;
        }
        if (w.count > 0)
            good = list_meeting(f->s->d, i ? ARITHMETIC_DOUBLE : ARITHMETIC_SINGLE, &w);
    }
    return good;
}

// Those of all worlds.
static bool list_all_joints(const listed_families* f, const sweep_pass* pass)
{
    const step_work* step = f->s->step;
    joint_work w;
    if (step->joint_count == 0) return true;
    memset(&w, 0, sizeof w); // all of it: it is hashed
    w.world = f->joints;
    w.count = step->joint_count;
    w.substeps = step->substeps;
    w.substep = pass->substep;
    w.first = pass->first;
    w.last = pass->last;
    w.h = step->dt / step->substeps;
    return list_joints(f->s->d, &w);
}

static bool list_liquid(const listed_families* f, liquid_kind kind, const sweep_pass* pass,
                        bool swapped)
{
    const packed_liquids* of = &f->liquids;
    liquid_work w;
    memset(&w, 0, sizeof w); // all of it: it is hashed
    w.kind = kind;
    w.world = of->world;
    w.total = of->total;
    w.substep = pass->substep;
    w.first = pass->first;
    w.notes = pass->last && pass->substep + 1 == f->s->step->substeps;
    w.swapped = swapped;
    w.special = of->special;
    return list_liquids(f->s->d, of->scalar_bytes == 8 ? ARITHMETIC_DOUBLE : ARITHMETIC_SINGLE, &w);
}

// Once a substep, what comes before viscosity.
static bool list_drives(const listed_families* f, const sweep_pass* pass)
{
    const packed_liquids* of = &f->liquids;
    bool loosens = (of->tense || of->whirls) && of->sweeps && !of->thick;
    if (of->tense && !list_liquid(f, LIQUID_DRAW, pass, false)) return false;
    if (of->whirls &&
        (!list_liquid(f, LIQUID_CURL, pass, false) || !list_liquid(f, LIQUID_WHIRL, pass, false)))
        return false;
    return !loosens || list_liquid(f, LIQUID_LOOSEN, pass, false);
}

// The order of fluid_meet (fluid/system.c). Each sweep of viscosity leaves motions where the one
// before had those of walls.
static bool list_flow(const listed_families* f, const sweep_pass* pass)
{
    const packed_liquids* of = &f->liquids;
    int sweeps = pass->first ? of->sweeps : 0;
    bool swapped = sweeps & 1;
    if (of->total == 0) return true;
    if (!list_liquid(f, LIQUID_GATHER, pass, false)) return false;
    if (pass->first && !list_drives(f, pass)) return false;
    if (sweeps && of->thick && !list_liquid(f, LIQUID_STICK, pass, false)) return false;
    for (int i = 0; i < sweeps; ++i)
        if (!list_liquid(f, LIQUID_THIN, pass, i & 1)) return false;
    for (liquid_kind kind = LIQUID_WALLS; kind <= LIQUID_LEAVE; ++kind)
        if (!list_liquid(f, kind, pass, swapped)) return false;
    bool done = pass->last && pass->substep + 1 == f->s->step->substeps;
    return !(done && of->tense) || list_liquid(f, LIQUID_GAUGE, pass, swapped);
}

// After a join of places, and after the end.
static bool list_meetings_after(const listed_families* f, work_phase phase, const sweep_pass* pass)
{
    if (phase == PHASE_JOIN && !pass->braking)
        return list_flow(f, pass) && list_all_joints(f, pass) &&
               list_meetings(f, MEETING_MEET, pass);
    if (phase == PHASE_END && f->bounces) return list_meetings(f, MEETING_BOUNCE, pass);
    return true;
}

static bool list_phase(const listed_families* f, work_phase phase, const sweep_pass* pass)
{
    bool good = true;
    for (int i = f->first; i < f->first + f->count && good; ++i) {
        f->s->number = i;
        f->s->kind = f->kind[i];
        good = f->kind[i].patched ? list_phase_of_patches(f->s, &f->work[i], phase, pass)
                                  : list_bodies(f->s, &f->work[i], phase, pass);
    }
    return good;
}

// In each substep first what air does to elements, then what these do to points.
static bool list_blow(const listed_families* f, air_kind kind, int number)
{
    air_work w;
    if (f->air.count == 0) return true;
    memset(&w, 0, sizeof w); // all of it: it is hashed
    w.kind = kind;
    w.body = f->air.body;
    w.count = f->air.count;
    w.pieces = f->air.pieces;
    w.substep = number;
    return list_air(f->s->d, &w);
}

static bool list_substep(const listed_families* f, const work_order* order, int number)
{
    bool good = list_blow(f, AIR_LOOK, number) && list_blow(f, AIR_PUSH, number);
    for (int i = 0; i < order_phases(order) && good; ++i) {
        sweep_pass pass;
        work_phase phase = order_phase(order, number, i, &pass);
        good = list_phase(f, phase, &pass) && list_meetings_after(f, phase, &pass);
    }
    return good;
}

// All phases of the step, of some families at the same time.
static bool list_step(const listed_families* f, const work_order* order)
{
    bool good = f->s->step->phased ? list_meetings(f, MEETING_START, NULL) : true;
    good = good && list_blow(f, AIR_START, 0);
    for (int n = 0; n < f->s->step->substeps && good; ++n) good = list_substep(f, order, n);
    return good;
}

// ---- all bodies ---------------------------------------------------------------------------------

// Nobody uses it: the step before the last is done.
static pliant_result reserve_staging(staging* g, size_t bytes)
{
    if (bytes <= g->capacity) return PLIANT_OK;
    cudaFreeHost(g->memory);
    cudaFree(g->there);
    g->memory = g->there = NULL;
    g->capacity = 0;
    cudaError_t error = cudaMallocHost((void**)&g->memory, 2 * bytes);
    if (!error) error = cudaMalloc((void**)&g->there, 2 * bytes);
    if (!error) g->capacity = 2 * bytes;
    return cuda_check(error, "the step");
}

// What a step brings along is there before it starts.
static cudaError_t bring(device* d, staging* g, const packer* p)
{
    cudaError_t error =
        cudaMemcpyAsync(p->there, p->here, p->bytes, cudaMemcpyHostToDevice, d->bring);
    if (!error) error = cudaEventRecord(g->brought, d->bring);
    return error ? error : cudaStreamWaitEvent(d->stream, g->brought, 0);
}

// Bodies without patches run phase by phase, each family for itself.
static pliant_result launch_family(const listed_families* f, bool graph)
{
    selection* s = f->s;
    s->number = f->first;
    s->kind = f->kind[f->first];
    if (s->kind.patched) {
        s->d->launches++;
        return cuda_check(kernels_for(s->kind.kind)->patched(&f->work[f->first], s->d->stream),
                          "launching the step");
    }
    const work_order order = order_of(s, false);
    if (!list_step(f, &order)) return PLIANT_ERROR_MEMORY;
    return launch_list(s->d, graph, (int)s->kind.kind);
}

// Where all patches of a family can be at work together, a launch does all sweeps of the motion.
static void join_brakes(const listed_families* f)
{
    selection* s = f->s;
    for (int i = 0; i < f->count; ++i) {
        patched_work* w = &s->d->work[i];
        s->number = i;
        s->kind = f->kind[i];
        if (!s->kind.patched || w->turn_count > 1 || order_of(s, false).brakes == 0) continue;
        patched_work both = *w;
        both.in_phases = both.brakes_too = true;
        both.phase = PHASE_SWEEP;
        w->brakes_too = kernels_for(s->kind.kind)->are_at_once(&both);
    }
}

static pliant_result launch_in_phases(const listed_families* f, bool graph)
{
    const work_order order = order_of(f->s, true);
    device* d = f->s->d;
    join_brakes(f);
    if (!list_step(f, &order) || !list_meetings(f, MEETING_MEASURE, NULL) ||
        !keep_list(d, &d->staging[d->turn]))
        return PLIANT_ERROR_MEMORY;
    return launch_list(d, graph, GRAPH_OF_PHASES);
}

static pliant_result launch_families(listed_families* f, const packer* p, bool graph)
{
    device* d = f->s->d;
    int count = f->count;
    d->list_count = d->launches = 0;
    pliant_result result = cuda_check(bring(d, &d->staging[d->turn], p), "copying to the GPU");
    if (result || count == 0) return result;
    if (f->s->step->phased) return launch_in_phases(f, graph);
    f->count = 1;
    for (; f->first < count && !result; f->first++) result = launch_family(f, graph);
    if (result || f->s->step->meeting_count == 0) return result;
    if (!list_meetings(f, MEETING_MEASURE, NULL)) return PLIANT_ERROR_MEMORY;
    return launch_list(d, false, GRAPH_OF_PHASES);
}

static long long meetings_of(const step_work* step)
{
    long long most = 0;
    for (int i = 0; i < step->body_count; ++i) {
        const body_run* b = &step->body[i];
        long long last = order_last_meeting(&b->order);
        if (last > most) most = last;
    }
    return most + 1; // more than anybody says in this step
}

// Says when it is done, and with what failures. Also after a launch that failed: some of it may be
// on its way.
static pliant_result finish_step(device* d, staging* g)
{
    g->end = d->next_meeting;
    g->slots = d->slot_count;
    cudaError_t error = send_report(d, g);
    g->used = !error;
    d->turn = !d->turn;
    return cuda_check(error, "the step");
}

// Waits for a step, and reads which bodies have failed in it.
static cudaError_t read_report(device* d, staging* g)
{
    if (!g->used) return cudaSuccess;
    cudaError_t error = cudaEventSynchronize(g->done);
    g->used = false;
    for (int i = 0; i < g->slots && !error; ++i)
        d->known[i] = g->failed_at[i] < g->end ? g->failed_at[i] : NEVER;
    return error;
}

static void pack_step(listed_families* f, packer* p)
{
    const step_work* step = f->s->step;
    pack_families(f->s, p, f->count);
    f->joints = pack_joints(p, f->s->d, step);
    f->liquids = pack_liquids(p, f->s->d, step);
    f->air = pack_air(p, f->s->d, step);
    for (int i = 0; i < 2 && step->meeting_count > 0; ++i)
        f->meetings[i] = pack_meetings(p, f->s->d, step, i ? 8 : 4);
}

// As much as in the step before, as a rule: then there is room for it.
static pliant_result pack_into(staging* g, listed_families* f, packer* out)
{
    *out = (packer){.here = g->memory, .there = g->there, .capacity = g->capacity};
    pack_step(f, out);
    if (out->bytes < g->capacity) return PLIANT_OK;
    pliant_result result = reserve_staging(g, out->bytes + 1);
    if (result) return result;
    *out = (packer){.here = g->memory, .there = g->there, .capacity = g->capacity};
    pack_step(f, out);
    return PLIANT_OK;
}

static bool any_bounces(const step_work* step)
{
    for (int i = 0; i < step->meeting_count; ++i)
        if (contacts_bounce((const device_contacts*)step->meetings[i].system)) return true;
    return false;
}

pliant_result device_step(device* d, step_work* step, device_copy* const* copy, bool graph)
{
    selection s = {.d = d, .step = step, .copy = copy};
    staging* g = &d->staging[d->turn];
    packer packed;
    ON_DEVICE(d);
    cudaError_t error = read_report(d, g);
    if (error) return cuda_check(error, "the step before");
    listed_families f = {.s = &s, .count = find_families(&s)};
    if (f.count < 0) return PLIANT_ERROR_MEMORY;
    f.kind = d->kind;
    f.work = d->work;
    f.bounces = any_bounces(step);
    pliant_result result = pack_into(g, &f, &packed);
    if (result) return result;
    g->bytes = packed.bytes;
    result = repeat_if_needed(d, &d->staging[!d->turn]);
    if (!result) result = cuda_check(rigid_send(d), "copying to the GPU");
    if (!result) result = prepare_to_repeat(d, g, step, copy);
    if (result) return result;
    d->rigid.known = false;
    result = launch_families(&f, &packed, graph);
    d->next_meeting += meetings_of(step);
    pliant_result finished = finish_step(d, g);
    return result ? result : finished;
}

pliant_result device_wait(device* d)
{
    ON_DEVICE(d);
    pliant_result result = repeat_if_needed(d, &d->staging[!d->turn]);
    if (result) return result;
    cudaError_t error = read_report(d, &d->staging[d->turn]); // the older one
    if (!error) error = read_report(d, &d->staging[!d->turn]);
    if (!error) error = cudaStreamSynchronize(d->stream);
    return cuda_check(error, "the step");
}

bool device_has_failed(const device* d, const device_copy* c) { return d->known[c->slot] != NEVER; }
