// What a browser asks for: the first line and two headers of HTTP, as much as a page needs.
#pragma once
#include "base/error.h"
#include <stddef.h>

enum { REQUEST_MOST_BYTES = 8192 };

typedef struct {
    char path[128]; // "/", without what follows a question mark
    char token[80]; // of "?token=", or ""
    char key[80];   // of a WebSocket, or ""
    bool wants_socket;
} request;

// How many bytes it has up to its empty line; 0: it is not whole yet.
size_t request_length(const char* data, size_t bytes);
// Refuses, with a sentence, all but GET of a short path.
pliant_result request_read(const char* data, size_t bytes, request* out);
// Whether two texts are the same, in a time that does not tell where they differ.
bool request_matches(const char* given, const char* secret);
