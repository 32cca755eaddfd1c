// Names of formulations, schedules, clusterings, backends and arithmetics: in scene files, on the
// command line and in results.
#pragma once
#include "pliant.h"

enum { FORMULATIONS = 5, SCHEDULES = 9 };

// By the values of their enumerations, with NULL at the end.
extern const char* const formulation_words[];
extern const char* const schedule_words[];
extern const char* const graph_words[];
extern const char* const interface_words[];
extern const char* const phantoms_words[];
extern const char* const axes_words[];
extern const unsigned axes_of_word[];
extern const char* const merge_words[];
extern const char* const rotation_words[];
extern const char* const integrator_words[];
extern const char* const clustering_words[];
extern const char* const backend_words[];
extern const char* const arithmetic_words[];

const char* formulation_word(pliant_formulation formulation);
// False for an unknown word.
bool formulation_of_word(const char* word, pliant_formulation* out);

// False for an unknown word.
bool backend_of_word(const char* word, pliant_backend* out);

// A schedule together with its way to find clusters.
typedef struct {
    pliant_schedule schedule;
    pliant_clustering clustering;
} schedule_choice;

extern const schedule_choice schedule_choices[SCHEDULES];

// One word for both: the clustering's, where it is not the usual one.
const char* schedule_word(const schedule_choice* choice);
// NULL for an unknown word.
const schedule_choice* schedule_of_word(const char* word);
