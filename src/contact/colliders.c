#include "contact/colliders.h"
#include "base/sort.h"
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

// Where a collider is at an instant.
typedef struct {
    const double* position;
    const double (*axis)[3];
} place_of;

static place_of place_at_end(const collider* c, int number)
{
    if (number < 0 || !c->way) return (place_of){c->position, c->axis};
    return (place_of){c->way[number].position, c->way[number].axis};
}

static void place_point(const place_of* at, const double local[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = at->position[k] + at->axis[0][k] * local[0] + at->axis[1][k] * local[1] +
                 at->axis[2][k] * local[2];
}

// The place is rounded; what is lost by that is in its residue, and its increment has it, too.
static void place_row(contact_body* b, int point, int bytes, double h, const double from[3],
                      const double to[3])
{
    size_t row = (size_t)point;
    for (size_t k = 0; k < 3; ++k) {
        state_set(b->at.row, row * ROW + k, from[k], bytes);
        double lost = b->still ? 0 : from[k] - state_get(b->at.row, row * ROW + k, bytes);
        state_set(b->at.row, row * ROW + ROW_D + k, to[k] - from[k] + lost, bytes);
        state_set(b->at.residue, row * ROW4 + k, lost, bytes);
        state_set(b->at.velocity, row * ROW4 + k, (to[k] - from[k]) / h, bytes);
    }
}

static void find_motion(contact_body* b, const place_of* start, const place_of* end)
{
    memset(b->spin, 0, sizeof b->spin);
    for (int r = 0; r < 3; ++r) {
        b->center[r] = start->position[r];
        b->step[r] = end->position[r] - start->position[r];
        for (int c = 0; b->turns && c < 3; ++c) {
            for (int k = 0; k < 3; ++k) b->spin[r][c] += end->axis[k][r] * start->axis[k][c];
            b->spin[r][c] -= r == c;
        }
    }
}

static void place_collider(contact_body* b, int number, int bytes, double h)
{
    place_of start = place_at_end(b->shape, number - 1), end = place_at_end(b->shape, number);
    for (int i = 0; i < b->surface->point_count; ++i) {
        const double* local = b->surface->rest + 3 * (size_t)b->surface->particle[i];
        double from[3], to[3];
        place_point(&start, local, from);
        place_point(&end, local, to);
        place_row(b, i, bytes, h, from, to);
    }
    memcpy(b->position, end.position, sizeof b->position);
    find_motion(b, &start, &end);
    if (b->still) return;
    memcpy(b->shift, b->shape->way[number].shift, sizeof b->shift);
    memcpy(b->turn, b->shape->way[number].turn, sizeof b->turn);
}

void colliders_place(contact_system* s, int number)
{
    for (int i = s->set.first_collider; i < s->set.body_count; ++i) {
        contact_body* b = &s->set.body[i];
        if (b->meets && (number == 0 || !b->still))
            place_collider(b, number, s->scalar_bytes, s->set.h);
    }
}

// ---- where it goes ------------------------------------------------------------------------------

static void add_place(contact_body* b, const place_of* at)
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
static void add_ball(contact_body* b, const place_of* at)
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
        place_of at = place_at_end(c, instant[i]);
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

// How many halves of its thickness something with a velocity passes in a second, that goes at `u`
// [m/s] as the collider sees it.
static double pace_of(const collider* c, const double u[3], double radius)
{
    if (c->shape != PLIANT_SHAPE_BOX)
        return sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) / (c->thin + radius);
    double most = 0;
    for (int k = 0; k < 3; ++k) {
        const double* axis = c->axis[k];
        double along = fabs(u[0] * axis[0] + u[1] * axis[1] + u[2] * axis[2]);
        most = fmax(most, along / (c->half_extents[k] + radius));
    }
    return most;
}

static double pace_of_points(const contact_body* b, const contact_body* c)
{
    double most = 0;
    for (int i = 0; i < b->surface->point_count; ++i) {
        size_t row = (size_t)b->row[i];
        double u[3];
        for (size_t k = 0; k < 3; ++k)
            u[k] = state_get(b->s->velocity, row * ROW4 + k, b->s->scalar_bytes) - c->velocity[k];
        most = fmax(most, pace_of(c->shape, u, b->smallest));
    }
    return most;
}

// One passes the middle of the other within a substep, or nearly so: a body gets faster during a
// step.
static bool is_fast(const contact_body* b, const contact_body* c, const select_rules* r)
{
    const double *v = c->velocity, little = 0.8, h = r->dt / r->substeps;
    double own = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    double least = c->shape->thin + b->smallest, pull = r->pull / least;
    if (!(h * ((b->speed + own) / least + pull + c->haste) > little)) return false;
    return h * (pace_of_points(b, c) + pull + c->haste) > little;
}

// A ball goes through a triangle of particles when it is smaller than the circle around them.
static bool is_small(const contact_body* b, const contact_body* c)
{
    const double hole = 0.6; // of the mean edge
    return c->shape->slim + b->smallest < hole * b->surface->mean_edge;
}

static bool needs_surface(const contact_body* b, const contact_body* c, const select_rules* r)
{
    if (c->shape->surface_contacts != PLIANT_SURFACE_CONTACTS_AUTO)
        return c->shape->surface_contacts == PLIANT_SURFACE_CONTACTS_ALWAYS;
    return is_small(b, c) || is_fast(b, c, r);
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
    if (b->collider || b->leaves || !(b->speed < INFINITY)) return true;
    if (!needs_surface(b, c, r)) return true;
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
