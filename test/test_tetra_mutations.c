// Random damage to good surfaces: the tetrahedralizer makes a valid mesh of them or says why not,
// leaks nothing and comes to an end. PLIANT_MUTATIONS sets the number (200 unless told, 60 for
// sanitizers), PLIANT_MUTATION_SEED chooses others.
#include "base/random.h"

#include "meshes.h"

enum { MOST_VERTICES = 1024, MOST_TRIANGLES = 1024 };

typedef struct {
    double vertex[3 * MOST_VERTICES];
    int triangle[3 * MOST_TRIANGLES];
    int vertices, triangles;
    random_source* random;
} victim;

static int number_from(const char* variable, int usual)
{
    const char* text = getenv(variable);
    int number = text ? atoi(text) : 0;
    return number > 0 ? number : usual;
}

// ---- damage

static double* any_vertex(victim* v)
{
    return v->vertex + 3 * random_index(v->random, v->vertices);
}

static int* any_triangle(victim* v)
{
    return v->triangle + 3 * random_index(v->random, v->triangles);
}

static void move_vertex(victim* v)
{
    double offset[3], *x = any_vertex(v);
    random_in_ball(v->random, offset);
    for (int k = 0; k < 3; ++k) x[k] += offset[k];
}

static void join_vertices(victim* v) { memcpy(any_vertex(v), any_vertex(v), 3 * sizeof(double)); }

static void change_coordinate(victim* v)
{
    static const double numbers[] = {0,    -0.0,  1e-300, 1e-30, 1e-9,    -1e-3,    1e3,     -1e9,
                                     1e30, 1e100, -1e200, 1e300, 1.7e308, -1.7e308, 4.9e-324};
    any_vertex(v)[random_index(v->random, 3)] = numbers[random_index(v->random, 15)];
}

static void flatten(victim* v)
{
    int axis = random_index(v->random, 3);
    double part = random_index(v->random, 2) ? 0 : 1e-6;
    for (int i = 0; i < v->vertices; ++i) v->vertex[3 * i + axis] *= part;
}

static void flip_triangle(victim* v)
{
    int *corner = any_triangle(v), swapped = corner[0];
    corner[0] = corner[1], corner[1] = swapped;
}

static void drop_triangle(victim* v)
{
    if (v->triangles < 2) return;
    v->triangles -= 1;
    memcpy(any_triangle(v), v->triangle + 3 * v->triangles, 3 * sizeof(int));
}

static void change_corner(victim* v)
{
    any_triangle(v)[random_index(v->random, 3)] = random_index(v->random, v->vertices);
}

static void add_triangle(victim* v)
{
    if (v->triangles == MOST_TRIANGLES) return;
    for (int k = 0; k < 3; ++k)
        v->triangle[3 * v->triangles + k] = random_index(v->random, v->vertices);
    v->triangles += 1;
}

static void repeat_triangle(victim* v)
{
    if (v->triangles == MOST_TRIANGLES) return;
    memcpy(v->triangle + 3 * v->triangles, any_triangle(v), 3 * sizeof(int));
    v->triangles += 1;
}

static void damage(victim* v)
{
    static void (*const ways[])(victim*) = {move_vertex,     join_vertices,     drop_triangle,
                                            flip_triangle,   change_corner,     add_triangle,
                                            repeat_triangle, change_coordinate, flatten};
    int times = 1 << random_index(v->random, 7);
    for (int i = 0; i < times; ++i) {
        // The last two ruin the rest, so they are rare.
        int way = random_index(v->random, random_index(v->random, 100) ? 7 : 9);
        ways[way](v);
    }
}

// ---- the test

static void take(victim* v, const char* words)
{
    pliant_mesh* surface = surface_of(words);
    pliant_mesh_arrays a = pliant_mesh_view(surface);
    assert_true(a.vertex_count <= MOST_VERTICES && a.triangle_count <= MOST_TRIANGLES / 2);
    memcpy(v->vertex, a.vertices, 3 * sizeof(double) * (size_t)a.vertex_count);
    memcpy(v->triangle, a.triangles, 3 * sizeof(int) * (size_t)a.triangle_count);
    v->vertices = a.vertex_count;
    v->triangles = a.triangle_count;
    pliant_mesh_destroy(surface);
}

static void check_mesh(const pliant_mesh* mesh, int number)
{
    pliant_mesh_quality q = measure(mesh);
    if (q.min_dihedral >= 8 && q.inverted_tets == 0 && q.boundary_edges == 0 &&
        q.nonmanifold_edges == 0)
        return;
    fail_msg("mutation %d: angle %g, %d inverted tets, %d open and %d crowded edges", number,
             q.min_dihedral, q.inverted_tets, q.boundary_edges, q.nonmanifold_edges);
}

// Returns whether it was filled.
static bool fill_damaged(const victim* v, int number)
{
    pliant_mesh* mesh = NULL;
    pliant_mesh* surface = create_triangles(v->vertex, v->vertices, v->triangle, v->triangles);
    pliant_tet_def def = pliant_tet_defaults();
    def.tets = 20 << random_index(v->random, 5);
    def.threads = 1;
    pliant_result result = pliant_mesh_tetrahedralize(surface, &def, &mesh, NULL);
    pliant_mesh_destroy(surface);
    if (result == PLIANT_OK) {
        check_mesh(mesh, number);
    } else {
        assert_null(mesh);
        assert_int_equal(result, PLIANT_ERROR_ARGUMENT);
        assert_true(strlen(pliant_error_text()) > 20);
    }
    pliant_mesh_destroy(mesh);
    assert_int_equal(pliant_allocated_bytes(), 0);
    return result == PLIANT_OK;
}

static void damaged_surfaces_are_filled_or_refused(void** state)
{
    (void)state;
    static const char* const models[] = {"box6:1x1x1", "sphere:0.5:4", "torus:1:0.6:2",
                                         "box6:3x1x2", "cylinder:0.3:1:2"};
    static victim v;
    random_source random = {.state = (uint64_t)number_from("PLIANT_MUTATION_SEED", 2026)};
    v.random = &random;
    int count = number_from("PLIANT_MUTATIONS", by_scope(40, 60, 200)), filled = 0;
    for (int i = 0; i < count; ++i) {
        take(&v, models[i % 5]);
        damage(&v);
        filled += fill_damaged(&v, i);
    }
    print_message("%d mutations, %d of them filled\n", count, filled);
    assert_in_range(filled, count / 10, count - count / 20);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_surfaces_are_filled_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
