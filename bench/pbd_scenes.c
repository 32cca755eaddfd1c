#include "bench/pbd_scenes.h"
#include "asset/asset.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/platform.h"
#include "bench/files.h"
#include "load.h"
#include "options.h"
#include "system/folder.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

const float pbd_dt = 1.0f / 60;

#define NONE ((double)NAN)
#define AS_FILE                                                                                    \
    {                                                                                              \
        NONE, NONE, NONE, NONE                                                                     \
    }
#define TORUS "torus:1:0.275:4"

// The papers cut their counts off at thousands: a square of 100 x 100 particles has 29 601 edges,
// "29K". Their torus has 9 particles in 10 on its surface; ours has a few more tets and fewer
// edges.
const pbd_scene pbd_scenes[PBD_SCENES] = {
    {"cloth",
     "2013 s0",
     "cloth:99x99:4x4",
     0,
     false,
     {1, 1},
     1.2,
     1,
     true,
     {10000, 29601, 29205, NONE},
     {10e3, 29e3, 29e3, NONE},
     {8, 18, 0}},
    {"bunny",
     "2013 s1",
     "bunny",
     0,
     true,
     {1, 1},
     0,
     0.1,
     false,
     AS_FILE,
     {16e3, 80e3, 42e3, 50e3},
     {64, 20, 124}},
    {"tori",
     "2013 s2, 2015",
     TORUS,
     0,
     false,
     {10, 10},
     1,
     1,
     false,
     {87400, 473800, NONE, 331200},
     {91e3, 493e3, NONE, 313e3},
     {17, 0, 26}},
    {"tori400",
     "2013 s2 four times",
     TORUS,
     0,
     false,
     {20, 20},
     1,
     1,
     false,
     {349600, 1895200, NONE, 1324800},
     AS_FILE,
     {0, 0, 0}},
    {"cube",
     "2013 figure 4",
     "beam:13x13x13:0.1",
     0,
     false,
     {1, 1},
     1,
     1,
     false,
     {2744, 14742, NONE, 10985},
     AS_FILE,
     {0, 0, 0}},
    {"squishy",
     "2015 squishy ball",
     "squishy_ball",
     250000,
     true,
     {1, 1},
     0.5,
     1,
     false,
     AS_FILE,
     {NONE, 452e3, NONE, 250e3},
     {0, 0, 0}},
    {"fat",
     "2015 omotondo",
     "blub_fish",
     63000,
     true,
     {1, 1},
     0,
     0.1,
     false,
     AS_FILE,
     {NONE, 80e3, NONE, 65e3},
     {0, 0, 0}},
    {"torus",
     "2015 big torus",
     "torus:1:0.468:12",
     0,
     false,
     {1, 1},
     1,
     1,
     false,
     {10287, 65691, NONE, 52488},
     {NONE, NONE, NONE, 52e3},
     {0, 0, 0}},
    {"sheet",
     "2015 figure 10",
     "cloth:19x19",
     0,
     false,
     {1, 1},
     1,
     1,
     false,
     {400, 1121, NONE, NONE},
     {400, 1121, NONE, NONE},
     {0, 0, 0}},
};

const pbd_scene* pbd_scene_named(const char* name)
{
    for (int i = 0; i < PBD_SCENES; ++i)
        if (strcmp(name, pbd_scenes[i].name) == 0) return &pbd_scenes[i];
    return NULL;
}

// ---- meshes -------------------------------------------------------------------------------------

static bool find_file(const char* folder, const char* name, bool surface, char out[4096])
{
    static const char* const inside[2][2] = {{"", "tets/"}, {"", "surfaces/"}};
    static const char* const ending[2][2] = {{".mesh.gz", ".mesh"}, {".obj.gz", ".obj"}};
    for (int i = 0; folder && i < 4; ++i) {
        snprintf(out, 4096, "%s/%s%s%s", folder, inside[surface][i / 2], name,
                 ending[surface][i % 2]);
        if (file_exists(out)) return true;
    }
    return false;
}

static pliant_result fill(pliant_mesh** mesh, int tets)
{
    pliant_tet_def def = pliant_tet_defaults();
    pliant_mesh* filled = NULL;
    def.tets = tets;
    pliant_result result = pliant_mesh_tetrahedralize(*mesh, &def, &filled, NULL);
    pliant_mesh_destroy(*mesh);
    *mesh = filled;
    return result;
}

static pliant_result load_file(const pbd_scene* s, const char* folder, pliant_mesh** out)
{
    char file[4096];
    trial body = {0};
    if (!find_file(folder, s->mesh, s->fill > 0, file)) {
        fprintf(stderr, "%s: no file %s.%s, left out (--meshes DIR)\n", s->name, s->mesh,
                s->fill ? "obj" : "mesh");
        return PLIANT_OK;
    }
    if (!s->fill) return load_body(file, out, &body);
    pliant_result result = load_mesh(file, out);
    if (!result) result = fill(out, s->fill);
    return result ? result : mesh_scale_to(*out, 2);
}

static int body_count(const pbd_scene* s) { return s->across[0] * s->across[1]; }

// Where a body of the scene stands, from the first one [m].
static void place_at(const pbd_scene* s, int number, double out[3])
{
    const double spacing = 3;
    out[0] = spacing * (number % s->across[0]);
    out[1] = 0;
    out[2] = spacing * (number / s->across[0]);
}

// All bodies of a scene of tets as one mesh.
static pliant_result join(const pbd_scene* s, pliant_mesh** mesh)
{
    pliant_mesh_arrays one = pliant_mesh_view(*mesh), all = one;
    int count = body_count(s);
    all.vertex_count *= count;
    all.tet_count *= count;
    all.tet_cell = all.tet_region = NULL;
    double* vertex = (double*)mem_array((size_t)all.vertex_count, sizeof(double[3]));
    int* tet = (int*)mem_array((size_t)all.tet_count, sizeof(int[4]));
    pliant_mesh* joined = NULL;
    for (int b = 0; vertex && tet && b < count; ++b) {
        double offset[3];
        place_at(s, b, offset);
        size_t corners = 4 * (size_t)one.tet_count, values = 3 * (size_t)one.vertex_count;
        for (size_t i = 0; i < values; ++i)
            vertex[(size_t)b * values + i] = one.vertices[i] + offset[i % 3];
        for (size_t i = 0; i < corners; ++i)
            tet[(size_t)b * corners + i] = one.tets[i] + b * one.vertex_count;
    }
    all.vertices = vertex;
    all.tets = tet;
    pliant_result result = vertex && tet ? pliant_mesh_create(&all, &joined) : PLIANT_ERROR_MEMORY;
    mem_free(vertex);
    mem_free(tet);
    pliant_mesh_destroy(*mesh);
    *mesh = joined;
    return result;
}

pliant_result pbd_scene_mesh(const pbd_scene* s, const char* folder, bool all, pliant_mesh** out)
{
    *out = NULL;
    pliant_result result =
        s->is_file ? load_file(s, folder, out) : pliant_mesh_generate(s->mesh, out);
    if (!result && *out && all && body_count(s) > 1) result = join(s, out);
    return result;
}

// ---- bodies -------------------------------------------------------------------------------------

pliant_soft_def pbd_scene_soft(const pbd_scene* s, pliant_schedule schedule)
{
    pliant_soft_def def = pliant_soft_defaults();
    def.solver.schedule = schedule;
    def.solver.formulation = PLIANT_FORMULATION_EDGES_AND_VOLUME;
    def.research.stiffness_mode = PLIANT_STIFFNESS_MODE_CLASSIC;
    def.solver.integrator = PLIANT_INTEGRATOR_IMPLICIT_EULER;
    def.cloth.bending_by = PLIANT_BENDING_ANGLE;
    def.research.boundary.bending_by = PLIANT_BENDING_ANGLE;
    def.cloth.bending = def.research.boundary.bending =
        isnan(s->theirs.bend) ? 0 : 1; // whether at all
    def.research.stiffness.bending = 0.1;
    if (s->tube) def.radius = 0.01;
    return def;
}

static double lowest(const pliant_mesh_arrays* a)
{
    double low = INFINITY;
    for (int v = 0; v < a->vertex_count; ++v) low = fmin(low, a->vertices[3 * (ptrdiff_t)v + 1]);
    return low;
}

static bool flatten(pliant_world* world, pliant_body_id body, double factor)
{
    int count = pliant_body_particle_count(world, body);
    double* x = (double*)mem_array((size_t)count, sizeof(double[3]));
    bool good = x && pliant_body_read_positions_exact(world, body, x, count) == PLIANT_OK;
    for (int i = 0; i < count && good; ++i) x[3 * i + 1] *= factor;
    good = good && pliant_body_write_positions_exact(world, body, x, count) == PLIANT_OK;
    mem_free(x);
    return good;
}

static bool add_bodies(pliant_world* world, const pbd_scene* s, const pbd_run* run)
{
    pliant_mesh_arrays a = pliant_mesh_view(run->mesh);
    double low = lowest(&a);
    for (int i = 0; i < (run->apart ? body_count(s) : 1); ++i) {
        pliant_body_def place = pliant_body_defaults();
        place_at(s, i, place.position);
        place.position[1] = s->height - low;
        pliant_body_id body;
        if (pliant_world_add_body(world, run->asset, &place, &body)) return false;
        if (s->flat < 1 && !flatten(world, body, s->flat)) return false;
    }
    return true;
}

static bool add_colliders(pliant_world* world, const pbd_scene* s)
{
    pliant_collider_def ground = pliant_collider_defaults(), tube = ground;
    tube.shape = PLIANT_SHAPE_CAPSULE;
    tube.radius = 0.4f;
    tube.half_height = 3;
    tube.position[1] = 0.75;
    tube.rotation = (pliant_quat){0.70710678f, 0, 0, 0.70710678f}; // along z
    return pliant_world_add_collider(world, &ground, NULL) == PLIANT_OK &&
           (!s->tube || pliant_world_add_collider(world, &tube, NULL) == PLIANT_OK);
}

pliant_world* pbd_scene_open(const pbd_scene* s, const pbd_run* run)
{
    pliant_world_def def = pliant_world_defaults();
    def.contacts = false; // as published
    pliant_world* world = NULL;
    def.substeps = run->substeps;
    def.iterations = run->iterations;
    def.threads = run->threads;
    def.lanes = run->lanes;
    def.backend = run->on_gpu ? PLIANT_BACKEND_CUDA : PLIANT_BACKEND_CPU;
    def.arithmetic = run->arithmetic;
    def.launch_mode = run->launch_mode;
    if (pliant_world_create(&def, &world)) return NULL;
    if (add_bodies(world, s, run) && add_colliders(world, s)) return world;
    pliant_world_destroy(world);
    return NULL;
}

// ---- frames -------------------------------------------------------------------------------------

// As src/cuda/step.c lists them: prediction and update, and of each iteration its colors, contacts,
// and where there are phantoms their spreading and gathering.
int pbd_launches(const pliant_asset* asset, int substeps, int iterations)
{
    const plan* p = &asset->plan;
    if (p->patched) return 1;
    return substeps * (2 + iterations * (p->color_count + (p->copies.phantom ? 3 : 1)));
}

// With one thread of the processor, its own time counts: other work on the machine does not.
static pliant_result run_frames(pliant_world* world, int frames, double* out_seconds)
{
    double start = platform_seconds(), own = (double)clock();
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < frames && !result; ++i) result = pliant_world_step(world, pbd_dt);
    if (!result) result = pliant_world_wait(world);
    *out_seconds = (platform_seconds() - start) / frames;
    bool alone = !pliant_world_device(world) && pliant_world_profile(world).threads == 1;
    if (alone) *out_seconds = ((double)clock() - own) / CLOCKS_PER_SEC / frames;
    return result;
}

pliant_result pbd_time(pliant_world* world, bool quick, double* out_seconds)
{
    const double long_enough = quick ? 0.01 : 0.05, most = quick ? 0.2 : 3; // [s]
    double seconds = 0, start = platform_seconds();
    *out_seconds = INFINITY;
    pliant_result result = run_frames(world, 2, &seconds);
    int turn = (int)fmax(1, fmin(200, ceil(long_enough / fmax(seconds, 1e-6))));
    for (int i = 0; i < 8 && !result; ++i) {
        result = run_frames(world, turn, &seconds);
        *out_seconds = fmin(*out_seconds, seconds);
        if (i >= 1 && platform_seconds() - start > most) break;
    }
    if (result != PLIANT_ERROR_DIVERGED) return result;
    *out_seconds = NAN;
    return PLIANT_OK;
}
