// A beam that starts with its vertices at random places, or all in one plane (2022, figure 8), and
// has 5 s to find its shape again. The ten rows must: no inverted tet, and within 1 % of it.
//
// Nothing keeps a body from crossing itself here, so that the energy has other minima than rest: a
// beam can stay folded through itself. How often it does is seen with more seeds; those rows have
// no limits.
#include "base/memory.h"
#include "base/random.h"
#include "bench/bench.h"
#include "facts.h"
#include "load.h"
#include "mesh/align.h"
#include "mesh/shape.h"
#include "options.h"
#include <math.h>
#include <string.h>

static const char beam[] = "beam:21x6x6";
enum { STEPS = 300, SUBSTEPS = 30 };
static const float dt = 1.0f / 60; // [s]
static const double rms_limit = 1; // [%] of the length
static const double slight = 1e-3; // [s] damping
enum { DAMPINGS = 2, STARTS = 2, MORE_SEEDS = 9 };

typedef struct {
    int seed;   // of random places; 0: all in one plane
    bool bound; // to the limits, in ten rows
} start;

static const column columns[] = {
    {"bench", COLUMN_TEXT, 8, 0},
    {"mesh", COLUMN_TEXT, 11, 0},
    {"tets", COLUMN_INT, 5, 0},
    {"schedule", COLUMN_TEXT, 9, 0},
    {"formulation", COLUMN_TEXT, 11, 0},
    {"substeps", COLUMN_INT, 8, 0},
    {"start", COLUMN_TEXT, 6, 0},
    {"seed", COLUMN_INT, 4, 0},
    {"damping", COLUMN_NUMBER, 7, 3},        // [s]
    {"inverted", COLUMN_INT, 8, 0},          // tets at the end
    {"rms", COLUMN_NUMBER, 9, 4},            // [%] of the length, after rigid alignment
    {"energy", COLUMN_NUMBER, 12, 3},        // [J] elastic, at the end
    {"first_upright", COLUMN_NUMBER, 13, 3}, // [s] first frame without inverted tets
    {"verdict", COLUMN_TEXT, 7, 0},
};

typedef struct {
    const rows* table;
    pliant_mesh_arrays mesh;
    double min[3], max[3]; // [m] of the mesh
    double* x;             // [m] places of the vertices
    progress bar;
    double done, total; // frames
    int broken;
} scramble;

typedef struct {
    double inverted;      // tets at the end; all NAN when the body diverged
    double rms;           // [%] of the length
    double elastic;       // [J]
    double first_upright; // [s]; NAN: never
} outcome;

static void place_vertices(scramble* s, start how)
{
    random_source random = {(uint64_t)how.seed};
    memcpy(s->x, s->mesh.vertices, (size_t)s->mesh.vertex_count * 3 * sizeof(double));
    for (ptrdiff_t v = 0; v < s->mesh.vertex_count; ++v)
        if (how.seed == 0)
            s->x[3 * v + 1] = (s->min[1] + s->max[1]) / 2;
        else
            for (int k = 0; k < 3; ++k)
                s->x[3 * v + k] = random_range(&random, s->min[k], s->max[k]);
}

static int count_inverted(const scramble* s)
{
    int count = 0;
    for (ptrdiff_t t = 0; t < s->mesh.tet_count; ++t)
        count += !(tet_volume(s->x, s->mesh.tets + 4 * t) > 0);
    return count;
}

static pliant_result watch(scramble* s, pliant_world* world, pliant_body_id body, outcome* out)
{
    pliant_result result = PLIANT_OK;
    *out = (outcome){NAN, NAN, NAN, NAN};
    for (int i = 1; i <= STEPS && !result; ++i) {
        result = pliant_world_step(world, dt);
        if (!result)
            result = pliant_body_read_positions_exact(world, body, s->x, s->mesh.vertex_count);
        out->inverted = count_inverted(s);
        if (out->inverted == 0 && isnan(out->first_upright)) out->first_upright = i * (double)dt;
        progress_show(&s->bar, ++s->done, s->total);
    }
    if (result == PLIANT_ERROR_DIVERGED) { // an outcome too
        *out = (outcome){NAN, NAN, NAN, NAN};
        return PLIANT_OK;
    }
    out->rms =
        100 * align_rms(s->x, s->mesh.vertices, s->mesh.vertex_count) / (s->max[0] - s->min[0]);
    pliant_energies e;
    if (!result) result = pliant_world_energies(world, &e);
    if (!result) out->elastic = e.elastic;
    return result;
}

static pliant_result run_one(scramble* s, const pliant_asset* asset, start how, outcome* out)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_body_def place = pliant_body_defaults();
    pliant_world* world = NULL;
    def.gravity = (pliant_vec3){0, 0, 0};
    def.substeps = SUBSTEPS;
    pliant_result result = pliant_world_create(&def, &world);
    if (result) return result;
    pliant_body_id body;
    result = pliant_world_add_body(world, asset, &place, &body);
    if (!result) {
        place_vertices(s, how);
        pliant_body_write_positions_exact(world, body, s->x, s->mesh.vertex_count);
        result = watch(s, world, body, out);
    }
    pliant_world_destroy(world);
    return result;
}

static void print_outcome(scramble* s, const pliant_soft_def* def, start how, const outcome* got)
{
    bool judged = def->solver.formulation == PLIANT_FORMULATION_TEN_ROWS;
    bool recovered = got->inverted == 0 && got->rms < rms_limit;
    const cell row[] = {
        {.text = "scramble"},
        {.text = beam},
        {.number = s->mesh.tet_count},
        {.text = schedule_words[def->solver.schedule]},
        {.text = formulation_word(def->solver.formulation)},
        {.number = SUBSTEPS},
        {.text = how.seed ? "random" : "flat"},
        {.number = how.seed ? how.seed : (double)NAN},
        {.number = def->material.damping},
        {.number = got->inverted},
        {.number = got->rms},
        {.number = got->elastic},
        {.number = got->first_upright},
        {.text = !judged     ? NULL
                 : recovered ? "pass"
                 : how.bound ? "FAIL"
                             : "folded"},
    };
    bench_row(&s->bar, s->table, row);
    s->broken += judged && how.bound && !recovered;
}

static pliant_result run_starts(scramble* s, const pliant_asset* asset, const pliant_soft_def* def,
                                int more_seeds)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < STARTS + more_seeds && !result; ++i) {
        start how = {.seed = i == 0 ? 1 : i == 1 ? 0 : i, .bound = i < STARTS};
        outcome got;
        result = run_one(s, asset, how, &got);
        if (!result) print_outcome(s, def, how, &got);
    }
    return result;
}

static pliant_result run_body(scramble* s, const pliant_mesh* mesh, pliant_formulation form,
                              double damping, int more_seeds)
{
    pliant_soft_def def = bench_rubber();
    def.research.lame_convention = PLIANT_LAME_ENGINEERING;
    def.material.damping = damping;
    def.solver.formulation = form;
    pliant_asset* asset = NULL;
    pliant_result result = pliant_asset_create(mesh, &def, &asset);
    if (!result) result = run_starts(s, asset, &def, more_seeds);
    if (asset) pliant_asset_destroy(asset);
    return result;
}

static pliant_result prepare(scramble* s, const pliant_mesh* mesh)
{
    pliant_mesh_quality q;
    pliant_result result = pliant_mesh_measure(mesh, &q);
    if (result) return result;
    memcpy(s->min, q.min, sizeof s->min);
    memcpy(s->max, q.max, sizeof s->max);
    s->mesh = pliant_mesh_view(mesh);
    s->x = (double*)mem_array((size_t)s->mesh.vertex_count, 3 * sizeof(double));
    return s->x ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

int bench_scramble(const bench_settings* settings)
{
    pliant_mesh* mesh = NULL;
    if (load_mesh(beam, &mesh)) return tell_failure("bench scramble");
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    scramble s = {.table = &t, .bar = progress_start("frames", false)};
    int form_count = settings->quick ? 1 : FORMS, more_seeds = settings->quick ? 0 : MORE_SEEDS;
    s.total = ((double)form_count * DAMPINGS * STARTS + more_seeds) * STEPS;
    pliant_result result = prepare(&s, mesh);
    if (!result) rows_head(&t);
    for (int d = 0; d < DAMPINGS; ++d)
        for (int f = 0; f < form_count && !result; ++f)
            result =
                run_body(&s, mesh, bench_forms[f], d == 0 ? slight : 0,
                         d == 0 && bench_forms[f] == PLIANT_FORMULATION_TEN_ROWS ? more_seeds : 0);
    progress_end(&s.bar);
    mem_free(s.x);
    pliant_mesh_destroy(mesh);
    if (result) return tell_failure("bench scramble");
    if (s.broken) fprintf(stderr, "pliant bench scramble: %d limits are broken\n", s.broken);
    return s.broken ? EXIT_FAILED : EXIT_DONE;
}
