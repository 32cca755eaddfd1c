// A place in a file that is being read, as text or as binary numbers of either byte order. Mesh
// formats mix the two, so one cursor does both.
//
// Failures stick: the first one sets `result` and the error text, with the file and the line (text)
// or byte (binary); from then on every read gives zero and loops over `cursor_ok` end. Nothing
// outside [begin, end) is read.
#pragma once
#include "base/error.h"

typedef enum { ENCODING_TEXT, ENCODING_LITTLE, ENCODING_BIG } encoding;

// How to open a file beside the one being read.
typedef struct {
    pliant_read_fn* read;
    void* context;
} file_opener;

typedef struct {
    const char* name; // for messages
    const char *begin, *at, *end;
    const char* mark;          // where the last word or number began: what messages point at
    const file_opener* opener; // NULL: there is only this memory
    encoding encoding;
    char comment; // begins a comment up to the end of its line; 0: there are none
    bool lines;   // numbers of the text are looked for on the same line only
    pliant_result result;
} cursor;

// A piece of the file.
typedef struct {
    const char* at;
    int64_t length;
} span;

typedef enum {
    SCALAR_NONE,
    SCALAR_I8,
    SCALAR_U8,
    SCALAR_I16,
    SCALAR_U16,
    SCALAR_I32,
    SCALAR_U32,
    SCALAR_I64,
    SCALAR_U64,
    SCALAR_F32,
    SCALAR_F64,
} scalar;

cursor cursor_over(const void* data, size_t bytes, const char* name);
static inline bool cursor_ok(const cursor* c) { return c->result == PLIANT_OK; }
int64_t cursor_line(const cursor* c); // of the mark, from 1
static inline int64_t cursor_left(const cursor* c) { return c->end - c->at; }

// ---- failures

// "x.mesh:12: " and the sentence. The first failure stays.
void refuse(cursor* c, pliant_result result, const char* format, ...) PRINTF_LIKE(3, 4);
// "x.mesh:12: expected ..., found 'word'": text only.
void expected(cursor* c, const char* format, ...) PRINTF_LIKE(2, 3);
// False, and takes over the error text, when `memory` is NULL.
bool got_memory(cursor* c, const void* memory);
// Refuses a count that is negative, beyond an int, or that needs more bytes than are left at
// `least_bytes` each. Returns it, or 0.
int check_count(cursor* c, int64_t count, int64_t least_bytes, const char* what);

// ---- text

bool span_is(span word, const char* literal); // without regard to case
void skip_blank(cursor* c);                   // spaces, line ends and comments
bool more_on_line(cursor* c);                 // skips spaces; false at the line's end or a comment
void next_line(cursor* c);
span next_word(cursor* c); // of length 0 at the end of the file
span rest_of_line(cursor* c);
// The next word must be this one.
void require_word(cursor* c, const char* literal);
// Moves behind the next occurrence of `literal`; false, and to the end, if there is none.
bool skip_past(cursor* c, const char* literal);

// ---- numbers, in the cursor's encoding. Text does not look at the type.

int scalar_bytes(scalar type);
// "int", "uchar", "Float64", "vtktypeint64" ...; SCALAR_NONE for an unknown name.
scalar scalar_named(span name);

double read_real(cursor* c, scalar type); // finite
int64_t read_integer(cursor* c, scalar type);
void skip_scalar(cursor* c, scalar type);
void skip_bytes(cursor* c, int64_t bytes);
// The fewest bytes that `count` numbers of this type take.
int64_t least_bytes(const cursor* c, scalar type, int count);
