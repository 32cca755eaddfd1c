// What equal quality costs, on the paper's beam: the fewest substeps for 1 % and 5 % of error with
// the papers' integrator and ours, and the times of bench converge.
#include "bench/fewest.h"
#include "bench/files.h"
#include "bench/papers.h"
#include "facts.h"
#include "options.h"
#include <math.h>

enum { STEPS = 20, REFERENCE = 1000 };
static const float dt = 0.01f; // [s]

typedef struct {
    pliant_formulation formulation;
    int paper; // substeps that look alike, as published; 0: not theirs
} form;
static const form forms[] = {{PLIANT_FORMULATION_DECOUPLED, 200},
                             {PLIANT_FORMULATION_TWO_ROWS, 30},
                             {PLIANT_FORMULATION_TEN_ROWS, 0}};
static const pliant_integrator integrators[] = {PLIANT_INTEGRATOR_IMPLICIT_EULER,
                                                PLIANT_INTEGRATOR_FORESIGHT};
static const char* const schedules[] = {"neighbors", "patched"};

static const column columns[] = {
    {"bench", COLUMN_TEXT, 7, 0},         {"mesh", COLUMN_TEXT, 11, 0},
    {"schedule", COLUMN_TEXT, 9, 0},      {"formulation", COLUMN_TEXT, 11, 0},
    {"integrator", COLUMN_TEXT, 14, 0},   {"substeps_5", COLUMN_INT, 10, 0},
    {"substeps_1", COLUMN_INT, 10, 0},    {"substeps_2022", COLUMN_INT, 13, 0},
    {"error_2022", COLUMN_NUMBER, 10, 3}, // [%] with the paper's number
};

static pliant_result make_asset(const trial* body, pliant_formulation formulation,
                                pliant_integrator integrator, const char* schedule,
                                pliant_asset** out)
{
    pliant_soft_def def = bench_rubber_as(formulation, schedule_of_word(schedule));
    def.solver.integrator = integrator;
    return pliant_asset_create(body->mesh, &def, out);
}

static pliant_result find_expected(trial* body, double* out)
{
    pliant_asset* asset = NULL;
    trial_outcome got = {NAN, NAN, NAN};
    pliant_result result = make_asset(body, PLIANT_FORMULATION_TEN_ROWS,
                                      PLIANT_INTEGRATOR_FORESIGHT, "clustered", &asset);
    body->asset = asset;
    body->substeps = REFERENCE;
    if (!result) result = trial_run(body, STEPS, dt, 0, &got);
    *out = got.elastic;
    pliant_asset_destroy(asset);
    return result;
}

// One percent and five, and what the paper's number is off by.
static pliant_result run_one(const rows* t, trial* body, double expected, const int pick[3])
{
    const form* f = &forms[pick[0]];
    pliant_asset* asset = NULL;
    int fewest[2] = {0, 0};
    double error = NAN;
    pliant_result result =
        make_asset(body, f->formulation, integrators[pick[1]], schedules[pick[2]], &asset);
    body->asset = asset;
    for (int i = 0; i < 2 && !result; ++i) {
        const quest q = {expected, i ? 1 : 5, REFERENCE, STEPS, dt};
        result = quest_fewest(&q, body, 30, &fewest[i], NULL);
        if (!result && i && f->paper) result = quest_error(&q, body, f->paper, &error);
    }
    pliant_asset_destroy(asset);
    const cell row[] = {
        {.text = "quality"},
        {.text = "beam:21x6x6"},
        {.text = schedules[pick[2]]},
        {.text = formulation_word(f->formulation)},
        {.text = integrator_words[integrators[pick[1]]]},
        {.number = fewest[0] ? fewest[0] : (double)NAN},
        {.number = fewest[1] ? fewest[1] : (double)NAN},
        {.number = f->paper ? f->paper : (double)NAN},
        {.number = error},
    };
    if (!result) rows_add(t, row);
    return result;
}

int paper_quality(const bench_settings* settings)
{
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    pliant_mesh* mesh = NULL;
    trial body = {0};
    double expected = NAN;
    pliant_result result = load_body("beam:21x6x6", &mesh, &body);
    body.threads = 1;
    if (!result) result = find_expected(&body, &expected);
    if (!result) rows_head(&t);
    int schedules_tried = settings->quick ? 1 : 2;
    for (int i = 0; i < 3 * 2 * schedules_tried && !result; ++i) {
        const int pick[3] = {i / schedules_tried / 2, i / schedules_tried % 2, i % schedules_tried};
        result = run_one(&t, &body, expected, pick);
    }
    pliant_mesh_destroy(mesh);
    if (result) return tell_failure("bench quality");
    bench_settings beam = *settings;
    beam.section = "beam";
    return settings->quick ? EXIT_DONE : bench_converge(&beam);
}
