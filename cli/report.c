#include "report.h"
#include "scene/words.h"
#include "touch.h"
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>

// JSON has no infinities; a diverged energy becomes null.
static json_t* number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

// Not numbers where a GPU fails, which the next step tells.
static pliant_energies find_energies(const pliant_world* world)
{
    pliant_energies e;
    if (pliant_world_energies(world, &e)) e = (pliant_energies){NAN, NAN, NAN, NAN};
    return e;
}

static json_t* energies_of(const pliant_world* world)
{
    pliant_energies e = find_energies(world);
    return json_pack("{so so so so}", "kinetic", number(e.kinetic), "elastic", number(e.elastic),
                     "gravity", number(e.gravity), "unresolved", number(e.unresolved));
}

static void print_line(json_t* line)
{
    if (line) json_dumpf(line, stdout, JSON_COMPACT | JSON_REAL_PRECISION(12));
    printf("\n");
    fflush(stdout);
    json_decref(line);
}

// {"tip": {"position": [x, y, z], ...}, ...}
static json_t* measured_values(const probes* p)
{
    json_t* all = json_object();
    for (int i = 0; i < p->count; ++i) {
        json_t* one = json_object();
        for (int q = 0; q < PROBE_QUANTITIES; ++q) {
            json_t* values = json_array();
            for (int k = 0; k < quantity_infos[q].components; ++k)
                json_array_append_new(values, number(p->probe[i].value[q][k]));
            if (p->probe[i].wanted & 1u << q)
                json_object_set_new(one, quantity_infos[q].name, values);
            else
                json_decref(values);
        }
        json_object_set_new(all, p->probe[i].name, one);
    }
    return all;
}

static void add_turn(json_t* to, const stage_joint_state* now)
{
    json_t* torque = json_array();
    for (int k = 0; k < 3; ++k) json_array_append_new(torque, number(now->torque[k]));
    json_object_set_new(to, "torque", torque);
    json_object_set_new(to, "angle", number(now->angle));
    json_object_set_new(to, "motor_torque", number(now->motor));
}

// [{"name": "hook", "force": [x, y, z], "gap": g, "broken": n}, ...]; of rigid bodies with
// "torque", "angle" and "motor_torque"
static json_t* joint_values(const stage* s)
{
    json_t* all = json_array();
    for (int i = 0; i < s->scene->joints.count; ++i) {
        const scene_joint* j = (const scene_joint*)s->scene->joints.item + i;
        stage_joint_state now = stage_read_joint(s, i);
        json_t* one = json_object();
        json_t* force = json_array();
        for (int k = 0; k < 3; ++k) json_array_append_new(force, number(now.force[k]));
        if (j->name) json_object_set_new(one, "name", json_string(j->name));
        json_object_set_new(one, "force", force);
        json_object_set_new(one, "gap", number(now.gap));
        json_object_set_new(one, "broken", json_integer(now.broken));
        if (stage_joint_turns(s, i)) add_turn(one, &now);
        json_array_append_new(all, one);
    }
    return all;
}

static json_t* vector(const double v[3])
{
    json_t* out = json_array();
    for (int k = 0; k < 3; ++k) json_array_append_new(out, number(v[k]));
    return out;
}

// [{"body": 0, "force": [x, y, z], "torque": [x, y, z], "power": p}, ...]
static json_t* air_values(const stage* s)
{
    json_t* all = json_array();
    for (int i = 0; i < s->body_count; ++i) {
        pliant_air_load l;
        if (pliant_body_air(s->world, s->bodies[i].id, &l)) continue;
        json_array_append_new(all, json_pack("{si so so so}", "body", i, "force", vector(l.force),
                                             "torque", vector(l.torque), "power", number(l.power)));
    }
    return all;
}

static bool has_liquid(const stage* s)
{
    bool any = false;
    for (int i = 0; i < s->scene->bodies.count; ++i)
        any = any || scene_body_at(s->scene, i)->soft.liquid.spacing > 0;
    return any;
}

// [{"body": 0, "force": [x, y, z], "torque": [x, y, z]}, ...]
static json_t* liquid_values(const stage* s)
{
    json_t* all = json_array();
    for (int i = 0; i < s->body_count; ++i) {
        pliant_liquid_load l;
        if (pliant_body_liquid_load(s->world, s->bodies[i].id, &l)) continue;
        json_array_append_new(all, json_pack("{si so so}", "body", i, "force", vector(l.force),
                                             "torque", vector(l.torque)));
    }
    return all;
}

void report_frame(const stage* s, const probes* measured, int frame, double time, double seconds)
{
    pliant_profile p = pliant_world_profile(s->world);
    int contacts = 0;
    pliant_world_count_contacts(s->world, &contacts);
    json_t* line = json_pack("{si so so si si so}", "frame", frame, "time", number(time),
                             "energies", energies_of(s->world), "contacts", contacts, "substeps",
                             p.substeps, "seconds", number(seconds));
    if (line && s->scene->joints.count) json_object_set_new(line, "joints", joint_values(s));
    if (line && s->scene->air.count) json_object_set_new(line, "air", air_values(s));
    if (line && has_liquid(s)) json_object_set_new(line, "liquid", liquid_values(s));
    if (line && stage_tears(s)) json_object_set_new(line, "tears", tears_of_bodies(s));
    if (line) json_object_set_new(line, "touch", touch_of_bodies(s));
    if (line) json_object_set_new(line, "colliders", touch_of_colliders(s));
    if (line && measured->count) json_object_set_new(line, "probes", measured_values(measured));
    print_line(line);
}

// What steps its bodies.
static const char* backend_word(const stage* s)
{
    return backend_words[pliant_world_device(s->world) ? PLIANT_BACKEND_CUDA : PLIANT_BACKEND_CPU];
}

typedef struct {
    char text[20];
} digest_text;

static digest_text find_digest(const pliant_world* world)
{
    digest_text out = {"unknown"};
    uint64_t digest;
    if (pliant_world_digest(world, &digest) == PLIANT_OK)
        snprintf(out.text, sizeof out.text, "%016" PRIx64, digest);
    return out;
}

static double real_time_factor(const run_report* r)
{
    return r->seconds > 0 ? (r->simulated - r->before) / r->seconds : 0;
}

void report_end_json(const run_report* r)
{
    digest_text digest = find_digest(r->stage->world);
    json_t* line = json_pack(
        "{ss si sI so so so ss so ss sb}", "scene", r->scene, "frames", r->frames, "steps",
        (json_int_t)pliant_world_step_count(r->stage->world), "seconds", number(r->seconds),
        "simulated", number(r->simulated), "real_time_factor", number(real_time_factor(r)),
        "backend", backend_word(r->stage), "energies", energies_of(r->stage->world), "digest",
        digest.text, "interrupted", r->interrupted);
    const char* device = pliant_world_device(r->stage->world);
    if (line) json_object_set_new(line, "device", device ? json_string(device) : json_null());
    if (line && r->problem) json_object_set_new(line, "error", json_string(r->problem));
    print_line(line);
}

static void print_count(const char* before, int64_t count, const char* one, const char* many)
{
    printf("%s%" PRId64 " %s", before, count, count == 1 ? one : many);
}

static void print_sizes(const stage* s)
{
    int64_t particles = 0, tets = 0, triangles = 0, edges = 0;
    for (int i = 0; i < s->body_count; ++i) {
        pliant_mesh_arrays m = pliant_mesh_view(s->entries[s->bodies[i].entry].mesh);
        particles += m.vertex_count;
        tets += m.tet_count;
        triangles += m.tet_count ? 0 : m.triangle_count;
        edges += m.edge_count;
    }
    print_count("  ", s->body_count, "body", "bodies");
    print_count(", ", particles, "particle", "particles");
    print_count(", ", tets, "tet", "tets");
    if (triangles) print_count(", ", triangles, "triangle", "triangles");
    if (edges) print_count(", ", edges, "edge", "edges");
    printf("\n");
}

// What a body's unresolved energy is to its elastic one, from 0 to 1. While a motion has all its
// energy in its speed, the little that is elastic tells nothing.
static double unresolved_share(const stage* s, const stage_body* body)
{
    pliant_energies e;
    if (pliant_body_energies(s->world, body->id, &e)) return 0;
    return e.unresolved > 0.01 * e.kinetic && e.elastic > 0 ? e.unresolved / e.elastic : 0;
}

// Of the body with the most of it, as far as it matters; -1: none.
static int find_unresolved(const stage* s, double* out_share)
{
    int number = -1;
    *out_share = 0.01;
    for (int i = 0; i < s->body_count; ++i) {
        double share = unresolved_share(s, &s->bodies[i]);
        if (!(share > *out_share)) continue;
        *out_share = share;
        number = i;
    }
    return number;
}

// With fewer substeps than usual, what is unresolved tells less than what is usual. A few more
// would be no better than the estimate.
static void print_unresolved(const stage* s, int substeps)
{
    double share;
    int number = find_unresolved(s, &share);
    if (number < 0) return;
    const stage_body* body = &s->bodies[number];
    int usual = pliant_asset_substeps(s->entries[body->entry].asset, (float)s->scene->dt);
    bool fewer = substeps < usual;
    int advice = usual;
    if (!fewer && pliant_body_advise_substeps(s->world, body->id, &advice)) return;
    if (advice <= 1.1 * substeps) return;
    printf("  %.0f %% of the elastic energy", 100 * share);
    if (s->body_count > 1) printf(" of body %d", number);
    printf(" is unresolved: use about %d substeps%s\n", advice, fewer ? " (auto)" : "");
}

static void print_setting(const stage* s, const pliant_profile* p)
{
    const char* device = pliant_world_device(s->world);
    int contacts = 0;
    pliant_world_count_contacts(s->world, &contacts);
    print_count("  ", p->substeps, "substep", "substeps");
    printf(" a frame, backend %s, ", backend_word(s));
    if (device) {
        printf("%s", device);
    } else {
        print_count("", p->threads, "thread", "threads");
        print_count(", ", p->lanes, "lane", "lanes");
    }
    print_count(", ", contacts, "contact", "contacts");
    printf(" at the end\n");
}

void report_end(const run_report* r)
{
    pliant_energies e = find_energies(r->stage->world);
    pliant_profile p = pliant_world_profile(r->stage->world);
    printf("%s: ", r->scene);
    print_count("", r->frames, "frame", "frames");
    printf(", %.3f s simulated in %.2f s (%.2f x real time)\n", r->simulated, r->seconds,
           real_time_factor(r));
    print_sizes(r->stage);
    print_setting(r->stage, &p);
    printf("  energies [J]: kinetic %.6g, elastic %.6g (unresolved %.3g), gravity %.6g\n",
           e.kinetic, e.elastic, e.unresolved, e.gravity);
    print_unresolved(r->stage, p.substeps);
    printf("  digest %s\n", find_digest(r->stage->world).text);
}
