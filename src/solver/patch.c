#include "solver/patch.h"
#include "base/platform.h"

patch_work patch_open(body_run* b, int number, int at_substep)
{
    patch_work w = {
        .b = b, .t = &b->plan->patch[number], .run = &b->pieces[number], .work = b->work};
    w.work.substep = at_substep;
    return w;
}

void patch_lap(patch_work* w, int phase)
{
    if (!w->timed) return;
    double now = platform_seconds();
    w->run->time[phase] += now - w->clock;
    w->clock = now;
}

static row_range rows_of(const patch_work* w, bool shared)
{
    int first = w->t->first_row, inner = first + w->t->inner_count;
    return shared ? (row_range){inner, first + w->t->row_count, &w->run->shared_contacts, NULL}
                  : (row_range){first, inner, &w->run->contacts, NULL};
}

void patch_begin(patch_work* w, const sweep_pass* pass)
{
    const particle_kernels* kernels = w->b->particles;
    void (*begin)(const particle_work*, row_range) =
        pass->braking ? kernels->coast : kernels->predict;
    begin(&w->work, rows_of(w, false));
    begin(&w->work, rows_of(w, true));
}

// ---- the sweep ----------------------------------------------------------------------------------

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

static void solve_colors(patch_work* w, const sweep_pass* pass)
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
}

static void keep_increments(const patch_work* w)
{
    w->b->torques->keep(&w->work, w->t->first_row, w->t->first_row + w->t->row_count);
}

void patch_sweep(patch_work* w, const sweep_pass* pass, int buffer)
{
    body_run* b = w->b;
    bool goes_on = order_goes_on_from_sweep(&b->order, pass);
    if (b->order.turns > 1) b->particles->take_over(b->s, w->t, buffer);
    if (b->s->kept && !pass->braking && goes_on) keep_increments(w);
    patch_lap(w, TIME_PREDICT);
    solve_colors(w, pass);
    patch_lap(w, TIME_SWEEP);
    if (!pass->braking) w->run->completed = b->torques->patch(&w->work, w->t, goes_on, pass->first);
    b->particles->publish(b->s, w->t, buffer);
    patch_lap(w, TIME_UPDATE);
}

// ---- after it -----------------------------------------------------------------------------------

void patch_merge(patch_work* w, int buffer)
{
    w->b->particles->merge(w->b->s, w->t, buffer);
    patch_lap(w, TIME_UPDATE);
}

void patch_touch(patch_work* w, bool shared, const sweep_pass* pass)
{
    row_range range = rows_of(w, shared);
    if (!shared && w->t->component_count > 0 && w->work.sees.motion < 1)
        range.completed = &w->run->completed;
    w->b->particles->touch(&w->work, range, pass->first);
    patch_lap(w, TIME_TOUCH);
}

void patch_update(patch_work* w, bool shared, bool on)
{
    const particle_kernels* kernels = w->b->particles;
    if (!(on ? kernels->advance : kernels->update)(&w->work, rows_of(w, shared)))
        w->b->diverged = true;
    patch_lap(w, TIME_UPDATE);
}

// ---- all of them --------------------------------------------------------------------------------

static int list_turn(step_work* step, bool fused, int turn, int count, int* turns)
{
    for (int i = 0; i < step->body_count; ++i) {
        const body_run* b = &step->body[i];
        if (!b->plan->patched || runs_fused(b) != fused || *b->failed) continue;
        if (b->order.turns > *turns) *turns = b->order.turns;
        for (int k = 0; k < b->plan->patch_count; ++k)
            if (b->plan->patch[k].turn == turn) step->tasks[count++] = (patch_task){i, k};
    }
    return count;
}

int patches_list(step_work* step, bool fused)
{
    int count = 0, turns = 1;
    for (int turn = 0; turn < turns; ++turn) count = list_turn(step, fused, turn, count, &turns);
    return count;
}

static int turn_of(const step_work* step, const patch_task* t)
{
    return step->body[t->body].plan->patch[t->patch].turn;
}

void patches_run_turns(step_work* step, int count, pliant_task_fn* task, void* argument,
                       const patch_task** at)
{
    for (int first = 0, end; first < count; first = end) {
        int turn = turn_of(step, &step->tasks[first]);
        for (end = first + 1; end < count && turn_of(step, &step->tasks[end]) == turn;) ++end;
        *at = step->tasks + first;
        executor_run(step->exec, task, argument, end - first);
    }
}
