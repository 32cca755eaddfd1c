// How fine substeps must be, and what constraints should see of them.
#include "asset/asset.h"
#include "math/elementary.h"
#include <math.h>

// Largest h * omega: `accurate` for about 1 % of energy error, by the integrator, of the typical
// frequency and of the highest of shear; `calm` where a body begins to shake. Measured over seven
// meshes, from an even beam to one with a vertex of 214 tets (`pliant bench substeps`). Ten rows do
// not mind a few stiff elements. The other forms, whose shear is explicit, do: on a graded mesh
// they shake before they lag.
typedef struct {
    double accurate[4], highest, calm;
} limit_set;
static const limit_set limits[] = {
    [PLIANT_FORMULATION_TEN_ROWS] = {{0.72, 0.30, 0.72, 0.25}, INFINITY, 1.8},
    [PLIANT_FORMULATION_TWO_ROWS] = {{0.72, 0.36, 0.72, 0.25}, 4.2, 1.0},
    [PLIANT_FORMULATION_DECOUPLED] = {{0.315, 0.20, 0.28, 0.25}, 10, 0.65},
    [PLIANT_FORMULATION_DECOUPLED_NODES] = {{0.086, 0.055, 0.077, 0.068}, 10, 0.18},
    [PLIANT_FORMULATION_EDGES_AND_VOLUME] = {{0.50, 0.30, 0.40, 0.25}, INFINITY, 1.8}};

// Tension goes through cloth and ropes from end to end, and each edge holds more of it than what is
// out of balance at its ends: they lag more. About 1 % of the energy of cloth and ropes that hang
// under their weight.
static const limit_set cloth_limits = {{0.16, 0.096, 0.128, 0.128}, INFINITY, 1.8};
static const limit_set rope_limits = {{0.09, 0.053, 0.083, 0.083}, INFINITY, 1.8};

static const limit_set* limits_of(const pliant_asset* a)
{
    if (a->mesh->tet_count) return &limits[a->def.solver.formulation];
    return cloth_triangles(a->mesh) ? &cloth_limits : &rope_limits;
}

static double square(double a) { return a * a; }

static int whole(double count)
{
    return count < 1 ? 1 : count > MOST_SUBSTEPS ? MOST_SUBSTEPS : (int)ceil(count);
}

// The limits were measured with lambda = 9 mu (nu = 0.45). Volume lags too, and more of it where it
// is stiffer; beyond 100 mu no number of substeps that anyone would wait for is enough.
static double of_volume(const pliant_asset* a)
{
    static const double share = 0.3, measured = 9, most = 100;
    double ratio = fmin(fmax(1 / a->softness, measured), most);
    return sqrt((1 + share * ratio) / (1 + share * measured));
}

// Merged copies of a particle know of each other one sweep later.
static double of_copies(const pliant_asset* a)
{
    return a->def.solver.patch_interface == PLIANT_INTERFACE_MERGED ? plan_copies(&a->plan) : 1;
}

// The more elements a body has, the smoother is what each of them sees of its motion, and the less
// of the energy lags. Measured on beams, bunnies and armadillos of up to 1 000 000 tets, which need
// 0.77 of what bodies of up to 20 000 need for the same typical frequency.
static double of_size(const pliant_asset* a)
{
    static const double measured = 20000;
    enum { ROOT = 15 };
    return root_of_part(fmin(measured / fmax(a->mesh->tet_count, 1), 1), ROOT);
}

// What the limits distinguish: constraints that see a part of the substep, all of it, all of one of
// second order, its start. The last has no damping, and is held to where it is calm.
typedef enum { SEES_PART, SEES_ALL, SEES_SECOND, SEES_START } sight;

static const sight sights[] = {[PLIANT_INTEGRATOR_FORESIGHT] = SEES_PART,
                               [PLIANT_INTEGRATOR_IMPLICIT_EULER] = SEES_ALL,
                               [PLIANT_INTEGRATOR_SYMPLECTIC_EULER] = SEES_START,
                               [PLIANT_INTEGRATOR_VERLET] = SEES_ALL,
                               [PLIANT_INTEGRATOR_BDF2] = SEES_SECOND};

static int accurate_substeps(const pliant_asset* a, double dt, sight of)
{
    const limit_set* l = limits_of(a);
    double factor = of_volume(a) * of_copies(a) * of_size(a);
    double typical = factor * a->typical_frequency / l->accurate[of];
    return whole(dt * sqrt(square(typical) + square(a->shear_frequency / l->highest)));
}

// [m] Sides of a box around the middles of those that are there at first; 0 where nobody is.
static void find_sides(const pliant_asset* a, double out[3])
{
    for (size_t k = 0; k < 3; ++k) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < a->first_count; ++i) {
            low = fmin(low, a->mesh->vertices[3 * (size_t)i + k]);
            high = fmax(high, a->mesh->vertices[3 * (size_t)i + k]);
        }
        out[k] = fmax(high - low, 0);
    }
}

static double longest_of(const double sides[3]) { return fmax(fmax(sides[0], sides[1]), sides[2]); }

// Balls as a heap.
typedef struct {
    double height; // [m] that it may have,
    double radius; // [m] and theirs, in the mean
} heap_size;

// As high as a cube of them, or as they are when they sink together where they stand (y is up), if
// that is more: a column stays one. No higher than they reach at first, unless others come.
static heap_size find_heap(const pliant_asset* a)
{
    static const double packed = 0.6;
    const double count = fmax(a->mesh->vertex_count, 1);
    double sides[3], volume = 0;
    heap_size heap = {0, 0};
    for (int i = 0; i < a->mesh->vertex_count; ++i) {
        const double radius = asset_radius(a, i);
        volume += asset_ball_volume(radius) / packed;
        heap.radius += radius / count;
    }
    find_sides(a, sides);
    for (int k = 0; k < 3; ++k) sides[k] += 2 * heap.radius;
    const double most = 2 * heap.radius * count; // one on the other
    const double cube = most * root_of_part(fmin(volume / (most * most * most), 1), 3);
    heap.height = fmax(cube, volume / (sides[0] * sides[2]));
    if (!asset_changes(a)) heap.height = fmin(heap.height, longest_of(sides));
    return heap;
}

// Loose particles have no frequencies. In a substep of h their balls move by g dt h more at the end
// of a step than at its begin: by a tenth of the smallest radius at most, so that what carries them
// in a step, with one sweep a substep, is there before they have sunk in. And each layer hears of
// those above it one pass later: under n layers balls sink into each other by about 20 n g h^2
// (integrators.md), which is to be a fifth of the radius. Balls of a cluster are carried by it.
static const double earth = 9.81; // [m/s^2]
int asset_loose_substeps(const pliant_asset* a, double dt, double gravity)
{
    enum { FEWEST = 4 };
    static const double share = 0.1, sunk = 0.2, each = 20;
    const double smallest = asset_smallest_radius(a);
    double count = fmax(FEWEST, gravity * dt * dt / (share * smallest));
    if (!(dt > 0)) return 1;
    if (a->clusters.count > 0) return whole(count);
    const heap_size heap = find_heap(a);
    const double above = fmax(heap.height / (2 * heap.radius) - 1, 0); // layers
    return whole(fmax(count, dt * sqrt(each * above * gravity / (sunk * smallest))));
}

// [m] How deep it may be: the longest side of a box around its mesh.
static double depth_of(const pliant_asset* a)
{
    double sides[3];
    find_sides(a, sides);
    return fmax(longest_of(sides), 10 * def_spacing(&a->def));
}

// [s] in which surface tension moves a particle a little: a part of the time of its shortest waves.
static double drawn_time(const pliant_asset* a)
{
    static const double share = 0.1;
    double tension = a->def.liquid.surface_tension, spacing = def_spacing(&a->def);
    double mass = a->material[0].density * spacing * spacing * spacing;
    return tension > 0 ? share * sqrt(mass / tension) : INFINITY;
}

// The denser a liquid is under its depth, the less it is one (fluid/kernel.h): 1.2 g H h^2 /
// spacing^2.
int asset_liquid_substeps(const pliant_asset* a, double dt, double gravity)
{
    enum { FEWEST = 4 };
    static const double denser = 0.02, factor = 1.2;
    double spacing = def_spacing(&a->def);
    double h = spacing * sqrt(denser / (factor * fmax(gravity, 1e-30) * depth_of(a)));
    h = fmin(h, drawn_time(a));
    return dt > 0 ? whole(fmax(FEWEST, dt / h)) : 1;
}

// What is rigid meets others, and passes over contacts are what substeps are for: in one of them
// gravity brings a body by a thousandth of its size farther at the end of a step, and stacks want
// some more.
static int rigid_substeps(const pliant_asset* a, double dt)
{
    enum { FEWEST = 16 };
    static const double share = 1e-3;
    double size = fmax(a->rigid.size, 2 * asset_smallest_radius(a));
    if (!(dt > 0)) return 1;
    return size > 0 ? whole(fmax(FEWEST, sqrt(earth / (share * size)) * dt)) : FEWEST;
}

// Where something has given way to implicit Euler, the substeps are those of implicit Euler.
int asset_substeps(const pliant_asset* a, double dt, int iterations)
{
    if (asset_is_rigid(a)) return rigid_substeps(a, dt);
    if (mesh_is_loose(a->mesh)) return asset_loose_substeps(a, dt, earth);
    sight of = sights[a->def.solver.integrator];
    int count = accurate_substeps(a, dt, of);
    foresight sees = asset_foresight(a, dt / count, iterations);
    bool faded = sees.motion > 0.5 && sees.past < 0.5;
    return faded ? accurate_substeps(a, dt, SEES_ALL) : count;
}

int pliant_asset_substeps(const pliant_asset* a, float dt)
{
    if (!REQUIRE(a && dt >= 0 && isfinite(dt))) return 0;
    return asset_substeps(a, (double)dt, 1);
}

int asset_fewest_substeps(const pliant_asset* a, double dt)
{
    sight of = sights[a->def.solver.integrator];
    if (of == SEES_START && a->mesh->tet_count) return accurate_substeps(a, dt, of);
    return whole(dt * a->typical_frequency / limits_of(a)->calm);
}

// Measured. Less of explicit shear lags: that of the other forms, and of ten rows that do not see
// all of their own motion.
double asset_lag(const pliant_asset* a, int corners, double own)
{
    static const double whole_lag = 0.25, explicit_lag = 0.1, lag_of_edges = 0.4;
    pliant_formulation form = a->def.solver.formulation;
    if (a->mesh->tet_count && form == PLIANT_FORMULATION_EDGES_AND_VOLUME) return lag_of_edges;
    bool implicit = corners != 4 || !a->mesh->tet_count;
    double share = implicit ? 1 : form == PLIANT_FORMULATION_TEN_ROWS ? own : 0;
    return explicit_lag + share * (whole_lag - explicit_lag);
}

// Shares of 0.2 and 0.4 are calm up to h omega = 2 with Poisson's ratios up to 0.49, and up to
// h omega = 100 mu / lambda with 0.499, where one sweep lags the most. Beyond, the damping of
// implicit Euler is worth more than accuracy, and is all that is left for an incompressible
// material. Second order, calm by itself up to h omega = 2.5 and 0.49, gives way later and at once.
// Where viscosity leaves no velocity, a correction of 1 / b times the way to rest must not go
// further than twice that way (step.h): damped bodies see half of it, or their stiffest elements
// burst. Iterations find the lag themselves, and see what they must converge to. Classic stiffness
// is a share of what is seen: of all.
foresight asset_foresight(const pliant_asset* a, double h, int iterations)
{
    static const foresight best[] = {[PLIANT_INTEGRATOR_FORESIGHT] = {0.2, 0.4, 0, 0},
                                     [PLIANT_INTEGRATOR_IMPLICIT_EULER] = {1, 1, 1, 0},
                                     [PLIANT_INTEGRATOR_SYMPLECTIC_EULER] = {0, 0.25, 0, 0},
                                     [PLIANT_INTEGRATOR_VERLET] = {1, 1, 1, 0},
                                     [PLIANT_INTEGRATOR_BDF2] = {1, 1, 0, 1}};
    foresight accurate = best[a->def.solver.integrator];
    const foresight all = {1, 1, 1, accurate.past};
    if (asset_is_damped(a)) accurate.push = fmax(accurate.push, 0.5);
    if (iterations > 1 || a->def.research.stiffness_mode == PLIANT_STIFFNESS_MODE_CLASSIC)
        return all;
    if (a->clusters.count && clusters_are_rigid(&a->clusters)) return all;
    if (!(h > 0)) return accurate;
    double angle = h * fmax(a->typical_frequency, a->clusters.frequency);
    double coarse = square(angle / 2), stiff = square(angle / (50 * a->softness));
    double share = 1 / (1 + square(coarse) + square(stiff));
    double second = 1 / (1 + square(square(coarse)) + square(square(stiff)));
    return (foresight){1 - share * (1 - accurate.motion), 1 - share * (1 - accurate.push),
                       1 - share * (1 - accurate.own), second * accurate.past};
}

// [1/s] Viscosity of a body: tau omega^2 of what most of its particles feel. Where volumes are rows
// of their own they have their share. A rope holds a particle in one direction, and the typical
// frequency is the mean of three.
static double braking(const pliant_asset* a)
{
    double tau = asset_material_damping(a), square_of = square(a->typical_frequency);
    if (cloth_triangles(a->mesh)) tau = fmax(tau, a->def.cloth.damping);
    if (asset_has_rows(a, PART_TET)) square_of *= square(of_volume(a));
    if (limits_of(a) == &rope_limits) square_of *= 3;
    return tau * square_of;
}

// One sweep of viscosity is right within 5 % while h tau omega^2 is below a half
// (constraint/brake.h), several while each has less than one. Stronger damping takes so many, each
// for its part of the substep.
static const double brake_limit = 1, brake_alone = 0.5;
enum { MOST_BRAKES = 64 };

int asset_brakes(const pliant_asset* a, double h)
{
    double wanted = ceil(h * braking(a) / brake_limit + (1 - brake_alone));
    return wanted < 1 ? 1 : wanted > MOST_BRAKES ? MOST_BRAKES : (int)wanted;
}

int asset_brake_substeps(const pliant_asset* a, double dt)
{
    return whole(dt * braking(a) / (brake_limit * MOST_BRAKES));
}
