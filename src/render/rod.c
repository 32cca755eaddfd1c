#include "render/rod.h"
#include "math/quat.h"

enum { SIDES = 12, STRIPE = 3, PIECES = 4, NONE = -1 };

// How segments hang together: the one that ends or begins at a point, where it is one alone.
typedef struct {
    const rod_look* r;
    model* m;
    int *ends, *begins, *ring; // of each point; ring: its first vertex
} tube;

// Along the rod the mesh may have an edge the other way round.
static int end_of(const rod_look* r, int segment, int side)
{
    const int* corner = r->corner + 2 * (size_t)segment;
    bool same = corner[0] == r->segment[segment].particles[0];
    return r->edge[2 * (size_t)segment + (size_t)(same ? side : 1 - side)];
}

static vec3 place_of(const rod_look* r, int point) { return v3_of(r->point + 3 * (size_t)point); }

static vec3 axis_of(const rod_look* r, int segment)
{
    const pliant_quat q = r->segment[segment].rotation;
    return quat_turn(quat_of(v3((double)q.x, (double)q.y, (double)q.z), (double)q.w), v3(1, 0, 0));
}

static int before(const tube* t, int segment)
{
    int found = t->ends[end_of(t->r, segment, 0)];
    return found == segment ? NONE : found;
}
static int behind(const tube* t, int segment)
{
    int found = t->begins[end_of(t->r, segment, 1)];
    return found == segment ? NONE : found;
}

// Crossings are none: neither of what meets there goes on.
static void note(int* at, int segment) { *at = *at == NONE ? segment : NONE - 1; }

static bool find_neighbors(tube* t)
{
    size_t count = (size_t)t->r->point_count;
    t->ends = (int*)mem_array(count, sizeof(int));
    t->begins = (int*)mem_array(count, sizeof(int));
    t->ring = (int*)mem_array(count, sizeof(int));
    if (!t->ends || !t->begins || !t->ring) return false;
    for (size_t i = 0; i < count; ++i) t->ends[i] = t->begins[i] = t->ring[i] = NONE;
    for (int i = 0; i < t->r->count; ++i) {
        note(&t->ends[end_of(t->r, i, 1)], i);
        note(&t->begins[end_of(t->r, i, 0)], i);
    }
    for (size_t i = 0; i < count; ++i) {
        bool crossing = t->ends[i] < NONE || t->begins[i] < NONE;
        if (crossing) t->ends[i] = t->begins[i] = NONE;
    }
    return true;
}

// The curve of a segment: through its ends, with the slopes of the chords beside them.
typedef struct {
    vec3 from, to, first, last; // first, last: slopes
    vec3 axis[3];               // at its begin, in its middle, at its end
} curve;

static curve curve_of(const tube* t, int segment)
{
    const rod_look* r = t->r;
    const int prior = before(t, segment), next = behind(t, segment);
    curve c = {.from = place_of(r, end_of(r, segment, 0)),
               .to = place_of(r, end_of(r, segment, 1))};
    vec3 own = axis_of(r, segment), chord = v3_sub(c.to, c.from);
    c.first = c.last = chord;
    if (prior >= 0) c.first = v3_scale(0.5, v3_sub(c.to, place_of(r, end_of(r, prior, 0))));
    if (next >= 0) c.last = v3_scale(0.5, v3_sub(place_of(r, end_of(r, next, 1)), c.from));
    c.axis[1] = own;
    c.axis[0] = prior >= 0 ? v3_add(own, axis_of(r, prior)) : own;
    c.axis[2] = next >= 0 ? v3_add(own, axis_of(r, next)) : own;
    return c;
}

// Vertices around a place of the curve; the first of them.
static int add_ring(const tube* t, const curve* c, double s)
{
    const double a = (1 + 2 * s) * (1 - s) * (1 - s), b = s * (1 - s) * (1 - s),
                 e = s * s * (3 - 2 * s), f = s * s * (s - 1);
    vec3 at = v3_add(v3_add(v3_scale(a, c->from), v3_scale(b, c->first)),
                     v3_add(v3_scale(e, c->to), v3_scale(f, c->last)));
    vec3 chord = v3_sub(c->to, c->from);
    vec3 along = v3_unit(
        v3_add(v3_scale(6 * s * (1 - s), chord), v3_add(v3_scale((1 - s) * (1 - 3 * s), c->first),
                                                        v3_scale(s * (3 * s - 2), c->last))));
    vec3 wanted = s < 0.5 ? v3_mix(v3_unit(c->axis[0]), c->axis[1], 2 * s)
                          : v3_mix(c->axis[1], v3_unit(c->axis[2]), 2 * s - 1);
    vec3 u = v3_unit(v3_add_scaled(wanted, -v3_dot(wanted, along), along));
    vec3 w = v3_cross(along, u);
    int first = NONE;
    for (int i = 0; i < SIDES; ++i) {
        const double angle = 6.283185307179586 * i / SIDES, radius = t->r->radius;
        vec3 out = v3_add(v3_scale(radius * cos(angle), u), v3_scale(radius * sin(angle), w));
        int vertex = model_vertex(t->m, v3_add(at, out));
        if (i == 0) first = vertex;
    }
    return first;
}

// Texture coordinates: once around in x, as far along in y as the tube is around.
static void add_face(const tube* t, const int v[3], const double x[3], const double y[3],
                     int number)
{
    model* m = t->m;
    model_face(m, v[0], v[1], v[2], number);
    for (int k = 0; k < 3 && !m->failed; ++k) {
        m->face[m->face_count - 1].uv[k][0] = (float)(x[k] / SIDES);
        m->face[m->face_count - 1].uv[k][1] = (float)y[k];
    }
}

static void add_band(const tube* t, int low, int high, double from, double to)
{
    for (int i = 0; i < SIDES; ++i) {
        int j = (i + 1) % SIDES, number = i < STRIPE ? t->r->stripe : t->r->paint;
        add_face(t, (const int[3]){low + i, low + j, high + i}, (const double[3]){i, i + 1, i},
                 (const double[3]){from, from, to}, number);
        add_face(t, (const int[3]){low + j, high + j, high + i}, (const double[3]){i + 1, i + 1, i},
                 (const double[3]){from, to, to}, number);
    }
}

// A flat end.
static void add_lid(const tube* t, int ring, bool first)
{
    for (int i = 1; i + 1 < SIDES; ++i)
        model_face(t->m, ring, ring + (first ? i + 1 : i), ring + (first ? i : i + 1), t->r->paint);
}

static void draw_segment(const tube* t, int segment)
{
    const rod_look* r = t->r;
    const curve c = curve_of(t, segment);
    const int from = end_of(r, segment, 0), to = end_of(r, segment, 1);
    const bool goes_on = behind(t, segment) >= 0, began = before(t, segment) >= 0;
    vec3 chord = v3_sub(c.to, c.from);
    double around = 6.283185307179586 * r->radius, step = v3_length(chord) / around / PIECES;
    int low = began && t->ring[from] >= 0 ? t->ring[from] : add_ring(t, &c, 0), start = low;
    if (began) t->ring[from] = low;
    for (int k = 1; k <= PIECES; ++k) {
        bool shared = k == PIECES && goes_on;
        int high = shared && t->ring[to] >= 0 ? t->ring[to] : add_ring(t, &c, (double)k / PIECES);
        if (shared) t->ring[to] = high;
        add_band(t, low, high, (k - 1) * step, k * step);
        low = high;
    }
    if (!began) add_lid(t, start, true);
    if (!goes_on) add_lid(t, low, false);
}

void rod_draw(const rod_look* r, model* m)
{
    tube t = {.r = r, .m = m};
    if (find_neighbors(&t))
        for (int i = 0; i < r->count; ++i) draw_segment(&t, i);
    else
        m->failed = true;
    mem_free(t.ends);
    mem_free(t.begins);
    mem_free(t.ring);
}
