#include "serve/show.h"
#include "serve/page.h"
#include "serve/recording.h"
#include "serve/server.h"
#include "serve/websocket.h"
#include "system/net.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

// [s] from frame to frame and from status to status: screens show no more.
static const double frame_time = 1.0 / 75, status_time = 0.1;

typedef struct {
    const show* how;
    session* session;
    hub hub;
    recording recording;
    bool news;                  // a frame would show something new
    bool told;                  // a page gave an order: it wants to see that it worked
    size_t room;                // that a frame took
    double frame_at, status_at; // [s] of the last ones
} showing;

// ---- what is said -------------------------------------------------------------------------------

static void say_scene(showing* w)
{
    sink text;
    packet_begin(&text, 1 << 14);
    session_write_scene(w->session, &text);
    hub_say(&w->hub, &w->hub.scene, packet_of(&text, WEBSOCKET_TEXT));
}

static pliant_result say_topology(showing* w)
{
    sink bytes;
    packet_begin(&bytes, 1 << 16);
    pliant_result result = look_write_topology(&w->session->look, &bytes);
    if (result) {
        sink_release(&bytes);
        return result;
    }
    hub_say(&w->hub, &w->hub.topology, packet_of(&bytes, WEBSOCKET_BYTES));
    return PLIANT_OK;
}

static void note(showing* w)
{
    snprintf(w->session->note, sizeof w->session->note, "%s", pliant_error_text());
    w->told = true;
}

static void say_frame(showing* w, double now)
{
    sink bytes;
    bool torn = false;
    if (!w->news || now - w->frame_at < frame_time || !hub_wants_frame(&w->hub)) return;
    pliant_result result = look_follow(&w->session->look, &torn);
    if (!result && torn) result = say_topology(w);
    packet_begin(&bytes, w->room);
    if (!result) result = session_write_frame(w->session, &bytes);
    w->news = false;
    w->frame_at = now;
    w->room = bytes.bytes;
    if (result) {
        sink_release(&bytes);
        note(w);
        return;
    }
    hub_say(&w->hub, &w->hub.frame, packet_of(&bytes, WEBSOCKET_BYTES));
}

static void say_status(showing* w, double now)
{
    sink text;
    if (!w->told && now - w->status_at < (w->session->paused ? 1 : status_time)) return;
    packet_begin(&text, 1024);
    session_write_status(w->session, now, &text);
    hub_say(&w->hub, &w->hub.status, packet_of(&text, WEBSOCKET_TEXT));
    w->told = false;
    w->status_at = now;
}

// ---- recordings ---------------------------------------------------------------------------------

static void end_recording(showing* w)
{
    recording* r = &w->recording;
    char name[sizeof r->name];
    int frames = r->frames;
    if (r->kind == RECORDING_NONE) return;
    memcpy(name, r->name, sizeof name);
    if (recording_end(r, true)) {
        note(w);
        return;
    }
    hub_add_file(&w->hub, name);
    snprintf(w->session->note, sizeof w->session->note, "recorded %d frames: /file/%s", frames,
             name);
    w->told = true;
}

static void record(showing* w, recording_kind kind)
{
    end_recording(w);
    if (kind && recording_begin(&w->recording, w->session, kind, w->how->folder)) note(w);
}

// ---- the loop -----------------------------------------------------------------------------------

static void obey_all(showing* w)
{
    message m;
    while (hub_take(&w->hub, &m)) {
        if (m.kind == MESSAGE_RECORD)
            record(w, (recording_kind)m.number);
        else
            session_obey(w->session, &m);
        w->news = true;
        w->told = w->told || m.kind != MESSAGE_DRAG;
    }
}

static double rest_until(const showing* w, double now)
{
    double rest = session_rest(w->session, now);
    if (w->news && hub_wants_frame((hub*)(uintptr_t)&w->hub))
        rest = fmin(rest, fmax(frame_time - (now - w->frame_at), 0));
    return rest;
}

static void loop(showing* w)
{
    while (!atomic_load(w->how->interrupted)) {
        obey_all(w);
        if (session_advance(w->session, platform_seconds())) {
            w->news = true;
            if (recording_add(&w->recording)) {
                note(w);
                end_recording(w);
            }
        }
        double now = platform_seconds();
        say_frame(w, now);
        say_status(w, now);
        net_watch bell = {.socket = w->hub.simulation_bell[0]};
        net_wait(&bell, 1, rest_until(w, now));
        net_bell_clear(w->hub.simulation_bell);
    }
}

static bool make_token(char out[33])
{
    unsigned char random[16];
    if (!net_random(random, sizeof random)) return false;
    for (int i = 0; i < 16; ++i) snprintf(out + 2 * i, 3, "%02x", random[i]);
    return true;
}

static void tell_address(const showing* w, const char* token, int port)
{
    char url[256];
    bool everywhere = strcmp(w->how->address, "0.0.0.0") == 0;
    snprintf(url, sizeof url, "http://%s:%d/?token=%s", everywhere ? "127.0.0.1" : w->how->address,
             port, token);
    w->how->opened(url, w->how->context);
}

pliant_result show_run(session* s, const show* how)
{
    showing w = {.how = how, .session = s, .news = true, .told = true};
    char random[33];
    const char* token = how->token ? how->token : random;
    server* door = NULL;
    int port = 0;
    if (!how->token && !make_token(random))
        return fail(PLIANT_ERROR_UNSUPPORTED, "this system has no random numbers for a token");
    if (!hub_open(&w.hub, how->folder))
        return fail(PLIANT_ERROR_MEMORY, "not enough memory for the server");
    say_scene(&w);
    pliant_result result = say_topology(&w);
    if (!result) result = server_start(&w.hub, how->address, how->port, token, &port, &door);
    if (!result) {
        tell_address(&w, token, port);
        loop(&w);
        recording_end(&w.recording, true);
        hub_end(&w.hub);
    }
    server_stop(door);
    hub_close(&w.hub);
    return result;
}
