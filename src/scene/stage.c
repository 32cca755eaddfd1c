#include "scene/stage.h"
#include "base/memory.h"
#include "base/platform.h"
#include "mesh/mesh.h"
#include "scene/backend.h"
#include "scene/between.h"
#include "scene/cache.h"
#include "scene/idle.h"
#include "scene/words.h"
#include "system/folder.h"
#include "world/members.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

pliant_result stage_at_place(pliant_result result, const place* at)
{
    return result ? fail_at(result, at, "%s", pliant_error_text()) : PLIANT_OK;
}

// ---- meshes -------------------------------------------------------------------------------------

// The file's path: relative ones begin in the scene's folder.
static pliant_result file_path(const scene* s, const char* file, const place* at, char out[4096])
{
    if (!file[0])
        return fail_at(PLIANT_ERROR_FILE, at, "the text is empty: the name of a file is needed");
    const char* slash = strrchr(s->name, '/');
    int folder = slash && file[0] != '/' ? (int)(slash + 1 - s->name) : 0;
    int length = snprintf(out, 4096, "%.*s%s", folder, s->name, file);
    if (length > 0 && length < 4096) return PLIANT_OK;
    return fail_at(PLIANT_ERROR_FILE, at, "the path is too long");
}

bool names_file(const char* name)
{
    size_t word = strcspn(name, ":");
    return memchr(name, '.', word) || memchr(name, '/', word);
}

static pliant_result fill_surface(const scene_mesh* m, pliant_mesh** mesh)
{
    pliant_tet_def def = pliant_tet_defaults();
    if (m->tets > 0 || m->edge > 0) def.tets = m->tets;
    def.edge = m->edge;
    def.coarsening = m->coarsening;
    def.close_holes = m->close_holes;
    def.separate_parts = m->separate_parts;
    pliant_mesh* filled = NULL;
    pliant_result result = cache_tetrahedralize(*mesh, &def, &filled);
    pliant_mesh_destroy(*mesh);
    *mesh = filled;
    return result;
}

pliant_result stage_open_mesh(const stage* s, const scene_mesh* m, const place* at,
                              pliant_mesh** out)
{
    const char* file = m->surface ? m->surface : m->file ? m->file : m->name;
    char path[4096];
    if (m->generate) return stage_at_place(pliant_mesh_generate(m->generate, out), at);
    pliant_result found = file_path(s->scene, file, at, path);
    if (found) return found;
    if (file_exists(path)) {
        pliant_result result = s->load(path, out);
        if (!result && m->surface) result = fill_surface(m, out);
        return stage_at_place(result, at);
    }
    if (m->surface || m->file || names_file(m->name))
        return fail_at(PLIANT_ERROR_FILE, at, "there is no file '%.300s'", path);
    return stage_at_place(pliant_mesh_generate(m->name, out), at);
}

static void scale_mesh(pliant_mesh* mesh, double scale)
{
    const pliant_quat identity = {0, 0, 0, 1};
    const double nowhere[3] = {0, 0, 0};
    if (scale != 1) pliant_mesh_transform(mesh, scale, identity, nowhere);
}

// ---- what is seen -------------------------------------------------------------------------------

static void scale_look(visual* look, double scale)
{
    for (size_t i = 0; i < 3 * (size_t)look->point_count; ++i) look->point[i] *= scale;
}

// The surface that a body was filled from, or what it names.
static pliant_result open_look(const scene* s, stage_entry* entry, const stage_options* options,
                               const place* at)
{
    const scene_body* b = entry->source;
    const char* file = b->visual ? b->visual : b->mesh.surface;
    char path[4096];
    if (entry->look) scale_look(entry->look, b->scale);
    if (entry->look || !options->read || !file || strcmp(file, "none") == 0) return PLIANT_OK;
    pliant_result result = file_path(s, file, at, path);
    if (result) return result;
    pliant_mesh_arrays mesh = pliant_mesh_view(entry->mesh);
    bool clustered = b->soft.clusters.stiffness > 0;
    if (mesh.tet_count == 0 && mesh.triangle_count == 0 && !clustered)
        return fail_at(PLIANT_ERROR_ARGUMENT, at,
                       "only a body of tets, of cloth or of clusters of particles carries another "
                       "surface");
    result = visual_load(path, options->read, NULL, &entry->look);
    if (!result) scale_look(entry->look, b->scale);
    return stage_at_place(result, at);
}

// ---- bodies -------------------------------------------------------------------------------------

static pliant_result select_all(const stage* s, stage_entry* entry, const place* at)
{
    const scene_body* b = entry->source;
    place pins = place_key(at, "pins"), forces = place_key(at, "forces");
    entry->pins = (selection*)mem_array_zero((size_t)b->pins.count + 1, sizeof(selection));
    entry->forces = (selection*)mem_array_zero((size_t)b->forces.count + 1, sizeof(selection));
    if (!entry->pins || !entry->forces) return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < b->pins.count + b->forces.count; ++i) {
        int f = i - b->pins.count;
        place item = f < 0 ? place_item(&pins, i) : place_item(&forces, f);
        const scene_region* region = f < 0 ? &((const scene_pin*)b->pins.item + i)->region
                                           : &((const scene_force*)b->forces.item + f)->region;
        selection* out = f < 0 ? &entry->pins[i] : &entry->forces[f];
        pliant_result result = region_select(s, region, entry, &item, out);
        if (result) return result;
    }
    return PLIANT_OK;
}

// Tets of part i get the number i + 1, all others 0.
static pliant_result paint_parts(const stage* s, stage_entry* entry, const place* at)
{
    const scene_list* list = &entry->source->parts;
    place parts = place_key(at, "parts");
    if (!list->count) return PLIANT_OK;
    if (pliant_mesh_view(entry->mesh).tet_count == 0)
        return fail_at(PLIANT_ERROR_ARGUMENT, &parts, "only bodies of tets have parts");
    pliant_region all = pliant_region_defaults();
    pliant_result result = stage_at_place(pliant_mesh_paint(entry->mesh, &all, 0), &parts);
    for (int i = 0; i < list->count && !result; ++i) {
        place item = place_item(&parts, i);
        result = region_paint(s, &((const scene_part*)list->item + i)->region, entry, &item, i + 1);
    }
    return result;
}

// Particles of the probes of body `number`.
static pliant_result select_probes(const stage* s, int number, const place* top)
{
    const stage_entry* entry = &s->entries[number];
    int count = pliant_mesh_view(entry->mesh).vertex_count;
    place list = place_key(top, "probes");
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < s->scene->probes.count && !result; ++i) {
        const scene_probe* p = (const scene_probe*)s->scene->probes.item + i;
        place item = place_item(&list, i), particle = place_key(&item, "particle");
        selection* out = &s->probes[i];
        if (p->body != number) continue;
        if (isnan(p->particle)) {
            result = region_select(s, &p->region, entry, &item, out);
        } else if (p->particle >= count) {
            result = fail_at(PLIANT_ERROR_ARGUMENT, &particle, "the body has %d particles", count);
        } else {
            *out = (selection){(int*)mem_array(1, sizeof(int)), 1};
            if (!out->particle) return PLIANT_ERROR_MEMORY;
            out->particle[0] = (int)p->particle;
        }
    }
    return result;
}

static pliant_result check_filling(const scene_body* b, const place* at)
{
    if (!b->fill.count || !b->mesh.surface) return PLIANT_OK;
    place mesh = place_key(at, "mesh");
    return fail_at(PLIANT_ERROR_ARGUMENT, &mesh,
                   "a \"surface\" is filled with tets, and \"fill\" wants particles: name the file "
                   "by \"file\"");
}

// The shape that is filled, as what is seen.
static pliant_result show_shape(stage_entry* entry)
{
    pliant_mesh* outside = NULL;
    bool tets = pliant_mesh_view(entry->mesh).tet_count > 0;
    pliant_result result = tets ? pliant_mesh_boundary(entry->mesh, &outside, NULL) : PLIANT_OK;
    if (!result) result = visual_of_mesh(tets ? outside : entry->mesh, &entry->look);
    pliant_mesh_destroy(outside);
    return result;
}

static bool shows_shape(const scene_body* b)
{
    return b->visual && strcmp(b->visual, "shape") == 0;
}

static pliant_result check_shape(const scene_body* b, const place* seen)
{
    if (!shows_shape(b) || (b->fill.count && b->soft.clusters.stiffness > 0)) return PLIANT_OK;
    return fail_at(PLIANT_ERROR_ARGUMENT, seen,
                   "\"shape\" is the mesh that clusters of particles fill: the body needs \"fill\" "
                   "and \"clusters\"");
}

// Particles in place of the shape.
static pliant_result fill_entry(stage_entry* entry, const stage_options* options, const place* at)
{
    const scene_body* b = entry->source;
    place fill = place_key(at, "fill");
    if (!b->fill.count) return PLIANT_OK;
    pliant_fill_def def = *(const pliant_fill_def*)b->fill.item;
    def.cookie = pliant_fill_defaults().cookie;
    pliant_mesh* filled = NULL;
    pliant_result result = pliant_mesh_fill(entry->mesh, &def, &filled);
    if (!result && shows_shape(b) && options->read) result = show_shape(entry);
    if (result) return stage_at_place(result, &fill);
    pliant_mesh_destroy(entry->mesh);
    entry->mesh = filled;
    return PLIANT_OK;
}

// What is seen of loose particles.
static pliant_result check_seen(const stage_entry* entry, const place* at)
{
    const scene_body* b = entry->source;
    place surface = place_key(at, "surface"), smoke = place_key(at, "smoke");
    if (b->surface.count && b->smoke.count)
        return fail_at(PLIANT_ERROR_ARGUMENT, &smoke,
                       "a body is a liquid or smoke: \"surface\" or \"smoke\"");
    if (!b->surface.count && !b->smoke.count) return PLIANT_OK;
    if (mesh_is_loose(entry->mesh) && !(b->soft.clusters.stiffness > 0)) return PLIANT_OK;
    return fail_at(PLIANT_ERROR_ARGUMENT, b->surface.count ? &surface : &smoke,
                   "only loose particles are seen so: a mesh of points, or one with \"fill\"");
}

// Regions are chosen before the mesh is scaled: they are in its own coordinates.
static pliant_result open_entry(stage* s, int number, const place* at, const stage_options* options)
{
    stage_entry* entry = &s->entries[number];
    entry->source = scene_body_at(s->scene, number);
    place mesh = place_key(at, "mesh"), seen = place_key(at, "visual");
    pliant_result result = check_filling(entry->source, at);
    if (!result) result = check_shape(entry->source, &seen);
    if (!result) result = stage_open_mesh(s, &entry->source->mesh, &mesh, &entry->mesh);
    if (!result) result = fill_entry(entry, options, at);
    if (!result) result = check_seen(entry, at);
    if (!result) result = select_all(s, entry, at);
    if (!result) result = stage_select_starts(s, entry, at);
    if (!result) result = select_probes(s, number, at->parent->parent);
    if (!result) result = stage_select_joints(s, number, at->parent->parent);
    if (!result) result = paint_parts(s, entry, at);
    if (result) return result;
    scale_mesh(entry->mesh, entry->source->scale);
    return open_look(s->scene, entry, options, entry->source->visual ? &seen : &mesh);
}

// The particles of all pins that are never let go. False when memory runs out.
static bool find_anchors(const stage_entry* entry, selection* out)
{
    const scene_body* b = entry->source;
    int count = 0;
    for (int i = 0; i < b->pins.count; ++i) count += entry->pins[i].count;
    *out = (selection){(int*)mem_array((size_t)count, sizeof(int)), 0};
    if (!out->particle) return false;
    for (int i = 0; i < b->pins.count; ++i) {
        const scene_pin* pin = (const scene_pin*)b->pins.item + i;
        if (!isnan(pin->release) || pin->follow.count || pin->axes) continue;
        for (int k = 0; k < entry->pins[i].count; ++k)
            out->particle[out->count++] = entry->pins[i].particle[k];
    }
    return true;
}

// The body's own, and those of its parts; NULL when memory runs out.
static pliant_material_def* list_materials(const scene_body* b)
{
    pliant_material_def* out =
        (pliant_material_def*)mem_array((size_t)b->parts.count + 1, sizeof *out);
    if (!out) return NULL;
    out[0] = b->soft.material;
    for (int i = 0; i < b->parts.count; ++i)
        out[i + 1] = ((const scene_part*)b->parts.item + i)->material;
    return out;
}

static int64_t copy_count(const scene* s, int number)
{
    const int* n = scene_body_at(s, number)->copies;
    return (int64_t)n[0] * n[1] * n[2];
}

static int64_t count_particles(const stage* s)
{
    int64_t sum = 0;
    for (int i = 0; i < s->scene->bodies.count; ++i)
        sum += copy_count(s->scene, i) * pliant_mesh_view(s->entries[i].mesh).vertex_count;
    return sum;
}

// The serial order is for the CPU alone; where a GPU is asked for by name the world says so.
static void make_for_backend(const stage* s, const stage_entry* entry, pliant_solver_def* solver)
{
    bool chosen = solver->target_backend != PLIANT_BACKEND_AUTO;
    if (chosen || solver->schedule == PLIANT_SCHEDULE_SERIAL) return;
    solver->target_backend = s->backend;
    if (s->backend != PLIANT_BACKEND_CUDA || solver->schedule != PLIANT_SCHEDULE_PATCHED) return;
    int particles = pliant_mesh_view(entry->mesh).vertex_count;
    if (solver->patch_rows == 0)
        solver->patch_rows = backend_patch_rows(particles, count_particles(s));
}

// With places for particles to come, where there are some.
static pliant_result take_places(stage_entry* entry)
{
    pliant_mesh_arrays all = pliant_mesh_view(pliant_asset_mesh(entry->asset));
    pliant_mesh* mesh = NULL;
    if (all.vertex_count == pliant_mesh_view(entry->mesh).vertex_count) return PLIANT_OK;
    pliant_result result = pliant_mesh_create(&all, &mesh);
    if (result) return result;
    pliant_mesh_destroy(entry->mesh);
    entry->mesh = mesh;
    return PLIANT_OK;
}

static void tune_material(pliant_material_def* m, const stage_tuning* t)
{
    m->young *= t->stiffness;
    m->yield_stress *= t->stiffness;
    m->hardening *= t->stiffness;
    m->damping += t->damping;
}

// A share s of the way is a spring of s / (1 - s).
static double tune_share(double share, double stiffness)
{
    return stiffness == 1 ? share : share * stiffness / (1 - share + share * stiffness);
}

static void tune_soft(pliant_soft_def* soft, const stage_tuning* t)
{
    tune_material(&soft->material, t);
    soft->cloth.stretch *= t->stiffness;
    soft->cloth.bending *= t->stiffness;
    soft->cloth.area *= t->stiffness;
    soft->cloth.damping += t->damping;
    soft->rope.bending *= t->stiffness;
    soft->research.boundary.bending *= t->stiffness;
    if (soft->clusters.stiffness > 0)
        soft->clusters.stiffness = tune_share(soft->clusters.stiffness, t->stiffness);
}

static const stage_tuning as_the_scene_says = {1, 0};

pliant_result stage_compile(const stage* s, int number, const stage_tuning* tuning,
                            pliant_asset** out)
{
    const stage_entry* entry = &s->entries[number];
    int parts = entry->source->parts.count;
    pliant_soft_def soft = scene_soft_of(entry->source);
    selection anchors = {NULL, 0};
    pliant_material_def* materials = list_materials(entry->source);
    if (!materials) return PLIANT_ERROR_MEMORY;
    for (int i = 0; i <= parts; ++i) tune_material(&materials[i], tuning);
    tune_soft(&soft, tuning);
    soft.materials = parts ? materials : NULL;
    soft.material_count = parts ? parts + 1 : 0;
    make_for_backend(s, entry, &soft.solver);
    bool ok = !entry->source->tethers || find_anchors(entry, &anchors);
    soft.anchors = anchors.count ? anchors.particle : NULL;
    soft.anchor_count = anchors.count;
    pliant_result result = ok ? pliant_asset_create(entry->mesh, &soft, out) : PLIANT_ERROR_MEMORY;
    mem_free(anchors.particle);
    mem_free(materials);
    return result;
}

static pliant_result compile_entry(stage* s, int number, const place* at)
{
    stage_entry* entry = &s->entries[number];
    pliant_result result = stage_compile(s, number, &as_the_scene_says, &entry->asset);
    if (!result) result = take_places(entry);
    return stage_at_place(result, at);
}

static pliant_body_def place_of(const scene_body* b, const int copy[3])
{
    pliant_body_def def = scene_placing_of(b);
    for (int k = 0; k < 3; ++k) def.position[k] += copy[k] * b->spacing[k];
    return def;
}

// In addition to what other pins hold it by.
static pliant_result pin_along(const stage* s, const stage_body* body, int particle, unsigned axes)
{
    pliant_particle p;
    pliant_result result = pliant_body_particle(s->world, body->id, particle, &p);
    if (result || p.pinned) return result;
    return pliant_body_pin_axes(s->world, body->id, particle, p.axes | axes);
}

static pliant_result add_copy(stage* s, int number, const int copy[3], const place* at)
{
    const stage_entry* entry = &s->entries[number];
    const pliant_body_def def = place_of(entry->source, copy);
    stage_body* body = &s->bodies[s->body_count];
    body->entry = number;
    memcpy(body->position, def.position, sizeof body->position);
    pliant_result result = pliant_world_add_body(s->world, entry->asset, &def, &body->id);
    for (int i = 0; i < entry->source->pins.count && !result; ++i) {
        const scene_pin* pin = (const scene_pin*)entry->source->pins.item + i;
        if (pin->follow.count) continue;
        for (int k = 0; k < entry->pins[i].count && !result; ++k)
            result = pin_along(s, body, entry->pins[i].particle[k], axes_of_word[pin->axes]);
        if (!result && !pin->axes) result = stage_clamp(s, body, &entry->pins[i]);
    }
    if (!result) result = stage_start(s, body);
    if (result) return stage_at_place(result, at);
    return stage_scramble(s, body, (uint64_t)s->body_count++);
}

static pliant_result add_copies(stage* s, int number, const place* at)
{
    const int* n = scene_body_at(s->scene, number)->copies;
    pliant_result result = PLIANT_OK;
    for (int z = 0; z < n[2]; ++z)
        for (int y = 0; y < n[1]; ++y)
            for (int x = 0; x < n[0] && !result; ++x) {
                const int copy[3] = {x, y, z};
                result = add_copy(s, number, copy, at);
            }
    return result;
}

// All meshes, before the first is compiled: the backend depends on their size.
static pliant_result open_entries(stage* s, const place* top, const stage_options* options)
{
    place bodies = place_key(top, "bodies");
    size_t total = 0, count = (size_t)s->scene->bodies.count;
    for (size_t i = 0; i < count; ++i) total += (size_t)copy_count(s->scene, (int)i);
    s->entries = (stage_entry*)mem_array_zero(count + 1, sizeof *s->entries);
    s->bodies = (stage_body*)mem_array_zero(total + 1, sizeof *s->bodies);
    s->probes = (selection*)mem_array_zero((size_t)s->scene->probes.count + 1, sizeof *s->probes);
    s->joined = (stage_joint*)mem_array_zero((size_t)s->scene->joints.count + 1, sizeof *s->joined);
    if (!s->entries || !s->bodies || !s->probes || !s->joined) return PLIANT_ERROR_MEMORY;
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < (int)count && !result; ++i) {
        place item = place_item(&bodies, i);
        result = open_entry(s, i, &item, options);
    }
    return result;
}

static pliant_result make_bodies(stage* s, const place* top)
{
    place bodies = place_key(top, "bodies");
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < s->scene->bodies.count && !result; ++i) {
        place item = place_item(&bodies, i);
        result = compile_entry(s, i, &item);
        if (!result) result = add_copies(s, i, &item);
    }
    return result;
}

// ---- colliders ----------------------------------------------------------------------------------

// What is convex is drawn as its hull, too.
static pliant_result take_hull(pliant_mesh** mesh)
{
    pliant_mesh* hull;
    pliant_result result = pliant_mesh_convex_hull(*mesh, &hull);
    if (result) return result;
    pliant_mesh_destroy(*mesh);
    *mesh = hull;
    return PLIANT_OK;
}

static pliant_result add_collider(stage* s, int number, const place* at)
{
    const scene_collider* c = scene_collider_at(s->scene, number);
    pliant_collider_def def = scene_shape_of(c);
    place mesh = place_key(at, "mesh");
    if (of_mesh.has(&def)) {
        pliant_result result = stage_open_mesh(s, &c->mesh, &mesh, &s->shapes[number]);
        if (result) return result;
        scale_mesh(s->shapes[number], c->scale);
        if (def.shape == PLIANT_SHAPE_CONVEX)
            result = stage_at_place(take_hull(&s->shapes[number]), at);
        if (result) return result;
    }
    def.mesh = s->shapes[number];
    return stage_at_place(pliant_world_add_collider(s->world, &def, &s->colliders[number]), at);
}

static pliant_result make_colliders(stage* s, const place* top)
{
    place colliders = place_key(top, "colliders");
    size_t count = (size_t)s->scene->colliders.count;
    s->shapes = (pliant_mesh**)mem_array_zero(count + 1, sizeof *s->shapes);
    s->colliders = (pliant_collider_id*)mem_array_zero(count + 1, sizeof *s->colliders);
    if (!s->shapes || !s->colliders) return PLIANT_ERROR_MEMORY;
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < (int)count && !result; ++i) {
        place item = place_item(&colliders, i);
        result = add_collider(s, i, &item);
    }
    return result;
}

// ---- the whole ----------------------------------------------------------------------------------

// Tets, or of what has none its triangles and edges.
static int64_t count_elements(const stage* s)
{
    int64_t elements = 0;
    for (int i = 0; i < s->scene->bodies.count; ++i) {
        pliant_mesh_arrays m = pliant_mesh_view(s->entries[i].mesh);
        int64_t others = (int64_t)m.triangle_count + m.edge_count;
        elements += copy_count(s->scene, i) * (m.tet_count ? m.tet_count : others);
    }
    return elements;
}

static pliant_result make_world(stage* s, const stage_options* options)
{
    pliant_world_def def = scene_world_of(s->scene);
    if (options->substeps >= 0) def.substeps = options->substeps;
    if (options->iterations >= 0) def.iterations = options->iterations;
    if (options->threads >= 0) def.threads = options->threads;
    if (options->lanes >= 0) def.lanes = options->lanes;
    if (options->backend >= 0) def.backend = (pliant_backend)options->backend;
    // Air is on the CPU alone.
    bool here = s->scene->air.count > 0;
    s->backend = def.backend ? def.backend
                 : here      ? PLIANT_BACKEND_CPU
                             : backend_for(count_elements(s));
    return pliant_world_create(&def, &s->world);
}

// In the world as the scene has it: a sentence of the library says what is wrong.
static pliant_result make_air(stage* s, const place* top)
{
    if (s->scene->air.count == 0) return PLIANT_OK;
    const scene_air* a = (const scene_air*)s->scene->air.item;
    place at = place_key(top, "air"), list = place_key(&at, "winds");
    pliant_air_def def = a->def;
    def.cookie = pliant_air_defaults().cookie;
    pliant_wind_def* winds = (pliant_wind_def*)mem_array((size_t)a->winds.count + 1, sizeof *winds);
    if (!winds) return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < a->winds.count; ++i) {
        winds[i] = ((const pliant_wind_def*)a->winds.item)[i];
        winds[i].cookie = pliant_wind_defaults().cookie;
    }
    pliant_result result = stage_at_place(pliant_world_set_air(s->world, &def), &at);
    if (!result)
        result = stage_at_place(pliant_world_set_winds(s->world, winds, a->winds.count), &list);
    mem_free(winds);
    return result;
}

pliant_result stage_create(const scene* source, const stage_options* options, stage* out)
{
    stage s = {.scene = source, .load = options->load};
    place top = place_top(source->name, source->of_model ? NULL : source->text, source->bytes);
    pliant_result result = open_entries(&s, &top, options);
    if (!result) result = stage_check_between(&s, &top);
    if (!result) result = make_world(&s, options);
    if (!result) result = make_air(&s, &top);
    if (!result) result = make_bodies(&s, &top);
    if (!result) result = stage_bind_followers(&s, &top);
    if (!result) result = stage_make_joints(&s, &top);
    if (!result) result = make_colliders(&s, &top);
    if (!result) result = stage_make_emitters(&s, &top);
    if (!result) result = stage_warn_of_idle_keys(&s, &top); // after all that is wrong
    if (result) stage_destroy(&s);
    *out = s;
    return result;
}

static void release_selections(selection* list, int count)
{
    for (int i = 0; list && i < count; ++i) mem_free(list[i].particle);
    mem_free(list);
}

const pliant_asset* stage_asset(const stage* s, int body)
{
    return pliant_body_asset(s->world, s->bodies[body].id);
}

uint64_t stage_version(const stage* s)
{
    uint64_t sum = 0;
    for (int i = 0; i < s->body_count; ++i)
        sum = 1000003 * sum + pliant_body_topology(s->world, s->bodies[i].id);
    return sum;
}

bool stage_tears(const stage* s)
{
    bool tears = false;
    for (int i = 0; i < s->body_count; ++i) tears = tears || pliant_asset_tears(stage_asset(s, i));
    return tears;
}

const pliant_mesh* stage_mesh(const stage* s, int body)
{
    return pliant_asset_mesh(stage_asset(s, body));
}

void stage_destroy(stage* s)
{
    stage_release_followers(s);
    stage_release_joints(s);
    stage_release_emitters(s);
    for (int i = 0; s->entries && i < s->scene->bodies.count; ++i) {
        stage_entry* entry = &s->entries[i];
        if (!entry->source) continue;
        release_selections(entry->pins, entry->source->pins.count);
        release_selections(entry->forces, entry->source->forces.count);
        release_selections(entry->starts, entry->source->starts.count);
        pliant_asset_destroy(entry->asset);
        pliant_mesh_destroy(entry->mesh);
        visual_destroy(entry->look);
    }
    release_selections(s->probes, s->probes ? s->scene->probes.count : 0);
    for (int i = 0; s->shapes && i < s->scene->colliders.count; ++i)
        pliant_mesh_destroy(s->shapes[i]);
    pliant_world_destroy(s->world);
    mem_free(s->entries);
    mem_free(s->bodies);
    mem_free(s->shapes);
    mem_free(s->colliders);
    memset(s, 0, sizeof *s);
}
