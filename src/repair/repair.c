// The public call.
#define PRECISION_DOUBLE
#include "base/cookie.h"
#include "math/circle.h"
#include "math/elementary.h"
#include "mesh/limit.h"
#include "repair/passes.h"

pliant_repair_def pliant_repair_defaults(void)
{
    pliant_repair_def def = {.min_dihedral = 8, .max_valence = 60, .cookie = COOKIE_REPAIR};
    return def;
}

static pliant_result check(const pliant_mesh* mesh, const pliant_repair_def* def)
{
    pliant_result result = check_mesh_size(mesh);
    if (result) return result;
    if (mesh->tet_count == 0)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "the mesh has no tets: only tets are repaired (pliant mesh --tets fills a "
                    "surface)");
    int inverted = first_inverted(mesh);
    if (inverted >= 0)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "tet %d is inverted or flat: turn or remove such tets first "
                    "(pliant mesh --orient --drop-degenerate)",
                    inverted);
    if (!(def->min_dihedral >= 0 && def->min_dihedral <= 20))
        return fail(PLIANT_ERROR_ARGUMENT, "an angle of %g degrees: give 0 to 20",
                    def->min_dihedral);
    if (def->max_valence < 30)
        return fail(PLIANT_ERROR_ARGUMENT, "a valence of %d: give 30 or more", def->max_valence);
    if (!(def->edge >= 0 && isfinite(def->edge) && def->tolerance >= 0 && isfinite(def->tolerance)))
        return fail(PLIANT_ERROR_ARGUMENT, "edge and tolerance have to be 0 or more, in meters");
    return PLIANT_OK;
}

// By Newton's method: the last bits of cbrt differ from one library to the next.
static double cube_root(double x)
{
    double root = 1;
    for (int i = 0; i < 200; ++i) root = (2 * root + x / (root * root)) / 3;
    return root;
}

// If nothing else is asked for, as many tets as before: somewhat more than the edge of a regular
// tet of the mean volume, since most are not regular.
static double edge_for(const complex* c, const pliant_repair_def* def, int tets)
{
    if (def->edge > 0) return def->edge / c->extent;
    static const double regular = 8.4852813742385702, more = 1.1; // edge^3 / volume
    return more * cube_root(regular * complex_volume(c) / tets);
}

static double square_of_sine(double degrees)
{
    double sine = circle_at_degrees(degrees).sine;
    return sine * sine;
}

static void set_goals(repair* r, const pliant_repair_def* def, int tets)
{
    double edge = edge_for(&r->c, def, tets);
    r->low2 = edge * edge * (0.8 * 0.8);
    r->high2 = edge * edge * (1.4 * 1.4);
    r->goal = square_of_sine(def->min_dihedral * 1.001); // some room for rounding
    r->good = fmax(square_of_sine(25), 2 * r->goal);
    r->most_valence = def->max_valence;
}

// ---- the call -----------------------------------------------------------------------------------

static pliant_result compare(const repair* r, double volume, pliant_repair_report* out)
{
    envelope now;
    pliant_result result = PLIANT_ERROR_MEMORY;
    if (envelope_create(&r->c, r->surface.tolerance, &now)) {
        out->out_distance = r->c.extent * envelope_farthest(&now, &r->surface);
        out->back_distance = r->c.extent * envelope_farthest(&r->surface, &now);
        result = PLIANT_OK;
    }
    envelope_destroy(&now);
    out->volume_change = complex_volume(&r->c) / volume - 1;
    out->splits = r->splits;
    out->collapses = r->collapses;
    out->swaps = r->swaps;
    out->shifts = r->shifts;
    out->reached = is_repaired(r);
    return result;
}

// A mesh that is good enough stays as it is.
static pliant_result run(repair* r, const pliant_mesh* mesh, const pliant_repair_def* def,
                         pliant_repair_report* out)
{
    static const double usual_tolerance = 2.0 / 150; // of half the longest side
    if (!complex_create(mesh, &r->c) || !hosts_create(&r->c)) return PLIANT_ERROR_MEMORY;
    double tolerance = def->tolerance > 0 ? def->tolerance / r->c.extent : usual_tolerance;
    // Faces are looked at in parts, not in every point: that is off by up to 2 %.
    if (!envelope_create(&r->c, 0.97 * tolerance, &r->surface)) return PLIANT_ERROR_MEMORY;
    double volume = complex_volume(&r->c);
    double edge = def->edge / r->c.extent, tets = edge > 0 ? 12 * volume / (edge * edge * edge) : 0;
    if (tets > ELEMENT_LIMIT)
        return fail(PLIANT_ERROR_ARGUMENT, "edges of %g m would make about %.3g tets: at most %d",
                    def->edge, tets, ELEMENT_LIMIT);
    set_goals(r, def, mesh->tet_count);
    if (def->edge > 0 || !is_repaired(r)) {
        repair_all(r);
        if (!r->c.failed) restore_volume(r, volume);
    }
    return r->c.failed || r->change.failed ? PLIANT_ERROR_MEMORY : compare(r, volume, out);
}

// Without memory: it must not fail.
static void warn_of_rest(const repair* r, const pliant_repair_def* def)
{
    double square = worst_quality(&r->c);
    warn("the repaired mesh still has angles within %.3g degrees of 0 or 180 (%.3g were wanted) "
         "and %d tets at a vertex (%d): a larger tolerance gives more room",
         angle_of_direction(sqrt(1 - square), sqrt(square)) * (180 / HALF_TURN), def->min_dihedral,
         highest_valence(&r->c), def->max_valence);
}

static void exchange(pliant_mesh* a, pliant_mesh* b)
{
    const pliant_mesh before = *a;
    *a = *b;
    *b = before;
}

pliant_result pliant_mesh_repair(pliant_mesh* mesh, const pliant_repair_def* def,
                                 pliant_repair_report* out_report)
{
    pliant_repair_report report = {0};
    if (out_report) *out_report = report;
    if (!REQUIRE(mesh) || !REQUIRE_DEF(def, COOKIE_REPAIR)) return PLIANT_ERROR_ARGUMENT;
    pliant_result result = check(mesh, def);
    if (result) return result;
    repair r = {.splits = 0};
    result = run(&r, mesh, def, &report);
    pliant_mesh* made = result ? NULL : complex_to_mesh(&r.c, mesh, mesh->tet_region);
    if (!result && !made) result = PLIANT_ERROR_MEMORY;
    if (!result) {
        exchange(mesh, made);
        if (!report.reached) warn_of_rest(&r, def);
        if (out_report) *out_report = report;
    }
    pliant_mesh_destroy(made);
    change_destroy(&r.change);
    envelope_destroy(&r.surface);
    complex_destroy(&r.c);
    return result;
}
