#include "scene/place.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// The text has been parsed before, so it is well-formed; the scanner only has to stay inside.
typedef struct {
    const char *at, *end;
} scanner;

static void skip_blanks(scanner* s)
{
    while (s->at < s->end && strchr(" \t\r\n", *s->at) && *s->at) s->at++;
}

static void skip_string(scanner* s)
{
    for (s->at++; s->at < s->end && *s->at != '"'; ++s->at)
        if (*s->at == '\\' && s->at + 1 < s->end) s->at++;
    if (s->at < s->end) s->at++;
}

// Past a value: brackets are counted, so depth costs no stack.
static void skip_value(scanner* s)
{
    int depth = 0;
    while (s->at < s->end) {
        char c = *s->at;
        if (c == '"') {
            skip_string(s);
        } else if (c == ',' && depth == 0) {
            return;
        } else if (c == '}' || c == ']') {
            if (depth-- == 0) return;
            s->at++;
        } else {
            depth += c == '{' || c == '[';
            s->at++;
        }
    }
}

// From an opening bracket to the value of a key or an index; false where there is none.
static bool enter(scanner* s, const place* step)
{
    size_t length = step->key ? strlen(step->key) : 0;
    skip_blanks(s);
    s->at += s->at < s->end;
    for (int i = 0; s->at < s->end; ++i) {
        skip_blanks(s);
        if (s->at >= s->end || *s->at == '}' || *s->at == ']') return false;
        bool found = i == step->index;
        if (step->key) {
            const char* name = s->at + 1;
            skip_string(s);
            found = s->at - name == (ptrdiff_t)length + 1 && memcmp(name, step->key, length) == 0;
            skip_blanks(s);
            s->at += s->at < s->end; // the colon
            skip_blanks(s);
        }
        if (found) return true;
        skip_value(s);
        s->at += s->at < s->end; // the comma, or the closing bracket
    }
    return false;
}

static const place* top_of(const place* at)
{
    while (at->parent) at = at->parent;
    return at;
}

// The scanner at the value, or at the innermost value around it that was found.
static bool find(const place* at, scanner* s)
{
    if (!at->parent) return true;
    if (!find(at->parent, s)) return false;
    scanner inside = *s;
    if (!enter(&inside, at)) return false;
    *s = inside;
    return true;
}

int place_line(const place* at)
{
    const place* top = top_of(at);
    scanner s = {top->text, top->text + top->bytes};
    skip_blanks(&s);
    find(at, &s);
    int line = 1;
    for (const char* c = top->text; c < s.at && c < s.end; ++c) line += *c == '\n';
    return line;
}

static int print_path(const place* at, char* out, int room)
{
    if (!at->parent) return 0;
    int length = print_path(at->parent, out, room);
    if (length >= room - 1) return length;
    char* end = out + length;
    size_t left = (size_t)(room - length);
    int more = at->key ? snprintf(end, left, "%s%.60s", length ? "." : "", at->key)
                       : snprintf(end, left, "[%d]", at->index);
    return length + more < room ? length + more : room - 1;
}

phrase place_phrase(const place* at)
{
    phrase out;
    char path[200] = "";
    bool inside = print_path(at, path, (int)sizeof path) > 0;
    if (!top_of(at)->text) {
        snprintf(out.text, sizeof out.text, "%.300s", top_of(at)->name);
        return out;
    }
    snprintf(out.text, sizeof out.text, "%.300s:%d%s%s", top_of(at)->name, place_line(at),
             inside ? ": " : "", path);
    return out;
}

pliant_result fail_at(pliant_result result, const place* at, const char* format, ...)
{
    char sentence[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return fail(result, "%s: %s", place_phrase(at).text, sentence);
}
