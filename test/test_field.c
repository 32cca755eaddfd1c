// Distance fields: exact near the surface, the right sign everywhere, scale-free, and a sentence
// for every surface that cannot have one.
#include "collide/field.h"
#include "soup.h"
#include <float.h>

static distance_field field_of(soup* s, double cell)
{
    pliant_mesh* mesh = soup_mesh(s);
    distance_field field;
    CHECK_OK(distance_field_create(mesh, cell, &field));
    pliant_mesh_destroy(mesh);
    soup_free(s);
    return field;
}

static int sample_count(const distance_field* f) { return f->count[0] * f->count[1] * f->count[2]; }

static point sample_at(const distance_field* f, int i)
{
    int index[3] = {i % f->count[0], i / f->count[0] % f->count[1], i / f->count[0] / f->count[1]};
    point p;
    for (int k = 0; k < 3; ++k) p.x[k] = f->origin[k] + index[k] * f->cell;
    return p;
}

static double dot(point a, point b) { return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2]; }
static double length(point a) { return sqrt(dot(a, a)); }
static point minus(point a, point b)
{
    point d = {{a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]}};
    return d;
}
static point cross(point a, point b)
{
    point c = {{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
                a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
    return c;
}

// ---- closed forms -------------------------------------------------------------------------------

static double box_distance(point p, point low, point high)
{
    double outside2 = 0, inside = -INFINITY;
    for (int k = 0; k < 3; ++k) {
        double d = fmax(low.x[k] - p.x[k], p.x[k] - high.x[k]);
        inside = fmax(inside, d);
        if (d > 0) outside2 += d * d;
    }
    return inside > 0 ? sqrt(outside2) : inside;
}

// All samples of the field are those of the box, to the rounding of a float.
static void check_box_field(const distance_field* f, point low, point high)
{
    for (int i = 0; i < sample_count(f); ++i) {
        double expected = box_distance(sample_at(f, i), low, high);
        double slack = FLT_EPSILON * fabs(expected) + 1e-15;
        CHECK_BETWEEN(f->value[i], expected - slack, expected + slack);
    }
}

static void box_of_twelve_triangles_has_the_distances_of_a_box(void** state)
{
    (void)state;
    point low = {{-0.5, 0.25, 1}}, high = {{0.75, 1, 1.5}};
    soup s = {0};
    soup_add_box(&s, low, high);
    distance_field f = field_of(&s, 0);
    assert_true(f.cell == 1.25 / 64);
    check_box_field(&f, low, high);
    distance_field_destroy(&f);
    assert_int_equal(pliant_allocated_bytes(), 0);
}

static void field_reaches_three_cells_beyond_the_surface(void** state)
{
    (void)state;
    point low = {{-0.3, 0.1, 1.7}}, high = {{0.7, 0.8, 1.9}};
    soup s = {0};
    soup_add_box(&s, low, high);
    distance_field f = field_of(&s, 0.03);
    assert_true(f.cell == 0.03);
    for (int k = 0; k < 3; ++k) {
        double last = f.origin[k] + (f.count[k] - 1) * f.cell;
        CHECK_BETWEEN((low.x[k] - f.origin[k]) / f.cell, 3 - 1e-9, 4 + 1e-9);
        CHECK_BETWEEN((last - high.x[k]) / f.cell, 3 - 1e-9, 4 + 1e-9);
    }
    distance_field_destroy(&f);
}

// Rows of samples run exactly through the vertices and edges of an octahedron.
static void octahedron_on_the_grid_has_the_right_sign_at_every_sample(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_sphere(&s, 0);
    distance_field f = field_of(&s, 1.0 / 16);
    for (int i = 0; i < sample_count(&f); ++i) {
        point p = sample_at(&f, i);
        double beyond = fabs(p.x[0]) + fabs(p.x[1]) + fabs(p.x[2]) - 1;
        if (beyond == 0) CHECK_BETWEEN(f.value[i], -1e-15, 1e-15);
        if (beyond > 0) assert_true(f.value[i] > 0);
        if (beyond < 0) assert_true(f.value[i] < 0);
    }
    distance_field_destroy(&f);
}

// The largest depth of a triangle below the unit sphere.
static double sagitta(const soup* s)
{
    double least = 1;
    for (int t = 0; t < s->triangles; ++t) {
        const point* c = s->corner + 3 * t;
        point n = cross(minus(c[1], c[0]), minus(c[2], c[0]));
        least = fmin(least, dot(n, c[0]) / length(n));
    }
    return 1 - least;
}

// A polyhedron between two spheres has a distance between theirs.
static void sphere_is_within_the_sagitta_of_its_triangles(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_sphere(&s, 4);
    double depth = sagitta(&s);
    CHECK_BETWEEN(depth, 1e-4, 1e-2);
    distance_field f = field_of(&s, 0);
    for (int i = 0; i < sample_count(&f); ++i) {
        double outer = length(sample_at(&f, i)) - 1, slack = 1e-6;
        if (fabs(outer) > 4 * f.cell) slack += f.cell;
        CHECK_BETWEEN(f.value[i], outer - slack, outer + depth + slack);
        if (outer > 0) assert_true(f.value[i] > 0);
        if (outer < -depth) assert_true(f.value[i] < 0);
    }
    distance_field_destroy(&f);
}

// x -> rotated about the axis (1, 2, 3), so that no edge lies along the grid.
static point rotated(point p, double angle)
{
    point axis = point_on_sphere((point){{1, 2, 3}}), side = cross(axis, p), result;
    double along = dot(axis, p);
    for (int k = 0; k < 3; ++k)
        result.x[k] =
            cos(angle) * p.x[k] + sin(angle) * side.x[k] + (1 - cos(angle)) * along * axis.x[k];
    return result;
}

static void turned_box_has_the_distances_of_a_box(void** state)
{
    (void)state;
    point low = {{-1, -0.5, -0.2}}, high = {{1, 0.5, 0.2}};
    soup s = {0};
    soup_add_box(&s, low, high);
    for (int i = 0; i < 3 * s.triangles; ++i) s.corner[i] = rotated(s.corner[i], 0.7);
    distance_field f = field_of(&s, 0);
    for (int i = 0; i < sample_count(&f); ++i) {
        double expected = box_distance(rotated(sample_at(&f, i), -0.7), low, high);
        double slack = fabs(expected) > 4 * f.cell ? 0.1 * f.cell : 1e-6;
        CHECK_BETWEEN(f.value[i], expected - slack, expected + slack);
        if (fabs(expected) > 1e-14) assert_true((f.value[i] < 0) == (expected < 0));
    }
    distance_field_destroy(&f);
}

static void torus_has_its_hole_outside_and_its_tube_inside(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_torus(&s, 1, 0.3, 96, 48);
    distance_field f = field_of(&s, 0);
    double depth = 1.3 * (1 - cos(acos(-1) / 96)) + 0.3 * (1 - cos(acos(-1) / 48));
    int inside = 0;
    for (int i = 0; i < sample_count(&f); ++i) {
        point p = sample_at(&f, i);
        double expected = hypot(hypot(p.x[0], p.x[2]) - 1, p.x[1]) - 0.3;
        if (fabs(expected) > depth) assert_true((f.value[i] < 0) == (expected < 0));
        double slack = depth + (fabs(expected) > 3.9 * f.cell ? f.cell : 1e-6);
        CHECK_BETWEEN(f.value[i], expected - slack, expected + slack);
        inside += f.value[i] < 0;
    }
    double volume = inside * pow(f.cell, 3);
    CHECK_CLOSE(volume, 2 * acos(-1) * acos(-1) * 0.09, 0.02);
    distance_field_destroy(&f);
}

// ---- against every triangle ---------------------------------------------------------------------

static double to_segment(point p, point a, point b)
{
    point ab = minus(b, a), ap = minus(p, a);
    double along = fmin(1, fmax(0, dot(ap, ab) / dot(ab, ab)));
    for (int k = 0; k < 3; ++k) ap.x[k] -= along * ab.x[k];
    return length(ap);
}

static double to_triangle(point p, const point* c)
{
    point u = minus(c[1], c[0]), v = minus(c[2], c[0]), w = minus(p, c[0]), n = cross(u, v);
    double second = dot(cross(w, v), n) / dot(n, n), third = dot(cross(u, w), n) / dot(n, n);
    if (second >= 0 && third >= 0 && second + third <= 1) return fabs(dot(w, n)) / length(n);
    return fmin(to_segment(p, c[0], c[1]),
                fmin(to_segment(p, c[1], c[2]), to_segment(p, c[2], c[0])));
}

static double to_soup(point p, const soup* s)
{
    double least = INFINITY;
    for (int t = 0; t < s->triangles; ++t) least = fmin(least, to_triangle(p, s->corner + 3 * t));
    return least;
}

// A lumpy sphere, so that many triangles far apart compete for the samples in the middle.
static soup lumps(int levels)
{
    soup s = {0};
    soup_add_sphere(&s, levels);
    for (int i = 0; i < 3 * s.triangles; ++i) {
        point p = s.corner[i];
        double r = 1 + 0.3 * sin(5 * p.x[0] + 1) * sin(7 * p.x[1]) * cos(6 * p.x[2]);
        for (int k = 0; k < 3; ++k) s.corner[i].x[k] *= r;
    }
    return s;
}

static void every_sample_knows_its_nearest_triangle(void** state)
{
    (void)state;
    soup s = lumps(3), copy = lumps(3);
    distance_field f = field_of(&s, 2.2 / 32);
    double worst = 0;
    for (int i = 0; i < sample_count(&f); ++i) {
        double expected = to_soup(sample_at(&f, i), &copy), slack = 1e-6 * expected + 1e-12;
        double far = expected > 4 * f.cell ? f.cell : 0;
        CHECK_BETWEEN(fabs(f.value[i]), expected - slack, expected + slack + far);
        worst = fmax(worst, (fabs(f.value[i]) - expected) / f.cell);
    }
    print_message("largest error far from the surface: %.3g cells\n", worst);
    soup_free(&copy);
    distance_field_destroy(&f);
}

// Two neighbors on different sides have the surface between them.
static void sign_changes_only_across_the_surface(void** state)
{
    (void)state;
    soup s = lumps(4);
    distance_field f = field_of(&s, 0);
    const int stride[3] = {1, f.count[0], f.count[0] * f.count[1]};
    int changes = 0;
    for (int i = 0; i < sample_count(&f); ++i)
        for (int k = 0; k < 3; ++k) {
            if (i / stride[k] % f.count[k] == f.count[k] - 1) continue;
            double here = f.value[i], next = f.value[i + stride[k]];
            if ((here < 0) == (next < 0)) continue;
            ++changes;
            CHECK_BETWEEN(fabs(here) + fabs(next), 0, f.cell * (1 + 1e-6));
        }
    CHECK_BETWEEN(changes, 10000, 40000);
    distance_field_destroy(&f);
}

// ---- surfaces that are not simple ---------------------------------------------------------------

static void check_inside(const distance_field* f, bool (*inside)(point p))
{
    for (int i = 0; i < sample_count(f); ++i) {
        if (fabsf(f->value[i]) < 1e-12) continue; // on a surface
        point p = sample_at(f, i);
        if (inside(p) == (f->value[i] < 0)) continue;
        fail_msg("(%g, %g, %g) has %g", p.x[0], p.x[1], p.x[2], (double)f->value[i]);
    }
}

static const point zero = {{0, 0, 0}}, one = {{1, 1, 1}}, half = {{0.5, 0.5, 0.5}};
static const point quarter = {{0.25, 0.25, 0.25}}, more = {{1.5, 1.5, 1.5}};

static bool in_either(point p)
{
    return box_distance(p, zero, one) < 0 || box_distance(p, half, more) < 0;
}

static void overlapping_boxes_are_inside_where_either_is(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_box(&s, zero, one);
    soup_add_box(&s, half, more);
    distance_field f = field_of(&s, 0);
    check_inside(&f, in_either);
    distance_field_destroy(&f);
}

static bool in_shell(point p)
{
    return box_distance(p, zero, one) < 0 && !(box_distance(p, quarter, half) < 0);
}

static void box_turned_inward_is_a_cavity(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_box(&s, zero, one);
    soup_add_box(&s, quarter, half);
    soup_flip(&s, 12, 23);
    distance_field f = field_of(&s, 0);
    check_inside(&f, in_shell);
    distance_field_destroy(&f);
}

static const point beside = {{1, 1, 0}}, beside_high = {{2, 2, 1}};

static bool in_neighbors(point p)
{
    return box_distance(p, zero, one) < 0 || box_distance(p, beside, beside_high) < 0;
}

static void boxes_that_share_an_edge_are_closed(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_box(&s, zero, one);
    soup_add_box(&s, beside, beside_high);
    distance_field f = field_of(&s, 0);
    check_inside(&f, in_neighbors);
    distance_field_destroy(&f);
}

static void box_inside_out_is_still_a_box(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_box(&s, zero, one);
    soup_flip(&s, 0, 11);
    distance_field f = field_of(&s, 0.1);
    check_box_field(&f, zero, one);
    distance_field_destroy(&f);
}

static void box_with_a_few_turned_triangles_is_still_a_box(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_box(&s, zero, one);
    soup_flip(&s, 1, 4);
    distance_field f = field_of(&s, 0.1);
    check_box_field(&f, zero, one);
    distance_field_destroy(&f);
}

static void triangles_without_area_do_not_matter(void** state)
{
    (void)state;
    point corner = {{1, 1, 0}}, diagonal_a = {{0, 0, 0}}, diagonal_b = {{0, 1, 1}};
    soup s = {0};
    soup_add_box(&s, zero, one);
    soup_add(&s, corner, corner, corner);
    soup_add(&s, diagonal_a, half, half);
    // The diagonal of a face with a vertex in its middle: a flat pair of triangles in the seam.
    point middle = {{0, 0.5, 0.5}};
    soup_add(&s, diagonal_a, middle, diagonal_b);
    soup_add(&s, diagonal_a, diagonal_b, middle);
    distance_field f = field_of(&s, 1.0 / 16);
    check_box_field(&f, zero, one);
    distance_field_destroy(&f);
}

static void negative_zero_is_zero(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_box(&s, zero, one);
    for (int i = 0; i < 3 * s.triangles; i += 2)
        if (s.corner[i].x[0] == 0) s.corner[i].x[0] = -0.0;
    distance_field f = field_of(&s, 0.1);
    check_box_field(&f, zero, one);
    distance_field_destroy(&f);
}

static void tets_stand_for_their_boundary(void** state)
{
    (void)state;
    const int tets[24] = {0, 1, 3, 7, 0, 3, 2, 7, 0, 2, 6, 7, 0, 6, 4, 7, 0, 4, 5, 7, 0, 5, 1, 7};
    double vertices[24];
    for (int i = 0; i < 24; ++i) vertices[i] = i / 3 >> i % 3 & 1;
    pliant_mesh_arrays arrays = {
        .vertices = vertices, .vertex_count = 8, .tets = tets, .tet_count = 6};
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_create(&arrays, &mesh));
    distance_field f;
    CHECK_OK(distance_field_create(mesh, 0.1, &f));
    check_box_field(&f, zero, one);
    distance_field_destroy(&f);
    pliant_mesh_destroy(mesh);
}

// ---- refusals -----------------------------------------------------------------------------------

static void check_refused(soup* s, double cell, const char* word)
{
    size_t before = pliant_allocated_bytes();
    pliant_mesh* mesh = soup_mesh(s);
    distance_field f;
    assert_int_equal(distance_field_create(mesh, cell, &f), PLIANT_ERROR_ARGUMENT);
    assert_null(f.value);
    if (!strstr(pliant_error_text(), word))
        fail_msg("\"%s\" does not say \"%s\"", pliant_error_text(), word);
    pliant_mesh_destroy(mesh);
    soup_free(s);
    assert_int_equal(pliant_allocated_bytes(), before);
}

static void open_surface_is_refused_with_its_open_edges(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_box(&s, zero, one);
    s.triangles -= 1;
    check_refused(&s, 0, " 3 open edges");
    soup_add_box(&s, zero, one);
    s.triangles -= 2;
    check_refused(&s, 0, " 4 open edges");
}

static void surface_without_triangles_is_refused(void** state)
{
    (void)state;
    soup s = {0};
    check_refused(&s, 0, "no triangles");
    soup_add(&s, one, one, zero);
    check_refused(&s, 0, "no triangles");
}

static void flat_surface_is_refused(void** state)
{
    (void)state;
    point a = {{1, 2, 0}}, b = {{2, 1, 0}};
    soup s = {0};
    soup_add(&s, zero, a, b);
    soup_add(&s, zero, b, a);
    check_refused(&s, 0, "2 x 2 x 0 m");
}

static void impossible_cells_are_refused(void** state)
{
    (void)state;
    const double cells[4] = {-0.1, NAN, INFINITY, 1e-300};
    for (int i = 0; i < 4; ++i) {
        soup s = {0};
        soup_add_box(&s, zero, one);
        check_refused(&s, cells[i], "cannot be used");
    }
}

// ---- memory -------------------------------------------------------------------------------------

typedef struct {
    int64_t allowed; // allocations before the first refusal
    size_t largest;  // [bytes] refused above
} stingy;

static void* stingy_allocate(size_t bytes, size_t alignment, void* context)
{
    stingy* s = (stingy*)context;
    if (bytes > s->largest || s->allowed-- <= 0) return NULL;
    return aligned_alloc(alignment, bytes);
}

static void stingy_release(void* memory, void* context)
{
    (void)context;
    free(memory);
}

static pliant_result create_with(stingy limit, const pliant_mesh* mesh, double cell)
{
    pliant_allocator hooks = {stingy_allocate, stingy_release, &limit};
    distance_field f;
    pliant_set_allocator(&hooks);
    pliant_result result = distance_field_create(mesh, cell, &f);
    distance_field_destroy(&f);
    pliant_set_allocator(NULL);
    return result;
}

static void too_many_samples_are_refused_with_the_smallest_cell(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_box(&s, zero, one);
    pliant_mesh* mesh = soup_mesh(&s);
    stingy small = {INT64_MAX, 1 << 20}; // so that a field within the limit is not really made
    assert_int_equal(create_with(small, mesh, 1e-4), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "268435456"));
    const char* words = strstr(pliant_error_text(), "at least ");
    assert_non_null(words);
    double smallest = strtod(words + 9, NULL);
    CHECK_CLOSE(smallest, 1 / 638.0, 0.01);
    assert_int_equal(create_with(small, mesh, smallest), PLIANT_ERROR_MEMORY);
    assert_int_equal(create_with(small, mesh, 0.99 * smallest), PLIANT_ERROR_ARGUMENT);
    pliant_mesh_destroy(mesh);
    soup_free(&s);
}

static void every_refused_allocation_is_reported_and_nothing_leaks(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_box(&s, zero, one);
    pliant_mesh* mesh = soup_mesh(&s);
    size_t before = pliant_allocated_bytes();
    int needed = 0;
    for (; needed < 100; ++needed) {
        pliant_result result = create_with((stingy){needed, SIZE_MAX}, mesh, 0.2);
        assert_int_equal(pliant_allocated_bytes(), before);
        if (result == PLIANT_OK) break;
        assert_int_equal(result, PLIANT_ERROR_MEMORY);
    }
    CHECK_BETWEEN(needed, 5, 20);
    pliant_mesh_destroy(mesh);
    soup_free(&s);
}

// ---- scale --------------------------------------------------------------------------------------

static distance_field scaled_lumps(double scale, double shift)
{
    soup s = lumps(2);
    for (int i = 0; i < 3 * s.triangles; ++i)
        for (int k = 0; k < 3; ++k) s.corner[i].x[k] = scale * s.corner[i].x[k] + shift;
    return field_of(&s, 0);
}

static void scaled_surface_has_the_same_bits_scaled(void** state)
{
    (void)state;
    distance_field reference = scaled_lumps(1, 0);
    for (int power = -20; power <= 20; power += by_scope(20, 8, 8)) {
        double scale = ldexp(1, power);
        distance_field f = scaled_lumps(scale, 0);
        assert_memory_equal(f.count, reference.count, sizeof f.count);
        assert_true(f.cell == reference.cell * scale);
        for (int k = 0; k < 3; ++k) assert_true(f.origin[k] == reference.origin[k] * scale);
        for (int i = 0; i < sample_count(&f); ++i)
            assert_true(f.value[i] == reference.value[i] * (float)scale);
        distance_field_destroy(&f);
    }
    distance_field_destroy(&reference);
}

static void far_from_the_origin_only_the_rounding_of_the_vertices_shows(void** state)
{
    (void)state;
    distance_field near = scaled_lumps(1, 0), far = scaled_lumps(1, 1e6);
    assert_memory_equal(far.count, near.count, sizeof far.count);
    for (int i = 0; i < sample_count(&far); ++i)
        CHECK_BETWEEN(far.value[i] - near.value[i], -1e-6, 1e-6);
    distance_field_destroy(&near);
    distance_field_destroy(&far);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_of_twelve_triangles_has_the_distances_of_a_box),
        cmocka_unit_test(field_reaches_three_cells_beyond_the_surface),
        cmocka_unit_test(octahedron_on_the_grid_has_the_right_sign_at_every_sample),
        cmocka_unit_test(sphere_is_within_the_sagitta_of_its_triangles),
        cmocka_unit_test(turned_box_has_the_distances_of_a_box),
        cmocka_unit_test(torus_has_its_hole_outside_and_its_tube_inside),
        long_test(every_sample_knows_its_nearest_triangle),
        cmocka_unit_test(sign_changes_only_across_the_surface),
        cmocka_unit_test(overlapping_boxes_are_inside_where_either_is),
        cmocka_unit_test(box_turned_inward_is_a_cavity),
        cmocka_unit_test(boxes_that_share_an_edge_are_closed),
        cmocka_unit_test(box_inside_out_is_still_a_box),
        cmocka_unit_test(box_with_a_few_turned_triangles_is_still_a_box),
        cmocka_unit_test(triangles_without_area_do_not_matter),
        cmocka_unit_test(negative_zero_is_zero),
        cmocka_unit_test(tets_stand_for_their_boundary),
        cmocka_unit_test(open_surface_is_refused_with_its_open_edges),
        cmocka_unit_test(surface_without_triangles_is_refused),
        cmocka_unit_test(flat_surface_is_refused),
        cmocka_unit_test(impossible_cells_are_refused),
        cmocka_unit_test(too_many_samples_are_refused_with_the_smallest_cell),
        cmocka_unit_test(every_refused_allocation_is_reported_and_nothing_leaks),
        cmocka_unit_test(scaled_surface_has_the_same_bits_scaled),
        cmocka_unit_test(far_from_the_origin_only_the_rounding_of_the_vertices_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
