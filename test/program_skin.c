// Surfaces that the bodies of a scene carry, other than those of tets.
#include "visual_files.h"

#include "program.h"

static void cloth_of_a_scene_carries_a_finer_surface(void** state)
{
    (void)state;
    char command[512];
    snprintf(command, sizeof command, "mesh cloth:30x30:2x2 -o %s/fine.obj", folder);
    check_status(command, 0);
    write_text("flag.json", "{\"frames\": 2, \"bodies\": [{\"mesh\": \"cloth:6x6:2x2\", "
                            "\"visual\": \"fine.obj\", \"position\": [0, 1, 0], \"scale\": 0.5}]}");
    snprintf(command, sizeof command, "run %s/flag.json -o %s/out --format obj", folder, folder);
    check_status(command, 0);
    visual* look = load("out/frame_00002.obj");
    assert_int_equal(look->point_count, 31 * 31);
    double low = INFINITY, high = -INFINITY, fall = 0.5 * 9.81 / 30 / 30;
    for (int i = 0; i < look->point_count; ++i) {
        low = fmin(low, look->point[3 * i]);
        high = fmax(high, look->point[3 * i]);
        CHECK_CLOSE(look->point[3 * i + 1], 1 - fall, 1e-3);
    }
    CHECK_CLOSE(high - low, 1, 1e-5);
    visual_destroy(look);
}

static void ropes_of_a_scene_carry_none(void** state)
{
    (void)state;
    char command[512];
    write_text("fine.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    write_text("rope.json", "{\"bodies\": [{\"mesh\": \"rope:1:4\", \"visual\": \"fine.obj\"}]}");
    snprintf(command, sizeof command, "run %s/rope.json -o %s/out --format obj", folder, folder);
    check_complaint(command, 1, "only a body of tets, of cloth or of clusters");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(cloth_of_a_scene_carries_a_finer_surface, open_folder,
                                        close_folder),
        cmocka_unit_test_setup_teardown(ropes_of_a_scene_carry_none, open_folder, close_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
