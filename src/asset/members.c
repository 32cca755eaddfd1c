#include "asset/members.h"
#include "asset/words.h"
#include "base/cookie.h"
#include "base/member_list.h"
#include <string.h>

// ---- what members are for -----------------------------------------------------------------------

static const pliant_solver_def* solver_of(const void* body)
{
    return &((const member_subject*)body)->def->solver;
}
static const pliant_mesh_arrays* mesh_of(const void* body)
{
    return &((const member_subject*)body)->mesh;
}

static bool has_tets(const void* b) { return mesh_of(b)->tet_count > 0; }
static bool has_cloth(const void* b) { return !has_tets(b) && mesh_of(b)->triangle_count > 0; }
static bool has_edges(const void* b) { return mesh_of(b)->edge_count > 0; }
static bool has_solid(const void* b) { return has_tets(b) || has_edges(b); }
static bool is_loose(const void* b) { return !has_solid(b) && mesh_of(b)->triangle_count == 0; }
static bool is_rigid(const void* b) { return ((const member_subject*)b)->def->rigid; }
static bool has_density(const void* b) { return has_solid(b) || is_loose(b) || is_rigid(b); }
static bool has_one_radius(const void* b) { return mesh_of(b)->vertex_radius == NULL; }
static bool is_rod(const void* b)
{
    return has_edges(b) && ((const member_subject*)b)->def->rope.rod;
}
static bool is_tethered(const void* b) { return ((const member_subject*)b)->tethered; }

static bool has_formulation(const void* b, pliant_formulation formulation)
{
    return has_tets(b) && solver_of(b)->formulation == formulation;
}
static bool has_ten_rows(const void* b) { return has_formulation(b, PLIANT_FORMULATION_TEN_ROWS); }
static bool is_by_edges(const void* b)
{
    return has_formulation(b, PLIANT_FORMULATION_EDGES_AND_VOLUME);
}
static bool can_flow(const void* b) { return has_tets(b) && !is_by_edges(b); }
static bool has_membrane(const void* b)
{
    return has_cloth(b) && ((const member_subject*)b)->def->cloth.warp > 0;
}
static bool has_plates(const void* b)
{
    const pliant_cloth_def* c = &((const member_subject*)b)->def->cloth;
    return has_cloth(b) && c->bending > 0 && c->bending_by == PLIANT_BENDING_PLATE;
}
static bool is_woven(const void* b) { return has_membrane(b) || has_plates(b); }
static bool has_sheet(const void* b) { return has_cloth(b) && !has_membrane(b); }
static bool has_no_radius(const void* b)
{
    return has_cloth(b) && has_one_radius(b) && !(((const member_subject*)b)->def->radius > 0);
}
static bool has_rows(const void* b) { return has_cloth(b) || has_edges(b) || is_by_edges(b); }
static bool is_classic(const void* b)
{
    const pliant_research_def* r = &((const member_subject*)b)->def->research;
    return has_rows(b) && r->stiffness_mode == PLIANT_STIFFNESS_MODE_CLASSIC;
}

static bool has_schedule(const void* b, pliant_schedule schedule)
{
    return solver_of(b)->schedule == schedule;
}
static bool is_patched(const void* b) { return has_schedule(b, PLIANT_SCHEDULE_PATCHED); }
static bool is_merged(const void* b)
{
    return is_patched(b) && solver_of(b)->patch_interface == PLIANT_INTERFACE_MERGED;
}
static bool is_clustered(const void* b) { return has_schedule(b, PLIANT_SCHEDULE_CLUSTERED); }
static bool is_phantom(const void* b) { return has_schedule(b, PLIANT_SCHEDULE_PHANTOM); }
static bool has_few_colors(const void* b)
{
    return is_phantom(b) || has_schedule(b, PLIANT_SCHEDULE_HYBRID);
}
static bool is_averaged(const void* b)
{
    return has_schedule(b, PLIANT_SCHEDULE_HYBRID) || has_schedule(b, PLIANT_SCHEDULE_JACOBI);
}
static bool has_copies(const void* b) { return is_merged(b) || is_phantom(b) || is_averaged(b); }
static bool has_colors(const void* b)
{
    return is_patched(b) || is_phantom(b) || has_schedule(b, PLIANT_SCHEDULE_COLORED);
}

static const key_effect
    of_solid = {has_solid, "tets and ropes; that of triangles is \"cloth\""},
    of_density = {has_density,
                  "tets, ropes, particles and what is rigid; that of triangles is \"cloth\""},
    of_loose = {is_loose, "loose particles"},
    of_one_radius = {has_one_radius, "meshes whose particles have no radii of their own"},
    of_sheet = {has_sheet, "cloth without warp"}, of_membrane = {has_membrane, "cloth with warp"},
    of_plates = {has_plates, "cloth that bends by plate"},
    of_woven = {is_woven, "cloth with warp, or that bends by plate"},
    of_no_radius = {has_no_radius, "cloth without a radius"},
    of_cloth = {has_cloth, "a mesh of triangles"}, of_edges = {has_edges, "a mesh of edges"},
    of_rods = {is_rod, "ropes that are rods"},
    of_tethers = {is_tethered, "cloth and ropes with tethers"}, of_tets = {has_tets, "tets"},
    of_ten_rows = {has_ten_rows, "tets with the formulation ten_rows"},
    of_by_edges = {is_by_edges, "tets with the formulation edges_and_volume"},
    of_flow = {can_flow, "tets with any formulation but edges_and_volume"},
    of_rows = {has_rows, "cloth, ropes, and tets with the formulation edges_and_volume"},
    of_classic = {is_classic, "the stiffness_mode classic"},
    of_patched = {is_patched, "the schedule patched"},
    of_merged = {is_merged, "the schedule patched with the patch_interface merged"},
    of_colors = {has_colors, "the schedules patched, colored and phantom"},
    of_copies = {has_copies, "schedules with copies of particles"},
    of_few_colors = {has_few_colors, "the schedules phantom and hybrid"},
    of_phantom = {is_phantom, "the schedule phantom"},
    of_averaged = {is_averaged, "the schedules jacobi and hybrid"},
    of_clustered = {is_clustered, "the schedule clustered"};

// ---- the list -----------------------------------------------------------------------------------

// clang-format off
#define OF pliant_material_def
static const key material_keys[] = {
    NUMBER(density, 1000, POSITIVE,       "kg/m^3", NULL, "mass per volume"),
    NUMBER(young,   1e6,  POSITIVE,       "Pa",     NULL, "Young's modulus"),
    NUMBER(poisson, 0.45, WITHIN(0, 0.5), NULL,     NULL, "Poisson's ratio"),
    NUMBER(damping, 0,    ZERO_OR_MORE,   "s",      NULL, "time constant of the inner friction"),
    NUMBER(yield_stress,  0, ZERO_OR_MORE, "Pa", &of_flow,
           "beyond it the shape at rest flows; 0: it never does"),
    NUMBER(hardening,     0, ZERO_OR_MORE, "Pa", &of_flow,
           "yield stress that is won per plastic strain"),
    NUMBER(plastic_time,  0, ZERO_OR_MORE, "s",  &of_flow,
           "in which the stress beyond the yield stress falls to 1/e; 0: at once"),
    NUMBER(plastic_limit, 0, ZERO_OR_MORE, NULL, &of_flow,
           "plastic strain beyond which nothing flows; 0: none"),
    NUMBER(tear_strength, 0, ZERO_OR_MORE, "Pa", &of_solid,
           "beyond it tets and ropes come apart; 0: they never do"),
    NUMBER(tear_energy,   0, ZERO_OR_MORE, "J/m^2", &of_solid, "that a tear takes, per area"),
    NUMBER(expansion,     0, ZERO_OR_MORE, "1/K", &of_flow,
           "by which each length grows with the warmth of a swelling; 0: none"),
    NUMBER(contraction,   0, WITHIN(0, 0.9), NULL, &of_flow,
           "by which a muscle is shorter along its fibers at a signal of 1; 0: none"),
    MEMBER(VECTOR, fiber, .standard = {1, 0, 0}, WITHIN(-1e9, 1e9), .effect = &of_flow,
           .help = "direction of its fibers in the mesh, of any length"),
};
#undef OF
static const key_preset material_presets[] = {
    // name         density young poisson damping
    {"rubber",      {1000,  1e6,  0.45,   0}},
    {"hard_rubber", {1200,  1e7,  0.48,   0}},
    {"gel",         {1000,  1e5,  0.48,   0.001}},
    {"jelly",       {1000,  2e4,  0.48,   0.002}},
    {"foam",        {100,   5e4,  0.1,    0.005}},
    {"muscle",      {1060,  6e4,  0.49,   0.003}},
    {NULL, {0}},
};

#define OF pliant_cloth_def
static const key cloth_keys[] = {
    // Those of presets come first.
    NUMBER(density,   0.2,  POSITIVE,        "kg/m^2", NULL, "mass per area"),
    NUMBER(warp,      0,    ZERO_OR_MORE,    "N/m",    NULL,
           "tension per width and strain along the warp; 0: edges hold it, by stretch"),
    NUMBER(weft,      0,    ZERO_OR_MORE,    "N/m",    &of_membrane, "the same across; 0: as the warp"),
    NUMBER(shear,     0,    ZERO_OR_MORE,    "N/m",    &of_membrane,
           "force per length and angle between warp and weft; 0: as without directions"),
    NUMBER(poisson,   0,    BETWEEN(-1, 1),  NULL,     &of_woven,
           "how much narrower what is pulled becomes"),
    NUMBER(bending,   1e-5, ZERO_OR_MORE,    "N m",    NULL,
           "moment per width and curvature; 0: none"),
    NUMBER(bending_weft, 0, ZERO_OR_MORE,    "N m",    &of_plates,
           "the same across; 0: as along the warp"),
    CHOICE(bending_by, bending_words, NULL,
           "isometric: cheap, without sign; angle: with sign; plate: the same in any mesh"),
    NUMBER(damping,   0,    ZERO_OR_MORE,    "s",      NULL, "time constant of the inner friction"),
    NUMBER(thickness, 0,    ZERO_OR_MORE,    "m",      &of_no_radius,
           "that surfaces keep as a distance; 0: none"),
    MEMBER(VECTOR, warp_direction, .standard = {1, 0, 0}, WITHIN(-1e9, 1e9), .effect = &of_woven,
           .help = "of the warp at rest, as a part of each triangle; 0, and where it has none: from a "
                   "triangle's first corner to its second"),
    NUMBER(stretch,   1000, POSITIVE,        "N/m",    &of_sheet, "tension per width and strain"),
    NUMBER(area,      0,    ZERO_OR_MORE,    "N/m",    NULL,
           "against changes of the triangles' areas; 0: none"),
    NUMBER(air,       0,    ZERO_OR_MORE,    "Pa",     NULL,
           "pressure per share of volume that a closed surface lacks; 0: it holds nothing"),
    NUMBER(inflation, 1,    ZERO_OR_MORE,    NULL,     NULL,
           "volume that it wants over its volume at rest; 0: 1"),
    NUMBER(tear_strength, 0, ZERO_OR_MORE,   "N/m",    NULL,
           "beyond it the sheet comes apart; 0: it never does"),
    NUMBER(tear_energy,   0, ZERO_OR_MORE,   "J/m",    NULL, "that a tear takes, per length"),
    NUMBER(yield_curvature, 0, ZERO_OR_MORE, "1/m", &of_plates,
           "what is bent more stays bent; 0: it never yields"),
    NUMBER(hardening, 0, ZERO_OR_MORE, "N m", &of_plates,
           "moment per width that is won per plastic curvature"),
    NUMBER(plastic_time, 0, ZERO_OR_MORE, "s", &of_plates,
           "in which what is beyond the yield curvature falls to 1/e; 0: at once"),
};
#undef OF

static const key_preset fabrics[] = {
    // name     density warp  weft  shear poisson bending weft    by damping thickness
    {"cotton",  {0.15,  4000, 2500, 100,  0.2,    1.8e-5, 1.2e-5, 2, 1e-4,   4e-4}},
    {"silk",    {0.07,  3000, 2000, 25,   0.15,   1.8e-6, 1.2e-6, 2, 1e-4,   2e-4}},
    {"wool",    {0.25,  2000, 1200, 50,   0.2,    1.4e-5, 1e-5,   2, 2e-4,   8e-4}},
    {"denim",   {0.42,  9000, 6000, 250,  0.2,    1.3e-4, 8e-5,   2, 2e-4,   1e-3}},
    {"leather", {0.60, 10000, 8000, 3000, 0.3,    5e-5,   5e-5,   2, 2e-4,   1e-3}},
    {NULL, {0}},
};

#define OF pliant_rope_def
static const key rope_keys[] = {
    NUMBER(radius, 0, ZERO_OR_MORE,   "m", NULL, "of the cross section; 0: length / 100"),
    NUMBER(bending, 0, ZERO_OR_MORE,  "N m^2", NULL, "moment per curvature; 0: none, of rods E I"),
    FLAG(slack, false, NULL, "edges pull when they are stretched and never push"),
    FLAG(rod, false, NULL, "segments have orientations: they shear and twist, too, and are at rest "
                           "as curved as the mesh is"),
    NUMBER(stretch,  0, ZERO_OR_MORE, "N",     &of_rods, "tension per strain; 0: E A"),
    NUMBER(shear,    0, ZERO_OR_MORE, "N",     &of_rods, "force across per angle; 0: about 0.9 G A"),
    NUMBER(twisting, 0, ZERO_OR_MORE, "N m^2", &of_rods, "torque per twist per length; 0: G J"),
    NUMBER(gyration, 0, ZERO_OR_MORE, "m",     &of_rods,
           "by which orientations resist to be turned; 0: half of a segment"),
};
#undef OF

#define OF pliant_clusters_def
static const key clusters_keys[] = {
    NUMBER(stiffness,     0, WITHIN(0, 1), NULL, NULL, "0: there are no clusters; 1: rigid"),
    NUMBER(spacing,       0, ZERO_OR_MORE, "m",  NULL,
           "between the centers of clusters; 0: one cluster of all particles"),
    NUMBER(size,          0, ZERO_OR_MORE, "m",  NULL,
           "from a center to its farthest particles; 0: 1.5 times the spacing"),
    NUMBER(yield_strain,  0, ZERO_OR_MORE, NULL, NULL,
           "beyond it the shape at rest flows; 0: it never does"),
    NUMBER(plastic_time,  0, ZERO_OR_MORE, "s",  NULL,
           "in which the strain beyond the yield strain falls to 1/e; 0: at once"),
    NUMBER(plastic_limit, 0, ZERO_OR_MORE, NULL, NULL,
           "how far the shape may flow, over the radius of a cluster; 0: any"),
};
#undef OF

#define OF pliant_liquid_def
static const key liquid_keys[] = {
    NUMBER(spacing,   0,     ZERO_OR_MORE, "m",    NULL,
           "between particles at rest; 0: it is no liquid"),
    NUMBER(viscosity, 0.001, ZERO_OR_MORE, "Pa s", NULL, "of shear; walls hold it by that, too"),
    FLAG(slips, false, NULL, "walls do not hold it by its viscosity"),
    NUMBER(surface_tension, 0, ZERO_OR_MORE, "N/m", NULL,
           "what a surface costs for its area: drops stay together and get round"),
    NUMBER(adhesion, 0, ZERO_OR_MORE, "N/m", NULL,
           "what it costs to take it off a wall, for the area"),
    NUMBER(vorticity, 0, ZERO_OR_MORE, NULL, NULL,
           "drives what turns: by this times the spacing times the vorticity squared"),
    FLAG(classic, false, NULL,
         "iterations do not know of pressures before them: as in position based fluids (2013)"),
};
#undef OF

#define OF pliant_gas_def
static const key gas_keys[] = {
    NUMBER(spacing,    0,      ZERO_OR_MORE, "m",    NULL,
           "between particles at rest; 0: it is no gas"),
    NUMBER(viscosity,  1.8e-5, ZERO_OR_MORE, "Pa s", NULL, "of shear; walls hold it by that, too"),
    NUMBER(expansion,  0.0034, WITHIN(-1e3, 1e3), "1/K", NULL,
           "larger by which share of its volume per kelvin above the heat's ambient"),
    NUMBER(drag,       1,      ZERO_OR_MORE, NULL,   NULL,
           "of the air around, on the face of a cube that lies open"),
    NUMBER(swirl,      0,      ZERO_OR_MORE, "1/s",  NULL,
           "how fast vorticity comes back that the flow has lost; 0: it does not"),
    NUMBER(swirl_time, 0.5,    POSITIVE,     "s",    NULL,
           "in which that is forgotten to 1/e"),
};
#undef OF

#define OF pliant_heat_def
static const key heat_keys[] = {
    NUMBER(temperature,  0,      ZERO_OR_MORE, "K",         NULL,
           "of the particles at first, and of those that come; 0: the body knows no heat"),
    NUMBER(ambient,      293.15, ZERO_OR_MORE, "K",         NULL, "of what is around"),
    NUMBER(conductivity, 0.026,  ZERO_OR_MORE, "W/(m K)",   NULL,
           "between particles that are near each other"),
    NUMBER(capacity,     1005,   POSITIVE,     "J/(kg K)",  NULL, "heat that warms it"),
    NUMBER(exchange,     0,      ZERO_OR_MORE, "W/(m^2 K)", NULL,
           "with what is around, where particles lie open"),
};
#undef OF

#define OF pliant_solver_def
static const key solver_keys[] = {
    CHOICE(formulation, formulation_words, &of_tets, "how the energy of a tet becomes constraints"),
    NUMBER(shear_relaxation, 1, WITHIN(1, 100), NULL, &of_ten_rows, "calmer, lags more"),
    CHOICE(integrator, integrator_words, NULL,
           "how a substep is made: what constraints see of it, what is remembered"),
    CHOICE(schedule, schedule_words, NULL, "the order in which constraints are solved"),
    CHOICE(patch_interface, interface_words, &of_patched,
           "how patches meet: all at once, or in turns"),
    INTEGER(patch_rows, 0, OR_NONE(16, 65535), &of_patched,
            "most particles of a patch; 0: 1536, or for a GPU what makes 132 patches"),
    INTEGER(patch_colors, 0, OR_NONE(4, 256), &of_merged,
            "most colors of a patch; 0: chosen"),
    CHOICE(target_backend, backend_words, &of_patched, "what the size of patches is for"),
    CHOICE(precision, precision_words, NULL, "double: the reference, slow"),
};
#undef OF

#define OF pliant_stiffness_def
static const key stiffness_keys[] = {
    NUMBER(stretch, 1, ABOVE(0, 1), NULL, NULL, "of edges"),
    NUMBER(bending, 1, ABOVE(0, 1), NULL, NULL, "of hinges"),
    NUMBER(area,    1, ABOVE(0, 1), NULL, NULL, "of triangles"),
    NUMBER(volume,  1, ABOVE(0, 1), NULL, NULL, "of tets"),
    NUMBER(tether,  1, ABOVE(0, 1), NULL, NULL, "of tethers"),
};
#undef OF

#define OF pliant_boundary_def
static const key boundary_keys[] = {
    NUMBER(bending, 0, ZERO_OR_MORE,    "N m", NULL, "moment per width and curvature; 0: none"),
    CHOICE(bending_by, bending_words, NULL, "as of cloth"),
};
#undef OF

static const key_table
    stiffness_members = {TABLE(stiffness_keys, pliant_stiffness_def), .name = "stiffness",
        .help = "Of the stiffness_mode classic: the share of an error that the iterations of a "
                "substep correct."},
    boundary_members = {TABLE(boundary_keys, pliant_boundary_def), .name = "boundary",
        .help = "What holds the surface of tets besides their edges."};

#define OF pliant_research_def
static const key research_keys[] = {
    CHOICE(lame_convention, lame_words, &of_solid,
           "plain: Lame's parameters go into the energy as they are, as in the papers"),
    CHOICE(stiffness_mode, stiffness_mode_words, &of_rows,
           "how edges, hinges, areas and volumes are held: by the material, or by stiffness"),
    STRUCT(stiffness, stiffness_members, &of_classic, "instead of a material"),
    STRUCT(boundary, boundary_members, &of_by_edges, "hinges on the surface of tets"),
    NUMBER(drag, 0, WITHIN(0, 1), NULL, NULL,
           "of the integrator verlet: part of the velocity that is lost in each substep"),
    CHOICE(rotation, rotation_words, NULL,
           "what sweeps turn by themselves is taken back, or stays as in the papers"),
    CHOICE(merge, merge_words, &of_copies,
           "what copies of a particle weigh: a share of its mass, or all of it"),
    CHOICE(color_scope, color_scope_words, &of_colors,
           "which constraints get their colors together: all, or those of a type"),
    INTEGER(most_colors, 0, OR_NONE(1, 256), &of_few_colors,
            "0: half of the most constraints that meet"),
    CHOICE(phantoms, phantoms_words, &of_phantom,
           "whose copies phantoms are: of several constraints, or of one each"),
    NUMBER(relaxation, 1, BETWEEN(0, 2), NULL, &of_averaged,
           "of what is averaged, for several iterations"),
    CHOICE(clustering, clustering_words, &of_clustered, "how clusters are found"),
    INTEGER(cluster_size, 5, WITHIN(1, 64), &of_clustered, "most constraints in a cluster"),
};
#undef OF

const key_table material_members = {TABLE(material_keys, pliant_material_def), .name = "material",
    .help = "What tets and ropes are made of; of particles, the density. A text stands for "
            "\"preset\".",
    .presets = material_presets, .preset_numbers = 4};

const key_table cloth_members = {TABLE(cloth_keys, pliant_cloth_def), .name = "cloth",
    .help = "What triangles are made of. A text stands for \"preset\": a fabric.",
    .presets = fabrics, .preset_numbers = 10};

static const key_table
    rope_members = {TABLE(rope_keys, pliant_rope_def), .name = "rope",
        .help = "What edges are besides their material."},
    clusters_members = {TABLE(clusters_keys, pliant_clusters_def), .name = "clusters",
        .help = "Particles that keep their shape together: rigid and soft bodies of particles."},
    liquid_members = {TABLE(liquid_keys, pliant_liquid_def), .name = "liquid",
        .help = "Particles that flow; their density is that of the material."},
    gas_members = {TABLE(gas_keys, pliant_gas_def), .name = "gas",
        .help = "Particles that flow in an open world, lighter than the air around where they are "
                "warmer; their density is that of the material."},
    heat_members = {TABLE(heat_keys, pliant_heat_def), .name = "heat",
        .help = "How warm particles are that flow, and how heat goes from one to the next."},
    solver_members = {TABLE(solver_keys, pliant_solver_def), .name = "solver",
        .help = "How a body is solved. The defaults are good for all bodies."},
    research_members = {TABLE(research_keys, pliant_research_def), .name = "research",
        .help = "What only serves to compare with publications and to repeat their results."};

#define OF pliant_soft_def
static const key soft_keys[] = {
    STRUCT(material, material_members, &of_density, "a preset or numbers"),
    STRUCT(cloth, cloth_members, &of_cloth, "a preset or numbers of the sheet"),
    STRUCT(rope, rope_members, &of_edges, "how thick it is, and whether it goes slack"),
    STRUCT(clusters, clusters_members, &of_loose, "particles that keep their shape"),
    STRUCT(liquid, liquid_members, &of_loose, "particles that flow"),
    STRUCT(gas, gas_members, &of_loose, "likewise, in an open world: a liquid or a gas"),
    STRUCT(heat, heat_members, &of_loose, "of what flows"),
    FLAG(carried, false, &of_loose,
         "particles go where the gas and the air around them go: smoke"),
    NUMBER(radius, 0, ZERO_OR_MORE,   "m", &of_one_radius,
           "of the particles: contacts keep this distance"),
    INTEGER(capacity, 0, WITHIN(0, PLIANT_MOST_PARTICLES), &of_loose,
            "particles that there is room for, so that they come and go; 0: as the mesh has"),
    FLAG(rigid, false, NULL, "the body does not deform"),
    NUMBER(tether_slack, 0, ZERO_OR_MORE,   NULL, &of_tethers,
           "how much farther than edges lead particles get from the pins, as a share"),
    STRUCT(solver, solver_members, NULL, "how it is solved"),
    STRUCT(research, research_members, NULL, "for comparison with publications"),
};
#undef OF
// clang-format on
const key_table soft_members = {.name = "soft body", .help = "", TABLE(soft_keys, pliant_soft_def)};

// Names and numbers are those of scenes.
pliant_result pliant_cloth_preset(const char* name, pliant_cloth_def* out)
{
    if (!REQUIRE(name && out)) return PLIANT_ERROR_ARGUMENT;
    for (int i = 0; fabrics[i].name; ++i)
        if (strcmp(fabrics[i].name, name) == 0) {
            table_defaults(&cloth_members, out);
            table_preset(&cloth_members, i, out);
            return PLIANT_OK;
        }
    return fail(PLIANT_ERROR_ARGUMENT,
                "there is no fabric '%s': use cotton, silk, wool, denim or leather", name);
}

pliant_soft_def pliant_soft_defaults(void)
{
    pliant_soft_def def;
    table_defaults(&soft_members, &def);
    def.cookie = COOKIE_SOFT;
    return def;
}
