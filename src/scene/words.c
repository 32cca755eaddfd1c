#include "scene/words.h"
#include <string.h>

const char* const formulation_words[FORMULATIONS + 1] = {
    [PLIANT_TEN_ROWS] = "ten_rows",
    [PLIANT_TWO_ROWS] = "two_rows",
    [PLIANT_DECOUPLED] = "decoupled",
    [PLIANT_DECOUPLED_NODES] = "decoupled_nodes",
};

const char* const schedule_words[] = {
    [PLIANT_PATCHED] = "patched",
    [PLIANT_CLUSTERED] = "clustered",
    [PLIANT_COLORED] = "colored",
    [PLIANT_SERIAL] = "serial",
    NULL,
};

const char* const interface_words[] = {
    [PLIANT_MERGED] = "merged",
    [PLIANT_ORDERED] = "ordered",
    NULL,
};

const char* const integrator_words[] = {
    [PLIANT_FORESIGHT] = "foresight",
    [PLIANT_IMPLICIT_EULER] = "implicit_euler",
    NULL,
};

const char* const clustering_words[] = {
    [PLIANT_CLUSTER_COMPACT] = "compact",
    [PLIANT_CLUSTER_NEIGHBORS] = "neighbors",
    [PLIANT_CLUSTER_CELLS] = "cells",
    NULL,
};

const schedule_choice schedule_choices[SCHEDULES] = {
    {PLIANT_SERIAL, PLIANT_CLUSTER_COMPACT},    {PLIANT_COLORED, PLIANT_CLUSTER_COMPACT},
    {PLIANT_CLUSTERED, PLIANT_CLUSTER_COMPACT}, {PLIANT_CLUSTERED, PLIANT_CLUSTER_NEIGHBORS},
    {PLIANT_CLUSTERED, PLIANT_CLUSTER_CELLS},   {PLIANT_PATCHED, PLIANT_CLUSTER_COMPACT},
};

const char* formulation_word(pliant_formulation formulation)
{
    return formulation_words[formulation];
}

bool formulation_of_word(const char* word, pliant_formulation* out)
{
    for (int i = 0; i < FORMULATIONS; ++i)
        if (strcmp(word, formulation_words[i]) == 0) {
            *out = (pliant_formulation)i;
            return true;
        }
    return false;
}

const char* schedule_word(const schedule_choice* choice)
{
    return choice->clustering == PLIANT_CLUSTER_COMPACT ? schedule_words[choice->schedule]
                                                        : clustering_words[choice->clustering];
}

const schedule_choice* schedule_of_word(const char* word)
{
    for (int i = 0; i < SCHEDULES; ++i)
        if (strcmp(word, schedule_word(&schedule_choices[i])) == 0) return &schedule_choices[i];
    return NULL;
}
