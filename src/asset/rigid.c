#include "asset/rigid.h"
#include "asset/asset.h"
#include "base/memory.h"
#include "math/jacobi.h"
#include "mesh/shape.h"
#include <math.h>
#include <string.h>

// ---- sums ---------------------------------------------------------------------------------------

// Of mass, mass times place, and mass times place times place.
typedef struct {
    double mass, volume, first[3], second[3][3];
} moments;

// A simplex of that mass, whose corners are as many as it has: the mean of x x^T over it is (sum of
// x_i x_i^T + sum of x_i times sum of x_i^T) / (n (n + 1)).
static void add_simplex(moments* m, const double* vertices, const int* corner, int n, double mass)
{
    double sum[3] = {0, 0, 0}, part = mass / (n * (n + 1));
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < 3; ++k) sum[k] += vertices[3 * (size_t)corner[i] + (size_t)k];
    for (int a = 0; a < 3; ++a) {
        m->first[a] += mass * sum[a] / n;
        for (int b = 0; b < 3; ++b) {
            double of_corners = 0;
            for (int i = 0; i < n; ++i)
                of_corners += vertices[3 * (size_t)corner[i] + (size_t)a] *
                              vertices[3 * (size_t)corner[i] + (size_t)b];
            m->second[a][b] += part * (of_corners + sum[a] * sum[b]);
        }
    }
    m->mass += mass;
}

static void add_ball(moments* m, const double* x, double radius, double mass)
{
    for (int a = 0; a < 3; ++a) {
        m->first[a] += mass * x[a];
        for (int b = 0; b < 3; ++b) m->second[a][b] += mass * x[a] * x[b];
        m->second[a][a] += mass * radius * radius / 5;
    }
    m->mass += mass;
}

// What a closed surface encloses: pyramids over its triangles, with the first vertex as their tip.
static void add_enclosed(moments* m, const pliant_mesh* mesh, double density)
{
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const int* c = mesh->triangles + 3 * (size_t)t;
        const int tet[4] = {0, c[0], c[1], c[2]};
        double volume = tet_volume(mesh->vertices, tet);
        m->volume += volume;
        add_simplex(m, mesh->vertices, tet, 4, density * volume);
    }
}

static double squared_length(const pliant_mesh* m, const int* edge)
{
    return squared_distance(m->vertices, edge[0], edge[1]);
}

static void add_elements(moments* m, const pliant_asset* a)
{
    const pliant_mesh* mesh = a->mesh;
    for (int t = 0; t < mesh->tet_count; ++t) {
        const int* c = mesh->tets + 4 * (size_t)t;
        double volume = tet_volume(mesh->vertices, c);
        m->volume += volume;
        add_simplex(m, mesh->vertices, c, 4, asset_material(a, t)->density * volume);
    }
    for (int e = 0; e < mesh->edge_count; ++e) {
        double volume = asset_rope_area(a) * sqrt(squared_length(mesh, mesh->edges + 2 * e));
        m->volume += volume;
        add_simplex(m, mesh->vertices, mesh->edges + 2 * e, 2, a->material[0].density * volume);
    }
    for (int t = 0; t < cloth_triangles(mesh); ++t) {
        const int* c = mesh->triangles + 3 * (size_t)t;
        add_simplex(m, mesh->vertices, c, 3,
                    a->def.cloth.density * triangle_area(mesh->vertices, c));
    }
    for (int v = 0; mesh_is_loose(mesh) && v < mesh->vertex_count; ++v)
        add_ball(m, mesh->vertices + 3 * (size_t)v, asset_radius(a, v), a->mass[v]);
}

// ---- axes ---------------------------------------------------------------------------------------

static void find_axes(double second[3][3], rigid_shape* out)
{
    jacobi_solve(3, &second[0][0], &out->axis[0][0]);
    double most = 0;
    for (int k = 0; k < 3; ++k) {
        out->inertia[k] = second[(k + 1) % 3][(k + 1) % 3] + second[(k + 2) % 3][(k + 2) % 3];
        most = fmax(most, out->inertia[k]);
    }
    // A needle can hardly be turned about itself, and has to be.
    const double least = 1e-4;
    for (int k = 0; k < 3; ++k) out->inertia[k] = fmax(out->inertia[k], least * most);
}

// The quaternion of a rotation whose images of x, y, z are these: from the largest of its numbers.
static void find_turn(double axis[3][3], double out[4])
{
    double trace = axis[0][0] + axis[1][1] + axis[2][2];
    int i = 3; // the largest
    for (int k = 0; k < 3; ++k)
        if (axis[k][k] > (i == 3 ? trace : axis[i][i])) i = k;
    if (i == 3) {
        out[3] = 0.5 * sqrt(1 + trace);
        for (int k = 0; k < 3; ++k) {
            int u = (k + 1) % 3, v = (k + 2) % 3;
            out[k] = (axis[u][v] - axis[v][u]) / (4 * out[3]);
        }
        return;
    }
    int u = (i + 1) % 3, v = (i + 2) % 3;
    out[i] = 0.5 * sqrt(1 + axis[i][i] - axis[u][u] - axis[v][v]);
    out[u] = (axis[i][u] + axis[u][i]) / (4 * out[i]);
    out[v] = (axis[i][v] + axis[v][i]) / (4 * out[i]);
    out[3] = (axis[u][v] - axis[v][u]) / (4 * out[i]);
}

// ---- all of it ----------------------------------------------------------------------------------

static void take_moments(const moments* m, rigid_shape* out)
{
    double second[3][3];
    out->mass = m->mass;
    out->volume = m->volume;
    for (int k = 0; k < 3; ++k) out->center[k] = m->first[k] / m->mass;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            second[a][b] = m->second[a][b] - m->mass * out->center[a] * out->center[b];
    find_axes(second, out);
    find_turn(out->axis, out->turn);
}

static void place_locally(const pliant_mesh* m, rigid_shape* out)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int v = 0; v < m->vertex_count; ++v) {
        double square = 0;
        for (int k = 0; k < 3; ++k) {
            const double* x = m->vertices + 3 * (size_t)v;
            double at = 0;
            for (int i = 0; i < 3; ++i) at += out->axis[k][i] * (x[i] - out->center[i]);
            out->local[3 * (size_t)v + (size_t)k] = at;
            low[k] = fmin(low[k], at);
            high[k] = fmax(high[k], at);
            square += at * at;
        }
        out->reach = fmax(out->reach, sqrt(square));
    }
    out->size = fmin(high[0] - low[0], fmin(high[1] - low[1], high[2] - low[2]));
}

// Out of triangles alone, each edge of which has two.
static pliant_result find_enclosed(const pliant_mesh* m, bool* out)
{
    pliant_mesh_quality q = {0};
    *out = false;
    if (m->tet_count || m->edge_count || m->triangle_count == 0) return PLIANT_OK;
    pliant_result result = pliant_mesh_measure(m, &q);
    *out = !result && q.boundary_edges == 0 && q.nonmanifold_edges == 0;
    return result;
}

pliant_result rigid_shape_create(const pliant_asset* a, rigid_shape* out)
{
    moments m = {0};
    bool encloses;
    memset(out, 0, sizeof *out);
    pliant_result result = find_enclosed(a->mesh, &encloses);
    if (result) return result;
    if (encloses)
        add_enclosed(&m, a->mesh, a->material[0].density);
    else
        add_elements(&m, a);
    if (!(m.mass > 0) || !isfinite(m.mass))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "a rigid body weighs %g kg: its surface is to be counter-clockwise seen from "
                    "outside (pliant mesh --orient), and its density above 0",
                    m.mass);
    take_moments(&m, out);
    double most = fmax(out->inertia[0], fmax(out->inertia[1], out->inertia[2]));
    if (!(most > 0))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "a rigid body is a single point, which cannot turn: give it a radius, or more "
                    "vertices");
    out->encloses = encloses;
    out->local = (double*)mem_array((size_t)a->mesh->vertex_count, 3 * sizeof(double));
    if (!out->local) return PLIANT_ERROR_MEMORY;
    place_locally(a->mesh, out);
    return PLIANT_OK;
}

void rigid_shape_destroy(rigid_shape* s)
{
    mem_free(s->local);
    memset(s, 0, sizeof *s);
}
