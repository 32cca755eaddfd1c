#include "bench/contact_scenes.h"
#include "base/memory.h"
#include <math.h>

const float contact_dt = 1.0f / 60;

// Stacks of softer boxes would buckle under their own weight.
const contact_scene contact_scenes[CONTACT_SCENES] = {
    {"tori", "torus:0.2:0.07:2", "torus:0.2:0.07:2", 27, 2, 20, 90, 0, 2e5, 0.006},
    {"stack", "box6:3x3x3:0.07", "box6:2x2x2:0.105", 10, 2, 20, 120, 0, 1e7, 0.006},
    {"sheets", "cloth:25x25:1x1", "cloth:12x12:1x1", 5, 2, 40, 60, 0.05, 1e6, 0.006},
    {"rope", "rope:2:100", "rope:2:40", 2, 2, 40, 120, 0, 1e6, 0.02},
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

static piece piece_of(const contact_scene* scene, int number)
{
    switch (scene - contact_scenes) {
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

static pliant_soft_def material_of(const contact_scene* scene)
{
    pliant_soft_def soft = pliant_soft_defaults();
    soft.material.young = scene->young;
    soft.material.damping = 0.002;
    soft.rope.radius = 0.01;
    soft.cloth.density = 0.2;
    soft.cloth.stretch = 300;
    soft.cloth.bending = 1e-5;
    soft.cloth.damping = 0.001;
    return soft;
}

static pliant_result add_piece(contact_stage* s, const contact_scene* scene, bool quick, int number)
{
    piece p = piece_of(scene, number);
    const char* usual = quick ? scene->quick_words : scene->words;
    pliant_mesh* mesh = NULL;
    pliant_soft_def soft = material_of(scene);
    pliant_body_def def = pliant_body_defaults();
    for (int k = 0; k < 3; ++k) def.position[k] = p.position[k];
    def.rotation = p.rotation;
    def.contact.self = true;
    def.contact.thickness = (float)scene->thickness;
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

static pliant_result fill(contact_stage* s, const contact_scene* scene, bool quick, int bodies)
{
    pliant_collider_def ground = pliant_collider_defaults();
    if (scene->ball_stops > 0) ground.position[1] = -1;
    pliant_result result = pliant_world_add_collider(s->world, &ground, NULL);
    if (!result && scene->ball_stops > 0) result = add_ball(s);
    for (int i = 0; i < bodies && !result; ++i) result = add_piece(s, scene, quick, i);
    return result;
}

pliant_result contact_stage_open(const contact_scene* scene, bool quick, bool contacts,
                                 contact_stage* out)
{
    int bodies = quick ? scene->quick_bodies : scene->bodies;
    *out = (contact_stage){.world = NULL};
    pliant_world_def def = pliant_world_defaults();
    def.substeps = scene->substeps;
    def.contacts = contacts;
    def.backend = PLIANT_BACKEND_CPU;
    out->body = (pliant_body_id*)mem_array((size_t)bodies, sizeof *out->body);
    if (!out->body) return PLIANT_ERROR_MEMORY;
    pliant_result result = pliant_world_create(&def, &out->world);
    return result ? result : fill(out, scene, quick, bodies);
}

void contact_stage_close(contact_stage* s)
{
    if (s->world) pliant_world_destroy(s->world);
    mem_free(s->body);
    *s = (contact_stage){.world = NULL};
}

pliant_result contact_stage_step(const contact_scene* scene, contact_stage* s)
{
    pliant_result result = PLIANT_OK;
    const pliant_vec3 still = {0, 0, 0};
    double half = 0.5 * (double)contact_dt;
    if (scene->ball_stops > 0 && pliant_world_time(s->world) > scene->ball_stops - half)
        result = pliant_collider_set_velocity(s->world, s->ball, still, still);
    return result ? result : pliant_world_step(s->world, contact_dt);
}
