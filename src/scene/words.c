#include "scene/words.h"
#include <string.h>

const char* const formulation_words[FORMULATIONS + 1] = {
    [PLIANT_FORMULATION_TEN_ROWS] = "ten_rows",
    [PLIANT_FORMULATION_TWO_ROWS] = "two_rows",
    [PLIANT_FORMULATION_DECOUPLED] = "decoupled",
    [PLIANT_FORMULATION_DECOUPLED_NODES] = "decoupled_nodes",
    [PLIANT_FORMULATION_EDGES_AND_VOLUME] = "edges_and_volume",
};

const char* const schedule_words[] = {
    [PLIANT_SCHEDULE_PATCHED] = "patched", [PLIANT_SCHEDULE_CLUSTERED] = "clustered",
    [PLIANT_SCHEDULE_COLORED] = "colored", [PLIANT_SCHEDULE_SERIAL] = "serial",
    [PLIANT_SCHEDULE_PHANTOM] = "phantom", [PLIANT_SCHEDULE_HYBRID] = "hybrid",
    [PLIANT_SCHEDULE_JACOBI] = "jacobi",   NULL,
};

const char* const graph_words[] = {
    [PLIANT_COLOR_SCOPE_ALL] = "for_all",
    [PLIANT_COLOR_SCOPE_TYPE] = "per_type",
    NULL,
};

const char* const interface_words[] = {
    [PLIANT_INTERFACE_MERGED] = "merged",
    [PLIANT_INTERFACE_ORDERED] = "ordered",
    NULL,
};

const char* const phantoms_words[] = {
    [PLIANT_PHANTOMS_GROUPED] = "grouped",
    [PLIANT_PHANTOMS_SINGLE] = "single",
    NULL,
};

const char* const axes_words[] = {"all", "x", "y", "z", "xy", "yz", "xz", NULL};
const unsigned axes_of_word[] = {PLIANT_AXIS_X | PLIANT_AXIS_Y | PLIANT_AXIS_Z,
                                 PLIANT_AXIS_X,
                                 PLIANT_AXIS_Y,
                                 PLIANT_AXIS_Z,
                                 PLIANT_AXIS_X | PLIANT_AXIS_Y,
                                 PLIANT_AXIS_Y | PLIANT_AXIS_Z,
                                 PLIANT_AXIS_X | PLIANT_AXIS_Z};

const char* const merge_words[] = {
    [PLIANT_MERGE_SPLIT] = "split",
    [PLIANT_MERGE_DUPLICATE] = "duplicate",
    NULL,
};

const char* const rotation_words[] = {
    [PLIANT_ROTATION_KEPT] = "kept",
    [PLIANT_ROTATION_AS_PUBLISHED] = "as_published",
    NULL,
};

const char* const integrator_words[] = {
    [PLIANT_INTEGRATOR_FORESIGHT] = "foresight",
    [PLIANT_INTEGRATOR_IMPLICIT_EULER] = "implicit_euler",
    [PLIANT_INTEGRATOR_SYMPLECTIC_EULER] = "symplectic_euler",
    [PLIANT_INTEGRATOR_VERLET] = "verlet",
    [PLIANT_INTEGRATOR_BDF2] = "bdf2",
    NULL,
};

const char* const clustering_words[] = {
    [PLIANT_CLUSTERING_COMPACT] = "compact",
    [PLIANT_CLUSTERING_NEIGHBORS] = "neighbors",
    [PLIANT_CLUSTERING_CELLS] = "cells",
    NULL,
};

const char* const backend_words[] = {
    [PLIANT_BACKEND_AUTO] = "auto",
    [PLIANT_BACKEND_CPU] = "cpu",
    [PLIANT_BACKEND_CUDA] = "cuda",
    NULL,
};

const char* const arithmetic_words[] = {
    [PLIANT_ARITHMETIC_EXACT] = "exact",
    [PLIANT_ARITHMETIC_FAST] = "fast",
    NULL,
};

const schedule_choice schedule_choices[SCHEDULES] = {
    {PLIANT_SCHEDULE_SERIAL, PLIANT_CLUSTERING_COMPACT},
    {PLIANT_SCHEDULE_COLORED, PLIANT_CLUSTERING_COMPACT},
    {PLIANT_SCHEDULE_CLUSTERED, PLIANT_CLUSTERING_COMPACT},
    {PLIANT_SCHEDULE_CLUSTERED, PLIANT_CLUSTERING_NEIGHBORS},
    {PLIANT_SCHEDULE_CLUSTERED, PLIANT_CLUSTERING_CELLS},
    {PLIANT_SCHEDULE_PATCHED, PLIANT_CLUSTERING_COMPACT},
    {PLIANT_SCHEDULE_PHANTOM, PLIANT_CLUSTERING_COMPACT},
    {PLIANT_SCHEDULE_HYBRID, PLIANT_CLUSTERING_COMPACT},
    {PLIANT_SCHEDULE_JACOBI, PLIANT_CLUSTERING_COMPACT},
};

const char* formulation_word(pliant_formulation formulation)
{
    return formulation_words[formulation];
}

// The number of a word in a list; -1 where it is not in it.
static int find_word(const char* word, const char* const* words)
{
    for (int i = 0; words[i]; ++i)
        if (strcmp(word, words[i]) == 0) return i;
    return -1;
}

bool formulation_of_word(const char* word, pliant_formulation* out)
{
    int found = find_word(word, formulation_words);
    if (found >= 0) *out = (pliant_formulation)found;
    return found >= 0;
}

bool backend_of_word(const char* word, pliant_backend* out)
{
    int found = find_word(word, backend_words);
    if (found >= 0) *out = (pliant_backend)found;
    return found >= 0;
}

const char* schedule_word(const schedule_choice* choice)
{
    return choice->clustering == PLIANT_CLUSTERING_COMPACT ? schedule_words[choice->schedule]
                                                           : clustering_words[choice->clustering];
}

const schedule_choice* schedule_of_word(const char* word)
{
    for (int i = 0; i < SCHEDULES; ++i)
        if (strcmp(word, schedule_word(&schedule_choices[i])) == 0) return &schedule_choices[i];
    return NULL;
}
