// Bodies of a world that meet on a GPU: what the kernels of contact.cu see, in device memory.
// Included by C and CUDA; what depends on the precision is behind void pointers.
#pragma once
#include "contact/needs.h"
#include "cuda/bounds.h"
#include "cuda/loose.h"
#include <cuda_runtime_api.h>

// What the time of a meeting is spent on.
typedef enum { SPENT_FINDING, SPENT_SOLVING, SPENT_GUARDING, MEETING_PARTS } meeting_part;

// How much there is room for, and how much was needed where that was too little.
typedef struct {
    int partners, chunks, listed[2], pairs, kept;
    int rows; // of lists of loose particles
} meeting_room;

// A point has so many entries of its own; who has more finds room behind those of all points.
enum { POINT_ROOM = 16 };

// Numbers that threads take places by, in lists that come in any order.
typedef enum {
    CURSOR_PAIR,
    CURSOR_TOUCH,
    CURSOR_LIVE,
    CURSOR_ENTRY,               // of points with many pairs
    CURSOR_GROUP,               // manifolds of rigid bodies,
    CURSOR_MEMBER,              // their pairs,
    CURSOR_LOST,                // and what corners of them lose
    CURSOR_FOUND = CURSOR_LOST, // the last of those of a substep
    CURSOR_KEPT,                // in `spare`
    CURSOR_CHUNKS,              // pairs of chunks,
    CURSOR_CHUNK,               // and which of them is next
    CURSOR_LISTED,              // of the list that is being made,
    CURSOR_RUN,                 // and its runs
    CURSOR_HOLD,                // two of them in turn, and of the entries
    CURSOR_HELD = CURSOR_HOLD + 2,
    CURSORS = CURSOR_HELD + 2
} meeting_cursor;

// Two chunks of elements that are near, by their numbers in the world.
typedef struct {
    int first, second;
} chunk_pair;

// Around the increments of a body's points, as floats whose bits are in the order of integers.
typedef struct {
    int low[3], high[3];
    int bad; // some are not finite
} way_box;

// What the substep before left of a point's course (contact_set).
typedef struct {
    float swerve; // [m]
    bool live;    // it was part of that
} course_memory;

// Contacts of rigid bodies, in worlds that have some (contact_manifolds.cuh). A manifold is known
// by its place in a table, which the two bodies lead to.
typedef struct {
    unsigned long long* table;        // both bodies (manifold_key) and one more; 0: free
    unsigned mask;                    // its size is a power of two
    int *count, *start;               // of each place: pairs, and the first of them
    int* place;                       // of each manifold, in any order
    int* pair;                        // manifold after manifold, in the order of keys
    int *pressing, *color;            // of each manifold in a pass: contacts, and its color
    int* beyond;                      // manifolds that have a color of their own
    int* used;                        // of each color: manifolds, and how many of them are placed
    unsigned long long *next, *taken; // of each body: the next manifold, and colors as bits
    int round;                        // in which some manifold waited for others
    kept_contact* lost;               // of corners (contact/corner.h),
    unsigned long long* corner;       // and which
    int* finds;                       // of each pair that may touch, which of these it takes; -1
} device_manifolds;

typedef struct {
    contact_set set; // as the last substep left it
    contact_flags flags;

    // Bodies that may be near: of each, those after it, or itself.
    int* partner_start; // body_count + 1
    int *partner, *partner_body, *partner_crossing;
    int partner_count;

    // Pairs that are near, in any order: of two bodies, and of one with itself.
    struct {
        void* at; // listed_pair
        int count;
    } list[2];
    // Chunks of 32 leaves of a body's tree.
    int* chunk_start; // body_count + 1: they are numbered through
    int* chunk_body;  // of each: its body
    int* fitted;      // of each body: chunks that have their boxes
    chunk_pair* chunks;

    // What pairs remember, in any order, and where it is by its key: the number of the making above
    // the place, so that nobody has to clear the table. Its size is a power of two.
    kept_contact *kept, *spare, *kept_before; // kept_before: as the step began
    course_memory* courses;                   // of each point, likewise,
    unsigned* stir_before;                    // and of each body
    unsigned char* alive;                     // of kept ones: no pair has taken it
    int kept_count, kept_before_count;
    unsigned long long* table;
    unsigned table_mask, made; // made: how often it was

    int cursor[CURSORS];

    joined_points joined; // that joints hold together
    device_loose loose;
    device_manifolds manifolds;

    // Colliders that meet surfaces. Of each body and each collider of the world's list: whether
    // they meet so in the step at hand, and in the one before.
    unsigned char *swept, *swept_before;
    int columns; // colliders of the world's list
    int swept_changes, swept_any;

    body_bounds* bounds; // of each body
    way_box* ways;       // likewise, of the substep at hand
    way_box common;      // of all
    unsigned bad;        // the last meeting in which some body was not finite
    bool any_frozen;

    int* count; // scratch of scans
    long long* sums;
    // Of each point: whether it has pairs, how many that may touch and that are held back, and the
    // last of those that its own entries had no room for, each of which knows the one before it.
    int *incident, *touched, *held, *more_touched, *more_held;
    int *entry_before, *held_before;

    const long long* diverged; // of slots of bodies on the device
    const int* slot;           // of each body
    meeting_room room, needed;
    bool started; // the step: what pairs remembered before it is in kept_before
    bool again;   // and that is so since it was tried before
    bool stopped; // there was no room: nobody meets until the step is repeated
    bool listed[2], paired, look_for_crossed, looked_before;
    bool bounces; // some body does
    bool fresh;   // for tests: lists are made anew in every substep
    int passes;   // in each iteration
    int lists;
    // [ns] of the step so far, and since when the part at hand runs.
    long long spent[MEETING_PARTS], since;
    double last_h, last_h_before; // [s]
} device_meeting;

// MEASURE: after the step, bounds of all bodies, for the host to see who may meet in the next one.
typedef enum { MEETING_START, MEETING_MEET, MEETING_BOUNCE, MEETING_MEASURE } meeting_kind;

// How a collider goes in a step.
typedef struct {
    collider shape;
    double velocity[3], haste, low[3], high[3]; // of its contact_body
    int place, load;
    bool still, turns, only_rigid;
} collider_told;

typedef struct {
    device_meeting* of;
    const collider_told* colliders; // NULL: it sleeps, or has none
    select_rules rules;
} meeting_world;

// What a step brings along.
typedef struct {
    long long first_meeting; // number of the step's first meeting of patches
    meeting_world world[1];  // and more, as many as there are; those that sleep come last
} meeting_step;

// One launch for all worlds that step together: a world for each block, or all blocks for one.
typedef struct {
    meeting_kind kind;
    const meeting_step* step; // in device memory
    int count;
    bool alone;        // all of them have loose particles, and nobody else
    bool rigid;        // some has rigid bodies
    int awake, bodies; // to measure: worlds that have met, and the most bodies of one
    int substeps, substep;
    bool first, last; // of the substep's iterations
    double h;         // [s]
} meeting_work;

typedef struct {
    size_t body_bytes, meeting_bytes; // as the kernels see them
    size_t box_bytes, listed_bytes, state_bytes;
    cudaError_t (*launch)(const meeting_work* work, cudaStream_t stream);
    int (*blocks)(void); // of a launch for one world
} meeting_kernels;

#ifdef __cplusplus
extern "C" {
#endif
extern const meeting_kernels meeting_kernels_single, meeting_kernels_double;
extern const meeting_kernels alone_kernels_single, alone_kernels_double; // loose particles
extern const meeting_kernels rigid_kernels_single, rigid_kernels_double; // of rigid bodies, too
#ifdef __cplusplus
}
#endif
