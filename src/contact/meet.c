// Where bodies meet on the processor: passes on the threads of the executor, in the order of
// order.h.
#include "base/platform.h"
#include "contact/colliders.h"
#include "contact/crossed.h"
#include "contact/list.h"
#include "contact/manifolds.h"
#include "contact/pressing.h"

typedef contact_system meeting;
#define ORDER static

static contact_set* meeting_set(meeting* m) { return &m->set; }

static void meeting_run(meeting* m, contact_pass pass) { pass_run(m, pass); }

static bool meeting_said(const meeting* m, const unsigned* flag)
{
    return flag_is_raised(flag, m->set.pass);
}

static bool meeting_loose(meeting* m, loose_step which, double carry)
{
    return loose_run(m, which, carry);
}

static void meeting_note_round(meeting* m) { m->set.guarded_rounds++; }
static void meeting_note_squeezed(meeting* m) { m->set.squeezed++; }
static void meeting_look(meeting* m) { reach_look(m); }
static void meeting_look_again(meeting* m) { reach_look_again(m); }
static bool meeting_list(meeting* m) { return lists_make(m); }
static bool meeting_pair(meeting* m, double carry) { return pairs_make(m, carry); }

static bool meeting_hold(meeting* m) { return pairs_hold(m); }
static bool meeting_color(meeting* m, bool bounces) { return manifolds_make(m, bounces); }
static void meeting_choose_color(meeting* m, int color, bool backward)
{
    m->set.color = color;
    m->set.backward = backward;
}

// Who crosses is looked for deeper.
static bool meeting_find_crossed(meeting* m)
{
    if (!crossed_look(m)) return false;
    if (m->set.crossed_count > 0) lists_forget(m);
    return true;
}

static void mark_pieces(contact_set* s)
{
    for (int i = 0; i < s->body_count; ++i) {
        contact_body* b = &s->body[i];
        for (int k = 0; b->touched && b->run && k < b->run->piece_count; ++k)
            b->run->pieces[k].contacts.touching = b->run->pieces[k].shared_contacts.touching = true;
        b->touched = 0;
    }
}

static void meeting_go_on(meeting* m)
{
    mark_pieces(&m->set);
    reach_go_on(m);
    m->last_h = m->set.h;
}

#include "contact/order_rigid.h"

#include "contact/order.h"

static double lap(double* since)
{
    double now = platform_seconds(), passed = now - *since;
    *since = now;
    return passed;
}

void contact_set_tell(contact_set* s)
{
    s->rest_speed = 0;
    for (int i = 0; i < s->body_count; ++i) {
        contact_body* b = &s->body[i];
        if (b->collider) continue;
        const particle_work* work = &b->run->work;
        s->rest_speed = fmax(s->rest_speed, work->rest_speed);
        for (int k = 0; k < 2; ++k) b->at.past_h[k] = work_past_h(work, k);
    }
}

static bool start(contact_system* s, const step_work* step, const sweep_pass* pass)
{
    s->set.h = step->dt / step->substeps;
    s->set.substeps = step->substeps;
    s->set.substep = pass->substep;
    s->set.flags = &s->flags;
    if (!pass->first) return true;
    contact_set_tell(&s->set);
    contact_set_next(&s->set);
    colliders_place(s, pass->substep);
    return pass->substep > 0 || loose_start(s);
}

static meeting_rules rules_of_pass(const contact_system* s, const sweep_pass* pass)
{
    double ratio = s->last_h > 0 ? s->set.h / s->last_h : 0;
    bool crossed = s->look_for_crossed || s->set.crossed_count > 0;
    return (meeting_rules){.passes = s->passes,
                           .carry = ratio * ratio,
                           .first = pass->first,
                           .last = pass->last,
                           .look_crossed = pass->substep == 0 && crossed};
}

pliant_result contact_meet(void* system, step_work* step, const sweep_pass* pass)
{
    contact_system* s = (contact_system*)system;
    double clock = platform_seconds();
    if (!start(s, step, pass)) return PLIANT_ERROR_MEMORY;
    const meeting_rules r = rules_of_pass(s, pass);
    if (!order_start(s, &r)) return PLIANT_ERROR_MEMORY;
    s->figures.find += lap(&clock);
    if (!order_press(s, &r)) return PLIANT_ERROR_MEMORY;
    s->figures.solve += lap(&clock);
    if (!order_guard(s, &r)) return PLIANT_ERROR_MEMORY;
    s->figures.guard += lap(&clock);
    order_end(s, &r);
    s->figures.solve += lap(&clock);
    return PLIANT_OK;
}

void contact_bounce(void* system, step_work* step)
{
    contact_system* s = (contact_system*)system;
    if (contact_set_bounces(&s->set) && !order_bounce(s)) step->result = PLIANT_ERROR_MEMORY;
}
