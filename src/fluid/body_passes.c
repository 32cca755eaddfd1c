// Particles of liquids and beads of other bodies push each other: passes over both (bodies.h).
#include "contact/list.h"
#include "fluid/system.h"
#include "math/narrow.h"
#include "solver/state.h"
#include <math.h>
#include <string.h>

enum { MANY = 256, FEW = 32 }; // particles or beads of a task: of short work, and of long

static void put(const fluid_system* s, void* array, size_t at, double value)
{
    if (s->scalar_bytes == 4)
        ((float*)array)[at] = (float)value;
    else
        ((double*)array)[at] = value;
}
static void add(const fluid_system* s, void* array, size_t at, double value)
{
    put(s, array, at, state_get(array, at, s->scalar_bytes) + value);
}
static double get(const fluid_system* s, const void* array, size_t at)
{
    return state_get(array, at, s->scalar_bytes);
}

// ---- pairs --------------------------------------------------------------------------------------

// Where they are now. Returns what the bead fills of the particle's kernel.
static double look_at_pair(const fluid_system* s, wet_pair* p, const double at[3], int bead)
{
    const double* x = s->bodies.place + 4 * (size_t)bead;
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        double way = at[k] - x[k];
        p->way[k] = narrow(way);
        square += way * way;
    }
    p->slope = p->length = 0;
    if (!(square < s->set.kernel.reach * s->set.kernel.reach)) return 0;
    double length = sqrt(square), near = 1 - length / s->set.kernel.reach;
    p->length = narrow(length);
    p->slope = narrow(s->set.kernel.slope * x[3] * near * near * near);
    return s->set.kernel.weight * x[3] * near * near * near * near * (5 - 4 * near);
}

static double strength_of(const wet_pair* p) { return (double)p->slope * (double)p->length; }

// What all beads of a particle fill: their slope [1/m], and the share [-].
static void look_at_pairs(const fluid_system* s, int i, double out[4])
{
    const fluid_bodies* b = &s->bodies;
    double at[3];
    for (size_t k = 0; k < 3; ++k) at[k] = get(s, s->set.place, 4 * (size_t)i + k);
    for (int k = 0; k < 4; ++k) out[k] = 0;
    for (int n = b->start[i]; n < b->start[i + 1]; ++n) {
        wet_pair* p = &b->pair[n];
        out[3] += look_at_pair(s, p, at, b->bead[n]);
        for (int k = 0; k < 3; ++k) out[k] += (double)p->slope * (double)p->way[k];
    }
}

// ---- how bodies give way ------------------------------------------------------------------------

// [1/kg] At most, of a bead of a rigid body.
static double lightness_of(const rigid_state* r, const double at[3])
{
    double least = fmin(r->inertia[0], fmin(r->inertia[1], r->inertia[2]));
    return r->held ? 0 : 1 / r->mass + d3_dot(at, at) / least;
}

static double inverse_mass_of(const state* s, int particle)
{
    return state_read(s, s->velocity, ROW4, particle, ROW4_W);
}

// Particles push a body all at once. `light` is how hard they do at each bead, for a pressure of
// one, and becomes by how much the bead gives way then: with each slope times this, the sum over a
// row of the system, which bounds its eigenvalues (docs/theory.md).
static void share_rigid(fluid_bodies* b, const wet_body* w)
{
    double all = 0;
    for (int i = w->first; i < w->first + w->hull->beads.count; ++i)
        if (b->light[i] > 0)
            all += b->light[i] * sqrt(lightness_of(w->run->rigid, fluid_bead_of(w, i)->at));
    for (int i = w->first; i < w->first + w->hull->beads.count; ++i)
        b->light[i] =
            all > 0 ? all * sqrt(lightness_of(w->run->rigid, fluid_bead_of(w, i)->at)) : 0;
}

static void share_soft(fluid_bodies* b, const wet_body* w)
{
    const state* of = w->run->s;
    double* press = w->hull->press;
    memset(press, 0, (size_t)of->particle_count * sizeof *press);
    for (int i = w->first; i < w->first + w->hull->beads.count; ++i) {
        const fluid_bead* one = fluid_bead_of(w, i);
        for (int n = 0; n < one->corners && b->light[i] > 0; ++n)
            press[one->corner[n]] += one->weight[n] * b->light[i];
    }
    for (int i = w->first; i < w->first + w->hull->beads.count; ++i) {
        const fluid_bead* one = fluid_bead_of(w, i);
        b->light[i] = 0;
        for (int n = 0; n < one->corners; ++n)
            if (press[one->corner[n]] > 0)
                b->light[i] +=
                    one->weight[n] * press[one->corner[n]] * inverse_mass_of(of, one->corner[n]);
    }
}

static void share_bodies(void* system, int first, int last)
{
    fluid_bodies* b = &((fluid_system*)system)->bodies;
    for (int i = first; i < last; ++i)
        if (b->body[i].run->rigid)
            share_rigid(b, &b->body[i]);
        else
            share_soft(b, &b->body[i]);
}

// ---- pushes -------------------------------------------------------------------------------------

static void add_load(fluid_system* s, const wet_body* w, const double at[3], const double push[3])
{
    fluid_load* l = &w->hull->load;
    double scale = 1 / (s->set.h * s->set.h * s->step->substeps), place[3], torque[3];
    for (int k = 0; k < 3; ++k) place[k] = s->origin[k] + at[k];
    d3_cross(place, push, torque);
    for (int k = 0; k < 3; ++k) {
        l->force[k] += scale * push[k];
        l->torque[k] += scale * torque[k];
    }
}

static void push_particle(const state* of, int particle, const double push[3])
{
    double w = inverse_mass_of(of, particle);
    int axes = of->axes[particle];
    if (!(w > 0)) return;
    for (int copy = 0; copy < plan_copy_count(of->plan, particle); ++copy) {
        size_t row = (size_t)plan_row(of->plan, particle, copy) * ROW + ROW_D;
        for (size_t k = 0; k < 3; ++k)
            if (!(axes >> k & 1))
                state_set(of->row, row + k,
                          state_get(of->row, row + k, of->scalar_bytes) + w * push[k],
                          of->scalar_bytes);
    }
}

static void push_soft(fluid_system* s, const wet_body* w)
{
    const fluid_bodies* b = &s->bodies;
    double* sum = w->hull->push;
    memset(sum, 0, 3 * (size_t)w->run->s->particle_count * sizeof *sum);
    for (int i = w->first; i < w->first + w->hull->beads.count; ++i) {
        const fluid_bead* one = fluid_bead_of(w, i);
        const double* push = b->push + 3 * (size_t)i;
        if (b->bead_start[i] == b->bead_start[i + 1]) continue;
        add_load(s, w, b->place + 4 * (size_t)i, push);
        for (int n = 0; n < one->corners; ++n)
            for (int k = 0; k < 3; ++k)
                sum[3 * (size_t)one->corner[n] + (size_t)k] += one->weight[n] * push[k];
    }
    for (int i = 0; i < w->run->s->particle_count; ++i) {
        const double* push = sum + 3 * (size_t)i;
        if (push[0] != 0 || push[1] != 0 || push[2] != 0) push_particle(w->run->s, i, push);
    }
}

static void push_rigid(fluid_system* s, const wet_body* w)
{
    const fluid_bodies* b = &s->bodies;
    rigid_state* r = w->run->rigid;
    for (int i = w->first; i < w->first + w->hull->beads.count; ++i) {
        const double *x = b->place + 4 * (size_t)i, *push = b->push + 3 * (size_t)i;
        double arm[3];
        if (b->bead_start[i] == b->bead_start[i + 1]) continue;
        add_load(s, w, x, push);
        for (int k = 0; k < 3; ++k) arm[k] = x[k] + s->origin[k] - r->center[k];
        if (!r->held) rigid_push(r, arm, push);
    }
    if (!r->held) rigid_solve(r);
}

static void push_bodies(void* system, int first, int last)
{
    fluid_system* s = (fluid_system*)system;
    for (int i = first; i < last; ++i) {
        const wet_body* w = &s->bodies.body[i];
        if (*w->run->failed) continue;
        if (w->run->rigid)
            push_rigid(s, w);
        else
            push_soft(s, w);
    }
}

// ---- drag ---------------------------------------------------------------------------------------

// [kg/m^2] What a pair resists with over the square of its way: as two particles would of which one
// does not flow at all, so that the mean (harmonic) of their viscosities is twice that of the other
// one.
static double hold_of(const fluid_system* s, const wet_pair* p)
{
    const double viscosity = s->member[s->owner[p->place]].viscosity;
    const double least = 1e-4 * s->set.kernel.reach * s->set.kernel.reach;
    return 20 * viscosity * s->set.h * s->set.kernel.volume * (double)p->slope /
           ((double)p->length * (double)p->length + least);
}

static double stick_of(const fluid_system* s, const wet_pair* p)
{
    return hold_of(s, p) * (double)p->length * (double)p->length;
}

// How much all beads of a particle together would take of a slip, were they to stand still; and all
// particles of a bead.
static void stick_particles(void* system, int first, int last)
{
    fluid_system* s = (fluid_system*)system;
    const fluid_bodies* b = &s->bodies;
    for (int i = first; i < last; ++i) {
        double sum = 0, filled[4];
        if (b->start[i] == b->start[i + 1]) continue;
        look_at_pairs(s, i, filled);
        for (int n = b->start[i]; n < b->start[i + 1]; ++n) sum += stick_of(s, &b->pair[n]);
        put(s, s->set.give, (size_t)i, sum * get(s, s->set.place, 4 * (size_t)i + 3));
    }
}

static void stick_beads(void* system, int first, int last)
{
    fluid_system* s = (fluid_system*)system;
    fluid_bodies* b = &s->bodies;
    for (int i = first; i < last; ++i) {
        b->light[i] = 0;
        for (int n = b->bead_start[i]; n < b->bead_start[i + 1]; ++n)
            b->light[i] += stick_of(s, &b->pair[b->near[n]]);
    }
}

// [kg m] On the particle of a pair: nobody goes beyond the mean of those around it.
static void drag_pair(const fluid_system* s, const wet_pair* p, int bead, double out[3])
{
    out[0] = out[1] = out[2] = 0;
    if (!(p->slope > 0)) return;
    const double* d = s->bodies.motion + 3 * (size_t)bead;
    size_t i = (size_t)p->place;
    double along = 0, most = fmax(2 * fmax(get(s, s->set.give, i), s->bodies.light[bead]), 1);
    for (size_t k = 0; k < 3; ++k)
        along += (double)p->way[k] * (d[k] - get(s, s->set.motion, 4 * i + k));
    for (int k = 0; k < 3; ++k) out[k] = hold_of(s, p) / most * along * (double)p->way[k];
}

static void drag_beads(void* system, int first, int last)
{
    fluid_system* s = (fluid_system*)system;
    fluid_bodies* b = &s->bodies;
    for (int i = first; i < last; ++i) {
        double *push = b->push + 3 * (size_t)i, one[3];
        push[0] = push[1] = push[2] = 0;
        for (int n = b->bead_start[i]; n < b->bead_start[i + 1]; ++n) {
            drag_pair(s, &b->pair[b->near[n]], i, one);
            for (int k = 0; k < 3; ++k) push[k] -= one[k];
        }
    }
}

static void drag_particles(void* system, int first, int last)
{
    fluid_system* s = (fluid_system*)system;
    const fluid_bodies* b = &s->bodies;
    for (int i = first; i < last; ++i) {
        double sum[3] = {0, 0, 0}, one[3], w = get(s, s->set.place, 4 * (size_t)i + 3);
        for (int n = b->start[i]; n < b->start[i + 1]; ++n) {
            drag_pair(s, &b->pair[n], b->bead[n], one);
            for (int k = 0; k < 3; ++k) sum[k] += one[k];
        }
        if (b->start[i] == b->start[i + 1]) continue;
        for (size_t k = 0; k < 3; ++k) {
            add(s, s->set.motion, 4 * (size_t)i + k, w * sum[k]);
            add(s, s->set.move, 4 * (size_t)i + k, w * sum[k]);
            add(s, s->set.place, 4 * (size_t)i + k, w * sum[k]);
        }
    }
}

void fluid_drag_bodies(fluid_system* s)
{
    split_run(s->exec, stick_particles, s, s->set.count, MANY);
    split_run(s->exec, stick_beads, s, s->bodies.bead_count, FEW);
    split_run(s->exec, share_bodies, s, s->bodies.count, 1);
    split_run(s->exec, drag_beads, s, s->bodies.bead_count, FEW);
    split_run(s->exec, drag_particles, s, s->set.count, MANY);
    split_run(s->exec, push_bodies, s, s->bodies.count, 1);
}

// ---- pressure -----------------------------------------------------------------------------------

static void fill_kernels(void* system, int first, int last)
{
    fluid_system* s = (fluid_system*)system;
    const fluid_bodies* b = &s->bodies;
    for (int i = first; i < last; ++i) {
        double sum[4];
        if (b->start[i] == b->start[i + 1]) continue;
        look_at_pairs(s, i, sum);
        for (size_t k = 0; k < 4; ++k) add(s, s->set.wall, 4 * (size_t)i + k, sum[k]);
    }
}

// [1/m] How hard all particles of a bead could push it together, for a pressure of one.
static void sum_slopes(void* system, int first, int last)
{
    fluid_bodies* b = &((fluid_system*)system)->bodies;
    for (int i = first; i < last; ++i) {
        b->light[i] = 0;
        for (int n = b->bead_start[i]; n < b->bead_start[i + 1]; ++n)
            b->light[i] += strength_of(&b->pair[b->near[n]]);
    }
}

static void sum_gives(void* system, int first, int last)
{
    static const double half = 0.5; // of the bound: the largest eigenvalue is 2 then
    fluid_system* s = (fluid_system*)system;
    const fluid_bodies* b = &s->bodies;
    for (int i = first; i < last; ++i) {
        double give = 0;
        for (int n = b->start[i]; n < b->start[i + 1]; ++n)
            give += strength_of(&b->pair[n]) * b->light[b->bead[n]];
        put(s, s->set.give, (size_t)i, half * give);
    }
}

void fluid_fill_bodies(fluid_system* s)
{
    split_run(s->exec, fill_kernels, s, s->set.count, MANY);
    split_run(s->exec, sum_slopes, s, s->bodies.bead_count, FEW);
    split_run(s->exec, share_bodies, s, s->bodies.count, 1);
    split_run(s->exec, sum_gives, s, s->set.count, MANY);
}

// [kg m] On a bead, by what the pressures of its particles have changed.
static void press_beads(void* system, int first, int last)
{
    fluid_system* s = (fluid_system*)system;
    fluid_bodies* b = &s->bodies;
    double unit = s->set.h * s->set.h * s->set.kernel.volume;
    for (int i = first; i < last; ++i) {
        double* push = b->push + 3 * (size_t)i;
        push[0] = push[1] = push[2] = 0;
        for (int n = b->bead_start[i]; n < b->bead_start[i + 1]; ++n) {
            const wet_pair* p = &b->pair[b->near[n]];
            double change = get(s, s->set.press, 4 * (size_t)p->place + 3);
            for (int k = 0; k < 3; ++k)
                push[k] -= unit * change * (double)p->slope * (double)p->way[k];
        }
    }
}

void fluid_push_bodies(fluid_system* s)
{
    if (!s->set.give) return;
    split_run(s->exec, press_beads, s, s->bodies.bead_count, FEW);
    split_run(s->exec, push_bodies, s, s->bodies.count, 1);
}
