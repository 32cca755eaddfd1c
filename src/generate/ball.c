// Balls and blobs.
//
// An icosahedron is 20 tets around its center, nearly regular ones. Each is refined into n^3 tets
// (n layers from the center out), and layer r is then bent onto the sphere of radius r / n: only
// square roots, so the bits are the same on every machine.
#include "base/random.h"
#include "mesh/limit.h"
#include "mesh/shape.h"
#include <math.h>

enum { ICO_CORNERS = 12, ICO_EDGES = 30, ICO_FACES = 20 };

typedef struct {
    double corner[ICO_CORNERS][3];      // on the unit sphere
    int edge[ICO_CORNERS][ICO_CORNERS]; // number of the edge between two corners, or -1
    int face[ICO_FACES][3];             // counter-clockwise from outside
} icosahedron;

// Bumps: harmonics of a low degree about random axes.
enum { BUMPS = 6 };
typedef struct {
    double axis[BUMPS][3]; // unit vectors
    double height[BUMPS];  // [-] the radius grows by this fraction at the axis' end
} bumps;

typedef struct {
    icosahedron ico;
    int layers;
    double radius;
    const bumps* bumps; // NULL for a ball
    pliant_mesh* mesh;
    int* next_tet;
} ball;

// A vertex of the refined tet over a face: how many steps of `layers` towards each corner.
typedef struct {
    int towards[3];
} ball_place;

static void place_corners(icosahedron* ico)
{
    const double golden = (1 + sqrt(5)) / 2, length = sqrt(1 + golden * golden);
    for (int c = 0; c < ICO_CORNERS; ++c) {
        int axis = c / 4;
        ico->corner[c][axis] = 0;
        ico->corner[c][(axis + 1) % 3] = (c & 1 ? 1 : -1) / length;
        ico->corner[c][(axis + 2) % 3] = (c & 2 ? golden : -golden) / length;
    }
}

// Neighbor corners are 63 degrees apart, the next ones 117.
static bool are_neighbors(const icosahedron* ico, int a, int b)
{
    const double *p = ico->corner[a], *q = ico->corner[b];
    return a != b && p[0] * q[0] + p[1] * q[1] + p[2] * q[2] > 0;
}

static void add_face(icosahedron* ico, int number, int a, int b, int c)
{
    point p = vertex_at(&ico->corner[0][0], a);
    point normal = point_cross(vertex_at(&ico->corner[0][0], b), vertex_at(&ico->corner[0][0], c));
    bool outward = point_dot(p, normal) > 0;
    ico->face[number][0] = a;
    ico->face[number][1] = outward ? b : c;
    ico->face[number][2] = outward ? c : b;
}

static void build_icosahedron(icosahedron* ico)
{
    int edges = 0, faces = 0;
    place_corners(ico);
    for (int a = 0; a < ICO_CORNERS; ++a)
        for (int b = 0; b < ICO_CORNERS; ++b) {
            if (a > b) continue;
            ico->edge[a][b] = ico->edge[b][a] = are_neighbors(ico, a, b) ? edges++ : -1;
        }
    for (int a = 0; a < ICO_CORNERS; ++a)
        for (int b = a + 1; b < ICO_CORNERS; ++b)
            for (int c = b + 1; c < ICO_CORNERS; ++c)
                if (ico->edge[a][b] >= 0 && ico->edge[b][c] >= 0 && ico->edge[a][c] >= 0)
                    add_face(ico, faces++, a, b, c);
}

static int ball_vertices(int layers)
{
    return 1 + 5 * layers * (layers + 1) * (2 * layers + 1) / 3 + 2 * layers;
}

static int edge_vertex(const icosahedron* ico, int from, int to, int steps, int layer)
{
    int step = from < to ? steps : layer - steps;
    return ICO_CORNERS + ico->edge[from][to] * (layer - 1) + step - 1;
}

// Each layer has its 12 corners first, then what lies inside its 30 edges, then its 20 faces.
static int ball_vertex(const icosahedron* ico, int face, ball_place p)
{
    const int *n = p.towards, *corner = ico->face[face];
    int layer = n[0] + n[1] + n[2];
    if (layer == 0) return 0;
    int first = ball_vertices(layer - 1);
    for (int i = 0; i < 3; ++i)
        if (n[i] == layer) return first + corner[i];
    for (int i = 0; i < 3; ++i) {
        int from = (i + 1) % 3, to = (i + 2) % 3;
        if (n[i] == 0) return first + edge_vertex(ico, corner[from], corner[to], n[to], layer);
    }
    int before = ICO_CORNERS + ICO_EDGES * (layer - 1) + face * ((layer - 1) * (layer - 2) / 2);
    int row = n[1] - 1;
    return first + before + row * (layer - 1) - n[1] * row / 2 + n[0] - 1;
}

static double harmonic(int degree, double t)
{
    double s = t * t;
    if (degree == 2) return (3 * s - 1) / 2;
    if (degree == 3) return (5 * s - 3) * t / 2;
    return ((35 * s - 30) * s + 3) / 8;
}

static double bump_factor(const bumps* b, const double direction[3])
{
    double factor = 1;
    for (int i = 0; i < BUMPS; ++i) {
        const double* axis = b->axis[i];
        double t = axis[0] * direction[0] + axis[1] * direction[1] + axis[2] * direction[2];
        factor += b->height[i] * harmonic(2 + i % 3, t);
    }
    return factor;
}

static void place_at(ball* b, int face, ball_place p)
{
    const int *n = p.towards, *corner = b->ico.face[face];
    int layer = n[0] + n[1] + n[2];
    double direction[3], length = 0;
    for (int axis = 0; axis < 3; ++axis) {
        direction[axis] = 0;
        for (int i = 0; i < 3; ++i) direction[axis] += n[i] * b->ico.corner[corner[i]][axis];
        length += direction[axis] * direction[axis];
    }
    length = layer ? sqrt(length) : 1;
    for (int axis = 0; axis < 3; ++axis) direction[axis] /= length;
    double radius = b->radius * ((double)layer / b->layers);
    if (b->bumps) radius *= bump_factor(b->bumps, direction);
    double* vertex = b->mesh->vertices + 3 * (ptrdiff_t)ball_vertex(&b->ico, face, p);
    for (int axis = 0; axis < 3; ++axis) vertex[axis] = radius * direction[axis];
}

static void add_tet(ball* b, int v0, int v1, int v2, int v3)
{
    int* tet = b->next_tet;
    tet[0] = v0, tet[1] = v1, tet[2] = v2, tet[3] = v3;
    if (tet_volume(b->mesh->vertices, tet) < 0) tet[2] = v3, tet[3] = v2;
    b->next_tet += 4;
}

// One step from p towards the corners in the set of bits.
static int stepped(const ball* b, int face, ball_place p, int corners)
{
    for (int i = 0; i < 3; ++i) p.towards[i] += corners >> i & 1;
    return ball_vertex(&b->ico, face, p);
}

// Four tets around the shortest diagonal.
static void cut_octahedron(ball* b, int face, ball_place p)
{
    int inner[3], outer[3], axis = 0; // diagonal i goes from inner[i] to outer[i]
    double shortest = INFINITY;
    for (int i = 0; i < 3; ++i) {
        inner[i] = stepped(b, face, p, 1 << i);
        outer[i] = stepped(b, face, p, 7 - (1 << i));
        double length = squared_distance(b->mesh->vertices, inner[i], outer[i]);
        if (length < shortest) shortest = length, axis = i;
    }
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    const int around[5] = {inner[i], inner[j], outer[i], outer[j], inner[i]};
    for (int k = 0; k < 4; ++k) add_tet(b, inner[axis], outer[axis], around[k], around[k + 1]);
}

static void cut_at(ball* b, int face, ball_place p)
{
    int room = b->layers - p.towards[0] - p.towards[1] - p.towards[2];
    if (room >= 1)
        add_tet(b, stepped(b, face, p, 0), stepped(b, face, p, 1), stepped(b, face, p, 2),
                stepped(b, face, p, 4));
    if (room >= 2) cut_octahedron(b, face, p);
    if (room >= 3)
        add_tet(b, stepped(b, face, p, 3), stepped(b, face, p, 5), stepped(b, face, p, 6),
                stepped(b, face, p, 7));
}

typedef void visit_fn(ball* b, int face, ball_place p);

static void visit_places(ball* b, visit_fn* visit)
{
    for (int face = 0; face < ICO_FACES; ++face)
        for (int layer = 0; layer <= b->layers; ++layer)
            for (int i = 0; i <= layer; ++i)
                for (int j = 0; j <= layer - i; ++j) {
                    ball_place p = {{layer - i - j, j, i}};
                    visit(b, face, p);
                }
}

static pliant_result make_ball(double radius, int resolution, const bumps* bump, pliant_mesh** out)
{
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    pliant_result result = check_positive("the radius of a ball", radius);
    if (!result) result = check_resolution("a ball", resolution);
    double n = ceil(resolution / 2.0);
    if (!result) result = check_size("the ball", 10 * n * n * n / 3, 20 * n * n * n);
    if (result) return result;
    ball b = {.layers = (int)n, .radius = radius, .bumps = bump};
    b.mesh = mesh_allocate(ball_vertices(b.layers), 20 * b.layers * b.layers * b.layers, 0, 0);
    if (!b.mesh) return PLIANT_ERROR_MEMORY;
    b.next_tet = b.mesh->tets;
    build_icosahedron(&b.ico);
    visit_places(&b, place_at);
    visit_places(&b, cut_at);
    *out = b.mesh;
    return PLIANT_OK;
}

pliant_result pliant_mesh_sphere(double radius, int resolution, pliant_mesh** out)
{
    return make_ball(radius, resolution, NULL, out);
}

// Heights add up to 0.6, so that no direction loses more than that of the radius.
static bumps random_bumps(uint64_t seed)
{
    random_source random = {seed};
    bumps b;
    double sum = 0;
    for (int i = 0; i < BUMPS; ++i) {
        double* axis = b.axis[i];
        random_in_ball(&random, axis);
        double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
        for (int k = 0; k < 3; ++k) axis[k] = length > 0 ? axis[k] / length : 0;
        b.height[i] = random_range(&random, -1, 1);
        sum += fabs(b.height[i]);
    }
    for (int i = 0; i < BUMPS; ++i) b.height[i] *= 0.6 / sum;
    return b;
}

pliant_result pliant_mesh_blob(double radius, int resolution, uint64_t seed, pliant_mesh** out)
{
    bumps bump = random_bumps(seed);
    return make_ball(radius, resolution, &bump, out);
}
