#define PRECISION_DOUBLE
#include "tetra/plates.h"
#include "tetra/leaves.h"
#include "tetra/seam.h"

// The mesh as it is now.
typedef struct {
    outline_scale scale;
    pliant_mesh* boundary;
    outline outline;
    int* vertex; // of the mesh, of each of the boundary's
    bool there;  // the mesh has tets
} border;

static void border_release(border* b)
{
    if (b->there) outline_destroy(&b->outline);
    pliant_mesh_destroy(b->boundary);
    mem_free(b->vertex);
    *b = (border){.scale = b->scale};
}

static pliant_result border_look(border* b, const pliant_mesh* mesh)
{
    border_release(b);
    if (mesh->tet_count == 0) return PLIANT_OK;
    b->vertex = (int*)mem_array((size_t)mesh->vertex_count, sizeof(int));
    pliant_result result =
        b->vertex ? pliant_mesh_boundary(mesh, &b->boundary, b->vertex) : PLIANT_ERROR_MEMORY;
    if (result) return result;
    b->there = true;
    return outline_create(&b->scale, b->boundary, &b->outline) ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

typedef struct {
    const plates_options* o;
    double edge; // in units of the solid
    border now;
    pliant_mesh** mesh;
    plates_report* report;
    int failures; // sides that could not be built
} growth;

// A leaf that comes near the mesh and cannot be sewn to it would come off.
static pliant_result grow(growth* g, leaf* l, double beyond, bool* done)
{
    column_list columns = {0};
    int seams = 0, before = (*g->mesh)->tet_count;
    bool sewn = true;
    pliant_result result = PLIANT_OK;
    const seam_site at = {g->o->solid, &g->now.outline, g->now.vertex, g->edge, beyond};
    if (g->now.there) result = sew_leaf(&at, l, &columns, &seams, &sewn);
    if (!result && seams && !leaf_smooth(l)) result = PLIANT_ERROR_MEMORY;
    const plate p = {g->o->solid, l, columns.column, g->edge};
    if (!result && sewn) result = plate_append(&p, g->mesh, done);
    if (!result && *done) result = border_look(&g->now, *g->mesh);
    if (*done) g->report->plates += 1, g->report->tets += (*g->mesh)->tet_count - before;
    mem_free(columns.column);
    return result;
}

// Of a figure that is no matter of plates there may be many: they are not all tried as hard.
enum { MOST_FAILURES = 8 };

// With other gaps to the mesh, and longer or shorter seams, where the tets of one are too sharp.
static pliant_result grow_side(growth* g, const leaves* sides, int side)
{
    static const struct {
        double gap, beyond; // edges
    } WAYS[] = {{0.5, 0.4}, {0.5, 0}, {0.7, 0.4}, {0.7, 0},       {LEAST_GAP, 0.4},
                {0.9, 0.4}, {0.9, 0}, {0.6, 0},   {LEAST_GAP, 0}, {1.1, 0}};
    int most = g->failures < 2 ? (int)(sizeof WAYS / sizeof WAYS[0]) : 2;
    pliant_result result = PLIANT_OK;
    bool done = false, any = false;
    for (int i = 0; i < most && !result && !done; ++i) {
        leaf l;
        if (!leaves_take(sides, side, g->now.there ? &g->now.outline : NULL, WAYS[i].gap, &l))
            return PLIANT_ERROR_MEMORY;
        if (l.triangles) result = grow(g, &l, WAYS[i].beyond, &done);
        any |= l.triangles > 0;
        done |= l.triangles == 0 || !g->now.there;
        leaf_release(&l);
    }
    g->report->leaves += any;
    g->report->area += sides->whole;
    g->failures += !done;
    return result;
}

static pliant_result grow_all(growth* g)
{
    const leaves_options options = {g->o->solid, g->o->threads, g->edge};
    leaves sides;
    pliant_result result = border_look(&g->now, *g->mesh);
    if (result) return result;
    bool ok = leaves_open(&options, g->now.there ? &g->now.outline : NULL, &sides);
    if (!ok) result = PLIANT_ERROR_MEMORY;
    for (int side = ok ? leaves_next(&sides) : -1;
         side >= 0 && !result && g->failures < MOST_FAILURES; side = leaves_next(&sides))
        result = grow_side(g, &sides, side);
    leaves_close(&sides);
    return result;
}

pliant_result grow_plates(const plates_options* o, pliant_mesh** mesh, plates_report* out)
{
    const solid* s = o->solid;
    growth g = {.o = o, .edge = o->edge / s->size, .mesh = mesh, .report = out};
    g.now.scale = (outline_scale){{s->center[0], s->center[1], s->center[2]}, s->size, o->edge};
    pliant_result result = grow_all(&g);
    border_release(&g.now);
    return result;
}
