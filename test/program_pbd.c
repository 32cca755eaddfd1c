// The scenes of the 2013 and 2015 papers: exactly as many particles and constraints as they state.
#include "asset/asset.h"
#include "bench/pbd_scenes.h"
#include "check.h"

static void check_count(const pbd_scene* s, const char* what, double wanted, double got)
{
    if (!isnan(wanted) && wanted != got)
        fail_msg("%s: %.0f %s, not %.0f", s->name, got, what, wanted);
}

static void check_scene(const pbd_scene* s)
{
    pliant_mesh* mesh = NULL;
    pliant_asset* asset = NULL;
    pliant_soft_def def = pbd_scene_soft(s, PLIANT_SCHEDULE_SERIAL);
    int bodies = s->across[0] * s->across[1];
    assert_int_equal(pbd_scene_mesh(s, NULL, false, &mesh), PLIANT_OK);
    assert_int_equal(pliant_asset_create(mesh, &def, &asset), PLIANT_OK);
    check_count(s, "particles", s->ours.particles, (double)bodies * asset->mesh->vertex_count);
    check_count(s, "edges", s->ours.stretch, (double)bodies * asset->parts[PART_EDGE].count);
    check_count(s, "hinges", s->ours.bend, (double)bodies * asset->parts[PART_HINGE].count);
    check_count(s, "tets", s->ours.tets, (double)bodies * asset->parts[PART_TET].count);
    pliant_asset_destroy(asset);
    pliant_mesh_destroy(mesh);
}

static void generated_scenes_have_the_counts_that_they_state(void** unused)
{
    (void)unused;
    int generated = 0;
    for (int i = 0; i < PBD_SCENES; ++i) {
        if (pbd_scenes[i].is_file) continue;
        check_scene(&pbd_scenes[i]);
        ++generated;
    }
    assert_int_equal(generated, 6);
}

static void bodies_as_one_mesh_are_as_many_as_apart(void** unused)
{
    (void)unused;
    const pbd_scene* tori = pbd_scene_named("tori");
    pliant_mesh *one = NULL, *all = NULL;
    pliant_mesh_quality quality;
    assert_int_equal(pbd_scene_mesh(tori, NULL, false, &one), PLIANT_OK);
    assert_int_equal(pbd_scene_mesh(tori, NULL, true, &all), PLIANT_OK);
    assert_int_equal(pliant_mesh_view(all).vertex_count, 87400);
    assert_int_equal(pliant_mesh_view(all).tet_count, 100 * pliant_mesh_view(one).tet_count);
    assert_int_equal(pliant_mesh_measure(all, &quality), PLIANT_OK);
    assert_int_equal(quality.components, 100);
    pliant_mesh_destroy(one);
    pliant_mesh_destroy(all);
}

// What the papers say in thousands, cut off.
static void cloth_and_sheet_have_the_papers_counts(void** unused)
{
    (void)unused;
    const pbd_scene *cloth = pbd_scene_named("cloth"), *flat_sheet = pbd_scene_named("sheet");
    CHECK_CLOSE(floor(cloth->ours.stretch / 1e3), cloth->theirs.stretch / 1e3, 1e-12);
    CHECK_CLOSE(floor(cloth->ours.bend / 1e3), cloth->theirs.bend / 1e3, 1e-12);
    CHECK_CLOSE(flat_sheet->ours.stretch, flat_sheet->theirs.stretch, 1e-12);
}

static void files_of_scenes_are_found_or_left_out(void** unused)
{
    (void)unused;
    const pbd_scene *bunny = pbd_scene_named("bunny"), *fat = pbd_scene_named("fat");
    pliant_mesh* mesh = NULL;
    assert_int_equal(pbd_scene_mesh(bunny, "/nowhere", true, &mesh), PLIANT_OK);
    assert_null(mesh);
    assert_int_equal(pbd_scene_mesh(fat, SHARED_MESHES, true, &mesh), PLIANT_OK);
    if (!mesh) {
        print_message("no " SHARED_MESHES ": left out\n");
        skip();
    }
    CHECK_BETWEEN(pliant_mesh_view(mesh).tet_count, 62e3, 66e3);
    pliant_mesh_destroy(mesh);
}

// What falls comes to rest on the ground or the tube, and what is flat rises again.
static void scenes_fall_and_rise(void** unused)
{
    (void)unused;
    pbd_scene cube = *pbd_scene_named("cube");
    pliant_mesh* mesh = NULL;
    pliant_asset* asset = NULL;
    pliant_soft_def def = pbd_scene_soft(&cube, PLIANT_SCHEDULE_PATCHED);
    cube.height = 0.2;
    assert_int_equal(pliant_mesh_generate("beam:4x4x4:0.1", &mesh), PLIANT_OK);
    assert_int_equal(pliant_asset_create(mesh, &def, &asset), PLIANT_OK);
    for (int flat = 0; flat < 2; ++flat) {
        cube.flat = flat ? 0.1 : 1;
        pbd_run run = {.mesh = mesh, .asset = asset, .substeps = 1, .iterations = 8, .threads = 1};
        pliant_world* world = pbd_scene_open(&cube, &run);
        assert_non_null(world);
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < 60; ++i) assert_int_equal(pliant_world_step(world, pbd_dt), PLIANT_OK);
        pliant_body_id body;
        pliant_vec3 x[125];
        assert_int_equal(pliant_world_bodies(world, &body, 1), 1);
        int count = pliant_body_particle_count(world, body);
        CHECK_BETWEEN(count, 1, 125);
        CHECK_OK(pliant_body_read_positions(world, body, x, 125));
        for (int i = 0; i < count; ++i) {
            low = fmin(low, (double)x[i].y);
            high = fmax(high, (double)x[i].y);
        }
        CHECK_BETWEEN(low, -0.01, flat ? 2 : 0.05); // it jumps
        CHECK_BETWEEN(high - low, 0.3, 0.7);        // it may have turned
        pliant_world_destroy(world);
    }
    pliant_asset_destroy(asset);
    pliant_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generated_scenes_have_the_counts_that_they_state),
        cmocka_unit_test(bodies_as_one_mesh_are_as_many_as_apart),
        cmocka_unit_test(cloth_and_sheet_have_the_papers_counts),
        usual_test(files_of_scenes_are_found_or_left_out),
        cmocka_unit_test(scenes_fall_and_rise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
