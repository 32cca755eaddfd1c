// write FOLDER: runs a small scene, writes it in all formats, and beside them what the library says
// about the same frames (truth.json), for readers that are not our own.
#include "export/output.h"
#include "load.h"
#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum { FRAMES = 4, EVERY = 2 };

// Tets with two materials, cloth, a rope, and a ring that carries a finer one with texture
// coordinates; all fall, and the beam touches the ground.
static const char text[] =
    "{\"dt\": 0.02, \"substeps\": 8, \"bodies\": ["
    "{\"mesh\": \"beam:4x2x2\", \"position\": [0.2, 0.001, -0.4], \"velocity\": [0, 0, 1], "
    "\"parts\": "
    "[{\"box\": {\"min\": [0.2, -9, -9], \"max\": [9, 9, 9]}, \"material\": {\"young\": 5e5}}], "
    "\"angular_velocity\": [0, 3, 5]},"
    "{\"mesh\": \"cloth:4x3\", \"position\": [1, 1, 0], \"angular_velocity\": [2, 0, 0]},"
    "{\"mesh\": \"rope:1:6\", \"position\": [-1, 1, 0.5]},"
    "{\"mesh\": \"torus:0.5:0.2:3\", \"visual\": \"ring.obj\", \"position\": [0, 1, 3]}],"
    "\"colliders\": [{\"friction\": 0.5}]}";

typedef struct {
    scene* scene;
    stage stage;
    frame frame;
    output output;
    json_t* truth;
} example;

static json_t* numbers(const double* value, size_t count)
{
    json_t* list = json_array();
    for (size_t i = 0; i < count; ++i) json_array_append_new(list, json_real(value[i]));
    return list;
}

static json_t* singles(const pliant_vec3* value, int count)
{
    json_t* list = json_array();
    for (int i = 0; i < count; ++i) {
        json_array_append_new(list, json_real((double)value[i].x));
        json_array_append_new(list, json_real((double)value[i].y));
        json_array_append_new(list, json_real((double)value[i].z));
    }
    return list;
}

static json_t* integers(const int* value, int64_t count)
{
    json_t* list = json_array();
    for (int64_t i = 0; i < count; ++i) json_array_append_new(list, json_integer(value[i]));
    return list;
}

// ---- a surface with texture coordinates ---------------------------------------------------------

static pliant_result write_ring(const char* path)
{
    pliant_mesh *mesh = NULL, *surface = NULL;
    FILE* file = NULL;
    pliant_result result = pliant_mesh_generate("torus:0.5:0.2:5", &mesh);
    if (!result) result = pliant_mesh_boundary(mesh, &surface, NULL);
    if (!result && !(file = fopen(path, "w"))) result = PLIANT_ERROR_FILE;
    if (!result) {
        pliant_mesh_arrays m = pliant_mesh_view(surface);
        for (int i = 0; i < m.vertex_count; ++i) {
            const double* x = m.vertices + 3 * (size_t)i;
            fprintf(file, "v %.9g %.9g %.9g\nvt %.9g %.9g\n", x[0], x[1], x[2], 0.5 + x[0] / 2,
                    0.5 + x[2] / 2);
        }
        for (int i = 0; i < m.triangle_count; ++i) {
            const int* t = m.triangles + 3 * (size_t)i;
            fprintf(file, "f %d/%d %d/%d %d/%d\n", t[0] + 1, t[0] + 1, t[1] + 1, t[1] + 1, t[2] + 1,
                    t[2] + 1);
        }
    }
    if (file) fclose(file);
    pliant_mesh_destroy(surface);
    pliant_mesh_destroy(mesh);
    return result;
}

// ---- what the library says ----------------------------------------------------------------------

// Positions of what is seen: the skin's, or those of the body's particles.
static json_t* seen_of(const example* e, int number, const double* particles)
{
    const shown_body* b = &e->frame.shown[number];
    if (b->skin) return singles(pliant_skin_positions(b->skin), b->face->point_count);
    json_t* list = json_array();
    for (int i = 0; i < b->face->point_count; ++i)
        for (int k = 0; k < 3; ++k)
            json_array_append_new(list, json_real(particles[3 * b->face->particle[i] + k]));
    return list;
}

static json_t* body_of(const example* e, int number)
{
    const pliant_world* world = e->stage.world;
    pliant_body_id id = e->stage.bodies[number].id;
    int count = pliant_body_particle_count(world, id);
    double* x = (double*)mem_array(3 * (size_t)count, sizeof *x);
    pliant_vec3* v = (pliant_vec3*)mem_array((size_t)count, sizeof *v);
    json_t* body = json_object();
    if (x && v) {
        pliant_body_read_positions_exact(world, id, x, count);
        json_object_set_new(body, "particles", numbers(x, 3 * (size_t)count));
        pliant_body_read_velocities(world, id, v, count);
        json_object_set_new(body, "velocity", singles(v, count));
        pliant_body_read_contact_forces(world, id, v, count);
        json_object_set_new(body, "contact_force", singles(v, count));
        json_object_set_new(body, "seen", seen_of(e, number, x));
    }
    mem_free(x);
    mem_free(v);
    return body;
}

static void note_frame(const example* e, int number)
{
    json_t* bodies = json_array();
    for (int i = 0; i < e->stage.body_count; ++i) json_array_append_new(bodies, body_of(e, i));
    json_array_append_new(
        json_object_get(e->truth, "frames"),
        json_pack("{si sf so}", "number", number, "time", number * e->scene->dt, "bodies", bodies));
}

static void note_constants(const example* e)
{
    const frame* f = &e->frame;
    json_t *triangles = json_array(), *mu = json_array();
    for (int i = 0; i < f->shown_count; ++i) {
        const visual* look = f->shown[i].face->look;
        json_t* list = json_array();
        for (int k = 0; look && k < 3 * look->triangle_count; ++k)
            json_array_append_new(list, json_integer(look->vertex_point[look->triangle[k]]));
        json_array_append_new(triangles, list);
    }
    for (int i = 0; i < f->tet_count; ++i)
        json_array_append_new(mu, json_real((double)f->shear_modulus[i]));
    json_object_set_new(e->truth, "triangles", triangles);
    json_object_set_new(e->truth, "shear_modulus", mu);
    json_object_set_new(e->truth, "tets", integers(f->tets, 4 * (int64_t)f->tet_count));
    json_object_set_new(e->truth, "color", integers(f->color, f->tet_count));
    json_object_set_new(e->truth, "patch", integers(f->patch, f->tet_count));
}

// ---- the run ------------------------------------------------------------------------------------

static pliant_result open_example(example* e, const char* folder)
{
    char path[PATH_BYTES];
    const stage_options options = {1, -1, -1, -1, -1, load_mesh, load_bytes};
    output_plan plan;
    pliant_result result = path_join(folder, "ring.obj", path);
    if (!result) result = path_make_folder(path);
    if (!result) result = write_ring(path);
    if (!result) result = path_join(folder, "scene.json", path);
    if (!result) result = scene_parse(text, strlen(text), path, &e->scene);
    if (!result) result = stage_create(e->scene, &options, &e->stage);
    if (!result) result = frame_create(&e->stage, &e->frame);
    if (!result)
        result = output_plan_read(folder, "vtu,obj,ply,glb,gltf,pc2,mdd,usda", EVERY, &plan);
    if (!result) result = output_place(&e->output, &plan);
    return result ? result : output_open(&e->output, &e->stage, &e->frame, 0);
}

static pliant_result run(example* e)
{
    pliant_result result = PLIANT_OK;
    e->truth = json_pack("{sf si s[]}", "dt", e->scene->dt, "every", EVERY, "frames");
    note_constants(e);
    for (int i = 0; i < EVERY * FRAMES && !result; ++i) {
        if (i) result = pliant_world_step(e->stage.world, (float)e->scene->dt);
        if (!result && i % EVERY == 0) result = frame_update(&e->frame, &e->stage);
        if (!result) result = output_add(&e->output, i);
        if (!result && i % EVERY == 0) note_frame(e, i);
    }
    pliant_result closed = output_write(&e->output);
    output_close(&e->output, !closed);
    return result ? result : closed;
}

int main(int argc, char** argv)
{
    example e = {0};
    char path[PATH_BYTES];
    if (argc != 2) return 2;
    pliant_result result = open_example(&e, argv[1]);
    if (!result) result = run(&e);
    if (!result) result = path_join(argv[1], "truth.json", path);
    if (result) fprintf(stderr, "write: %s\n", pliant_error_text());
    if (!result && json_dump_file(e.truth, path, JSON_REAL_PRECISION(17)))
        result = PLIANT_ERROR_FILE;
    json_decref(e.truth);
    frame_destroy(&e.frame);
    if (e.scene) stage_destroy(&e.stage);
    scene_destroy(e.scene);
    return result ? 1 : 0;
}
