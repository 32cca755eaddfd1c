#include "meshfile/sink.h"
#include "base/memory.h"
#include "meshfile/number.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void sink_release(sink* s)
{
    mem_free(s->data);
    *s = (sink){0};
}

static bool make_room(sink* s, size_t bytes)
{
    if (s->failed) return false;
    if (bytes <= s->capacity - s->bytes) return true;
    size_t larger = 2 * s->capacity > s->bytes + bytes ? 2 * s->capacity : s->bytes + bytes;
    if (larger < 4096) larger = 4096;
    char* grown = (char*)mem_alloc(larger);
    if (!grown) {
        s->failed = true;
        return false;
    }
    if (s->bytes) memcpy(grown, s->data, s->bytes);
    mem_free(s->data);
    s->data = grown;
    s->capacity = larger;
    return true;
}

void sink_bytes(sink* s, const void* data, size_t bytes)
{
    if (bytes == 0 || !make_room(s, bytes)) return;
    memcpy(s->data + s->bytes, data, bytes);
    s->bytes += bytes;
}

void* sink_room(sink* s, size_t bytes)
{
    if (!make_room(s, bytes)) return NULL;
    s->bytes += bytes;
    return s->data + s->bytes - bytes;
}

void sink_text(sink* s, const char* text) { sink_bytes(s, text, strlen(text)); }

void sink_print(sink* s, const char* format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    sink_text(s, text);
}

void sink_real(sink* s, double value)
{
    char text[32];
    sink_bytes(s, text, (size_t)print_real(value, text));
}

void sink_single(sink* s, float value)
{
    char text[32];
    sink_bytes(s, text, (size_t)print_single(value, text));
}

void sink_integer(sink* s, int64_t value)
{
    char text[24];
    char* first = text + sizeof text;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do *--first = (char)('0' + rest % 10);
    while ((rest /= 10) != 0);
    if (value < 0) *--first = '-';
    sink_bytes(s, first, (size_t)(text + sizeof text - first));
}

void sink_reals(sink* s, const double* value, int count)
{
    for (int i = 0; i < count; ++i) {
        if (i) sink_text(s, " ");
        sink_real(s, value[i]);
    }
}

void sink_integers(sink* s, const int* value, int count, int base)
{
    for (int i = 0; i < count; ++i) {
        if (i) sink_text(s, " ");
        sink_integer(s, (int64_t)value[i] + base);
    }
}

static void sink_little(sink* s, uint64_t bits, int bytes)
{
    unsigned char byte[8];
    for (int i = 0; i < bytes; ++i) byte[i] = (unsigned char)(bits >> (8 * i));
    sink_bytes(s, byte, (size_t)bytes);
}

void sink_u8(sink* s, uint8_t value) { sink_little(s, value, 1); }
void sink_u16(sink* s, uint16_t value) { sink_little(s, value, 2); }
void sink_i32(sink* s, int32_t value) { sink_little(s, (uint32_t)value, 4); }
void sink_i64(sink* s, int64_t value) { sink_little(s, (uint64_t)value, 8); }

void sink_f32(sink* s, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    sink_little(s, bits, 4);
}

void sink_f64(sink* s, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    sink_little(s, bits, 8);
}
