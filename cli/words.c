#include "words.h"
#include <string.h>

static const char* const formulation_words[FORMULATIONS] = {
    [PLIANT_TEN_ROWS] = "ten_rows",
    [PLIANT_TWO_ROWS] = "two_rows",
    [PLIANT_DECOUPLED] = "decoupled",
    [PLIANT_DECOUPLED_NODES] = "decoupled_nodes",
};

const schedule_choice schedule_choices[SCHEDULES] = {
    {"serial", PLIANT_SERIAL, PLIANT_CLUSTER_COMPACT},
    {"colored", PLIANT_COLORED, PLIANT_CLUSTER_COMPACT},
    {"clustered", PLIANT_CLUSTERED, PLIANT_CLUSTER_COMPACT},
    {"neighbors", PLIANT_CLUSTERED, PLIANT_CLUSTER_NEIGHBORS},
    {"cells", PLIANT_CLUSTERED, PLIANT_CLUSTER_CELLS},
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

const schedule_choice* schedule_of_word(const char* word)
{
    for (int i = 0; i < SCHEDULES; ++i)
        if (strcmp(word, schedule_choices[i].word) == 0) return &schedule_choices[i];
    return NULL;
}
