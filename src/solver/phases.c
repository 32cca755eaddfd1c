// The step in phases: all bodies do the same at the same time. Bodies without patches always run
// so; bodies of patches where they may meet others.
//
//   for each substep
//     begin      the motion, sweeps of viscosity; the prediction
//     for each iteration
//       sweep    color after color, or patch by patch, turn after turn
//       join     shared rows are merged; the whole increment, attachments, static contacts.
//                From here on all rows of the world are complete and at the same instant
//     end        velocity and position from the increment, restitution
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
    if (*b->failed || (p->pass.braking && p->pass.turn >= b->order.brakes)) return;
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

static void join(step_work* step, const substep_plan* w, const sweep_pass* pass)
{
    if (w->colored.to_touch && !pass->braking) colors_touch(step, pass);
    run_patches(step, join_patch, pass, w->patches);
}

static void end(step_work* step, const substep_plan* w, const sweep_pass* pass)
{
    if (w->colored.any) colors_update(step);
    run_patches(step, end_patch, pass, w->patches);
}

static double lap(double* since)
{
    double now = platform_seconds(), passed = now - *since;
    *since = now;
    return passed;
}

static void run_substep(step_work* step, const substep_plan* w, int number)
{
    const work_order order = {.iterations = step->iterations, .brakes = w->brakes};
    pliant_profile* time = step->profile;
    double clock = platform_seconds();
    sweep_pass pass = order_brake(&order, number, 0);
    if (w->brakes) begin(step, w, &pass);
    for (int i = 0; i < w->brakes; ++i) {
        pass = order_brake(&order, number, i);
        sweep(step, w, &pass);
        join(step, w, &pass);
    }
    time->sweep += lap(&clock);
    pass = order_sweep(&order, number, 0);
    begin(step, w, &pass);
    time->predict += lap(&clock);
    for (int i = 0; i < step->iterations; ++i) {
        pass = order_sweep(&order, number, i);
        sweep(step, w, &pass);
        time->sweep += lap(&clock);
        join(step, w, &pass);
        time->contacts += lap(&clock);
    }
    end(step, w, &pass);
    time->update += lap(&clock);
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
    for (int s = 0; s < step->substeps; ++s) {
        substep_plan w = find_work(step, s);
        if (!w.colored.any && w.patches == 0) return;
        run_substep(step, &w, s);
        note_failures(step);
    }
}
