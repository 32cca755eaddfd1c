// The server of one simulation: a thread of its own carries what pages say to the hub, and what the
// hub has to all pages. It never holds up the thread that steps.
#pragma once
#include "serve/client.h"

typedef struct server server;
// Begins at an address and a port (0: a free one, in *out_port).
pliant_result server_start(hub* h, const char* address, int port, const char* token, int* out_port,
                           server** out);
void server_stop(server* s); // after hub_end; NULL is fine
