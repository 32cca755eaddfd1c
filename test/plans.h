// What every plan must be: each row is of one particle, and lanes of a color share none.
#pragma once
#include "asset/asset.h"

#include "check.h"

// Which particle each row is a copy of; -1: padding.
static inline int* particles_of_rows(const plan* p)
{
    const int* phantom = p->copies.phantom;
    int* particle = (int*)malloc((size_t)p->row_count * sizeof(int));
    for (int i = 0; i < p->row_count; ++i) particle[i] = -1;
    for (int i = 0; phantom && i < p->particle_count; ++i)
        for (int k = phantom[i]; k < phantom[i + 1]; ++k) particle[p->particle_count + k] = i;
    for (int i = 0; i < p->particle_count; ++i)
        for (int k = 0; k < plan_copy_count(p, i); ++k) {
            int row = plan_row(p, i, k);
            if (row < 0 || row >= p->row_count) fail_msg("row %d of %d", row, p->row_count);
            if (particle[row] >= 0) fail_msg("row %d is of %d and %d", row, particle[row], i);
            particle[row] = i;
        }
    return particle;
}

// Calls for each round of a plan, with the patch it belongs to.
typedef void round_fn(const plan* p, const patch* t, int color, int group, const round_block* b,
                      void* context);
static inline void for_each_round(const plan* p, round_fn* call, void* context)
{
    for (int i = 0; i < p->patch_count; ++i) {
        const patch* t = &p->patch[i];
        for (int c = t->first_color; c < t->first_color + t->color_count; ++c)
            for (int g = p->color_group[c]; g < p->color_group[c + 1]; ++g)
                for (int r = 0; r < p->group[g].round_count; ++r)
                    call(p, t, c, g, &p->round[p->group[g].first_round + r], context);
    }
}

typedef struct {
    const char* name;
    const int* particle; // of each row
    int *color, *owner;  // of each row: who had it last
} marks;

// Marks the rows of each lane with the lane's number; a row with another's mark of the same color
// is shared. Padding rows never move, and lanes of one patch may share them.
static inline void mark_round(const plan* p, const patch* t, int color, int group,
                              const round_block* b, void* context)
{
    const marks* m = (const marks*)context;
    for (int at = 0; at < type_infos[b->type].particles * BLOCK; ++at) {
        int row = t->first_row + plan_index(p, b->index_at + (size_t)at);
        int owner = group * BLOCK + at % BLOCK;
        if (row < 0 || row >= p->row_count) fail_msg("row %d of %d", row, p->row_count);
        if (p->patched && m->particle[row] < 0) continue;
        if (m->color[row] == color && m->owner[row] != owner)
            fail_msg("%s: row %d (of %d) is shared in color %d", m->name, row, p->row_count, color);
        m->color[row] = color;
        m->owner[row] = owner;
    }
}

static inline void check_lanes(const pliant_asset* a, const char* name)
{
    size_t rows = (size_t)a->plan.row_count;
    marks m = {name, particles_of_rows(&a->plan), malloc(rows * sizeof(int)),
               malloc(rows * sizeof(int))};
    memset(m.color, 0xff, rows * sizeof(int));
    for_each_round(&a->plan, mark_round, &m);
    assert_int_equal(a->plan.color_group[a->plan.color_count], (int)a->plan.group_count);
    free((void*)m.particle);
    free(m.color);
    free(m.owner);
}
