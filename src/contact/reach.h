// How far points and elements go in a substep, and how far until lists have to be made anew. The
// same source for the processor and for CUDA.
//
// A point has a course: the increment that the sweeps left it, give or take a leeway for what
// pushes will add. As long as every point keeps to its course, the pairs that were found are all
// that may meet. Whoever leaves it gets more leeway, and pairs are found again.
//
// Lists last for several substeps, on the processor as watch.h has it. On a GPU an element has an
// odometer for pairs with other bodies, and one for pairs with its own body. Two elements have come
// nearer to each other by no more than both have gone since. The mean motion of all bodies does not
// count, and for pairs of one body neither do its own motion and rotation: with d = Omega (x - c),
// Omega skew, |x_i - x_j + d_i - d_j|^2 = |x_i - x_j|^2 + |Omega (x_i - x_j)|^2, so a rotation
// brings nobody nearer. (Within a substep it may: a corner goes along its tangent, and the guard
// looks at corners.)
#pragma once
#include "contact/passes.h"
#include "contact/watch.h"

// ---- points -------------------------------------------------------------------------------------

FUNCTION const scalar* row_at_point(const contact_body* b, int point)
{
    return (const scalar*)b->at.row + (size_t)b->row[point] * ROW;
}

LARGE double length_from(quad a, const double from[3])
{
    double square = 0;
    for (int k = 0; k < 3; ++k) square += ((double)a[k] - from[k]) * ((double)a[k] - from[k]);
    return sqrt(square);
}

// Where a rigid motion takes a place.
FUNCTION void motion_at(const rigid_motion* m, quad place, double out[3])
{
    double arm[3];
    for (int k = 0; k < 3; ++k) arm[k] = (double)place[k] - m->middle[k];
    for (int k = 0; k < 3; ++k) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        out[k] = m->step[k] + m->turn[u] * arm[v] - m->turn[v] * arm[u];
    }
}

// [m] What later sweeps and pushes may add: a part of its own way, a little where nothing moves,
// and what they did in the substep before. A point that moves, and that somebody is near to, may be
// stopped, as others of its body were.
FUNCTION scalar leeway_of(const contact_set* s, const contact_body* b, int point, quad course,
                          unsigned live)
{
    double own = length_from(course, s->frame), little = 1e-3 * b->surface->mean_edge;
    double stir = (double)float_of_bits(b->stir), most = own + 100 * little;
    double more = (double)s->swerve[point];
    if (stir > most) stir = most;
    if (s->loaded[point] == live && stir > more) more = stir;
    return (scalar)(OWN_LEEWAY * own + little + more);
}

FUNCTION float way_of(quad moved, const double from[3], double leeway)
{
    return (float)((length_from(moved, from) + leeway) * (1 + WAY_ROUNDING));
}

// ---- on the processor ---------------------------------------------------------------------------

FUNCTION quad quad_of_doubles(const double a[3])
{
    return quad_of((scalar)a[0], (scalar)a[1], (scalar)a[2], 0);
}
FUNCTION scalar length_of_three(quad a)
{
    return lane_sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

FUNCTION void measure_stray(const contact_set* s, const contact_body* b, int point, int of)
{
    const list_age* l = of == OF_ONE ? &b->own_age : &s->age;
    quad along = load_point(s->along[of], point), course = load_point(s->course, point);
    quad drift = quad_of_doubles(l->drift);
    quad frame = quad_of_doubles(of == OF_ONE ? b->motion.step : s->frame);
    quad gone = load_point(s->place, point) - load_point(s->from[of], point);
    scalar off = length_of_three(gone - (scalar)l->age * along - drift);
    scalar more = length_of_three(course - along - frame) + course[3];
    scalar rounding = 16 * SCALAR_EPSILON * (length_of_three(gone) + length_of_three(drift));
    scalar part = (scalar)(1 + WAY_ROUNDING);
    s->stray[of][point].off = (float)(part * off + rounding);
    s->stray[of][point].all = (float)(part * (off + (scalar)WATCH_ROOM * more) + rounding);
}

// From here on a list has to reach.
FUNCTION void start_line(const contact_set* s, const contact_body* b, int point, int of)
{
    quad frame = quad_of_doubles(of == OF_ONE ? b->motion.step : s->frame);
    quad along = load_point(s->course, point) - frame;
    along = quad_with_last(along, length_of_three(along));
    quad_store(at_point(s->from[of], point), load_point(s->place, point));
    quad_store(at_point(s->along[of], point), along);
}

INLINE point_stray stray_of_element(const contact_set* s, int number, int of)
{
    const point_stray* stray = s->stray[of];
    const int* corner = s->corner[number];
    point_stray most = stray[corner[0]];
    for (int k = 1; k < 3; ++k) {
        point_stray next = stray[corner[k]];
        most.off = next.off > most.off ? next.off : most.off;
        most.all = next.all > most.all ? next.all : most.all;
    }
    return most;
}

// True: it has strayed too far for its list.
INLINE bool stray_element(const contact_set* s, int number, int of)
{
    point_stray most = stray_of_element(s, number, of);
    s->off[of][number] = most.off;
    s->reach[of][number] = most.all;
    return !(most.all <= s->margin[of][number]);
}

// ---- ways ---------------------------------------------------------------------------------------

FUNCTION void measure_way(const contact_set* s, const contact_body* b, int point)
{
    if (!s->going) {
        measure_stray(s, b, point, OF_TWO);
        if (lists_itself(s, b)) measure_stray(s, b, point, OF_ONE);
        return;
    }
    quad course = load_point(s->course, point);
    double leeway = (double)course[3];
    s->going[point].way[OF_TWO] = way_of(course, s->frame, leeway);
    if (lists_itself(s, b)) s->going[point].way[OF_ONE] = way_of(course, b->motion.step, leeway);
}

// ---- loose particles ----------------------------------------------------------------------------

// [m] By how much one deviates from what its list expected when this substep has ended.
FUNCTION double deviation_of(const contact_set* s, int point, quad place, quad course)
{
    const loose_pairs* p = &s->loose;
    const float *from = p->from + 4 * (size_t)point, *along = p->course + 4 * (size_t)point;
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        double gone = (double)place[k] - (double)from[k] - p->drift[k];
        double off = gone + ((double)course[k] - s->frame[k]) - (p->age + 1) * (double)along[k];
        square += off * off;
    }
    return sqrt(square);
}

LARGE void note_stray(const contact_set* s, int point)
{
#ifndef __CUDACC__
    if (point < s->loose.count) s->loose.strays[point] = 1;
#else
    (void)point;
#endif
    flag_raise(&s->flags->strayed, s->pass);
}

// [m] A particle that is listed may be pushed as far as its list reaches. One whose way is not
// expected needs a new list.
LARGE scalar loose_leeway(contact_set* s, const contact_body* b, int point, quad place, quad course)
{
    if (row_at_point(b, point - b->first_point)[ROW_RADIUS] < 0) return 0; // it is absent
    double least = 2 * OWN_LEEWAY * length_from(course, s->frame) + 1e-3 * b->surface->mean_edge;
    double room = -1, push = 0;
    if (point < s->loose.count) {
        push = (double)s->loose.course[4 * (size_t)point + 3];
        room = (double)s->loose.from[4 * (size_t)point + 3] - deviation_of(s, point, place, course);
    }
    if (room >= 0 && room + push >= least) return (scalar)(room + push);
    note_stray(s, point);
    return (scalar)least;
}

// ---- all ----------------------------------------------------------------------------------------

// How far it went in the substep before.
FUNCTION void measure_gone(const contact_set* s, const contact_body* b, int point, quad place)
{
    quad before = load_point(s->place, point), moved = place - before;
    double along[3];
    if (!s->going) return;
    s->going[point].gone[OF_TWO] = way_of(moved, s->frame_before, 0);
    if (!lists_itself(s, b)) return;
    motion_at(&b->motion_before, before, along);
    s->going[point].gone[OF_ONE] = way_of(moved, along, 0);
}

// Where the substep takes it.
INLINE void set_course(contact_set* s, int point)
{
    const contact_body* b = &s->body[s->owner[point]];
    if (!b->meets) return;
    const scalar* row = row_at_point(b, point - b->first_point);
    quad course = b->frozen ? quad_of(0, 0, 0, 0) : quad_load(row + ROW_D);
    scalar leeway = is_loose(s, b) ? loose_leeway(s, b, point, quad_load(row), course)
                                   : leeway_of(s, b, point, course, s->meeting - 1);
    course = quad_with_last(course, leeway);
    quad_store(at_point(s->course, point), course);
    if (s->loose_alone) return;
    s->swerve[point] = 0;
    measure_way(s, b, point);
}

INLINE void look_point(contact_set* s, int point)
{
    const contact_body* b = &s->body[s->owner[point]];
    if (!b->meets) return;
    quad place = quad_load(row_at_point(b, point - b->first_point));
    if (!s->loose_alone) measure_gone(s, b, point, place);
    quad_store(at_point(s->place, point), quad_with_last(place, 0));
    set_course(s, point);
}

// Somebody of its body left his course.
INLINE void widen_point(contact_set* s, int point)
{
    const contact_body* b = &s->body[s->owner[point]];
    if (!b->meets) return;
    quad course = load_point(s->course, point);
    scalar leeway = is_loose(s, b) ? loose_leeway(s, b, point, load_point(s->place, point), course)
                                   : leeway_of(s, b, point, course, s->meeting);
    if (is_loose(s, b) && course[3] > leeway) note_stray(s, point);
    at_point(s->course, point)[3] = lane_max(course[3], leeway);
    if (!s->loose_alone) measure_way(s, b, point);
}

// After a further sweep.
INLINE void watch_point(contact_set* s, int point)
{
    const contact_body* b = &s->body[s->owner[point]];
    if (!b->meets || b->frozen || b->collider || is_rigid(b)) return;
    quad d = quad_load(row_at_point(b, point - b->first_point) + ROW_D);
    note_swerve(s, point, d);
    watch_course(s, point, d);
}

// ---- elements -----------------------------------------------------------------------------------

// [m] For a way in a substep: wide enough for some substeps like this one, for as many as cost
// little. A list of one body may last long.
FUNCTION float margin_of(const contact_body* b, int of, float way)
{
    const double substeps = of == OF_ONE ? 64 : 16;
    double little = 0.25 * b->surface->mean_edge, least = 0.05 * b->surface->mean_edge;
    double once = PAIR_ROOM * (double)way, margin = substeps * once;
    margin = margin > least ? margin : least;
    margin = margin < little ? margin : little;
    return (float)(margin > 1.25 * once ? margin : 1.25 * once);
}

// For a new list.
FUNCTION void start_odometer(const contact_set* s, const contact_body* b, int number, int of)
{
    element_way* e = &s->way[number];
    e->odometer[of] = 0;
    e->margin[of] = margin_of(b, of, e->way[of]);
    s->reach[of][number] = (float)PAIR_ROOM * e->way[of];
}

// How far it goes, from what its points have.
INLINE void look_element(contact_set* s, int number)
{
    contact_body* b = &s->body[s->element_owner[number]];
    if (!b->meets || (s->loose_alone && is_loose(s, b))) return;
    if (!s->going) {
        if (stray_element(s, number, OF_TWO)) flag_raise(&s->flags->unlisted, s->pass);
        if (!lists_itself(s, b) || !stray_element(s, number, OF_ONE)) return;
        flag_raise(&b->lapsed, s->pass);
        flag_raise(&s->flags->lapsed, s->pass);
        return;
    }
    const surface_element* of = &b->surface->element[number - b->first_element];
    element_way* e = &s->way[number];
    point_way most = s->going[b->first_point + of->point[0]];
    for (int k = 1; k < 3 && of->point[k] >= 0; ++k) {
        point_way next = s->going[b->first_point + of->point[k]];
        for (int i = 0; i < 2; ++i) {
            most.way[i] = next.way[i] > most.way[i] ? next.way[i] : most.way[i];
            most.gone[i] = next.gone[i] > most.gone[i] ? next.gone[i] : most.gone[i];
        }
    }
    for (int i = 0; i < 2; ++i) {
        if (s->looks_first) e->odometer[i] += most.gone[i];
        e->way[i] = most.way[i];
        s->reach[i][number] = e->odometer[i] + (float)PAIR_ROOM * most.way[i];
    }
    if (s->reach[OF_TWO][number] > e->margin[OF_TWO]) flag_raise(&s->flags->unlisted, s->pass);
    if (lists_itself(s, b) && s->reach[OF_ONE][number] > e->margin[OF_ONE]) {
        flag_raise(&b->lapsed, s->pass);
        flag_raise(&s->flags->lapsed, s->pass);
    }
}
