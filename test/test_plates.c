// Plates far thinner than an edge: one layer of prisms.
#define PRECISION_DOUBLE
#include "geometry/tree.h"

#include "failing.h"
#include "filled.h"
#include "outside.h"

typedef struct {
    pliant_mesh_quality mesh;
    pliant_tet_report report;
    int tets;
    double upper; // [m^2] area with y > 0.15 m
} outcome;

static double upper_area(const pliant_mesh* triangles)
{
    double area = 0;
    for (int t = 0; t < triangles->triangle_count; ++t) {
        triangle shape =
            triangle_make(triangles->vertices, triangles->triangles + 3 * (ptrdiff_t)t);
        if (triangle_middle(&shape).y > 0.15) area += triangle_area(&shape);
    }
    return area;
}

// Fills it, and checks what is promised of every plate.
static outcome fill_soup(soup* s, int tets, double edge)
{
    pliant_mesh *surface = soup_mesh(s), *mesh = NULL, *boundary = NULL;
    outcome o;
    pliant_tet_def def = pliant_tet_defaults();
    def.tets = tets;
    def.edge = edge;
    def.threads = 2;
    CHECK_OK(pliant_mesh_tetrahedralize(surface, &def, &mesh, &o.report));
    pliant_mesh_destroy(surface);
    soup_free(s);
    CHECK_OK(pliant_mesh_boundary(mesh, &boundary, NULL));
    o.upper = upper_area(boundary);
    pliant_mesh_destroy(boundary);
    o.tets = mesh->tet_count;
    o.mesh = check_mesh(mesh, 1);
    print_message("    %d plates of %d tets, %d parts missing; angles from %.1f degrees\n",
                  o.report.plates, o.report.plate_tets, o.report.missing_parts,
                  o.mesh.min_dihedral);
    assert_int_equal(o.report.missing_parts, 0);
    CHECK_BETWEEN(o.report.plates, 1, 1);
    CHECK_BETWEEN(o.mesh.min_dihedral, 9, 90);
    return o;
}

static outcome outcome_of(soup* s, int tets, double edge, double area)
{
    outcome o = fill_soup(s, tets, edge);
    CHECK_CLOSE(o.mesh.area, area, 0.03);
    return o;
}

// With 3 000 tets its edges are 0.0583 m.
static void a_plate_of_a_fifth_of_an_edge_is_whole(void** state)
{
    (void)state;
    soup s = {0};
    random_source random = {.state = 3};
    turn how = random_turn(&random);
    soup_add_box(&s, (point){{0, 0, 0}}, (point){{1, 1, 0.2 * 0.0583}});
    soup_turn(&s, 0, &how);
    outcome o = outcome_of(&s, 3000, 0, 2 + 0.8 * 0.0583);
    CHECK_CLOSE(o.report.edge, 0.0583, 0.03);
    CHECK_CLOSE(o.mesh.volume, 0.2 * 0.0583, 0.03);
}

static void a_plate_that_is_thinner_becomes_as_thick_as_that(void** state)
{
    (void)state;
    soup s = {0};
    random_source random = {.state = 5};
    turn how = random_turn(&random);
    soup_add_box(&s, (point){{0, 0, 0}}, (point){{1, 1, 0.004}});
    soup_turn(&s, 0, &how);
    CHECK_CLOSE(outcome_of(&s, 0, 0.08, 2 + 0.8 * 0.08).mesh.volume, 0.2 * 0.08, 0.03);
}

// Vertices of the lattice are in its plane, and so are those beside its rim.
static void a_plate_along_the_lattice_is_one_layer(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_box(&s, (point){{0, 0, 0}}, (point){{1, 1, 0.004}});
    outcome o = outcome_of(&s, 0, 0.1, 2.08);
    assert_int_equal(o.report.plate_tets, o.tets);
    CHECK_CLOSE(o.mesh.volume, 0.2 * 0.1, 0.03);
}

// A fifth of an edge thick, 1.2 m wide and up to 2 m from the ball's middle.
static void a_fin_stands_on_a_ball(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_sphere(&s, 4);
    soup_add_box(&s, (point){{-0.6, 0.5, -0.018}}, (point){{0.6, 2, 0.018}});
    outcome_of(&s, 0, 0.18, 4 * acos(-1) - 1.2 * 0.036 + 2.553 + 0.13);
}

// Its vertices are all in the blocks, and none of them sticks out.
static void a_strap_holds_two_blocks_together(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_box(&s, (point){{-0.6, -0.2, -0.2}}, (point){{-0.2, 0.2, 0.2}});
    soup_add_box(&s, (point){{0.2, -0.2, -0.2}}, (point){{0.6, 0.2, 0.2}});
    soup_add_box(&s, (point){{-0.3, 0.008, -0.15}}, (point){{0.3, 0.018, 0.15}});
    fill_soup(&s, 0, 0.05);
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

// ---- wings and blades ---------------------------------------------------------------------------

// Rings of 16 points, from one end to the other, as a closed surface.
enum { AROUND = 16, RINGS = 24 };
typedef struct {
    point ring[RINGS + 1][AROUND];
} skin;

static point middle_of(const point ring[AROUND])
{
    point p = {{0, 0, 0}};
    for (int i = 0; i < AROUND; ++i)
        for (int k = 0; k < 3; ++k) p.x[k] += ring[i].x[k] / AROUND;
    return p;
}

static void add_skin(soup* s, const skin* w)
{
    point first = middle_of(w->ring[0]), last = middle_of(w->ring[RINGS]);
    for (int k = 0; k < AROUND; ++k) {
        int next = (k + 1) % AROUND;
        for (int i = 0; i < RINGS; ++i)
            soup_add_quad(s, w->ring[i][k], w->ring[i][next], w->ring[i + 1][next],
                          w->ring[i + 1][k]);
        soup_add(s, first, w->ring[0][next], w->ring[0][k]);
        soup_add(s, last, w->ring[RINGS][k], w->ring[RINGS][next]);
    }
}

// Across (-1 to 1) and up (-1 to 1) in a section like a lens.
static void lens(int i, double* across, double* up)
{
    *across = i <= AROUND / 2 ? i * 4.0 / AROUND - 1 : 3 - i * 4.0 / AROUND;
    *up = (i <= AROUND / 2 ? 1 : -1) * (1 - *across * *across);
}

// From the middle of a box outward and up, to a quarter of its width and thickness.
static skin bent_wing(double length, double width, double thickness, double bend)
{
    skin w;
    for (int n = 0; n <= RINGS; ++n)
        for (int i = 0; i < AROUND; ++i) {
            double part = (double)n / RINGS, angle = bend * part, r = length / bend, across, up;
            double size = 1 - 0.75 * part;
            lens(i, &across, &up);
            up *= size * thickness / 2;
            w.ring[n][i] =
                (point){{r * sin(angle) - up * sin(angle), r * (1 - cos(angle)) + up * cos(angle),
                         across * size * width / 2}};
        }
    return w;
}

static void a_bent_wing_that_tapers_stands_on_a_box(void** state)
{
    (void)state;
    soup s = {0};
    skin w = bent_wing(1.5, 0.5, 0.03, 1);
    soup_add_box(&s, (point){{-0.3, -0.3, -0.3}}, (point){{0.3, 0.3, 0.3}});
    add_skin(&s, &w);
    pliant_mesh* surface = soup_mesh(&s);
    double area = outer_area(surface);
    pliant_mesh_destroy(surface);
    outcome_of(&s, 0, 0.08, area);
}

// A blade that ends in a point, 16 mm thick and 140 mm wide, a guard and a grip.
static void check_sword(double edge)
{
    soup s = {0};
    skin blade;
    for (int n = 0; n <= RINGS; ++n)
        for (int i = 0; i < AROUND; ++i) {
            double along = 1.6 * n / RINGS, size = fmin(1, 0.01 + (1.6 - along) / 0.3), across, up;
            lens(i, &across, &up);
            blade.ring[n][i] = (point){{across * size * 0.07, along, -up * size * 0.008}};
        }
    add_skin(&s, &blade);
    soup_add_box(&s, (point){{-0.25, -0.06, -0.06}}, (point){{0.25, 0.06, 0.06}});
    soup_add_box(&s, (point){{-0.05, -0.5, -0.05}}, (point){{0.05, 0, 0.05}});
    pliant_mesh* surface = soup_mesh(&s);
    double rims = 2 * 1.45 * 0.2 * edge; // [m^2] a fifth of an edge thick
    double area = upper_area(surface) + rims;
    pliant_mesh_destroy(surface);
    outcome o = fill_soup(&s, 0, edge);
    CHECK_CLOSE(o.upper, area, 0.03);
    CHECK_CLOSE(o.mesh.max[1], 1.6, 0.02);
}

static void a_sword_has_its_blade(void** state)
{
    (void)state;
    check_sword(0.05);
}

// The lattice has the middle of the blade, and would leave out the rest.
static void a_blade_of_nearly_an_edge_is_a_plate(void** state)
{
    (void)state;
    check_sword(0.019);
}

// With the first seam that is tried three of its tets share a face.
static void a_plate_that_is_no_manifold_is_built_in_another_way(void** state)
{
    (void)state;
    check_sword(0.025);
}

// ---- everywhere ---------------------------------------------------------------------------------

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

static void refused_allocations_are_survived(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_box(&s, (point){{-0.5, -0.5, -0.5}}, (point){{0.5, 0.5, 0.5}});
    soup_add_box(&s, (point){{-0.3, 0.3, -0.02}}, (point){{0.3, 1.5, 0.02}});
    pliant_mesh* surface = soup_mesh(&s);
    assert_true(check_some_failures(fill_once, surface, 29) > 100);
    pliant_mesh_destroy(surface);
    soup_free(&s);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        numbers_test(a_plate_of_a_fifth_of_an_edge_is_whole),
        numbers_test(a_plate_that_is_thinner_becomes_as_thick_as_that),
        cmocka_unit_test(a_plate_along_the_lattice_is_one_layer),
        cmocka_unit_test(a_fin_stands_on_a_ball),
        cmocka_unit_test(a_fin_stands_on_a_box),
        cmocka_unit_test(a_strap_holds_two_blocks_together),
        cmocka_unit_test(a_bent_wing_that_tapers_stands_on_a_box),
        numbers_test(a_sword_has_its_blade),
        long_test(a_blade_of_nearly_an_edge_is_a_plate),
        cmocka_unit_test(a_plate_that_is_no_manifold_is_built_in_another_way),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(refused_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
