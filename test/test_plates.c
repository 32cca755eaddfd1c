// Plates far thinner than an edge: one layer of prisms.
#define PRECISION_DOUBLE
#include "geometry/tree.h"

#include "failing.h"
#include "filled.h"

typedef struct {
    pliant_mesh_quality mesh;
    pliant_tet_report report;
} outcome;

// Fills it, and checks what is promised of every plate.
static outcome outcome_of(soup* s, int tets, double edge, double area)
{
    pliant_mesh *surface = soup_mesh(s), *mesh = NULL;
    outcome o;
    pliant_tet_def def = pliant_tet_defaults();
    def.tets = tets;
    def.edge = edge;
    def.threads = 2;
    CHECK_OK(pliant_mesh_tetrahedralize(surface, &def, &mesh, &o.report));
    pliant_mesh_destroy(surface);
    soup_free(s);
    o.mesh = check_mesh(mesh, 1);
    print_message(
        "    %d plates of %d tets, %d parts missing; angles from %.1f degrees, area %+.2f "
        "%%\n",
        o.report.plates, o.report.plate_tets, o.report.missing_parts, o.mesh.min_dihedral,
        100 * (o.mesh.area / area - 1));
    assert_int_equal(o.report.missing_parts, 0);
    CHECK_BETWEEN(o.report.plates, 1, 1);
    CHECK_BETWEEN(o.mesh.min_dihedral, 9, 90);
    CHECK_CLOSE(o.mesh.area, area, 0.03);
    return o;
}

// With 20 000 tets its edges are 0.0234 m.
static void a_plate_of_a_fifth_of_an_edge_is_whole(void** state)
{
    (void)state;
    soup s = {0};
    random_source random = {.state = 3};
    turn how = random_turn(&random);
    soup_add_box(&s, (point){{0, 0, 0}}, (point){{1, 1, 0.2 * 0.0234}});
    soup_turn(&s, 0, &how);
    outcome o = outcome_of(&s, 20000, 0, 2 + 0.8 * 0.0234);
    CHECK_CLOSE(o.report.edge, 0.0234, 0.02);
    CHECK_CLOSE(o.mesh.volume, 0.2 * 0.0234, 0.03);
}

static void a_plate_that_is_thinner_becomes_as_thick_as_that(void** state)
{
    (void)state;
    soup s = {0};
    random_source random = {.state = 5};
    turn how = random_turn(&random);
    soup_add_box(&s, (point){{0, 0, 0}}, (point){{1, 1, 0.004}});
    soup_turn(&s, 0, &how);
    CHECK_CLOSE(outcome_of(&s, 0, 0.05, 2).mesh.volume, 0.2 * 0.05, 0.1);
}

// A fifth of an edge thick with 20 000 tets, 1.2 m wide and up to 2 m from the ball's middle.
static void a_fin_stands_on_a_ball(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_sphere(&s, 5);
    soup_add_box(&s, (point){{-0.6, 0.5, -0.013}}, (point){{0.6, 2, 0.013}});
    outcome_of(&s, 20000, 0, 4 * acos(-1) - 1.2 * 0.026 + 2.553 + 0.094);
}

// The edges of a box are cut off as they are without the fin.
static double area_of_a_box(double edge)
{
    soup s = {0};
    pliant_mesh* mesh = NULL;
    pliant_tet_def def = pliant_tet_defaults();
    def.tets = 0;
    def.edge = edge;
    soup_add_box(&s, (point){{-0.5, -0.5, -0.5}}, (point){{0.5, 0.5, 0.5}});
    pliant_mesh* surface = soup_mesh(&s);
    CHECK_OK(pliant_mesh_tetrahedralize(surface, &def, &mesh, NULL));
    pliant_mesh_destroy(surface);
    soup_free(&s);
    return measure_last(mesh).area;
}

static void a_fin_stands_on_a_box(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_box(&s, (point){{-0.5, -0.5, -0.5}}, (point){{0.5, 0.5, 0.5}});
    soup_add_box(&s, (point){{-0.3, 0.3, -0.008}}, (point){{0.3, 1.5, 0.008}});
    outcome_of(&s, 0, 0.08, area_of_a_box(0.08) + 1.2 + 0.032);
}

static pliant_result fill(const pliant_mesh* surface, int threads, double edge, pliant_mesh** out)
{
    pliant_tet_def def = pliant_tet_defaults();
    def.tets = 0;
    def.edge = edge;
    def.threads = threads;
    return pliant_mesh_tetrahedralize(surface, &def, out, NULL);
}

static void threads_do_not_change_a_bit(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_box(&s, (point){{-0.5, -0.5, -0.5}}, (point){{0.5, 0.5, 0.5}});
    soup_add_box(&s, (point){{-0.3, 0.3, -0.008}}, (point){{0.3, 1.5, 0.008}});
    pliant_mesh *surface = soup_mesh(&s), *mesh[2] = {NULL, NULL};
    for (int i = 0; i < 2; ++i) CHECK_OK(fill(surface, 1 + 2 * i, 0.1, &mesh[i]));
    assert_true(hash_mesh(mesh[0]) == hash_mesh(mesh[1]));
    for (int i = 0; i < 2; ++i) pliant_mesh_destroy(mesh[i]);
    pliant_mesh_destroy(surface);
    soup_free(&s);
}

static pliant_result fill_once(const void* surface)
{
    pliant_mesh* mesh = NULL;
    pliant_result result = fill((const pliant_mesh*)surface, 1, 0.5, &mesh);
    pliant_mesh_destroy(mesh);
    return result;
}

static void every_refused_allocation_is_survived(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_box(&s, (point){{-0.5, -0.5, -0.5}}, (point){{0.5, 0.5, 0.5}});
    soup_add_box(&s, (point){{-0.3, 0.3, -0.02}}, (point){{0.3, 1.5, 0.02}});
    pliant_mesh* surface = soup_mesh(&s);
    assert_true(check_every_failure(fill_once, surface) > 100);
    pliant_mesh_destroy(surface);
    soup_free(&s);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plate_of_a_fifth_of_an_edge_is_whole),
        cmocka_unit_test(a_plate_that_is_thinner_becomes_as_thick_as_that),
        cmocka_unit_test(a_fin_stands_on_a_ball),
        cmocka_unit_test(a_fin_stands_on_a_box),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(every_refused_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
