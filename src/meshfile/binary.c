// The cursor's numbers, in text or in bytes of either order.
#include "meshfile/text.h"
#include <math.h>
#include <string.h>

static uint64_t assemble(const cursor* c, const unsigned char* byte, int bytes)
{
    uint64_t bits = 0;
    for (int i = 0; i < bytes; ++i)
        bits = bits << 8 | byte[c->encoding == ENCODING_BIG ? i : bytes - 1 - i];
    return bits;
}

static uint64_t read_bits(cursor* c, scalar type)
{
    int bytes = scalar_bytes(type);
    if (!cursor_ok(c)) return 0;
    c->mark = c->at;
    if (cursor_left(c) < bytes) {
        refuse(c, PLIANT_ERROR_FORMAT, "expected %d more bytes, found the end of the data", bytes);
        return 0;
    }
    c->at += bytes;
    return assemble(c, (const unsigned char*)c->mark, bytes);
}

static double bits_to_real(uint64_t bits, scalar type)
{
    double wide;
    float narrow;
    uint32_t low = (uint32_t)bits;
    memcpy(&wide, &bits, sizeof wide);
    memcpy(&narrow, &low, sizeof narrow);
    return type == SCALAR_F32 ? (double)narrow : wide;
}

static int64_t bits_to_integer(uint64_t bits, scalar type)
{
    switch (type) {
    case SCALAR_I8:
        return (int8_t)bits;
    case SCALAR_I16:
        return (int16_t)bits;
    case SCALAR_I32:
        return (int32_t)bits;
    case SCALAR_U64:
        return bits > INT64_MAX ? INT64_MAX : (int64_t)bits;
    default:
        return (int64_t)bits;
    }
}

static bool is_float(scalar type) { return type == SCALAR_F32 || type == SCALAR_F64; }

double read_real(cursor* c, scalar type)
{
    if (c->encoding == ENCODING_TEXT) return text_real(c);
    uint64_t bits = read_bits(c, type);
    if (!is_float(type)) return (double)bits_to_integer(bits, type);
    double value = bits_to_real(bits, type);
    if (isfinite(value)) return value;
    refuse(c, PLIANT_ERROR_FORMAT, "expected a finite number, found %s",
           isnan(value) ? "a NaN" : "an infinite one");
    return 0;
}

int64_t read_integer(cursor* c, scalar type)
{
    if (c->encoding == ENCODING_TEXT) return text_integer(c);
    if (is_float(type)) {
        c->mark = c->at;
        refuse(c, PLIANT_ERROR_FORMAT, "expected whole numbers, found numbers of a float type");
        return 0;
    }
    return bits_to_integer(read_bits(c, type), type);
}

void skip_scalar(cursor* c, scalar type)
{
    if (c->encoding != ENCODING_TEXT)
        read_bits(c, type);
    else if (next_word(c).length == 0)
        expected(c, "a number");
}

void skip_bytes(cursor* c, int64_t bytes)
{
    if (!cursor_ok(c)) return;
    c->mark = c->at;
    if (bytes >= 0 && bytes <= cursor_left(c))
        c->at += bytes;
    else
        refuse(c, PLIANT_ERROR_FORMAT, "expected %lld more bytes, found %lld", (long long)bytes,
               (long long)cursor_left(c));
}
