#include "meshfile/base64.h"
#include "meshfile/sink.h"
#include "meshfile/text.h"

static int digit_value(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

int64_t base64_decode(const char* at, const char* end, unsigned char* out)
{
    int64_t written = 0;
    uint32_t group = 0;
    int digits = 0, padding = 0;
    for (; at < end; ++at) {
        if (is_space(*at)) continue;
        int value = digit_value(*at);
        if (value < 0 && *at != '=') break;
        if (value < 0)
            ++padding;
        else if (padding)
            return -1;
        group = group << 6 | (uint32_t)(value < 0 ? 0 : value);
        if (++digits < 4) continue;
        if (padding > 2) return -1;
        for (int i = 0; i < 3 - padding; ++i)
            out[written++] = (unsigned char)(group >> (16 - 8 * i));
        group = 0;
        digits = padding = 0;
    }
    return digits == 0 ? written : -1;
}

void sink_base64(sink* s, const void* data, size_t bytes)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char* byte = (const unsigned char*)data;
    for (size_t i = 0; i < bytes; i += 3) {
        size_t left = bytes - i;
        uint32_t group = (uint32_t)byte[i] << 16;
        if (left > 1) group |= (uint32_t)byte[i + 1] << 8;
        if (left > 2) group |= byte[i + 2];
        char text[4] = {alphabet[group >> 18], alphabet[group >> 12 & 63],
                        left > 1 ? alphabet[group >> 6 & 63] : '=',
                        left > 2 ? alphabet[group & 63] : '='};
        sink_bytes(s, text, 4);
    }
}
