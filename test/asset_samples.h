// Assets of every kind, small: schedules, formulations, cloth, ropes, air, tethers, materials.
#pragma once
#include "scene.h"

typedef struct {
    const char *name, *words;
    pliant_schedule schedule;
    pliant_interface interface;
    pliant_formulation formulation;
    pliant_precision precision;
    pliant_integrator integrator;
    double damping;
    double yield;                      // [Pa] of all tets, or of those of the second material
    double air;                        // [Pa]
    double area;                       // [N/m]
    double stiffness, spacing, strain; // of clusters of particles [-], [m], at which they yield [-]
    bool surface;                      // the boundary of what the words say
    bool regions;                      // two materials
    bool anchors;                      // two tethers' ends
    bool slack, classic, by_angle, by_type, duplicate, twisting, cells;
    int patch_rows, patch_colors;
} asset_sample;

static const asset_sample asset_samples[] = {
    {"patched", "beam:6x5x5:0.1", .patch_rows = 60},
    {"one patch", "beam:3x2x2:0.1", .schedule = PLIANT_SCHEDULE_PATCHED},
    {"ordered", "beam:6x5x5:0.1", .patch_rows = 60, .interface = PLIANT_INTERFACE_ORDERED},
    {"few colors", "sphere:0.5:6", .patch_rows = 64, .patch_colors = 4},
    {"duplicate", "beam:6x5x5:0.1", .patch_rows = 60, .duplicate = true},
    {"twisting", "beam:6x5x5:0.1", .patch_rows = 60, .twisting = true},
    {"clustered", "beam:4x4x3:0.1", .schedule = PLIANT_SCHEDULE_CLUSTERED},
    {"cells", "beam:4x4x3:0.1", .schedule = PLIANT_SCHEDULE_CLUSTERED, .cells = true},
    {"colored", "beam:4x4x3:0.1", .schedule = PLIANT_SCHEDULE_COLORED},
    {"serial", "beam:4x4x3:0.1", .schedule = PLIANT_SCHEDULE_SERIAL},
    {"phantom", "sphere:0.5:6", .schedule = PLIANT_SCHEDULE_PHANTOM},
    {"hybrid", "sphere:0.5:6", .schedule = PLIANT_SCHEDULE_HYBRID},
    {"jacobi", "beam:4x4x3:0.1", .schedule = PLIANT_SCHEDULE_JACOBI},
    {"double", "beam:4x4x3:0.1", .patch_rows = 40, .precision = PLIANT_PRECISION_DOUBLE},
    {"bdf2", "beam:4x4x3:0.1", .patch_rows = 40, .integrator = PLIANT_INTEGRATOR_BDF2},
    {"damped", "beam:4x4x3:0.1", .patch_rows = 40, .damping = 1e-3},
    {"damped clusters", "beam:4x4x3:0.1", .schedule = PLIANT_SCHEDULE_CLUSTERED, .damping = 1e-3},
    {"two rows", "beam:4x4x3:0.1", .patch_rows = 40, .formulation = PLIANT_FORMULATION_TWO_ROWS},
    {"decoupled", "beam:4x4x3:0.1", .patch_rows = 40, .formulation = PLIANT_FORMULATION_DECOUPLED},
    {"decoupled nodes", "beam:4x4x3:0.1", .patch_rows = 40,
     .formulation = PLIANT_FORMULATION_DECOUPLED_NODES},
    {"decoupled nodes, serial", "beam:3x2x2:0.1", .schedule = PLIANT_SCHEDULE_SERIAL,
     .formulation = PLIANT_FORMULATION_DECOUPLED_NODES},
    {"edges and volume", "beam:4x4x3:0.1", .patch_rows = 40,
     .formulation = PLIANT_FORMULATION_EDGES_AND_VOLUME, .by_angle = true, .by_type = true},
    {"materials", "beam:4x4x3:0.1", .patch_rows = 40, .regions = true},
    {"materials, colored", "beam:4x4x3:0.1", .schedule = PLIANT_SCHEDULE_COLORED, .regions = true,
     .damping = 1e-3},
    {"plastic", "beam:6x5x5:0.1", .patch_rows = 60, .yield = 2e3},
    {"plastic clusters", "beam:4x4x3:0.1", .schedule = PLIANT_SCHEDULE_CLUSTERED, .damping = 1e-3,
     .yield = 2e3},
    {"plastic phantom", "sphere:0.5:6", .schedule = PLIANT_SCHEDULE_PHANTOM, .yield = 2e3},
    {"plastic nodes", "beam:4x4x3:0.1", .patch_rows = 40, .damping = 1e-3, .yield = 2e3,
     .formulation = PLIANT_FORMULATION_DECOUPLED_NODES, .precision = PLIANT_PRECISION_DOUBLE},
    {"plastic, serial", "beam:3x2x2:0.1", .schedule = PLIANT_SCHEDULE_SERIAL, .yield = 2e3,
     .formulation = PLIANT_FORMULATION_DECOUPLED},
    {"plastic in part", "beam:4x4x3:0.1", .patch_rows = 40, .regions = true, .yield = 2e3},
    {"plastic in part, colored", "beam:4x4x3:0.1", .schedule = PLIANT_SCHEDULE_COLORED,
     .regions = true, .yield = 2e3, .formulation = PLIANT_FORMULATION_TWO_ROWS},
    {"plastic bdf2", "beam:4x4x3:0.1", .patch_rows = 40, .yield = 2e3,
     .integrator = PLIANT_INTEGRATOR_BDF2},
    {"cloth", "cloth:12x12:1x1", .patch_rows = 50, .area = 100},
    {"cloth by angles", "cloth:8x8:1x1", .schedule = PLIANT_SCHEDULE_COLORED, .by_angle = true,
     .by_type = true},
    {"classic cloth", "cloth:8x8:1x1", .patch_rows = 50, .classic = true},
    {"tethers", "cloth:12x12:1x1", .patch_rows = 50, .anchors = true},
    {"air", "sphere:0.5:6", .surface = true, .air = 1e4},
    {"rope", "rope:3:60", .patch_rows = 20},
    {"slack rope", "rope:3:60", .patch_rows = 20, .slack = true, .damping = 1e-3,
     .precision = PLIANT_PRECISION_DOUBLE},
    {"rope with tethers", "rope:3:30", .schedule = PLIANT_SCHEDULE_PHANTOM, .anchors = true},
    {"particles", "grains:1x1x1:0.2", .precision = PLIANT_PRECISION_SINGLE},
    {"particles, double", "grains:1x1x1:0.2:0", .precision = PLIANT_PRECISION_DOUBLE},
    {"rigid particles", "grains:1x1x1:0.2:0", .stiffness = 1},
    {"particles in clusters", "grains:1x1x1:0.15:0", .stiffness = 0.8, .spacing = 0.3,
     .strain = 0.02},
};
enum { ASSET_SAMPLES = sizeof asset_samples / sizeof *asset_samples };

static inline pliant_soft_def sample_definition(const asset_sample* s)
{
    pliant_soft_def def = pliant_soft_defaults();
    def.material.damping = def.cloth.damping = s->damping;
    def.material.yield_stress = s->regions ? 0 : s->yield;
    def.clusters.stiffness = s->stiffness;
    def.clusters.spacing = s->spacing;
    def.clusters.yield_strain = s->strain;
    def.solver.schedule = s->schedule;
    def.solver.patch_interface = s->interface;
    def.solver.formulation = s->formulation;
    def.solver.precision = s->precision;
    def.solver.integrator = s->integrator;
    def.cloth.air = s->air;
    def.cloth.area = s->area;
    def.rope.slack = s->slack;
    def.research.stiffness_mode =
        s->classic ? PLIANT_STIFFNESS_MODE_CLASSIC : PLIANT_STIFFNESS_MODE_COMPLIANT;
    def.cloth.bending_by = def.research.boundary.bending_by =
        s->by_angle ? PLIANT_BENDING_ANGLE : PLIANT_BENDING_ISOMETRIC;
    def.research.boundary.bending =
        s->formulation == PLIANT_FORMULATION_EDGES_AND_VOLUME ? 1e-3 : 0;
    def.research.color_scope = s->by_type ? PLIANT_COLOR_SCOPE_TYPE : PLIANT_COLOR_SCOPE_ALL;
    def.research.merge = s->duplicate ? PLIANT_MERGE_DUPLICATE : PLIANT_MERGE_SPLIT;
    def.research.rotation = s->twisting ? PLIANT_ROTATION_AS_PUBLISHED : PLIANT_ROTATION_KEPT;
    def.research.clustering = s->cells ? PLIANT_CLUSTERING_CELLS : PLIANT_CLUSTERING_COMPACT;
    def.solver.patch_rows = s->patch_rows;
    def.solver.patch_colors = s->patch_colors;
    return def;
}

static inline pliant_mesh* sample_mesh(const asset_sample* s)
{
    pliant_mesh* mesh = s->surface ? surface_of(s->words) : generate(s->words);
    if (!s->regions) return mesh;
    pliant_region half = pliant_region_defaults();
    half.normal[0] = 1;
    half.point[0] = 0.2;
    CHECK_OK(pliant_mesh_paint(mesh, &half, 1));
    return mesh;
}

static inline pliant_asset* compile_sample(const asset_sample* s)
{
    static const int anchors[] = {0, 3};
    const pliant_material_def materials[] = {
        {.density = 1000, .young = 1e6, .poisson = 0.45, .damping = s->damping},
        {.density = 2000,
         .young = 1e5,
         .poisson = 0.3,
         .damping = 2 * s->damping,
         .yield_stress = s->yield}};
    pliant_mesh* mesh = sample_mesh(s);
    pliant_soft_def def = sample_definition(s);
    pliant_asset* asset = NULL;
    if (s->regions) {
        def.materials = materials;
        def.material_count = 2;
    }
    if (s->anchors) {
        def.anchors = anchors;
        def.anchor_count = 2;
    }
    CHECK_OK(pliant_asset_create(mesh, &def, &asset));
    pliant_mesh_destroy(mesh);
    return asset;
}
