#include "bench/contact_scenes.h"
#include "base/memory.h"
#include "load.h"
#include "open.h"
#include "scene/change.h"
#include <string.h>

const float contact_dt = 1.0f / 60;

static const char on_a_block[] =
    "{\"frames\": 120, \"substeps\": 40, \"bodies\": [{\"mesh\": \"\", \"position\": [0, 1.05, 0], "
    "\"material\": {\"young\": 2e5, \"damping\": 0.005}, \"contact\": {\"thickness\": 0.004, "
    "\"self\": true}}, "
    "{\"mesh\": \"box6:24x8x24:0.05\", \"position\": [-0.6, 0.01, -0.6], "
    "\"material\": {\"young\": 5e4, \"damping\": 0.01}, \"contact\": {\"thickness\": 0.004}}], "
    "\"colliders\": [{\"shape\": \"plane\"}]}";

// The ball of the stack comes up from below, at 20 m/s, and stands in the sheets.
static const char from_below[] =
    "colliders=[{\"shape\": \"plane\", \"position\": [0, -1.2, 0]}, {\"shape\": \"sphere\", "
    "\"radius\": 0.25, \"position\": [0, -0.7, 0], \"motion\": {\"velocity\": [0, 20, 0], "
    "\"end\": 0.06}}]";

// The steps of 2013: one substep, eight iterations, classic stiffness.
static const char as_2013[] =
    "substeps=1; iterations=8; bodies.*.research={\"stiffness_mode\": \"classic\"}; "
    "bodies.*.solver.integrator=implicit_euler; bodies.*.contact.self=false; "
    "bodies.*.material.damping=0";

static const char few_sheets[] = "bodies.*.mesh=cloth:12x12:1x1; bodies.*.copies=[1,1,1]";

// Stacks of softer boxes would buckle under their own weight.
const contact_scene contact_scenes[CONTACT_SCENES] = {
    {"tori27", .words = "torus:0.2:0.07:2", .quick_words = "torus:0.2:0.07:2", .bodies = 27,
     .quick_bodies = 2, .substeps = 20, .steps = 90, .young = 2e5, .thickness = 0.006},
    {"stack", .words = "box6:3x3x3:0.07", .quick_words = "box6:2x2x2:0.105", .bodies = 10,
     .quick_bodies = 2, .substeps = 20, .steps = 120, .young = 1e7, .thickness = 0.006},
    {"sheets", .words = "cloth:25x25:1x1", .quick_words = "cloth:12x12:1x1", .bodies = 5,
     .quick_bodies = 2, .substeps = 40, .steps = 60, .ball_stops = 0.05, .young = 1e6,
     .thickness = 0.006},
    {"rope", .words = "rope:2:100", .quick_words = "rope:2:40", .bodies = 2, .quick_bodies = 2,
     .substeps = 40, .steps = 120, .young = 1e6, .thickness = 0.02},
    {"squeeze", .scene = "squeeze", .steps = 150, .thickness = 0.004,
     .quick_changes = "bodies.0.mesh=sphere:0.3:6"},
    {"knot", .scene = "knot", .steps = 240, .thickness = 0.02,
     .quick_changes = "bodies.0.mesh=knot:2.4:80; substeps=30"},
    {"cloth-twist", .scene = "cloth-twist", .steps = 300, .thickness = 0.006, .large = true,
     .quick_changes = "bodies.0.mesh=cloth:36x6:2.4x0.4"},
    {"bowl", .scene = "bowl", .steps = 150, .thickness = 0.004, .large = true,
     .quick_changes = "bodies.*.copies=[1,1,1]"},
    {"tori", .scene = "tori", .steps = 120, .thickness = 0.004, .large = true,
     .quick_changes = "bodies.*.copies=[2,1,1]"},
    {"tori2013", .scene = "tori", .steps = 120, .thickness = 0.004, .large = true,
     .changes = as_2013, .quick_changes = "bodies.*.copies=[2,1,1]"},
    {"tori400", .scene = "tori400", .steps = 180, .thickness = 0.005, .large = true,
     .quick_changes = "bodies.*.copies=[2,2,1]"},
    {"cloth-stack", .scene = "cloth-stack", .steps = 90, .thickness = 0.004, .large = true,
     .quick_changes = few_sheets},
    {"cloth-stack-hit", .scene = "cloth-stack", .steps = 60, .thickness = 0.004, .large = true,
     .changes = from_below, .quick_changes = few_sheets},
    {"armadillo", .scene = on_a_block, .steps = 90, .thickness = 0.004, .large = true,
     .file = "armadillo_162k.mesh.gz", .stand_in = "blob:0.35:40:3",
     .quick_changes = "bodies.1.mesh=box6:8x4x8:0.1"},
};

// The mesh of a body, and how it lies.
typedef struct {
    const char* words;  // NULL: those of the scene
    double position[3]; // [m]
    pliant_quat rotation;
} piece;

// Columns of three, side by side, that nowhere touch at the start: tilted, and each layer a little
// beside the one below.
static piece torus_piece(int number)
{
    int layer = number % 3, tower = number / 3;
    double shift = 0.1 * (layer - 1), way[2] = {tower % 3 - 1, tower / 3 - 1};
    return (piece){NULL,
                   {0.62 * way[0] + shift, 0.3 + 0.4 * layer, 0.62 * way[1] - 0.5 * shift},
                   {0.12f, 0.2f * (float)tower, 0.05f, 1}};
}

static piece box_piece(int number)
{
    return (piece){NULL, {-0.1, 0.01 + 0.22 * number, -0.1}, {0, 0, 0, 1}};
}

static piece sheet_piece(int number)
{
    return (piece){NULL,
                   {0.01 * number, 0.5 + 0.03 * number, -0.013 * number},
                   {0, 0.1f * (float)number, 0, 1}};
}

// A box below, and a long rope that comes down on it end first, leaning a little.
static piece rope_piece(int number)
{
    if (number == 0) return (piece){"box6:4x2x4:0.1", {-0.2, 0.01, -0.2}, {0, 0, 0, 1}};
    return (piece){NULL, {0, 0.3, 0}, {0.03f, 0, 0.6f, 0.8f}};
}

static piece piece_of(const contact_scene* from, int number)
{
    switch (from - contact_scenes) {
    case 0:
        return torus_piece(number);
    case 1:
        return box_piece(number);
    case 2:
        return sheet_piece(number);
    default:
        return rope_piece(number);
    }
}

static pliant_soft_def material_of(const contact_scene* from)
{
    pliant_soft_def soft = pliant_soft_defaults();
    soft.material.young = from->young;
    soft.material.damping = 0.002;
    soft.rope.radius = 0.01;
    soft.cloth.density = 0.2;
    soft.cloth.stretch = 300;
    soft.cloth.bending = 1e-5;
    soft.cloth.damping = 0.001;
    return soft;
}

static pliant_result add_piece(contact_stage* s, const contact_scene* from, bool quick, int number)
{
    piece p = piece_of(from, number);
    const char* usual = quick ? from->quick_words : from->words;
    pliant_mesh* mesh = NULL;
    pliant_soft_def soft = material_of(from);
    pliant_body_def def = pliant_body_defaults();
    for (int k = 0; k < 3; ++k) def.position[k] = p.position[k];
    def.rotation = p.rotation;
    def.contact.self = true;
    def.contact.thickness = (float)from->thickness;
    pliant_result result = pliant_mesh_generate(p.words ? p.words : usual, &mesh);
    if (!result) result = pliant_world_add_soft(s->world, mesh, &soft, &def, &s->body[s->count]);
    if (!result) ++s->count;
    if (mesh) pliant_mesh_destroy(mesh);
    return result;
}

static pliant_result add_ball(contact_stage* s)
{
    pliant_collider_def ball = pliant_collider_defaults();
    ball.shape = PLIANT_SHAPE_SPHERE;
    ball.radius = 0.25f;
    ball.position[1] = -0.7;
    ball.velocity.y = 20;
    return pliant_world_add_collider(s->world, &ball, &s->ball);
}

static pliant_result fill(contact_stage* s, const contact_scene* from, bool quick, int bodies)
{
    pliant_collider_def ground = pliant_collider_defaults();
    if (from->ball_stops > 0) ground.position[1] = -1;
    pliant_result result = pliant_world_add_collider(s->world, &ground, NULL);
    if (!result && from->ball_stops > 0) result = add_ball(s);
    for (int i = 0; i < bodies && !result; ++i) result = add_piece(s, from, quick, i);
    return result;
}

static pliant_result open_pieces(const contact_scene* from, const contact_choice* choice,
                                 contact_stage* out)
{
    int bodies = choice->quick ? from->quick_bodies : from->bodies;
    pliant_world_def def = pliant_world_defaults();
    def.substeps = from->substeps;
    def.contacts = choice->contacts;
    def.contact_guard = choice->guard;
    def.backend = choice->backend;
    out->body = (pliant_body_id*)mem_array((size_t)bodies, sizeof *out->body);
    if (!out->body) return PLIANT_ERROR_MEMORY;
    pliant_result result = pliant_world_create(&def, &out->world);
    return result ? result : fill(out, from, choice->quick, bodies);
}

// ---- scenes of the program ----------------------------------------------------------------------

// A file of the folder, 0.9 m high, or what stands in for it.
static void add_mesh_change(const contact_scene* from, const contact_choice* choice, sink* out)
{
    const char* word = choice->quick ? "blob:0.35:6:3" : from->stand_in;
    bool there = choice->meshes && !choice->quick;
    if (!from->file) return;
    if (there)
        sink_print(out, "bodies.0.mesh=%s/%s;", choice->meshes, from->file);
    else
        sink_print(out, "bodies.0.mesh=%s;", word);
}

static void list_changes(const contact_scene* from, const contact_choice* choice, sink* out)
{
    sink_print(out, "contacts=%s;", choice->contacts ? "true" : "false");
    sink_print(out, "contact_guard=%s;", choice->guard ? "true" : "false");
    if (from->changes) sink_print(out, "%s;", from->changes);
    if (choice->quick && from->quick_changes) sink_print(out, "%s;", from->quick_changes);
    add_mesh_change(from, choice, out);
    sink_bytes(out, "", 1);
}

static pliant_result read_text(const char* text, const char* changes, scene** out)
{
    sink changed = {0};
    pliant_result result = scene_change(text, strlen(text), "bench", changes, &changed);
    if (!result) result = scene_parse(changed.data, changed.bytes, "bench", out);
    sink_release(&changed);
    return result;
}

static pliant_result open_staged(const contact_scene* from, const contact_choice* choice,
                                 contact_stage* out)
{
    sink changes = {0};
    const stage_options options = {-1, -1, -1, -1, (int)choice->backend, load_mesh, NULL};
    list_changes(from, choice, &changes);
    pliant_result result = changes.failed ? PLIANT_ERROR_MEMORY : PLIANT_OK;
    const char* words = (const char*)changes.data;
    if (!result)
        result = from->scene[0] == '{' ? read_text(from->scene, words, &out->scene)
                                       : open_scene(from->scene, 0, words, &out->scene);
    sink_release(&changes);
    if (!result) result = stage_create(out->scene, &options, &out->stage);
    if (result) return result;
    out->world = out->stage.world;
    out->count = out->stage.body_count;
    out->body = (pliant_body_id*)mem_array((size_t)out->count, sizeof *out->body);
    for (int i = 0; out->body && i < out->count; ++i) out->body[i] = out->stage.bodies[i].id;
    return out->body ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

// ---- both ---------------------------------------------------------------------------------------

pliant_result contact_stage_open(const contact_scene* from, const contact_choice* choice,
                                 contact_stage* out)
{
    *out = (contact_stage){.world = NULL};
    return from->scene ? open_staged(from, choice, out) : open_pieces(from, choice, out);
}

void contact_stage_close(contact_stage* s)
{
    if (s->scene)
        stage_destroy(&s->stage);
    else if (s->world)
        pliant_world_destroy(s->world);
    scene_destroy(s->scene);
    mem_free(s->body);
    *s = (contact_stage){.world = NULL};
}

static pliant_result step_pieces(const contact_scene* from, contact_stage* s)
{
    pliant_result result = PLIANT_OK;
    const pliant_vec3 still = {0, 0, 0};
    double half = 0.5 * (double)contact_dt;
    if (from->ball_stops > 0 && pliant_world_time(s->world) > from->ball_stops - half)
        result = pliant_collider_set_velocity(s->world, s->ball, still, still);
    return result ? result : pliant_world_step(s->world, contact_dt);
}

pliant_result contact_stage_step(const contact_scene* from, contact_stage* s)
{
    pliant_result result = PLIANT_OK;
    if (s->scene) {
        double dt = s->scene->dt;
        result = stage_drive(&s->stage, (double)pliant_world_step_count(s->world) * dt, dt);
        if (!result) result = pliant_world_step(s->world, (float)dt);
    } else {
        result = step_pieces(from, s);
    }
    return result ? result : pliant_world_wait(s->world);
}
