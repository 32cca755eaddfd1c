#include "solver/step.h"
#include "base/platform.h"
#include <math.h>

typedef struct phase phase;
typedef void slice_fn(const phase* p, body_run* body, int slice);

struct phase {
    step_work* step;
    slice_fn* run;
    int color;
    bool braking; // constraints on the motion, or on places
};

// Slices start at different threads for different bodies, so that many small bodies spread evenly.
static void run_slice(int slice, void* argument)
{
    const phase* p = (const phase*)argument;
    int width = p->step->exec->width;
    for (int b = 0; b < p->step->body_count; ++b)
        if (!*p->step->body[b].failed) p->run(p, &p->step->body[b], (slice + b) % width);
}

// On a thread of the caller's, whose float mode is not ours.
static void run_slice_elsewhere(int slice, void* argument)
{
    platform_float_mode mode = platform_flush_denormals();
    run_slice(slice, argument);
    platform_restore_float_mode(mode);
}

static void run_phase(phase p, bool worth_sharing)
{
    executor* exec = p.step->exec;
    if (!worth_sharing) {
        for (int slice = 0; slice < exec->width; ++slice) run_slice(slice, &p);
    } else if (exec->run) {
        exec->run(run_slice_elsewhere, &p, exec->width, exec->context);
    } else {
        workers_run(exec->own, run_slice, &p, exec->width);
    }
}

// Slice number `slice` of `count` things, in whole multiples of `grain`.
static int slice_start(int count, int slice, int width, int grain)
{
    int64_t grains = (count + grain - 1) / grain;
    int64_t start = grains * slice / width * grain;
    return start < count ? (int)start : count;
}

// ---- particles ----------------------------------------------------------------------------------

enum { PARTICLE_GRAIN = 64 };

#define PARTICLE_SLICE(phase_, body_, slice_)                                                      \
    slice_start((body_)->s->particle_count, slice_, (phase_)->step->exec->width, PARTICLE_GRAIN)

static void coast(const phase* p, body_run* b, int slice)
{
    if (!b->work.damped) return;
    b->particles->coast(&b->work, PARTICLE_SLICE(p, b, slice), PARTICLE_SLICE(p, b, slice + 1));
}

static void predict(const phase* p, body_run* b, int slice)
{
    b->particles->predict(&b->work, PARTICLE_SLICE(p, b, slice), PARTICLE_SLICE(p, b, slice + 1));
}

static void touch(const phase* p, body_run* b, int slice)
{
    b->particles->touch(&b->work, PARTICLE_SLICE(p, b, slice), PARTICLE_SLICE(p, b, slice + 1));
}

static void update(const phase* p, body_run* b, int slice)
{
    int first = PARTICLE_SLICE(p, b, slice), last = PARTICLE_SLICE(p, b, slice + 1);
    if (!b->particles->update(&b->work, first, last)) b->diverged[slice] = true;
}

// ---- constraints --------------------------------------------------------------------------------

static void solve_round(const phase* p, body_run* b, const round_block* r, int lane, int lanes)
{
    if (type_infos[r->type].on_motion != p->braking) return;
    size_t bytes = (size_t)b->plan->scalar_bytes;
    block_work work = {b->plan->index + r->index_at,
                       (const char*)b->plan->field + r->field_at * bytes,
                       b->s->lambda ? (char*)b->s->lambda + r->lambda_at * bytes : NULL,
                       b->s->row,
                       b->s->residue,
                       b->work.h,
                       b->work.first_iteration};
    b->sweep->solve[r->type](&work, lane, lanes);
}

// The reference: lane after lane, all rounds of a lane in a row. The kernels are scalar here.
static void solve_serial(const phase* p, body_run* b)
{
    for (size_t g = 0; g < b->plan->group_count; ++g)
        for (int lane = 0; lane < BLOCK; ++lane)
            for (int r = 0; r < b->plan->group[g].round_count; ++r)
                solve_round(p, b, &b->plan->round[b->plan->group[g].first_round + r], lane, 1);
}

static int color_size(const plan* p, int color)
{
    return color < p->color_count ? p->color_group[color + 1] - p->color_group[color] : 0;
}

static void sweep_color(const phase* p, body_run* b, int slice)
{
    int count = color_size(b->plan, p->color), width = p->step->exec->width;
    if (count == 0) return;
    if (b->plan->serial) {
        if (slice == 0) solve_serial(p, b);
        return;
    }
    const lane_group* group = b->plan->group + b->plan->color_group[p->color];
    // Half groups: as wide as the widest vectors, and twice as easy to share evenly.
    enum { HALF = BLOCK / 2 };
    int last = slice_start(2 * count, slice + 1, width, 1);
    for (int half = slice_start(2 * count, slice, width, 1); half < last; ++half)
        for (int r = 0; r < group[half / 2].round_count; ++r)
            solve_round(p, b, &b->plan->round[group[half / 2].first_round + r], half % 2 * HALF,
                        HALF);
}

static int most_colors(const step_work* step)
{
    int most = 0;
    for (int b = 0; b < step->body_count; ++b)
        if (step->body[b].plan->color_count > most) most = step->body[b].plan->color_count;
    return most;
}

// Handing a few groups to other threads takes longer than solving them.
enum { GROUPS_WORTH_SHARING = 4 };

static void sweep(step_work* step, bool braking)
{
    int colors = most_colors(step);
    for (int color = 0; color < colors; ++color) {
        int groups = 0;
        for (int b = 0; b < step->body_count; ++b) groups += color_size(step->body[b].plan, color);
        phase p = {step, sweep_color, color, braking};
        run_phase(p, groups >= GROUPS_WORTH_SHARING);
    }
}

// ---- the step -----------------------------------------------------------------------------------

static void start_substep(step_work* step, int number)
{
    for (int b = 0; b < step->body_count; ++b) {
        particle_work* w = &step->body[b].work;
        double g2 = 0;
        for (int k = 0; k < 3; ++k) g2 += w->acceleration[k] * w->acceleration[k];
        w->h = step->dt / step->substeps;
        w->rest_speed = 2 * sqrt(g2) * w->h; // what gravity alone brings between two contacts
        w->substep = number;
        w->substeps = step->substeps;
    }
}

static void set_iteration(step_work* step, bool first)
{
    for (int b = 0; b < step->body_count; ++b) step->body[b].work.first_iteration = first;
}

static void finish_substep(step_work* step)
{
    for (int b = 0; b < step->body_count; ++b)
        for (int slice = 0; slice < step->exec->width; ++slice)
            if (step->body[b].diverged[slice]) *step->body[b].failed = true;
}

static void brake(step_work* step)
{
    phase particles = {step, coast, 0, true};
    run_phase(particles, true);
    for (int i = 0; i < step->iterations; ++i) {
        set_iteration(step, i == 0);
        sweep(step, true);
    }
}

static double lap(double* since)
{
    double now = platform_seconds(), passed = now - *since;
    *since = now;
    return passed;
}

void step_run(step_work* step)
{
    phase particles = {step, predict, 0, false};
    pliant_profile* time = step->profile;
    double clock = platform_seconds();
    for (int s = 0; s < step->substeps; ++s) {
        start_substep(step, s);
        if (step->anything_damped) brake(step);
        time->sweep += lap(&clock);
        particles.run = predict;
        run_phase(particles, true);
        time->predict += lap(&clock);
        for (int i = 0; i < step->iterations; ++i) {
            set_iteration(step, i == 0);
            sweep(step, false);
            time->sweep += lap(&clock);
            particles.run = touch;
            if (step->anything_to_touch) run_phase(particles, true);
            time->contacts += lap(&clock);
        }
        particles.run = update;
        run_phase(particles, true);
        finish_substep(step);
        time->update += lap(&clock);
    }
}
