// pliant surface: files, folders, what it refuses.
#define _POSIX_C_SOURCE 200809L
#include "folder.h"
#include "meshes.h"
#include "program.h"

static const char* with(const char* format)
{
    static char text[4][1024];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(text[turn], sizeof text[turn], format, folder, folder, folder);
    return text[turn];
}

static void a_file_of_particles_becomes_a_closed_surface(void** unused)
{
    (void)unused;
    pliant_mesh* mesh = NULL;
    check_status(with("mesh sphere:0.5:6 --fill 0.1 -o %s/ball.ply"), 0);
    json_t* said = run_json(with("surface %s/ball.ply -o %s/skin.obj --cell 0.03 --json"));
    CHECK_OK(pliant_mesh_load(with("%s/skin.obj"), &mesh));
    pliant_mesh_arrays m = pliant_mesh_view(mesh);
    pliant_mesh_quality q = measure(mesh);
    assert_int_equal(q.boundary_edges + q.nonmanifold_edges, 0);
    assert_int_equal(q.components, 1);
    assert_int_equal(json_int_at(said, "triangles"), m.triangle_count);
    CHECK_CLOSE(json_number_value(json_object_get(said, "volume")), q.volume, 1e-6);
    CHECK_CLOSE(json_number_value(json_object_get(said, "radius")), 0.05, 1e-9);
    json_decref(said);
    pliant_mesh_destroy(mesh);
}

static void a_folder_of_frames_becomes_a_folder_of_surfaces(void** unused)
{
    (void)unused;
    pliant_mesh* mesh = NULL;
    check_status(with("run sand --frames 2 --out %s/sand --quiet"), 0);
    check_status(with("surface %s/sand -o %s/seen --format vtu --radius 0.05"), 0);
    CHECK_OK(pliant_mesh_load(with("%s/seen/frame_00002.vtu"), &mesh));
    assert_int_equal(measure_last(mesh).boundary_edges, 0);
}

static void what_makes_no_sense_is_refused(void** unused)
{
    (void)unused;
    check_status(with("mesh sphere:0.5:6 --fill 0.1 -o %s/a.ply"), 0);
    check_complaint("surface", 2, "IN");
    check_complaint(with("surface %s/a.ply -o %s/a.png"), 2, ".ply");
    check_complaint(with("surface %s/a.ply --format obj"), 2, "for a folder");
    check_complaint(with("surface %s/a.ply --cell 7"), 1, "too large");
    check_complaint(with("surface %s/a.ply --radius 0"), 2, "--radius");
    check_complaint(with("surface %s/none.ply"), 1, "none.ply");
    check_complaint("surface sphere:1:4", 1, "loose particles");
    check_complaint("surface sphere:1:4", 1, "sphere:1:4: it has");
    check_status(with("mesh sphere:0.5:6 --fill 0.1 -o %s/b.obj"), 0);
    check_complaint(with("surface %s/b.obj"), 1, "no radii");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_of_particles_becomes_a_closed_surface),
        cmocka_unit_test(a_folder_of_frames_becomes_a_folder_of_surfaces),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
