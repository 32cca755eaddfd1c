// What a body cannot be made of is refused here, with the element's number.
#include "asset/asset.h"
#include "asset/material.h"
#include "asset/members.h"
#include "mesh/shape.h"
#include <limits.h>
#include <stdio.h>

static pliant_result check_anchors(const pliant_soft_def* def)
{
    if (def->anchors ? def->anchor_count >= 0 : def->anchor_count == 0) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT, "%d anchors: a list of them is needed, or none",
                def->anchor_count);
}

// What members have to do with each other.
static pliant_result check_choices(const pliant_solver_def* s, const pliant_research_def* r)
{
    if (s->patch_colors && s->patch_interface == PLIANT_INTERFACE_ORDERED)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "patch_colors needs copies that are merged, and the patch_interface is "
                    "ordered");
    if (r->drag > 0 && s->integrator != PLIANT_INTEGRATOR_VERLET)
        return fail(PLIANT_ERROR_ARGUMENT, "drag is %g, and only the integrator verlet has one",
                    r->drag);
    return PLIANT_OK;
}

static pliant_result check_material(const pliant_material_def* m, pliant_lame_convention lame,
                                    const char* of)
{
    if (table_check(&material_members, m, of)) return PLIANT_ERROR_ARGUMENT;
    bool flows = m->hardening > 0 || m->plastic_time > 0 || m->plastic_limit > 0;
    if (flows && !(m->yield_stress > 0))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "%s: hardening, plastic_time and plastic_limit are those of a material that "
                    "yields: give it a yield_stress",
                    of);
    bool along = m->fiber[0] != 0 || m->fiber[1] != 0 || m->fiber[2] != 0;
    if (m->contraction > 0 && !along)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "%s: a contraction is along fibers: give them a direction (fiber)", of);
    if (m->yield_stress > 0 && material_swells(m))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "%s: what yields knows neither expansion nor contraction: leave out them, or "
                    "the yield_stress",
                    of);
    if (lame == PLIANT_LAME_ENGINEERING || (m->poisson >= 0.125 && m->poisson <= 0.4999))
        return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT,
                "%s: poisson is %g, it must be 0.125 to 0.4999 with the lame_convention plain "
                "(below, rest is not stable)",
                of, m->poisson);
}

static pliant_result check_materials(const pliant_soft_def* def)
{
    pliant_lame_convention lame = def->research.lame_convention;
    if (!def->materials) return check_material(&def->material, lame, "material");
    if (def->material_count < 1)
        return fail(PLIANT_ERROR_ARGUMENT, "a table of materials with %d entries",
                    def->material_count);
    for (int i = 0; i < def->material_count; ++i) {
        char of[32];
        snprintf(of, sizeof of, "material %d", i);
        if (check_material(&def->materials[i], lame, of)) return PLIANT_ERROR_ARGUMENT;
    }
    return PLIANT_OK;
}

static pliant_result check_clusters(const pliant_clusters_def* c)
{
    bool asks = c->spacing > 0 || c->size > 0 || c->yield_strain > 0 || c->plastic_time > 0 ||
                c->plastic_limit > 0;
    if (asks && !(c->stiffness > 0))
        return fail(
            PLIANT_ERROR_ARGUMENT,
            "clusters without stiffness are none: give them a stiffness above 0 (1: rigid)");
    if (c->size > 0 && !(c->spacing > 0 && c->size >= c->spacing))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "clusters: the size is %g m and the spacing %g m: without a spacing there is "
                    "one cluster of all, and a size below it leaves particles out",
                    c->size, c->spacing);
    if ((c->plastic_time > 0 || c->plastic_limit > 0) && !(c->yield_strain > 0))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "clusters: plastic_time and plastic_limit are those of clusters that yield: "
                    "give them a yield_strain");
    return PLIANT_OK;
}

pliant_result asset_check_def(const pliant_soft_def* def)
{
    pliant_result result = table_check(&soft_members, def, "soft body");
    if (!result) result = check_choices(&def->solver, &def->research);
    if (!result) result = check_clusters(&def->clusters);
    if (!result) result = check_anchors(def);
    return result ? result : check_materials(def);
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
    int64_t nodes_per_tet = def->solver.formulation == PLIANT_FORMULATION_DECOUPLED_NODES ? 2 : 1;
    int64_t by_edges = def->solver.formulation == PLIANT_FORMULATION_EDGES_AND_VOLUME ? 6 * 2 : 0;
    int64_t of_triangle = 3 * 2 + 3 + 3 + 3 * 4; // edges, area, membrane, hinges
    int64_t outside = def->research.boundary.bending > 0 ? 4 * 3 * 4 : 0;
    int64_t corners = (4 * nodes_per_tet + by_edges + outside) * m->tet_count +
                      2 * (int64_t)m->edge_count + of_triangle * cloth_triangles(m) +
                      2 * (int64_t)m->vertex_count;
    if (corners <= INT_MAX && m->vertex_count <= INT_MAX / 3) return PLIANT_OK;
    return fail(PLIANT_ERROR_UNSUPPORTED,
                "a soft body of %d vertices, %d tets, %d triangles and %d edges is too large: cut "
                "the mesh",
                m->vertex_count, m->tet_count, m->triangle_count, m->edge_count);
}

// Particles that come and go are balls, each by itself.
static pliant_result check_capacity(const pliant_mesh* m, const pliant_soft_def* def)
{
    if (def->capacity == 0) return PLIANT_OK;
    if (!mesh_is_loose(m))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "a capacity is of loose particles, and the mesh has %d tets, %d triangles and "
                    "%d edges",
                    m->tet_count, m->triangle_count, m->edge_count);
    if (def->rigid || def->clusters.stiffness > 0)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "particles of a body that is rigid or has clusters do not come and go: leave "
                    "out its capacity");
    if (def->capacity < m->vertex_count)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "the mesh has %d particles, and the capacity is %d: it counts them, too",
                    m->vertex_count, def->capacity);
    if (m->vertex_count > 0 || def->radius > 0 || def_spacing(def) > 0) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT,
                "the mesh is empty: particles that are added need a radius (radius)");
}

// What flows is loose particles that are nothing else.
static pliant_result check_liquid(const pliant_mesh* m, const pliant_soft_def* def)
{
    const char* other = !mesh_is_loose(m)             ? "its mesh has elements: only vertices flow"
                        : def->rigid                  ? "the body is rigid"
                        : def->clusters.stiffness > 0 ? "its particles have clusters"
                        : def->solver.integrator == PLIANT_INTEGRATOR_BDF2
                            ? "the integrator is bdf2: a liquid's is of first order"
                            : NULL;
    if (!(def_spacing(def) > 0) || !other) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT, "the %s has a spacing of %g m, but %s",
                def->gas.spacing > 0 ? "gas" : "liquid", def_spacing(def), other);
}

// One of a liquid, a gas and what is carried; who knows of heat is one of them.
static pliant_result check_kind(const pliant_mesh* m, const pliant_soft_def* def)
{
    if (def->liquid.spacing > 0 && def->gas.spacing > 0)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "the body has the spacing of a liquid and that of a gas: give one of them");
    if (def->carried &&
        (!mesh_is_loose(m) || def->rigid || def->clusters.stiffness > 0 || def_spacing(def) > 0))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "only loose particles are carried: leave out elements, rigid, clusters, liquid "
                    "and gas, or carried");
    if (!(def->heat.temperature > 0) || def_spacing(def) > 0 || def->carried) return PLIANT_OK;
    return fail(PLIANT_ERROR_UNSUPPORTED,
                "the heat has a temperature of %g K, but only liquids, gases and what they carry "
                "know of heat: give a liquid or a gas a spacing, or leave out the temperature",
                def->heat.temperature);
}

// Loose particles are balls.
static pliant_result check_particles(const pliant_mesh* m, const pliant_soft_def* def)
{
    if (m->vertex_count == 0 && def->capacity == 0)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "a body needs tets, triangles, edges or particles, and the mesh is empty; with "
                    "a capacity particles can be added to it");
    if (m->vertex_radius || def->radius > 0 || def_spacing(def) > 0) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT,
                "the mesh has no tets, triangles or edges: its %d vertices are loose particles, "
                "which need a radius (radius, or one for each with the mesh)",
                m->vertex_count);
}

// Sheets keep their bends where they are plates.
static pliant_result check_creases(const pliant_mesh* m, const pliant_soft_def* def)
{
    const pliant_cloth_def* c = &def->cloth;
    bool plates = c->bending > 0 && c->bending_by == PLIANT_BENDING_PLATE;
    if (!cloth_triangles(m) || def->rigid) return PLIANT_OK;
    if (!(c->yield_curvature > 0) && (c->hardening > 0 || c->plastic_time > 0))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "cloth: hardening and plastic_time are those of a sheet that yields: give it a "
                    "yield_curvature");
    if (c->yield_curvature > 0 && !plates)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "cloth has a yield_curvature of %g 1/m, but only plates keep their bends: give "
                    "it a bending, and bending_by plate",
                    c->yield_curvature);
    if (c->yield_curvature > 0 && c->tear_strength > 0)
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "cloth that keeps its bends does not tear: leave out the yield_curvature, or "
                    "the tear_strength");
    return PLIANT_OK;
}

// What cannot have a rest shape that flows: rest lengths, and sheets.
static pliant_result check_flow(const pliant_mesh* m, const pliant_soft_def* def)
{
    int count = def->materials ? def->material_count : 1;
    bool by_edges = def->solver.formulation == PLIANT_FORMULATION_EDGES_AND_VOLUME;
    if (m->tet_count && !by_edges) return PLIANT_OK;
    for (int i = 0; i < count; ++i) {
        const pliant_material_def* material = def->materials ? &def->materials[i] : &def->material;
        const char* why =
            m->tet_count ? "the formulation is edges_and_volume" : "the mesh has no tets";
        if (material->yield_stress > 0)
            return fail(PLIANT_ERROR_ARGUMENT,
                        "the yield_stress is %g Pa, but %s: only tets flow, with any formulation "
                        "but edges_and_volume",
                        material->yield_stress, why);
        if (material_swells(material))
            return fail(PLIANT_ERROR_ARGUMENT,
                        "the material has an expansion or a contraction, but %s: only tets swell, "
                        "with any formulation but edges_and_volume",
                        why);
    }
    return PLIANT_OK;
}

// What tears has its plan made anew while the world runs, by the same rules as at first.
pliant_result asset_check_tearing(const pliant_mesh* m, const pliant_soft_def* def, bool tethered)
{
    const bool cloth = cloth_triangles(m) > 0;
    const char* why =
        def->rigid         ? "a rigid body does not: join parts of it by joints that break"
        : mesh_is_loose(m) ? "loose particles do not: clusters of them come apart by their own"
        : def->cloth.air > 0 && cloth ? "a surface that holds air does not: leave out cloth.air"
        : def->cloth.yield_curvature > 0 && cloth
            ? "a sheet that keeps its bends does not: leave out the yield_curvature"
        : tethered ? "cloth and ropes with tethers do not: leave out the anchors"
        : def->rope.rod && m->edge_count ? "rods do not: leave out rope.rod"
        : def->research.stiffness_mode == PLIANT_STIFFNESS_MODE_CLASSIC
            ? "the stiffness_mode classic knows no forces: use compliant"
        : m->tet_count && def->solver.formulation == PLIANT_FORMULATION_EDGES_AND_VOLUME
            ? "tets of the formulation edges_and_volume do not: use another formulation"
            : NULL;
    if (!why) return PLIANT_OK;
    return fail(PLIANT_ERROR_UNSUPPORTED, "only tets, cloth and ropes tear or are cut: %s", why);
}

// A rod is edges alone, and nothing else acts on them.
static pliant_result check_rod(const pliant_mesh* m, const pliant_soft_def* def, bool tethered)
{
    const char* why = m->tet_count || m->triangle_count
                          ? "its mesh has more than edges: make it a body by itself"
                      : def->rigid              ? "the body is rigid"
                      : def->rope.slack         ? "it is slack: leave out one of them"
                      : tethered                ? "it has tethers: leave out the anchors"
                      : def->material_count > 1 ? "there are several materials: a rod has one"
                      : def->research.stiffness_mode == PLIANT_STIFFNESS_MODE_CLASSIC
                          ? "the stiffness_mode is classic: use compliant"
                      : def->solver.integrator == PLIANT_INTEGRATOR_BDF2
                          ? "the integrator is bdf2: orientations are of first order"
                          : NULL;
    if (why) return fail(PLIANT_ERROR_UNSUPPORTED, "the rope is a rod, but %s", why);
    return PLIANT_OK;
}

// As many as have colors of their own (asset/rods.c).
enum { MOST_AT_PARTICLE = 16 };
static pliant_result check_crossings(const pliant_mesh* m)
{
    int* count = (int*)mem_array_zero((size_t)m->vertex_count, sizeof(int));
    pliant_result result = count ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    for (int i = 0; i < 2 * m->edge_count && !result; ++i)
        if (++count[m->edges[i]] > MOST_AT_PARTICLE)
            result = fail(PLIANT_ERROR_UNSUPPORTED,
                          "more than %d segments of a rod meet at vertex %d: split it",
                          MOST_AT_PARTICLE, m->edges[i]);
    mem_free(count);
    return result;
}

static bool def_tears(const pliant_mesh* m, const pliant_soft_def* def)
{
    bool tears = cloth_triangles(m) > 0 && def->cloth.tear_strength > 0;
    if (m->tet_count == 0 && m->edge_count == 0) return tears;
    for (int i = 0; i < (def->materials ? def->material_count : 1); ++i)
        tears = tears || (def->materials ? def->materials : &def->material)[i].tear_strength > 0;
    return tears;
}

pliant_result asset_check_elements(const pliant_mesh* m, const pliant_soft_def* def)
{
    pliant_result result = check_capacity(m, def);
    if (!result) result = check_liquid(m, def);
    if (!result) result = check_kind(m, def);
    if (result) return result;
    if (mesh_is_loose(m)) return check_particles(m, def);
    if (def->clusters.stiffness > 0)
        return fail(
            PLIANT_ERROR_ARGUMENT,
            "clusters are of loose particles, and the mesh has %d tets, %d triangles and %d "
            "edges: fill it with particles (pliant_mesh_fill, the scene key fill)",
            m->tet_count, m->triangle_count, m->edge_count);
    if (def->research.stiffness_mode == PLIANT_STIFFNESS_MODE_CLASSIC && m->tet_count &&
        def->solver.formulation != PLIANT_FORMULATION_EDGES_AND_VOLUME)
        return fail(
            PLIANT_ERROR_ARGUMENT,
            "tets know the stiffness_mode classic only with the formulation edges_and_volume");
    if (def->research.boundary.bending > 0 && m->tet_count &&
        def->solver.formulation != PLIANT_FORMULATION_EDGES_AND_VOLUME)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "the boundary of tets bends only with the formulation edges_and_volume");
    bool plates = cloth_triangles(m) && def->cloth.bending > 0 &&
                  def->cloth.bending_by == PLIANT_BENDING_PLATE;
    if (def->research.stiffness_mode == PLIANT_STIFFNESS_MODE_CLASSIC && plates)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "cloth bends by plate, but the stiffness_mode classic knows no plates: bend it "
                    "by isometric or angle, or use compliant");
    if (m->tet_count && def->research.boundary.bending > 0 &&
        def->research.boundary.bending_by == PLIANT_BENDING_PLATE)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "the boundary of tets bends by plate, but it has hinges: "
                    "bend it by isometric or angle");
    if (def->research.stiffness_mode == PLIANT_STIFFNESS_MODE_CLASSIC && cloth_triangles(m) &&
        def->cloth.warp > 0)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "cloth has a warp of %g N/m, but the stiffness_mode classic knows no "
                    "membranes: leave out the warp, or use compliant",
                    def->cloth.warp);
    for (int i = 0; i < def->anchor_count; ++i)
        if (def->anchors[i] < 0 || def->anchors[i] >= m->vertex_count)
            return fail(PLIANT_ERROR_ARGUMENT, "anchor %d is vertex %d of %d", i, def->anchors[i],
                        m->vertex_count);
    result = check_counts(m, def);
    if (!result) result = check_flow(m, def);
    if (!result) result = check_creases(m, def);
    bool tethered = def->anchor_count > 0 && (cloth_triangles(m) || m->edge_count);
    if (!result && def->rope.rod && m->edge_count) result = check_rod(m, def, tethered);
    if (!result && def->rope.rod && m->edge_count) result = check_crossings(m);
    if (!result && def_tears(m, def)) result = asset_check_tearing(m, def, tethered);
    if (result) return result;
    for (int t = 0; def->materials && m->tet_region && t < m->tet_count; ++t)
        if (m->tet_region[t] < 0 || m->tet_region[t] >= def->material_count)
            return fail(PLIANT_ERROR_ARGUMENT, "tet %d is of region %d, but there are %d materials",
                        t, m->tet_region[t], def->material_count);
    if (def_by_cells(def) && (!m->tet_cell || m->edge_count ||
                              def->solver.formulation == PLIANT_FORMULATION_EDGES_AND_VOLUME))
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
