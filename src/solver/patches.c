// Bodies of patches that meet no other body: each patch runs its part of a sweep alone, predicts
// before and updates after it, and meets the others at the particles that they share.
//
// The shared rows of a patch are one sweep behind: what a sweep made of them is published, and at
// the start of the next one every patch merges what all of them published, for its own copies. All
// come to the same result, bit for bit, and one barrier per sweep is enough. Publishing goes to two
// buffers in turn, so that nobody overwrites what another still reads.
//
// Patches with an ordered interface take turns, one barrier each. A patch goes on from the
// increments of the copies that had their turn before; the last copy's result is the particle's.
//
// The sweeps of a step are numbered; the meeting after the last one only settles what is shared. A
// body of one patch meets nobody: when all are such, a thread runs the whole step of a body at
// once.
#include "base/platform.h"
#include "solver/patch.h"

// ---- one patch ----------------------------------------------------------------------------------

// What comes after a sweep, for some of the rows.
static void finish_rows(patch_work* w, bool shared, const sweep_pass* pass)
{
    if (pass->braking) return;
    patch_touch(w, shared, pass);
    if (pass->last)
        patch_update(w, shared, order_goes_on(&w->b->order, pass->substep, w->work.second_order));
}

// The rows that are shared, after the sweep before.
static void settle(patch_work* w, const sweep_pass* pass, int buffer)
{
    if (w->t->inner_count == w->t->row_count) return;
    w->work.substep = pass->substep;
    patch_merge(w, buffer);
    finish_rows(w, true, pass);
}

static void run_patch(body_run* b, int number, int meeting)
{
    const work_order* order = &b->order;
    if (meeting > b->last_meeting) return;
    patch_work w = patch_open(b, number, 0);
    int buffer = meeting % 2;
    w.timed = meeting <= order_passes(order); // up to what settles the first substep
    if (w.timed) w.clock = platform_seconds();
    if (meeting > 0) {
        sweep_pass before = order_pass(order, meeting - 1);
        settle(&w, &before, !buffer);
    }
    w.timed = meeting < order_passes(order);
    if (meeting == b->last_meeting) return;
    sweep_pass pass = order_pass(order, meeting);
    w.work.substep = pass.substep;
    if (!order_is_begun(order, &pass, w.work.second_order)) patch_begin(&w, &pass);
    patch_sweep(&w, &pass, buffer);
    finish_rows(&w, false, &pass);
}

// ---- meetings -----------------------------------------------------------------------------------

// A body that left the finite numbers meets once more, to settle, and stops.
static void look_for_failure(body_run* b, int meeting)
{
    if (b->diverged && meeting < b->last_meeting) b->last_meeting = meeting + 1;
    if (b->diverged && meeting == b->last_meeting) *b->failed = true;
}

typedef struct {
    step_work* step;
    const patch_task* task; // of the turn at hand
    int meeting, last_meeting;
} gathering;

static void run_task(int index, void* argument)
{
    const gathering* g = (const gathering*)argument;
    const patch_task* t = &g->task[index];
    run_patch(&g->step->body[t->body], t->patch, g->meeting);
}

// Of a body that has one patch.
static void run_whole_step(int index, void* argument)
{
    const gathering* g = (const gathering*)argument;
    body_run* b = &g->step->body[g->task[index].body];
    for (int meeting = 0; meeting <= b->last_meeting; ++meeting) {
        run_patch(b, 0, meeting);
        look_for_failure(b, meeting);
    }
}

// Whether some body has patches that meet.
static bool any_meet(const step_work* step, int count)
{
    for (int i = 0; i < count; ++i)
        if (step->tasks[i].patch > 0) return true;
    return false;
}

static void run_meeting(gathering* g, int count)
{
    step_work* step = g->step;
    patches_run_turns(step, count, run_task, g, &g->task);
    for (int i = 0; i < step->body_count; ++i)
        if (runs_fused(&step->body[i])) look_for_failure(&step->body[i], g->meeting);
}

// The phases' parts of the time of all patches, from those of the first substep.
static void note_times(const step_work* step, double seconds)
{
    double sum[TIMES] = {0}, all = 0;
    for (int i = 0; i < step->body_count; ++i) {
        const body_run* b = &step->body[i];
        for (int k = 0; k < b->piece_count && runs_fused(b); ++k)
            for (int phase = 0; phase < TIMES; ++phase) {
                sum[phase] += b->pieces[k].time[phase];
                all += b->pieces[k].time[phase];
            }
    }
    if (!(all > 0)) return;
    step->profile->predict += seconds * sum[TIME_PREDICT] / all;
    step->profile->sweep += seconds * sum[TIME_SWEEP] / all;
    step->profile->contacts += seconds * sum[TIME_TOUCH] / all;
    step->profile->update += seconds * sum[TIME_UPDATE] / all;
}

void patches_step(step_work* step)
{
    double start = platform_seconds();
    gathering g = {.step = step};
    int count = patches_list(step, true);
    if (count == 0) return;
    for (int i = 0; i < step->body_count; ++i) {
        body_run* b = &step->body[i];
        b->last_meeting = order_last_meeting(&b->order);
        if (runs_fused(b) && b->last_meeting > g.last_meeting) g.last_meeting = b->last_meeting;
    }
    g.task = step->tasks;
    if (!any_meet(step, count))
        executor_run(step->exec, run_whole_step, &g, count);
    else
        for (; g.meeting <= g.last_meeting; ++g.meeting) run_meeting(&g, count);
    note_times(step, platform_seconds() - start);
}
