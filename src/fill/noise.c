// Blue noise (Bridson 2007): new balls are put beside old ones until none has room beside any. That
// begins at the places of a pattern, so that every part of a shape gets some.
//
// Of a range of radii, each octave but the lowest first gets its share of the shape: balls at
// places of a pattern, chosen at random. The lowest fills what they leave.
#define PRECISION_DOUBLE
#include "base/random.h"
#include "fill/fill.h"
#include "mesh/limit.h"

enum { TRIES = 24, BALLS_A_TICK = 1 << 14 };

typedef struct {
    filling* f;
    random_source random;
    double least, most; // radii of the octave at hand
    double far;         // how deep a ball is looked at
    bool closed;        // what is inside ends at triangles alone
    vec3* place;        // of a pattern
    int place_count;
    int* waiting; // balls that nothing was put beside yet
    int waiting_count, waiting_capacity;
    near_list near;
    bool failed;
} scattering;

static double draw_radius(scattering* s)
{
    return s->most > s->least ? random_range(&s->random, s->least, s->most) : s->least;
}

static vec3 draw_direction(scattering* s)
{
    double ball[3];
    vec3 way;
    do {
        random_in_ball(&s->random, ball);
        way = v3(ball[0], ball[1], ball[2]);
    } while (!(v3_dot(way, way) > 0x1p-20));
    return v3_scale(1 / sqrt(v3_dot(way, way)), way);
}

// Two balls that overlap and do not meet the surface are on the same side of it.
static bool is_inside(const scattering* s, vec3 place, double depth, int parent)
{
    const ball_list* b = &s->f->balls;
    if (parent >= 0 && s->closed) {
        vec3 way = v3_sub(place, b->place[parent]);
        double reach = depth + b->depth[parent];
        if (v3_dot(way, way) < reach * reach) return true;
    }
    return tree_winding(&s->f->solid.tree, place) > 0.5;
}

// Adds a ball where others leave that much room, if the surface does. Returns its radius, or 0.
static double try_place(scattering* s, vec3 place, double room, int parent)
{
    filling* f = s->f;
    if (room < s->least) return 0;
    double depth = tree_distance(&f->solid.tree, place, s->far, NULL);
    if (depth < s->least - TOUCH || !is_inside(s, place, depth, parent)) return 0;
    double radius = fmax(fmin(room, depth), s->least);
    s->failed = f->balls.count == ELEMENT_LIMIT || !balls_add(&f->balls, place, radius, depth) ||
                (f->balls.count % BALLS_A_TICK == 0 && !watcher_tick(f->watch));
    return s->failed ? 0 : radius;
}

// ---- beside each other --------------------------------------------------------------------------

static bool wait(scattering* s)
{
    s->failed = s->failed || !mem_reserve((void**)&s->waiting, &s->waiting_capacity,
                                          (int64_t)s->waiting_count + 1, sizeof(int));
    if (!s->failed) s->waiting[s->waiting_count++] = s->f->balls.count - 1;
    return !s->failed;
}

static void remember(scattering* s, vec3 place, double radius)
{
    near_list* n = &s->near;
    s->failed = s->failed || !mem_reserve((void**)&n->ball, &n->capacity, (int64_t)n->count + 1,
                                          sizeof *n->ball);
    if (!s->failed) n->ball[n->count++] = (near_ball){place, radius};
}

static void surround(scattering* s, int parent)
{
    const ball_list* b = &s->f->balls;
    double gap = b->gap, own = b->radius[parent];
    vec3 center = b->place[parent];
    s->failed = !balls_near(b, center, own + s->most + gap, s->most, &s->near);
    for (int tries = 0; tries < TRIES && !s->failed; ++tries) {
        double wanted = draw_radius(s), way = own + wanted + gap;
        vec3 place = v3_add_scaled(center, way, draw_direction(s));
        double room = near_room(&s->near, gap, place, s->least, wanted);
        double radius = try_place(s, place, room, parent);
        if (!(radius > 0)) continue;
        tries = -1;
        wait(s);
        remember(s, place, radius);
    }
}

static void spread(scattering* s)
{
    for (int i = 0; i < s->place_count && !s->failed; ++i) {
        double room = balls_room(&s->f->balls, s->place[i], s->least, draw_radius(s));
        if (!(try_place(s, s->place[i], room, -1) > 0) || !wait(s)) continue;
        while (s->waiting_count && !s->failed) surround(s, s->waiting[--s->waiting_count]);
    }
}

// ---- octaves ------------------------------------------------------------------------------------

static bool find_places(scattering* s, double spacing)
{
    filling pattern = *s->f;
    pattern.spacing = spacing;
    pattern.least = s->least;
    mem_free(s->place);
    return lattice_find(&pattern, PLIANT_PATTERN_GRID, &s->place, &s->place_count);
}

// Balls at the places in a random order, until they fill that volume.
static void sprinkle(scattering* s, double volume)
{
    const double BALL = 4.18879020478639;
    for (int i = 0; i < s->place_count && volume > 0 && !s->failed; ++i) {
        int other = i + random_index(&s->random, s->place_count - i);
        vec3 place = s->place[other];
        s->place[other] = s->place[i];
        double room = balls_room(&s->f->balls, place, s->least, draw_radius(s));
        double radius = try_place(s, place, room, -1);
        volume -= BALL * radius * radius * radius;
    }
}

// From the highest on; each with the same share of what balls can fill.
static bool sprinkle_octaves(scattering* s)
{
    const double FILLED = 0.5; // of the volume, about
    const ball_list* b = &s->f->balls;
    if (b->octaves == 1) return true;
    double cell = s->f->spacing, volume = s->place_count * cell * cell * cell;
    for (int i = b->octaves - 1; i > 0 && !s->failed; --i) {
        s->least = b->grid[i - 1].most;
        s->most = b->grid[i].most;
        if (!find_places(s, s->least + b->gap / 2)) return false;
        sprinkle(s, FILLED * volume / b->octaves);
    }
    s->least = s->f->least;
    s->most = b->grid[0].most;
    return !s->failed && find_places(s, s->f->spacing);
}

bool noise_fill(filling* f)
{
    scattering s = {.f = f,
                    .random = {(uint64_t)f->def->seed},
                    .least = f->least,
                    .most = f->balls.grid[0].most,
                    .far = 8 * f->balls.grid[0].most + 4 * f->balls.gap,
                    .closed = f->solid.holes.open == 0};
    s.far = fmax(s.far, f->most);
    bool good = find_places(&s, f->spacing) && sprinkle_octaves(&s);
    good = good && watcher_stage(f->watch, 1);
    if (good) spread(&s);
    mem_free(s.place);
    mem_free(s.waiting);
    mem_free(s.near.ball);
    return good && !s.failed;
}
