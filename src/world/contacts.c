#include "world/contacts.h"
#include "base/platform.h"
#include "base/sort.h"
#include "contact/colliders.h"
#include "contact/list.h"
#include "contact/pressing.h"
#include "world/inside.h"
#include "world/joints.h"
#include "world/swept.h"
#include <math.h>
#include <string.h>

// ---- which bodies -------------------------------------------------------------------------------

// Loose particles meet each other as bodies do, unless clusters make a body of them, or they flow.
static bool meets_itself(const body* b)
{
    if (b->rigid || b->pressure) return false;
    bool crowd = asset_is_grains(b->asset) && b->asset->clusters.count == 0;
    return b->contact.self || (crowd && (b->contact.group & b->contact.mask));
}

static bool meets_bodies(const pliant_world* world, const body* b)
{
    if (asset_is_carried(b->asset)) return false;
    return world->def.contacts && (b->contact.mask || meets_itself(b));
}

// All are on one side. Who meets nobody but surfaces of colliders is left out on the other.
static bool takes_part(const pliant_world* world, const body* b)
{
    if (asset_is_carried(b->asset)) return false;
    if (meets_bodies(world, b)) return true;
    return world->swept_count > 0 && (b->remote != NULL) == world->roll.remote;
}

static double default_thickness(const body* b, const contact_surface* surface)
{
    const pliant_asset* a = b->asset;
    if (surface->loose) return 2 * b->largest_radius;
    if (a->def.radius > 0) return 2 * a->def.radius;
    if (surface->rope) return 2 * a->def.rope.radius;
    if (b->rigid) return surface->mean_edge / 100;
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
                          .phase = world->def.contacts && b->phased ? s->phase : NULL,
                          .load = b->load_count ? b->load : NULL,
                          .load_rows = s->row_count};
}

static void describe(const pliant_world* world, const body* b, contact_body* out)
{
    const pliant_contact_def* def = &b->contact;
    bool meets = meets_bodies(world, b);
    out->s = &b->s;
    out->group = meets ? def->group : 0;
    out->mask = meets ? def->mask : 0;
    out->self = meets && meets_itself(b);
    out->radius =
        0.5 * (def->thickness > 0 && !out->surface->loose ? (double)def->thickness
                                                          : default_thickness(b, out->surface));
    out->stick = (double)def->static_friction;
    out->slip = (double)def->dynamic_friction;
    out->restitution = (double)def->restitution;
    out->compliance = (double)def->compliance;
    out->rolling = (double)def->rolling_resistance;
    out->friction = b->friction;
    out->bounce = b->restitution;
    out->flows = b->pressure != NULL;
    out->leaves = body_is_on_its_way(b) || b->out.time > 0;
    out->rigid = b->rigid;
    out->local = b->asset->rigid.local;
    out->particles = b->s.particle_count;
    describe_rows(world, b, &out->at);
}

// Loose particles come first: body number i of twice all slots, or NULL.
static body* body_in_order(const pliant_world* world, int i, int* out_slot)
{
    bool loose = i < world->bodies.count;
    *out_slot = loose ? i : i - world->bodies.count;
    body* b = world_body_at(world, *out_slot);
    return b && asset_is_grains(b->asset) == loose ? b : NULL;
}

// Whether the system has this body at this place already.
static bool is_known(const contact_system* s, int number, int slot, const body* b)
{
    const contact_body* known = &s->set.body[number];
    return number < s->set.body_count && !known->collider && known->slot == slot &&
           known->born == b->born && known->plan == &b->asset->plan && known->row;
}

bool world_meets_remotely(const pliant_world* world)
{
    bool here = false, there = false;
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (!b) continue;
        if (meets_bodies(world, b)) return b->remote != NULL;
        *(b->remote ? &there : &here) = true;
    }
    return there && !here;
}

static contact_roll call_roll(const pliant_world* world)
{
    contact_roll r = {.changes = world->body_changes,
                      .swept = world->swept_count,
                      .here = -1,
                      .there = -1,
                      .only_liquids = true};
    for (int i = 0; i < world->bodies.count; ++i) {
        const body* b = world_body_at(world, i);
        if (!b || !meets_bodies(world, b)) continue;
        *(b->remote ? &r.there : &r.here) = i;
        r.only_liquids = r.only_liquids && b->pressure;
        r.by_pairs = r.by_pairs || (asset_is_grains(b->asset) && b->contact.restitution > 0);
        r.any_self = r.any_self || meets_itself(b);
    }
    r.remote = world_meets_remotely(world);
    return r;
}

static int count_bodies(const pliant_world* world)
{
    int count = 0;
    for (int i = 0; i < world->bodies.count; ++i) {
        const body* b = world_body_at(world, i);
        count += b && takes_part(world, b);
    }
    return count;
}

// Looks at all bodies where something has changed.
static void renew_roll(pliant_world* world)
{
    contact_roll* r = &world->roll;
    if (r->changes == world->body_changes && r->swept == world->swept_count) return;
    *r = call_roll(world);
    r->count = count_bodies(world);
    // Where they bounce, loose particles are elements as all others are.
    bool by_pairs = r->by_pairs || world->contacts.plain;
    if (by_pairs == world->contacts.set.loose_by_pairs) return;
    world->contacts.set.loose_by_pairs = by_pairs;
    world->contacts.numbered = false;
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
    for (int i = 0; i < 2 * world->bodies.count; ++i) {
        int slot;
        body* b = body_in_order(world, i, &slot);
        if (!b || !takes_part(world, b)) continue;
        if (!is_known(s, number, slot, b)) {
            pliant_result result = enter_body(s, number, slot, b);
            if (result) return result;
        }
        number++;
    }
    s->set.first_collider = number;
    if (world->swept_count) world_enter_colliders(world);
    return PLIANT_OK;
}

static bool is_same(const pliant_world* world, int bodies)
{
    const contact_system* s = &world->contacts;
    int number = 0;
    if (bodies != s->set.first_collider || !s->numbered) return false;
    if (bodies + world->swept_count != s->set.body_count ||
        (world->swept_count && !world_knows_colliders(world)))
        return false;
    for (int i = 0; i < 2 * world->bodies.count; ++i) {
        int slot;
        body* b = body_in_order(world, i, &slot);
        if (b && takes_part(world, b) && !is_known(s, number++, slot, b)) return false;
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

void world_look_for_jump(pliant_world* world, const body* b)
{
    if (b->moves != b->moves_then && takes_part(world, b)) world->contacts.jumped = true;
}

static void look_for_jumps(contact_system* s)
{
    for (int i = s->set.first_collider; i < s->set.body_count; ++i) {
        contact_body* c = &s->set.body[i];
        s->jumped = s->jumped || (c->present && c->moves != c->shape->key);
        c->moves = c->shape->key;
    }
}

// [m/s] that gravity may add; and with it moving colliders, joints and wind, which may turn what
// comes against it.
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
    return most + world_fastest_joined(world, dt) + 2 * world->air.fastest;
}

// A rigid body hands on at once what a soft one passes through itself: where there are some, passes
// are repeated.
static int contact_passes(const pliant_world* world)
{
    enum { OF_RIGID = 2 };
    return world->def.contact_passes * (world->rigid_count > 0 ? OF_RIGID : 1);
}

// Whether lists that were made for a body are good for what it is now.
static bool is_listed_alike(const contact_body* a, const contact_body* b)
{
    return a->radius == b->radius && a->group == b->group && a->mask == b->mask &&
           a->self == b->self && !a->at.phase == !b->at.phase;
}

static double longest_side(const pliant_mesh* m)
{
    double longest = 0;
    for (size_t k = 0; k < 3; ++k) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < (size_t)m->vertex_count; ++i) {
            low = fmin(low, m->vertices[3 * i + k]);
            high = fmax(high, m->vertices[3 * i + k]);
        }
        longest = fmax(longest, high - low);
    }
    return longest;
}

// A surface that is thicker than its body is a slip of units mostly. Of bodies of one asset that
// come one after the other the first is told.
static void warn_of_thickness(const pliant_world* world, const contact_body* c,
                              const contact_body* before)
{
    const body* b = world_body_at(world, c->slot);
    double thickness = (double)b->contact.thickness;
    if (!(thickness > 0) || c->surface->loose || !meets_bodies(world, b)) return;
    double side = longest_side(b->asset->mesh);
    if (!(thickness > side)) return;
    if (before && world_body_at(world, before->slot)->asset == b->asset &&
        before->radius == c->radius)
        return;
    warn("body %d: the thickness of its contacts, %g m, is more than its longest side, %g m: it "
         "stays %g m away from surfaces that have none",
         c->slot, thickness, side, thickness / 2);
}

static void describe_bodies(pliant_world* world, double dt)
{
    contact_set* s = &world->contacts.set;
    s->rigid_count = world->rigid_count;
    for (int i = 0; i < s->first_collider; ++i) {
        const contact_body before = s->body[i];
        describe(world, world_body_at(world, s->body[i].slot), &s->body[i]);
        if (!is_listed_alike(&before, &s->body[i])) lists_forget(&world->contacts);
        if (before.radius != s->body[i].radius)
            warn_of_thickness(world, &s->body[i], i > 0 ? &s->body[i - 1] : NULL);
        world->contacts.radius[i] = s->body[i].radius;
    }
    if (world->swept_count) world_tell_colliders(world, dt);
}

// Those of the step at hand.
static void tell_runs(const pliant_world* world)
{
    const contact_set* s = &world->contacts.set;
    for (int i = 0; i < s->first_collider; ++i) {
        s->body[i].run = world_body_at(world, s->body[i].slot)->run;
        s->body[i].run->meets = s->body[i].meets;
    }
}

// All memory is of one precision; what pairs remember is not.
static pliant_result change_precision(pliant_world* world, int scalar_bytes, double dt)
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
    s->set.loose_by_pairs = kept.set.loose_by_pairs;
    s->fresh = kept.fresh;
    s->plain = kept.plain;
    s->lanes = kept.lanes;
    s->exec = &world->exec;
    s->passes = contact_passes(world);
    s->fresh = kept.fresh;
    s->room = kept.room;
    pliant_result result = number_bodies(world, bodies);
    if (!result) describe_bodies(world, dt);
    return result;
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

static pliant_result select_bodies(pliant_world* world, const select_rules* r, bool* out_any)
{
    contact_system* s = &world->contacts;
    s->exec = &world->exec;
    s->lanes = world->def.lanes;
    s->passes = contact_passes(world);
    if (!contact_system_select(s, r, out_any)) return PLIANT_ERROR_MEMORY;
    pliant_result result = *out_any ? check_precision(s) : PLIANT_OK;
    if (!result && *out_any && meeting_scalar_bytes(s) != s->scalar_bytes) {
        result = change_precision(world, meeting_scalar_bytes(s), r->dt);
        if (!result && !contact_system_select(s, r, out_any)) result = PLIANT_ERROR_MEMORY;
    }
    if (result || !*out_any) return result;
    tell_runs(world);
    list_swept(s);
    return PLIANT_OK;
}

// ---- on a GPU -----------------------------------------------------------------------------------

// A world that touches is on one backend.
static pliant_result check_backend(const contact_roll* r)
{
    if (r->here < 0 || r->there < 0) return PLIANT_OK;
    return fail(PLIANT_ERROR_UNSUPPORTED,
                "bodies %d and %d may touch, but one is on the CPU and the other on a GPU: use one "
                "backend, or set contacts to false",
                r->here, r->there);
}

pliant_result world_fetch_contacts(const pliant_world* world)
{
    pliant_world* w = (pliant_world*)world;
    pliant_result result = PLIANT_OK;
    if (!w->remote_contacts.newer_there) return PLIANT_OK;
    platform_mutex_lock(w->reading);
    if (w->remote_contacts.newer_there) {
        result = device_read_contacts(*w->gpu, w->remote_contacts.system, &w->contacts);
        if (!result && !contact_system_keep(&w->contacts)) result = PLIANT_ERROR_MEMORY;
        if (!result) w->remote_contacts.newer_there = false;
    }
    platform_mutex_unlock(w->reading);
    return result;
}

// Bodies that cross are told of when the step that saw it is known to be done.
static pliant_result tell_crossed(pliant_world* world)
{
    int count = device_count_crossed(world->remote_contacts.system);
    bool more = count > world->remote_contacts.crossed;
    world->remote_contacts.crossed = count;
    if (!more) return PLIANT_OK;
    pliant_result result = world_fetch_contacts(world);
    const contact_set* s = &world->contacts.set;
    for (int i = 0; i < s->crossed_count && !result; ++i) {
        const contact_body *a = &s->body[s->crossed[i] >> 32],
                           *b = &s->body[s->crossed[i] & 0xffffffffu];
        warn(b->collider ? "body %d crosses the surface of collider %d"
                         : "bodies %d and %d cross each other",
             a->slot, b->slot);
    }
    return result;
}

// A body may be as fast as that has room in its box. The radius of its particles is not known here:
// without one it needs surfaces all the more.
static void measure_by_bounds(contact_body* b, const body_bounds* at, double dt, double more,
                              overlap_box* out)
{
    double size = 0;
    for (int k = 0; k < 3; ++k) {
        out->low[k] = (double)at->low[k];
        out->high[k] = (double)at->high[k];
        size = fmax(size, out->high[k] - out->low[k]);
    }
    contact_box_widen(out, b->radius, (double)at->fastest, dt, more);
    b->speed = 2 * (double)at->fastest + more + size / (8 * dt);
    b->smallest = 0;
}

static void measure_colliders(contact_system* s, int substeps)
{
    for (int i = s->set.first_collider; i < s->set.body_count; ++i)
        collider_measure(&s->set.body[i], substeps);
}

static bool measure_bounds(contact_system* s, const body_bounds* bounds, double dt, double more)
{
    if (!overlaps_reserve(&s->near, s->set.body_count)) return false;
    for (int i = 0; i < s->set.body_count; ++i) {
        contact_body* b = &s->set.body[i];
        overlap_box* box = &s->near.box[i];
        if (!b->collider) {
            measure_by_bounds(b, &bounds[i], dt, more, box);
            continue;
        }
        memcpy(box->low, b->low, sizeof box->low);
        memcpy(box->high, b->high, sizeof box->high);
    }
    return true;
}

// Whether any may be near another, or near a collider whose surface it needs, by bounds of a step
// or two ago. Yes, where these are not known.
static bool select_by_bounds(pliant_world* world, const select_rules* r, bool* out_any)
{
    contact_system* s = &world->contacts;
    int age;
    const body_bounds* bounds =
        device_read_bounds(*world->gpu, world->remote_contacts.system, &age);
    *out_any = true;
    measure_colliders(s, r->substeps);
    // Who is joined may be pulled by what has no bounds.
    if (world->joints.count > 0) return true;
    if (!bounds || s->look_for_crossed || world->remote_contacts.newer_here || world->roll.any_self)
        return true;
    if (!measure_bounds(s, bounds, age * r->dt, age * r->more)) return false;
    *out_any = contact_system_any_near(s, r);
    return true;
}

// All that meet have one precision.
static void set_meets(pliant_world* world, bool all)
{
    contact_set* s = &world->contacts.set;
    world->remote_contacts.all_meet = all;
    for (int i = 0; i < s->first_collider; ++i)
        s->body[i].meets = all && s->body[i].s->scalar_bytes == world->contacts.scalar_bytes;
}

// That of bodies which meet each other, or of the first; the others meet particles of colliders
// alone.
static pliant_result agree_on_precision(pliant_world* world, double dt)
{
    contact_system* s = &world->contacts;
    for (int i = 0; i < s->set.body_count; ++i) {
        contact_body* b = &s->set.body[i];
        b->meets = !b->collider && (b->mask || b->self);
    }
    pliant_result result = check_precision(s);
    int bytes = s->set.body[0].s->scalar_bytes;
    for (int i = s->set.first_collider - 1; i >= 0; --i)
        if (s->set.body[i].meets) bytes = s->set.body[i].s->scalar_bytes;
    if (!result && bytes != s->scalar_bytes) result = change_precision(world, bytes, dt);
    set_meets(world, true);
    return result;
}

static pliant_result select_remote(pliant_world* world, const select_rules* r, bool* out_any)
{
    contact_system* s = &world->contacts;
    pliant_result result = PLIANT_OK;
    if (!world->remote_contacts.system)
        result = device_add_contacts(*world->gpu, &world->remote_contacts.system);
    if (!result) result = tell_crossed(world);
    if (!result && !world->roll.described) result = agree_on_precision(world, r->dt);
    s->passes = contact_passes(world);
    if (!result && !select_by_bounds(world, r, out_any)) result = PLIANT_ERROR_MEMORY;
    world->remote_contacts.ready = !result;
    world->remote_contacts.sleeps = !*out_any;
    if (result) return result;
    // All of them run alike.
    if (*out_any != world->remote_contacts.all_meet) set_meets(world, *out_any);
    world->remote_contacts.rules = *r;
    if (world->joints.count > 0) world->remote_contacts.rules.more = INFINITY; // as far as any
    if (*out_any || !world->remote_contacts.described) tell_runs(world);
    return PLIANT_OK;
}

// Bodies leave colliders whose surface they meet to that: the GPU decides.
static void mark_swept(const pliant_world* world)
{
    const contact_set* s = &world->contacts.set;
    for (int i = 0; i < s->first_collider; ++i)
        if (s->body[i].meets)
            s->body[i].run->work.swept_there = device_swept_marks(world->remote_contacts.system, i);
}

pliant_result world_describe_contacts(pliant_world* world)
{
    contact_system* s = &world->contacts;
    world->remote_contacts.newer_there = true;
    if (world->remote_contacts.sleeps && world->remote_contacts.described) return PLIANT_OK;
    if (!mem_reserve((void**)&world->remote_contacts.copy, &world->remote_contacts.copy_capacity,
                     s->set.body_count, sizeof(device_copy*)))
        return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < s->set.first_collider; ++i)
        world->remote_contacts.copy[i] = world_body_at(world, s->set.body[i].slot)->remote;
    contact_set_tell(&s->set);
    const contact_told told = {s, world->remote_contacts.rules, world->collider_count};
    pliant_result result =
        device_describe_contacts(*world->gpu, world->remote_contacts.system, &told,
                                 world->remote_contacts.copy, world->remote_contacts.newer_here);
    if (result) return result;
    if (!world->remote_contacts.sleeps) mark_swept(world);
    s->look_for_crossed = false;
    world->remote_contacts.newer_here = false;
    world->remote_contacts.described = true;
    return PLIANT_OK;
}

// ---- before and after a step --------------------------------------------------------------------

// The system has the bodies and colliders that take part, as they are now.
static pliant_result enter_all(pliant_world* world, double dt)
{
    pliant_result result = PLIANT_OK;
    if (world->roll.described && world->contacts.numbered) return PLIANT_OK;
    if (!is_same(world, world->roll.count)) {
        result = world_fetch_contacts(world);
        if (!result) result = number_bodies(world, world->roll.count);
        world->remote_contacts.newer_here = true;
        world->remote_contacts.described = false;
    }
    if (!result) describe_bodies(world, dt);
    return result;
}

static void look_for_changes(pliant_world* world)
{
    contact_system* s = &world->contacts;
    look_for_jumps(s);
    if (s->jumped) lists_forget(s);
    // What could not be kept apart may cross, as after a jump.
    s->look_for_crossed = s->look_for_crossed || s->jumped || s->set.squeezed > 0;
    s->jumped = false;
}

// Whether a body may meet another one, itself, or a collider.
static bool has_company(const pliant_world* world)
{
    const contact_roll* r = &world->roll;
    if (world->swept_count > 0) return r->count > 0;
    return r->any_self || (r->count > 1 && !r->only_liquids); // which do not meet as bodies
}

static pliant_result select_all(pliant_world* world, double dt, int substeps, bool* out_any)
{
    contact_system* s = &world->contacts;
    bool remote = world->roll.remote;
    pliant_result result = enter_all(world, dt);
    if (result) return result;
    look_for_changes(world);
    const select_rules r = {dt, substeps, fastest_push(world, dt), pull_of(world, dt)};
    result = remote ? select_remote(world, &r, out_any) : select_bodies(world, &r, out_any);
    if (result) return result;
    s->set.exit_speed = (double)world->def.exit_speed;
    s->set.guards = world->def.contact_guard;
    s->set.joined = world->joints.count ? &world->joined : NULL;
    if (remote) return PLIANT_OK;
    contact_system_start(s);
    if (!*out_any) contact_system_clear(s); // all are far from each other
    return PLIANT_OK;
}

pliant_result world_prepare_contacts(pliant_world* world, double dt, int substeps, bool* out_any)
{
    contact_system* s = &world->contacts;
    *out_any = world->remote_contacts.ready = false;
    renew_roll(world);
    pliant_result result = check_backend(&world->roll);
    if (result) return result;
    if (!has_company(world)) {
        lists_forget(s); // nobody counts how far they go
        return PLIANT_OK;
    }
    if (s->scalar_bytes == 0) s->scalar_bytes = 4;
    result = select_all(world, dt, substeps, out_any);
    // What colliders do, and who is on the way out of them, is told in every step.
    world->roll.described = !result && world->swept_count == 0;
    return result;
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
    if (world->remote_contacts.newer_there && !world->remote_contacts.reads_events) return true;
    return !world_fetch_contacts(world) && contact_system_keep(s) && note_touches(s);
}

pliant_result world_start_events(pliant_world* world)
{
    bool late = !world->remote_contacts.reads_events && world->remote_contacts.newer_there;
    world->remote_contacts.reads_events = true;
    pliant_result result = world_fetch_contacts(world);
    if (!result && late && !note_touches(&world->contacts)) result = PLIANT_ERROR_MEMORY;
    return result;
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
    return (contact_record){.key = k->key,
                            .lambda = k->lambda,
                            .slide = {k->slide[0], k->slide[1], k->slide[2]},
                            .sunk = k->sunk,
                            .stored = k->stored,
                            .pivot = k->stored > 0 ? k->pivot : 0};
}

bool world_restore_contacts(pliant_world* world, const char* records, uint64_t count, double h)
{
    contact_system* s = &world->contacts;
    contact_system_clear(s);
    world->remote_contacts.newer_here = true;
    world->remote_contacts.newer_there = false;
    s->touch_count = s->touch_before_count = s->set.crossed_count = 0;
    s->look_for_crossed = true;
    if (!mem_reserve((void**)&s->kept, &s->kept_capacity, (int64_t)count, sizeof *s->kept))
        return false;
    for (uint64_t i = 0; i < count; ++i) {
        contact_record r;
        memcpy(&r, records + i * sizeof r, sizeof r);
        s->kept[i] = (kept_contact){.key = r.key,
                                    .lambda = r.lambda,
                                    .sunk = r.sunk,
                                    .stored = r.stored,
                                    .pivot = r.pivot,
                                    .overlaps = true,
                                    .met = true};
        memcpy(s->kept[i].slide, r.slide, sizeof r.slide);
    }
    s->kept_count = (int)count;
    s->last_h = h;
    return true;
}
