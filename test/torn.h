// What must hold of a body after anything of it has come apart. Files that include it see
// world/world.h.
#pragma once
#include "scene.h"

#include "mesh/face.h"
#include "plans.h"
#include "world/tearing.h"

static inline const body* torn_body(const pliant_world* world, pliant_body_id id)
{
    return ((body**)world->bodies.item)[id.index1 - 1];
}

// Whether two elements of a star have a face with its vertex in common, or an edge of cloth.
static inline bool are_joined(const mesh_stars* s, int corner, int other)
{
    star_element a = stars_element(s, corner), b = stars_element(s, other);
    int common = 0;
    for (int i = 0; i < a.count * b.count; ++i)
        common += s->corner[a.first + i / b.count] == s->corner[b.first + i % b.count];
    return a.count == 2 || b.count == 2 || common == a.count - 1;
}

static inline void check_star(mesh_stars* s, int vertex)
{
    int count = stars_take(s, vertex), reached = 1;
    bool* in = (bool*)calloc((size_t)count, sizeof(bool));
    if (count == 0) fail_msg("particle %d of %d has no element", vertex, s->vertex_count);
    in[0] = true;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < count * count; ++i)
            if (in[i / count] && !in[i % count] &&
                are_joined(s, s->member[i / count], s->member[i % count])) {
                in[i % count] = more = true;
                reached++;
            }
    }
    if (reached < count) fail_msg("%d of %d elements hang at a tip %d", reached, count, vertex);
    free(in);
}

// The body knows its elements, whose free vertices all hold by more than a tip, and which are where
// they were at first.
static inline void check_stars(const body* b)
{
    mesh_stars s;
    if (!stars_create(b->asset->mesh, &s)) fail_msg("no memory");
    const mesh_stars* known = b->tear ? &b->tear->stars : &s;
    assert_int_equal(known->vertex_count, s.vertex_count);
    assert_memory_equal(known->corner, s.corner, (size_t)s.corner_count * sizeof(int));
    const double *now = b->asset->mesh->vertices, *first = body_whole(b)->mesh->vertices;
    for (int i = 0; i < s.vertex_count; ++i) {
        if (state_read_inverse_mass(&b->s, i) > 0 && !b->s.axes[i]) check_star(&s, i);
        assert_memory_equal(now + 3 * (size_t)i, first + 3 * (size_t)stars_root(known, i),
                            sizeof(double[3]));
    }
    stars_destroy(&s);
}

// The boundary of tets is closed: as many triangles go along an edge in one direction as in the
// other.
static inline void check_closed(const pliant_mesh* m)
{
    outer_faces faces = {0};
    if (m->tet_count == 0) return;
    CHECK_OK(find_outer_faces(m, &faces));
    int64_t sum = 0, product = 0;
    for (int i = 0; i < 3 * faces.count; ++i) {
        const int* face = faces.triangle + 3 * (size_t)(i / 3);
        int64_t a = face[i % 3], b = face[(i + 1) % 3];
        int64_t key = a < b ? a * 1000003 + b : b * 1000003 + a;
        sum += a < b ? key : -key;
        product += (a < b ? 1 : -1) * (key * key % 999999937);
    }
    assert_true(sum == 0 && product == 0);
    outer_faces_free(&faces);
}

static inline void check_masses(const body* b)
{
    const pliant_asset* whole = body_whole(b);
    double sum = 0, before = 0;
    for (int i = 0; i < b->s.particle_count; ++i) {
        if (!(b->mass[i] > 0)) fail_msg("particle %d has no mass", i);
        sum += b->mass[i];
    }
    for (int i = 0; i < whole->plan.particle_count; ++i) before += whole->mass[i];
    CHECK_CLOSE(sum, before, 1e-12);
}

// Each part is a node of the plan, and the plan works on all of them, in lanes that share no row.
static inline void check_torn(const pliant_world* world, pliant_body_id id)
{
    const body* b = torn_body(world, id);
    assert_int_equal(b->s.particle_count, b->asset->plan.particle_count);
    assert_true(b->s.plan == &b->asset->plan);
    check_stars(b);
    check_masses(b);
    check_closed(b->asset->mesh);
    check_lanes(b->asset, "torn");
}
