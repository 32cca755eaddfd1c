// Frames as files, progress as text.
#define _POSIX_C_SOURCE 200809L
#include "base/platform.h"
#include "export/output.h"
#include "folder.h"
#include "load.h"
#include "progress.h"
#include "render/png.h"

#include "failing.h"
#include "staged.h"

// A box, a rope, and a folder of their own.
static const char two_bodies[] =
    "{\"bodies\": [{\"mesh\": \"beam:2x2x2\"}, {\"mesh\": \"rope:3:5\"}], \"colliders\": [{}]}";

static int open_two(void** state)
{
    static staged f;
    const stage_options options = {1, -1, -1, -1, -1, load_mesh, NULL};
    assert_int_equal(make_folder(state), 0);
    f = open_staged(two_bodies, "two.json", options);
    *state = &f;
    return 0;
}

static int close_two(void** state)
{
    close_staged(*state);
    assert_int_equal(remove_folder(state), 0);
    assert_int_equal(pliant_allocated_bytes(), 0);
    return 0;
}

static char* read_text(const char* name)
{
    char path[256];
    void* data = NULL;
    size_t bytes;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    CHECK_OK(platform_read_file(path, &data, &bytes));
    return data;
}

static int count_of(const char* text, const char* part)
{
    int count = 0;
    while ((text = strstr(text, part)) != NULL) {
        ++count;
        ++text;
    }
    return count;
}

static unsigned formats_of(const char* list)
{
    output_plan plan;
    CHECK_OK(output_plan_read("folder", list, 1, &plan));
    return plan.series_formats;
}

static void write_frames(staged* f, const char* formats, int count)
{
    series s;
    CHECK_OK(series_open(&s, folder, formats_of(formats), 0.25));
    for (int i = 0; i < count; ++i) {
        CHECK_OK(pliant_world_step(f->stage.world, 0.01f));
        frame_update(&f->frame, &f->stage);
        CHECK_OK(series_add(&s, &f->frame, 2 * i));
    }
    CHECK_OK(series_close(&s));
}

// ---- files --------------------------------------------------------------------------------------

// Edges beside larger elements are in the file, but the reader of meshes leaves them out.
static void check_counts(const char* name, pliant_mesh_arrays expected)
{
    char path[256];
    pliant_mesh* mesh = NULL;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    CHECK_OK(pliant_mesh_load(path, &mesh));
    pliant_mesh_arrays found = pliant_mesh_view(mesh);
    assert_int_equal(found.vertex_count, expected.vertex_count);
    assert_int_equal(found.tet_count, expected.tet_count);
    assert_int_equal(found.triangle_count, expected.triangle_count);
    assert_memory_equal(found.vertices, expected.vertices,
                        3 * (size_t)found.vertex_count * sizeof(double));
    pliant_mesh_destroy(mesh);
}

static void a_vtu_frame_reads_back_with_all_bodies(void** state)
{
    staged* f = *state;
    write_frames(f, "vtu", 1);
    pliant_mesh_arrays all = frame_volume(&f->frame);
    assert_int_equal(all.vertex_count, 27 + 6);
    assert_int_equal(all.tet_count, 40);
    assert_int_equal(all.edge_count, 5);
    check_counts("frame_00000.vtu", all);
}

static void a_vtu_frame_has_its_fields_at_points_and_cells(void** state)
{
    staged* f = *state;
    write_frames(f, "vtu", 1);
    char* text = read_text("frame_00000.vtu");
    const char* points = strstr(text, "<PointData>");
    const char* cells = strstr(text, "<CellData>");
    assert_true(points && cells && points < cells);
    for (int i = 0; i < 3; ++i) {
        static const char* const name[] = {"\"velocity\"", "\"contact_force\"", "\"body\""};
        const char* at = strstr(points, name[i]);
        assert_true(at && at < cells);
    }
    assert_non_null(strstr(cells, "\"color\""));
    assert_int_equal(count_of(text, "<DataArray"), count_of(text, "</DataArray>"));
    pliant_release(text);
}

static void obj_and_ply_frames_hold_the_surface(void** state)
{
    staged* f = *state;
    write_frames(f, "obj,ply", 1);
    pliant_mesh_arrays surface = frame_surface(&f->frame);
    assert_int_equal(surface.triangle_count, 48);
    assert_int_equal(surface.vertex_count, 26 + 6);
    check_counts("frame_00000.obj", surface);
    char* text = read_text("frame_00000.obj");
    assert_int_equal(count_of(text, "\nl "), 5);
    pliant_release(text);
    check_counts("frame_00000.ply", surface);
}

static void the_pvd_lists_exactly_the_frames(void** state)
{
    staged* f = *state;
    write_frames(f, "vtu", 3);
    char* text = read_text("frames.pvd");
    assert_int_equal(count_of(text, "<DataSet "), 3);
    assert_non_null(strstr(text, "timestep=\"0\" part=\"0\" file=\"frame_00000.vtu\""));
    assert_non_null(strstr(text, "timestep=\"0.5\" part=\"0\" file=\"frame_00002.vtu\""));
    assert_non_null(strstr(text, "timestep=\"1\" part=\"0\" file=\"frame_00004.vtu\""));
    assert_non_null(strstr(text, "</Collection>\n</VTKFile>\n"));
    pliant_release(text);
}

static void the_pvd_is_whole_before_the_run_ends(void** state)
{
    staged* f = *state;
    series s;
    CHECK_OK(series_open(&s, folder, formats_of("vtu"), 1));
    for (int i = 0; i < 200; ++i) CHECK_OK(series_add(&s, &f->frame, i));
    char* text = read_text("frames.pvd");
    CHECK_BETWEEN(count_of(text, "<DataSet "), 190, 200);
    assert_non_null(strstr(text, "</Collection>\n</VTKFile>\n"));
    pliant_release(text);
    CHECK_OK(series_close(&s));
    text = read_text("frames.pvd");
    assert_int_equal(count_of(text, "<DataSet "), 200);
    pliant_release(text);
}

static pliant_result write_one_frame(const void* context)
{
    const staged* f = context;
    frame copy;
    series s;
    pliant_result result = frame_create(&f->stage, &copy);
    if (result) return result;
    result = series_open(&s, folder, formats_of("vtu,obj,ply"), 1);
    if (!result) result = series_add(&s, &copy, 0);
    pliant_result closed = series_close(&s);
    frame_destroy(&copy);
    return result ? result : closed;
}

static void frames_survive_every_failed_allocation(void** state)
{
    assert_true(check_every_failure(write_one_frame, *state) > 20);
}

static void only_known_formats_are_taken(void** state)
{
    (void)state;
    output_plan plan;
    CHECK_OK(output_plan_read("folder", "ply,vtu,glb", 1, &plan));
    assert_int_equal(plan.series_formats, formats_of("vtu") | formats_of("ply"));
    assert_int_equal(plan.film_formats, film_of_path("film.glb"));
    CHECK_OK(output_plan_read("film.glb", NULL, 1, &plan));
    assert_int_equal(plan.series_formats, 0);
    assert_int_equal(output_plan_read("folder", "vtu,stl", 1, &plan), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "'stl' is not a format of frames; use vtu, obj"));
    assert_int_equal(output_plan_read("folder", "", 1, &plan), PLIANT_ERROR_ARGUMENT);
}

static void a_folder_that_cannot_be_made_is_an_error(void** state)
{
    (void)state;
    series s;
    assert_int_equal(series_open(&s, "/dev/null/frames", 1, 1), PLIANT_ERROR_FILE);
    assert_non_null(strstr(pliant_error_text(), "/dev/null"));
}

// ---- compressed meshes --------------------------------------------------------------------------

static void shell(const char* format)
{
    char command[512];
    snprintf(command, sizeof command, format, folder, folder, folder);
    assert_int_equal(system(command), 0);
}

static void compressed_meshes_are_read(void** state)
{
    (void)state;
    char path[128];
    pliant_mesh *box = NULL, *read = NULL;
    CHECK_OK(load_mesh("beam:2x2x2", &box));
    snprintf(path, sizeof path, "%s/box.msh", folder);
    CHECK_OK(pliant_mesh_save(box, path));
    shell("gzip %s/box.msh");
    strcat(path, ".gz");
    pliant_result result = load_mesh(path, &read);
    if (result == PLIANT_ERROR_UNSUPPORTED) {
        pliant_mesh_destroy(box);
        print_message("built without zlib\n");
        skip();
    }
    CHECK_OK(result);
    assert_int_equal(pliant_mesh_view(read).tet_count, 40);
    pliant_mesh_destroy(read);
    pliant_mesh_destroy(box);
    shell("head -c 300 %s/box.msh.gz > %s/cut.msh.gz");
    snprintf(path, sizeof path, "%s/cut.msh.gz", folder);
    assert_int_equal(load_mesh(path, &read), PLIANT_ERROR_FORMAT);
    assert_non_null(strstr(pliant_error_text(), "cut.msh.gz: the compressed file is cut off"));
}

static void missing_files_are_named(void** state)
{
    (void)state;
    pliant_mesh* mesh = NULL;
    assert_int_equal(load_mesh("no/such.msh", &mesh), PLIANT_ERROR_FILE);
    assert_string_equal(pliant_error_text(),
                        "no/such.msh: cannot be opened: No such file or directory");
}

// ---- progress -----------------------------------------------------------------------------------

static void progress_tells_the_rate_and_the_time_left(void** state)
{
    (void)state;
    char text[200];
    progress_format("frames", 30, 120, 15, false, text, sizeof text);
    assert_string_equal(text, " 25 %  30 of 120 frames, 2 per second, 45 s left");
    progress_format("frames", 60, 120, 10, true, text, sizeof text);
    assert_string_equal(
        text, "[###############...............]  50 %  60 of 120 frames, 6 per second, 10 s left");
    progress_format("frames", 1, 101, 60, false, text, sizeof text);
    assert_non_null(strstr(text, "1 h 40 min left"));
    progress_format("frames", 0, 100, 0, false, text, sizeof text);
    assert_non_null(strstr(text, "? left"));
    progress_format("frames", 0, 0, 1, true, text, sizeof text);
    assert_non_null(strstr(text, "100 %"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_vtu_frame_reads_back_with_all_bodies, open_two,
                                        close_two),
        cmocka_unit_test_setup_teardown(a_vtu_frame_has_its_fields_at_points_and_cells, open_two,
                                        close_two),
        cmocka_unit_test_setup_teardown(obj_and_ply_frames_hold_the_surface, open_two, close_two),
        cmocka_unit_test_setup_teardown(the_pvd_lists_exactly_the_frames, open_two, close_two),
        cmocka_unit_test_setup_teardown(the_pvd_is_whole_before_the_run_ends, open_two, close_two),
        cmocka_unit_test_setup_teardown(frames_survive_every_failed_allocation, open_two,
                                        close_two),
        cmocka_unit_test(only_known_formats_are_taken),
        cmocka_unit_test(a_folder_that_cannot_be_made_is_an_error),
        cmocka_unit_test_setup_teardown(compressed_meshes_are_read, open_two, close_two),
        cmocka_unit_test(missing_files_are_named),
        cmocka_unit_test(progress_tells_the_rate_and_the_time_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
