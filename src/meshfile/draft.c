#include "meshfile/draft.h"
#include <limits.h>
#include <math.h>

void draft_release(draft* d)
{
    mem_free(d->vertices);
    mem_free(d->colors);
    mem_free(d->radii);
    for (int kind = 0; kind < ELEMENT_KINDS; ++kind) mem_free(d->elements[kind].corner);
    mem_free(d->region);
    mem_free(d->cell);
    *d = (draft){0};
}

static bool reserve(cursor* c, void** data, int* capacity, int64_t needed, size_t bytes)
{
    if (needed <= *capacity) return true;
    if (mem_reserve(data, capacity, needed, bytes)) return true;
    if (cursor_ok(c)) c->result = PLIANT_ERROR_MEMORY;
    return false;
}

static bool reserve_elements(cursor* c, draft* d, int kind, int64_t needed)
{
    element_list* list = &d->elements[kind];
    size_t bytes = sizeof(int) * (size_t)(kind + 2);
    if (kind == TET && !reserve(c, (void**)&d->region, &d->region_capacity, needed, sizeof(int)))
        return false;
    return reserve(c, (void**)&list->corner, &list->capacity, needed, bytes);
}

void draft_reserve_vertices(cursor* c, draft* d, int count)
{
    if (!cursor_ok(c)) return;
    reserve(c, (void**)&d->vertices, &d->vertex_capacity, (int64_t)d->vertex_count + count,
            3 * sizeof(double));
}

void draft_reserve_elements(cursor* c, draft* d, int kind, int count)
{
    if (cursor_ok(c)) reserve_elements(c, d, kind, (int64_t)d->elements[kind].count + count);
}

void draft_vertex(cursor* c, draft* d, const double position[3])
{
    if (!cursor_ok(c)) return;
    if (!reserve(c, (void**)&d->vertices, &d->vertex_capacity, (int64_t)d->vertex_count + 1,
                 3 * sizeof(double)))
        return;
    double* vertex = d->vertices + 3 * (int64_t)d->vertex_count++;
    for (int axis = 0; axis < 3; ++axis) vertex[axis] = position[axis];
}

void draft_read_vertex(cursor* c, draft* d, scalar type)
{
    double position[3];
    for (int axis = 0; axis < 3; ++axis) position[axis] = read_real(c, type);
    draft_vertex(c, d, position);
}

// White up to this number of vertices.
static bool extend_colors(cursor* c, draft* d, int count)
{
    if (!reserve(c, (void**)&d->colors, &d->color_capacity, count, 3 * sizeof(double)))
        return false;
    for (; d->color_count < count; ++d->color_count)
        for (int k = 0; k < 3; ++k) d->colors[3 * (int64_t)d->color_count + k] = 1;
    return true;
}

void draft_color(cursor* c, draft* d, const double color[3])
{
    if (!cursor_ok(c) || d->vertex_count == 0 || !extend_colors(c, d, d->vertex_count)) return;
    for (int k = 0; k < 3; ++k) d->colors[3 * (int64_t)(d->vertex_count - 1) + k] = color[k];
}

void draft_radius(cursor* c, draft* d, double radius)
{
    if (!cursor_ok(c) || !reserve(c, (void**)&d->radii, &d->radius_capacity,
                                  (int64_t)d->radius_count + 1, sizeof(double)))
        return;
    d->radii[d->radius_count++] = radius;
}

void draft_corner(cursor* c, draft* d, int64_t index, int base)
{
    if (!cursor_ok(c)) return;
    if (index < base || index - base >= d->vertex_count) {
        if (d->vertex_count == 0)
            refuse(c, PLIANT_ERROR_FORMAT, "expected vertices before the cells that use them");
        else
            refuse(c, PLIANT_ERROR_FORMAT, "expected a vertex from %d to %d, found %lld", base,
                   d->vertex_count - 1 + base, (long long)index);
        return;
    }
    if (reserve(c, (void**)&d->cell, &d->cell_capacity, (int64_t)d->cell_count + 1, sizeof(int)))
        d->cell[d->cell_count++] = (int)(index - base);
}

static void add_element(cursor* c, draft* d, int kind, const int* corner)
{
    element_list* list = &d->elements[kind];
    if (!reserve_elements(c, d, kind, (int64_t)list->count + 1)) return;
    int* to = list->corner + (int64_t)(kind + 2) * list->count++;
    for (int i = 0; i < kind + 2; ++i) to[i] = corner[i];
}

static void add_tet(cursor* c, draft* d, int64_t region)
{
    if (region < INT_MIN || region > INT_MAX) {
        refuse(c, PLIANT_ERROR_FORMAT, "expected a region number of at most %d, found %lld",
               INT_MAX, (long long)region);
        return;
    }
    add_element(c, d, TET, d->cell);
    if (cursor_ok(c)) d->region[d->elements[TET].count - 1] = (int)region;
}

static void add_fan(cursor* c, draft* d)
{
    for (int i = 2; i < d->cell_count && cursor_ok(c); ++i)
        add_element(c, d, TRIANGLE, (int[]){d->cell[0], d->cell[i - 1], d->cell[i]});
}

static void add_lines(cursor* c, draft* d)
{
    for (int i = 1; i < d->cell_count && cursor_ok(c); ++i)
        add_element(c, d, EDGE, d->cell + i - 1);
}

static void add_cell(cursor* c, draft* d, cell_kind kind, int64_t region)
{
    switch (kind) {
    case CELL_IGNORED:
        break;
    case CELL_LINES:
        add_lines(c, d);
        break;
    case CELL_POLYGON:
        add_fan(c, d);
        break;
    case CELL_TET:
        add_tet(c, d, region);
        break;
    case CELL_SOLID:
        ++d->solids_left_out;
        break;
    case CELL_CURVED:
        refuse(c, PLIANT_ERROR_UNSUPPORTED,
               "an element of second or higher order; save the mesh with linear elements");
    }
}

void draft_close(cursor* c, draft* d, cell_kind kind, int64_t region)
{
    if (!cursor_ok(c)) return;
    int least = kind == CELL_TET ? 4 : kind == CELL_POLYGON ? 3 : kind == CELL_LINES ? 2 : 0;
    if (d->cell_count < least || (kind == CELL_TET && d->cell_count > 4))
        refuse(c, PLIANT_ERROR_FORMAT, "expected %s%d corners, found %d",
               kind == CELL_TET ? "" : "at least ", least, d->cell_count);
    else
        add_cell(c, d, kind, region);
    d->cell_count = 0;
}

// Regions that are all the same say nothing.
static int* take_regions(draft* d)
{
    bool differ = false;
    for (int i = 1; i < d->elements[TET].count; ++i) differ |= d->region[i] != d->region[0];
    if (!differ || d->no_regions) return NULL;
    int* region = d->region;
    d->region = NULL;
    return region;
}

// The mesh takes the list over; what it does not take is released with the draft. A mesh has no
// NULL arrays.
static bool take_list(draft* d, int kind, int best, int** out_corner, int* out_count)
{
    element_list* list = &d->elements[kind];
    if (kind == best && list->corner) {
        *out_corner = list->corner;
        *out_count = list->count;
        list->corner = NULL;
    } else {
        *out_corner = (int*)mem_array(0, sizeof(int));
    }
    return *out_corner != NULL;
}

static pliant_result build(draft* d, int best, pliant_mesh** out)
{
    pliant_mesh* mesh = (pliant_mesh*)mem_alloc_zero(sizeof *mesh);
    if (!mesh) return PLIANT_ERROR_MEMORY;
    mesh->vertices = d->vertices;
    mesh->vertex_color = d->colors;
    mesh->vertex_count = d->vertex_count;
    d->vertices = d->colors = NULL;
    if (d->radius_count == d->vertex_count) {
        mesh->vertex_radius = d->radii;
        d->radii = NULL;
    }
    if (best == TET) mesh->tet_region = take_regions(d);
    if (!take_list(d, TET, best, &mesh->tets, &mesh->tet_count) ||
        !take_list(d, TRIANGLE, best, &mesh->triangles, &mesh->triangle_count) ||
        !take_list(d, EDGE, best, &mesh->edges, &mesh->edge_count)) {
        pliant_mesh_destroy(mesh);
        return PLIANT_ERROR_MEMORY;
    }
    *out = mesh;
    return PLIANT_OK;
}

// Vertices alone are a mesh of particles, where nothing else was in the file.
static pliant_result check_loose(const cursor* c, draft* d)
{
    if (d->vertex_count == 0 || d->solids_left_out > 0)
        return fail(PLIANT_ERROR_FORMAT,
                    "%.400s: no tetrahedra, triangles or edges in it (%d vertices, %lld other "
                    "elements)",
                    c->name, d->vertex_count, (long long)d->solids_left_out);
    for (int i = 0; i < d->radius_count; ++i)
        if (!(d->radii[i] > 0))
            return fail(PLIANT_ERROR_FORMAT,
                        "%.400s: particle %d has a radius of %g m: it has to be above 0", c->name,
                        i, d->radii[i]);
    return PLIANT_OK;
}

pliant_result draft_finish(cursor* c, draft* d, pliant_mesh** out)
{
    if (!cursor_ok(c)) return c->result;
    int best = TET;
    while (best > EDGE && d->elements[best].count == 0) --best;
    bool loose = draft_is_loose(d);
    pliant_result result = loose ? check_loose(c, d) : PLIANT_OK;
    if (result) return result;
    if (!loose) d->radius_count = 0;
    if (d->solids_left_out > 0)
        warn("%.400s: %lld hexahedra, prisms or pyramids were left out: only tetrahedra are read",
             c->name, (long long)d->solids_left_out);
    if (d->color_count && !extend_colors(c, d, d->vertex_count)) return PLIANT_ERROR_MEMORY;
    return build(d, best, out);
}
