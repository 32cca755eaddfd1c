// Names of formulations and schedules on the command line and in results.
#pragma once
#include "pliant.h"

const char* formulation_word(pliant_formulation formulation);
// False for an unknown word.
bool formulation_of_word(const char* word, pliant_formulation* out);

// A schedule together with its way to find clusters.
typedef struct {
    const char* word;
    pliant_schedule schedule;
    pliant_clustering clustering;
} schedule_choice;

enum { FORMULATIONS = 4, SCHEDULES = 5 };
extern const schedule_choice schedule_choices[SCHEDULES];

// NULL for an unknown word.
const schedule_choice* schedule_of_word(const char* word);
