// Bodies that touch, against what the physics of solids says: friction, stacks, forces, momentum,
// energy. Every row has a bound and passes or fails.
#include "bench/physics.h"
#include "facts.h"
#include "options.h"
#include <math.h>
#include <string.h>

static const column columns[] = {
    {"bench", COLUMN_TEXT, 7, 0},     {"case", COLUMN_TEXT, 26, 0},
    {"quantity", COLUMN_TEXT, 22, 0}, {"expected", COLUMN_NUMBER, 10, 5},
    {"value", COLUMN_NUMBER, 12, 7},  {"error", COLUMN_NUMBER, 11, 8},
    {"bound", COLUMN_NUMBER, 9, 6},   {"pass", COLUMN_TEXT, 4, 0},
};

static const struct {
    const char* name;
    physics_fn* run;
} cases[] = {
    {"slide", physics_slide},
    {"grid", physics_grid},
    {"stay", physics_stay},
    {"stack", physics_stack},
    {"press", physics_press},
    {"squeeze", physics_squeeze},
    {"rope", physics_rope},
    {"momentum", physics_momentum},
    {"links", physics_links},
    {"bounce", physics_bounce},
    {"rigid_grid", physics_rigid_grid},
    {"rigid_slide", physics_rigid_slide},
    {"rigid_stop", physics_rigid_stop},
    {"rigid_roll", physics_rigid_roll},
    {"rigid_stack", physics_rigid_stack},
    {"rigid_collide", physics_rigid_collide},
    {"rigid_wall", physics_rigid_wall},
    {"rigid_cards", physics_rigid_cards},
    {"air_fall", physics_air_fall},
    {"air_glide", physics_air_glide},
    {"liquid_rest", physics_liquid_rest},
    {"liquid_wave", physics_liquid_wave},
    {"liquid_slosh", physics_liquid_slosh},
    {"liquid_dam", physics_liquid_dam},
    {"liquid_float", physics_liquid_float},
    {"rod_twist", physics_rod_twist},
    {"rod_elastica", physics_rod_elastica},
    {"rod_ring", physics_rod_ring},
    {"rod_spring", physics_rod_spring},
    {"rod_cost", physics_rod_cost},
    {"gas_thermal", physics_gas_thermal},
    {"gas_plume", physics_gas_plume},
    {"gas_ring", physics_gas_ring},
    {"cloth_strip", physics_cloth_strip},
    {"cloth_drape", physics_cloth_drape},
    {"liquid_box", physics_liquid_box},
    {"liquid_drop", physics_liquid_drop},
    {"liquid_plates", physics_liquid_plates},
    {"liquid_vortex", physics_liquid_vortex},
    {"liquid_layers", physics_liquid_layers},
};
enum { CASES = sizeof cases / sizeof cases[0] };

void judge_row(judge* j, const judgment* row)
{
    double error = fabs(row->value - row->expected) / row->scale;
    bool passes = error <= row->bound; // what is not finite fails
    const cell cells[] = {
        {.text = "physics"},     {.text = row->name},
        {.text = row->quantity}, {.number = row->expected},
        {.number = row->value},  {.number = error},
        {.number = row->bound},  {.text = passes ? "pass" : "FAIL"},
    };
    if (!passes) ++j->broken;
    bench_row(&j->bar, j->table, cells);
}

static bool is_wanted(const bench_settings* settings, int number)
{
    return !settings->section || strcmp(settings->section, "all") == 0 ||
           strcmp(settings->section, cases[number].name) == 0;
}

static bool is_known(const bench_settings* settings)
{
    for (int i = 0; i < CASES; ++i)
        if (is_wanted(settings, i)) return true;
    return false;
}

int bench_physics(const bench_settings* settings)
{
    if (!is_known(settings))
        return tell_usage(
            "bench physics", "--section",
            "use slide, grid, stay, stack, press, squeeze, rope, momentum, links, bounce, "
            "rigid_grid, rigid_slide, rigid_stop, rigid_roll, rigid_stack, rigid_collide, "
            "rigid_wall, rigid_cards, air_fall, air_glide, liquid_rest, liquid_wave, liquid_slosh, "
            "liquid_dam, liquid_box, liquid_drop, liquid_plates, liquid_vortex, liquid_layers, "
            "liquid_float, rod_twist, rod_elastica, rod_ring, rod_spring, rod_cost, "
            "gas_thermal, gas_plume, gas_ring, cloth_strip, cloth_drape or all");
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    judge j = {&t, progress_start("cases", false), 0, settings->quick};
    pliant_result result = PLIANT_OK;
    rows_head(&t);
    for (int i = 0; i < CASES && !result; ++i) {
        if (is_wanted(settings, i)) result = cases[i].run(&j);
        progress_show(&j.bar, i + 1, CASES);
    }
    progress_end(&j.bar);
    if (result) return tell_failure("bench physics");
    if (j.broken) fprintf(stderr, "pliant bench physics: %d limits are broken\n", j.broken);
    return j.broken ? EXIT_FAILED : EXIT_DONE;
}
