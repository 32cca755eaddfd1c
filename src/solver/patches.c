// Bodies of patches: each patch runs its part of a sweep alone, predicts before and updates after
// it, and meets the others at the particles that they share.
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
#include "solver/step.h"

// ---- one patch ----------------------------------------------------------------------------------

enum { TIME_PREDICT, TIME_SWEEP, TIME_TOUCH, TIME_UPDATE, TIMES };

typedef struct {
    body_run* b;
    const patch* t;
    piece_run* run;
    particle_work work; // the body's, at the substep at hand
    bool timed;         // the first substep stands for all, up to what settles it
    double clock;
} patch_work;

static void lap(patch_work* w, int phase)
{
    if (!w->timed) return;
    double now = platform_seconds();
    w->run->time[phase] += now - w->clock;
    w->clock = now;
}

static row_range inner_rows(const patch_work* w)
{
    int first = w->t->first_row;
    return (row_range){first, first + w->t->inner_count, &w->run->contacts, NULL};
}

static row_range shared_rows(const patch_work* w)
{
    int first = w->t->first_row;
    return (row_range){first + w->t->inner_count, first + w->t->row_count, &w->run->shared_contacts,
                       NULL};
}

// Rows go on to the next substep as soon as they are through with this one, unless viscosity comes
// first or the order changes.
static bool goes_on(const patch_work* w, int number)
{
    bool same = work_ratio(&w->work, number) == work_ratio(&w->work, number + 1);
    return !w->work.damped && number + 1 < w->work.substeps && same;
}

// What comes after a sweep, for some of the rows.
static void finish_rows(patch_work* w, row_range range, const sweep_pass* pass)
{
    const particle_kernels* kernels = w->b->particles;
    if (pass->braking) return;
    kernels->touch(&w->work, range, pass->first);
    lap(w, TIME_TOUCH);
    bool go_on = goes_on(w, pass->substep);
    if (pass->last && !(go_on ? kernels->advance : kernels->update)(&w->work, range))
        w->b->diverged = true;
    lap(w, TIME_UPDATE);
}

// The rows that are shared, after the sweep before.
static void settle(patch_work* w, const sweep_pass* pass, int buffer)
{
    const patch* t = w->t;
    if (t->inner_count == t->row_count) return;
    w->work.substep = pass->substep;
    w->b->particles->merge(w->b->s, t, buffer);
    lap(w, TIME_UPDATE);
    finish_rows(w, shared_rows(w), pass);
}

static void begin_rows(patch_work* w, const sweep_pass* pass, int buffer)
{
    const particle_kernels* kernels = w->b->particles;
    bool begun = pass->substep > 0 && goes_on(w, pass->substep - 1);
    if (pass->first && !begun) {
        void (*begin)(const particle_work*, row_range) =
            pass->braking ? kernels->coast : kernels->predict;
        begin(&w->work, inner_rows(w));
        begin(&w->work, shared_rows(w));
    }
    if (w->b->plan->turn_count > 1) kernels->take_over(w->b->s, w->t, buffer);
    if (w->b->s->kept && !pass->braking && goes_on_from_sweep(w->b, pass))
        w->b->torques->keep(&w->work, w->t->first_row, w->t->first_row + w->t->row_count);
    lap(w, TIME_PREDICT);
}

static int round_up(int count, int multiple)
{
    return (count + multiple - 1) / multiple * multiple;
}

// Rows of a patch that is no longer in a cache come while the one before it is solved, some with
// each group: part i of `count`.
ASK void ask_for_rows(const state* s, const patch* t, int i, int count)
{
    int first = t->first_row + (int)((int64_t)t->row_count * i / count);
    int last = t->first_row + (int)((int64_t)t->row_count * (i + 1) / count);
    size_t row = ROW * (size_t)s->scalar_bytes, half = ROW4 * (size_t)s->scalar_bytes;
    size_t at = (size_t)first, rows = (size_t)(last - first);
    ask_for(s->row, at * row, rows * row);
    ask_for(s->velocity, at * half, rows * half);
    ask_for(s->residue, at * half, rows * half);
}

static void sweep(patch_work* w, const sweep_pass* pass)
{
    const plan* p = w->b->plan;
    int first = p->color_group[w->t->first_color];
    int last = p->color_group[w->t->first_color + w->t->color_count];
    bool ahead = p->large && w->t + 1 < p->patch + p->patch_count;
    for (int g = first; g < last; ++g) {
        if (ahead) ask_for_rows(w->b->s, w->t + 1, g - first, last - first);
        solve_group(w->b, w->t, &p->group[g], pass, 0,
                    round_up(p->group[g].lanes, w->b->sweep->lanes));
    }
    lap(w, TIME_SWEEP);
}

// Without what the sweep turned by itself; then what comes after it, for the rows that nobody
// shares.
static void finish_inner(patch_work* w, const sweep_pass* pass)
{
    row_range range = inner_rows(w);
    if (pass->braking) return;
    row_box box = w->b->torques->patch(&w->work, w->t, goes_on_from_sweep(w->b, pass), pass->first);
    if (w->t->component_count > 0 && w->work.sees.motion < 1) range.completed = &box;
    finish_rows(w, range, pass);
}

// ---- meetings -----------------------------------------------------------------------------------

static sweep_pass pass_number(const step_work* step, const body_run* b, int number)
{
    int passes = passes_per_substep(step, b), i = number % passes;
    bool braking = i < b->brakes;
    int turn = braking ? i : i - b->brakes;
    return (sweep_pass){.braking = braking,
                        .turn = turn,
                        .first = turn == 0,
                        .last = turn + 1 == (braking ? b->brakes : step->iterations),
                        .substep = number / passes};
}

static void run_patch(const step_work* step, body_run* b, int patch_number, int meeting)
{
    if (meeting > b->last_meeting) return;
    patch_work w = {.b = b,
                    .t = &b->plan->patch[patch_number],
                    .run = &b->pieces[patch_number],
                    .work = b->work,
                    .timed = meeting <= passes_per_substep(step, b)};
    int buffer = meeting % 2;
    if (w.timed) w.clock = platform_seconds();
    if (meeting > 0) {
        sweep_pass before = pass_number(step, b, meeting - 1);
        settle(&w, &before, !buffer);
    }
    w.timed = meeting < passes_per_substep(step, b);
    if (meeting == b->last_meeting) return;
    sweep_pass pass = pass_number(step, b, meeting);
    w.work.substep = pass.substep;
    begin_rows(&w, &pass, buffer);
    sweep(&w, &pass);
    finish_inner(&w, &pass);
    b->particles->publish(b->s, w.t, buffer);
    lap(&w, TIME_UPDATE);
}

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
    run_patch(g->step, &g->step->body[t->body], t->patch, g->meeting);
}

// Of a body that has one patch.
static void run_whole_step(int index, void* argument)
{
    const gathering* g = (const gathering*)argument;
    body_run* b = &g->step->body[g->task[index].body];
    for (int meeting = 0; meeting <= b->last_meeting; ++meeting) {
        run_patch(g->step, b, 0, meeting);
        look_for_failure(b, meeting);
    }
}

static int turn_of(const step_work* step, const patch_task* t)
{
    return step->body[t->body].plan->patch[t->patch].turn;
}

// The patches of all bodies, by turns. Returns how many.
static int list_tasks(step_work* step, bool* out_interfaces)
{
    int count = 0, turns = 1;
    for (int turn = 0; turn < turns; ++turn)
        for (int i = 0; i < step->body_count; ++i) {
            const plan* p = step->body[i].plan;
            if (!p->patched || *step->body[i].failed) continue;
            if (p->turn_count > turns) turns = p->turn_count;
            if (p->patch_count > 1) *out_interfaces = true;
            for (int k = 0; k < p->patch_count; ++k)
                if (p->patch[k].turn == turn) step->tasks[count++] = (patch_task){i, k};
        }
    return count;
}

static void run_meeting(gathering* g, int count)
{
    step_work* step = g->step;
    for (int first = 0, end; first < count; first = end) {
        int turn = turn_of(step, &step->tasks[first]);
        for (end = first + 1; end < count && turn_of(step, &step->tasks[end]) == turn;) ++end;
        g->task = step->tasks + first;
        executor_run(step->exec, run_task, g, end - first);
    }
    for (int i = 0; i < step->body_count; ++i)
        if (step->body[i].plan->patched) look_for_failure(&step->body[i], g->meeting);
}

// The phases' parts of the time of all patches, from those of the first substep.
static void note_times(const step_work* step, double seconds)
{
    double sum[TIMES] = {0}, all = 0;
    for (int i = 0; i < step->body_count; ++i) {
        const body_run* b = &step->body[i];
        for (int k = 0; k < b->piece_count && b->plan->patched; ++k)
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
    bool interfaces = false;
    gathering g = {.step = step};
    int count = list_tasks(step, &interfaces);
    if (count == 0) return;
    for (int i = 0; i < step->body_count; ++i) {
        body_run* b = &step->body[i];
        b->last_meeting = step->substeps * passes_per_substep(step, b);
        if (b->plan->patched && b->last_meeting > g.last_meeting) g.last_meeting = b->last_meeting;
    }
    g.task = step->tasks;
    if (!interfaces)
        executor_run(step->exec, run_whole_step, &g, count);
    else
        for (; g.meeting <= g.last_meeting; ++g.meeting) run_meeting(&g, count);
    note_times(step, platform_seconds() - start);
}
