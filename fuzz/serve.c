// Any bytes as what a browser sends: the first byte chooses between a request, WebSocket and a
// message.
#include "live/message.h"
#include "serve/request.h"
#include "serve/websocket.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes);

static void read_socket(const uint8_t* data, size_t bytes)
{
    unsigned char copy[REQUEST_MOST_BYTES];
    websocket_message m;
    message told;
    size_t used = 0;
    int code = 0;
    if (bytes > sizeof copy) bytes = sizeof copy;
    if (bytes) memcpy(copy, data, bytes);
    if (websocket_read(copy, bytes, MESSAGE_MOST_BYTES, &m, &used, &code) != WEBSOCKET_WHOLE)
        return;
    if (used > bytes || m.bytes > used) __builtin_trap();
    message_read(m.data, m.bytes, &told);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes)
{
    if (bytes < 1) return 0;
    const uint8_t* rest = data + 1;
    message told;
    request asked;
    size_t length = request_length((const char*)rest, bytes - 1);
    if (data[0] % 3 == 0 && length) request_read((const char*)rest, length, &asked);
    if (data[0] % 3 == 1) read_socket(rest, bytes - 1);
    if (data[0] % 3 == 2) message_read(rest, bytes - 1, &told);
    return 0;
}
