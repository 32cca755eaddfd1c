// What every mesh that fills a surface has to be, and surfaces in all directions.
#pragma once
#include "base/random.h"
#include "meshes.h"
#include "soup.h"
#include "tetra/star.h"

// What every mesh has to be. Returns its quality, and destroys it.
static inline pliant_mesh_quality check_mesh(pliant_mesh* mesh, int components)
{
    pliant_mesh* boundary = NULL;
    pliant_mesh_quality q = measure(mesh);
    CHECK_OK(pliant_mesh_boundary(mesh, &boundary, NULL));
    pliant_mesh_quality b = measure_last(boundary);
    CHECK_BETWEEN(q.min_dihedral, 8, 90);
    CHECK_BETWEEN(q.max_dihedral, 90, 165);
    assert_int_equal(q.inverted_tets, 0);
    assert_int_equal(q.boundary_edges, 0);
    assert_int_equal(q.nonmanifold_edges, 0);
    assert_int_equal(count_pinched_vertices(mesh), 0);
    assert_int_equal(q.unreferenced_vertices, 0);
    assert_int_equal(q.components, components);
    CHECK_CLOSE(b.volume, q.volume, 1e-9); // the boundary faces outward everywhere
    pliant_mesh_destroy(mesh);
    return q;
}

typedef struct {
    double axis[3], cosine, sine;
} turn;

static inline turn random_turn(random_source* random)
{
    turn t;
    double length = 0, angle = random_range(random, 0, 3);
    random_in_ball(random, t.axis);
    for (int k = 0; k < 3; ++k) length += t.axis[k] * t.axis[k];
    for (int k = 0; k < 3; ++k) t.axis[k] /= sqrt(length);
    t.cosine = cos(angle), t.sine = sin(angle);
    return t;
}

static inline point turned(point p, const turn* t)
{
    point out;
    double along = 0;
    for (int k = 0; k < 3; ++k) along += t->axis[k] * p.x[k];
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double across = t->axis[i] * p.x[j] - t->axis[j] * p.x[i];
        out.x[k] = t->cosine * p.x[k] + t->sine * across + (1 - t->cosine) * along * t->axis[k];
    }
    return out;
}

// Turns all triangles from the given one on about the origin.
static inline void soup_turn(soup* s, int first, const turn* t)
{
    for (int i = 3 * first; i < 3 * s->triangles; ++i) s->corner[i] = turned(s->corner[i], t);
}
