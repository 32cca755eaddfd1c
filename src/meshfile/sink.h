// Bytes of a file that is being made in memory. Failures stick: once memory ran out `failed` is
// set and nothing more is added.
#pragma once
#include "base/error.h"

typedef struct {
    char* data;
    size_t bytes, capacity;
    bool failed;
} sink;

void sink_release(sink* s);
void sink_bytes(sink* s, const void* data, size_t bytes);
// So many bytes more, for the caller to fill in before the next call; NULL: memory ran out.
void* sink_room(sink* s, size_t bytes);
void sink_text(sink* s, const char* text);
void sink_print(sink* s, const char* format, ...) PRINTF_LIKE(2, 3); // no reals: see sink_real
void sink_real(sink* s, double value);                               // reads back as the same bits
void sink_single(sink* s, float value);                              // likewise
void sink_integer(sink* s, int64_t value);
// `count` numbers with blanks between them and no line end.
void sink_reals(sink* s, const double* value, int count);
void sink_integers(sink* s, const int* value, int count, int base); // plus `base`

// Little-endian numbers.
void sink_u8(sink* s, uint8_t value);
void sink_u16(sink* s, uint16_t value);
void sink_i32(sink* s, int32_t value);
void sink_i64(sink* s, int64_t value);
void sink_f32(sink* s, float value);
void sink_f64(sink* s, double value);

void sink_base64(sink* s, const void* data, size_t bytes);
