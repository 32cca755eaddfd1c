#include "serve/websocket.h"
#include "serve/sha1.h"
#include <string.h>

void websocket_accept(const char* key, sink* out)
{
    static const char mark[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    unsigned char digest[SHA1_BYTES];
    char text[128];
    size_t length = strlen(key);
    if (length > 64) length = 64;
    memcpy(text, key, length);
    memcpy(text + length, mark, sizeof mark - 1);
    sha1(text, length + sizeof mark - 1, digest);
    sink_base64(out, digest, sizeof digest);
}

int websocket_head(int kind, size_t bytes, unsigned char out[WEBSOCKET_HEAD])
{
    int wide = bytes < 126 ? 0 : bytes < 65536 ? 2 : 8;
    out[0] = (unsigned char)(0x80 | kind);
    out[1] = (unsigned char)(wide == 0 ? bytes : wide == 2 ? 126 : 127);
    for (int i = 0; i < wide; ++i)
        out[2 + i] = (unsigned char)((uint64_t)bytes >> (8 * (wide - 1 - i)));
    return 2 + wide;
}

static websocket_state refuse(int code, int* out_code, const char* why)
{
    *out_code = code;
    fail(PLIANT_ERROR_FORMAT, "%s", why);
    return WEBSOCKET_REFUSED;
}

// Length and where the mask begins; 0: more bytes are needed.
static size_t read_length(const unsigned char* data, size_t bytes, uint64_t* out)
{
    size_t wide = (data[1] & 127) == 126 ? 2 : (data[1] & 127) == 127 ? 8 : 0;
    *out = data[1] & 127;
    if (bytes < 2 + wide) return 0;
    if (wide) *out = 0;
    for (size_t i = 0; i < wide; ++i) *out = *out << 8 | data[2 + i];
    return 2 + wide;
}

websocket_state websocket_read(unsigned char* data, size_t bytes, size_t most_bytes,
                               websocket_message* out, size_t* out_used, int* out_code)
{
    uint64_t length = 0;
    *out_used = 0;
    if (bytes < 2) return WEBSOCKET_MORE;
    int kind = data[0] & 15;
    bool control = kind >= WEBSOCKET_CLOSE;
    if (data[0] & 0x70) return refuse(1002, out_code, "a message has bits that nobody agreed on");
    if (!(data[0] & 0x80) || kind == 0)
        return refuse(1003, out_code, "messages come in one piece here");
    if (kind != WEBSOCKET_BYTES && (kind < WEBSOCKET_CLOSE || kind > 10))
        return refuse(1003, out_code, "messages are of bytes here");
    if (!(data[1] & 0x80)) return refuse(1002, out_code, "a page has to mask its messages");
    size_t at = read_length(data, bytes, &length);
    if (control && (data[1] & 127) > 125)
        return refuse(1002, out_code, "a message about the connection is too long");
    if (at && length > (control ? 125 : most_bytes))
        return refuse(1009, out_code, "a message is too long");
    if (!at || bytes < at + 4 + length) return WEBSOCKET_MORE;
    const unsigned char* mask = data + at;
    unsigned char* body = data + at + 4;
    for (size_t i = 0; i < length; ++i) body[i] ^= mask[i & 3];
    *out = (websocket_message){kind, body, (size_t)length};
    *out_used = at + 4 + (size_t)length;
    return WEBSOCKET_WHOLE;
}
