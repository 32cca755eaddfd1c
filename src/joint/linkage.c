#include "joint/linkage.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "solver/rigid_rows.h"
#include <string.h>

bool linkage_reserve(linkage* s, int links, int particles)
{
    return mem_reserve((void**)&s->link, &s->link_room, links, sizeof *s->link) &&
           mem_reserve((void**)&s->slot, &s->slot_room, links, sizeof *s->slot) &&
           mem_reserve((void**)&s->body, &s->body_room, 2 * (int64_t)links, sizeof *s->body) &&
           mem_reserve((void**)&s->body_slot, &s->body_slot_room, 2 * (int64_t)links,
                       sizeof *s->body_slot) &&
           mem_reserve((void**)&s->body_key, &s->body_key_room, 2 * (int64_t)links,
                       sizeof *s->body_key) &&
           mem_reserve((void**)&s->pushed, &s->pushed_room, particles, sizeof *s->pushed) &&
           joint_system_reserve(&s->soft, 0, particles);
}

void linkage_destroy(linkage* s)
{
    void* const owned[] = {s->link, s->slot, s->body, s->body_slot, s->pushed, s->waits,
                           s->size, s->pair, s->at,   s->body_key,  s->x};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i) mem_free(owned[i]);
    joint_system_destroy(&s->soft);
    elimination_destroy(&s->equations);
    memset(s, 0, sizeof *s);
}

static bool is_free(const linkage* s, const link_side* side)
{
    return side->body >= 0 && s->body[side->body].free;
}

// ---- who is next to whom ------------------------------------------------------------------------

// Nodes are bodies, then links. A body that nothing moves has no neighbors.
static bool add_pair(linkage* s, int* count, int one, int other)
{
    if (!mem_reserve((void**)&s->pair, &s->pair_room, (int64_t)*count + 1, sizeof *s->pair))
        return false;
    s->pair[(*count)++] =
        (uint64_t)(one < other ? one : other) << 32 | (uint32_t)(one < other ? other : one);
    return true;
}

static bool list_particles(linkage* s)
{
    s->at_count = 0;
    for (int i = 0; i < s->count; ++i)
        for (int k = 0; k < 2; ++k) {
            const link_side* side = &s->link[i].side[k];
            if (!mem_reserve((void**)&s->at, &s->at_room, (int64_t)s->at_count + side->count,
                             sizeof *s->at))
                return false;
            for (int p = 0; p < side->count; ++p)
                s->at[s->at_count++] = (uint64_t)side->point[p] << 32 | (uint32_t)i;
        }
    sort_keys(s->at, s->at_count);
    return true;
}

// Links that share a particle.
static bool list_sharing(linkage* s, int* count)
{
    for (int i = 0; i < s->at_count; ++i)
        for (int k = i + 1; k < s->at_count && s->at[k] >> 32 == s->at[i] >> 32; ++k) {
            int one = (int)(s->at[i] & UINT32_MAX), other = (int)(s->at[k] & UINT32_MAX);
            if (one != other && !add_pair(s, count, s->body_count + one, s->body_count + other))
                return false;
        }
    return true;
}

static bool list_pairs(linkage* s, int* out_count)
{
    int count = 0;
    for (int i = 0; i < s->count; ++i)
        for (int k = 0; k < 2; ++k) {
            const link_side* side = &s->link[i].side[k];
            if (is_free(s, side) && !add_pair(s, &count, side->body, s->body_count + i))
                return false;
        }
    if (!list_particles(s) || !list_sharing(s, &count)) return false;
    sort_keys(s->pair, count);
    *out_count = 0;
    for (int i = 0; i < count; ++i)
        if (i == 0 || s->pair[i] != s->pair[i - 1]) s->pair[(*out_count)++] = s->pair[i];
    return true;
}

static bool describe_nodes(linkage* s)
{
    int nodes = s->body_count + s->count;
    if (!mem_reserve((void**)&s->size, &s->size_room, nodes, sizeof *s->size) ||
        !mem_reserve((void**)&s->waits, &s->waits_room, nodes, sizeof *s->waits))
        return false;
    for (int i = 0; i < nodes; ++i) {
        const link_state* l = i < s->body_count ? NULL : &s->link[i - s->body_count];
        s->size[i] = l ? l->rows : 6;
        s->waits[i] = l && l->side[0].count + l->side[1].count == 0 &&
                      (is_free(s, &l->side[0]) || is_free(s, &l->side[1]));
    }
    return true;
}

// Never 0.
static uint64_t hash_of_plan(const linkage* s, int pairs)
{
    int nodes = s->body_count + s->count;
    uint64_t hash = hash_bytes(HASH_SEED, s->size, (size_t)nodes * sizeof *s->size);
    hash = hash_bytes(hash, s->waits, (size_t)nodes * sizeof *s->waits);
    return hash_bytes(hash, s->pair, (size_t)pairs * sizeof *s->pair) | 1;
}

bool linkage_plan(linkage* s)
{
    int pairs, nodes = s->body_count + s->count;
    if (!list_pairs(s, &pairs) || !describe_nodes(s)) return false;
    uint64_t hash = hash_of_plan(s, pairs);
    if (s->known == hash) return true;
    s->known = 0;
    if (!elimination_plan(&s->equations, nodes, s->size, s->waits, s->pair, pairs) ||
        !mem_reserve((void**)&s->x, &s->x_room, s->equations.unknowns, sizeof *s->x))
        return false;
    s->known = hash;
    return true;
}

// ---- the start of a substep ---------------------------------------------------------------------

static void start_side(const linkage* s, link_side* side)
{
    const joint_set* set = &s->soft.set;
    const double part = (double)set->substep / s->substeps, rate = 1 / (s->h * s->substeps);
    const link_body* b = side->body >= 0 ? &s->body[side->body] : NULL;
    double turning[3] = {0, 0, 0};
    if (b) {
        rigid_outward(&b->rigid->axis, side->local, side->anchor);
        d3_cross(b->turning, side->anchor, turning);
        quaternion_product(b->rigid->turn, side->frame, side->turn);
    } else {
        memcpy(side->turn, side->frame, sizeof side->turn);
    }
    for (int k = 0; k < 3; ++k) {
        bool still = b && *b->run->failed;
        side->start[k] =
            b ? b->rigid->center[k] + side->anchor[k] : side->local[k] + part * side->way[k];
        side->speed[k] = still ? 0 : b ? b->rigid->velocity[k] + turning[k] : rate * side->way[k];
        if (side->count) side->start[k] = side->speed[k] = 0;
        for (int i = 0; i < side->count; ++i) {
            const joint_point* p = &set->point[side->point[i]];
            side->start[k] += side->share[i] * p->place[k];
            side->speed[k] += side->share[i] * p->velocity[k];
        }
    }
}

// Both sides are pushed at the same place: in the middle between those of rigid bodies, else at the
// one that is no rigid body's. So no torque comes from a gap.
static void place_arms(const linkage* s, link_state* l)
{
    bool both = l->side[0].body >= 0 && l->side[1].body >= 0;
    for (int i = 0; i < 2; ++i) {
        link_side *side = &l->side[i], *other = &l->side[1 - i];
        bool own = other->body < 0 && other->count == 0;
        for (int k = 0; k < 3 && side->body >= 0; ++k) {
            double at = both  ? 0.5 * (side->start[k] + other->start[k])
                        : own ? side->start[k]
                              : other->start[k];
            side->arm[k] = at - s->body[side->body].rigid->center[k];
        }
    }
}

// [1/kg, 1/(kg m^2)]
static double side_pivot(const linkage* s, const link_state* l, int i, int row)
{
    const link_side* side = &l->side[i];
    double sum = 0;
    for (int k = 0; k < side->count && row < 3; ++k)
        sum += side->share[k] * side->share[k] * s->soft.set.point[side->point[k]].inv_mass[row];
    if (!is_free(s, side)) return sum;
    const rigid_state* r = s->body[side->body].rigid;
    if (row < 3) return rigid_lightness(r, side->arm, l->along[row]);
    for (int a = 0; a < 3; ++a) sum += l->along[row][a] * d3_dot(r->inv_inertia[a], l->along[row]);
    return sum;
}

static void end_of_turns(const linkage* s, const link_state* l, link_end* out)
{
    double turn[2][4];
    for (int i = 0; i < 2; ++i) {
        const link_side* side = &l->side[i];
        bool goes = side->body >= 0 && !*s->body[side->body].run->failed;
        if (goes)
            link_turn_at_end(s->body[side->body].rigid, side->turn, turn[i]);
        else
            memcpy(turn[i], side->turn, sizeof turn[i]);
    }
    link_measure_turn(l, turn[0], turn[1], out);
}

// [rad] By which the substep before turned the second side against the first.
static void find_turning(const linkage* s, const link_state* l, double out[3])
{
    for (int k = 0; k < 3; ++k) {
        out[k] = 0;
        for (int i = 0; i < 2; ++i)
            if (l->side[i].body >= 0)
                out[k] += (i ? s->h : -s->h) * s->body[l->side[i].body].turning[k];
    }
}

// The limit's push has a sign in between.
static void carry(link_state* l, double ratio)
{
    const link_rows* limit = &l->group[LINK_LIMIT];
    for (int i = 0; i < l->rows; ++i) l->lambda[i] = l->pivot[i] > 0 ? ratio * l->lambda[i] : 0;
    if (limit->count == 0) return;
    double push = limit->shift[1] * l->lambda[limit->first];
    l->lambda[limit->first] = limit->stops && push < 0 ? 0 : push;
}

static void start_link(linkage* s, link_state* l)
{
    double way[3], turned[3], between[4], ratio = s->last_h > 0 ? s->h / s->last_h : 0;
    link_end end;
    for (int i = 0; i < 2; ++i) start_side(s, &l->side[i]);
    place_arms(s, l);
    for (int k = 0; k < 3; ++k) {
        l->apart[k] = l->side[0].start[k] - l->side[1].start[k];
        way[k] = s->h * (l->side[0].speed[k] - l->side[1].speed[k]);
    }
    link_between(l->side[0].turn, l->side[1].turn, between);
    l->first_angle = l->angle = link_twist(between, l->angle);
    link_bend(between, l->side[0].turn, l->bend);
    link_place_rows(l);
    for (int i = 0; i < l->rows; ++i) l->pivot[i] = side_pivot(s, l, 0, i) + side_pivot(s, l, 1, i);
    link_close(l, s->soft.set.substep == 0, s->close_speed * s->h);
    find_turning(s, l, turned);
    link_set_groups(l, s->h, way, turned);
    end_of_turns(s, l, &end);
    link_choose_limit(l, end.angle);
    carry(l, ratio * ratio);
}

// ---- passes -------------------------------------------------------------------------------------

static void push_side(linkage* s, link_state* l, int i, const double push[3], const double twist[3])
{
    link_side* side = &l->side[i];
    double sign = i ? -1 : 1, by[3];
    for (int k = 0; k < 3; ++k) by[k] = sign * push[k];
    for (int k = 0; k < side->count; ++k) {
        double part[3];
        for (int c = 0; c < 3; ++c) part[c] = side->share[k] * by[c];
        joint_move(&s->soft.set.point[side->point[k]], part);
    }
    if (!is_free(s, side)) return;
    rigid_state* r = s->body[side->body].rigid;
    rigid_push(r, side->arm, by);
    for (int k = 0; k < 3; ++k) r->twist[k] -= sign * twist[k];
}

// All that links change, and how bodies go then.
static void push_all(linkage* s)
{
    for (int i = 0; i < s->count; ++i) {
        link_state* l = &s->link[i];
        double push[3], twist[3];
        if (l->broken) continue;
        link_sum(l, l->change, push, twist);
        for (int k = 0; k < 2; ++k) push_side(s, l, k, push, twist);
    }
    for (int i = 0; i < s->body_count; ++i)
        if (s->body[i].free) rigid_solve(s->body[i].rigid);
}

// [m] How a side moves in the substep.
static void side_motion(const linkage* s, const link_side* side, double out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = side->count ? 0 : side->way[k] / s->substeps;
    for (int i = 0; i < side->count; ++i)
        for (int k = 0; k < 3; ++k)
            out[k] += side->share[i] * s->soft.set.point[side->point[i]].motion[k];
    if (side->body < 0) return;
    if (*s->body[side->body].run->failed)
        memset(out, 0, 3 * sizeof *out);
    else
        rigid_motion_at(s->body[side->body].rigid, side->anchor, out);
}

static void measure_link(const linkage* s, link_state* l)
{
    double moved[2][3];
    link_end end;
    for (int i = 0; i < 2; ++i) side_motion(s, &l->side[i], moved[i]);
    for (int k = 0; k < 3; ++k)
        l->measure[k] = (moved[0][k] - moved[1][k]) + l->group[LINK_PLACE].shift[k];
    if (l->rows == 3) return;
    end_of_turns(s, l, &end);
    for (int i = LINK_ALIGN; i < LINK_GROUPS; ++i) link_measure_group(l, (link_group)i, &end);
}

// A little less stiff than stiff: joints that hold the same thing twice share what there is to do.
static const double softness = 1e-9;

static double row_yield(const link_state* l, int row)
{
    double yield = softness * l->pivot[row];
    for (int i = 0; i < LINK_GROUPS; ++i)
        if (row >= l->group[i].first && row < l->group[i].first + l->group[i].count)
            yield += l->group[i].yield;
    return yield;
}

// [m, rad] What is not seen.
static double rounding_of(const link_state* l, int row)
{
    double size = 1;
    if (row >= 3) return 1e-13;
    for (int i = 0; i < 2; ++i)
        size += link_length(l->side[i].start) + link_length(l->side[i].anchor);
    return 1e-14 * size;
}

// Whether some row was not done.
static bool judge_links(linkage* s, bool* out_others)
{
    bool off = false;
    *out_others = false;
    for (int i = 0; i < s->count; ++i) {
        link_state* l = &s->link[i];
        if (l->broken) continue;
        measure_link(s, l);
        link_judge(l, 1e-13);
        for (int row = 0; row < l->rows; ++row) {
            double left = l->measure[row] + row_yield(l, row) * l->lambda[row];
            *out_others = *out_others || fabs(l->change[row]) * l->pivot[row] > rounding_of(l, row);
            off = off || (!link_row_is_off(l, row) && fabs(left) > rounding_of(l, row));
        }
    }
    return off || *out_others;
}

// What rows that are off change by themselves.
static void push_others(linkage* s)
{
    push_all(s);
    for (int i = 0; i < s->count; ++i) {
        link_state* l = &s->link[i];
        for (int k = 0; k < l->rows && !l->broken; ++k) l->lambda[k] += l->change[k];
        if (!l->broken) measure_link(s, l);
    }
}

// ---- equations ----------------------------------------------------------------------------------

// How a row of a side follows from the step and the turn of its body.
static void row_of_side(const link_state* l, int i, int row, double out[6])
{
    double sign = i ? -1 : 1, turn[3];
    if (row < 3) d3_cross(l->side[i].arm, l->along[row], turn);
    for (int k = 0; k < 3; ++k) {
        out[k] = row < 3 ? sign * l->along[row][k] : 0;
        out[3 + k] = row < 3 ? sign * turn[k] : -sign * l->along[row][k];
    }
}

static void enter_body(linkage* s, int i)
{
    double* own = elimination_own(&s->equations, i);
    const rigid_state* r = s->body[i].rigid;
    for (int k = 0; k < 6; ++k) own[7 * k] = !s->body[i].free ? 1 : k < 3 ? r->mass : 0;
    for (int a = 0; a < 3 && s->body[i].free; ++a)
        for (int b = 0; b < 3; ++b)
            for (int k = 0; k < 3; ++k)
                own[6 * (3 + a) + 3 + b] += r->inertia[k] * r->axis.row[k][a] * r->axis.row[k][b];
}

static void enter_side(linkage* s, int i, int side)
{
    const link_state* l = &s->link[i];
    bool rows_of_link;
    if (!is_free(s, &l->side[side])) return;
    double* block =
        elimination_block(&s->equations, s->body_count + i, l->side[side].body, &rows_of_link);
    for (int row = 0; row < l->rows; ++row) {
        double j[6];
        if (link_row_is_off(l, row)) continue;
        row_of_side(l, side, row, j);
        for (int k = 0; k < 6; ++k) block[rows_of_link ? 6 * row + k : k * l->rows + row] = -j[k];
    }
}

static void enter_link(linkage* s, int i)
{
    const link_state* l = &s->link[i];
    double* own = elimination_own(&s->equations, s->body_count + i);
    for (int row = 0; row < l->rows; ++row) {
        double* diagonal = &own[row * (l->rows + 1)];
        *diagonal = link_row_is_off(l, row) ? -1 : -row_yield(l, row);
        for (int side = 0; side < 2 && row < 3 && *diagonal > -1; ++side)
            for (int k = 0; k < l->side[side].count; ++k) {
                double share = l->side[side].share[k];
                *diagonal -=
                    share * share * s->soft.set.point[l->side[side].point[k]].inv_mass[row];
            }
    }
    for (int side = 0; side < 2; ++side) enter_side(s, i, side);
}

static double share_of(const link_state* l, int point)
{
    double sum = 0;
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < l->side[i].count; ++k)
            if (l->side[i].point[k] == point) sum += (i ? -1 : 1) * l->side[i].share[k];
    return sum;
}

// Two links at one particle.
static void enter_sharing(linkage* s, int point, int one, int other)
{
    link_state *a = &s->link[one], *b = &s->link[other];
    bool rows_of_one;
    double* block =
        elimination_block(&s->equations, s->body_count + one, s->body_count + other, &rows_of_one);
    int columns = rows_of_one ? b->rows : a->rows;
    double both = share_of(a, point) * share_of(b, point);
    for (int k = 0; k < 3; ++k)
        if (!link_row_is_off(a, k) && !link_row_is_off(b, k))
            block[k * columns + k] -= both * s->soft.set.point[point].inv_mass[k];
}

static void enter_all(linkage* s)
{
    elimination_clear(&s->equations);
    for (int i = 0; i < s->body_count; ++i) enter_body(s, i);
    for (int i = 0; i < s->count; ++i) enter_link(s, i);
    for (int i = 0; i < s->at_count; ++i)
        for (int k = i + 1; k < s->at_count && s->at[k] >> 32 == s->at[i] >> 32; ++k)
            if ((s->at[i] & UINT32_MAX) != (s->at[k] & UINT32_MAX))
                enter_sharing(s, (int)(s->at[i] >> 32), (int)(s->at[i] & UINT32_MAX),
                              (int)(s->at[k] & UINT32_MAX));
    elimination_factor(&s->equations);
}

static void solve_all(linkage* s)
{
    elimination* e = &s->equations;
    memset(s->x, 0, (size_t)e->unknowns * sizeof *s->x);
    for (int i = 0; i < s->count; ++i) {
        const link_state* l = &s->link[i];
        double* x = s->x + e->first[s->body_count + i];
        for (int row = 0; row < l->rows; ++row)
            x[row] =
                link_row_is_off(l, row) ? 0 : l->measure[row] + row_yield(l, row) * l->lambda[row];
    }
    elimination_solve(e, s->x);
    for (int i = 0; i < s->count; ++i) {
        link_state* l = &s->link[i];
        const double* x = s->x + e->first[s->body_count + i];
        for (int row = 0; row < l->rows; ++row)
            l->change[row] = link_row_is_off(l, row) ? 0 : x[row];
        link_limit(l);
        for (int row = 0; row < l->rows; ++row) l->lambda[row] += l->change[row];
    }
    push_all(s);
}

static void pull(linkage* s)
{
    enum { PASSES = 24 };
    bool others;
    for (int pass = 0; pass < PASSES && judge_links(s, &others); ++pass) {
        if (others) push_others(s);
        enter_all(s);
        solve_all(s);
    }
}

// ---- the substep --------------------------------------------------------------------------------

static void load(linkage* s, bool first)
{
    joint_set* set = &s->soft.set;
    for (int i = 0; i < set->point_count; ++i) {
        if (first)
            load_joint_point(set, i);
        else
            load_joint_motion(set, i);
        set->point[i].joints = 1;
    }
}

static void start(linkage* s)
{
    for (int i = 0; i < s->body_count; ++i)
        rigid_angular_velocity(s->body[i].rigid, s->body[i].turning);
    for (int i = 0; i < s->count; ++i) {
        link_state* l = &s->link[i];
        if (l->broken) continue;
        start_link(s, l);
        memcpy(l->change, l->lambda, sizeof l->change);
    }
    push_all(s);
}

// Rows go as bodies do, for whoever looks at them.
static void store_motion(linkage* s, bool first)
{
    joint_set* set = &s->soft.set;
    for (int i = 0; i < set->point_count; ++i) store_joint_motion(set, i);
    for (int i = 0; i < s->body_count && first; ++i) {
        const body_run* b = s->body[i].run;
        const rigid_rows rows = {b->s->row, b->s->velocity, b->s->residue, b->local,
                                 b->s->scalar_bytes};
        if (!s->body[i].free) continue;
        rigid_note_course(b->rigid);
        for (size_t k = 0; k < (size_t)b->s->particle_count; ++k)
            rigid_row_begin(b->rigid, &rows, k, s->h);
    }
}

// What lasts is expected by the next prediction.
static void finish(linkage* s)
{
    joint_set* set = &s->soft.set;
    for (int i = 0; i < set->point_count; ++i) memset(s->pushed[i], 0, sizeof *s->pushed);
    for (int i = 0; i < s->count; ++i) {
        link_state* l = &s->link[i];
        if (l->broken) continue;
        link_note_end(l, s->h);
        for (int k = 0; k < 2; ++k)
            for (int p = 0; p < l->side[k].count; ++p)
                for (int c = 0; c < 3; ++c)
                    s->pushed[l->side[k].point[p]][c] +=
                        (k ? -1 : 1) * l->side[k].share[p] * l->lambda[c];
    }
    for (int i = 0; i < set->point_count; ++i) lift_joint_row(set, i, s->pushed[i]);
    joint_mark_pieces(&s->soft);
    s->last_h = s->h;
}

static void tell(linkage* s, const step_work* step, const sweep_pass* pass)
{
    joint_set* set = &s->soft.set;
    s->h = set->h = step->dt / step->substeps;
    s->substeps = step->substeps;
    set->substep = pass->substep;
    if (pass->first && pass->substep == 0) joint_set_tell(&s->soft);
    for (int i = 0; i < set->body_count; ++i) set->body[i].frozen = *s->soft.body[i]->failed;
    for (int i = 0; i < s->body_count; ++i)
        s->body[i].free = !s->body[i].rigid->held && !*s->body[i].run->failed;
}

pliant_result linkage_meet(void* system, step_work* step, const sweep_pass* pass)
{
    linkage* s = (linkage*)system;
    tell(s, step, pass);
    load(s, pass->first);
    if (pass->first) start(s);
    if (!pass->first || s->alone) pull(s);
    store_motion(s, pass->first);
    if (pass->last) finish(s);
    return PLIANT_OK;
}

void linkage_bounce(void* system, step_work* step)
{
    (void)system;
    (void)step;
}
