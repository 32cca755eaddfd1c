// Bodies without patches: color after color, the groups of a color in parallel. Particles are the
// first rows; where they have phantoms, a sweep hands their state over to these and takes it back.
#include "solver/colors.h"
#include "solver/enclosed.h"
#include "solver/rigid_body.h"

typedef struct phase phase;
typedef void slice_fn(const phase* p, body_run* body, int slice);

struct phase {
    step_work* step;
    slice_fn* run;
    int color;
    sweep_pass pass;
};

// Slices start at different threads for different bodies, so that many small bodies spread evenly.
static void run_slice(int slice, void* argument)
{
    const phase* p = (const phase*)argument;
    int width = p->step->exec->width;
    for (int i = 0; i < p->step->body_count; ++i) {
        body_run* b = &p->step->body[i];
        if (!b->plan->patched && !*b->failed) p->run(p, b, (slice + i) % width);
    }
}

static void run_phase(phase p, bool worth_sharing)
{
    executor* exec = p.step->exec;
    if (worth_sharing)
        executor_run(exec, run_slice, &p, exec->width);
    else
        for (int slice = 0; slice < exec->width; ++slice) run_slice(slice, &p);
}

// Slice number `slice` of `count` things, in whole multiples of `grain`.
static int slice_start(int count, int slice, int width, int grain)
{
    int64_t grains = (count + grain - 1) / grain;
    int64_t start = grains * slice / width * grain;
    return start < count ? (int)start : count;
}

// ---- particles ----------------------------------------------------------------------------------

static row_range particle_slice(const phase* p, const body_run* b, int slice)
{
    enum { GRAIN = 64 };
    int count = b->s->particle_count, width = p->step->exec->width;
    return (row_range){slice_start(count, slice, width, GRAIN),
                       slice_start(count, slice + 1, width, GRAIN), &b->pieces[slice].contacts,
                       NULL};
}

static void spread(const phase* p, body_run* b, int slice)
{
    const plan* of = b->plan;
    if (of->copies.phantom && of->spread_color == p->color)
        b->particles->spread(&b->work, particle_slice(p, b, slice));
}

static void gather(const phase* p, body_run* b, int slice)
{
    if (b->plan->copies.phantom) b->particles->gather(&b->work, particle_slice(p, b, slice));
}

// Slices of rods' segments.
static row_range segment_slice(const phase* p, const body_run* b, int slice)
{
    enum { GRAIN = 16 };
    int count = b->rods->count, width = p->step->exec->width;
    return (row_range){slice_start(count, slice, width, GRAIN),
                       slice_start(count, slice + 1, width, GRAIN), NULL, NULL};
}

static rod_step rod_step_of(const body_run* b, const sweep_pass* pass)
{
    const particle_work* w = &b->work;
    double seen = seen_step(b, pass->substep);
    return (rod_step){.h = w->h,
                      .seen = w->sees.motion * w->h,
                      .whole = 1 / w->sees.push,
                      .scale = pass->braking ? 1 / (b->rods->damping * brake_step(b))
                                             : 1 / (seen * seen),
                      .keep = 1 - w->drag,
                      .damped = w->damped,
                      .braking = pass->braking,
                      .first = pass->first};
}

typedef void begin_rods(const rod_set* r, rod_state* s, const rod_step* h, int first, int last);

static void run_rods(const phase* p, body_run* b, int slice, begin_rods* part)
{
    row_range range = segment_slice(p, b, slice);
    rod_step h = rod_step_of(b, &p->pass);
    if (range.first < range.last) part(b->rods, b->oriented, &h, range.first, range.last);
}

static void coast(const phase* p, body_run* b, int slice)
{
    if (!b->work.damped) return;
    b->particles->coast(&b->work, particle_slice(p, b, slice));
    if (b->rods) run_rods(p, b, slice, b->rod_sweeps->coast);
}

// What is rigid is one thing, and has one slice.
static void predict(const phase* p, body_run* b, int slice)
{
    if (b->rigid && slice == 0) rigid_body_begin(b);
    if (!b->rigid) b->particles->predict(&b->work, particle_slice(p, b, slice));
    if (b->rods) run_rods(p, b, slice, b->rod_sweeps->predict);
}

static void touch(const phase* p, body_run* b, int slice)
{
    if (!b->rigid) b->particles->touch(&b->work, particle_slice(p, b, slice), p->pass.first);
}

static void update(const phase* p, body_run* b, int slice)
{
    bool good = true;
    if (!b->rigid)
        good = b->particles->update(&b->work, particle_slice(p, b, slice));
    else if (slice == 0)
        good = rigid_body_end(b);
    if (b->rods) {
        row_range range = segment_slice(p, b, slice);
        rod_step h = rod_step_of(b, &p->pass);
        good = b->rod_sweeps->update(b->rods, b->oriented, &h, range.first, range.last) && good;
    }
    if (!good) b->diverged = true;
}

// ---- constraints --------------------------------------------------------------------------------

// The reference: lane after lane, all rounds of a lane in a row. The kernels are scalar here.
static void solve_serial(const phase* p, body_run* b)
{
    for (size_t g = 0; g < b->plan->group_count; ++g)
        for (int lane = 0; lane < b->plan->group[g].lanes; ++lane)
            solve_group(b, b->plan->patch, &b->plan->group[g], &p->pass, lane, 1);
}

static int color_size(const plan* p, int color)
{
    return !p->patched && color < p->color_count ? p->color_group[color + 1] - p->color_group[color]
                                                 : 0;
}

static void sweep_color(const phase* p, body_run* b, int slice)
{
    int count = color_size(b->plan, p->color), width = p->step->exec->width;
    if (count == 0 || (p->pass.braking && p->pass.turn >= b->order.brakes)) return;
    if (b->plan->serial) {
        if (slice == 0) solve_serial(p, b);
        return;
    }
    const lane_group* group = b->plan->group + b->plan->color_group[p->color];
    sweep_pass pass = p->pass;
    pass.averaged = b->plan->copies.phantom && p->color >= b->plan->spread_color;
    int last = slice_start(count, slice + 1, width, 1);
    for (int g = slice_start(count, slice, width, 1); g < last; ++g)
        solve_group(b, b->plan->patch, &group[g], &pass, 0, BLOCK);
}

// Handing a few groups to other threads takes longer than solving them.
enum { GROUPS_WORTH_SHARING = 8 };

static void sweep_colors(step_work* step, sweep_pass pass)
{
    int colors = 0;
    bool copied = false;
    for (int b = 0; b < step->body_count; ++b) {
        const plan* p = step->body[b].plan;
        if (!p->patched && p->color_count > colors) colors = p->color_count;
        copied = copied || p->copies.phantom;
    }
    for (int color = 0; color < colors; ++color) {
        int groups = 0;
        bool spreads = false;
        for (int b = 0; b < step->body_count; ++b) {
            const plan* p = step->body[b].plan;
            groups += color_size(p, color);
            spreads = spreads || (p->copies.phantom && p->spread_color == color);
        }
        if (spreads) run_phase((phase){step, spread, color, pass}, true);
        run_phase((phase){step, sweep_color, color, pass}, groups >= GROUPS_WORTH_SHARING);
    }
    if (copied) run_phase((phase){step, gather, 0, pass}, true);
}

// ---- what closed surfaces hold ------------------------------------------------------------------

static void enclose(const phase* p, body_run* b, int slice)
{
    if (b->inside)
        b->particles->enclose(&b->work, particle_slice(p, b, slice), b->inside, b->inside_sums);
}

static void inflate(const phase* p, body_run* b, int slice)
{
    if (b->inside) b->particles->inflate(&b->work, particle_slice(p, b, slice), b->inside_sums);
}

static void hold_volumes(step_work* step, sweep_pass pass)
{
    run_phase((phase){.step = step, .run = enclose}, true);
    for (int i = 0; i < step->body_count; ++i) {
        body_run* b = &step->body[i];
        if (!b->inside || b->plan->patched || *b->failed) continue;
        enclosure_sums* sums = b->inside_sums;
        sums->change = enclosed_solve(sums->sum, enclosure_piece_count(b->inside),
                                      enclosure_rules(b->inside, seen_step(b, pass.substep)),
                                      pass.first, &sums->lambda);
    }
    run_phase((phase){.step = step, .run = inflate}, true);
}

// ---- clusters of particles ----------------------------------------------------------------------

// First to last of some things, for a slice.
static row_range share_of(const phase* p, int count, int slice)
{
    int width = p->step->exec->width;
    return (row_range){slice_start(count, slice, width, 1), slice_start(count, slice + 1, width, 1),
                       NULL, NULL};
}

static void look_at_clusters(const phase* p, body_run* b, int slice)
{
    if (!b->clusters) return;
    row_range pieces = share_of(p, b->clusters->piece_count, slice);
    b->matches->look(b->s, b->clusters, b->matched, pieces.first, pieces.last);
}

static void solve_clusters(const phase* p, body_run* b, int slice)
{
    if (!b->clusters) return;
    row_range all = share_of(p, b->clusters->count, slice);
    clusters_solve(b->clusters, b->matched, all.first, all.last);
}

static void push_to_shapes(const phase* p, body_run* b, int slice)
{
    if (!b->clusters) return;
    row_range rows = particle_slice(p, b, slice);
    match_rules rules =
        cluster_rules(b->clusters, b->work.h, seen_step(b, p->pass.substep), p->pass.first);
    b->matches->push(b->s, b->clusters, b->matched, rules, p->pass.first, rows.first, rows.last);
}

static void match_shapes(step_work* step, sweep_pass pass)
{
    run_phase((phase){.step = step, .run = look_at_clusters, .pass = pass}, true);
    run_phase((phase){.step = step, .run = solve_clusters, .pass = pass}, true);
    run_phase((phase){.step = step, .run = push_to_shapes, .pass = pass}, true);
}

// ---- rods ---------------------------------------------------------------------------------------

static int rod_color_size(const body_run* b, int color)
{
    const rod_set* r = b->rods;
    return r && color < r->color_count ? r->color_group[color + 1] - r->color_group[color] : 0;
}

static void sweep_rod_color(const phase* p, body_run* b, int slice)
{
    int count = rod_color_size(b, p->color), width = p->step->exec->width;
    if (count == 0 || (p->pass.braking && p->pass.turn >= b->order.brakes)) return;
    int group = b->rods->color_group[p->color];
    rod_step h = rod_step_of(b, &p->pass);
    int first = slice_start(count, slice, width, 1), last = slice_start(count, slice + 1, width, 1);
    if (first < last)
        b->rod_sweeps->sweep(b->rods, b->oriented, b->s, &h, group + first, group + last);
}

// They keep angular momentum by themselves, spins included, so they come after its sums.
static void sweep_rods(step_work* step, sweep_pass pass)
{
    int colors = 0;
    for (int b = 0; b < step->body_count; ++b) {
        const body_run* body = &step->body[b];
        if (body->rods && body->rods->color_count > colors) colors = body->rods->color_count;
    }
    for (int color = 0; color < colors; ++color) {
        int groups = 0;
        for (int b = 0; b < step->body_count; ++b) groups += rod_color_size(&step->body[b], color);
        run_phase((phase){step, sweep_rod_color, color, pass}, groups >= GROUPS_WORTH_SHARING);
    }
}

// ---- angular momentum ---------------------------------------------------------------------------

typedef void torque_part(const particle_work* w, const torque_scratch* t, int first, int last,
                         bool kept);

static void run_torques(const phase* p, body_run* b, int slice, torque_part* part, int count)
{
    int width = p->step->exec->width;
    part(&b->work, b->torque, slice_start(count, slice, width, 1),
         slice_start(count, slice + 1, width, 1), order_goes_on_from_sweep(&b->order, &p->pass));
}

static void keep(const phase* p, body_run* b, int slice)
{
    row_range range = particle_slice(p, b, slice);
    if (b->s->kept) b->torques->keep(&b->work, range.first, range.last);
}

static void sum_torques(const phase* p, body_run* b, int slice)
{
    run_torques(p, b, slice, b->torques->sum, b->plan->strip_count);
}

static void solve_torques(const phase* p, body_run* b, int slice)
{
    run_torques(p, b, slice, b->torques->solve, b->plan->component_count);
}

static void untwist(const phase* p, body_run* b, int slice)
{
    run_torques(p, b, slice, b->torques->untwist, b->plan->strip_count);
}

static void keep_angular_momentum(step_work* step, sweep_pass pass)
{
    run_phase((phase){.step = step, .run = sum_torques, .pass = pass}, true);
    run_phase((phase){.step = step, .run = solve_torques, .pass = pass}, false);
    run_phase((phase){.step = step, .run = untwist, .pass = pass}, true);
}

// ---- phases -------------------------------------------------------------------------------------

colored_bodies colors_find(const step_work* step)
{
    colored_bodies found = {0};
    for (int i = 0; i < step->body_count; ++i) {
        const body_run* b = &step->body[i];
        if (b->plan->patched || *b->failed) continue;
        found.any = true;
        found.inside = found.inside || b->inside;
        found.clustered = found.clustered || b->clusters;
        found.rods = found.rods || b->rods;
        found.untwisted = found.untwisted || b->plan->component_count > 0;
        if (b->rigid) continue;
        found.to_touch = found.to_touch || b->work.collider_count > 0 || b->work.holder_count > 0 ||
                         b->work.roller_count > 0 || b->work.sees.motion < 1 ||
                         b->s->lift; // of contacts with bodies, to be taken back
    }
    return found;
}

void colors_begin(step_work* step, const sweep_pass* pass)
{
    run_phase((phase){.step = step, .run = pass->braking ? coast : predict, .pass = *pass}, true);
}

void colors_sweep(step_work* step, colored_bodies found, const sweep_pass* pass)
{
    bool goes_on = !pass->braking && !pass->first; // none of these bodies has turns
    if (found.untwisted && goes_on)
        run_phase((phase){.step = step, .run = keep, .pass = *pass}, true);
    sweep_colors(step, *pass);
    if (pass->braking) {
        if (found.rods) sweep_rods(step, *pass);
        return;
    }
    if (found.inside) hold_volumes(step, *pass);
    if (found.clustered) match_shapes(step, *pass);
    if (found.untwisted) keep_angular_momentum(step, *pass);
    if (found.rods) sweep_rods(step, *pass);
}

void colors_touch(step_work* step, const sweep_pass* pass)
{
    run_phase((phase){.step = step, .run = touch, .pass = *pass}, true);
}

void colors_update(step_work* step) { run_phase((phase){.step = step, .run = update}, true); }
