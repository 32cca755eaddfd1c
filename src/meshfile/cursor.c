#include "meshfile/text.h"
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

cursor cursor_over(const void* data, size_t bytes, const char* name)
{
    const char* begin = bytes ? (const char*)data : "";
    cursor c = {.name = name, .begin = begin, .at = begin, .end = begin + bytes, .mark = begin};
    return c;
}

int64_t cursor_line(const cursor* c)
{
    int64_t line = 1;
    for (const char* at = c->begin; at < c->mark; ++at) line += *at == '\n';
    return line;
}

static void refuse_text(cursor* c, pliant_result result, const char* sentence)
{
    if (!cursor_ok(c)) return;
    if (c->encoding == ENCODING_TEXT)
        fail(result, "%.400s:%lld: %s", c->name, (long long)cursor_line(c), sentence);
    else
        fail(result, "%.400s: byte %lld: %s", c->name, (long long)(c->mark - c->begin), sentence);
    c->result = result;
}

void refuse(cursor* c, pliant_result result, const char* format, ...)
{
    char sentence[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    refuse_text(c, result, sentence);
}

// The word at the mark, in quotes, without bytes that a terminal could take amiss.
static void describe_found(const cursor* c, char* out, size_t size)
{
    char word[32];
    size_t length = 0;
    for (const char* at = c->mark; at < c->end && length < sizeof word - 1; ++at) {
        if (is_space(*at)) break;
        word[length++] = (char)(*at >= 32 && *at < 127 ? *at : '?');
    }
    word[length] = 0;
    if (c->mark >= c->end)
        snprintf(out, size, "the end of the file");
    else if (length == 0)
        snprintf(out, size, "the end of the line");
    else
        snprintf(out, size, "'%s'", word);
}

void expected(cursor* c, const char* format, ...)
{
    char what[300], found[64], sentence[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    describe_found(c, found, sizeof found);
    snprintf(sentence, sizeof sentence, "expected %s, found %s", what, found);
    refuse_text(c, PLIANT_ERROR_FORMAT, sentence);
}

bool got_memory(cursor* c, const void* memory)
{
    if (!memory && cursor_ok(c)) c->result = PLIANT_ERROR_MEMORY;
    return memory != NULL;
}

int check_count(cursor* c, int64_t count, int64_t each, const char* what)
{
    if (!cursor_ok(c)) return 0;
    // The last number of a text needs no blank behind it.
    int64_t room = (cursor_left(c) + 1) / (each > 0 ? each : 1);
    if (count >= 0 && count <= room && count <= INT_MAX / 4) return (int)count;
    refuse(c, PLIANT_ERROR_FORMAT, "expected at most %lld %s in the %lld bytes left, found %lld",
           (long long)(room < INT_MAX / 4 ? room : INT_MAX / 4), what, (long long)cursor_left(c),
           (long long)count);
    return 0;
}

int scalar_bytes(scalar type)
{
    static const signed char bytes[] = {0, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return bytes[type];
}

scalar scalar_named(span name)
{
    static const struct {
        const char* name;
        scalar type;
    } names[] = {
        {"char", SCALAR_I8},
        {"int8", SCALAR_I8},
        {"uchar", SCALAR_U8},
        {"uint8", SCALAR_U8},
        {"unsigned_char", SCALAR_U8},
        {"short", SCALAR_I16},
        {"int16", SCALAR_I16},
        {"ushort", SCALAR_U16},
        {"uint16", SCALAR_U16},
        {"int", SCALAR_I32},
        {"unsigned_short", SCALAR_U16},
        {"int32", SCALAR_I32},
        {"uint", SCALAR_U32},
        {"unsigned_int", SCALAR_U32},
        {"uint32", SCALAR_U32},
        {"long", SCALAR_I64},
        {"vtktypeint64", SCALAR_I64},
        {"int64", SCALAR_I64},
        {"uint64", SCALAR_U64},
        {"unsigned_long", SCALAR_U64},
        {"vtkidtype", SCALAR_I32},
        {"float", SCALAR_F32},
        {"float32", SCALAR_F32},
        {"double", SCALAR_F64},
        {"float64", SCALAR_F64},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (span_is(name, names[i].name)) return names[i].type;
    return SCALAR_NONE;
}

int64_t least_bytes(const cursor* c, scalar type, int count)
{
    return (int64_t)count * (c->encoding == ENCODING_TEXT ? 2 : scalar_bytes(type));
}
