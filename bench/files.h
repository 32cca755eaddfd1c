// The meshes of a benchmark: generators' words, and the files of a folder.
#pragma once
#include "bench/bench.h"

typedef struct {
    char** name; // words as they are; files with their folder
    int count, capacity;
} mesh_list;

pliant_result mesh_list_add(mesh_list* list, const char* folder, const char* name); // NULL: a word
pliant_result mesh_list_add_all(mesh_list* list, const char* folder, const char* const* names,
                                int count);
// MEDIT files of the folder by their names without an ending: NAME.mesh.gz or NAME.mesh. One that
// is missing is left out, with a word on stderr.
pliant_result mesh_list_add_files(mesh_list* list, const char* folder, const char* const* names,
                                  int count);
// The folder's tet meshes, sorted by name.
pliant_result mesh_list_add_folder(mesh_list* list, const char* folder);
// The folder's surfaces, sorted by name.
pliant_result mesh_list_add_surfaces(mesh_list* list, const char* folder);
void mesh_list_destroy(mesh_list* list);

// What stands in results: a word as it is, a file without its folder and extensions.
void mesh_short_name(const char* name, char out[64]);

// Loads, and cleans what a soft body could not use, with a word on stderr. Meshes without tets are
// an error.
pliant_result load_tets(const char* name, pliant_mesh** out);

// To a longest side [m].
pliant_result mesh_scale_to(pliant_mesh* mesh, double longest_side);

// The same as the body of a trial: `mesh` and `pinned` of `out`. Files are scaled to a longest side
// of 2 m and hang from 5 % of their length.
pliant_result load_body(const char* name, pliant_mesh** out_mesh, trial* out);
