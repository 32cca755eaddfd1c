// A scene is simulated and drawn: a picture, moments side by side, or a film.
#pragma once
#include "progress.h"
#include "render/style.h"
#include "scene/scene.h"

// Where a number is negative the scene's own counts.
typedef struct {
    const scene* scene;
    style style;
    scene_camera camera; // of pictures: with the times to draw, or the end
    int frames, every;   // of a film: every so-many-th
    int threads, substeps, backend;
    double rate;     // [1/s] of a film; NaN: real time
    double turn;     // [degrees] that the camera goes around during a film
    const char* out; // .png, or .mp4, .gif
    progress* bar;
} shot;

shot shot_of(const scene* s, const char* out); // as the scene says

typedef struct {
    int pictures;
    double simulated, drawn; // [s] it took
} shot_report;

pliant_result shoot(const shot* s, shot_report* out_report); // the report may be NULL
