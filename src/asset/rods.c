// Segments, in the order in which they hang together, their orientations at rest, and the joints
// between them; then the same as lanes.
#include "asset/rods.h"
#include "asset/asset.h"
#include "math/turn.h"
#include "mesh/shape.h"
#include <math.h>
#include <string.h>

// ---- stiffness ----------------------------------------------------------------------------------

static double given_or(double given, double found) { return given > 0 ? given : found; }

// A round rod: Cowper's factor of shear, and the polar moment for twist.
static void find_stiffness(const pliant_asset* a, rod_set* r)
{
    const pliant_rope_def* rope = &a->def.rope;
    const double e = a->material[0].young, nu = a->material[0].poisson, area = asset_rope_area(a);
    const double g = e / (2 * (1 + nu)), square = rope->radius * rope->radius;
    r->stretch = given_or(rope->stretch, e * area);
    r->shear = given_or(rope->shear, 6 * (1 + nu) / (7 + 6 * nu) * g * area);
    r->bending = given_or(rope->bending, e * area * square / 4);
    r->twisting = given_or(rope->twisting, g * area * square / 2);
    r->damping = a->material[0].damping;
}

// ---- which segments meet where ------------------------------------------------------------------

// Edges of each particle, in ascending order.
typedef struct {
    int *start, *edge; // [vertices + 1], [2 edges]
    int* queue;        // [edges] segments in the order in which they are found:
    int queued, next;  // how many, and which is looked at
    bool* found;
    int* arrival; // [vertices] the segment by which the particle was reached; -1
} walk;

static bool open_walk(const pliant_mesh* m, walk* w)
{
    size_t vertices = (size_t)m->vertex_count, edges = (size_t)m->edge_count;
    *w = (walk){.start = (int*)mem_array_zero(vertices + 2, sizeof(int)),
                .edge = (int*)mem_array(2 * edges, sizeof(int)),
                .queue = (int*)mem_array(edges, sizeof(int)),
                .found = (bool*)mem_array_zero(edges, sizeof(bool)),
                .arrival = (int*)mem_array(vertices, sizeof(int))};
    if (!w->start || !w->edge || !w->queue || !w->found || !w->arrival) return false;
    for (size_t i = 0; i < 2 * edges; ++i) w->start[m->edges[i] + 2]++;
    for (size_t v = 0; v < vertices; ++v) w->start[v + 2] += w->start[v + 1];
    for (size_t i = 0; i < 2 * edges; ++i) w->edge[w->start[m->edges[i] + 1]++] = (int)(i / 2);
    for (size_t v = 0; v < vertices; ++v) w->arrival[v] = -1;
    return true;
}

static void close_walk(walk* w)
{
    mem_free(w->start);
    mem_free(w->edge);
    mem_free(w->queue);
    mem_free(w->found);
    mem_free(w->arrival);
}

static void find_direction(const pliant_mesh* m, const int end[2], double out[3])
{
    point d = point_between(vertex_at(m->vertices, end[0]), vertex_at(m->vertices, end[1]));
    double length = sqrt(point_dot(d, d));
    out[0] = d.x / length, out[1] = d.y / length, out[2] = d.z / length;
}

// The smallest rotation from one direction to another; of opposite ones, about an axis across.
static quaternion smallest_turn(const double a[3], const double b[3])
{
    double cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    quaternion q = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0],
                    1 + cosine};
    if (cosine < -1 + 1e-12)
        q = fabs(a[0]) < 0.9 ? (quaternion){0, -a[2], a[1], 0} : (quaternion){a[2], 0, -a[0], 0};
    return turn_unit(q);
}

static quaternion rest_of(const rod_set* r, int segment)
{
    const double* q = r->rest + 4 * (size_t)segment;
    return (quaternion){q[0], q[1], q[2], q[3]};
}

static void write_turn(double* to, int i, quaternion q)
{
    double* out = to + 4 * (size_t)i;
    out[0] = q.x, out[1] = q.y, out[2] = q.z, out[3] = q.w;
}

// A segment that begins at a particle, turned as little as possible against the one before (-1:
// there is none).
static void take_segment(const pliant_mesh* m, rod_set* r, walk* w, int segment, int from,
                         int before)
{
    const int* edge = m->edges + 2 * (size_t)segment;
    int* end = r->end + 2 * (size_t)segment;
    end[0] = from;
    end[1] = edge[0] == from ? edge[1] : edge[0];
    double along[3], last[3] = {0, 0, 1};
    quaternion turn = turn_none();
    find_direction(m, end, along);
    if (before >= 0) {
        find_direction(m, r->end + 2 * (size_t)before, last);
        turn = rest_of(r, before);
    }
    write_turn(r->rest, segment, turn_unit(turn_after(smallest_turn(last, along), turn)));
    w->found[segment] = true;
}

// Half of the way from one orientation to the other at rest. Where both begin or both end at the
// particle, no axis leads through.
static void add_joint(rod_set* r, int first, int second, int at)
{
    const int j = r->joint_count++;
    quaternion way = turn_after(turn_back(rest_of(r, first)), rest_of(r, second));
    if (way.w < 0) way = (quaternion){-way.x, -way.y, -way.z, -way.w};
    way.w += 1;
    write_turn(r->half, j, turn_unit(way));
    r->link[2 * j] = first;
    r->link[2 * j + 1] = second;
    r->span[j] = (r->length[first] + r->length[second]) / 2;
    r->ball[j] = (r->end[2 * first + 1] == at) == (r->end[2 * second + 1] == at);
    if (r->hangs[second] < 0) r->hangs[second] = j;
}

// Segments that begin at a particle, each joined with that by which it was reached. Where a rod
// begins, one at first: a ring leads back to there.
static void expand(const pliant_mesh* m, rod_set* r, walk* w, int at, bool begins)
{
    for (int i = w->start[at]; i < w->start[at + 1]; ++i) {
        int segment = w->edge[i], before = w->arrival[at];
        if (w->found[segment]) continue;
        take_segment(m, r, w, segment, at, before);
        w->queue[w->queued++] = segment;
        if (before >= 0) add_joint(r, before, segment, at);
        if (before < 0) w->arrival[at] = segment;
        if (begins) return;
    }
}

// What hangs on the segments that were found: an end that was reached before is closed.
static void follow(const pliant_mesh* m, rod_set* r, walk* w)
{
    while (w->next < w->queued) {
        int segment = w->queue[w->next++], end = r->end[2 * segment + 1];
        if (w->arrival[end] >= 0) {
            add_joint(r, segment, w->arrival[end], end);
            continue;
        }
        w->arrival[end] = segment;
        expand(m, r, w, end, false);
    }
}

static void begin_at(const pliant_mesh* m, rod_set* r, walk* w, int root)
{
    expand(m, r, w, root, true);
    follow(m, r, w);
    expand(m, r, w, root, false);
    follow(m, r, w);
}

static void find_segments(const pliant_mesh* m, rod_set* r, walk* w)
{
    for (int i = 0; i < r->count; ++i)
        r->length[i] = sqrt(squared_distance(m->vertices, m->edges[2 * i], m->edges[2 * i + 1]));
    // Rods begin at ends; what has none, anywhere.
    for (int round = 0; round < 2; ++round)
        for (int v = 0; v < m->vertex_count; ++v) {
            int count = w->start[v + 1] - w->start[v];
            if ((round == 0 && count != 1) || w->arrival[v] >= 0) continue;
            begin_at(m, r, w, v);
        }
}

// ---- lanes --------------------------------------------------------------------------------------

// Things that touch two or three of something get the first color that none of those has: bits of a
// word, which is enough for 64 at one place.
typedef struct {
    uint64_t* used; // [places]
    int* color;     // [things]
    int colors;
} painter;

static void paint(painter* p, int thing, const int* place, int places)
{
    uint64_t used = 0;
    int color = 0;
    for (int k = 0; k < places; ++k) used |= p->used[place[k]];
    while (color < 63 && used >> color & 1) ++color;
    for (int k = 0; k < places; ++k) p->used[place[k]] |= (uint64_t)1 << color;
    p->color[thing] = color;
    if (color >= p->colors) p->colors = color + 1;
}

static int groups_of(const painter* p, int things)
{
    int groups = 0;
    for (int color = 0; color < p->colors; ++color) {
        int count = 0;
        for (int i = 0; i < things; ++i) count += p->color[i] == color;
        groups += (count + BLOCK - 1) / BLOCK;
    }
    return groups;
}

// Into which group and lane each goes.
static void fill_lanes(const painter* p, int things, rod_set* r, int* group)
{
    for (int color = 0; color < p->colors; ++color) {
        int lane = 0;
        r->color_group[r->color_count++] = *group;
        for (int i = 0; i < things; ++i) {
            if (p->color[i] != color) continue;
            r->lane[(size_t)*group * BLOCK + (size_t)lane] = i;
            if (++lane == BLOCK) ++*group, lane = 0;
        }
        if (lane) ++*group;
    }
    r->color_group[r->color_count] = *group;
}

typedef struct {
    rod_set* r;
    int scalar_bytes, group, lane;
} packer;

static void pack_row(const packer* p, int corner, int row)
{
    p->r->index[((size_t)p->group * ROD_CORNERS + (size_t)corner) * BLOCK + (size_t)p->lane] =
        (unsigned)row * (ROW / 2);
}

static void pack_field(const packer* p, int field, double value)
{
    size_t at = ((size_t)p->group * ROD_FIELDS + (size_t)field) * BLOCK + (size_t)p->lane;
    state_set(p->r->field, at, value, p->scalar_bytes);
}

// Padding is on rows behind the others, which never move.
static void pack_segment(const packer* p, int segment)
{
    const rod_set* r = p->r;
    const bool there = segment >= 0;
    for (int k = 0; k < 2; ++k)
        pack_row(p, k, there ? r->end[2 * (size_t)segment + (size_t)k] : r->particle_count);
    pack_row(p, 2, there ? segment : r->count);
    double length = there ? r->length[segment] : 1;
    pack_field(p, 0, there ? length : 0);
    pack_field(p, 1, length / r->shear);
    pack_field(p, 2, length / r->stretch);
}

static void pack_joint(const packer* p, int joint)
{
    const rod_set* r = p->r;
    const bool there = joint >= 0;
    double span = there ? r->span[joint] : 1;
    for (int k = 0; k < 2; ++k)
        pack_row(p, k, there ? r->link[2 * (size_t)joint + (size_t)k] : r->count);
    for (int k = 0; k < 4; ++k)
        pack_field(p, k, there ? r->half[4 * (size_t)joint + (size_t)k] : k == 3);
    pack_field(p, 4, span / r->bending);
    pack_field(p, 5, there && r->ball[joint] ? span / r->bending : span / r->twisting);
}

static void pack(rod_set* r, int scalar_bytes)
{
    packer p = {r, scalar_bytes, 0, 0};
    for (p.group = 0; p.group < r->group_count; ++p.group)
        for (p.lane = 0; p.lane < BLOCK; ++p.lane) {
            int thing = r->lane[(size_t)p.group * BLOCK + (size_t)p.lane];
            if (p.group < r->segment_groups)
                pack_segment(&p, thing);
            else
                pack_joint(&p, thing);
        }
}

static bool make_lanes(rod_set* r, int scalar_bytes)
{
    size_t n = (size_t)r->count, joints = (size_t)r->joint_count;
    painter segments = {(uint64_t*)mem_array_zero((size_t)r->particle_count, sizeof(uint64_t)),
                        (int*)mem_array(n, sizeof(int)), 0},
            bends = {(uint64_t*)mem_array_zero(n, sizeof(uint64_t)),
                     (int*)mem_array(joints, sizeof(int)), 0};
    bool good = segments.used && segments.color && bends.used && bends.color;
    for (int i = 0; i < r->count && good; ++i) paint(&segments, i, r->end + 2 * (size_t)i, 2);
    for (int i = 0; i < r->joint_count && good; ++i) paint(&bends, i, r->link + 2 * (size_t)i, 2);
    if (good) {
        int group = 0;
        r->segment_groups = groups_of(&segments, r->count);
        r->group_count = r->segment_groups + groups_of(&bends, r->joint_count);
        size_t lanes = (size_t)r->group_count * BLOCK;
        r->color_group = (int*)mem_array((size_t)(segments.colors + bends.colors + 1), sizeof(int));
        r->lane = (int*)mem_array(lanes, sizeof(int));
        r->index = (unsigned*)mem_array_zero(lanes * ROD_CORNERS, sizeof(unsigned));
        r->field = mem_array_zero(lanes * ROD_FIELDS, (size_t)scalar_bytes);
        good = r->color_group && r->lane && r->index && r->field;
        if (good) {
            for (size_t i = 0; i < lanes; ++i) r->lane[i] = -1;
            fill_lanes(&segments, r->count, r, &group);
            fill_lanes(&bends, r->joint_count, r, &group);
            pack(r, scalar_bytes);
        }
    }
    mem_free(segments.used);
    mem_free(segments.color);
    mem_free(bends.used);
    mem_free(bends.color);
    return good;
}

// ---- all ----------------------------------------------------------------------------------------

static bool reserve(rod_set* r)
{
    size_t n = (size_t)r->count,
           joints = 2 * n; // most: each segment is found once, and closes once
    r->end = (int*)mem_array(2 * n, sizeof(int));
    r->length = (double*)mem_array(n, sizeof(double));
    r->rest = (double*)mem_array(4 * n, sizeof(double));
    r->inertia = (double*)mem_array(n, sizeof(double));
    r->link = (int*)mem_array(2 * joints, sizeof(int));
    r->half = (double*)mem_array(4 * joints, sizeof(double));
    r->span = (double*)mem_array(joints, sizeof(double));
    r->ball = (bool*)mem_array(joints, sizeof(bool));
    r->hangs = (int*)mem_array(n, sizeof(int));
    return r->end && r->length && r->rest && r->inertia && r->link && r->half && r->span &&
           r->ball && r->hangs;
}

// A solid rod turns about its axis with radius / sqrt 2. Across it the masses at its ends turn with
// half of its length, and so does the orientation: a light one would need many more substeps, since
// it is what bends.
static void find_inertia(const pliant_asset* a, rod_set* r)
{
    double radius = a->def.rope.radius, density = a->material[0].density;
    for (int i = 0; i < r->count; ++i) {
        double gyration =
            given_or(a->def.rope.gyration, fmax(radius / sqrt(2.0), r->length[i] / 2));
        r->inertia[i] = density * asset_rope_area(a) * r->length[i] * gyration * gyration;
    }
}

bool asset_find_rods(pliant_asset* a)
{
    const pliant_mesh* m = a->mesh;
    rod_set* r = &a->rods;
    walk w = {0};
    if (!a->def.rope.rod || a->def.rigid || m->edge_count == 0) return true;
    r->count = m->edge_count;
    r->particle_count = m->vertex_count;
    bool good = open_walk(m, &w) && reserve(r);
    if (good) {
        for (int i = 0; i < r->count; ++i) r->hangs[i] = -1;
        find_stiffness(a, r);
        find_segments(m, r, &w);
        find_inertia(a, r);
        good = make_lanes(r, a->def.solver.precision == PLIANT_PRECISION_DOUBLE ? 8 : 4);
    }
    close_walk(&w);
    return good;
}

void rod_set_destroy(rod_set* r)
{
    mem_free(r->end);
    mem_free(r->length);
    mem_free(r->rest);
    mem_free(r->inertia);
    mem_free(r->link);
    mem_free(r->half);
    mem_free(r->span);
    mem_free(r->ball);
    mem_free(r->hangs);
    mem_free(r->color_group);
    mem_free(r->index);
    mem_free(r->field);
    mem_free(r->lane);
    memset(r, 0, sizeof *r);
}

// Along it a particle feels its segments; across it, what bends at the particle and beside it, as
// the joints' torques on the arms that segments are.
void rods_add_stiffness(const rod_set* r, double* sum)
{
    for (int i = 0; i < r->count; ++i)
        for (int k = 0; k < 2; ++k) sum[r->end[2 * i + k]] += r->stretch / r->length[i];
    for (int j = 0; j < r->joint_count; ++j)
        for (int side = 0; side < 2; ++side) {
            int segment = r->link[2 * j + side];
            double stiffness = r->bending / (r->span[j] * r->length[segment] * r->length[segment]);
            for (int k = 0; k < 2; ++k) sum[r->end[2 * segment + k]] += stiffness;
        }
}

pliant_result rods_check_range(const rod_set* r, int scalar_bytes)
{
    for (int i = 0; i < r->count; ++i) {
        double softest = fmin(fmin(r->stretch, r->shear), fmin(r->bending, r->twisting));
        if (r->inertia[i] > 0 && state_can_hold(1 / r->inertia[i], scalar_bytes) && softest > 0 &&
            state_can_hold(r->length[i] / softest, scalar_bytes))
            continue;
        return fail(PLIANT_ERROR_ARGUMENT,
                    "segment %d of a rod is too light or too soft for its precision (moment of "
                    "inertia %g kg m^2): use other units or double precision",
                    i, r->inertia[i]);
    }
    return PLIANT_OK;
}
