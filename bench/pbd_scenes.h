// The scenes of the 2013 and 2015 papers on position-based dynamics, in numbers: generated, or from
// mesh files where the papers have scans.
#pragma once
#include "bench/bench.h"

// NAN: not stated, or not there.
typedef struct {
    double particles, stretch, bend, tets;
} pbd_counts;

typedef struct {
    const char* name;
    const char* paper; // where it is from
    const char* mesh;  // a generator's word; a file without its ending
    int fill;          // a file of a surface, to be filled with so many tets; 0: it has tets
    bool is_file;
    int across[2];     // bodies along x and z
    double height;     // [m] of the lowest point above the ground at the start
    double flat;       // [-] factor on heights at the start
    bool tube;         // a horizontal tube lies below
    pbd_counts ours;   // exactly; NAN: as the file has it
    pbd_counts theirs; // in thousands as printed
    int colors[3];     // theirs, of stretch, bend and tets; 0: not stated
} pbd_scene;

enum { PBD_SCENES = 9 };
extern const pbd_scene pbd_scenes[PBD_SCENES];
const pbd_scene* pbd_scene_named(const char* name); // one of them

// The mesh of one body, or of all bodies of the scene as one. Files are looked for in `folder`
// (NULL: none) and in its tets/ and surfaces/, and scaled to a longest side of 2 m. A file that is
// missing leaves *out NULL, with a word on stderr.
pliant_result pbd_scene_mesh(const pbd_scene* scene, const char* folder, bool all,
                             pliant_mesh** out);

// Classic constraints as in the papers: distances, signed volumes and, where the paper has them,
// angles between triangles of cloth or of the surface.
pliant_soft_def pbd_scene_soft(const pbd_scene* scene, pliant_schedule schedule);

// How to step it.
typedef struct {
    const pliant_mesh* mesh;
    const pliant_asset* asset;
    bool apart; // the asset is of one body, and there are as many as the scene has
    int substeps, iterations, threads, lanes; // 0: what the machine has
    bool on_gpu;
    pliant_arithmetic arithmetic;
    pliant_launch_mode launch_mode;
} pbd_run;

// The scene at its start. NULL on failure, with pliant_error_text().
pliant_world* pbd_scene_open(const pbd_scene* scene, const pbd_run* run);

// Parallel parts of a frame that run one after the other: kernels on a GPU.
int pbd_launches(const pliant_asset* asset, int substeps, int iterations);

// The fewest seconds of a frame of dt [s], after some to warm up; NAN when a body left the finite
// numbers, which is no error.
pliant_result pbd_time(pliant_world* world, bool quick, double* out_seconds);
extern const float pbd_dt; // [s]
