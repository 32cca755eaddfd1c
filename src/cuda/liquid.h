// Liquids on a GPU: what the kernels of liquid.cu and liquid_walls.cu see. Included by C and CUDA;
// what depends on the precision is behind void pointers.
#pragma once
#include "collide/collider.h"
#include "collide/nearby.h"
#include "cuda/cells.h"
#include "fluid/fluid.h"
#include "fluid/reach.h"
#include <cuda_runtime_api.h>

// Of a particle, who is near it, until it is known how many all have. Who has more looks twice.
enum { LIQUID_FOUND = 96 };
// Increments are summed in such parts [m].
#define LIQUID_WAY_PART (1.0 / (1ll << 36))

// GATHER: places take rows, and lists are made anew where somebody strayed. DRAW: surface tension.
// CURL, WHIRL: vorticity.
// LOOSEN, STICK, THIN: viscosity, LOOSEN where no pairs can take too much.
// WALLS: what colliders fill. PRESS, PUSH: pressures. LEAVE: rows take what particles were moved
// by, and colliders what pressed them. GAUGE: after a step, the pressures of those with surface
// tension, for readers.
typedef enum {
    LIQUID_GATHER,
    LIQUID_DRAW,
    LIQUID_CURL,
    LIQUID_WHIRL,
    LIQUID_LOOSEN,
    LIQUID_STICK,
    LIQUID_THIN,
    LIQUID_WALLS,
    LIQUID_PRESS,
    LIQUID_PUSH,
    LIQUID_LEAVE,
    LIQUID_GAUGE,
    LIQUID_KINDS
} liquid_kind;

// Around the particles of a block of threads [m].
typedef struct {
    double low[3], high[3];
} liquid_box;

// The liquids of a world from step to step, in device memory.
typedef struct {
    // Of places: the body and the particle, where it was listed, and how far it goes in a substep
    // ([places][4], in meters).
    int *owner, *particle;
    float *from, *course;
    int* place_of; // of each particle among those of all bodies
    int* found;    // [blocks][LIQUID_FOUND][FLUID_BLOCK] places
    int *neighbors, *start, *other;
    device_cells cells;
    liquid_box* box;  // of each block of a launch
    long long* sums;  // likewise, scratch of scans
    long long way[4]; // of all increments, and of how many
    double origin[3]; // [m] of places
    int count;        // of places
    list_span span;   // of the lists,
    bool listed;      // where there are some
    unsigned pass;    // number of the last gathering,
    unsigned strayed; // and of the last one that found somebody where lists do not expect him
    int rows, needed; // that there is room for; needed: where that was too little
    bool stopped;     // for want of room: nobody flows until the step is repeated
    int lists;        // that were made
    long long neighbors_listed; // on the last of them
    // [ns] that was spent so far, by what a launch does; since when the one at hand runs.
    long long spent[LIQUID_KINDS], since;
    liquid_kind running;
} liquid_memory;

// A body that flows, in the step at hand.
typedef struct {
    void *row, *contact, *load;
    double* pressure;          // [Pa] of each particle, after each substep
    double* drawn;             // [Pa] that is in surface tension; NULL: it has none
    const int* first_row;      // of each particle; NULL: its number
    const unsigned char* axes; // along which each is pinned, likewise; NULL: nobody is
    const long long* diverged; // the meeting after which it stands still
    double viscosity;          // [Pa s]
    double tension, adhesion;  // [N/m]
    double vorticity;          // [-] how much of it drives
    bool slips;                // along walls
    int first, row_count;      // number of its first particle, among those of all
} liquid_body;

// What a step brings along.
typedef struct {
    liquid_memory* of;
    fluid_set set; // but for the count and who is near, which are those of `of`
    const liquid_body* body;
    int body_count, total; // bodies; their particles
    const void* wall;      // colliders (liquid_walls.cu)
    int wall_count;
    const nearby_tree* nearby; // over them; NULL: they are few
    long long first_meeting;
    double spacing; // [m]
    int substeps, sweeps;
    bool thick;         // viscosity could take more than there is
    bool tense, whirls; // somebody has surface tension; is driven by vorticity
    bool anew;          // other particles are there than in the step before
} liquid_world;

typedef struct {
    liquid_kind kind;
    const liquid_world* world; // in device memory
    int total;                 // of its particles
    int substep;
    bool first;   // of its iterations
    bool notes;   // the last one of the step
    bool swapped; // motions are where walls are else, and the other way
    bool special; // some colliders are neither simple nor few
} liquid_work;

typedef struct {
    cudaError_t (*launch)(const liquid_work* work, cudaStream_t stream); // but for WALLS, LEAVE
    int (*blocks)(void); // of a launch of GATHER, at most
} liquid_kernels;

#ifdef __cplusplus
extern "C" {
#endif
extern const liquid_kernels liquid_kernels_single, liquid_kernels_double;
cudaError_t liquid_walls_launch(const liquid_work* work, int scalar_bytes, cudaStream_t stream);
#ifdef __cplusplus
}
#endif

// A collider as liquid_walls.cu has it, with what it is made of and its poses in device memory
// (liquid_wall.c).
size_t liquid_wall_bytes(void);
void liquid_wall_fill(const collider* c, const void* data, const collider_pose* way, void* out);
