#include "world/contacts.h"
#include "base/sort.h"
#include "contact/pressing.h"
#include "world/inside.h"
#include "world/swept.h"
#include <math.h>
#include <string.h>

// ---- which bodies -------------------------------------------------------------------------------

static bool meets_bodies(const pliant_world* world, const body* b)
{
    return world->def.contacts && (b->contact.mask || b->contact.self);
}

// On the device nobody meets yet.
static bool takes_part(const pliant_world* world, const body* b)
{
    return !b->remote && (meets_bodies(world, b) || world->swept_count > 0);
}

static bool has_phases(const body* b)
{
    for (int i = 0; i < b->s.particle_count; ++i)
        if (b->s.phase[i]) return true;
    return false;
}

static double default_thickness(const pliant_asset* a, const contact_surface* surface)
{
    if (a->def.radius > 0) return 2 * a->def.radius;
    if (surface->rope) return 2 * a->def.rope.radius;
    return surface->mean_edge / (surface->closed ? 20 : 10);
}

static void describe_rows(const pliant_world* world, const body* b, contact_rows* out)
{
    const state* s = &b->s;
    const copies* c = &s->plan->copies;
    *out = (contact_rows){.row = s->row,
                          .velocity = s->velocity,
                          .residue = s->residue,
                          .contact = s->contact,
                          .past = s->past,
                          .lift = s->lift,
                          .copy_start = c->start,
                          .copy = c->row,
                          .axes = s->axes,
                          .phase = world->def.contacts && has_phases(b) ? s->phase : NULL,
                          .load = b->load_count ? b->load : NULL,
                          .load_rows = s->row_count};
}

static void describe(const pliant_world* world, const body* b, contact_body* out)
{
    const pliant_contact_def* def = &b->contact;
    bool meets = meets_bodies(world, b);
    out->run = b->run;
    out->s = &b->s;
    out->group = meets ? def->group : 0;
    out->mask = meets ? def->mask : 0;
    out->self = meets && def->self;
    out->radius = 0.5 * (def->thickness > 0 ? (double)def->thickness
                                            : default_thickness(b->asset, out->surface));
    out->stick = (double)def->static_friction;
    out->slip = (double)def->dynamic_friction;
    out->restitution = (double)def->restitution;
    out->compliance = (double)def->compliance;
    out->friction = b->friction;
    out->bounce = b->restitution;
    out->leaves = body_is_on_its_way(b) || b->out.time > 0;
    describe_rows(world, b, &out->at);
}

// Whether the system has this body at this place already.
static bool is_known(const contact_system* s, int number, int slot, const body* b)
{
    const contact_body* known = &s->set.body[number];
    return number < s->set.body_count && !known->collider && known->slot == slot &&
           known->born == b->born && known->plan == &b->asset->plan && known->row;
}

static int count_bodies(const pliant_world* world)
{
    int count = 0;
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        count += b && takes_part(world, b);
    }
    return count;
}

static bool any_self(const pliant_world* world)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (b && takes_part(world, b) && meets_bodies(world, b) && b->contact.self) return true;
    }
    return false;
}

// ---- numbers ------------------------------------------------------------------------------------

// Elements of the bodies before, and where they are now; -1: gone.
static int element_now(const contact_system* s, const contact_body* before, int count, int number)
{
    int i = 0;
    while (i + 1 < count && before[i + 1].first_element <= number) ++i;
    for (int k = 0; k < s->set.body_count; ++k)
        if (s->set.body[k].slot == before[i].slot && s->set.body[k].born == before[i].born &&
            s->set.body[k].collider == before[i].collider)
            return number - before[i].first_element + s->set.body[k].first_element;
    return -1;
}

// Bodies keep their order, so pairs do.
static void renumber_kept(contact_system* s, const contact_body* before, int count)
{
    int left = 0;
    for (int i = 0; i < s->kept_count; ++i) {
        uint64_t key = s->kept[i].key;
        int first = element_now(s, before, count, key_first(key));
        int second = element_now(s, before, count, key_second(key));
        if (first < 0 || second < 0) continue;
        s->kept[left] = s->kept[i];
        s->kept[left++].key = pair_key(first, second, key_sub(key));
    }
    s->kept_count = left;
}

static pliant_result enter_body(contact_system* s, int number, int slot, const body* b)
{
    contact_body* to = &s->set.body[number];
    contact_body_free(to);
    const contact_surface* surface = asset_surface(b->asset);
    if (!surface) return PLIANT_ERROR_MEMORY;
    *to = (contact_body){.surface = surface,
                         .plan = &b->asset->plan,
                         .slot = slot,
                         .born = b->born,
                         .present = true};
    return PLIANT_OK;
}

static pliant_result enter_bodies(pliant_world* world)
{
    contact_system* s = &world->contacts;
    int number = 0;
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (!b || !takes_part(world, b)) continue;
        if (!is_known(s, number, i, b)) {
            pliant_result result = enter_body(s, number, i, b);
            if (result) return result;
        }
        number++;
    }
    s->set.first_collider = number;
    world_enter_colliders(world);
    return PLIANT_OK;
}

static bool is_same(const pliant_world* world, int bodies)
{
    const contact_system* s = &world->contacts;
    int number = 0;
    if (bodies != s->set.first_collider || !s->numbered) return false;
    if (bodies + world->swept_count != s->set.body_count || !world_knows_colliders(world))
        return false;
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (b && takes_part(world, b) && !is_known(s, number++, i, b)) return false;
    }
    return true;
}

static pliant_result number_bodies(pliant_world* world, int bodies)
{
    contact_system* s = &world->contacts;
    int before_count = s->set.body_count, count = bodies + world->swept_count;
    if (!contact_system_keep(s) || !contact_system_reserve(s, count)) return PLIANT_ERROR_MEMORY;
    contact_body* before = NULL;
    if (before_count) {
        before = (contact_body*)mem_array((size_t)before_count, sizeof *before);
        if (!before) return PLIANT_ERROR_MEMORY;
        memcpy(before, s->set.body, (size_t)before_count * sizeof *before);
    }
    s->numbered = false;
    pliant_result result = enter_bodies(world);
    s->set.body_count = count;
    if (!result && !contact_system_number(s)) result = PLIANT_ERROR_MEMORY;
    // Of a snapshot that came before any step, they have the numbers of these bodies.
    if (!result && before_count) renumber_kept(s, before, before_count);
    s->numbered = !result;
    s->look_for_crossed = true;
    s->set.crossed_count = 0;
    mem_free(before);
    return result;
}

// ---- before and after a step --------------------------------------------------------------------

static pliant_result check_precision(const contact_system* s)
{
    const contact_body* first = NULL;
    for (int i = 0; i < s->set.body_count; ++i) {
        const contact_body* b = &s->set.body[i];
        if (!b->meets || b->collider) continue;
        if (!first) first = b;
        if (b->s->scalar_bytes != first->s->scalar_bytes)
            return fail(PLIANT_ERROR_UNSUPPORTED,
                        "bodies %d and %d may touch, but have different precisions: use one "
                        "precision, or masks that keep them from meeting",
                        first->slot, b->slot);
    }
    return PLIANT_OK;
}

// Particles that were put elsewhere since the last step.
static void look_for_jumps(pliant_world* world)
{
    contact_system* s = &world->contacts;
    for (int i = 0; i < s->set.first_collider; ++i) {
        const body* b = world_body_at(world, s->set.body[i].slot);
        if (s->set.body[i].moves != b->moves) s->jumped = true;
    }
    for (int i = s->set.first_collider; i < s->set.body_count; ++i) {
        contact_body* c = &s->set.body[i];
        s->jumped = s->jumped || (c->present && c->moves != c->shape->key);
        c->moves = c->shape->key;
    }
}

// [m/s] that gravity may add, and with moving colliders.
static double pull_of(const pliant_world* world, double dt)
{
    const pliant_vec3 g = world->def.gravity;
    return sqrt((double)g.x * (double)g.x + (double)g.y * (double)g.y + (double)g.z * (double)g.z) *
           dt;
}
static double fastest_push(const pliant_world* world, double dt)
{
    double most = pull_of(world, dt);
    for (int i = 0; i < world->collider_count; ++i) {
        const collider_slot* c = world_collider_at(world, i);
        double square = 0;
        for (int k = 0; k < 3; ++k) square += c->seen[k] * c->seen[k];
        most = fmax(most, sqrt(square));
    }
    return most;
}

static void describe_bodies(pliant_world* world, double dt)
{
    int number = 0;
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (b && takes_part(world, b)) describe(world, b, &world->contacts.set.body[number++]);
    }
    world_tell_colliders(world, dt);
}

// All memory is of one precision; what pairs remember is not.
static pliant_result change_precision(pliant_world* world, int scalar_bytes)
{
    contact_system *s = &world->contacts, kept = *s;
    int bodies = s->set.first_collider;
    s->kept = NULL;
    contact_system_destroy(s);
    s->kept = kept.kept;
    s->kept_count = kept.kept_count;
    s->kept_capacity = kept.kept_capacity;
    s->last_h = kept.last_h;
    s->scalar_bytes = scalar_bytes;
    return number_bodies(world, bodies);
}

static int meeting_scalar_bytes(const contact_system* s)
{
    for (int i = 0; i < s->set.body_count; ++i)
        if (s->set.body[i].meets) return s->set.body[i].s->scalar_bytes;
    return s->scalar_bytes;
}

// Bodies leave colliders that meet their surface to that.
static void list_swept(contact_system* s)
{
    for (int i = 0; i < s->set.swept_count; ++i) {
        particle_work* w = &s->set.body[s->set.swept[i] >> 32].run->work;
        if (w->swept_count++ == 0) w->swept = &s->swept_place[i];
    }
}

static pliant_result select_bodies(pliant_world* world, double dt, int substeps, bool* out_any)
{
    contact_system* s = &world->contacts;
    const select_rules r = {dt, substeps, fastest_push(world, dt), pull_of(world, dt)};
    describe_bodies(world, dt);
    if (!contact_system_select(s, &r, out_any)) return PLIANT_ERROR_MEMORY;
    pliant_result result = *out_any ? check_precision(s) : PLIANT_OK;
    if (!result && *out_any && meeting_scalar_bytes(s) != s->scalar_bytes) {
        result = change_precision(world, meeting_scalar_bytes(s));
        if (!result) describe_bodies(world, dt);
        if (!result && !contact_system_select(s, &r, out_any)) result = PLIANT_ERROR_MEMORY;
    }
    for (int i = 0; i < s->set.first_collider && !result; ++i)
        s->set.body[i].run->meets = s->set.body[i].meets;
    if (!result) list_swept(s);
    s->exec = &world->exec;
    s->passes = world->def.contact_passes;
    return result;
}

static void warn_of_device(pliant_world* world)
{
    int count = 0, there = 0;
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (!b || !(b->contact.mask || b->contact.self)) continue;
        count++;
        there += b->remote != NULL;
    }
    if (count < 2 || there == 0 || world->told_of_device || !world->def.contacts) return;
    world->told_of_device = true;
    warn("bodies on a GPU do not meet other bodies yet and pass through them: use the CPU where "
         "they should touch, or set contacts to false");
}

pliant_result world_prepare_contacts(pliant_world* world, double dt, int substeps, bool* out_any)
{
    contact_system* s = &world->contacts;
    int count = count_bodies(world);
    *out_any = false;
    warn_of_device(world);
    if (count == 0 || (count == 1 && !any_self(world) && world->swept_count == 0)) return PLIANT_OK;
    if (s->scalar_bytes == 0) s->scalar_bytes = 4;
    if (!is_same(world, count)) {
        pliant_result result = number_bodies(world, count);
        if (result) return result;
    }
    pliant_result result = select_bodies(world, dt, substeps, out_any);
    if (result) return result;
    look_for_jumps(world);
    if (s->jumped) s->listed = false;
    // What could not be kept apart may cross, as after a jump.
    s->look_for_crossed = s->look_for_crossed || s->jumped || s->set.squeezed > 0;
    s->jumped = false;
    s->set.exit_speed = (double)world->def.exit_speed;
    contact_system_start(s);
    if (!*out_any) contact_system_clear(s); // all are far from each other
    return PLIANT_OK;
}

// ---- who touches whom ---------------------------------------------------------------------------

static bool note_pair(contact_system* s, uint64_t key)
{
    int first = contact_body_of(&s->set, key_first(key)),
        second = contact_body_of(&s->set, key_second(key));
    if (s->set.body[second].collider) return true;
    int a = s->set.body[first].slot, b = s->set.body[second].slot;
    uint64_t both = a < b ? (uint64_t)a << 32 | (uint64_t)b : (uint64_t)b << 32 | (uint64_t)a;
    if (s->touch_count > 0 && s->touch[s->touch_count - 1] == both) return true;
    if (!mem_reserve((void**)&s->touch, &s->touch_capacity, s->touch_count + 1, sizeof *s->touch))
        return false;
    s->touch[s->touch_count++] = both;
    return true;
}

// Those of the step before go to their own list.
static bool note_touches(contact_system* s)
{
    uint64_t* before = s->touch_before;
    int capacity = s->touch_before_capacity;
    s->touch_before = s->touch;
    s->touch_before_capacity = s->touch_capacity;
    s->touch_before_count = s->touch_count;
    s->touch = before;
    s->touch_capacity = capacity;
    s->touch_count = 0;
    for (int i = 0; s->numbered && i < s->kept_count; ++i)
        if (kept_has_pushed(&s->kept[i]) && !note_pair(s, s->kept[i].key)) return false;
    sort_keys(s->touch, s->touch_count);
    int left = 0;
    for (int i = 0; i < s->touch_count; ++i)
        if (i == 0 || s->touch[i] != s->touch[i - 1]) s->touch[left++] = s->touch[i];
    s->touch_count = left;
    return true;
}

bool world_finish_contacts(pliant_world* world)
{
    contact_system* s = &world->contacts;
    if (!contact_system_keep(s) || !note_touches(s)) return false;
    for (int i = 0; i < s->set.first_collider; ++i) {
        const body* b = world_body_at(world, s->set.body[i].slot);
        if (b) s->set.body[i].moves = b->moves + 1; // which the start of the next step adds
    }
    return true;
}

// ---- snapshots ----------------------------------------------------------------------------------

uint64_t world_contact_record_count(const pliant_world* world)
{
    const contact_system* s = &world->contacts;
    uint64_t count = 0;
    for (int i = 0; i < s->kept_count; ++i) count += kept_goes_on(&s->kept[i]);
    return count;
}

contact_record world_contact_record(const pliant_world* world, int number)
{
    const kept_contact* k = &world->contacts.kept[number];
    return (contact_record){k->key, k->lambda, {k->slide[0], k->slide[1], k->slide[2]}, k->sunk};
}

bool world_restore_contacts(pliant_world* world, const char* records, uint64_t count, double h)
{
    contact_system* s = &world->contacts;
    contact_system_clear(s);
    s->touch_count = s->touch_before_count = s->set.crossed_count = 0;
    s->look_for_crossed = true;
    if (!mem_reserve((void**)&s->kept, &s->kept_capacity, (int64_t)count, sizeof *s->kept))
        return false;
    for (uint64_t i = 0; i < count; ++i) {
        contact_record r;
        memcpy(&r, records + i * sizeof r, sizeof r);
        s->kept[i] =
            (kept_contact){.key = r.key, .lambda = r.lambda, .sunk = r.sunk, .overlaps = true};
        memcpy(s->kept[i].slide, r.slide, sizeof r.slide);
    }
    s->kept_count = (int)count;
    s->last_h = h;
    return true;
}
