// WebSocket as RFC 6455 has it, as much as pages use: messages in one piece, of bytes.
#pragma once
#include "meshfile/sink.h"

// The answer to a page's key.
void websocket_accept(const char* key, sink* out);

enum { WEBSOCKET_TEXT = 1, WEBSOCKET_BYTES = 2, WEBSOCKET_CLOSE = 8, WEBSOCKET_PING = 9 };
enum { WEBSOCKET_HEAD = 10 };

// The bytes before a message of this length; returns how many.
int websocket_head(int kind, size_t bytes, unsigned char out[WEBSOCKET_HEAD]);

typedef struct {
    int kind; // 2, or 8 to 10
    unsigned char* data;
    size_t bytes;
} websocket_message;

typedef enum {
    WEBSOCKET_MORE,    // is needed
    WEBSOCKET_WHOLE,   // a message is there
    WEBSOCKET_REFUSED, // the connection is to be closed
} websocket_state;

// Looks for a message at the begin of what came from a page, and unmasks it in place. `out_used`:
// how many bytes it took. Refusals have a code for the page and a sentence in pliant_error_text().
websocket_state websocket_read(unsigned char* data, size_t bytes, size_t most_bytes,
                               websocket_message* out, size_t* out_used, int* out_code);
