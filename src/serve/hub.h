// What the thread that steps and the thread of the network share. Packets are made once and sent to
// many pages; only their counts are guarded, their bytes never change.
#pragma once
#include "base/platform.h"
#include "live/session.h"

// Bytes as they go out, counted by who holds them.
typedef struct {
    int references;
    sink bytes;
    size_t first; // of them that goes out
} packet;

// What was said to everyone last, and which number that was.
typedef struct {
    packet* packet;
    uint32_t number;
} said;

enum { HUB_MOST_ORDERS = 256, HUB_MOST_FILES = 64, HUB_NAME = 128 };

typedef struct {
    platform_mutex* lock;
    int network_bell[2], simulation_bell[2];
    said scene, topology, frame, status;
    message order[HUB_MOST_ORDERS];
    int order_count;
    bool frame_wanted; // some page has room for one
    bool ended;
    char file[HUB_MOST_FILES][HUB_NAME]; // that were recorded: pages may have them
    int file_count;
    const char* folder; // of those
} hub;

bool hub_open(hub* h, const char* folder);
void hub_close(hub* h);

// A sink with room for a head before its bytes.
void packet_begin(sink* bytes, size_t room);
// Takes the bytes, as a message of WebSocket of this kind, or as they are (0). NULL when memory ran
// out.
packet* packet_of(sink* bytes, int kind);
packet* packet_of_text(const char* text); // a JSON object
void packet_hold(hub* h, packet* p);
void packet_drop(hub* h, packet* p); // NULL is fine

// In place of what was said before; takes the packet.
void hub_say(hub* h, said* what, packet* p);
// Holds what is newer than `*number`; NULL: nothing is.
packet* hub_hear(hub* h, const said* what, uint32_t* number);

// False: too many wait already. A drag takes the place of one that waits.
bool hub_order(hub* h, const message* m);
// The oldest; false: there is none.
bool hub_take(hub* h, message* out);

void hub_want_frame(hub* h, bool wanted);
bool hub_wants_frame(hub* h);
void hub_end(hub* h);
bool hub_has_ended(hub* h);

void hub_add_file(hub* h, const char* name);
bool hub_has_file(hub* h, const char* name);
