// The public call: the solids, one or several meshes of them until the number of tets is right.
#define PRECISION_DOUBLE
#include "base/cookie.h"
#include "base/platform.h"
#include "mesh/limit.h"
#include "meshfile/number.h"
#include "tetra/apart.h"
#include "tetra/crowd.h"
#include "tetra/manifold.h"
#include "tetra/missing.h"
#include "tetra/parts.h"
#include "tetra/plates.h"
#include "tetra/stalks.h"
#include "tetra/stuff.h"
#include "tetra/target.h"
#include <stdlib.h>
#include <string.h>

// Mean length of the lattice's edges: of each vertex' 14 neighbors 6 are a cell away and 8 are
// sqrt(3) / 2 of a cell.
static const double EDGE_PER_CELL = (6 + 8 * 0.86602540378443865) / 14;

pliant_tet_def pliant_tet_defaults(void)
{
    pliant_tet_def def = {.tets = 20000, .cookie = COOKIE_TET};
    return def;
}

// What was tried in vain with a solid, and is not again with cells of about that size; 0: nothing.
typedef struct {
    double plates;   // a cell with which nothing could be one
    double clearing; // one with which it was no better to leave thin plates alone
    bool helped;     // to leave them alone was better once: it may be again
} vanity;

typedef struct {
    const pliant_tet_def* def;
    double center[3]; // [m] of the surface
    double size;      // [m] of the surface: cells are in units of it
    double volume;    // in those units; 0: not known
    double enclosing; // of the surface
    holes_report holes;
    solid_list solids; // one, or one for each part
    workers* threads;
    int most_cells;
    vanity* vain;      // of solids
    pliant_mesh* mesh; // the best so far
    pliant_tet_report report;
} job;

// ---- one mesh -----------------------------------------------------------------------------------

typedef struct {
    manifold_report seams;
    parts_report parts;
    stalks_report stalks;
    plates_report plates;
} filling_report;

// A solid to fill, in one way or another.
typedef struct {
    const job* job;
    const solid* solid;
    double cell, edge; // in units of the job's size; [m]
    bool clears;       // the lattice leaves thin plates alone
    bool plates;       // they are looked for
} recipe;

// One way to fill a solid, and what is wrong with it.
typedef struct {
    pliant_mesh* mesh;
    filling_report report;
    missing_report missing; // as far as it was looked at
} attempt;

static void add_to_report(const attempt* a, pliant_tet_report* out)
{
    const filling_report* f = &a->report;
    out->missing_share = fmax(out->missing_share, a->missing.share);
    out->surface_parts += f->parts.surface_parts;
    out->parts += f->parts.parts;
    out->dropped_parts += f->parts.dropped_parts;
    out->dropped_tets += f->parts.dropped_tets + f->seams.removed;
    out->split_vertices += f->seams.split;
    out->stalks += f->stalks.stalks;
    out->stalk_tets += f->stalks.tets;
    out->plates += f->plates.plates;
    out->plate_tets += f->plates.tets;
}

// What the stuffing is, with a proper boundary, without fragments and, apart, small pieces. Both
// may receive a mesh on failure too.
typedef struct {
    pliant_mesh *mesh, *spare;
} filling;

static void filling_release(filling* f)
{
    pliant_mesh_destroy(f->mesh);
    pliant_mesh_destroy(f->spare);
}

// Tets: what is less beside plates is likely one of them.
enum { LEAST_CORE = 60 };

static pliant_result make_core(const stuffing* s, filling* out, filling_report* report)
{
    unsigned char* surface;
    *report = (filling_report){0};
    *out = (filling){0};
    pliant_result result = stuffing_mesh(s, &out->mesh, &surface);
    if (!result) result = make_manifold(out->mesh, surface, &report->seams);
    int least = s->lattice.clears_plates ? LEAST_CORE : 0;
    if (!result)
        result = part_pieces(s->lattice.solid, out->mesh, least, &out->spare, &report->parts);
    mem_free(surface);
    return result;
}

static pliant_result count_parts(const pliant_mesh* mesh, int* out)
{
    partition parts;
    if (!find_parts(mesh->tets, mesh->tet_count, 4, mesh->vertex_count, &parts))
        return PLIANT_ERROR_MEMORY;
    *out = parts.count;
    mem_free(parts.part);
    return PLIANT_OK;
}

// Whether the surface has triangles with sides longer than an edge: all vertices of a strap may be
// buried in what it connects, so that none of them tells that it sticks out.
static bool has_long_sides(const solid* s, double edge)
{
    const pliant_mesh* m = s->surface;
    double most = edge / s->size;
    for (int t = 0; t < m->triangle_count; ++t) {
        triangle shape = triangle_make(m->vertices, m->triangles + 3 * (ptrdiff_t)t);
        for (int k = 0; k < 3; ++k)
            if (v3_dot(shape.edge[k], shape.edge[k]) > most * most) return true;
    }
    return false;
}

// Stalks, and plates for what is left. A small piece may be one of a horn, which a stalk has as a
// whole. If none has, it is a part by itself, and may have stalks too, as plates may.
static pliant_result add_thin_parts(const recipe* t, filling* f, filling_report* report)
{
    const stalks_options options = {t->solid, t->job->threads, t->edge, MOST_CROWD};
    const plates_options flat = {t->solid, t->job->threads, t->edge};
    int restored = 0;
    pliant_result result = grow_stalks(&options, &f->mesh, &report->stalks);
    bool left = report->stalks.left || f->mesh->tet_count == 0 || has_long_sides(t->solid, t->edge);
    if (!result && t->plates && left) result = grow_plates(&flat, &f->mesh, &report->plates);
    if (!result && f->spare) result = restore_pieces(f->spare, t->edge, &f->mesh, &restored);
    if (!result && (restored || report->plates.plates))
        result = grow_stalks(&options, &f->mesh, &report->stalks);
    return result ? result : count_parts(f->mesh, &report->parts.parts);
}

// Flat triangles between points of a round surface enclose too little: an error of first order in
// the cell, which a shift of the surface takes away. What is missing for another reason would make
// it too large: if much is missing, a mesh is finished to see how much of that thin parts have.
// The shift is in units of the solid. Plates that it does not have are not tried again.
static pliant_result find_shift(recipe* t, const stuffing* s, double* out)
{
    static const double MUCH = 0.01;
    const solid* of = t->solid;
    double lack = stuffing_lack(s, stuffing_volume(s));
    *out = lack / of->area;
    if (!(lack > MUCH * of->volume)) return PLIANT_OK;
    filling_report first;
    filling f;
    pliant_mesh_quality core, all;
    pliant_result result = make_core(s, &f, &first);
    if (!result) result = pliant_mesh_measure(f.mesh, &core);
    if (!result) result = add_thin_parts(t, &f, &first);
    if (!result) result = pliant_mesh_measure(f.mesh, &all);
    if (!result && (first.stalks.stalks || first.plates.plates))
        *out = stuffing_lack(s, all.volume / (of->size * of->size * of->size)) /
               (core.area / (of->size * of->size));
    t->plates = t->plates && first.plates.plates;
    filling_release(&f);
    return result;
}

static pliant_result try_to_fill(recipe t, attempt* out)
{
    const job* j = t.job;
    const stuff_options options = {t.cell * j->size / t.solid->size, j->most_cells,
                                   j->def->coarsening, t.clears};
    double shift = 0;
    stuffing stuff;
    filling f = {0};
    filling_report made = {0};
    pliant_result result = stuffing_create(t.solid, j->threads, &options, &stuff);
    if (!result) result = find_shift(&t, &stuff, &shift);
    if (!result) result = stuffing_swell(&stuff, shift);
    if (!result) result = make_core(&stuff, &f, &made);
    if (!result) result = add_thin_parts(&t, &f, &made);
    *out = (attempt){.mesh = f.mesh, .report = made};
    pliant_mesh_destroy(f.spare);
    stuffing_destroy(&stuff);
    return result;
}

// Parts of the mesh, and what sticks out of it.
static pliant_result judge(const recipe* t, attempt* a)
{
    const solid* s = t->solid;
    const outline_scale scale = {{s->center[0], s->center[1], s->center[2]}, s->size, t->edge};
    solid copy = *s;
    const solid_list list = {&copy, 1};
    a->missing = (missing_report){.share = 1};
    if (a->mesh->tet_count == 0) return PLIANT_OK;
    return find_missing(&list, &scale, t->job->threads, a->mesh, &a->missing);
}

static bool is_better(const attempt* a, const attempt* than)
{
    static const double CLEARLY = 0.9;
    if (a->mesh->tet_count == 0 || than->mesh->tet_count == 0) return a->mesh->tet_count > 0;
    int parts = a->report.parts.parts, others = than->report.parts.parts;
    if (a->missing.share > than->missing.share + 1e-3) return false;
    return parts < others || (parts == others && a->missing.share < CLEARLY * than->missing.share);
}

// Whether plates could have what is missing.
static bool may_have_plates(const attempt* a, const solid* s)
{
    static const double SOME = 0.02; // of the surface
    const plates_report* p = &a->report.plates;
    return p->leaves || p->area > SOME * s->area || a->mesh->tet_count == 0;
}

// Whether the solid may be better off with a lattice that leaves thin plates alone.
static bool is_poor(const attempt* a)
{
    static const double LITTLE = 1e-3; // of the surface
    return a->missing.share > LITTLE || a->report.parts.parts > a->report.parts.surface_parts;
}

static bool is_about(double cell, double other)
{
    static const double ABOUT = 1.4;
    return cell < ABOUT * other && other < ABOUT * cell;
}

// Where the lattice makes pieces of a part or leaves some of it out, plates are tried in its place.
static pliant_result fill_solid(const job* j, int number, double cell, pliant_mesh** out,
                                pliant_tet_report* report)
{
    attempt first = {0}, second = {0};
    vanity* vain = &j->vain[number];
    bool hope = !is_about(cell, vain->plates);
    recipe t = {j, &j->solids.solid[number], cell, EDGE_PER_CELL * cell * j->size, false, hope};
    pliant_result result = try_to_fill(t, &first);
    bool poor = !result && hope && may_have_plates(&first, t.solid);
    t.clears = true;
    if (poor) result = judge(&t, &first);
    poor = poor && is_poor(&first) && (vain->helped || !is_about(cell, vain->clearing));
    if (poor && !result) result = try_to_fill(t, &second);
    if (poor && !result) result = judge(&t, &second);
    bool other = poor && !result && is_better(&second, &first);
    if (hope && !other && !first.report.plates.leaves) vain->plates = cell;
    if (poor && !other) vain->clearing = cell;
    vain->helped |= other;
    if (!result) add_to_report(other ? &second : &first, report);
    pliant_mesh_destroy(other ? first.mesh : second.mesh);
    *out = other ? second.mesh : first.mesh;
    return result;
}

static void append(pliant_mesh* all, const pliant_mesh* more)
{
    memcpy(all->vertices + 3 * (ptrdiff_t)all->vertex_count, more->vertices,
           3 * (size_t)more->vertex_count * sizeof(double));
    for (ptrdiff_t i = 0; i < 4 * (ptrdiff_t)more->tet_count; ++i)
        all->tets[4 * (ptrdiff_t)all->tet_count + i] = all->vertex_count + more->tets[i];
    all->vertex_count += more->vertex_count;
    all->tet_count += more->tet_count;
}

static pliant_result join_meshes(pliant_mesh* const* mesh, int count, pliant_mesh** out)
{
    double vertices = 0, tets = 0;
    for (int i = 0; i < count; ++i) vertices += mesh[i]->vertex_count, tets += mesh[i]->tet_count;
    pliant_result result = check_size("the mesh", vertices, tets);
    if (result) return result;
    *out = mesh_allocate((int)vertices, (int)tets, 0, 0);
    if (!*out) return PLIANT_ERROR_MEMORY;
    (*out)->vertex_count = (*out)->tet_count = 0;
    for (int i = 0; i < count; ++i) append(*out, mesh[i]);
    return PLIANT_OK;
}

static pliant_result make_mesh(const job* j, double cell, pliant_mesh** out,
                               pliant_tet_report* out_report)
{
    int count = j->solids.count;
    *out_report = (pliant_tet_report){.edge = EDGE_PER_CELL * cell * j->size,
                                      .enclosing = j->enclosing,
                                      .closed_holes = j->holes.closed,
                                      .open_holes = j->holes.open};
    pliant_mesh** mesh = (pliant_mesh**)mem_array_zero((size_t)count, sizeof *mesh);
    pliant_result result = mesh ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    for (int i = 0; i < count && !result; ++i)
        result = fill_solid(j, i, cell, &mesh[i], out_report);
    if (!result) result = join_meshes(mesh, count, out);
    for (int i = 0; mesh && i < count; ++i) pliant_mesh_destroy(mesh[i]);
    mem_free(mesh);
    return result;
}

// How far a mesh is from the target, as a part of it. Up to a tenth is better than to lose some of
// the surface.
static double badness(const job* j, const pliant_mesh* mesh, const pliant_tet_report* report)
{
    static const double SOME = 0.01, WORTH = 0.1;
    double off = fabs((double)mesh->tet_count / j->def->tets - 1);
    return off + (report->missing_share > SOME ? WORTH : 0);
}

// Keeps the mesh if it is better than the best so far.
static void offer(job* j, pliant_mesh* mesh, const pliant_tet_report* report)
{
    bool better = !j->mesh || badness(j, mesh, report) < badness(j, j->mesh, &j->report);
    if (better && j->mesh) pliant_mesh_destroy(j->mesh);
    if (!better) {
        pliant_mesh_destroy(mesh);
        return;
    }
    j->mesh = mesh;
    j->report = *report;
}

// ---- a number of tets ---------------------------------------------------------------------------

// Parts of 1.3 cells hold together; in edges.
static const double HELD_EDGE = 0.7;

enum { MOST_ROUNDS = 8, MOST_COARSENING = 8 };
static void tell_progress(const job* j, int round, bool last)
{
    double part = last ? 1 : 1 - 1.0 / (1 << round);
    if (j->def->progress) j->def->progress(part, j->def->context);
}

// A surface that is thin everywhere has many cells and no tets: there is an end to looking closer.
// Those of a coarse inside count before they are joined.
static int cells_for(const pliant_tet_def* def)
{
    double cells = 2e4 + (def->coarsening ? 200.0 : 20.0) * def->tets;
    return cells < LATTICE_LIMIT ? (int)cells : LATTICE_LIMIT;
}

static pliant_result fail_few(const job* j)
{
    return fail(PLIANT_ERROR_ARGUMENT,
                "%d tets cannot fill the surface: it is too thin everywhere for that few; ask for "
                "more",
                j->def->tets);
}

static pliant_result search_target(job* j)
{
    target_search search;
    double cell = target_start(&search, j->def->tets, j->volume);
    for (int round = 0; round < MOST_ROUNDS && cell > 0; ++round) {
        pliant_mesh* mesh = NULL;
        pliant_tet_report report;
        tell_progress(j, round, false);
        pliant_result result = make_mesh(j, cell, &mesh, &report);
        if (result == PLIANT_ERROR_UNSUPPORTED) // no closer
            return j->mesh && j->mesh->tet_count ? PLIANT_OK : fail_few(j);
        if (result) return result;
        cell = target_next(&search, (trial){cell, mesh->tet_count});
        offer(j, mesh, &report);
    }
    return PLIANT_OK;
}

// ---- the call -----------------------------------------------------------------------------------

static pliant_result fail_thin(const job* j)
{
    return fail(PLIANT_ERROR_ARGUMENT,
                "no tet fits into the surface with edges of %.3g m: it is thinner than that "
                "everywhere; use shorter edges or more tets",
                j->report.edge);
}

// Where stalks have what they had, nothing is left out.
static void warn_of_fragments(const job* j)
{
    const pliant_tet_report* r = &j->report;
    if (r->dropped_parts == 0 || r->missing_parts == 0) return;
    bool one = r->dropped_parts == 1;
    warn("%d %s of %d tets (the mesh has %d) %s left out: %s on parts of the surface that are "
         "thinner than the edges of %.3g m",
         r->dropped_parts, one ? "fragment" : "fragments", r->dropped_tets, j->mesh->tet_count,
         one ? "was" : "were", one ? "it hangs" : "they hang", r->edge);
}

static void warn_of_missing(const missing_report* m, double edge)
{
    static const double SHORTER = 0.7; // a part that is thick but not held wants shorter edges too
    if (m->parts == 0) return;
    double held = fmin(HELD_EDGE * m->thickness, SHORTER * edge);
    double at[3];
    for (int k = 0; k < 3; ++k) at[k] = round_to_size(m->place[k], edge, 3);
    bool one = m->parts == 1;
    warn(
        "%d %s of the surface, %.2g %% of its area, %s missing: %s too thin for edges of %.3g m. "
        "%s at (%.12g, %.12g, %.12g), %.3g m from the mesh and about %.2g m thick: edges of %.2g m "
        "would hold most of it",
        m->parts, one ? "part" : "parts", 100 * m->share, one ? "is" : "are",
        one ? "it is" : "they are", edge, one ? "It ends" : "The farthest is", at[0], at[1], at[2],
        m->distance, m->thickness, held);
}

static pliant_result report_missing(job* j)
{
    missing_report missing;
    pliant_tet_report* r = &j->report;
    outline_scale scale = {.size = j->size, .edge = r->edge};
    memcpy(scale.center, j->center, sizeof scale.center);
    pliant_result result = find_missing(&j->solids, &scale, j->threads, j->mesh, &missing);
    if (result) return result;
    r->missing_parts = missing.parts;
    r->missing_share = missing.share;
    r->missing_distance = missing.distance;
    r->missing_thickness = missing.thickness;
    memcpy(r->missing_place, missing.place, sizeof r->missing_place);
    warn_of_missing(&missing, r->edge);
    return PLIANT_OK;
}

static pliant_result find_solids(job* j, const pliant_mesh* surface)
{
    solid whole;
    hole_choice holes = j->def->close_holes ? HOLES_ALL : HOLES_FLAT;
    pliant_result result = solid_create(surface, holes, j->threads, &whole);
    if (result) return result;
    memcpy(j->center, whole.center, sizeof j->center);
    j->size = whole.size;
    j->volume = whole.volume;
    j->enclosing = whole.enclosing;
    j->holes = whole.holes;
    if (j->def->separate_parts)
        result = solids_apart(&whole, j->threads, &j->solids);
    else if (!solids_joined(&whole, &j->solids))
        result = PLIANT_ERROR_MEMORY;
    solid_destroy(&whole);
    return result;
}

static pliant_result run_job(job* j, const pliant_mesh* surface)
{
    pliant_result result = find_solids(j, surface);
    if (result) return result;
    j->most_cells = j->def->tets > 0 ? cells_for(j->def) : LATTICE_LIMIT;
    j->vain = (vanity*)mem_array_zero((size_t)j->solids.count, sizeof *j->vain);
    if (!j->vain) {
        result = PLIANT_ERROR_MEMORY;
    } else if (j->def->tets > 0) {
        result = search_target(j);
    } else {
        tell_progress(j, 0, false);
        result = make_mesh(j, j->def->edge / EDGE_PER_CELL / j->size, &j->mesh, &j->report);
    }
    if (!result && j->mesh->tet_count == 0) result = fail_thin(j);
    if (!result) result = disperse_crowds(j->mesh, MOST_CROWD);
    if (!result) result = report_missing(j);
    if (!result) warn_of_fragments(j);
    tell_progress(j, 0, true);
    mem_free(j->vain);
    solids_destroy(&j->solids);
    return result;
}

static pliant_result check_def(const pliant_mesh* surface, const pliant_tet_def* def)
{
    pliant_result result = check_mesh_size(surface);
    if (result) return result;
    if (def->tets < 0 || def->tets > ELEMENT_LIMIT / 2)
        return fail(PLIANT_ERROR_ARGUMENT, "%d tets cannot be made: give 1 to %d, or 0 and an edge",
                    def->tets, ELEMENT_LIMIT / 2);
    if (def->coarsening < 0 || def->coarsening > MOST_COARSENING)
        return fail(PLIANT_ERROR_ARGUMENT, "a coarsening of %d: give 0 to %d", def->coarsening,
                    MOST_COARSENING);
    if (def->tets == 0) result = check_positive("the edge of the tets", def->edge);
    if (!result && (def->threads < 0 || def->threads > 1024))
        result = fail(PLIANT_ERROR_ARGUMENT, "%d threads: give 1 to 1024, or 0 for one per core",
                      def->threads);
    return result;
}

pliant_result pliant_mesh_tetrahedralize(const pliant_mesh* surface, const pliant_tet_def* def,
                                         pliant_mesh** out, pliant_tet_report* out_report)
{
    if (!REQUIRE(surface && out) || !REQUIRE_DEF(def, COOKIE_TET)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    if (out_report) *out_report = (pliant_tet_report){0};
    pliant_result result = check_def(surface, def);
    if (result) return result;
    job j = {.def = def,
             .threads = workers_create(def->threads ? def->threads : platform_core_count())};
    if (!j.threads) return PLIANT_ERROR_MEMORY;
    // Workers flush denormals; so that it does not matter which thread does what, this one does.
    platform_float_mode mode = platform_flush_denormals();
    result = run_job(&j, surface);
    platform_restore_float_mode(mode);
    workers_destroy(j.threads);
    if (result) {
        pliant_mesh_destroy(j.mesh);
        return result;
    }
    *out = j.mesh;
    if (out_report) *out_report = j.report;
    return PLIANT_OK;
}
