// A scene that runs while somebody looks at it and takes part. It knows neither sockets nor a
// screen: bytes come in, bytes go out, and somebody else has the clock. The program's server and
// the page without a server (web/) are two ways to carry them.
#pragma once
#include "live/look.h"
#include "live/message.h"

typedef struct {
    scene* scene; // owned
    stage stage;
    look look;
    grip grip;
    parameters parameters;
    sink start; // the state at the beginning
    bool paused, wants_digest;
    int step;                           // how many since the start
    int steps_to_do;                    // that were asked for, although it is paused
    uint32_t frames;                    // written so far
    double next;                        // [s] of the clock, when the next step is due
    double step_seconds, frame_seconds; // that the last ones took
    double energy_time, energy_cost;    // [s] when they were last asked for, and what that takes
    pliant_energies energies;
    char note[1024]; // a sentence for the page, "" for none
} session;

// Takes the scene, also on failure. The session stays where it is. Refused: a scene that does not
// move.
pliant_result session_create(scene* s, const stage_options* options, session* out);
void session_destroy(session* s);

// Does what a page wants; refusals are told by the next status, too.
pliant_result session_obey(session* s, const message* m);

// Makes the step that is due at `now` [s], if one is; false: none was. What goes wrong pauses it,
// and the next status tells.
bool session_advance(session* s, double now);
// [s] until something is due.
double session_rest(const session* s, double now);

// What a page has to know at first, and all along, as JSON objects.
void session_write_scene(const session* s, sink* out);
void session_write_status(session* s, double now, sink* out);
// As in look.h.
pliant_result session_write_frame(session* s, sink* out);

// The text as a JSON string.
void sink_json(sink* out, const char* text);
