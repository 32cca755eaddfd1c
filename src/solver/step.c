#include "solver/step.h"
#include "base/platform.h"
#include "solver/flow.h"

// ---- threads ------------------------------------------------------------------------------------

typedef struct {
    pliant_task_fn* task;
    void* argument;
} elsewhere;

// On a thread of the caller's, whose float mode is not ours.
static void run_elsewhere(int index, void* argument)
{
    const elsewhere* e = (const elsewhere*)argument;
    platform_float_mode mode = platform_standard_floats();
    e->task(index, e->argument);
    platform_restore_float_mode(mode);
}

void executor_run(executor* exec, pliant_task_fn* task, void* argument, int count)
{
    if (exec->run) {
        elsewhere e = {task, argument};
        exec->run(run_elsewhere, &e, count, exec->context);
    } else {
        workers_run(exec->own, task, argument, count);
    }
}

// ---- constraints --------------------------------------------------------------------------------

// Plans that no cache holds are read in the order in which they lie. Processors see that only where
// it suits them: what comes next is asked for while this group is solved.
ASK void ask_for_blocks(const plan* p, const lane_group* g)
{
    enum { AHEAD = 4 }; // groups
    const round_block* r = &p->round[g->first_round];
    const type_info* type = &type_infos[r->type];
    size_t index = (size_t)(type->particles * BLOCK),
           fields = (size_t)((type->fields - type->same) * BLOCK);
    ask_for(g, 4 * AHEAD * sizeof *g, 1);
    ask_for(r, 2 * AHEAD * sizeof *r, 1);
    ask_for(p->index, (r->index_at + AHEAD * index) * (size_t)p->index_bytes,
            index * (size_t)p->index_bytes);
    ask_for(p->field, (r->field_at + AHEAD * fields) * (size_t)p->scalar_bytes,
            fields * (size_t)p->scalar_bytes);
}

void solve_group(const body_run* b, const patch* t, const lane_group* g, const sweep_pass* pass,
                 int lane, int lanes)
{
    const plan* p = b->plan;
    size_t bytes = (size_t)p->scalar_bytes, first = (size_t)t->first_row;
    block_work work = {.row = (char*)b->s->row + first * ROW * bytes,
                       .residue = (const char*)b->s->residue + first * ROW4 * bytes,
                       .h = pass->braking ? brake_step(b) : seen_step(b, pass->substep),
                       .own = b->work.sees.own,
                       .share = b->share,
                       .index_bytes = p->index_bytes,
                       .first_iteration = pass->first,
                       .relaxation = pass->averaged ? p->relaxation : 1};
    const bool kept = b->s->lambda && !pass->braking;
    if (p->large) ask_for_blocks(p, g);
    if (b->s->flow && order_starts(&b->order, pass))
        flow_group(b->s, b->sweep, t, g, b->work.h, lane, lanes);
    for (int i = 0; i < g->round_count; ++i) {
        const round_block* r = &p->round[g->first_round + i];
        if (type_infos[r->type].on_motion != pass->braking) continue;
        work.index = (const char*)p->index + r->index_at * (size_t)p->index_bytes;
        work.field = (const char*)b->s->field + r->field_at * bytes;
        work.same = r->mixed ? NULL : (const char*)p->field + r->same_at * bytes;
        work.lambda = kept ? (char*)b->s->lambda + r->lambda_at * bytes : NULL;
        b->sweep->solve[r->type](&work, lane, lanes);
    }
}

// ---- the step -----------------------------------------------------------------------------------

// Substeps that grow by more than this at once start anew: beyond 1 + sqrt 2 the past would take
// over.
static double ratio_to_past(double h, double past_h)
{
    static const double most = 2;
    return past_h > 0 && h <= most * past_h ? h / past_h : 0;
}

static void prepare(const step_work* step, body_run* b)
{
    particle_work* w = &b->work;
    double g2 = 0;
    for (int k = 0; k < 3; ++k) g2 += w->acceleration[k] * w->acceleration[k];
    w->h = step->dt / step->substeps;
    w->second_order = b->plan->second_order;
    w->first_ratio = ratio_to_past(w->h, b->s->past_h);
    b->share = b->plan->classic ? 1.0 / step->iterations : 0;
    w->substeps = step->substeps;
    b->order = (work_order){.substeps = step->substeps,
                            .iterations = step->iterations,
                            .brakes = b->brakes,
                            .turns = b->plan->turn_count,
                            .damped = w->damped,
                            .steady = work_ratio(w, 0) == work_ratio(w, 1),
                            .phased = step->phased || b->meets || b->work.air};
    w->rest_speed = 2 * sqrt(g2) * w->h; // what gravity alone brings between two contacts
}

void step_prepare(step_work* step)
{
    for (int i = 0; i < step->body_count; ++i) prepare(step, &step->body[i]);
}

void step_run(step_work* step)
{
    step_prepare(step);
    phases_step(step);
    patches_step(step);
}
