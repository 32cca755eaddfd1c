// Words of scene files, of the command line and of results, and what they stand for.
#pragma once
#include "asset/words.h"
#include "pliant.h"

enum { FORMULATIONS = 5, SCHEDULES = 9 };

// With NULL at the end.
extern const char* const axes_words[];
extern const unsigned axes_of_word[];

const char* formulation_word(pliant_formulation formulation);
// The same of a body: "none" where the mesh has no tets, of which the formulation is.
const char* formulation_of(const pliant_mesh* mesh, pliant_formulation formulation);
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
