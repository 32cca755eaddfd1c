// Bodies that fall on each other: what it costs to keep them apart, and whether they stay apart.
// Every scene runs twice side by side, with contacts and without; a third time without the guard
// where that is asked for.
#include "base/platform.h"
#include "bench/contact_surfaces.h"
#include "facts.h"
#include "options.h"
#include <math.h>
#include <string.h>

enum { LOOK = 5 }; // steps from one count of crossings to the next

static const column columns[] = {
    {"bench", COLUMN_TEXT, 7, 0},
    {"scene", COLUMN_TEXT, 15, 0},
    {"backend", COLUMN_TEXT, 7, 0},
    {"bodies", COLUMN_INT, 6, 0},
    {"triangles", COLUMN_INT, 9, 0},
    {"substeps", COLUMN_INT, 8, 0},
    {"near_pairs", COLUMN_INT, 10, 0}, // the most of all steps, as contacts, crossings and deepest
    {"contacts", COLUMN_INT, 8, 0},
    {"ms_per_step", COLUMN_NUMBER, 11, 3}, // mean, as its parts
    {"find_ms", COLUMN_NUMBER, 8, 3},
    {"solve_ms", COLUMN_NUMBER, 8, 3},
    {"guard_ms", COLUMN_NUMBER, 8, 3},
    {"sweep_ms", COLUMN_NUMBER, 8, 3},
    {"ratio", COLUMN_NUMBER, 6, 2}, // of the time to that without contacts
    {"crossings", COLUMN_INT, 9, 0},
    {"crossings_without", COLUMN_INT, 17, 0}, // contacts: that the count finds some
    {"crossings_unguarded", COLUMN_INT, 19, 0},
    {"deepest", COLUMN_NUMBER, 7, 3}, // in thicknesses
    {"guard_rounds", COLUMN_INT, 12, 0},
    {"stopped", COLUMN_INT, 7, 0},
    {"guarded_share", COLUMN_NUMBER, 13, 6}, // of particles, over all substeps
    {"squeezed", COLUMN_INT, 8, 0},
    {"guarded", COLUMN_NUMBER, 8, 5}, // [N s] in all
};

typedef struct {
    int near_pairs, contacts, crossings, rounds, stopped, squeezed;
    int crossings_without, crossings_unguarded;
    double seconds, seconds_without, find, solve, guard, sweep, deepest, guarded;
    int steps;
} tally;

static void add_stats(tally* sum, const pliant_world* world, double thickness)
{
    pliant_contact_stats c = pliant_world_contact_stats(world);
    sum->near_pairs = c.near_pairs > sum->near_pairs ? c.near_pairs : sum->near_pairs;
    sum->contacts = c.contacts > sum->contacts ? c.contacts : sum->contacts;
    sum->rounds += c.guard_rounds;
    sum->stopped += c.stopped;
    sum->squeezed += c.squeezed;
    sum->guarded += c.guarded;
    sum->deepest = fmax(sum->deepest, c.deepest / thickness);
    sum->find += c.find;
    sum->solve += c.solve;
    sum->guard += c.guard;
    sum->sweep += pliant_world_profile(world).sweep;
}

static pliant_result timed_step(const contact_scene* from, contact_stage* s, double* seconds)
{
    double start = platform_seconds();
    pliant_result result = contact_stage_step(from, s);
    if (!result) result = pliant_world_wait(s->world);
    *seconds += platform_seconds() - start;
    return result;
}

enum { WITHOUT, WITH, UNGUARDED, VARIANTS };

// Worlds take turns, so that other work on the machine hits all of them.
static pliant_result run_all(const contact_scene* from, contact_stage on[VARIANTS],
                             const contact_surfaces* s, int steps, tally* sum)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < steps && !result; ++i) {
        bool look = (i + 1) % LOOK == 0 || i + 1 == steps, third = on[UNGUARDED].world != NULL;
        result = timed_step(from, &on[WITH], &sum->seconds);
        if (!result) add_stats(sum, on[WITH].world, from->thickness);
        if (!result) result = timed_step(from, &on[WITHOUT], &sum->seconds_without);
        if (!result && third) result = contact_stage_step(from, &on[UNGUARDED]);
        if (!result && look) result = contact_surfaces_cross(s, &on[WITH], &sum->crossings);
        if (!result && look && third)
            result = contact_surfaces_cross(s, &on[UNGUARDED], &sum->crossings_unguarded);
        if (!result && i + 1 == steps)
            result = contact_surfaces_cross(s, &on[WITHOUT], &sum->crossings_without);
    }
    sum->steps = steps;
    return result;
}

static double guarded_share(const contact_surfaces* s, const tally* sum, int substeps)
{
    return sum->stopped / ((double)s->vertices * sum->steps * substeps);
}

static void print_row(const rows* t, const contact_scene* from, const contact_stage all[VARIANTS],
                      const contact_surfaces* s, const tally* sum)
{
    const contact_stage* on = &all[WITH];
    double ms = 1e3 / sum->steps;
    int substeps = pliant_world_profile(on->world).substeps;
    const cell row[] = {
        {.text = "contact"},
        {.text = from->name},
        {.text = pliant_world_device(on->world) ? "cuda" : "cpu"},
        {.number = on->count},
        {.number = s->triangle_count},
        {.number = substeps},
        {.number = sum->near_pairs},
        {.number = sum->contacts},
        {.number = ms * sum->seconds},
        {.number = ms * sum->find},
        {.number = ms * sum->solve},
        {.number = ms * sum->guard},
        {.number = ms * sum->sweep},
        {.number = sum->seconds / sum->seconds_without},
        {.number = sum->crossings},
        {.number = sum->crossings_without},
        {.number = all[UNGUARDED].world ? (double)sum->crossings_unguarded : (double)NAN},
        {.number = sum->deepest},
        {.number = sum->rounds},
        {.number = sum->stopped},
        {.number = guarded_share(s, sum, substeps)},
        {.number = sum->squeezed},
        {.number = sum->guarded}};
    rows_add(t, row);
}

static pliant_result run_scene(const rows* t, const contact_scene* from,
                               const bench_settings* settings, int* crossings)
{
    contact_stage on[VARIANTS] = {{.world = NULL}, {.world = NULL}, {.world = NULL}};
    contact_surfaces s = {.x = NULL};
    tally sum = {0};
    pliant_result result = PLIANT_OK;
    contact_choice choice = {.quick = settings->quick, .meshes = settings->meshes};
    choice.backend = PLIANT_BACKEND_CPU;
    if (settings->on_gpu) choice.backend = PLIANT_BACKEND_CUDA;
    for (int i = 0; i < VARIANTS - !settings->unguarded && !result; ++i) {
        choice.contacts = i != WITHOUT;
        choice.guard = i != UNGUARDED;
        result = contact_stage_open(from, &choice, &on[i]);
    }
    if (!result) result = contact_surfaces_make(&on[WITH], &s);
    int steps = settings->quick ? from->steps / 2 : from->steps;
    if (!result) result = run_all(from, on, &s, steps, &sum);
    if (!result) print_row(t, from, on, &s, &sum);
    *crossings += sum.crossings;
    for (int i = 0; i < VARIANTS; ++i) contact_stage_close(&on[i]);
    contact_surfaces_free(&s);
    return result;
}

// One by its name, all, or those that are not large.
static bool is_wanted(const bench_settings* settings, const contact_scene* from)
{
    const char* name = settings->only ? settings->only : settings->section;
    if (!name) return !from->large;
    return strcmp(name, "all") == 0 || strcmp(name, from->name) == 0;
}

static int refuse(const bench_settings* settings)
{
    char names[512] = "use all or one of";
    for (int i = 0; i < CONTACT_SCENES; ++i) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s %s", i ? "," : "", contact_scenes[i].name);
    }
    return tell_usage("bench contact", settings->only ? "--only" : "--section", names);
}

int bench_contact(const bench_settings* settings)
{
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    pliant_result result = PLIANT_OK;
    int crossings = 0, run = 0;
    for (int i = 0; i < CONTACT_SCENES; ++i) run += is_wanted(settings, &contact_scenes[i]);
    if (!run) return refuse(settings);
    rows_head(&t);
    for (int i = 0; i < CONTACT_SCENES && !result; ++i)
        if (is_wanted(settings, &contact_scenes[i]))
            result = run_scene(&t, &contact_scenes[i], settings, &crossings);
    if (result) return tell_failure("bench contact");
    if (crossings) fprintf(stderr, "pliant bench contact: surfaces crossed\n");
    return crossings ? EXIT_FAILED : EXIT_DONE;
}
