#include "export/probe.h"
#include "base/memory.h"
#include "export/strain.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const quantity_info quantity_infos[PROBE_QUANTITIES] = {
    {"position", "m", 3, {"x", "y", "z"}},
    {"velocity", "m/s", 3, {"x", "y", "z"}},
    {"contact_force", "N", 3, {"x", "y", "z"}},
    {"reaction", "N", 3, {"x", "y", "z"}},
    {"strain", "-", 7, {"xx", "yy", "zz", "xy", "yz", "xz", "largest"}},
};

// ---- elements -----------------------------------------------------------------------------------

// Element `number` of a mesh: its corners, and how many.
static const int* element_at(const pliant_mesh_arrays* m, int number, int* out_corners)
{
    int cloth = m->tet_count ? 0 : m->triangle_count;
    *out_corners = number < m->tet_count ? 4 : number < m->tet_count + cloth ? 3 : 2;
    if (*out_corners == 4) return m->tets + 4 * (size_t)number;
    number -= m->tet_count;
    if (*out_corners == 3) return m->triangles + 3 * (size_t)number;
    return m->edges + 2 * (size_t)(number - cloth);
}

static int element_count(const pliant_mesh_arrays* m)
{
    return m->tet_count + (m->tet_count ? 0 : m->triangle_count) + m->edge_count;
}

static pliant_result find_elements(const pliant_mesh_arrays* m, probe* p)
{
    int all = element_count(m);
    bool* chosen = (bool*)mem_array_zero((size_t)m->vertex_count, sizeof *chosen);
    p->element = (int*)mem_array((size_t)all, sizeof *p->element);
    if (!chosen || !p->element) {
        mem_free(chosen);
        return PLIANT_ERROR_MEMORY;
    }
    for (int i = 0; i < p->particle_count; ++i) chosen[p->particle[i]] = true;
    for (int e = 0; e < all; ++e) {
        int corners;
        bool touches = false;
        const int* corner = element_at(m, e, &corners);
        for (int i = 0; i < corners; ++i) touches = touches || chosen[corner[i]];
        if (touches) p->element[p->element_count++] = e;
    }
    mem_free(chosen);
    return PLIANT_OK;
}

// ---- which --------------------------------------------------------------------------------------

static pliant_mesh_arrays mesh_of(const stage* s, int body)
{
    return pliant_mesh_view(stage_mesh(s, body));
}

static int copies_of(const stage* s, int entry)
{
    const int* n = scene_body_at(s->scene, entry)->copies;
    return n[0] * n[1] * n[2];
}

// Probe `number` of the scene on one of the bodies that it is for; `copy` from 0.
static pliant_result add_probe(probes* p, int number, int body, int copy)
{
    const stage* s = p->stage;
    const scene_probe* from = (const scene_probe*)s->scene->probes.item + number;
    const pliant_mesh_arrays m = mesh_of(s, body);
    probe* out = &p->probe[p->count++];
    if (copies_of(s, s->bodies[body].entry) > 1)
        snprintf(out->name, sizeof out->name, "%.64s[%d]", from->name, copy);
    else
        snprintf(out->name, sizeof out->name, "%.64s", from->name);
    out->wanted = from->what ? 1u << (from->what - 1) : (1u << PROBE_QUANTITIES) - 1;
    out->body = body;
    out->particle = s->probes[number].particle;
    out->particle_count = s->probes[number].count;
    return out->wanted & 1u << PROBE_STRAIN ? find_elements(&m, out) : PLIANT_OK;
}

static pliant_result add_whole_body(probes* p, int body)
{
    const pliant_mesh_arrays m = mesh_of(p->stage, body);
    probe* out = &p->probe[p->count++];
    snprintf(out->name, sizeof out->name, "body%d", body);
    out->wanted = (1u << PROBE_QUANTITIES) - 1;
    out->body = body;
    out->particle = p->all;
    out->particle_count = m.vertex_count;
    return find_elements(&m, out);
}

enum { MOST_PROBES = 1000 };

static pliant_result add_all(probes* p, bool each_body)
{
    const stage* s = p->stage;
    const scene_list* list = &s->scene->probes;
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < list->count; ++i) {
        const scene_probe* from = (const scene_probe*)list->item + i;
        for (int b = 0, copy = 0; b < s->body_count && !result; ++b)
            if (s->bodies[b].entry == from->body) result = add_probe(p, i, b, copy++);
    }
    for (int b = 0; b < s->body_count && each_body && !list->count && !result; ++b)
        result = add_whole_body(p, b);
    return result;
}

static int64_t count_probes(const stage* s, bool each_body)
{
    const scene_list* list = &s->scene->probes;
    int64_t count = !list->count && each_body ? s->body_count : 0;
    for (int i = 0; i < list->count; ++i)
        count += copies_of(s, ((const scene_probe*)list->item + i)->body);
    return count;
}

static bool reserve(probes* p, int64_t count)
{
    size_t most = 1;
    for (int b = 0; b < p->stage->body_count; ++b) {
        size_t particles = (size_t)mesh_of(p->stage, b).vertex_count;
        if (particles > most) most = particles;
    }
    p->probe = (probe*)mem_array_zero((size_t)count + 1, sizeof *p->probe);
    p->all = (int*)mem_array(most, sizeof *p->all);
    p->positions = (double*)mem_array(3 * most, sizeof(double));
    p->rest = (double*)mem_array(3 * most, sizeof(double));
    p->masses = (double*)mem_array(most, sizeof(double));
    p->velocities = (pliant_vec3*)mem_array(most, sizeof(pliant_vec3));
    p->contacts = (pliant_vec3*)mem_array(most, sizeof(pliant_vec3));
    p->reactions = (double*)mem_array(3 * most, sizeof(double));
    p->before = (pliant_vec3**)mem_array_zero((size_t)p->stage->body_count + 1, sizeof *p->before);
    for (size_t i = 0; p->all && i < most; ++i) p->all[i] = (int)i;
    return p->probe && p->all && p->positions && p->rest && p->masses && p->velocities &&
           p->contacts && p->reactions && p->before;
}

pliant_result probes_create(const stage* s, bool each_body, probes* out)
{
    *out = (probes){.stage = s};
    int64_t count = count_probes(s, each_body);
    if (count == 0) return PLIANT_OK;
    if (count > MOST_PROBES)
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "%lld probes are too many, at most %d: the scene's key \"probes\" names some",
                    (long long)count, MOST_PROBES);
    pliant_result result = reserve(out, count) ? add_all(out, each_body) : PLIANT_ERROR_MEMORY;
    if (result) probes_destroy(out);
    return result;
}

void probes_destroy(probes* p)
{
    for (int i = 0; i < p->count; ++i) mem_free(p->probe[i].element);
    for (int b = 0; p->before && b < p->stage->body_count; ++b) mem_free(p->before[b]);
    void* const owned[] = {p->probe,      p->all,      p->positions, p->rest,  p->masses,
                           p->velocities, p->contacts, p->reactions, p->before};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i) mem_free(owned[i]);
    *p = (probes){0};
}

// ---- measuring ----------------------------------------------------------------------------------

// What pins did during the step; the velocities are for the next one.
static bool read_reactions(probes* p, int body, int count, double dt)
{
    size_t bytes = (size_t)count * sizeof(pliant_vec3);
    bool good = pliant_body_read_pin_forces(p->stage->world, p->stage->bodies[body].id,
                                            p->before[body], dt, p->reactions, count) == PLIANT_OK;
    if (!p->before[body]) p->before[body] = (pliant_vec3*)mem_alloc(bytes);
    if (p->before[body]) memcpy(p->before[body], p->velocities, bytes);
    return good && p->before[body];
}

static pliant_result read_body(probes* p, int body, unsigned wanted, double dt)
{
    const pliant_world* world = p->stage->world;
    pliant_body_id id = p->stage->bodies[body].id;
    int count = pliant_body_particle_count(world, id);
    pliant_result result = pliant_body_read_positions_exact(world, id, p->positions, count);
    if (!result) result = pliant_body_read_masses(world, id, p->masses, count);
    if (!result) result = pliant_body_read_velocities(world, id, p->velocities, count);
    if (!result) result = pliant_body_read_contact_forces(world, id, p->contacts, count);
    if (!result && (wanted & 1u << PROBE_REACTION) && !read_reactions(p, body, count, dt))
        result = PLIANT_ERROR_DEVICE;
    if (wanted & 1u << PROBE_STRAIN) stage_rest_positions(p->stage, body, p->rest);
    return result;
}

static void add_vector(double weight, const pliant_vec3* v, double out[])
{
    out[0] += weight * (double)v->x;
    out[1] += weight * (double)v->y;
    out[2] += weight * (double)v->z;
}

static void measure_particles(const probes* p, probe* out)
{
    double mass = 0;
    for (int i = 0; i < out->particle_count; ++i) {
        int particle = out->particle[i];
        double m = p->masses[particle];
        mass += m;
        for (int k = 0; k < 3; ++k)
            out->value[PROBE_POSITION][k] += m * p->positions[3 * (size_t)particle + (size_t)k];
        add_vector(m, &p->velocities[particle], out->value[PROBE_VELOCITY]);
        add_vector(1, &p->contacts[particle], out->value[PROBE_CONTACT_FORCE]);
        if (out->wanted & 1u << PROBE_REACTION)
            for (int k = 0; k < 3; ++k)
                out->value[PROBE_REACTION][k] += p->reactions[3 * (size_t)particle + (size_t)k];
    }
    for (int k = 0; k < 3 && mass > 0; ++k) { // those that are there
        out->value[PROBE_POSITION][k] /= mass;
        out->value[PROBE_VELOCITY][k] /= mass;
    }
}

// Norm of a symmetric tensor of six numbers.
static double norm(const double e[6])
{
    return sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] +
                2 * (e[3] * e[3] + e[4] * e[4] + e[5] * e[5]));
}

// Volume, area or length at rest, whose units do not mix within a body.
static double size_of(const simplex* s)
{
    const double *a = s->rest[0], *b = s->rest[1], *c = s->rest[2];
    double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    if (s->edges == 3) return fabs(n[0] * c[0] + n[1] * c[1] + n[2] * c[2]) / 6;
    if (s->edges == 2) return sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static void measure_strain(const probes* p, probe* out)
{
    const pliant_mesh_arrays m = mesh_of(p->stage, out->body);
    double sum = 0, *mean = out->value[PROBE_STRAIN], largest = 0;
    for (int i = 0; i < out->element_count; ++i) {
        int corners;
        const int* corner = element_at(&m, out->element[i], &corners);
        const simplex s = simplex_of(p->rest, p->positions, corner, corners);
        double strain[6], size = size_of(&s);
        simplex_strain(&s, strain);
        for (int k = 0; k < 6; ++k) mean[k] += size * strain[k];
        sum += size;
        largest = fmax(largest, norm(strain));
    }
    for (int k = 0; k < 6 && sum > 0; ++k) mean[k] /= sum; // particles have no elements
    mean[6] = largest;
}

static void measure_one(const probes* p, probe* out)
{
    memset(out->value, 0, sizeof out->value);
    measure_particles(p, out);
    if (out->wanted & 1u << PROBE_STRAIN) measure_strain(p, out);
}

// All probes of the body of probe `first`, which is read once.
static pliant_result measure_body(probes* p, int first, double dt)
{
    unsigned wanted = 0;
    int body = p->probe[first].body;
    for (int i = first; i < p->count; ++i)
        if (p->probe[i].body == body) wanted |= p->probe[i].wanted;
    pliant_result result = read_body(p, body, wanted, dt);
    for (int i = first; i < p->count && !result; ++i)
        if (p->probe[i].body == body) measure_one(p, &p->probe[i]);
    return result;
}

static bool is_first_of_body(const probes* p, int number)
{
    for (int i = 0; i < number; ++i)
        if (p->probe[i].body == p->probe[number].body) return false;
    return true;
}

pliant_result probes_update(probes* p, double dt)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < p->count && !result; ++i)
        if (is_first_of_body(p, i)) result = measure_body(p, i, dt);
    return result;
}

// ---- lines --------------------------------------------------------------------------------------

void probes_print_head(const probes* p, sink* out)
{
    sink_text(out, "time [s]");
    for (int i = 0; i < p->count; ++i)
        for (int q = 0; q < PROBE_QUANTITIES; ++q) {
            const quantity_info* info = &quantity_infos[q];
            for (int k = 0; k < info->components && (p->probe[i].wanted & 1u << q); ++k)
                sink_print(out, ",%s.%s.%s [%s]", p->probe[i].name, info->name, info->component[k],
                           info->unit);
        }
    sink_text(out, "\n");
}

// As many digits as mean something.
static double rounded(double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.9g", value);
    return strtod(text, NULL);
}

void probes_print_row(const probes* p, double time, sink* out)
{
    sink_real(out, rounded(time));
    for (int i = 0; i < p->count; ++i)
        for (int q = 0; q < PROBE_QUANTITIES; ++q)
            for (int k = 0; k < quantity_infos[q].components && (p->probe[i].wanted & 1u << q);
                 ++k) {
                sink_text(out, ",");
                sink_real(out, rounded(p->probe[i].value[q][k]));
            }
    sink_text(out, "\n");
}
