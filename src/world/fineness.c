// How fine substeps must be, and what constraints should see of them.
#include "world/asset.h"
#include <math.h>

// Largest h * omega, for the typical frequency, by the integrator, and where a body begins to
// shake: over seven meshes, from an even beam to one with a vertex of 608 tets (`pliant bench
// substeps`). Ten rows: about 1 % of energy error (with foresight 0.4 to 0.7 % on beams and
// armadillo_3k, 1.1 to 1.5 % on spot and bunny_28k, 2.3 % on squirrel_small_hv). The other forms,
// whose shear is explicit, shake on graded meshes before they lag: foresight makes them more
// accurate, but allows no longer substeps. The lag of a sweep: 1/4 where the rows see every strain;
// where shear is explicit, less of it lags.
typedef struct {
    double accurate[2], calm, lag;
} limit_set;
static const limit_set limits[] = {[PLIANT_TEN_ROWS] = {{0.50, 0.30}, 1.8, 0.25},
                                   [PLIANT_TWO_ROWS] = {{0.36, 0.36}, 1.0, 0.1},
                                   [PLIANT_DECOUPLED] = {{0.20, 0.20}, 0.65, 0.1},
                                   [PLIANT_DECOUPLED_NODES] = {{0.20, 0.20}, 0.65, 0.1},
                                   [PLIANT_EDGES_AND_VOLUME] = {{0.50, 0.30}, 1.8, 0.25}};

// Tension goes through cloth and ropes from end to end, and each edge holds more of it than what is
// out of balance at its ends: they lag more. About 1 to 2 % of the energy of cloth and ropes that
// hang under their weight.
static const limit_set cloth_limits = {{0.20, 0.12}, 1.8, 0.25};
static const limit_set rope_limits = {{0.12, 0.07}, 1.8, 0.25};

static const limit_set* limits_of(const pliant_asset* a)
{
    if (a->mesh->tet_count) return &limits[a->def.formulation];
    return cloth_triangles(a->mesh) ? &cloth_limits : &rope_limits;
}

static int substeps_for(const pliant_asset* a, double dt, double limit)
{
    double count = ceil(dt * a->typical_frequency / limit);
    return count < 1 ? 1 : count > 100000 ? 100000 : (int)count;
}

// Where foresight has given way to implicit Euler, the substeps are those of implicit Euler.
int asset_substeps(const pliant_asset* a, double dt, int iterations)
{
    const double* accurate = limits_of(a)->accurate;
    int count = substeps_for(a, dt, accurate[a->def.integrator]);
    bool faded = asset_foresight(a, dt / count, iterations).motion > 0.5;
    return faded ? substeps_for(a, dt, accurate[PLIANT_IMPLICIT_EULER]) : count;
}

int pliant_asset_substeps(const pliant_asset* a, float dt)
{
    if (!REQUIRE(a && dt >= 0 && isfinite(dt))) return 0;
    return asset_substeps(a, (double)dt, 1);
}

int asset_fewest_substeps(const pliant_asset* a, double dt)
{
    return substeps_for(a, dt, limits_of(a)->calm);
}

double asset_lag(const pliant_asset* a, int corners)
{
    return corners == 4 ? limits_of(a)->lag : 0.25;
}

static double square(double a) { return a * a; }

// Shares of 0.2 and 0.4 are calm up to h omega = 2 with Poisson's ratios up to 0.49, and up to
// h omega = 100 mu / lambda with 0.499, where one sweep lags the most. Beyond, the damping of
// implicit Euler is worth more than accuracy, and is all that is left for an incompressible
// material. Iterations find the lag themselves, and see what they must converge to. Classic
// stiffness is a share of what is seen: of all.
foresight asset_foresight(const pliant_asset* a, double h, int iterations)
{
    static const foresight accurate = {0.2, 0.4};
    if (iterations > 1 || a->def.integrator == PLIANT_IMPLICIT_EULER ||
        a->def.manner == PLIANT_CLASSIC)
        return (foresight){1, 1};
    if (!(h > 0)) return accurate;
    double angle = h * a->typical_frequency;
    double coarse = square(angle / 2), stiff = square(angle / (50 * a->softness));
    double share = 1 / (1 + coarse * coarse + stiff * stiff);
    return (foresight){1 - share * (1 - accurate.motion), 1 - share * (1 - accurate.push)};
}
