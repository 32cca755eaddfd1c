// The step in phases (order.h): all bodies do the same at the same time. Bodies without patches
// always run so; bodies of patches where they may meet others.
#include "base/platform.h"
#include "solver/colors.h"
#include "solver/patch.h"

// ---- phases of patches --------------------------------------------------------------------------

typedef struct patch_phase patch_phase;
typedef void patch_fn(const patch_phase* p, patch_work* w);

struct patch_phase {
    step_work* step;
    patch_fn* run;
    const patch_task* task;
    sweep_pass pass;
};

static void run_task(int index, void* argument)
{
    const patch_phase* p = (const patch_phase*)argument;
    body_run* b = &p->step->body[p->task[index].body];
    if (*b->failed || !order_has(&b->order, &p->pass)) return;
    patch_work w = patch_open(b, p->task[index].patch, p->pass.substep);
    p->run(p, &w);
}

// All meet once a sweep, so that one buffer is enough.
enum { BUFFER = 0 };

static void begin_patch(const patch_phase* p, patch_work* w) { patch_begin(w, &p->pass); }

static void sweep_patch(const patch_phase* p, patch_work* w) { patch_sweep(w, &p->pass, BUFFER); }

static void join_patch(const patch_phase* p, patch_work* w)
{
    if (w->t->inner_count < w->t->row_count) patch_merge(w, BUFFER);
    if (p->pass.braking) return;
    patch_touch(w, false, &p->pass);
    patch_touch(w, true, &p->pass);
}

static void end_patch(const patch_phase* p, patch_work* w)
{
    (void)p;
    patch_update(w, false, false);
    patch_update(w, true, false);
}

static void run_patches(step_work* step, patch_fn* run, const sweep_pass* pass, int count)
{
    patch_phase p = {step, run, step->tasks, *pass};
    if (count > 0) executor_run(step->exec, run_task, &p, count);
}

static void sweep_patches(step_work* step, const sweep_pass* pass, int count)
{
    patch_phase p = {step, sweep_patch, step->tasks, *pass};
    patches_run_turns(step, count, run_task, &p, &p.task);
}

// ---- the step -----------------------------------------------------------------------------------

// What there is to do in a substep.
typedef struct {
    colored_bodies colored;
    int patches; // tasks
    int brakes;  // the most of a body
} substep_plan;

static substep_plan find_work(step_work* step, int number)
{
    substep_plan found = {.colored = colors_find(step), .patches = patches_list(step, false)};
    for (int i = 0; i < step->body_count; ++i) {
        body_run* b = &step->body[i];
        if (runs_fused(b) || *b->failed) continue;
        b->work.substep = number;
        if (b->order.brakes > found.brakes) found.brakes = b->order.brakes;
    }
    return found;
}

static void begin(step_work* step, const substep_plan* w, const sweep_pass* pass)
{
    if (w->colored.any) colors_begin(step, pass);
    run_patches(step, begin_patch, pass, w->patches);
}

static void sweep(step_work* step, const substep_plan* w, const sweep_pass* pass)
{
    if (w->colored.any) colors_sweep(step, w->colored, pass);
    sweep_patches(step, pass, w->patches);
}

// Places of a world take turns as often as they ask for: what the first begins the last ends.
static void meet(step_work* step, const sweep_pass* pass)
{
    int most = 1;
    for (int i = 0; i < step->meeting_count; ++i)
        if (step->meetings[i].rounds > most) most = step->meetings[i].rounds;
    for (int round = 0; round < most; ++round)
        for (int i = 0; i < step->meeting_count && !step->result; ++i) {
            const meeting_place* m = &step->meetings[i];
            int rounds = m->rounds > 1 ? m->rounds : 1;
            sweep_pass turn = *pass;
            turn.first = pass->first && round == 0;
            turn.last = pass->last && round == rounds - 1;
            if (m->meet && round < rounds) step->result = m->meet(m->system, step, &turn);
        }
}

static void join(step_work* step, const substep_plan* w, const sweep_pass* pass)
{
    if (w->colored.to_touch && !pass->braking) colors_touch(step, pass);
    run_patches(step, join_patch, pass, w->patches);
    if (!pass->braking) meet(step, pass);
}

static void end(step_work* step, const substep_plan* w, const sweep_pass* pass)
{
    if (w->colored.any) colors_update(step);
    run_patches(step, end_patch, pass, w->patches);
    for (int i = 0; i < step->meeting_count; ++i)
        if (step->meetings[i].bounce) step->meetings[i].bounce(step->meetings[i].system, step);
}

static double lap(double* since)
{
    double now = platform_seconds(), passed = now - *since;
    *since = now;
    return passed;
}

// Where the time of a phase is counted.
static double* time_of(pliant_profile* time, work_phase phase, bool braking)
{
    double* const times[] = {&time->predict, &time->sweep, &time->contacts, &time->update};
    return braking ? &time->sweep : times[phase];
}

static void run_substep(step_work* step, const substep_plan* w, int number)
{
    static void (*const run[])(step_work*, const substep_plan*, const sweep_pass*) = {begin, sweep,
                                                                                      join, end};
    const work_order order = {.iterations = step->iterations, .brakes = w->brakes};
    double clock = platform_seconds();
    for (int i = 0; i < step->meeting_count; ++i)
        if (step->meetings[i].blow) step->meetings[i].blow(step->meetings[i].system, step);
    for (int i = 0; i < order_phases(&order) && !step->result; ++i) {
        sweep_pass pass;
        work_phase phase = order_phase(&order, number, i, &pass);
        run[phase](step, w, &pass);
        *time_of(step->profile, phase, pass.braking) += lap(&clock);
    }
}

static void note_failures(step_work* step)
{
    for (int i = 0; i < step->body_count; ++i) {
        body_run* b = &step->body[i];
        if (!runs_fused(b) && b->diverged) *b->failed = true;
    }
}

void phases_step(step_work* step)
{
    for (int s = 0; s < step->substeps && !step->result; ++s) {
        substep_plan w = find_work(step, s);
        if (!w.colored.any && w.patches == 0) return;
        run_substep(step, &w, s);
        note_failures(step);
    }
}
