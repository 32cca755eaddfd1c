#include "render/trace.h"

#include "geometry/ray.h"
#include <string.h>

// ---- trees --------------------------------------------------------------------------------------

typedef struct {
    const model* model;
    const int* number;
} tree_source;

static tree_box box_of(const void* context, int element)
{
    const tree_source* s = (const tree_source*)context;
    int number = s->number[element], beyond = number - s->model->face_count;
    tree_box out = NO_BOX;
    if (beyond >= 0) {
        const ball* b = &s->model->ball[beyond];
        vec3 r = v3(b->radius, b->radius, b->radius);
        return (tree_box){v3_sub(b->center, r), v3_add(b->center, r)};
    }
    for (int k = 0; k < 3; ++k)
        out = join_point(out, s->model->vertex[s->model->face[number].corner[k]]);
    return out;
}

static bool build(const model* m, bool liquid, int** out_number, box_tree* out)
{
    int count = 0;
    *out_number = (int*)mem_array((size_t)m->face_count + (size_t)m->ball_count, sizeof(int));
    if (!*out_number) return false;
    for (int i = 0; i < m->face_count; ++i)
        if (model_lets_light_through(m, i) == liquid) (*out_number)[count++] = i;
    for (int i = 0; i < m->ball_count && !liquid; ++i) (*out_number)[count++] = m->face_count + i;
    const tree_source source = {m, *out_number};
    return box_tree_create(count, box_of, &source, out);
}

bool tracer_create(tracer* out, const model* m)
{
    *out = (tracer){.model = m};
    return build(m, false, &out->solid, &out->solids) &&
           build(m, true, &out->liquid, &out->liquids);
}

void tracer_release(tracer* t)
{
    mem_free(t->solid);
    mem_free(t->liquid);
    box_tree_destroy(&t->solids);
    box_tree_destroy(&t->liquids);
}

// ---- rays ---------------------------------------------------------------------------------------

typedef struct {
    const model* model;
    const int* number;
    ray ray;
    double least;
    trace_hit best;
    vec3 sum; // of what is absorbed
} tracing;

static double bound(const tree_box* box, const void* query)
{
    return ray_meets_box(&((const tracing*)query)->ray, box);
}

static double meet_face(const tracing* t, int number)
{
    const model* m = t->model;
    const int* c = m->face[number].corner;
    double share[3], corner[3][3];
    const double* const at[3] = {corner[0], corner[1], corner[2]};
    for (int k = 0; k < 3; ++k) {
        vec3 p = m->vertex[c[k]];
        corner[k][0] = p.x, corner[k][1] = p.y, corner[k][2] = p.z;
    }
    return ray_meets_triangle(&t->ray, at, share);
}

static double meet_ball(const tracing* t, const ball* b)
{
    const double center[3] = {b->center.x, b->center.y, b->center.z};
    ray_span s = span_ball(&t->ray, center, b->radius);
    if (!(s.enter <= s.leave)) return INFINITY;
    return s.enter > t->least ? s.enter : s.leave;
}

static double look(int element, void* query)
{
    tracing* t = (tracing*)query;
    int number = t->number[element], beyond = number - t->model->face_count;
    double d = beyond >= 0 ? meet_ball(t, &t->model->ball[beyond]) : meet_face(t, number);
    if (d > t->least && d < t->best.distance) t->best = (trace_hit){number, d};
    return t->best.distance;
}

static trace_hit search(const tracer* t, bool liquid, vec3 origin, vec3 direction, double least,
                        double most)
{
    const double from[3] = {origin.x, origin.y, origin.z},
                 along[3] = {direction.x, direction.y, direction.z};
    tracing q = {.model = t->model,
                 .number = liquid ? t->liquid : t->solid,
                 .ray = ray_make(from, along),
                 .least = least,
                 .best = {-1, most}};
    box_tree_search(liquid ? &t->liquids : &t->solids, bound, look, &q, most);
    return q.best;
}

trace_hit trace_solid(const tracer* t, vec3 origin, vec3 direction, double least, double most)
{
    return search(t, false, origin, direction, least, most);
}

trace_hit trace_liquid(const tracer* t, vec3 origin, vec3 direction, double least, double most)
{
    return search(t, true, origin, direction, least, most);
}

// Where it leaves a liquid counts up, where it enters one down: what is between is left.
static double add_crossing(int element, void* query)
{
    tracing* t = (tracing*)query;
    int number = t->number[element];
    double d = meet_face(t, number);
    if (!isfinite(d)) return INFINITY;
    const model* m = t->model;
    const int* c = m->face[number].corner;
    vec3 a = m->vertex[c[0]], n = v3_cross(v3_sub(m->vertex[c[1]], a), v3_sub(m->vertex[c[2]], a));
    const double* along = t->ray.direction;
    double sign = n.x * along[0] + n.y * along[1] + n.z * along[2] > 0 ? 1 : -1;
    t->sum =
        v3_add_scaled(t->sum, sign * d, m->liquid[m->paint[m->face[number].paint].liquid].absorb);
    return INFINITY;
}

vec3 trace_absorption(const tracer* t, vec3 origin, vec3 direction)
{
    const double from[3] = {origin.x, origin.y, origin.z},
                 along[3] = {direction.x, direction.y, direction.z};
    tracing q = {.model = t->model, .number = t->liquid, .ray = ray_make(from, along)};
    box_tree_search(&t->liquids, bound, add_crossing, &q, INFINITY);
    return v3(fmax(q.sum.x, 0), fmax(q.sum.y, 0), fmax(q.sum.z, 0));
}
