#include "meshfile/xml.h"
#include "meshfile/text.h"
#include <string.h>

static bool ends_name(char c) { return is_space(c) || c == '>' || c == '/' || c == '='; }

static bool begins(const cursor* c, const char* text)
{
    size_t length = strlen(text);
    return cursor_left(c) >= (int64_t)length && memcmp(c->at, text, length) == 0;
}

// Moves to the '>' that ends the tag, not one in quotes.
static void find_tag_end(cursor* c)
{
    char quote = 0;
    for (; c->at < c->end; ++c->at) {
        if (quote)
            quote = *c->at == quote ? 0 : quote;
        else if (*c->at == '"' || *c->at == '\'')
            quote = *c->at;
        else if (*c->at == '>')
            return;
    }
    c->mark = c->end;
    expected(c, "'>' at the end of a tag");
}

static bool find_tag(cursor* c)
{
    while (skip_past(c, "<")) {
        if (begins(c, "!--"))
            skip_past(c, "-->");
        else if (begins(c, "?") || begins(c, "!"))
            skip_past(c, ">");
        else
            return true;
    }
    return false;
}

xml_tag xml_next(cursor* c)
{
    xml_tag tag = {{c->end, 0}, {c->end, 0}, false};
    if (!cursor_ok(c) || !find_tag(c)) return tag;
    c->mark = c->at - 1;
    tag.closing = begins(c, "/");
    if (tag.closing) ++c->at;
    tag.name.at = c->at;
    while (c->at < c->end && !ends_name(*c->at)) ++c->at;
    tag.name.length = c->at - tag.name.at;
    tag.attributes.at = c->at;
    find_tag_end(c);
    tag.attributes.length = c->at - tag.attributes.at;
    if (c->at < c->end) ++c->at;
    if (tag.name.length == 0) expected(c, "a tag with a name");
    return tag;
}

span xml_attribute(const xml_tag* tag, const char* name)
{
    const char *at = tag->attributes.at, *end = at + tag->attributes.length;
    while (at < end) {
        while (at < end && (is_space(*at) || *at == '/')) ++at;
        span found = {at, 0};
        while (at < end && !ends_name(*at)) ++at;
        found.length = at - found.at;
        while (at < end && (is_space(*at) || *at == '=')) ++at;
        if (at >= end || (*at != '"' && *at != '\'')) break;
        const char* quote = (const char*)memchr(at + 1, *at, (size_t)(end - at - 1));
        if (!quote) break;
        if (span_is(found, name)) return (span){at + 1, quote - at - 1};
        at = quote + 1;
    }
    return (span){end, 0};
}
