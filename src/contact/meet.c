// The order of work where bodies meet: once after each sweep of places, and once after the
// velocities are known.
#include "base/platform.h"
#include "contact/crossed.h"
#include "contact/list.h"
#include "contact/pressing.h"
#include "contact/zones.h"
#include <string.h>

static const pressing_kernels* kernels(const contact_system* s)
{
    return pressing_kernels_for(s->scalar_bytes);
}
static void on_pairs(contact_system* s, part_fn* part)
{
    system_run(s, part, s->pair_count, PAIRS_OF_TASK);
}
static void on_points(contact_system* s, part_fn* part)
{
    system_run(s, part, s->live_count, POINTS_OF_TASK);
}

// ---- pairs --------------------------------------------------------------------------------------

static bool find(contact_system* s, double carry)
{
    if (!reach_is_listed(s) && !list_make(s)) return false;
    if (!pairs_make(s, carry)) return false;
    on_points(s, kernels(s)->load);
    return true;
}

// Somebody goes farther than was thought: rows take what points have, and all is found again.
static bool look_farther(contact_system* s)
{
    if (!s->escaped) return true;
    s->escaped = false;
    reach_look_again(s);
    on_points(s, kernels(s)->store);
    return find(s, 1);
}

// ---- passes -------------------------------------------------------------------------------------

// Once a step, and only while somebody crosses or may do so. Who does is looked for deeper.
static bool look_for_crossed(contact_system* s)
{
    if (!s->look_for_crossed && s->crossed_count == 0) return true;
    if (!reach_is_listed(s) && !list_make(s)) return false;
    if (!crossed_look(s)) return false;
    if (s->crossed_count > 0) s->listed = false;
    return true;
}

static bool start_substep(contact_system* s, int number)
{
    double ratio = s->last_h > 0 ? s->h / s->last_h : 0;
    s->escaped = false;
    reach_look(s);
    if (number == 0 && !look_for_crossed(s)) return false;
    if (!find(s, ratio * ratio)) return false;
    on_pairs(s, kernels(s)->warm);
    on_points(s, kernels(s)->count);
    on_points(s, kernels(s)->move);
    return look_farther(s);
}

static bool press(contact_system* s)
{
    for (int pass = 0; pass < s->passes; ++pass) {
        s->touching = false;
        on_pairs(s, kernels(s)->judge);
        if (!s->touching) return true;
        on_points(s, kernels(s)->count);
        on_pairs(s, kernels(s)->press);
        on_points(s, kernels(s)->move);
        if (!look_farther(s)) return false;
    }
    return true;
}

// ---- the guard ----------------------------------------------------------------------------------

static bool is_crossing(contact_system* s)
{
    s->violated = false;
    on_pairs(s, kernels(s)->look);
    return s->violated;
}

static bool guard(contact_system* s)
{
    enum { ROUNDS = 4 };
    for (int round = 0; round < ROUNDS; ++round) {
        if (!is_crossing(s)) return true;
        s->figures.guarded_rounds++;
        on_points(s, kernels(s)->count_crossing);
        on_pairs(s, kernels(s)->hold);
        on_points(s, kernels(s)->hold_back);
        if (!look_farther(s)) return false;
    }
    zones_start(s);
    for (bool grown = true; grown && is_crossing(s);) {
        if (!zones_grow(s, &grown)) return false;
        if (!look_farther(s)) return false;
    }
    return true;
}

// ---- the substep --------------------------------------------------------------------------------

static void mark_pieces(contact_system* s)
{
    for (int i = 0; i < s->body_count; ++i) {
        contact_body* b = &s->body[i];
        for (int k = 0; b->touched && k < b->run->piece_count; ++k)
            b->run->pieces[k].contacts.touching = b->run->pieces[k].shared_contacts.touching = true;
        b->touched = false;
    }
}

static void finish_substep(contact_system* s)
{
    on_points(s, kernels(s)->mark);
    on_pairs(s, kernels(s)->settle);
    mark_pieces(s);
    reach_go_on(s);
    s->last_h = s->h;
}

static double lap(double* since)
{
    double now = platform_seconds(), passed = now - *since;
    *since = now;
    return passed;
}

// [m/s] What gravity brings between two contacts, at most.
static double fastest_rest(const contact_system* s)
{
    double most = 0;
    for (int i = 0; i < s->body_count; ++i)
        if (s->body[i].meets) most = fmax(most, s->body[i].run->work.rest_speed);
    return most;
}

pliant_result contact_meet(void* system, step_work* step, const sweep_pass* pass)
{
    contact_system* s = (contact_system*)system;
    double clock = platform_seconds();
    s->h = step->dt / step->substeps;
    s->rest_speed = fastest_rest(s);
    if (pass->first) {
        if (!start_substep(s, pass->substep)) return PLIANT_ERROR_MEMORY;
    } else {
        on_points(s, kernels(s)->load_increments);
    }
    s->figures.find += lap(&clock);
    if (!press(s)) return PLIANT_ERROR_MEMORY;
    s->figures.solve += lap(&clock);
    if (pass->last) {
        if (!guard(s)) return PLIANT_ERROR_MEMORY;
        s->figures.guard += lap(&clock);
        finish_substep(s);
    }
    on_points(s, kernels(s)->store);
    s->figures.solve += lap(&clock);
    return PLIANT_OK;
}

static bool bounces(const contact_system* s)
{
    for (int i = 0; i < s->body_count; ++i)
        if (s->body[i].meets && s->body[i].restitution > 0) return true;
    return false;
}

void contact_bounce(void* system, step_work* step)
{
    enum { ROUNDS = 4 };
    contact_system* s = (contact_system*)system;
    (void)step;
    if (!bounces(s)) return;
    on_points(s, kernels(s)->load_velocities);
    for (int round = 0; round < ROUNDS; ++round) {
        on_pairs(s, kernels(s)->rebound);
        on_points(s, kernels(s)->speed_up);
    }
}
