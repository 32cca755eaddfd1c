#include "serve/request.h"
#include <string.h>
#include <strings.h>

size_t request_length(const char* data, size_t bytes)
{
    for (size_t i = 3; i < bytes; ++i)
        if (memcmp(data + i - 3, "\r\n\r\n", 4) == 0) return i + 1;
    return 0;
}

// Text up to one of the marks; false: it does not fit, or has bytes that no address has.
static bool copy_until(const char** at, const char* end, const char* marks, char* out, size_t room)
{
    size_t length = 0;
    for (; *at < end && !strchr(marks, **at); ++*at) {
        if (**at <= ' ' || **at > '~' || length + 1 >= room) return false;
        out[length++] = **at;
    }
    out[length] = 0;
    return *at < end;
}

static bool skip(const char** at, const char* end, const char* text)
{
    size_t length = strlen(text);
    if ((size_t)(end - *at) < length || memcmp(*at, text, length) != 0) return false;
    *at += length;
    return true;
}

static pliant_result read_address(const char** at, const char* end, request* out)
{
    char rest[16];
    if (!skip(at, end, "GET ")) return fail(PLIANT_ERROR_FORMAT, "only GET is answered here");
    bool good = copy_until(at, end, "? \r", out->path, sizeof out->path);
    if (good && skip(at, end, "?token="))
        good = copy_until(at, end, "& \r", out->token, sizeof out->token);
    while (good && *at < end && **at != ' ' && **at != '\r') ++*at;
    good = good && skip(at, end, " ") && copy_until(at, end, "\r", rest, sizeof rest);
    return good ? PLIANT_OK : fail(PLIANT_ERROR_FORMAT, "the address of the request is broken");
}

// The value of a header of this line, or NULL.
static const char* value_of(const char* line, const char* end, const char* name)
{
    size_t length = strlen(name);
    if ((size_t)(end - line) <= length || strncasecmp(line, name, length) != 0) return NULL;
    if (line[length] != ':') return NULL;
    const char* value = line + length + 1;
    while (value < end && (*value == ' ' || *value == '\t')) ++value;
    return value;
}

static void read_header(const char* line, const char* end, request* out)
{
    const char* upgrade = value_of(line, end, "Upgrade");
    const char* key = value_of(line, end, "Sec-WebSocket-Key");
    if (upgrade && end - upgrade >= 9 && strncasecmp(upgrade, "websocket", 9) == 0)
        out->wants_socket = true;
    if (key && (size_t)(end - key) < sizeof out->key) {
        memcpy(out->key, key, (size_t)(end - key));
        out->key[end - key] = 0;
    }
}

pliant_result request_read(const char* data, size_t bytes, request* out)
{
    const char *at = data, *end = data + bytes;
    *out = (request){.wants_socket = false};
    pliant_result result = read_address(&at, end, out);
    while (!result && at < end) {
        const char* line_end = (const char*)memchr(at, '\r', (size_t)(end - at));
        if (!line_end) line_end = end;
        read_header(at, line_end, out);
        at = line_end + 1;
        if (at < end && *at == '\n') ++at;
    }
    return result;
}

bool request_matches(const char* given, const char* secret)
{
    size_t length = strlen(secret);
    if (strlen(given) != length) return false;
    unsigned different = 0;
    for (size_t i = 0; i < length; ++i) different |= (unsigned)(given[i] ^ secret[i]);
    return different == 0;
}
