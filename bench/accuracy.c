// A beam that falls for 0.2 s with one end fixed, against known numbers: its tip and its elastic
// energy for each formulation, number of substeps, precision and distance from the origin.
#include "bench/bench.h"
#include "facts.h"
#include "load.h"
#include "options.h"
#include "progress.h"
#include <math.h>

static const char beam[] = "beam:21x6x6";
enum { TIP = 21 * 7 * 7, STEPS = 20, SETTINGS = 7, VARIANTS = 4 };
static const float dt = 0.01f;       // [s]
static const double far_away = 1000; // [m]
static const int substeps[SETTINGS] = {5, 10, 30, 50, 100, 200, 500};
static const int quick_settings[] = {2, 3, 4}; // of substeps: enough to see every limit

// Double precision, serial, computed by an independent program.
typedef struct {
    pliant_formulation formulation;
    double tip[SETTINGS], energy[SETTINGS]; // [m], [J]; NAN: not known
} known_values;
static const known_values known[FORMS] = {
    {PLIANT_FORMULATION_DECOUPLED,
     {NAN, NAN, NAN, NAN, NAN, NAN, NAN},
     {NAN, 50077, 773.5, 469.6, 428.4, 425.5, 425.4}},
    {PLIANT_FORMULATION_TWO_ROWS,
     {NAN, NAN, -0.14597, -0.14633, -0.14675, -0.14694, -0.14703},
     {1397827, 5805, 435.9, 424.3, 424.3, 424.9, 425.3}},
    {PLIANT_FORMULATION_TEN_ROWS,
     {NAN, NAN, NAN, NAN, NAN, NAN, NAN},
     {3790, 1088, 449.1, 430.1, 425.8, 425.3, NAN}},
};

// The first variant is what the others are compared with; it is compared with the known values.
typedef struct {
    pliant_precision precision;
    double place;                   // [m]
    const char* against;            // what the errors are relative to
    int fewest;                     // substeps from which the limits hold
    double tip_limit, energy_limit; // [%]
} variant;
static const variant variants[VARIANTS] = {
    {PLIANT_PRECISION_DOUBLE, 0, "known", 50, 0.1, 1},
    {PLIANT_PRECISION_SINGLE, 0, "double", 30, 0.1, 0.1},
    {PLIANT_PRECISION_DOUBLE, far_away, "double", 30, 0.1, 0.1},
    {PLIANT_PRECISION_SINGLE, far_away, "double", 30, 0.5, 0.5},
};

static const column columns[] = {
    {"bench", COLUMN_TEXT, 8, 0},
    {"mesh", COLUMN_TEXT, 11, 0},
    {"tets", COLUMN_INT, 6, 0},
    {"schedule", COLUMN_TEXT, 8, 0},
    {"formulation", COLUMN_TEXT, 11, 0},
    {"precision", COLUMN_TEXT, 9, 0},
    {"place", COLUMN_NUMBER, 6, 0},
    {"substeps", COLUMN_INT, 8, 0},
    {"tip", COLUMN_NUMBER, 9, 5},
    {"tip_expected", COLUMN_NUMBER, 12, 5},
    {"tip_error", COLUMN_NUMBER, 9, 4},
    {"energy", COLUMN_NUMBER, 11, 2},
    {"energy_expected", COLUMN_NUMBER, 15, 2},
    {"error", COLUMN_NUMBER, 9, 4},
    {"against", COLUMN_TEXT, 7, 0},
    {"verdict", COLUMN_TEXT, 7, 0},
};

// Not a number where something was expected: the body diverged.
static bool breaks(double value, double expected, double limit)
{
    return !isnan(expected) && !(bench_percent_off(value, expected) <= limit);
}

typedef struct {
    const rows* table;
    const pliant_mesh* mesh;
    progress bar;
    double done, total; // substeps
    int broken;
} accuracy;

// One row; returns whether it is within its limits.
static bool judge(accuracy* a, const variant* v, const known_values* k, int setting,
                  const trial_outcome* got, const trial_outcome* expected)
{
    bool bound = substeps[setting] >= v->fewest;
    bool broken = breaks(got->tip, expected->tip, v->tip_limit) ||
                  breaks(got->elastic, expected->elastic, v->energy_limit);
    const cell row[] = {
        {.text = "accuracy"},
        {.text = beam},
        {.number = pliant_mesh_view(a->mesh).tet_count},
        {.text = "serial"},
        {.text = formulation_word(k->formulation)},
        {.text = v->precision == PLIANT_PRECISION_DOUBLE ? "double" : "single"},
        {.number = v->place},
        {.number = substeps[setting]},
        {.number = got->tip},
        {.number = expected->tip},
        {.number = bench_percent_off(got->tip, expected->tip)},
        {.number = got->elastic},
        {.number = expected->elastic},
        {.number = bench_percent_off(got->elastic, expected->elastic)},
        {.text = v->against},
        {.text = !bound   ? NULL
                 : broken ? "FAIL"
                          : "pass"},
    };
    bench_row(&a->bar, a->table, row);
    return !(bound && broken);
}

static pliant_result compare(accuracy* a, const known_values* k, int setting,
                             const pliant_asset* const asset[2])
{
    trial_outcome first = {NAN, NAN, NAN};
    trial_outcome known_outcome = {k->energy[setting], k->tip[setting], NAN};
    for (int i = 0; i < VARIANTS; ++i) {
        const variant* v = &variants[i];
        trial t = {.mesh = a->mesh,
                   .asset = asset[v->precision],
                   .place = v->place,
                   .substeps = substeps[setting],
                   .threads = 1};
        trial_outcome got;
        pliant_result result = trial_run(&t, STEPS, dt, TIP, &got);
        if (result) return result;
        if (i == 0) first = got;
        if (!judge(a, v, k, setting, &got, i == 0 ? &known_outcome : &first)) a->broken++;
        a->done += substeps[setting];
        progress_show(&a->bar, a->done, a->total);
    }
    return PLIANT_OK;
}

static pliant_result run_formulation(accuracy* a, const known_values* k, const int* settings,
                                     int setting_count)
{
    pliant_asset* asset[2] = {NULL, NULL};
    pliant_result result = PLIANT_OK;
    for (int p = 0; p < 2 && !result; ++p) {
        pliant_soft_def def = bench_rubber();
        def.solver.formulation = k->formulation;
        def.solver.schedule = PLIANT_SCHEDULE_SERIAL;
        def.solver.integrator = PLIANT_INTEGRATOR_IMPLICIT_EULER; // as the known values
        def.solver.precision = (pliant_precision)p;
        result = pliant_asset_create(a->mesh, &def, &asset[p]);
    }
    for (int i = 0; i < setting_count && !result; ++i)
        result = compare(a, k, settings[i], (const pliant_asset* const*)asset);
    for (int p = 0; p < 2; ++p)
        if (asset[p]) pliant_asset_destroy(asset[p]);
    return result;
}

int bench_accuracy(const bench_settings* settings)
{
    static const int all[SETTINGS] = {0, 1, 2, 3, 4, 5, 6};
    const int* chosen = settings->quick ? quick_settings : all;
    int count =
        settings->quick ? (int)(sizeof quick_settings / sizeof quick_settings[0]) : SETTINGS;
    pliant_mesh* mesh = NULL;
    if (load_mesh(beam, &mesh)) return tell_failure("bench accuracy");
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    accuracy a = {.table = &t, .mesh = mesh, .bar = progress_start("substeps", false)};
    for (int i = 0; i < count; ++i) a.total += FORMS * VARIANTS * substeps[chosen[i]];
    rows_head(&t);
    pliant_result result = PLIANT_OK;
    for (int f = 0; f < FORMS && !result; ++f)
        result = run_formulation(&a, &known[f], chosen, count);
    progress_end(&a.bar);
    pliant_mesh_destroy(mesh);
    if (result) return tell_failure("bench accuracy");
    if (a.broken) fprintf(stderr, "pliant bench accuracy: %d limits are broken\n", a.broken);
    return a.broken ? EXIT_FAILED : EXIT_DONE;
}
