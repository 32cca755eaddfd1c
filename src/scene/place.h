// Where in a scene file something stands: bodies[2].material.young. A chain on the stack, made
// while the reader goes down; turned into text and a line only when something is wrong.
#pragma once
#include "base/error.h"

typedef struct place {
    const struct place* parent; // NULL at the top
    const char* key;            // in an object, or NULL
    int index;                  // in an array
    const char *name, *text;    // of the file; only at the top. text NULL: a name is all there is
    size_t bytes;
} place;

static inline place place_top(const char* name, const char* text, size_t bytes)
{
    place p = {NULL, NULL, 0, name, text, bytes};
    return p;
}
static inline place place_key(const place* parent, const char* name)
{
    place p = {parent, name, 0, NULL, NULL, 0};
    return p;
}
static inline place place_item(const place* parent, int index)
{
    place p = {parent, NULL, index, NULL, NULL, 0};
    return p;
}

// The line of the value, from 1. What cannot be found has the line of what surrounds it.
int place_line(const place* at);

// "file:12: bodies[2].material.young"
typedef struct {
    char text[600];
} phrase;
phrase place_phrase(const place* at);

// "file:12: bodies[2].material.young: sentence", kept for pliant_error_text().
pliant_result fail_at(pliant_result result, const place* at, const char* format, ...)
    PRINTF_LIKE(3, 4);
