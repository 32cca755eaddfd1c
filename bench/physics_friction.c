// Friction between bodies: a block on a slab, with gravity tilted in place of the slab.
#include "bench/physics.h"
#include <math.h>

// What the block lies on.
typedef enum {
    SLAB_PINNED, // all of it
    SLAB_SOFT,   // pinned at its bottom alone
    SLAB_CLOTH,  // covered with cloth, which is glued to it
    SLABS,
} slab;
static const char* const slab_words[SLABS] = {"", "_soft", "_cloth"};

typedef struct {
    double degrees, friction;
    slab below;
    double duration; // [s] that is measured
    int substeps;
} slope;

typedef struct {
    double acceleration; // [m/s^2] along the slope
    double way;          // [m] of the center of mass along it
} slide_outcome;

static pliant_vec3 tilted(double degrees)
{
    double angle = degrees * acos(-1) / 180;
    return (pliant_vec3){(float)(lab_g * sin(angle)), (float)(-lab_g * cos(angle)), 0};
}

// The block settles on the level slab, then gravity turns, then it is measured.
static pliant_result run_slope(const slope* s, slide_outcome* out)
{
    lab_def def = lab_defaults();
    def.friction = (float)s->friction;
    def.substeps = s->substeps;
    lab l = lab_open(&def);
    const double above[3] = {0.013, 0.006, -0.187};
    lab_add_pinned(&l, &def, "box6:40x1x6:0.13",
                   (const double[3]){-0.5, s->below == SLAB_CLOTH ? -0.16 : -0.13, -0.4},
                   s->below == SLAB_SOFT ? -0.12 : 1);
    if (s->below == SLAB_CLOTH)
        lab_add_pinned(&l, &def, "cloth:40x6:5.2x0.78", (const double[3]){2.1, -0.004, -0.01}, 1);
    pliant_body_id block = lab_add(&l, &def, "box6:4x1x4:0.1", above, (pliant_vec3){0, 0, 0});
    lab_run(&l, 0.5);
    if (!l.result) pliant_world_set_gravity(l.world, tilted(s->degrees));
    lab_run(&l, 0.3);
    motion_sums before = lab_sums(&l, block);
    lab_run(&l, s->duration);
    motion_sums after = lab_sums(&l, block);
    double gain = (after.momentum[0] - before.momentum[0]) / after.mass;
    *out = (slide_outcome){gain / s->duration, after.center[0] - before.center[0]};
    lab_close(&l);
    return l.result;
}

pliant_result physics_slide(judge* j)
{
    const double angle = acos(-1) / 6, expected = lab_g * (sin(angle) - 0.3 * cos(angle));
    for (int below = 0; below < SLABS; ++below) {
        slope s = {30, 0.3, (slab)below, j->quick ? 0.3 : 1, 20};
        char name[32];
        snprintf(name, sizeof name, "slide%s", slab_words[below]);
        slide_outcome out;
        pliant_result result = run_slope(&s, &out);
        if (result) return result;
        judge_row(
            j, &(judgment){name, "acceleration_m_s2", expected, out.acceleration, 0.02, expected});
    }
    return PLIANT_OK;
}

// Sticks: less than 1 mm. Slides: as far as Coulomb says, from the time when gravity turned.
static void judge_cell(judge* j, const slope* s, const slide_outcome* out)
{
    double angle = s->degrees * acos(-1) / 180;
    double pull = lab_g * (sin(angle) - s->friction * cos(angle));
    char name[32];
    snprintf(name, sizeof name, "mu_%.1f_at_%.0f%s", s->friction, s->degrees, slab_words[s->below]);
    if (pull > 0)
        judge_row(j, &(judgment){name, "slides_m_s2", pull, out->acceleration, 0.05, pull});
    else
        judge_row(j, &(judgment){name, "sticks_mm", 0, 1e3 * out->way, 1, 1});
}

static pliant_result run_grid(judge* j, slab below)
{
    static const double degrees[] = {3, 10, 20, 30, 40}, friction[] = {0.1, 0.3, 0.5, 0.7, 1};
    int apart = j->quick ? 4 : 1;
    for (int i = 0; i < 5; i += apart)
        for (int k = 0; k < 5; k += apart) {
            slope s = {degrees[k], friction[i], below, j->quick ? 0.2 : 0.7, 20};
            slide_outcome out;
            pliant_result result = run_slope(&s, &out);
            if (result) return result;
            judge_cell(j, &s, &out);
        }
    return PLIANT_OK;
}

pliant_result physics_grid(judge* j)
{
    pliant_result result = PLIANT_OK;
    for (int below = 0; below < (j->quick ? 1 : SLABS) && !result; ++below)
        result = run_grid(j, (slab)below);
    return result;
}

// What sticks stays for ten seconds.
pliant_result physics_stay(judge* j)
{
    for (int below = 0; below < SLABS; ++below) {
        slope s = {30, 0.7, (slab)below, j->quick ? 1 : 10, 20};
        slide_outcome out;
        char name[32];
        snprintf(name, sizeof name, "stay%s", slab_words[below]);
        pliant_result result = run_slope(&s, &out);
        if (result) return result;
        judge_row(j,
                  &(judgment){name, j->quick ? "in_1_s_mm" : "in_10_s_mm", 0, 1e3 * out.way, 1, 1});
    }
    return PLIANT_OK;
}
