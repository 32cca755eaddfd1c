// A browser at the other end of a socket: a request that is answered, or a page that stays.
#pragma once
#include "serve/hub.h"
#include "serve/request.h"

enum { CLIENT_MOST_OUT = 8, CLIENT_MOST_FRAMES = 2 };

typedef struct {
    int socket;
    bool page;    // it is one, and stays
    bool closing; // when all has gone out
    bool gone;
    bool steers, wants_to_steer;
    double since; // [s] of the clock
    unsigned char in[REQUEST_MOST_BYTES];
    size_t in_bytes;
    packet* out[CLIENT_MOST_OUT];
    int out_count;
    size_t out_bytes;                        // of the first one that are gone
    uint32_t scene, topology, frame, status; // numbers of what it has heard
    int frames_on_the_way;
} client;

// What all of them need.
typedef struct {
    hub* hub;
    const char* token;
} house;

client* client_create(int socket, double now);
void client_destroy(client* c, hub* h);

// Reads what has come, and does what it says.
void client_read(client* c, const house* at);
// Puts what it has not heard into its queue, unless it is slow, and writes what goes.
void client_write(client* c, const house* at);
// A JSON object for this one alone.
void client_tell(client* c, const house* at, const char* text);
// It is sent away with a sentence.
void client_turn_away(client* c, const house* at, const char* status, const char* why);
static inline bool client_has_room(const client* c)
{
    return c->page && !c->closing && c->frames_on_the_way < CLIENT_MOST_FRAMES && c->out_count < 4;
}
