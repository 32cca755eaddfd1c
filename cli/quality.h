// What a mesh is like and what is wrong with it, for `mesh` and `info`.
#pragma once
#include "facts.h"

typedef struct {
    const char* what; // "inverted tets"
    double count;
    const char* hint; // what to do
} problem;
enum { MOST_PROBLEMS = 8 };

// Returns how many there are.
int find_problems(const pliant_mesh* mesh, const pliant_mesh_quality* q,
                  problem out[MOST_PROBLEMS]);

void report_quality(facts* r, const pliant_mesh* mesh, const pliant_mesh_quality* q);
// Of its vertices, if they have some: what regions by painting can name.
void report_colors(facts* r, const pliant_mesh* mesh);
void report_problems(facts* r, const problem* problems, int count);
