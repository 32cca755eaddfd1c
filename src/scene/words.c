#include "scene/words.h"
#include <string.h>

const char* const axes_words[] = {"all", "x", "y", "z", "xy", "yz", "xz", NULL};
const unsigned axes_of_word[] = {PLIANT_AXIS_X | PLIANT_AXIS_Y | PLIANT_AXIS_Z,
                                 PLIANT_AXIS_X,
                                 PLIANT_AXIS_Y,
                                 PLIANT_AXIS_Z,
                                 PLIANT_AXIS_X | PLIANT_AXIS_Y,
                                 PLIANT_AXIS_Y | PLIANT_AXIS_Z,
                                 PLIANT_AXIS_X | PLIANT_AXIS_Z};

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

const char* formulation_of(const pliant_mesh* mesh, pliant_formulation formulation)
{
    return pliant_mesh_view(mesh).tet_count ? formulation_word(formulation) : "none";
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
