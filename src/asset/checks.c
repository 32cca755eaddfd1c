// What a body cannot be made of is refused here, with the element's number.
#include "asset/asset.h"
#include "asset/material.h"
#include "mesh/shape.h"
#include <limits.h>
#include <math.h>

static pliant_result check_choice(const char* what, int value, int last)
{
    if (value >= 0 && value <= last) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT, "%s is %d, which is none of its values", what, value);
}

static pliant_result check_cloth(const pliant_cloth* c)
{
    const struct {
        const char* name;
        double value;
        bool needed;
    } numbers[] = {{"density", c->density, true},     {"stretch", c->stretch, true},
                   {"bending", c->bending, false},    {"area", c->area, false},
                   {"damping", c->damping, false},    {"air", c->air, false},
                   {"inflation", c->inflation, false}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        double value = numbers[i].value;
        if (!(value >= 0) || !isfinite(value) || (numbers[i].needed && value == 0))
            return fail(PLIANT_ERROR_ARGUMENT, "cloth: %s is %g, it must be %s", numbers[i].name,
                        value, numbers[i].needed ? "positive" : "0 or more");
    }
    return check_choice("bending_by", (int)c->bending_by, PLIANT_BENDING_ANGLE);
}

static pliant_result check_boundary(const pliant_boundary* b)
{
    if (!(b->bending >= 0) || !isfinite(b->bending))
        return fail(PLIANT_ERROR_ARGUMENT, "boundary: bending is %g, it must be 0 or more",
                    b->bending);
    return check_choice("bending_by", (int)b->bending_by, PLIANT_BENDING_ANGLE);
}

static pliant_result check_manner(const pliant_soft_def* def)
{
    const pliant_stiffness* s = &def->stiffness;
    const double k[] = {s->stretch, s->bending, s->area, s->volume, s->tether};
    if (check_choice("stiffness_mode", (int)def->stiffness_mode, PLIANT_STIFFNESS_MODE_CLASSIC))
        return PLIANT_ERROR_ARGUMENT;
    for (int i = 0; i < 5 && def->stiffness_mode == PLIANT_STIFFNESS_MODE_CLASSIC; ++i)
        if (!(k[i] > 0 && k[i] <= 1))
            return fail(PLIANT_ERROR_ARGUMENT,
                        "a classic stiffness is %g, it must be more than 0 and up to 1", k[i]);
    if (!(def->tether_slack >= 0) || !isfinite(def->tether_slack))
        return fail(PLIANT_ERROR_ARGUMENT, "tether_slack is %g, it must be 0 or more",
                    def->tether_slack);
    if (def->anchors ? def->anchor_count < 0 : def->anchor_count != 0)
        return fail(PLIANT_ERROR_ARGUMENT, "%d anchors: a list of them is needed, or none",
                    def->anchor_count);
    return PLIANT_OK;
}

pliant_result asset_check_def(const pliant_soft_def* def)
{
    if (check_choice("formulation", (int)def->formulation, PLIANT_FORMULATION_EDGES_AND_VOLUME) ||
        check_choice("schedule", (int)def->schedule, PLIANT_SCHEDULE_JACOBI) ||
        check_choice("color_scope", (int)def->color_scope, PLIANT_COLOR_SCOPE_TYPE) ||
        check_choice("integrator", (int)def->integrator, PLIANT_INTEGRATOR_BDF2) ||
        check_choice("patch_interface", (int)def->patch_interface, PLIANT_INTERFACE_ORDERED) ||
        check_choice("merge", (int)def->merge, PLIANT_MERGE_DUPLICATE) ||
        check_choice("rotation", (int)def->rotation, PLIANT_ROTATION_AS_PUBLISHED) ||
        check_choice("phantoms", (int)def->phantoms, PLIANT_PHANTOMS_SINGLE) ||
        check_choice("clustering", (int)def->clustering, PLIANT_CLUSTERING_CELLS) ||
        check_choice("precision", (int)def->precision, PLIANT_PRECISION_DOUBLE))
        return PLIANT_ERROR_ARGUMENT;
    if (check_cloth(&def->cloth) || check_boundary(&def->boundary) || check_manner(def))
        return PLIANT_ERROR_ARGUMENT;
    if (def->patch_rows && (def->patch_rows < 16 || def->patch_rows > 65535))
        return fail(PLIANT_ERROR_ARGUMENT, "patch_rows is %d, it must be 16 to 65535, or 0",
                    def->patch_rows);
    if (def->target_backend < PLIANT_BACKEND_AUTO || def->target_backend > PLIANT_BACKEND_CUDA)
        return fail(PLIANT_ERROR_ARGUMENT, "made_for is %d: use auto, cpu or cuda",
                    (int)def->target_backend);
    if (def->patch_colors && (def->patch_colors < 4 || def->patch_colors > 256))
        return fail(PLIANT_ERROR_ARGUMENT, "patch_colors is %d, it must be 4 to 256, or 0",
                    def->patch_colors);
    if (def->patch_colors && def->patch_interface == PLIANT_INTERFACE_ORDERED)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "patch_colors needs copies that are merged, and the interface is ordered");
    if (def->most_colors < 0 || def->most_colors > 256)
        return fail(PLIANT_ERROR_ARGUMENT, "most_colors is %d, it must be 1 to 256, or 0",
                    def->most_colors);
    if (!(def->drag >= 0 && def->drag <= 1))
        return fail(PLIANT_ERROR_ARGUMENT, "drag is %g, it must be 0 to 1", def->drag);
    if (def->drag > 0 && def->integrator != PLIANT_INTEGRATOR_VERLET)
        return fail(PLIANT_ERROR_ARGUMENT, "drag is %g, and only the integrator verlet has one",
                    def->drag);
    if (!(def->relaxation > 0 && def->relaxation < 2))
        return fail(PLIANT_ERROR_ARGUMENT, "relaxation is %g, it must be above 0 and below 2",
                    def->relaxation);
    if (def->cluster_size < 1 || def->cluster_size > 64)
        return fail(PLIANT_ERROR_ARGUMENT, "cluster_size is %d, it must be 1 to 64",
                    def->cluster_size);
    if (!(def->shear_relaxation >= 1 && def->shear_relaxation <= 100))
        return fail(PLIANT_ERROR_ARGUMENT, "shear_relaxation is %g, it must be 1 to 100",
                    def->shear_relaxation);
    if (!(def->radius >= 0) || !isfinite(def->radius) || !(def->rope_radius >= 0) ||
        !isfinite(def->rope_radius))
        return fail(PLIANT_ERROR_ARGUMENT, "a radius is negative or not finite");
    if (def->materials && def->material_count < 1)
        return fail(PLIANT_ERROR_ARGUMENT, "a table of materials with %d entries",
                    def->material_count);
    for (int i = 0; i < (def->materials ? def->material_count : 1); ++i) {
        pliant_result result =
            material_check(def->materials ? &def->materials[i] : &def->material, i);
        if (result) return result;
    }
    return PLIANT_OK;
}

static pliant_result check_air(const pliant_mesh* m)
{
    pliant_mesh_quality q;
    pliant_result result = pliant_mesh_measure(m, &q);
    if (result || (q.boundary_edges == 0 && q.nonmanifold_edges == 0 && q.volume > 0))
        return result;
    return fail(PLIANT_ERROR_ARGUMENT,
                "only a closed surface that faces outward holds air: %d edges have one triangle, "
                "%d more than two, and the volume is %g m^3: clean the mesh (pliant mesh --weld 0 "
                "--orient)",
                q.boundary_edges, q.nonmanifold_edges, q.volume);
}

static pliant_result check_elements(const pliant_mesh* m)
{
    for (int t = 0; t < m->tet_count; ++t) {
        const int* tet = m->tets + 4 * (size_t)t;
        double volume = tet_volume(m->vertices, tet);
        if (volume < 0 || tet_is_degenerate(m->vertices, tet))
            return fail(PLIANT_ERROR_ARGUMENT,
                        "tet %d is %s (volume %g): clean the mesh first (pliant mesh %s)", t,
                        volume < 0 ? "inverted" : "flat", volume,
                        volume < 0 ? "--orient" : "--drop-degenerate");
    }
    for (int e = 0; e < m->edge_count; ++e)
        if (!(squared_distance(m->vertices, m->edges[2 * e], m->edges[2 * e + 1]) > 0))
            return fail(PLIANT_ERROR_ARGUMENT, "edge %d has no length", e);
    for (int t = 0; t < cloth_triangles(m); ++t)
        if (triangle_is_degenerate(m->vertices, m->triangles + 3 * (size_t)t))
            return fail(
                PLIANT_ERROR_ARGUMENT,
                "triangle %d has no area: clean the mesh first (pliant mesh --drop-degenerate)", t);
    return PLIANT_OK;
}

// The nodes' corners are counted in an int, and so are the coordinates of the vertices.
static pliant_result check_counts(const pliant_mesh* m, const pliant_soft_def* def)
{
    int64_t nodes_per_tet = def->formulation == PLIANT_FORMULATION_DECOUPLED_NODES ? 2 : 1;
    int64_t by_edges = def->formulation == PLIANT_FORMULATION_EDGES_AND_VOLUME ? 6 * 2 : 0;
    int64_t of_triangle = 3 * 2 + 3 + 3 * 4; // edges, area, hinges
    int64_t outside = def->boundary.bending > 0 ? 4 * 3 * 4 : 0;
    int64_t corners = (4 * nodes_per_tet + by_edges + outside) * m->tet_count +
                      2 * (int64_t)m->edge_count + of_triangle * cloth_triangles(m) +
                      2 * (int64_t)m->vertex_count;
    if (corners <= INT_MAX && m->vertex_count <= INT_MAX / 3) return PLIANT_OK;
    return fail(PLIANT_ERROR_UNSUPPORTED,
                "a soft body of %d vertices, %d tets, %d triangles and %d edges is too large: cut "
                "the mesh",
                m->vertex_count, m->tet_count, m->triangle_count, m->edge_count);
}

pliant_result asset_check_elements(const pliant_mesh* m, const pliant_soft_def* def)
{
    if (m->tet_count == 0 && m->edge_count == 0 && m->triangle_count == 0)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "a soft body needs tets, triangles or edges, and the mesh has none");
    if (def->stiffness_mode == PLIANT_STIFFNESS_MODE_CLASSIC && m->tet_count &&
        def->formulation != PLIANT_FORMULATION_EDGES_AND_VOLUME)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "tets know the classic manner only with the formulation edges_and_volume");
    if (def->boundary.bending > 0 && m->tet_count &&
        def->formulation != PLIANT_FORMULATION_EDGES_AND_VOLUME)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "the boundary of tets bends only with the formulation edges_and_volume");
    for (int i = 0; i < def->anchor_count; ++i)
        if (def->anchors[i] < 0 || def->anchors[i] >= m->vertex_count)
            return fail(PLIANT_ERROR_ARGUMENT, "anchor %d is vertex %d of %d", i, def->anchors[i],
                        m->vertex_count);
    pliant_result result = check_counts(m, def);
    if (result) return result;
    for (int t = 0; def->materials && m->tet_region && t < m->tet_count; ++t)
        if (m->tet_region[t] < 0 || m->tet_region[t] >= def->material_count)
            return fail(PLIANT_ERROR_ARGUMENT, "tet %d is of region %d, but there are %d materials",
                        t, m->tet_region[t], def->material_count);
    if (def_by_cells(def) &&
        (!m->tet_cell || m->edge_count || def->formulation == PLIANT_FORMULATION_EDGES_AND_VOLUME))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "clusters by cell need a mesh whose tets know their cells: a generated box");
    for (int t = 0; def_by_cells(def) && t < m->tet_count; ++t)
        if (m->tet_cell[t] < 0 || m->tet_cell[t] >= 1 << 28)
            return fail(PLIANT_ERROR_ARGUMENT, "tet %d is of cell %d, it must be 0 to 2^28 - 1", t,
                        m->tet_cell[t]);
    return check_elements(m);
}

pliant_result asset_check_mesh(const pliant_mesh* m, const pliant_soft_def* def)
{
    pliant_result result = asset_check_elements(m, def);
    bool airy = def->cloth.air > 0 && cloth_triangles(m);
    return result || !airy ? result : check_air(m);
}
