#include "gas/system.h"
#include "base/memory.h"
#include "base/platform.h"
#include "contact/list.h"
#include "solver/state.h"
#include <math.h>
#include <string.h>

#ifdef PLIANT_X86
extern const gas_kernels gas_8_avx2, gas_16_avx512;
#endif
extern const gas_kernels gas_double, gas_1, gas_4;

// No wider than the processor, which the bits do not tell.
const gas_kernels* gas_kernels_for(int lanes, int scalar_bytes)
{
    if (scalar_bytes == 8) return &gas_double;
#ifdef PLIANT_X86
    if (lanes == 16 && platform_lanes() >= 16) return &gas_16_avx512;
    if (lanes >= 8 && platform_lanes() >= 8) return &gas_8_avx2;
#endif
    return lanes >= 4 ? &gas_4 : &gas_1;
}

// ---- members ------------------------------------------------------------------------------------

bool gas_start(gas_system* s, int members)
{
    s->member_count = 0;
    s->looks = s->drives = false;
    return mem_reserve((void**)&s->member, &s->member_capacity, members, sizeof *s->member);
}

void gas_add(gas_system* s, const gas_member* m)
{
    if (s->member_count == 0) s->base = m->heat.ambient;
    s->looks = s->looks || m->gas.spacing > 0 || (m->temperature && m->heat.exchange > 0);
    s->drives = s->drives || m->spin;
    s->member[s->member_count++] = *m;
}

// A particle exchanges about 5 times its diffusivity over the square of the spacing with those
// around. Sweeps are as short as that takes; beyond the most of them heat goes more slowly.
void gas_prepare(gas_system* s, double h, double spacing)
{
    enum { MOST = 16 };
    static const double full = 0.06; // of h a / spacing^2 in one sweep
    double most = 0;
    for (int i = 0; i < s->member_count; ++i) {
        const gas_member* m = &s->member[i];
        double volume = spacing * spacing * spacing;
        if (!m->temperature || !(m->particle_mass > 0)) continue;
        double a = m->heat.conductivity * volume / (m->heat.capacity * m->particle_mass);
        most = fmax(most, a * h / (spacing * spacing));
    }
    s->sweeps = most > 0 ? most > MOST * full ? MOST : 1 + (int)(most / full) : 0;
    s->set.part = s->sweeps ? h / s->sweeps : 0;
}

static void** arrays_of(gas_system* s, int i)
{
    gas_set* g = &s->set;
    void** const all[] = {&g->heat,  &g->warm,    &g->spin, &g->turn,
                          &g->climb, &g->stretch, &g->side, &g->push};
    return all[i];
}
enum { ARRAYS = 8 };

static bool reserve(gas_system* s)
{
    int* const capacity[ARRAYS] = {&s->heat_capacity, &s->warm_capacity,  &s->spin_capacity,
                                   &s->turn_capacity, &s->climb_capacity, &s->stretch_capacity,
                                   &s->side_capacity, &s->push_capacity};
    size_t four = 4 * (size_t)s->fluid->scalar_bytes;
    for (int i = 0; i < ARRAYS; ++i)
        if (!mem_reserve(arrays_of(s, i), capacity[i], (int64_t)s->fluid->total + 1, four))
            return false;
    return true;
}

void gas_destroy(gas_system* s)
{
    for (int i = 0; i < ARRAYS; ++i) mem_free(*arrays_of(s, i));
    mem_free(s->member);
    memset(s, 0, sizeof *s);
}

// ---- rows ---------------------------------------------------------------------------------------

static inline double get(const gas_system* s, const void* array, size_t at)
{
    return state_get(array, at, s->fluid->scalar_bytes);
}
static inline void put(const gas_system* s, void* array, size_t at, double value)
{
    state_set(array, at, value, s->fluid->scalar_bytes);
}

static inline const gas_member* member_at(const gas_system* s, size_t place)
{
    return &s->member[s->fluid->owner[place]];
}
static inline size_t particle_at(const gas_system* s, size_t place)
{
    return (size_t)s->fluid->particle[place];
}

// [K/J]
static double warmed_by(const gas_member* m)
{
    return m->temperature && m->particle_mass > 0 ? 1 / (m->heat.capacity * m->particle_mass) : 0;
}

static void load(void* system, int first, int last)
{
    const gas_system* s = (const gas_system*)system;
    for (size_t i = (size_t)first; i < (size_t)last; ++i) {
        const gas_member* m = member_at(s, i);
        size_t p = particle_at(s, i);
        bool remembers = m->spin && isfinite(m->spin[3 * p]);
        put(s, s->set.heat, 4 * i, m->temperature ? m->temperature[p] - s->base : 0);
        put(s, s->set.heat, 4 * i + 1, warmed_by(m));
        put(s, s->set.heat, 4 * i + 2, m->temperature ? m->heat.conductivity : 0);
        put(s, s->set.heat, 4 * i + 3, 0);
        for (size_t k = 0; k < 4; ++k)
            put(s, s->set.spin, 4 * i + k, remembers && k < 3 ? m->spin[3 * p + k] : 0);
    }
}

// Nobody: at the place behind the last.
static void place_nobody(gas_system* s)
{
    for (int i = 0; i < ARRAYS; ++i)
        for (size_t k = 0; k < 4; ++k)
            put(s, *arrays_of(s, i), 4 * (size_t)s->fluid->set.count + k, 0);
}

// ---- passes -------------------------------------------------------------------------------------

typedef struct {
    const gas_set* set;
    gas_pass* pass;
} pass_work;

static void run_blocks(void* work, int first, int last)
{
    const pass_work* w = (const pass_work*)work;
    w->pass(w->set, first, last);
}

static void run_pass(gas_system* s, gas_pass* pass)
{
    enum { GRAIN = 16 };
    pass_work w = {&s->set, pass};
    split_run(s->fluid->exec, run_blocks, &w, fluid_blocks(&s->fluid->set), GRAIN);
}

static void each(gas_system* s, void (*one)(void*, int, int))
{
    enum { GRAIN = 1024 };
    split_run(s->fluid->exec, one, s, s->fluid->set.count, GRAIN);
}

// ---- heat ---------------------------------------------------------------------------------------

// What bodies know has more digits than what passes see: small gains are not lost.
static void take_heat(void* system, int first, int last)
{
    const gas_system* s = (const gas_system*)system;
    for (size_t i = (size_t)first; i < (size_t)last; ++i) {
        const gas_member* m = member_at(s, i);
        if (!m->temperature) continue;
        double* t = &m->temperature[particle_at(s, i)];
        *t += get(s, s->set.turn, 4 * i + 3);
        put(s, s->set.heat, 4 * i, *t - s->base);
    }
}

static void conduct(gas_system* s, const gas_kernels* kernels)
{
    if (s->sweeps) run_pass(s, kernels->weigh);
    for (int i = 0; i < s->sweeps; ++i) {
        run_pass(s, kernels->conduct);
        each(s, take_heat);
    }
}

// ---- each by itself -----------------------------------------------------------------------------

// What was found of a particle.
typedef struct {
    double turn[3], stretch[3], climb[3], side[3]; // (gas.h)
    double open; // [-] how much of its surroundings is neither gas nor wall
} surroundings;

static surroundings look_around(const gas_system* s, size_t i)
{
    static const double within = 0.9; // so dense is what has a little room, but no open side
    surroundings a;
    for (size_t k = 0; k < 3; ++k) {
        a.turn[k] = get(s, s->set.turn, 4 * i + k);
        a.stretch[k] = get(s, s->set.stretch, 4 * i + k);
        a.climb[k] = get(s, s->set.climb, 4 * i + k);
        a.side[k] = get(s, s->set.side, 4 * i + k) + get(s, s->fluid->set.wall, 4 * i + k);
    }
    a.open = fmin(fmax(1 - get(s, s->set.climb, 4 * i + 3) / within, 0), 1);
    return a;
}

// Through the open part of its six faces.
static void cool(const gas_system* s, size_t i, const gas_member* m, const surroundings* a)
{
    double* t = m->temperature ? &m->temperature[particle_at(s, i)] : NULL;
    if (!t || !(m->heat.exchange > 0) || a->open == 0) return;
    double face = s->fluid->spacing * s->fluid->spacing;
    double rate = s->fluid->set.h * m->heat.exchange * 6 * face * a->open * warmed_by(m);
    *t += rate / (1 + rate) * (m->heat.ambient - *t);
}

// [K] By which it is warmer than what is around the gas.
static double warmer(const gas_system* s, size_t i, const gas_member* m)
{
    return m->temperature ? m->temperature[particle_at(s, i)] - m->heat.ambient : 0;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double length_of(const double a[3]) { return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

// D omega / dt = (omega . grad) v + b g x grad T: where a warm side and a cold one lie beside each
// other, gravity turns them (of grad rho x grad p / rho^2, by Boussinesq). Beyond an open side it
// is as warm as around. A flow stretches vorticity no faster than it turns; and who lies open,
// where little of a swirl is there, forgets and drives less.
static void change_spin(const gas_system* s, size_t i, const gas_member* m, const surroundings* a)
{
    double* spin = m->spin + 3 * particle_at(s, i);
    double climb[3], grow[3], h = s->fluid->set.h, swirl = h * m->gas.swirl;
    double kept = 1 / (1 + h / m->gas.swirl_time + swirl * a->open);
    double part = (1 - a->open) * swirl / (1 + swirl); // of a substep no more than all
    double outside = fmin(4 * a->open, 1) * warmer(s, i, m);
    for (int k = 0; k < 3; ++k) climb[k] = a->climb[k] - outside * a->side[k];
    cross(m->weight, climb, grow);
    if (!isfinite(spin[0])) memcpy(spin, a->turn, sizeof a->turn);
    double most = length_of(a->turn) * length_of(spin), stretch = length_of(a->stretch);
    double limit = stretch > most ? most / stretch : 1;
    for (size_t k = 0; k < 3; ++k) {
        double now = spin[k] + h * (limit * a->stretch[k] + m->gas.expansion * grow[k]);
        spin[k] = a->turn[k] + kept * (now - a->turn[k]);
        put(s, s->set.spin, 4 * i + k, part * (spin[k] - a->turn[k]));
    }
}

// Buoyancy, and the drag of the air around on an open face: rho / 2 A Cd u^2. [m/s] What that
// changes of the velocity.
static void blow(const gas_system* s, size_t i, const gas_member* m, const surroundings* a,
                 double out[3])
{
    const fluid_set* set = &s->fluid->set;
    double lift = -m->gas.expansion * warmer(s, i, m), air[3] = {0, 0, 0}, at[3], slip[3];
    double face = s->fluid->spacing * s->fluid->spacing, w = get(s, set->place, 4 * i + 3);
    double square = 0, rate = set->h * m->density / 2 * face * m->gas.drag * a->open * w;
    for (int k = 0; k < 3; ++k) out[k] = w > 0 ? set->h * lift * m->weight[k] : 0;
    if (!(rate > 0)) return;
    for (size_t k = 0; k < 3; ++k) at[k] = s->fluid->origin[k] + get(s, set->place, 4 * i + k);
    if (s->wind) wind_at(s->wind, s->time, at, air);
    for (size_t k = 0; k < 3; ++k) {
        slip[k] = air[k] - get(s, set->motion, 4 * i + k) / set->h;
        square += slip[k] * slip[k];
    }
    rate *= sqrt(square);
    for (int k = 0; k < 3; ++k) out[k] += rate / (1 + rate) * (slip[k] - out[k]);
}

static void move(const gas_system* s, size_t i, const double go[3])
{
    void* const array[] = {s->fluid->set.move, s->fluid->set.place, s->fluid->set.motion};
    for (size_t k = 0; k < 3; ++k)
        for (int n = 0; n < 3; ++n)
            put(s, array[n], 4 * i + k, get(s, array[n], 4 * i + k) + s->fluid->set.h * go[k]);
}

static void change(void* system, int first, int last)
{
    gas_system* s = (gas_system*)system;
    for (size_t i = (size_t)first; i < (size_t)last; ++i) {
        const gas_member* m = member_at(s, i);
        surroundings a = look_around(s, i);
        double go[3];
        cool(s, i, m, &a);
        if (!(m->gas.spacing > 0)) continue;
        if (m->spin) change_spin(s, i, m, &a);
        blow(s, i, m, &a, go);
        move(s, i, go);
    }
}

static void take_pushes(void* system, int first, int last)
{
    gas_system* s = (gas_system*)system;
    double go[3];
    for (size_t i = (size_t)first; i < (size_t)last; ++i) {
        for (size_t k = 0; k < 3; ++k) go[k] = get(s, s->set.push, 4 * i + k);
        move(s, i, go);
    }
}

bool gas_flow(void* system, fluid_system* fluid)
{
    gas_system* s = (gas_system*)system;
    const gas_kernels* kernels = gas_kernels_for(fluid->lanes, fluid->scalar_bytes);
    s->fluid = fluid;
    s->set.of = &fluid->set;
    if (!reserve(s)) return false;
    place_nobody(s);
    each(s, load);
    conduct(s, kernels);
    if (!s->looks) return true;
    run_pass(s, kernels->look);
    each(s, change);
    if (!s->drives) return true;
    run_pass(s, kernels->drive);
    each(s, take_pushes);
    return true;
}
