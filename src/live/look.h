// What is seen of a stage while it runs: a topology that is sent once, and frames. Only what a page
// draws is read of the world, without copies where the solver's memory is at hand.
//
// Both are little-endian and made of 4-byte numbers, so that a page can look at them in place.
// Topology: the numbers of topology_head, then
//     for each triangle   3 points, 3 normals         u32
//     for each normal     its point                   u32
//     for each edge       2 points u32, radius f32 [m]
//     for each ball       its point u32
//     for each point      its body u32, its color as 0xrrggbb
// Frames: the numbers of frame_head, then
//     for each point      3 f32 [m]
//     for each collider   3 f32 [m], rotation 4 f32
//     for each ball       its radius f32 [m], below 0: it is not there
//     for each point, where they have values, 1 byte, and zeros up to a multiple of 4
#pragma once
#include "export/face.h"
#include "export/frame.h"
#include "live/grip.h"
#include "meshfile/sink.h"

// What bodies are painted by: their own color, a measure, or what counts.
typedef enum {
    LIVE_BY_BODY,
    LIVE_BY_STRESS,
    LIVE_BY_STRAIN,
    LIVE_BY_FORCE,
    LIVE_BY_SPEED,
    LIVE_BY_PATCH,
    LIVE_COLORS,
} live_color;
typedef struct {
    const char *name, *unit;
} live_color_row;
extern const live_color_row live_colors[LIVE_COLORS];

typedef struct {
    uint32_t kind; // 1
    uint32_t points, triangles, normals, edges, balls, colliders;
} topology_head;

typedef struct {
    uint32_t kind;   // 2
    uint32_t number; // of the frame, from 1
    uint32_t step;   // of the simulation
    float time;      // [s]
    float step_seconds;
    uint32_t colors;             // by what, of live_color
    float low, high;             // values of the bytes 0 and 255
    uint32_t gripped;            // 1: the next are there
    float from[3], to[3], force; // [m, m, N] of the spring
} frame_head;

// A body as it is seen.
typedef struct {
    const body_face* face;
    body_face* own;    // the same, where the body has come apart; else NULL
    pliant_skin* skin; // where it carries its surface
    int* particle;     // of each point: the one that it goes with. The face's, or owned
    bool owns_particle;
    int first_point;
} live_body;

typedef struct {
    const stage* stage;
    body_face* faces;  // of each entry
    live_body* bodies; // of each body
    int face_count, body_count;
    int point_count, triangle_count, normal_count, edge_count, ball_count;
    live_color by;
    frame frame; // only for values
    bool framed;
    float* values;    // of each particle
    double highest;   // of the values, for a while
    uint64_t version; // of the elements of its bodies
} look;

pliant_result look_create(const stage* s, look* out);
void look_destroy(look* l);
// Before a topology or a frame is written: whether bodies have come apart, so that there is another
// topology.
pliant_result look_follow(look* l, bool* out_changed);

pliant_result look_write_topology(const look* l, sink* out);
// Obstacles as a JSON list.
void look_write_colliders(const look* l, sink* out);

// Refuses what cannot be shown.
pliant_result look_paint(look* l, live_color by);
pliant_result look_write_frame(look* l, const frame_head* head, sink* out);
