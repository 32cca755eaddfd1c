#include "contact/colliders.h"
#include "base/sort.h"
#include "contact/placing.h"
#include <string.h>

// ---- rows ---------------------------------------------------------------------------------------

bool collider_rows_create(contact_body* b, int scalar_bytes)
{
    size_t points = (size_t)b->surface->point_count, bytes = (size_t)scalar_bytes;
    char* own = (char*)mem_array_zero(points * (ROW + 2 * ROW4), bytes);
    if (!own) return false;
    b->own = own;
    b->at = (contact_rows){.row = own,
                           .velocity = own + points * ROW * bytes,
                           .residue = own + points * (ROW + ROW4) * bytes};
    return true;
}

void colliders_place(contact_system* s, int number)
{
    for (int i = s->set.first_collider; i < s->set.body_count; ++i) {
        contact_body* b = &s->set.body[i];
        if (!collider_goes(b, number)) continue;
        for (int k = 0; k < b->surface->point_count; ++k)
            place_collider_point(b, k, number, s->scalar_bytes, s->set.h);
        place_collider(b, number);
    }
}

// ---- where it goes ------------------------------------------------------------------------------

static void add_place(contact_body* b, const collider_spot* at)
{
    for (int i = 0; i < b->surface->point_count; ++i) {
        double x[3];
        place_point(at, b->surface->rest + 3 * (size_t)b->surface->particle[i], x);
        for (int k = 0; k < 3; ++k) {
            b->low[k] = fmin(b->low[k], x[k]);
            b->high[k] = fmax(b->high[k], x[k]);
        }
    }
}

// What turns stays within its reach; and a mesh has many points.
static void add_ball(contact_body* b, const collider_spot* at)
{
    for (int k = 0; k < 3; ++k) {
        b->low[k] = fmin(b->low[k], at->position[k] - b->shape->reach);
        b->high[k] = fmax(b->high[k], at->position[k] + b->shape->reach);
    }
}

void collider_measure(contact_body* b, int substeps)
{
    const int instant[2] = {-1, substeps - 1};
    const collider* c = b->shape;
    for (int k = 0; k < 3; ++k) {
        b->low[k] = INFINITY;
        b->high[k] = -INFINITY;
    }
    for (int i = 0; i < 2; ++i) {
        collider_spot at = place_at_end(c, instant[i]);
        if (c->turns || c->shape == PLIANT_SHAPE_MESH || c->shape == PLIANT_SHAPE_TRIANGLES)
            add_ball(b, &at);
        else
            add_place(b, &at);
    }
    for (int k = 0; k < 3; ++k) {
        b->low[k] -= b->radius;
        b->high[k] += b->radius;
    }
}

// ---- who needs it -------------------------------------------------------------------------------

static bool any_point_is_fast(const contact_body* b, const contact_body* c, const select_rules* r)
{
    for (int i = 0; i < b->surface->point_count; ++i) {
        size_t row = (size_t)b->row[i];
        double v[3];
        for (size_t k = 0; k < 3; ++k)
            v[k] = state_get(b->s->velocity, row * ROW4 + k, b->s->scalar_bytes);
        if (is_fast_point(b, c, r, v)) return true;
    }
    return false;
}

static bool needs_surface(const contact_body* b, const contact_body* c, const select_rules* r)
{
    surface_need need = need_of_surface(b, c, r);
    return need == NEEDS_SURFACE || (need == NEEDS_LOOK && any_point_is_fast(b, c, r));
}

void swept_start(contact_system* s)
{
    uint64_t* before = s->swept_before;
    int capacity = s->swept_before_capacity;
    s->swept_before = s->set.swept;
    s->swept_before_capacity = s->swept_capacity;
    s->swept_before_count = s->set.swept_count;
    s->set.swept = before;
    s->swept_capacity = capacity;
    s->set.swept_count = 0;
}

bool swept_add(contact_system* s, const select_rules* r, int body, int other)
{
    const contact_body *b = &s->set.body[body], *c = &s->set.body[other];
    if (b->collider || !needs_surface(b, c, r)) return true;
    if (!mem_reserve((void**)&s->set.swept, &s->swept_capacity, s->set.swept_count + 1,
                     sizeof *s->set.swept))
        return false;
    s->set.swept[s->set.swept_count++] = crossed_key(body, other);
    return true;
}

// All that meet are of one precision: that of bodies which meet each other, or of the first.
static int precision_of(const contact_system* s)
{
    for (int i = 0; i < s->set.first_collider; ++i)
        if (s->set.body[i].meets) return s->set.body[i].s->scalar_bytes;
    return s->set.body[s->set.swept[0] >> 32].s->scalar_bytes;
}

// Keeps those of one precision, and notes who meets.
static void mark_swept(contact_system* s)
{
    int left = 0, bytes = precision_of(s);
    for (int i = 0; i < s->set.swept_count; ++i) {
        uint64_t key = s->set.swept[i];
        contact_body *b = &s->set.body[key >> 32], *c = &s->set.body[key & 0xffffffffu];
        if (b->s->scalar_bytes != bytes) continue;
        b->meets = c->meets = true;
        s->set.swept[left++] = key;
    }
    s->set.swept_count = left;
}

// Colliders that meet for the first time get their points.
static bool bring_colliders(contact_system* s)
{
    bool any = false;
    for (int i = s->set.first_collider; i < s->set.body_count; ++i) {
        contact_body* c = &s->set.body[i];
        any = any || (c->meets && !c->present);
        c->present = c->present || c->meets;
    }
    return !any || contact_system_number(s);
}

static bool is_as_before(const contact_system* s)
{
    size_t count = (size_t)s->set.swept_count;
    if (s->set.swept_count != s->swept_before_count) return false;
    return count == 0 || !memcmp(s->set.swept, s->swept_before, count * sizeof *s->set.swept);
}

bool swept_finish(contact_system* s)
{
    int count = s->set.swept_count;
    if (!mem_reserve((void**)&s->swept_place, &s->swept_place_capacity, count,
                     sizeof *s->swept_place))
        return false;
    if (count > 0) {
        sort_keys(s->set.swept, count);
        mark_swept(s);
    }
    for (int i = 0; i < s->set.swept_count; ++i)
        s->swept_place[i] = s->set.body[s->set.swept[i] & 0xffffffffu].place;
    // Who did not meet before may cross.
    if (!is_as_before(s)) {
        s->look_for_crossed = s->look_for_crossed || s->set.swept_count > 0;
        s->listed = false;
    }
    return bring_colliders(s);
}
