// Generated meshes: counts, shapes, surfaces, bits, and what bad requests get.
#include "failing.h"
#include "math/circle.h"
#include "meshes.h"

static const double pi = 3.14159265358979323846;

static pliant_mesh_quality measure_word(const char* words) { return measure_last(generate(words)); }

static uint64_t hash_word(const char* words)
{
    pliant_mesh* mesh = generate(words);
    uint64_t hash = hash_mesh(mesh);
    pliant_mesh_destroy(mesh);
    return hash;
}

// ---- boxes --------------------------------------------------------------------------------------

static pliant_box_def box_def(int tets_per_cell)
{
    pliant_box_def def = pliant_box_defaults();
    const int cells[3] = {5, 4, 3};
    const double size[3] = {0.1, 0.2, 0.3};
    memcpy(def.cells, cells, sizeof cells);
    memcpy(def.cell_size, size, sizeof size);
    def.tets_per_cell = tets_per_cell;
    return def;
}

static void boxes_have_their_counts_and_volume(void** state)
{
    (void)state;
    for (int per_cell = 5; per_cell <= 6; ++per_cell) {
        pliant_box_def def = box_def(per_cell);
        pliant_mesh* mesh = NULL;
        CHECK_OK(pliant_mesh_box(&def, &mesh));
        pliant_mesh_arrays a = pliant_mesh_view(mesh);
        assert_int_equal(a.vertex_count, 6 * 5 * 4);
        assert_int_equal(a.tet_count, 60 * per_cell);
        for (int t = 0; t < a.tet_count; ++t) assert_int_equal(a.tet_cell[t], t / per_cell);
        pliant_mesh_quality q = measure(mesh);
        CHECK_CLOSE(q.volume, 60 * 0.006, 1e-13);
        CHECK_CLOSE(q.min_tet_volume, 0.001, 1e-12);
        CHECK_CLOSE(q.area, 2 * (0.5 * 0.8 + 0.8 * 0.9 + 0.5 * 0.9), 1e-13);
        pliant_mesh_destroy(mesh);
    }
}

static void faces_of_box_cells_match(void** state)
{
    (void)state;
    for (int per_cell = 5; per_cell <= 6; ++per_cell) {
        pliant_box_def def = box_def(per_cell);
        pliant_mesh *mesh = NULL, *surface = NULL;
        CHECK_OK(pliant_mesh_box(&def, &mesh));
        CHECK_OK(pliant_mesh_boundary(mesh, &surface, NULL));
        // A crack would add faces inside.
        assert_int_equal(pliant_mesh_view(surface).triangle_count, 4 * (5 * 4 + 4 * 3 + 5 * 3));
        pliant_mesh_destroy(mesh);
        pliant_mesh_destroy(surface);
    }
}

static void box_vertices_count_z_first(void** state)
{
    (void)state;
    pliant_mesh* mesh = generate("beam");
    const double* v = pliant_mesh_view(mesh).vertices;
    CHECK_CLOSE(v[3 * 6 + 2], 0.6, 1e-15);
    assert_true(v[3 * 6] == 0 && v[3 * 6 + 1] == 0);
    CHECK_CLOSE(v[3 * 7 + 1], 0.1, 1e-15);
    CHECK_CLOSE(v[3 * 7 * 7], 0.1, 1e-15);
    pliant_mesh_destroy(mesh);
}

static void jitter_moves_inner_vertices_within_its_bound(void** state)
{
    (void)state;
    pliant_mesh *plain = generate("beam:6x5x4:1"), *moved = generate("beam:6x5x4:1:0.2:3");
    pliant_mesh_arrays a = pliant_mesh_view(plain), b = pliant_mesh_view(moved);
    for (int v = 0; v < a.vertex_count; ++v) {
        const double *p = a.vertices + 3 * v, *q = b.vertices + 3 * v;
        bool inner = p[0] > 0 && p[0] < 6 && p[1] > 0 && p[1] < 5 && p[2] > 0 && p[2] < 4;
        double dx = q[0] - p[0], dy = q[1] - p[1], dz = q[2] - p[2];
        double distance = sqrt(dx * dx + dy * dy + dz * dz);
        if (inner)
            CHECK_BETWEEN(distance, 1e-6, 0.2 * (1 + 1e-12));
        else
            assert_true(distance == 0);
    }
    pliant_mesh_destroy(plain);
    pliant_mesh_destroy(moved);
}

// Without the guard of the generator this seed leaves a tet of 0.012.
static void jitter_leaves_no_flat_tet(void** state)
{
    (void)state;
    pliant_mesh_quality q = measure_word("beam:40x40x40:1:0.3:2");
    CHECK_BETWEEN(q.min_tet_volume, 1.0 / 60, 1.0 / 6);
    CHECK_CLOSE(q.volume, 64000, 1e-12);
}

static void seeds_decide_the_bits(void** state)
{
    (void)state;
    assert_true(hash_word("beam:6x5x4:1:0.2:3") == hash_word("beam:6x5x4:1:0.2:3"));
    assert_true(hash_word("beam:6x5x4:1:0.2:3") != hash_word("beam:6x5x4:1:0.2:4"));
    assert_true(hash_word("blob:1:8:3") == hash_word("blob:1:8:3"));
    assert_true(hash_word("blob:1:8:3") != hash_word("blob:1:8:4"));
}

static void bad_box_definitions_are_refused(void** state)
{
    (void)state;
    pliant_box_def bad[6];
    for (int i = 0; i < 6; ++i) bad[i] = box_def(5);
    bad[0].cells[1] = 0;
    bad[1].jitter = 0.31;
    bad[2].cell_size[2] = NAN;
    bad[3].tets_per_cell = 7;
    bad[4].jitter = NAN;
    bad[5].cell_size[0] = -1;
    const char* const text[6] = {"along y", "0.31", "cell size", "7 tets", "jitter", "positive"};
    for (int i = 0; i < 6; ++i) {
        pliant_mesh* mesh = (pliant_mesh*)&bad[i];
        assert_int_equal(pliant_mesh_box(&bad[i], &mesh), PLIANT_ERROR_ARGUMENT);
        assert_null(mesh);
        if (!strstr(pliant_error_text(), text[i]))
            fail_msg("no '%s' in: %s", text[i], pliant_error_text());
    }
}

static void a_definition_without_cookie_is_misuse(void** state)
{
    (void)state;
    int calls = 0;
    pliant_mesh* mesh = NULL;
    pliant_box_def def = box_def(5);
    def.cookie = 0;
    pliant_set_assert(count_misuse, &calls);
    assert_int_equal(pliant_mesh_box(&def, &mesh), PLIANT_ERROR_ARGUMENT);
    pliant_set_assert(NULL, NULL);
    assert_int_equal(calls, 1);
    assert_null(mesh);
}

// ---- round solids -------------------------------------------------------------------------------

typedef struct {
    const char* words;
    int tets;
    int euler;           // of the surface
    double min_dihedral; // [degrees]
} round_solid;

static const round_solid round_solids[] = {
    {"sphere:0.5:2", 20, 2, 60},
    {"sphere:0.5:3", 160, 2, 40},
    {"sphere:0.5:12", 20 * 216, 2, 38},
    {"blob:0.5:12:1", 20 * 216, 2, 20},
    {"torus", 18 * 9 * 48, 0, 25},
    {"torus:1:0.3:8", 18 * 16 * 84, 0, 25},
    {"torus:1:0.3:2", 18 * 21, 0, 25},
    {"cylinder", 18 * 16 * 16, 2, 30},
    {"cylinder:0.5:0.1:2", 18 * 100 * 2, 2, 30},
    {"cylinder:1:2.2:2", 18 * 1 * 3, 2, 30},
};
enum { ROUND_SOLIDS = sizeof round_solids / sizeof *round_solids };

static void round_solids_have_their_counts(void** state)
{
    (void)state;
    for (int i = 0; i < ROUND_SOLIDS; ++i) {
        pliant_mesh* mesh = generate(round_solids[i].words);
        int tets = pliant_mesh_view(mesh).tet_count;
        if (tets != round_solids[i].tets)
            fail_msg("%s has %d tets, not %d", round_solids[i].words, tets, round_solids[i].tets);
        pliant_mesh_destroy(mesh);
    }
}

static void round_solids_are_of_good_shape(void** state)
{
    (void)state;
    for (int i = 0; i < ROUND_SOLIDS; ++i) {
        pliant_mesh_quality q = measure_word(round_solids[i].words);
        assert_int_equal(q.inverted_tets + q.degenerate_tets, 0);
        CHECK_BETWEEN(q.min_dihedral, round_solids[i].min_dihedral, 90);
        assert_true(q.max_valence <= 32);
    }
}

static void surfaces_are_closed_and_of_the_right_topology(void** state)
{
    (void)state;
    for (int i = 0; i < ROUND_SOLIDS; ++i) {
        pliant_mesh *mesh = generate(round_solids[i].words), *surface = NULL;
        pliant_mesh_quality q = measure(mesh);
        CHECK_OK(pliant_mesh_boundary(mesh, &surface, NULL));
        pliant_mesh_arrays a = pliant_mesh_view(surface);
        assert_int_equal(a.vertex_count - a.triangle_count / 2, round_solids[i].euler);
        assert_int_equal(q.boundary_edges + q.nonmanifold_edges, 0);
        assert_int_equal(q.components, 1);
        assert_int_equal(q.duplicate_vertices + q.unreferenced_vertices, 0);
        CHECK_CLOSE(measure(surface).volume, q.volume, 1e-12);
        pliant_mesh_destroy(mesh);
        pliant_mesh_destroy(surface);
    }
}

static void volumes_and_areas_converge_to_the_closed_forms(void** state)
{
    (void)state;
    static const char* const words[3][2] = {{"sphere:1:8", "sphere:1:16"},
                                            {"torus:1:0.4:8", "torus:1:0.4:16"},
                                            {"cylinder:1:3:8", "cylinder:1:3:16"}};
    const double volume[3] = {4 * pi / 3, 2 * pi * pi * 0.16, 3 * pi};
    const double area[3] = {4 * pi, 4 * pi * pi * 0.4, 8 * pi};
    for (int i = 0; i < 3; ++i) {
        pliant_mesh_quality coarse = measure_word(words[i][0]), fine = measure_word(words[i][1]);
        // Second order: half the cell, a quarter of the error.
        CHECK_CLOSE((volume[i] - coarse.volume) / (volume[i] - fine.volume), 4, 0.1);
        CHECK_CLOSE((area[i] - coarse.area) / (area[i] - fine.area), 4, 0.1);
        CHECK_CLOSE(fine.volume, volume[i], 0.02);
    }
}

// How far a vertex is from the surface, relative to its size.
static double off_sphere(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2 - 1;
}

static double off_torus(const double v[3])
{
    double from_ring = sqrt(v[0] * v[0] + v[2] * v[2]) - 1;
    return sqrt(from_ring * from_ring + v[1] * v[1]) / 0.4 - 1;
}

static double off_cylinder(const double v[3])
{
    bool cap = fabs(v[1]) == 1.5;
    return cap ? 0 : sqrt(v[0] * v[0] + v[2] * v[2]) / 0.7 - 1;
}

static void surface_vertices_lie_on_the_surface(void** state)
{
    (void)state;
    static const char* const words[3] = {"sphere:2:9", "torus:1:0.4:7", "cylinder:0.7:3:6"};
    double (*const off[3])(const double*) = {off_sphere, off_torus, off_cylinder};
    for (int i = 0; i < 3; ++i) {
        pliant_mesh *mesh = generate(words[i]), *surface = NULL;
        CHECK_OK(pliant_mesh_boundary(mesh, &surface, NULL));
        pliant_mesh_arrays a = pliant_mesh_view(surface);
        for (int v = 0; v < a.vertex_count; ++v)
            CHECK_BETWEEN(off[i](a.vertices + 3 * v), -2e-15, 2e-15);
        pliant_mesh_destroy(mesh);
        pliant_mesh_destroy(surface);
    }
}

static void blobs_of_all_seeds_are_of_good_shape(void** state)
{
    (void)state;
    for (int seed = 0; seed < 40; ++seed) {
        pliant_mesh* mesh = NULL;
        CHECK_OK(pliant_mesh_blob(0.5, 10, (uint64_t)seed, &mesh));
        pliant_mesh_quality q = measure(mesh);
        assert_int_equal(q.inverted_tets, 0);
        CHECK_BETWEEN(q.min_dihedral, 15, 60);
        CHECK_BETWEEN(q.volume, 0.4, 0.7);
        pliant_mesh_destroy(mesh);
    }
}

// The golden values hold for every compiler and machine of this byte order.
static void bits_are_the_same_everywhere(void** state)
{
    (void)state;
    static const struct {
        const char* words;
        uint64_t hash;
    } golden[] = {
        {"beam:6x5x4:0.1:0.2:3", 0x9bce78da186d1be7u}, {"sphere:0.5:12", 0x72fa4f163d7293adu},
        {"torus:1:0.4:6", 0x6e0941acb795c198u},        {"cylinder:0.5:2:8", 0x6ce6081c56562697u},
        {"blob:0.5:12:7", 0x49354f58b1309f3cu},
    };
    for (size_t i = 0; i < sizeof golden / sizeof *golden; ++i) {
        uint64_t hash = hash_word(golden[i].words);
        if (hash != golden[i].hash)
            fail_msg("%s has the hash 0x%llx", golden[i].words, (unsigned long long)hash);
    }
}

static void circle_points_are_sines_and_cosines(void** state)
{
    (void)state;
    for (int count = 1; count < 60; ++count)
        for (int i = 0; i < count; ++i) {
            circle_point p = circle_at(i, count);
            // The angle itself is rounded by up to 1e-15.
            assert_true(fabs(p.cosine - cos(2 * pi * i / count)) < 2e-15);
            assert_true(fabs(p.sine - sin(2 * pi * i / count)) < 2e-15);
            circle_point mirrored = circle_at((count - i) % count, count);
            assert_true(mirrored.cosine == p.cosine && mirrored.sine == -p.sine);
        }
}

static void bad_round_solids_are_refused(void** state)
{
    (void)state;
    pliant_mesh* mesh = NULL;
    assert_int_equal(pliant_mesh_sphere(-1, 8, &mesh), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_mesh_sphere(1, 1, &mesh), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_mesh_sphere(NAN, 8, &mesh), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_mesh_torus(1, 1, 8, &mesh), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "thinner"));
    assert_int_equal(pliant_mesh_cylinder(1, INFINITY, 8, &mesh), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_mesh_blob(0, 8, 1, &mesh), PLIANT_ERROR_ARGUMENT);
    assert_null(mesh);
}

// ---- cloth and rope -----------------------------------------------------------------------------

static void cloth_is_a_flat_sheet_facing_up(void** state)
{
    (void)state;
    pliant_mesh* mesh = generate("cloth:6x4:3x1");
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    assert_int_equal(a.vertex_count, 7 * 5);
    assert_int_equal(a.triangle_count, 2 * 24);
    for (int t = 0; t < a.triangle_count; ++t) {
        const int* c = a.triangles + 3 * t;
        const double *p = a.vertices + 3 * c[0], *q = a.vertices + 3 * c[1],
                     *r = a.vertices + 3 * c[2];
        double up = (q[2] - p[2]) * (r[0] - p[0]) - (q[0] - p[0]) * (r[2] - p[2]);
        CHECK_CLOSE(up, 0.5 * 0.25, 1e-12);
    }
    pliant_mesh_quality q = measure(mesh);
    CHECK_CLOSE(q.area, 3, 1e-14);
    assert_true(q.min[0] == -1.5 && q.max[0] == 1.5 && q.min[2] == -0.5 && q.max[2] == 0.5);
    assert_int_equal(q.boundary_edges, 2 * (6 + 4));
    assert_int_equal(q.max_valence, 8); // the cut alternates
    pliant_mesh_destroy(mesh);
}

static double chain_length(const pliant_mesh_arrays* m)
{
    double length = 0;
    for (int i = 0; i < m->edge_count; ++i) {
        const double *a = m->vertices + 3 * m->edges[2 * i],
                     *b = m->vertices + 3 * m->edges[2 * i + 1];
        length += sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                       (a[2] - b[2]) * (a[2] - b[2]));
    }
    return length;
}

// Where it crosses itself, seen along z, it goes over and under by turns.
// Open at one rim, and seen from inside all around: what it encloses with a lid is negative.
static void cup_is_open_and_faces_inward(void** state)
{
    (void)state;
    pliant_mesh* mesh = generate("cup:0.5:0.8:64");
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    double area = 0, inward = 0;
    for (int i = 0; i < a.triangle_count; ++i) {
        const double* p[3];
        double u[3], v[3], n[3], middle[3];
        for (int k = 0; k < 3; ++k) p[k] = a.vertices + 3 * (size_t)a.triangles[3 * i + k];
        for (int k = 0; k < 3; ++k) {
            u[k] = p[1][k] - p[0][k], v[k] = p[2][k] - p[0][k];
            middle[k] = (k == 1 ? 0.4 : 0) - (p[0][k] + p[1][k] + p[2][k]) / 3;
        }
        for (int k = 0; k < 3; ++k)
            n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
        area += sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
        inward += n[0] * middle[0] + n[1] * middle[1] + n[2] * middle[2] > 0;
    }
    CHECK_CLOSE(area, 3.141592653589793 * (0.25 + 2 * 0.5 * 0.8), 1e-2);
    assert_int_equal(inward, a.triangle_count);
    pliant_mesh_destroy(mesh);
}

// Within its height, other for each seed, and no steeper between neighbors than its waves are.
static void terrain_is_smooth(void** state)
{
    (void)state;
    pliant_mesh *mesh = generate("terrain:60x60:4x4:0.5:1"),
                *other = generate("terrain:60x60:4x4:0.5:2");
    pliant_mesh_arrays a = pliant_mesh_view(mesh), b = pliant_mesh_view(other);
    double most = 0, step = 0, differ = 0;
    for (int i = 0; i < a.vertex_count; ++i) {
        double y = a.vertices[3 * i + 1];
        most = fmax(most, fabs(y));
        differ = fmax(differ, fabs(y - b.vertices[3 * i + 1]));
        if (i % 61) step = fmax(step, fabs(y - a.vertices[3 * i - 2]));
    }
    CHECK_BETWEEN(most, 0.1, 0.5);
    CHECK_BETWEEN(differ, 0.1, 1);
    CHECK_BETWEEN(step, 0, 0.5 * 3 * 4 / 60.0);
    pliant_mesh_destroy(mesh);
    pliant_mesh_destroy(other);
}

static void knot_is_a_trefoil(void** state)
{
    (void)state;
    pliant_mesh* mesh = generate("knot:2:300");
    pliant_mesh_arrays m = pliant_mesh_view(mesh);
    assert_int_equal(m.edge_count, 300);
    CHECK_BETWEEN(chain_length(&m), 0.997 * 2, 2); // chords are shorter than the curve
    int crossings = 0, over[6] = {0};
    double at[6];
    for (int i = 0; i < 300; ++i)
        for (int j = 0; j < 300; ++j) {
            const double *a = m.vertices + 3 * i, *b = a + 3, *c = m.vertices + 3 * j, *d = c + 3;
            double cross = (b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0]);
            double s = ((c[0] - a[0]) * (d[1] - c[1]) - (c[1] - a[1]) * (d[0] - c[0])) / cross;
            double t = ((c[0] - a[0]) * (b[1] - a[1]) - (c[1] - a[1]) * (b[0] - a[0])) / cross;
            bool meet = abs(i - j) > 1 && s >= 0 && s < 1 && t >= 0 && t < 1;
            if (!meet) continue;
            assert_true(crossings < 6);
            at[crossings] = i + s;
            over[crossings++] = a[2] + s * (b[2] - a[2]) > c[2] + t * (d[2] - c[2]);
        }
    assert_int_equal(crossings, 6); // three, each seen from both of its strands
    for (int i = 1; i < 6; ++i) {
        assert_true(at[i] > at[i - 1]);
        assert_int_not_equal(over[i], over[i - 1]);
    }
    pliant_mesh_destroy(mesh);
}

static void rope_is_a_chain(void** state)
{
    (void)state;
    pliant_mesh* mesh = generate("rope:3:6");
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    assert_int_equal(a.vertex_count, 7);
    assert_int_equal(a.edge_count, 6);
    pliant_mesh_quality q = measure(mesh);
    assert_true(q.min[0] == 0 && q.max[0] == 3);
    CHECK_CLOSE(q.shortest_edge, 0.5, 1e-14);
    CHECK_CLOSE(q.longest_edge, 0.5, 1e-14);
    assert_int_equal(q.components, 1);
    pliant_mesh_destroy(mesh);
}

// ---- words --------------------------------------------------------------------------------------

static void every_word_of_the_help_spells_out_its_defaults(void** state)
{
    (void)state;
    int lines = 0;
    for (const char* line = pliant_mesh_generate_help(); *line; line = strchr(line, '\n') + 1) {
        char full[64] = {0}, bare[64] = {0};
        memcpy(full, line, strcspn(line, " "));
        memcpy(bare, line, strcspn(line, ": "));
        if (hash_word(full) != hash_word(bare)) fail_msg("%s differs from %s", full, bare);
        ++lines;
    }
    assert_int_equal(lines, 22);
}

static void empty_groups_have_defaults(void** state)
{
    (void)state;
    assert_true(hash_word("torus::0.2:4") == hash_word("torus:1:0.2:4"));
    assert_true(hash_word("beam:2x2x2:") == hash_word("beam:2x2x2:0.1"));
}

typedef struct {
    const char *words, *text;
} bad_word;

static void check_refused(const bad_word* bad)
{
    pliant_mesh* mesh = NULL;
    assert_int_equal(pliant_mesh_generate(bad->words, &mesh), PLIANT_ERROR_ARGUMENT);
    assert_null(mesh);
    if (!strstr(pliant_error_text(), bad->text))
        fail_msg("%s: no '%s' in: %s", bad->words, bad->text, pliant_error_text());
}

static void bad_words_are_refused_with_a_reason(void** state)
{
    (void)state;
    static const bad_word bad[] = {
        {"", "these exist"},
        {"bear", "cylinder:"},
        {"torus2", "no mesh 'torus2'"},
        {"torus:one", "ring radius is not a plain number at 'one'"},
        {"torus:1:-0.3", "tube radius"},
        {"torus:1e3", "'e3' does not belong behind ring radius"},
        {"torus:1:0.3:8:9", "no more than 3"},
        {"beam:1x1x1:1:0:1:1", "no more than 4"},
        {"beam:21x6", "cells needs 3 numbers joined by x"},
        {"beam:21x6x6x6", "'x6' does not belong"},
        {"beam:2.5x6x6", "whole number"},
        {"beam:0x6x6", "along x"},
        {"beam:2x2x2:0.1:0.5", "jitter"},
        {"sphere:0.5:1", "at least 2"},
        {"sphere:0.1234567890123456", "15 digits"},
        {"sphere:0:8", "positive"},
        {"rope:1:99999999999", "too large"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) check_refused(&bad[i]);
}

static void absurd_sizes_are_refused(void** state)
{
    (void)state;
    static const bad_word bad[] = {
        {"beam:2147483647x2147483647x2147483647", "the limit is"},
        {"box6:2147483647x1x1", "the limit is"},
        {"beam:400x400x400", "the limit is"},
        {"sphere:1:2147483647", "the limit is"},
        {"sphere:1:1000", "the limit is"},
        {"torus:1:0.0000000001:8", "the limit is"},
        {"torus:1:0.5:2147483647", "the limit is"},
        {"cylinder:1000000:0.000001:8", "the limit is"},
        {"cylinder:1:1:2147483647", "the limit is"},
        {"cloth:2147483647x2147483647", "the limit is"},
        {"rope:1:2147483647", "the limit is"},
        {"knot:1:19", "at least 20 is needed"},
        {"cup:1:1:2", "at least 3 are needed"},
        {"cup:1:0", "the height of a cup"},
        {"cup:1:1:2147483647", "the limit is"},
        {"terrain:4x4:1x1:0", "the height of a terrain"},
        {"terrain:2147483647x2", "the limit is"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) check_refused(&bad[i]);
}

static pliant_result attempt_word(const void* words)
{
    pliant_mesh* mesh = (pliant_mesh*)&mesh;
    pliant_result result = pliant_mesh_generate((const char*)words, &mesh);
    assert_true((mesh == NULL) == (result != PLIANT_OK));
    pliant_mesh_destroy(mesh);
    return result;
}

// Closed, and seen from outside: what they enclose is positive, and in the middle.
static void bricks_links_and_bananas_are_closed(void** state)
{
    (void)state;
    const char* const words[] = {"brick:1x2x3", "link:0.2:0.1:0.02:7", "banana:0.3:0.04:9"};
    const double least[] = {6, 5e-5, 5e-4}, most[] = {6, 2e-4, 2e-3};
    for (int i = 0; i < 3; ++i) {
        pliant_mesh *mesh = generate(words[i]), *surface = NULL;
        pliant_mesh_quality q;
        if (i == 0) {
            CHECK_OK(pliant_mesh_boundary(mesh, &surface, NULL));
            pliant_mesh_destroy(mesh);
            mesh = surface;
        }
        CHECK_OK(pliant_mesh_measure(mesh, &q));
        assert_int_equal(q.boundary_edges, 0);
        assert_int_equal(q.nonmanifold_edges, 0);
        pliant_mesh_arrays a = pliant_mesh_view(mesh);
        double volume = 0;
        for (int t = 0; t < a.triangle_count; ++t) {
            const double *x = a.vertices + 3 * a.triangles[3 * t],
                         *y = a.vertices + 3 * a.triangles[3 * t + 1],
                         *z = a.vertices + 3 * a.triangles[3 * t + 2];
            for (int k = 0; k < 3; ++k)
                volume +=
                    x[k] * (y[(k + 1) % 3] * z[(k + 2) % 3] - y[(k + 2) % 3] * z[(k + 1) % 3]) / 6;
        }
        CHECK_BETWEEN(volume, least[i] * (1 - 1e-12), most[i] * (1 + 1e-12));
        pliant_mesh_destroy(mesh);
    }
}

static void generators_survive_every_failed_allocation(void** state)
{
    (void)state;
    static const char* const words[] = {"beam:2x2x2", "box6",  "sphere:1:2", "torus",   "cylinder",
                                        "blob:1:2",   "cloth", "rope",       "terrain", "cup",
                                        "brick",      "link",  "banana"};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        assert_true(check_every_failure(attempt_word, words[i]) >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_have_their_counts_and_volume),
        cmocka_unit_test(faces_of_box_cells_match),
        cmocka_unit_test(box_vertices_count_z_first),
        cmocka_unit_test(jitter_moves_inner_vertices_within_its_bound),
        cmocka_unit_test(jitter_leaves_no_flat_tet),
        cmocka_unit_test(seeds_decide_the_bits),
        cmocka_unit_test(bad_box_definitions_are_refused),
        cmocka_unit_test(a_definition_without_cookie_is_misuse),
        cmocka_unit_test(round_solids_have_their_counts),
        cmocka_unit_test(round_solids_are_of_good_shape),
        cmocka_unit_test(surfaces_are_closed_and_of_the_right_topology),
        cmocka_unit_test(volumes_and_areas_converge_to_the_closed_forms),
        cmocka_unit_test(surface_vertices_lie_on_the_surface),
        cmocka_unit_test(blobs_of_all_seeds_are_of_good_shape),
        cmocka_unit_test(bits_are_the_same_everywhere),
        cmocka_unit_test(circle_points_are_sines_and_cosines),
        cmocka_unit_test(bad_round_solids_are_refused),
        cmocka_unit_test(cloth_is_a_flat_sheet_facing_up),
        cmocka_unit_test(rope_is_a_chain),
        cmocka_unit_test(knot_is_a_trefoil),
        cmocka_unit_test(cup_is_open_and_faces_inward),
        cmocka_unit_test(bricks_links_and_bananas_are_closed),
        cmocka_unit_test(terrain_is_smooth),
        cmocka_unit_test(every_word_of_the_help_spells_out_its_defaults),
        cmocka_unit_test(empty_groups_have_defaults),
        cmocka_unit_test(bad_words_are_refused_with_a_reason),
        cmocka_unit_test(absurd_sizes_are_refused),
        cmocka_unit_test(generators_survive_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
