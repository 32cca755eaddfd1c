// How far lists of loose particles reach, and for how many substeps. The same source for the
// processor and for CUDA. What lists have beyond those that touch changes no bit.
//
// A pair may touch in substep k of a list where, at its start, it is no farther apart than both
// radii, its way u in that substep, and what pushes add to that. If both go on as expected, but for
// m each, it is expected at x + k u, nearer by 2 m, and goes farther by 4 m: it is listed where
// x + k u comes as near as the radii, |u|, 6 m and the pushes for some k.
#pragma once
#include "contact/cells.h"
#include "contact/set.h"

// How many substeps lists last at most, and how far a particle may stray from what is expected, in
// radii. On the processor lists are mended for those that do (loose_mend.c).
#ifdef __CUDACC__
enum { LOOSE_SUBSTEPS = 16 };
#define LOOSE_STRAYS 1
#else
enum { LOOSE_SUBSTEPS = 32 };
#define LOOSE_STRAYS 0.1
#endif
enum { LOOSE_DEVIATIONS = 3 };
#define LOOSE_WAY_ROOM 1.25f // times |u|: more than PAIR_ROOM and leeways of courses

// A particle when it is listed.
typedef struct {
    double place[3], course[4]; // [m]; the last: how far pushes may take it from its course
    double radius;              // [m]
} loose_now;

// For how many substeps a list is made: a little more than the last one lasted.
FUNCTION int loose_next_life(int life, int age)
{
    int next = age < life ? age : life + life / 2 + 1;
    return next < LOOSE_SUBSTEPS ? next : LOOSE_SUBSTEPS;
}

// [m] How far pushes may take a particle in a substep: a part of its way and size, as far as they
// did in the last substeps, or farther where it left its course. Within a substep nobody gets less
// than he has.
FUNCTION double loose_push_of(const contact_set* s, bool listed, int i, const loose_now* now,
                              double way)
{
    double least = way + 0.1 * now->radius;
    if (!listed) return least;
    double before = (double)s->loose.course[4 * (size_t)i + 3];
    double room = (double)s->loose.from[4 * (size_t)i + 3];
    bool left = now->course[3] > 1.001 * (before + room);
    double asked = left ? now->course[3] : s->looks_first ? 0.96 * before : before;
    return least > asked ? least : asked;
}

// [m] How far a particle may stray from what is expected: a part of its size, and farther where it
// strayed from the last list, which is forgotten slowly.
FUNCTION double loose_room_of(const contact_set* s, bool listed, int i, const loose_now* now)
{
    const float *from = s->loose.from + 4 * (size_t)i, *along = s->loose.course + 4 * (size_t)i;
    double least = 0.05 * now->radius, square = 0;
    if (!listed) return least;
    for (int k = 0; k < 3; ++k) {
        double gone = now->place[k] - (double)from[k] - s->loose.drift[k];
        double off = gone + (now->course[k] - s->frame[k]) - (s->loose.age + 1) * (double)along[k];
        square += off * off;
    }
    double strayed = sqrt(square), before = (double)from[3];
    double room = strayed > before ? 2 * strayed : 0.98 * before;
    double most = LOOSE_STRAYS * now->radius;
    room = room < most ? room : most;
    return room > least ? room : least;
}

// Particle i is absent. When it comes, it strays from nowhere.
FUNCTION double loose_expect_nobody(const loose_pairs* p, int i, grid_ball* ball, grid_ball* way)
{
    ball->x = ball->y = ball->z = way->x = way->y = way->z = 0;
    ball->reach = way->reach = -1;
    for (int k = 0; k < 4; ++k)
        p->from[4 * (size_t)i + (size_t)k] = p->course[4 * (size_t)i + (size_t)k] = 0;
    return 0;
}

// What a list expects of particle i, for `life` substeps. `listed`: there is a list already.
// `ball`: where it is, and how far it reaches; `way`: where it goes in a substep, and how far it
// reaches from there. Returns how far pushes may take it from its course now [m].
FUNCTION double loose_expect(const contact_set* s, int i, const loose_now* now, int life,
                             bool listed, grid_ball* ball, grid_ball* way)
{
    const loose_pairs* p = &s->loose;
    if (now->radius < 0) return loose_expect_nobody(p, i, ball, way);
    double u[3], size = 0, square = 0;
    for (int k = 0; k < 3; ++k) {
        u[k] = now->course[k] - s->frame[k];
        size += fabs(now->place[k]);
        square += u[k] * u[k];
    }
    double gone = sqrt(square), room = loose_room_of(s, listed, i, now);
    double push = loose_push_of(s, listed, i, now, gone);
    for (int k = 0; k < 3; ++k) size += fabs(p->drift[k]) + p->age * fabs(u[k]);
    double reach = now->radius + LOOSE_DEVIATIONS * room + push + 4 * (double)FLT_EPSILON * size;
    ball->x = (float)now->place[0];
    ball->y = (float)now->place[1];
    ball->z = (float)now->place[2];
    way->x = (float)u[0];
    way->y = (float)u[1];
    way->z = (float)u[2];
    way->reach = (float)reach;
    ball->reach = way->reach + ((float)(life - 1) + LOOSE_WAY_ROOM) * (float)gone * 1.001f;
    for (int k = 0; k < 3; ++k) {
        p->from[4 * (size_t)i + (size_t)k] = (float)now->place[k];
        p->course[4 * (size_t)i + (size_t)k] = (float)u[k];
    }
    p->from[4 * (size_t)i + 3] = (float)room;
    p->course[4 * (size_t)i + 3] = (float)push;
    return room + push;
}

// Whether a pair that is `apart` [m] may touch while the list lasts, in `most` substeps after this
// one.
FUNCTION bool loose_comes_near(const float apart[3], const grid_ball* u, const grid_ball* v,
                               float most)
{
    float x = apart[0], y = apart[1], z = apart[2];
    float ux = u->x - v->x, uy = u->y - v->y, uz = u->z - v->z;
    float reach = u->reach + v->reach, square = x * x + y * y + z * z;
    float uu = ux * ux + uy * uy + uz * uz, xu = x * ux + y * uy + z * uz;
    float t = most > 0 ? -xu / (uu + FLT_MIN) : 0;
    t = t > 0 ? t < most ? t : most : 0;
    square += t * (2 * xu + t * uu);
    if (square <= reach * reach) return true;
    reach += LOOSE_WAY_ROOM * sqrtf(uu);
    return square <= reach * reach * 1.0001f;
}

FUNCTION bool loose_may_touch(const contact_set* s, int one, int two)
{
    const contact_body *a = &s->body[s->owner[one]], *b = &s->body[s->owner[two]];
    int from = two - b->first_point, point[4] = {one - a->first_point, from, from, from};
    if (a == b && holds_together(a, point[0], from)) return false;
    if (!a->meets || !b->meets || !groups_meet(a, b)) return false;
    if (!phases_meet(a, b, point, 1)) return false;
    return !s->joined || !points_are_joined(s->joined, one, two);
}

// Whether every two of them may touch: nobody has to ask.
FUNCTION bool loose_all_may_touch(const contact_set* s)
{
    const contact_body* first = (const contact_body*)0;
    for (int i = 0; i < s->body_count && s->body[i].surface->grains; ++i) {
        const contact_body* b = &s->body[i];
        if (!first) first = b;
        if (!b->meets || b->flows || b->at.phase || b->surface->cluster_start ||
            b->group != first->group || b->mask != first->mask)
            return false;
    }
    return first && (first->group & first->mask) && !s->joined;
}

// How particles of two bodies meet in substeps of h [s].
FUNCTION loose_rules loose_rules_of(const contact_body* a, const contact_body* b, double h,
                                    bool single)
{
    loose_rules r;
    double stick = a->stick * b->stick, slip = a->slip * b->slip;
    r.stick = single ? (double)sqrtf((float)stick) : sqrt(stick);
    r.slip = single ? (double)sqrtf((float)slip) : sqrt(slip);
    double limit = rolling_limit(a, b);
    r.stick = r.stick < limit ? r.stick : single ? (double)(float)limit : limit;
    r.slip = r.slip < limit ? r.slip : single ? (double)(float)limit : limit;
    r.yield = (a->compliance + b->compliance) / (h * h);
    r.bounce = a->restitution > b->restitution ? a->restitution : b->restitution;
    return r;
}
