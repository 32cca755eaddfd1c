// Surfaces of liquids around particles: closed, of the right size, the same for all threads.
#define PRECISION_DOUBLE
#include "base/random.h"
#include "failing.h"
#include "meshes.h"
#include "surfacing/cases.h"
#include "tetra/star.h"
#include <math.h>

typedef struct {
    double* x;
    double* radius; // NULL: all have one
    int count;
} cloud;

static cloud cloud_of(int count)
{
    cloud c = {(double*)malloc((size_t)count * 24 + 24), NULL, 0};
    assert_non_null(c.x);
    return c;
}

static void add(cloud* c, double x, double y, double z)
{
    double* p = c->x + 3 * (ptrdiff_t)c->count++;
    p[0] = x, p[1] = y, p[2] = z;
}

static void release(cloud* c)
{
    free(c->x);
    free(c->radius);
}

static pliant_surface_def plain(double radius, double cell)
{
    pliant_surface_def def = pliant_surface_defaults();
    def.radius = radius;
    def.cell = cell;
    def.threads = 1;
    return def;
}

static pliant_mesh* wrap(const cloud* c, const pliant_surface_def* def)
{
    pliant_mesh* mesh = NULL;
    const pliant_points p = {.positions = c->x, .radii = c->radius, .count = c->count};
    CHECK_OK(pliant_mesh_surface(&p, def, &mesh, NULL));
    return mesh;
}

// Closed, each edge with two triangles, each vertex with one fan, outside in. Returns its quality.
static pliant_mesh_quality check_closed(const pliant_mesh* mesh, const char* what)
{
    pliant_mesh_quality q = measure(mesh);
    if (q.boundary_edges || q.nonmanifold_edges || count_pinched_vertices(mesh) ||
        q.unreferenced_vertices || !(q.volume > 0))
        fail_msg("%s: %d open edges, %d with more than two triangles, %d pinched and %d unused "
                 "vertices, volume %g",
                 what, q.boundary_edges, q.nonmanifold_edges, count_pinched_vertices(mesh),
                 q.unreferenced_vertices, q.volume);
    return q;
}

static pliant_mesh_quality check_and_destroy(pliant_mesh* mesh, const char* what)
{
    pliant_mesh_quality q = check_closed(mesh, what);
    pliant_mesh_destroy(mesh);
    return q;
}

// ---- always closed ------------------------------------------------------------------------------

// Each way in which corners can be inside, with each way in which those of a neighbor can be: the
// lines that their triangles leave on the face between them are the same, once each way, and
// nobody cuts the face anywhere else.
static void add_lines(const cell_cases* cases, int code, int face_at, int lines[16][16], int sign)
{
    for (int t = 0; t < cases->count[code]; ++t)
        for (int k = 0; k < 3; ++k) {
            int end[2];
            bool on = true;
            for (int e = 0; e < 2; ++e) {
                int edge = cases->edge[code][3 * t + (k + e) % 3], corner = cell_edge_corner(edge);
                on = on && cell_edge_axis(edge) != 0 && (corner & 1) == face_at;
                end[e] = 2 * cell_edge_axis(edge) + ((corner & 6) != 0);
            }
            if (!on) continue;
            lines[end[0]][end[1]] += sign > 0;
            lines[end[1]][end[0]] -= sign < 0;
        }
}

static void neighbors_leave_the_same_lines_on_the_face_between_them(void** unused)
{
    (void)unused;
    cell_cases cases;
    cell_cases_make(&cases);
    for (int code = 0; code < 256; ++code)
        for (int other = 0; other < 256; ++other) {
            int lines[16][16] = {{0}};
            if ((code >> 1 & 0x55) != (other & 0x55)) continue;
            add_lines(&cases, code, 1, lines, 1);
            add_lines(&cases, other, 0, lines, -1);
            for (int i = 0; i < 16; ++i)
                for (int k = 0; k < 16; ++k)
                    if (lines[i][k]) fail_msg("cells %d and %d do not meet", code, other);
        }
}

static void surfaces_of_random_particles_are_closed(void** unused)
{
    (void)unused;
    char what[80];
    random_source random = {11};
    for (int i = 0; i < by_scope(20, 60, 300); ++i) {
        int count = 1 + random_index(&random, 400);
        double size = random_range(&random, 0.5, 12), cell = random_range(&random, 0.3, 2);
        cloud c = cloud_of(count);
        for (int k = 0; k < count; ++k)
            add(&c, size * random_unit(&random), size * random_unit(&random),
                size * random_unit(&random));
        pliant_surface_def def = plain(0.5, 0.5 * cell);
        def.smoothing = i % 3 * 5;
        snprintf(what, sizeof what, "set %d: %d particles in %g, cells of %g", i, count, size,
                 cell);
        check_and_destroy(wrap(&c, &def), what);
        release(&c);
    }
}

// With cells as large as may be nearly every cell is one of the ambiguous ones.
static void sheets_that_nearly_touch_are_closed(void** unused)
{
    (void)unused;
    char what[80];
    for (int gap = 0; gap < 24; ++gap) {
        cloud c = cloud_of(2 * 400);
        for (int i = 0; i < 400; ++i)
            for (int side = 0; side < 2; ++side)
                add(&c, i % 20 + 0.31 * (i % 7), side * (1 + 0.1 * gap),
                    i / 20 + 0.17 * (i % 5)); // NOLINT
        pliant_surface_def def = plain(0.5, gap % 2 ? 1 : 0.4);
        snprintf(what, sizeof what, "sheets %g apart", 1 + 0.1 * gap);
        check_and_destroy(wrap(&c, &def), what);
        release(&c);
    }
}

static void particles_on_nodes_of_the_grid_are_closed(void** unused)
{
    (void)unused;
    cloud c = cloud_of(1000);
    for (int i = 0; i < 1000; ++i) add(&c, i % 10, i / 10 % 10, i / 100 % 10); // NOLINT
    pliant_surface_def def = plain(0.5, 0.5);
    def.smoothing = 0;
    assert_int_equal(check_and_destroy(wrap(&c, &def), "a box on nodes").components, 1);
    release(&c);
}

// ---- of the right size --------------------------------------------------------------------------

static void a_particle_alone_is_a_ball_of_its_radius(void** unused)
{
    (void)unused;
    for (int i = 0; i < 3; ++i) {
        cloud c = cloud_of(1);
        add(&c, 0.3 + i, -0.7, 1000.1);
        pliant_surface_def def = plain(0.01, 0.002);
        pliant_mesh_quality q = check_and_destroy(wrap(&c, &def), "one particle");
        CHECK_CLOSE(q.volume, 4.18879e-6, 0.04);
        CHECK_CLOSE(q.max[0] - q.min[0], 0.02, 0.03);
        release(&c);
    }
}

// Closest packing or a grid in a ball of radius 1.
static pliant_mesh_quality wrap_ball(const char* words, pliant_pattern pattern, double spacing,
                                     double cell, int smoothing)
{
    pliant_mesh *shape = generate(words), *points = NULL;
    pliant_fill_def fill = pliant_fill_defaults();
    fill.spacing = spacing;
    fill.pattern = pattern;
    fill.threads = 1;
    CHECK_OK(pliant_mesh_fill(shape, &fill, &points));
    pliant_mesh_arrays a = pliant_mesh_view(points);
    cloud c = {(double*)malloc((size_t)a.vertex_count * 24), NULL, a.vertex_count};
    memcpy(c.x, a.vertices, (size_t)a.vertex_count * 24);
    pliant_surface_def def = plain(spacing / 2, cell * spacing / 2);
    def.smoothing = smoothing;
    pliant_mesh_quality q = check_and_destroy(wrap(&c, &def), words);
    release(&c);
    pliant_mesh_destroy(shape);
    pliant_mesh_destroy(points);
    return q;
}

// Each particle stands for a cube of the grid: together they are a ball of radius 1.
static void a_ball_of_particles_has_its_volume_and_area(void** unused)
{
    (void)unused;
    const double volume = 4.18879, area = 12.56637;
    double off[3];
    for (int i = 0; i < 3; ++i) {
        const int across = 8 << i;
        double spacing = 2.0 / across;
        cloud c = cloud_of(across * across * across);
        for (int k = 0; k < across * across * across; ++k) {
            const int at[3] = {k % across, k / across % across, k / across / across};
            double x[3], square = 0;
            for (int a = 0; a < 3; ++a) x[a] = (at[a] + 0.5) * spacing - 1, square += x[a] * x[a];
            if (square < 1) add(&c, x[0], x[1], x[2]);
        }
        pliant_surface_def def = plain(spacing / 2, spacing / 2);
        pliant_mesh_quality q = check_and_destroy(wrap(&c, &def), "a ball");
        off[i] = fabs(q.volume / volume - 1);
        print_message("ball, %d across: volume %.4f, area %.4f of the closed form\n", across,
                      q.volume / volume, q.area / area);
        CHECK_CLOSE(q.volume, volume, 0.12 / (1 << i));
        CHECK_CLOSE(q.area, area, 0.06); // a grid has steps
        release(&c);
    }
    CHECK_BETWEEN(off[2], 0, 0.6 * off[0]);
}

static void the_volume_hardly_depends_on_the_cells(void** unused)
{
    (void)unused;
    double finest = wrap_ball("sphere:1:20", PLIANT_PATTERN_HEXAGONAL, 0.14, 0.5, 0).volume;
    for (int i = 0; i < 3; ++i) {
        double cell = i == 0 ? 0.75 : i == 1 ? 1 : 1.5;
        double v = wrap_ball("sphere:1:20", PLIANT_PATTERN_HEXAGONAL, 0.14, cell, 0).volume;
        print_message("cells of %g radii: volume off by %.4f\n", cell, v / finest - 1);
        CHECK_CLOSE(v, finest, 0.012 * cell * cell);
    }
}

static cloud box_of(int across, uint64_t seed)
{
    random_source random = {seed};
    cloud c = cloud_of(across * across * across);
    for (int i = 0; i < across * across * across; ++i)
        add(&c, i % across + 0.2 * random_unit(&random),
            i / across % across + 0.2 * random_unit(&random),  // NOLINT
            i / across / across + 0.2 * random_unit(&random)); // NOLINT
    return c;
}

static void smoothing_keeps_the_volume(void** unused)
{
    (void)unused;
    cloud c = box_of(16, 4);
    pliant_surface_def def = plain(0.5, 0.5);
    def.smoothing = 0;
    double rough = check_and_destroy(wrap(&c, &def), "rough").volume;
    def.smoothing = 40;
    double smooth = check_and_destroy(wrap(&c, &def), "smooth").volume;
    print_message("volume of a box: %g, smoothed %g\n", rough, smooth);
    CHECK_CLOSE(smooth, rough, 0.01);
    release(&c);
}

// ---- what must not matter -----------------------------------------------------------------------

static void a_move_by_whole_cells_moves_the_surface(void** unused)
{
    (void)unused;
    cloud c = box_of(8, 9), moved = box_of(8, 9);
    const double by[3] = {64, -1024, 8};
    for (int i = 0; i < 3 * c.count; ++i) moved.x[i] += by[i % 3];
    pliant_surface_def def = plain(0.5, 0.5);
    pliant_mesh *one = wrap(&c, &def), *other = wrap(&moved, &def);
    pliant_mesh_arrays a = pliant_mesh_view(one), b = pliant_mesh_view(other);
    assert_int_equal(a.vertex_count, b.vertex_count);
    assert_int_equal(a.triangle_count, b.triangle_count);
    pliant_mesh_quality q = measure(one), p = measure(other);
    CHECK_CLOSE(p.volume, q.volume, 1e-5);
    for (int k = 0; k < 3; ++k) assert_true(fabs(p.min[k] - q.min[k] - by[k]) < 1e-3);
    pliant_mesh_destroy(one);
    pliant_mesh_destroy(other);
    release(&c);
    release(&moved);
}

static void a_move_by_a_part_of_a_cell_hardly_changes_the_volume(void** unused)
{
    (void)unused;
    cloud c = box_of(10, 2);
    pliant_surface_def def = plain(0.5, 0.5);
    double still = check_and_destroy(wrap(&c, &def), "still").volume;
    for (int i = 0; i < 3 * c.count; ++i) c.x[i] += 0.137 * (1 + i % 3);
    double moved = check_and_destroy(wrap(&c, &def), "moved").volume;
    CHECK_CLOSE(moved, still, 2e-3);
    release(&c);
}

static uint64_t hash_of(const cloud* c, const pliant_vec3* speed, int threads)
{
    pliant_surface_def def = plain(0.5, 0.5);
    pliant_mesh* mesh = NULL;
    pliant_surface_report r;
    def.threads = threads;
    const pliant_points p = {.positions = c->x, .velocities = speed, .count = c->count};
    CHECK_OK(pliant_mesh_surface(&p, &def, &mesh, &r));
    size_t vertices = (size_t)pliant_mesh_view(mesh).vertex_count;
    uint64_t hash = hash_mesh(mesh);
    hash = hash_bytes(hash, r.normals, vertices * sizeof *r.normals);
    hash = hash_bytes(hash, r.velocities, vertices * sizeof *r.velocities);
    pliant_release(r.normals);
    pliant_release(r.velocities);
    pliant_mesh_destroy(mesh);
    return hash;
}

static void threads_change_no_bit(void** unused)
{
    (void)unused;
    static const int threads[] = {1, 2, 3, 8};
    cloud c = box_of(42, 3); // enough for the sort on threads
    pliant_vec3* speed = (pliant_vec3*)malloc((size_t)c.count * sizeof *speed);
    for (int i = 0; i < c.count; ++i)
        speed[i] = (pliant_vec3){(float)c.x[3 * i], 1, (float)(i % 10)};
    uint64_t first = hash_of(&c, speed, 1);
    for (int i = 0; i < 4; ++i) assert_true(hash_of(&c, speed, threads[i]) == first);
    free(speed);
    release(&c);
}

// ---- what it carries ----------------------------------------------------------------------------

static void vertices_have_the_velocity_of_the_particles_around_them(void** unused)
{
    (void)unused;
    cloud c = box_of(8, 6);
    pliant_vec3* speed = (pliant_vec3*)malloc((size_t)c.count * sizeof *speed);
    for (int i = 0; i < c.count; ++i) // it turns about the y axis
        speed[i] = (pliant_vec3){(float)c.x[3 * i + 2], 0, (float)-c.x[3 * i]};
    const pliant_points p = {.positions = c.x, .velocities = speed, .count = c.count};
    pliant_surface_def def = plain(0.5, 0.5);
    pliant_surface_report r;
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_surface(&p, &def, &mesh, &r));
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    for (int i = 0; i < a.vertex_count; ++i) {
        double off = hypot((double)r.velocities[i].x - a.vertices[3 * i + 2],
                           (double)r.velocities[i].z + a.vertices[3 * i]);
        if (!(off < 1)) fail_msg("vertex %d has a velocity that is off by %g", i, off); // a spacing
    }
    pliant_release(r.normals);
    pliant_release(r.velocities);
    pliant_mesh_destroy(mesh);
    free(speed);
    release(&c);
}

static void normals_of_a_drop_point_outward(void** unused)
{
    (void)unused;
    cloud c = cloud_of(1);
    add(&c, 0, 0, 0);
    const pliant_points p = {.positions = c.x, .count = 1};
    pliant_surface_def def = plain(1, 0.3);
    pliant_surface_report r;
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_surface(&p, &def, &mesh, &r));
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    for (int i = 0; i < a.vertex_count; ++i) {
        const double* x = a.vertices + 3 * (ptrdiff_t)i;
        double along = x[0] * (double)r.normals[i].x + x[1] * (double)r.normals[i].y +
                       x[2] * (double)r.normals[i].z;
        CHECK_BETWEEN(along / sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]), 0.98, 1.0001);
    }
    assert_null(r.velocities);
    pliant_release(r.normals);
    pliant_mesh_destroy(mesh);
    release(&c);
}

// ---- what is refused ----------------------------------------------------------------------------

static void check_refused(const pliant_points* p, const pliant_surface_def* def, const char* part)
{
    pliant_mesh* mesh = NULL;
    assert_int_equal(pliant_mesh_surface(p, def, &mesh, NULL), PLIANT_ERROR_ARGUMENT);
    assert_null(mesh);
    if (!strstr(pliant_error_text(), part))
        fail_msg("it said \"%s\", and not \"%s\"", pliant_error_text(), part);
}

static void bad_input_gets_a_sentence(void** unused)
{
    (void)unused;
    double x[] = {0, 0, 0, 1, 0, 0}, same[] = {1, 2, 3, 1, 2, 3}, gap[] = {0, 0, 0, NAN, 0, 0},
           far[] = {0, 0, 0, 1e30, 0, 0}, zero[] = {0.5, 0};
    const pliant_points good = {.positions = x, .count = 2};
    pliant_surface_def def = plain(0.5, 0);
    check_refused(&(pliant_points){.positions = x, .count = 0}, &def, "no particles");
    check_refused(&(pliant_points){.positions = same, .count = 2}, &def, "at one place");
    check_refused(&(pliant_points){.positions = gap, .count = 2}, &def, "particle 1 is at nan");
    check_refused(&(pliant_points){.positions = far, .count = 2}, &def, "from the origin");
    def.radius = 0;
    check_refused(&good, &def, "have no radii");
    check_refused(&(pliant_points){.positions = x, .radii = zero, .count = 2}, &def,
                  "particle 1 has a radius of 0");
    def = plain(0.5, 5);
    check_refused(&good, &def, "too large");
    def = plain(0.5, 1e-4);
    check_refused(&good, &def, "too small");
    def = plain(-1, 0);
    check_refused(&good, &def, "radius");
    def = plain(NAN, 0);
    check_refused(&good, &def, "radius");
}

static void a_radius_far_too_large_gets_a_sentence(void** unused)
{
    (void)unused;
    cloud c = box_of(40, 1);
    const pliant_points p = {.positions = c.x, .count = c.count};
    pliant_surface_def def = plain(20, 0);
    check_refused(&p, &def, "the radius is too large");
    release(&c);
}

// A reader takes it or not; a surface around what came of it is closed, or there is a sentence.
static void damaged_files_give_closed_surfaces_or_sentences(void** unused)
{
    (void)unused;
    static const char text[] = "ply\nformat ascii 1.0\nelement vertex 8\nproperty double x\n"
                               "property double y\nproperty double z\nproperty double radius\n"
                               "end_header\n0 0 0 .5\n1 0 0 .5\n0 1 0 .4\n1 1 0 .5\n0 0 1 .5\n"
                               "1 0 1 .6\n0 1 1 .5\n2.5 1.1 1 .5\n";
    static const char bytes[] = "0123456789.-e \nnaif";
    random_source random = {21};
    int closed = 0, refused = 0;
    for (int i = 0; i < by_scope(100, 400, 10000); ++i) {
        char damaged[sizeof text];
        pliant_mesh *points = NULL, *mesh = NULL;
        memcpy(damaged, text, sizeof text);
        for (int k = random_index(&random, 4); k >= 0; --k)
            damaged[100 + random_index(&random, (int)sizeof text - 101)] =
                bytes[random_index(&random, (int)sizeof bytes - 1)];
        if (pliant_mesh_parse(damaged, sizeof text - 1, "a.ply", &points)) continue;
        pliant_mesh_arrays m = pliant_mesh_view(points);
        const pliant_points p = {
            .positions = m.vertices, .radii = m.vertex_radius, .count = m.vertex_count};
        pliant_surface_def def = plain(0, 0);
        if (pliant_mesh_surface(&p, &def, &mesh, NULL))
            refused += strlen(pliant_error_text()) > 20;
        else
            closed += check_and_destroy(mesh, damaged).components > 0;
        pliant_mesh_destroy(points);
    }
    assert_true(closed > 5 && refused > 5);
}

static pliant_result try_to_wrap(const void* context)
{
    const pliant_points* p = (const pliant_points*)context;
    pliant_surface_def def = plain(0.5, 0.5);
    pliant_surface_report r;
    pliant_mesh* mesh = NULL;
    pliant_result result = pliant_mesh_surface(p, &def, &mesh, &r);
    pliant_release(r.normals);
    pliant_release(r.velocities);
    pliant_mesh_destroy(mesh);
    return result;
}

static void every_lack_of_memory_is_outlived(void** unused)
{
    (void)unused;
    cloud c = box_of(5, 1);
    pliant_vec3* speed = (pliant_vec3*)calloc((size_t)c.count, sizeof *speed);
    const pliant_points p = {.positions = c.x, .velocities = speed, .count = c.count};
    assert_true(check_every_failure(try_to_wrap, &p) > 20);
    free(speed);
    release(&c);
}

typedef struct {
    double last;
    int calls;
    bool back;
} follower;

static bool follow(double part, void* context)
{
    follower* f = (follower*)context;
    f->back = f->back || part < f->last;
    f->last = part;
    f->calls++;
    return true;
}

static void progress_goes_up_to_one(void** unused)
{
    (void)unused;
    follower f = {0, 0, false};
    cloud c = box_of(8, 1);
    pliant_surface_def def = plain(0.5, 0.5);
    def.progress = follow;
    def.context = &f;
    pliant_mesh_destroy(wrap(&c, &def));
    assert_true(f.last == 1 && !f.back && f.calls > 5);
    release(&c);
}

static bool never(double part, void* context)
{
    (void)part, (void)context;
    return false;
}

static void the_caller_may_end_it(void** unused)
{
    (void)unused;
    cloud c = box_of(8, 1);
    const pliant_points p = {.positions = c.x, .count = c.count};
    pliant_surface_def def = plain(0.5, 0.5);
    pliant_mesh* mesh = NULL;
    size_t before = pliant_allocated_bytes();
    def.progress = never;
    assert_int_equal(pliant_mesh_surface(&p, &def, &mesh, NULL), PLIANT_ERROR_CANCELED);
    assert_null(mesh);
    assert_true(pliant_allocated_bytes() == before);
    release(&c);
}

// Two drops a kilometer apart take no more than the drops.
static void memory_does_not_grow_with_the_box(void** unused)
{
    (void)unused;
    pliant_surface_def def = plain(0.01, 0);
    for (int far = 0; far < 2; ++far) {
        cloud c = cloud_of(2);
        add(&c, 0, 0, 0);
        add(&c, far ? 1000 : 1, far ? -3000 : 0, 0);
        pliant_mesh_quality q = check_and_destroy(wrap(&c, &def), "two drops");
        assert_int_equal(q.components, 2);
        release(&c);
    }
}

static void radii_may_differ(void** unused)
{
    (void)unused;
    random_source random = {8};
    cloud c = box_of(7, 5);
    c.radius = (double*)malloc((size_t)c.count * sizeof(double));
    for (int i = 0; i < c.count; ++i) c.radius[i] = random_range(&random, 0.2, 0.9);
    pliant_surface_def def = plain(0, 0);
    check_and_destroy(wrap(&c, &def), "mixed radii");
    release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbors_leave_the_same_lines_on_the_face_between_them),
        cmocka_unit_test(surfaces_of_random_particles_are_closed),
        cmocka_unit_test(sheets_that_nearly_touch_are_closed),
        cmocka_unit_test(particles_on_nodes_of_the_grid_are_closed),
        cmocka_unit_test(a_particle_alone_is_a_ball_of_its_radius),
        cmocka_unit_test(a_ball_of_particles_has_its_volume_and_area),
        cmocka_unit_test(the_volume_hardly_depends_on_the_cells),
        cmocka_unit_test(smoothing_keeps_the_volume),
        cmocka_unit_test(a_move_by_whole_cells_moves_the_surface),
        cmocka_unit_test(a_move_by_a_part_of_a_cell_hardly_changes_the_volume),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(vertices_have_the_velocity_of_the_particles_around_them),
        cmocka_unit_test(normals_of_a_drop_point_outward),
        cmocka_unit_test(bad_input_gets_a_sentence),
        cmocka_unit_test(a_radius_far_too_large_gets_a_sentence),
        cmocka_unit_test(damaged_files_give_closed_surfaces_or_sentences),
        cmocka_unit_test(every_lack_of_memory_is_outlived),
        cmocka_unit_test(progress_goes_up_to_one),
        cmocka_unit_test(the_caller_may_end_it),
        cmocka_unit_test(memory_does_not_grow_with_the_box),
        cmocka_unit_test(radii_may_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
