// Scenes that experiments draw, put together as JSON.
#pragma once
#include "bench/papers.h"
#include "render/style.h"
#include <jansson.h>

// How a body of a picture is simulated: the words of a scene.
typedef struct {
    const char *formulation, *integrator, *schedule, *clustering; // NULL: the default
    double young, poisson;                                        // [Pa, -], plain parameters
    double color[3];
} paper_way;

// A body of rubber; the mesh is a word, or an object as scenes have it. NULL when memory runs out.
json_t* paper_body(json_t* mesh, const paper_way* how);

// Draws a scene into the folder of the results, as NAME-WORD.png; without a folder nothing is done.
// Takes the reference; NULL is out of memory.
pliant_result paper_shoot(const bench_settings* settings, const char* name, const char* word,
                          json_t* scene, const style* how);

extern const double paper_pink[3], paper_blue[3], paper_green[3]; // decoupled, coupled, ours
