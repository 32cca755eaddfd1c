// Moments of a run, kept until all are there: the camera sees all of them, and the colors mean the
// same in each.
#pragma once
#include "render/panel.h"

enum { REACH = 96 };

// What is drawn of moments while bodies were apart as they were then.
typedef struct torn_sketch {
    struct torn_sketch* older;
    frame frame;
    sketch sketch;
} torn_sketch;

typedef struct {
    sketch sketch;
    torn_sketch* torn; // the newest; NULL: nothing tears
    scene_camera camera;
    double reach[REACH][3]; // [m] of what was kept: the farthest point in each of many directions
    bool any;
    bool goes_around; // a fitted camera stays as far away on its way around
    double most;      // value of what was noted
    double strongest; // [N] arrow of it
    moment* moments;
    int moment_count, moment_capacity;
} album;

pliant_result album_open(album* out, const stage* s, const frame* f, const style* how,
                         const scene_camera* camera);
void album_release(album* a);

pliant_result album_keep(album* a); // the frame as it is now

// Tells of times that the run, which ends at `end` [s], does not reach.
void album_warn_of_end(const scene_camera* camera, double end);

// The camera goes around its target, or what it is fitted to.
void album_turn(album* a, double degrees);

// Draws moments one beside the other and the legend. The image has its size; its pixels are made
// and are the caller's to free. threads 0: one per core.
pliant_result album_draw(const album* a, int first, int count, int threads, image* out);
