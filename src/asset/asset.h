// A compiled soft body: what all its instances share.
#pragma once
#include "asset/clusters.h"
#include "asset/parts.h"
#include "asset/rigid.h"
#include "asset/rods.h"
#include "contact/surface.h"
#include "mesh/mesh.h"
#include "plan/plan.h"
#include "solver/enclosure.h"
#include "solver/particles.h"
#include <stdatomic.h>

struct pliant_asset {
    _Atomic int users; // the creator and every body
    pliant_soft_def def;
    pliant_material_def* material; // material_count
    int material_count;
    pliant_mesh* mesh; // a copy: rest positions and elements, and places for particles to come
    int first_count;   // particles that bodies have at first: all, but for those to come
    part_list parts[PART_KINDS];
    plan plan;
    enclosure inside;                  // of cloth that holds air
    cluster_set clusters;              // of loose particles; empty: there are none
    rod_set rods;                      // of edges that are a rod's; likewise
    _Atomic(contact_surface*) surface; // NULL: nobody has asked for it
    double* mass;                      // [kg] of each particle
    rigid_shape rigid;                 // of bodies that do not deform; else its `local` is NULL
    int nodes_per_tet;
    double shear_frequency, volume_frequency; // [rad/s] the highest
    double typical_frequency;                 // [rad/s] 19 of 20 particles lie below
    double softness; // [-] mu / lambda, the least of the tets' materials; INFINITY without tets
    double total_mass, total_volume, compile_seconds;
};

// Refuse definitions and meshes that no body can be made of.
pliant_result asset_check_def(const pliant_soft_def* def);
pliant_result asset_check_mesh(const pliant_mesh* mesh, const pliant_soft_def* def);
// The same, but for whether the surface can hold air.
pliant_result asset_check_elements(const pliant_mesh* mesh, const pliant_soft_def* def);

// What follows from mesh, definition and materials: masses, volume, softness; then the air inside
// and the clusters. The last two are false when memory runs out.
pliant_result asset_measure(pliant_asset* asset);
bool asset_enclose(pliant_asset* asset);
bool asset_find_clusters(pliant_asset* asset);

// The plan of its parts. False when memory runs out, or who watches ends it.
bool asset_compile_plan(pliant_asset* asset, watcher* watch);

// How its plan is to be.
plan_settings asset_plan_settings(const pliant_asset* asset);

// Whether it tears by itself; and what cannot tear or be cut.
bool asset_tears(const pliant_asset* asset);
bool asset_takes_tear_energy(const pliant_asset* asset);
pliant_result asset_check_tearing(const pliant_mesh* mesh, const pliant_soft_def* def,
                                  bool tethered);
// [N m] What a triangle of cloth gives to each of its edges (seams.c).
double asset_side_stiffness(const pliant_asset* asset, int triangle);
// An asset of the same definition of a mesh that has the same elements, with vertices that have
// parted; it takes the mesh. Its frequencies are those of `from`.
pliant_result asset_create_torn(const pliant_asset* from, pliant_mesh* mesh, pliant_asset** out);

static inline bool def_by_cells(const pliant_soft_def* def)
{
    return def->solver.schedule == PLIANT_SCHEDULE_CLUSTERED &&
           def->research.clustering == PLIANT_CLUSTERING_CELLS;
}

pliant_asset* asset_allocate(void); // empty, with one user; NULL when memory runs out
void asset_retain(const pliant_asset* asset);
void asset_release(const pliant_asset* asset);

// Its outside, as contacts see it: made when it is first asked for, by any thread. NULL when memory
// runs out.
const contact_surface* asset_surface(const pliant_asset* asset);

// Whether its triangles are membranes, instead of having edges.
static inline bool asset_is_woven(const pliant_asset* a)
{
    return a->def.cloth.warp > 0 && cloth_triangles(a->mesh) > 0;
}

// The material of a tet.
const pliant_material_def* asset_material(const pliant_asset* asset, int tet);

// What the energy of a tet has of it (material.h).
void asset_constants(const pliant_asset* asset, int tet, element* out);

// [m] Of a particle, against colliders; a loose one is a ball of that size.
double asset_radius(const pliant_asset* asset, int particle);
double asset_largest_radius(const pliant_asset* asset);
double asset_smallest_radius(const pliant_asset* asset);
double asset_ball_volume(double radius);                          // [m^3]
double asset_ball_mass(const pliant_asset* asset, double radius); // [kg] of a loose particle

// Cross section of a rope [m^2].
double asset_rope_area(const pliant_asset* asset);

// Whether the rest shapes of some tets can flow, or those of plates; what follows from which nodes
// do (plan.h).
bool asset_flows(const pliant_asset* asset);
static inline bool asset_creases(const pliant_asset* a)
{
    return a->def.cloth.yield_curvature > 0 && cloth_triangles(a->mesh) && !a->def.rigid;
}
bool asset_find_flow(pliant_asset* asset);

// Rest state and material of a part.
void asset_describe(const pliant_asset* asset, int number, element* out);

// Whether particles of its bodies come and go.
static inline bool asset_changes(const pliant_asset* a) { return a->def.capacity > 0; }

// Whether something of it takes energy.
static inline bool asset_is_damped(const pliant_asset* a)
{
    return a->plan.damped || a->rods.damping > 0;
}

// Whether its bodies do not deform.
static inline bool asset_is_rigid(const pliant_asset* a) { return a->rigid.local != NULL; }

// Whether they are particles that move by themselves.
static inline bool asset_is_grains(const pliant_asset* a)
{
    return mesh_is_loose(a->mesh) && !asset_is_rigid(a);
}

// [m] Between particles that flow; 0: it does not.
static inline double def_spacing(const pliant_soft_def* def)
{
    return def->gas.spacing > 0 ? def->gas.spacing : def->liquid.spacing;
}
static inline double def_viscosity(const pliant_soft_def* def)
{
    return def->gas.spacing > 0 ? def->gas.viscosity : def->liquid.viscosity;
}

// Whether these are a liquid or a gas, and which of them.
static inline bool asset_is_liquid(const pliant_asset* a)
{
    return asset_is_grains(a) && def_spacing(&a->def) > 0;
}
static inline bool asset_is_gas(const pliant_asset* a)
{
    return asset_is_grains(a) && a->def.gas.spacing > 0;
}

// Whether a gas carries them, and nothing else acts on them.
static inline bool asset_is_carried(const pliant_asset* a)
{
    return asset_is_grains(a) && a->def.carried;
}

// Substeps below which the body begins to shake during a step of dt [s].
int asset_fewest_substeps(const pliant_asset* asset, double dt);

// Weight of the lag of an element with so many corners, or 1 for a contact (unresolved.h), that
// sees at least a share of its own motion (row.h).
double asset_lag(const pliant_asset* asset, int corners, double own);

enum { MOST_SUBSTEPS = 100000 }; // that are chosen

// Substeps for a step of dt [s] at about 1 % of error.
int asset_substeps(const pliant_asset* asset, double dt, int iterations);
// Of loose particles under that gravity [m/s^2]; above it is that of the earth.
int asset_loose_substeps(const pliant_asset* asset, double dt, double gravity);
// Of a liquid that is as deep as its mesh is long, or as a few particles where it has none.
int asset_liquid_substeps(const pliant_asset* asset, double dt, double gravity);

// What the constraints should see of a substep of h [s]: little where that is accurate, all of it
// where it is the calmest.
foresight asset_foresight(const pliant_asset* asset, double h, int iterations);

// Sweeps that the viscosity of a damped body takes in a substep of h [s], and the fewest substeps
// of a step of dt [s] in which they are enough for it to act as strongly as is asked for.
int asset_brakes(const pliant_asset* asset, double h);
int asset_brake_substeps(const pliant_asset* asset, double dt);

// Fills in the three frequencies. False when memory runs out, or who watches ends it.
bool asset_find_frequencies(pliant_asset* asset, watcher* watch);

// Refuses elements whose constants leave the range of the asset's precision, by their number.
pliant_result asset_check_range(const pliant_asset* asset);
