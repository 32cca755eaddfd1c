// The public call.
#define PRECISION_DOUBLE
#include "base/cookie.h"
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
                    "the mesh has no tets: only tets are repaired (pliant_mesh_tetrahedralize "
                    "fills a surface)");
    int inverted = first_inverted(mesh);
    if (inverted >= 0)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "tet %d is inverted or flat: turn or remove such tets first "
                    "(pliant_mesh_clean with orient and drop_degenerate)",
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

// Of a regular tet of the mean volume, if nothing else is asked for: as many tets as before.
static double edge_for(const complex* c, const pliant_repair_def* def, int tets)
{
    if (def->edge > 0) return def->edge / c->extent;
    return cbrt(8.4852813742385702 * complex_volume(c) / tets);
}

static double square_of_sine(double degrees)
{
    double sine = sin(degrees * (3.14159265358979323846 / 180));
    return sine * sine;
}

static void set_goals(repair* r, const pliant_repair_def* def, int tets)
{
    double edge = edge_for(&r->c, def, tets);
    r->low2 = edge * edge * (0.8 * 0.8);
    r->high2 = edge * edge * (1.4 * 1.4);
    r->goal = square_of_sine(def->min_dihedral * 1.02); // some room for rounding
    r->good = fmax(square_of_sine(25), 2 * r->goal);
    r->most_valence = def->max_valence;
}

static pliant_result run(repair* r, const pliant_mesh* mesh, const pliant_repair_def* def)
{
    if (!complex_create(mesh, &r->c)) return PLIANT_ERROR_MEMORY;
    double tolerance = (def->tolerance > 0 ? def->tolerance / r->c.extent : 0.01);
    if (!envelope_create(&r->c, tolerance, &r->surface)) return PLIANT_ERROR_MEMORY;
    double volume = complex_volume(&r->c);
    set_goals(r, def, mesh->tet_count);
    repair_all(r);
    restore_volume(r, volume);
    return r->c.failed ? PLIANT_ERROR_MEMORY : PLIANT_OK;
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
    pliant_mesh* made = NULL;
    result = run(&r, mesh, def);
    if (!result && !(made = complex_to_mesh(&r.c, mesh, mesh->tet_region)))
        result = PLIANT_ERROR_MEMORY;
    if (!result) {
        report = (pliant_repair_report){
            .splits = r.splits, .collapses = r.collapses, .swaps = r.swaps, .shifts = r.shifts};
        const pliant_mesh before = *mesh;
        *mesh = *made;
        *made = before;
        if (out_report) *out_report = report;
    }
    pliant_mesh_destroy(made);
    change_destroy(&r.change);
    envelope_destroy(&r.surface);
    complex_destroy(&r.c);
    return result;
}
