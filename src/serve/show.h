// A session that is served until somebody ends it.
#pragma once
#include "live/session.h"
#include <stdatomic.h>

typedef struct {
    const char* address;           // where it listens: "127.0.0.1"
    int port;                      // 0: a free one
    const char* folder;            // of recordings
    const char* token;             // NULL: one that nobody can guess
    const atomic_int* interrupted; // ends it when it is not 0
    // Called once with the address of the page.
    void (*opened)(const char* url, void* context);
    void* context;
} show;

pliant_result show_run(session* s, const show* how);
