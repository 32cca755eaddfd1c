#include "asset/seams.h"
#include "asset/asset.h"
#include "asset/material.h"
#include "mesh/shape.h"

static const int tet_side[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
static const int triangle_side[3][2] = {{0, 1}, {1, 2}, {2, 0}};

bool seams_find(const pliant_mesh* m, const int* corner, int corners, int count, seams* out)
{
    int per = corners == 4 ? 6 : 3;
    const int(*side)[2] = corners == 4 ? tet_side : triangle_side;
    out->per_element = per;
    out->corner = corner;
    if (!tuples_allocate(&out->sides, 2, per * count)) return false;
    for (int i = 0; i < per * count; ++i) {
        const int* e = corner + (size_t)corners * (size_t)(i / per);
        const int end[2] = {e[side[i % per][0]], e[side[i % per][1]]};
        tuples_set(&out->sides, i, end);
    }
    return tuples_sort(&out->sides, m->vertex_count);
}

void seams_destroy(seams* s) { tuples_free(&s->sides); }

static const int* ends_of(const seams* s, int place)
{
    return s->sides.item + 2 * (size_t)s->sides.order[place];
}

// ---- edges --------------------------------------------------------------------------------------

// What an element gives to each of its edges, k l^2 [N m]. A tet: 15 mu V in all (parts.c). A
// triangle: over all directions alike, the sum s of the k l^2 per area makes Lame parameters of the
// plane mu = lambda = s / 8, and with them a modulus of s / 3: stretch is s / 3.
double asset_side_stiffness(const pliant_asset* a, int triangle)
{
    const pliant_mesh* m = a->mesh;
    return a->def.cloth.stretch * triangle_area(m->vertices, m->triangles + 3 * (size_t)triangle);
}

static double side_stiffness(const pliant_asset* a, int number)
{
    const pliant_mesh* m = a->mesh;
    if (m->tet_count == 0) return asset_side_stiffness(a, number);
    element e;
    asset_constants(a, number, &e);
    return 15 * e.mu / 6 * tet_volume(m->vertices, m->tets + 4 * (size_t)number);
}

static int count_runs(const tuple_list* sides)
{
    int count = 0;
    for (int first = 0; first < sides->count; first = tuples_run_end(sides, first)) ++count;
    return count;
}

bool seams_make_edges(pliant_asset* a, const seams* s)
{
    part_list* p = &a->parts[PART_EDGE];
    if (!parts_allocate(p, PART_EDGE, count_runs(&s->sides), true)) return false;
    for (int first = 0, end; first < s->sides.count; first = end) {
        end = tuples_run_end(&s->sides, first);
        for (int i = 0; i < 2; ++i)
            p->corner[2 * (size_t)p->count + (size_t)i] = ends_of(s, first)[i];
        for (int i = first; i < end; ++i)
            p->size[p->count] += side_stiffness(a, s->sides.order[i] / s->per_element);
        p->count++;
    }
    return true;
}

// ---- hinges -------------------------------------------------------------------------------------

static int tip_of(const seams* s, int place)
{
    int side = s->sides.order[place];
    return s->corner[3 * (size_t)(side / 3) + (size_t)((side % 3 + 2) % 3)];
}

// Where three or more triangles meet, each with the next. Two triangles on the same corners are no
// hinge.
bool seams_make_hinges(pliant_asset* a, const seams* s)
{
    part_list* p = &a->parts[PART_HINGE];
    if (!parts_allocate(p, PART_HINGE, s->sides.count, false)) return false;
    for (int first = 0, end; first < s->sides.count; first = end) {
        end = tuples_run_end(&s->sides, first);
        for (int i = first; i + 1 < end; ++i) {
            int* corner = p->corner + 4 * (size_t)p->count;
            corner[0] = ends_of(s, i)[0];
            corner[1] = ends_of(s, i)[1];
            corner[2] = tip_of(s, i);
            corner[3] = tip_of(s, i + 1);
            if (corner[2] != corner[3]) p->count++;
        }
    }
    return true;
}
