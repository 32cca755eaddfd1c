#include "scene/idle.h"
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- bodies -------------------------------------------------------------------------------------

// A body with what its mesh holds.
typedef struct {
    const scene_body* body;
    pliant_mesh_arrays mesh;
} subject;

static bool has_tets(const subject* s) { return s->mesh.tet_count > 0; }
static bool is_cloth(const subject* s) { return !has_tets(s) && s->mesh.triangle_count > 0; }
static bool has_edges(const subject* s) { return s->mesh.edge_count > 0; }
static bool has_material(const subject* s) { return has_tets(s) || has_edges(s); }
static bool is_thin(const subject* s) { return is_cloth(s) || has_edges(s); }

static bool is_by_edges(const subject* s)
{
    return has_tets(s) && s->body->formulation == PLIANT_FORMULATION_EDGES_AND_VOLUME;
}
static bool has_rows(const subject* s) { return is_thin(s) || is_by_edges(s); }
static bool is_classic(const subject* s)
{
    return has_rows(s) && s->body->manner == PLIANT_STIFFNESS_MODE_CLASSIC;
}
static bool is_ten_rows(const subject* s)
{
    return has_tets(s) && s->body->formulation == PLIANT_FORMULATION_TEN_ROWS;
}

static bool stays_pinned(const subject* s)
{
    for (int i = 0; i < s->body->pins.count; ++i) {
        const scene_pin* pin = (const scene_pin*)s->body->pins.item + i;
        if (isnan(pin->release) && pin->follow.count == 0 && !pin->axes) return true;
    }
    return false;
}
static bool may_be_tethered(const subject* s)
{
    return !s->body->tethers || (is_thin(s) && stays_pinned(s));
}
static bool is_tethered(const subject* s) { return s->body->tethers && may_be_tethered(s); }

static bool has_copies(const subject* s)
{
    const int* n = s->body->copies;
    return n[0] > 1 || n[1] > 1 || n[2] > 1;
}

static bool is_patched(const subject* s) { return s->body->schedule == PLIANT_SCHEDULE_PATCHED; }
static bool is_merged(const subject* s)
{
    return is_patched(s) && s->body->patch_interface == PLIANT_INTERFACE_MERGED;
}
static bool is_clustered(const subject* s)
{
    return s->body->schedule == PLIANT_SCHEDULE_CLUSTERED;
}
static bool is_phantom(const subject* s) { return s->body->schedule == PLIANT_SCHEDULE_PHANTOM; }
static bool is_hybrid(const subject* s) { return s->body->schedule == PLIANT_SCHEDULE_HYBRID; }
static bool is_averaged(const subject* s)
{
    return is_hybrid(s) || s->body->schedule == PLIANT_SCHEDULE_JACOBI;
}
static bool has_few_colors(const subject* s) { return is_phantom(s) || is_hybrid(s); }
static bool shares_particles(const subject* s)
{
    return is_merged(s) || has_few_colors(s) || is_averaged(s);
}
static bool has_graphs(const subject* s)
{
    return is_patched(s) || is_phantom(s) || s->body->schedule == PLIANT_SCHEDULE_COLORED;
}

static const struct {
    const char* key;
    bool (*works)(const subject*);
    const char* when; // "it is for ..."
} body_rules[] = {
    {"material", has_material, "tets and ropes; that of triangles is \"cloth\""},
    {"cloth", is_cloth, "a mesh of triangles"},
    {"boundary", is_by_edges, "tets with the formulation edges_and_volume"},
    {"manner", has_rows, "cloth, ropes, and tets with the formulation edges_and_volume"},
    {"stiffness", is_classic, "the manner classic"},
    {"rope", has_edges, "a mesh of edges"},
    {"rope_radius", has_edges, "a mesh of edges"},
    {"tethers", may_be_tethered, "cloth and ropes with a pin that stays"},
    {"tether_slack", is_tethered, "cloth and ropes with tethers"},
    {"formulation", has_tets, "tets"},
    {"shear_relaxation", is_ten_rows, "tets with the formulation ten_rows"},
    {"spacing", has_copies, "bodies with copies"},
    {"graphs", has_graphs, "the schedules patched, colored and phantom"},
    {"patch_interface", is_patched, "the schedule patched"},
    {"patch_rows", is_patched, "the schedule patched"},
    {"patch_colors", is_merged, "the schedule patched"},
    {"merge", shares_particles, "schedules with copies of particles"},
    {"most_colors", has_few_colors, "the schedules phantom and hybrid"},
    {"phantoms", is_phantom, "the schedule phantom"},
    {"relaxation", is_averaged, "the schedules jacobi and hybrid"},
    {"clustering", is_clustered, "the schedule clustered"},
    {"cluster_size", is_clustered, "the schedule clustered"},
};

static void warn_at(const place* at, const char* key, const char* when)
{
    place where = place_key(at, key);
    phrase path = place_phrase(&where);
    warn("%s: it changes nothing here: it is for %s", path.text, when);
}

static void look_at_keys(const subject* s, const json_t* json, const place* at)
{
    for (size_t i = 0; i < sizeof body_rules / sizeof body_rules[0]; ++i)
        if (json_object_get(json, body_rules[i].key) && !body_rules[i].works(s))
            warn_at(at, body_rules[i].key, body_rules[i].when);
}

// A model in a file is mostly meant to be filled.
static pliant_result look_at_mesh(const subject* s, const pliant_mesh* mesh, const json_t* json,
                                  const place* at)
{
    const scene_mesh* m = &s->body->mesh;
    const char* file = m->file ? m->file : m->name;
    bool speaks_of_cloth = json_object_get(json, "cloth") || json_object_get(json, "stiffness");
    pliant_mesh_quality q;
    if (!is_cloth(s) || !file || speaks_of_cloth || !names_file(file)) return PLIANT_OK;
    pliant_result result = pliant_mesh_measure(mesh, &q);
    if (result || q.boundary_edges > 0 || !(q.volume > 0)) return result;
    place where = place_key(at, "mesh");
    phrase path = place_phrase(&where);
    warn("%s: a closed surface becomes hollow cloth here: {\"surface\": \"%.200s\"} fills it with "
         "tets, the key \"cloth\" says that cloth is meant",
         path.text, file);
    return PLIANT_OK;
}

// ---- colliders ----------------------------------------------------------------------------------

static const struct {
    const char* key;
    unsigned shapes; // bits
    const char* when;
} collider_rules[] = {
    {"half_extents", 1u << PLIANT_SHAPE_BOX, "a box"},
    {"radius", 1u << PLIANT_SHAPE_SPHERE | 1u << PLIANT_SHAPE_CAPSULE, "a sphere or a capsule"},
    {"half_height", 1u << PLIANT_SHAPE_CAPSULE, "a capsule"},
    {"scale", 1u << PLIANT_SHAPE_MESH, "a mesh"},
    {"cell", 1u << PLIANT_SHAPE_MESH, "a mesh"},
};

static void look_at_collider(const scene_collider* c, const json_t* json, const place* at)
{
    for (size_t i = 0; i < sizeof collider_rules / sizeof collider_rules[0]; ++i)
        if (json_object_get(json, collider_rules[i].key) &&
            !(collider_rules[i].shapes & 1u << c->shape))
            warn_at(at, collider_rules[i].key, collider_rules[i].when);
    if (json_object_get(json, "friction") && !isnan(c->static_friction) &&
        !isnan(c->dynamic_friction))
        warn_at(at, "friction", "what static_friction and dynamic_friction leave open");
}

// ---- the scene ----------------------------------------------------------------------------------

// The text tells which keys are given; it has been read before, so it is well-formed.
pliant_result stage_warn_of_idle_keys(const stage* s, const place* top)
{
    const scene* from = s->scene;
    place bodies = place_key(top, "bodies"), colliders = place_key(top, "colliders");
    json_t* json = json_loadb(from->text, from->bytes, 0, NULL);
    const json_t *of_bodies = json_object_get(json, "bodies"),
                 *of_colliders = json_object_get(json, "colliders");
    pliant_result result = json ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    for (int i = 0; i < from->bodies.count && !result; ++i) {
        place item = place_item(&bodies, i);
        const pliant_mesh* mesh = s->entries[i].mesh;
        const json_t* given = json_array_get(of_bodies, (size_t)i);
        const subject of = {scene_body_at(from, i), pliant_mesh_view(mesh)};
        look_at_keys(&of, given, &item);
        result = look_at_mesh(&of, mesh, given, &item);
    }
    for (int i = 0; i < from->colliders.count && !result; ++i) {
        place item = place_item(&colliders, i);
        look_at_collider(scene_collider_at(from, i), json_array_get(of_colliders, (size_t)i),
                         &item);
    }
    json_decref(json);
    return result;
}
