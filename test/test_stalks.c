// Parts far thinner than an edge, as stalks: stacks of prisms on the mesh.
#define PRECISION_DOUBLE
#include "geometry/tree.h"
#include "tetra/crowd.h"
#include "tetra/prism.h"

#include "failing.h"
#include "filled.h"
#include "outside.h"

static const double CELL = 0.05; // [m]
static const double EDGES_PER_CELL = 0.923;
static const double THIN = 0.2 * 0.05; // [m] a fifth of a cell

typedef struct {
    pliant_mesh_quality mesh;
    pliant_tet_report report;
    double upper; // [m^2] area from y = 0.35 to 0.65 m
} outcome;

static vec3 corner_of(const pliant_mesh* mesh, int tet, int k)
{
    const double* at = mesh->vertices + 3 * (ptrdiff_t)mesh->tets[4 * (ptrdiff_t)tet + k];
    return v3(at[0], at[1], at[2]);
}

static vec3 tet_middle(const pliant_mesh* mesh, int tet)
{
    vec3 sum = v3_zero();
    for (int k = 0; k < 4; ++k) sum = v3_add(sum, corner_of(mesh, tet, k));
    return v3_scale(0.25, sum);
}

// Tets whose middle is in another one as well: the boundary winds around it twice.
static int count_overlaps(const pliant_mesh* mesh)
{
    pliant_mesh* boundary = NULL;
    tree around;
    int overlaps = 0;
    CHECK_OK(pliant_mesh_boundary(mesh, &boundary, NULL));
    assert_true(
        tree_create(boundary->vertices, boundary->triangles, boundary->triangle_count, &around));
    for (int t = 0; t < mesh->tet_count; ++t)
        overlaps += tree_winding(&around, tet_middle(mesh, t)) > 1.5;
    tree_destroy(&around);
    pliant_mesh_destroy(boundary);
    return overlaps;
}

// Of the triangles whose middle is there.
typedef bool (*place_filter)(vec3 middle);

static double area_where(const pliant_mesh* triangles, place_filter is_there)
{
    double area = 0;
    for (int t = 0; t < triangles->triangle_count; ++t) {
        triangle shape =
            triangle_make(triangles->vertices, triangles->triangles + 3 * (ptrdiff_t)t);
        if (is_there(triangle_middle(&shape))) area += triangle_area(&shape);
    }
    return area;
}

static double outer_area_where(const pliant_mesh* mesh, place_filter is_there)
{
    pliant_mesh* boundary = NULL;
    CHECK_OK(pliant_mesh_boundary(mesh, &boundary, NULL));
    double area = area_where(boundary, is_there);
    pliant_mesh_destroy(boundary);
    return area;
}

static bool is_between(vec3 middle) { return middle.y > 0.35 && middle.y < 0.65; }

static pliant_result fill_surface(const pliant_mesh* surface, int threads, pliant_mesh** out,
                                  pliant_tet_report* report)
{
    pliant_tet_def def = pliant_tet_defaults();
    def.tets = 0;
    def.edge = EDGES_PER_CELL * CELL;
    def.threads = threads;
    return pliant_mesh_tetrahedralize(surface, &def, out, report);
}

// Fills it, and checks that the mesh is a proper one of one part.
static outcome outcome_of(soup* s)
{
    pliant_mesh *surface = soup_mesh(s), *mesh = NULL;
    outcome o;
    CHECK_OK(fill_surface(surface, 2, &mesh, &o.report));
    pliant_mesh_destroy(surface);
    soup_free(s);
    o.upper = outer_area_where(mesh, is_between);
    assert_int_equal(count_overlaps(mesh), 0);
    o.mesh = check_mesh(mesh, 1);
    print_message("    %d stalks of %d tets, %d parts missing; angles from %.1f degrees\n",
                  o.report.stalks, o.report.stalk_tets, o.report.missing_parts,
                  o.mesh.min_dihedral);
    return o;
}

static void add_block(soup* s)
{
    soup_add_box(s, (point){{-0.2, -0.2, -0.2}}, (point){{0.2, 0.2, 0.2}});
}

// A square tube along an arc around (x, 0.1) in a plane across z, from the block.
static void add_arc(soup* s, double x, double radius, double degrees, double z)
{
    enum { PIECES = 24 };
    point ring[PIECES + 1][4];
    for (int i = 0; i <= PIECES; ++i) {
        double angle = degrees / 57.29577951 * i / PIECES, c = cos(angle), d = sin(angle);
        for (int k = 0; k < 4; ++k) {
            double r = radius + (k == 1 || k == 2 ? 0.5 : -0.5) * THIN;
            ring[i][k] = (point){{x + r * c, 0.1 + r * d, z + (k < 2 ? -0.5 : 0.5) * THIN}};
        }
    }
    for (int i = 0; i < PIECES; ++i)
        for (int k = 0; k < 4; ++k)
            soup_add_quad(s, ring[i][k], ring[i + 1][k], ring[i + 1][(k + 1) % 4],
                          ring[i][(k + 1) % 4]);
    soup_add_quad(s, ring[0][0], ring[0][1], ring[0][2], ring[0][3]);
    soup_add_quad(s, ring[PIECES][3], ring[PIECES][2], ring[PIECES][1], ring[PIECES][0]);
}

// ---- prisms -------------------------------------------------------------------------------------

static void every_division_fills_the_prism(void** state)
{
    (void)state;
    section below = {{v3(0, 0, 0), v3(1, 0, 0), v3(0, 1, 0)}}, above = below;
    for (int k = 0; k < 3; ++k) above.corner[k].z = 2;
    for (int way = 0; way < DIVISIONS; ++way) {
        double volume = 0;
        int tet[3][4], below_count[3] = {0};
        prism_divide(way, tet);
        for (int t = 0; t < 3; ++t) {
            vec3 x[4];
            for (int k = 0; k < 4; ++k) {
                int corner = tet[t][k];
                x[k] = corner < 3 ? below.corner[corner] : above.corner[corner - 3];
                if (corner < 3) ++below_count[corner];
            }
            vec3 a = v3_sub(x[1], x[0]), b = v3_sub(x[2], x[0]), c = v3_sub(x[3], x[0]);
            double part = v3_dot(a, v3_cross(b, c)) / 6;
            assert_true(part > 0);
            volume += part;
        }
        CHECK_CLOSE(volume, 1, 1e-12);
        for (int i = 0; i < 3; ++i) assert_int_equal(below_count[prism_division[way][i]], 3 - i);
        assert_true(prism_quality(&below, &above, way) > 0.05);
    }
}

// Whichever way the one below is turned.
static void sections_do_not_twist(void** state)
{
    (void)state;
    section s = {{v3(1, 0, 0), v3(-0.5, 0.87, 0), v3(-0.5, -0.87, 0)}};
    section up = section_above(&s, v3(0.1, 0, 1), v3(0, 0, 1), 1);
    for (int k = 0; k < 3; ++k) {
        vec3 from = v3(s.corner[k].x, s.corner[k].y, 0), to = v3_sub(up.corner[k], v3(0.1, 0, 1));
        CHECK_CLOSE(v3_dot(to, to), 1.0 / 3, 1e-12);
        CHECK_CLOSE(v3_dot(from, to) / sqrt(v3_dot(from, from) * v3_dot(to, to)), 1, 1e-4);
    }
}

// ---- what has stalks ----------------------------------------------------------------------------

static void a_needle_has_its_length_and_surface(void** state)
{
    (void)state;
    soup s = {0};
    add_block(&s);
    soup_add_box(&s, (point){{-THIN / 2, 0.1, -THIN / 2}}, (point){{THIN / 2, 0.7, THIN / 2}});
    outcome o = outcome_of(&s);
    assert_int_equal(o.report.stalks, 1);
    assert_int_equal(o.report.missing_parts, 0);
    CHECK_BETWEEN(o.mesh.min_dihedral, 10, 90);
    CHECK_CLOSE(o.mesh.max[1], 0.7, 0.01);
    CHECK_CLOSE(o.upper, 0.3 * 4 * THIN, 0.1);
}

// A horn with a tip of a hair's breadth, and a hair.
static void pointed_horns_and_hairs_are_stalks(void** state)
{
    (void)state;
    static const double side[2][2] = {{0.02, 0.0002}, {0.002, 0.002}}; // [m] below, above
    for (int i = 0; i < 2; ++i) {
        soup s = {0};
        double half = side[i][0] / 2, end = side[i][1] / side[i][0];
        add_block(&s);
        int first = 3 * s.triangles;
        soup_add_box(&s, (point){{-half, 0.1, -half}}, (point){{half, 0.7, half}});
        for (int k = first; k < 3 * s.triangles; ++k)
            if (s.corner[k].x[1] > 0.5) s.corner[k].x[0] *= end, s.corner[k].x[2] *= end;
        outcome o = outcome_of(&s);
        assert_int_equal(o.report.stalks, 1);
        assert_int_equal(o.report.missing_parts, 0);
        CHECK_CLOSE(o.mesh.max[1], 0.7, 0.01);
    }
}

static void a_bent_horn_is_followed_to_its_tip(void** state)
{
    (void)state;
    soup s = {0};
    add_block(&s);
    add_arc(&s, -0.3, 0.3, 80, 0);
    outcome o = outcome_of(&s);
    assert_int_equal(o.report.stalks, 1);
    assert_int_equal(o.report.missing_parts, 0);
    CHECK_CLOSE(o.mesh.max[1], 0.1 + 0.3 * 0.985 + THIN / 2, 0.03);
}

// ---- tentacles ----------------------------------------------------------------------------------

typedef struct {
    double radius, length, bend; // [m] [m] [radians] where it leaves the ball; in all
} tentacle;

static point along(const point* from, double way, const double direction[3])
{
    point p = *from;
    for (int k = 0; k < 3; ++k) p.x[k] += way * direction[k];
    return p;
}

// A cone from inside the unit ball that bends upward and ends in a point.
static void add_tentacle(soup* s, const tentacle* t, double azimuth)
{
    enum { PIECES = 30, AROUND = 10 };
    double side[3] = {sin(azimuth), 0, -cos(azimuth)};
    point middle = {{0.7 * cos(azimuth), 0, 0.7 * sin(azimuth)}}, ring[2][AROUND], start = middle;
    for (int i = 0; i <= PIECES; ++i) {
        double angle = t->bend * i / PIECES, c = cos(angle), d = sin(angle);
        double ahead[3] = {c * cos(azimuth), d, c * sin(azimuth)};
        double up[3] = {-d * cos(azimuth), c, -d * sin(azimuth)};
        for (int k = 0; k < AROUND; ++k) {
            double around = 2 * acos(-1) * k / AROUND, r = t->radius * (PIECES - i) / PIECES;
            point out = along(&middle, r * cos(around), side);
            ring[i % 2][k] = along(&out, r * sin(around), up);
        }
        for (int k = 0; k < AROUND; ++k) {
            int next = (k + 1) % AROUND, now = i % 2;
            if (i == 0) soup_add(s, start, ring[0][next], ring[0][k]);
            if (i > 0)
                soup_add_quad(s, ring[1 - now][k], ring[1 - now][next], ring[now][next],
                              ring[now][k]);
        }
        middle = along(&middle, t->length / PIECES, ahead);
    }
}

static bool is_near_an_end(vec3 middle) { return v3_dot(middle, middle) > 4; }

// Eight of them on a ball, each to its tip, with edges as of 20 000 tets.
static void check_tentacles(const tentacle* of, double edge)
{
    soup s = {0};
    pliant_mesh* mesh = NULL;
    pliant_tet_report report;
    pliant_tet_def def = pliant_tet_defaults();
    def.tets = 0;
    def.edge = edge;
    soup_add_sphere(&s, 4);
    for (int k = 0; k < 8; ++k) add_tentacle(&s, of, 0.37 + 0.78539816 * k);
    pliant_mesh* surface = soup_mesh(&s);
    CHECK_OK(pliant_mesh_tetrahedralize(surface, &def, &mesh, &report));
    double area = outer_area(surface), ends = area_where(surface, is_near_an_end);
    double more = outer_area_where(mesh, is_near_an_end) - ends;
    assert_int_equal(count_overlaps(mesh), 0);
    pliant_mesh_quality q = check_mesh(mesh, 1), whole = measure_last(surface);
    print_message("    radius %g m: area %+.2f %%, of it %+.2f %% near the ends; %d stalks of %d "
                  "tets, %d parts missing\n",
                  of->radius, 100 * (q.area / area - 1), 100 * more / area, report.stalks,
                  report.stalk_tets, report.missing_parts);
    assert_int_equal(report.missing_parts, 0);
    CHECK_BETWEEN(q.min_dihedral, 9, 90);
    CHECK_CLOSE(q.area, area, 0.03);
    CHECK_CLOSE(ends + more, ends, 0.015 * area / ends);
    for (int k = 0; k < 3; ++k) CHECK_CLOSE(q.max[k], whole.max[k], 0.01);
    soup_free(&s);
}

static void tentacles_that_end_in_points_are_whole(void** state)
{
    (void)state;
    static const tentacle of[] = {{0.22, 3.2, 1}, {0.2, 5, 2.5}, {0.15, 3, 1}};
    for (int i = 0; i < 3; i += by_scope(2, 2, 1)) check_tentacles(&of[i], 0.14);
}

static void tentacles_of_less_than_an_edge_have_their_area(void** state)
{
    (void)state;
    static const tentacle of[] = {{0.1, 3, 1}, {0.07, 3, 1}, {0.04, 3, 1}, {0.02, 3, 1}};
    for (int i = 0; i < 4; i += by_scope(3, 3, 1)) check_tentacles(&of[i], 0.13);
}

static void tentacles_of_a_tenth_of_an_edge_are_whole(void** state)
{
    (void)state;
    static const tentacle hair = {0.01, 3, 1};
    check_tentacles(&hair, 0.13);
}

// Needles near to each other, and many: no vertex has too many tets.
static soup brush(void)
{
    soup s = {0};
    add_block(&s);
    for (int i = 0; i < 5; ++i)
        for (int k = 0; k < 5; ++k) {
            double x = -0.15 + 0.075 * i, z = -0.15 + 0.075 * k;
            soup_add_box(&s, (point){{x, 0.1, z}}, (point){{x + THIN, 0.5, z + THIN}});
        }
    return s;
}

static void a_brush_keeps_its_bristles(void** state)
{
    (void)state;
    soup s = brush();
    outcome o = outcome_of(&s);
    CHECK_BETWEEN(o.report.stalks, 24, 25);
    CHECK_BETWEEN(o.mesh.max_valence, 20, MOST_CROWD);
}

// They lean toward each other: one stands, and what is above it of the other is its branch.
static void needles_that_cross_do_not_overlap(void** state)
{
    (void)state;
    soup s = {0};
    add_block(&s);
    for (int side = -1; side <= 1; side += 2) {
        int first = 3 * s.triangles;
        soup_add_box(&s, (point){{-THIN / 2, 0.1, -THIN / 2}}, (point){{THIN / 2, 0.7, THIN / 2}});
        for (int k = first; k < 3 * s.triangles; ++k)
            s.corner[k].x[0] += side * (s.corner[k].x[1] < 0.5 ? 0.12 : -0.12);
    }
    CHECK_BETWEEN(outcome_of(&s).report.stalks, 1, 2);
}

// ---- what has none ------------------------------------------------------------------------------

// It would end in the middle.
static void a_handle_stays_missing(void** state)
{
    (void)state;
    soup s = {0};
    add_block(&s);
    add_arc(&s, 0, 0.15, 180, 0);
    for (int i = 0; i < 3 * s.triangles; ++i) // the arc is higher
        if (s.corner[i].x[1] > 0.1 && i >= 3 * 12) s.corner[i].x[1] += 2 * (s.corner[i].x[1] - 0.1);
    outcome o = outcome_of(&s);
    assert_int_equal(o.report.stalks, 0);
    CHECK_BETWEEN(o.report.missing_parts, 1, 2);
}

// ---- everywhere ---------------------------------------------------------------------------------

static void threads_do_not_change_a_bit(void** state)
{
    (void)state;
    soup s = brush();
    pliant_mesh *surface = soup_mesh(&s), *mesh[2] = {NULL, NULL};
    for (int i = 0; i < 2; ++i) CHECK_OK(fill_surface(surface, 1 + 2 * i, &mesh[i], NULL));
    assert_true(hash_mesh(mesh[0]) == hash_mesh(mesh[1]));
    for (int i = 0; i < 2; ++i) pliant_mesh_destroy(mesh[i]);
    pliant_mesh_destroy(surface);
    soup_free(&s);
}

static pliant_result fill_once(const void* surface)
{
    pliant_mesh* mesh = NULL;
    pliant_result result = fill_surface((const pliant_mesh*)surface, 1, &mesh, NULL);
    pliant_mesh_destroy(mesh);
    return result;
}

static void refused_allocations_are_survived(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_box(&s, (point){{-0.1, -0.1, -0.1}}, (point){{0.1, 0.1, 0.1}});
    soup_add_box(&s, (point){{-THIN / 2, 0, -THIN / 2}}, (point){{THIN / 2, 0.3, THIN / 2}});
    pliant_mesh* surface = soup_mesh(&s);
    assert_true(check_some_failures(fill_once, surface, by_scope(11, 5, 3)) > 50);
    pliant_mesh_destroy(surface);
    soup_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_division_fills_the_prism),
        cmocka_unit_test(sections_do_not_twist),
        cmocka_unit_test(a_needle_has_its_length_and_surface),
        cmocka_unit_test(pointed_horns_and_hairs_are_stalks),
        cmocka_unit_test(a_bent_horn_is_followed_to_its_tip),
        numbers_test(tentacles_that_end_in_points_are_whole),
        numbers_test(tentacles_of_less_than_an_edge_have_their_area),
        cmocka_unit_test(tentacles_of_a_tenth_of_an_edge_are_whole),
        cmocka_unit_test(a_brush_keeps_its_bristles),
        cmocka_unit_test(needles_that_cross_do_not_overlap),
        cmocka_unit_test(a_handle_stays_missing),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(refused_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
