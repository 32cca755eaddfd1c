// The table of mesh formats: everything that depends on the format (readers, writers, error
// messages, tests, fuzzers) is derived from it.
#pragma once
#include "meshfile/draft.h"
#include "meshfile/sink.h"

typedef struct {
    const char* name;
    const char* extensions[2];          // without the dot; NULL behind the last
    bool (*detect)(const cursor* file); // whether the content tells; NULL: it never does
    void (*read)(cursor* c, draft* d);  // NULL: not read
    void (*write)(const pliant_mesh_arrays* mesh, sink* out); // NULL: not written
    bool surface; // holds no tets: writes the boundary of a tet mesh
    bool edges;   // holds edges
    bool points;  // holds vertices alone
    bool radii;   // and their radii
} mesh_format;

enum { MESH_FORMAT_COUNT = 10 };
extern const mesh_format mesh_formats[MESH_FORMAT_COUNT];

// By the extension of the path, where a last ".gz" does not count. NULL: none.
const mesh_format* format_of_extension(const char* path);

// The format that a mesh is written in by the extension of the path; a failure lists those there
// are.
pliant_result format_to_write(const char* path, const mesh_format** out);

// The extension with its dot inside `path`, not counting a last ".gz"; length 0: none.
span path_extension(const char* path);

bool detect_gmsh(const cursor* file);
bool detect_medit(const cursor* file);
bool detect_vtk(const cursor* file);
bool detect_vtu(const cursor* file);
bool detect_ply(const cursor* file);
bool detect_stl(const cursor* file);
bool detect_off(const cursor* file);
bool detect_gaia(const cursor* file);

void read_gmsh(cursor* c, draft* d);
void read_medit(cursor* c, draft* d);
void read_tetgen(cursor* c, draft* d);
void read_vtk(cursor* c, draft* d);
void read_vtu(cursor* c, draft* d);
void read_obj(cursor* c, draft* d);
void read_ply(cursor* c, draft* d);
void read_stl(cursor* c, draft* d);
void read_off(cursor* c, draft* d);
void read_gaia(cursor* c, draft* d);

void write_gmsh(const pliant_mesh_arrays* mesh, sink* out);
void write_medit(const pliant_mesh_arrays* mesh, sink* out);
void write_vtu(const pliant_mesh_arrays* mesh, sink* out);
void write_obj(const pliant_mesh_arrays* mesh, sink* out);
void write_ply(const pliant_mesh_arrays* mesh, sink* out);
void write_stl(const pliant_mesh_arrays* mesh, sink* out);
void write_off(const pliant_mesh_arrays* mesh, sink* out);

// Whether the file's first word, behind comments, is this one.
bool begins_with_word(const cursor* file, const char* word);
