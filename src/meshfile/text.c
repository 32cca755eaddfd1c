// The cursor's words and numbers in text.
#include "meshfile/text.h"
#include "meshfile/number.h"
#include <math.h>
#include <string.h>

static char lower(char c) { return (char)(c >= 'A' && c <= 'Z' ? c + 32 : c); }

bool span_is(span word, const char* literal)
{
    for (int64_t i = 0; i < word.length; ++i)
        if (literal[i] == 0 || lower(word.at[i]) != lower(literal[i])) return false;
    return literal[word.length] == 0;
}

static const char* line_end(const cursor* c)
{
    const void* found = c->at < c->end ? memchr(c->at, '\n', (size_t)cursor_left(c)) : NULL;
    return found ? (const char*)found : c->end;
}

void skip_blank(cursor* c)
{
    while (c->at < c->end) {
        if (is_space(*c->at))
            ++c->at;
        else if (*c->at == c->comment && c->comment)
            c->at = line_end(c);
        else
            break;
    }
    c->mark = c->at;
}

bool more_on_line(cursor* c)
{
    while (c->at < c->end && is_space(*c->at) && *c->at != '\n') ++c->at;
    c->mark = c->at;
    if (!cursor_ok(c) || c->at >= c->end || *c->at == '\n') return false;
    return !(c->comment && *c->at == c->comment);
}

void next_line(cursor* c)
{
    c->at = line_end(c);
    if (c->at < c->end) ++c->at;
    c->mark = c->at;
}

span rest_of_line(cursor* c)
{
    span line = {c->at, line_end(c) - c->at};
    next_line(c);
    while (line.length > 0 && is_space(line.at[line.length - 1])) --line.length;
    return line;
}

span next_word(cursor* c)
{
    skip_blank(c);
    span word = {c->at, 0};
    if (!cursor_ok(c)) return word;
    while (c->at < c->end && !is_space(*c->at)) ++c->at;
    word.length = c->at - word.at;
    return word;
}

void require_word(cursor* c, const char* literal)
{
    if (!span_is(next_word(c), literal)) expected(c, "'%s'", literal);
}

bool skip_past(cursor* c, const char* literal)
{
    size_t length = strlen(literal);
    while (cursor_left(c) >= (int64_t)length) {
        const char* found = (const char*)memchr(c->at, literal[0], (size_t)cursor_left(c));
        if (!found || c->end - found < (int64_t)length) break;
        c->at = found + 1;
        if (memcmp(found, literal, length) != 0) continue;
        c->at = found + length;
        return true;
    }
    c->at = c->mark = c->end;
    return false;
}

// A number ends at a blank, a comment or a tag, not in the middle of a word.
static bool at_word_end(const cursor* c)
{
    return c->at >= c->end || is_space(*c->at) || *c->at == '<' ||
           (c->comment && *c->at == c->comment);
}

static void skip_to_number(cursor* c)
{
    if (c->lines)
        more_on_line(c);
    else
        skip_blank(c);
}

double text_real(cursor* c)
{
    double value = 0;
    skip_to_number(c);
    if (!cursor_ok(c)) return 0;
    c->at = scan_real(c->at, c->end, &value);
    if (c->at > c->mark && at_word_end(c) && isfinite(value)) return value;
    expected(c, "a finite number");
    return 0;
}

int64_t text_integer(cursor* c)
{
    int64_t value = 0;
    skip_to_number(c);
    if (!cursor_ok(c)) return 0;
    c->at = scan_integer(c->at, c->end, &value);
    if (c->at > c->mark && at_word_end(c)) return value;
    expected(c, "a whole number");
    return 0;
}
