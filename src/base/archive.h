// Numbers to and from a block of bytes, little-endian and of fixed size. One walk over a structure
// measures, writes and reads it, so that none of the three can forget an array. What is read is
// never trusted: every count is held against the bytes that are left before memory is taken for it.
//
// Failures stick: after the first one nothing more is read, and every call returns false.
#pragma once
#include "base/memory.h"

typedef enum { ARCHIVE_MEASURE, ARCHIVE_WRITE, ARCHIVE_READ } archive_mode;

typedef struct {
    archive_mode mode;
    char* out;            // when writing
    const char* in;       // when reading
    size_t at;            // [bytes] visited so far
    size_t bytes;         // there are to read
    const char* name;     // of what is read, for sentences
    pliant_result result; // the first failure
} archive;

static inline bool archive_reads(const archive* a) { return a->mode == ARCHIVE_READ; }

// Ends reading with a sentence that names what is read; always false.
bool archive_refuse(archive* a, const char* format, ...) PRINTF_LIKE(2, 3);

// The same for what another check has found, whose sentence is the error text.
bool archive_refuse_found(archive* a, pliant_result found);

bool archive_int(archive* a, int* value);
bool archive_size(archive* a, size_t* value); // 64 bits
bool archive_real(archive* a, double* value);
bool archive_flag(archive* a, bool* value); // a byte
bool archive_byte(archive* a, unsigned char* value);

// An int that is to be `least` or more, and `most` or less.
bool archive_int_within(archive* a, int* value, int least, int most, const char* what);

// `count` numbers of `element` bytes each; `data` is the address of the array's pointer, which gets
// memory of its own when reading.
bool archive_array(archive* a, void* data, size_t count, size_t element);

// When reading, memory for `count` elements, all zero, of which the file has at least `least` bytes
// each.
bool archive_room(archive* a, void* data, size_t count, size_t element, size_t least);
