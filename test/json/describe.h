// A JSON text as another one: what a reader has understood. It is compiled for jansson and for the
// small reader of the page without a server.
#pragma once
#include "meshfile/sink.h"
#include <string.h>

// False: refused.
bool describe_small(const char* text, size_t bytes, size_t flags, sink* out);

static void describe_text(const char* text, size_t bytes, sink* out)
{
    sink_text(out, "\"");
    for (size_t i = 0; i < bytes; ++i) sink_print(out, "%02x", (unsigned)(unsigned char)text[i]);
    sink_text(out, "\"");
}

static void describe_value(json_t* json, sink* out);

// Each key once, as objects of jansson have them; the value is the last one's.
static void describe_object(json_t* json, sink* out)
{
    sink_text(out, "{");
    for (void* at = json_object_iter(json); at; at = json_object_iter_next(json, at)) {
        describe_text(json_object_iter_key(at), strlen(json_object_iter_key(at)), out);
        describe_value(json_object_get(json, json_object_iter_key(at)), out);
    }
    sink_text(out, "}");
}

static void describe_value(json_t* json, sink* out)
{
    if (json_is_object(json)) {
        describe_object(json, out);
    } else if (json_is_array(json)) {
        sink_text(out, "[");
        for (size_t i = 0; i < json_array_size(json); ++i)
            describe_value(json_array_get(json, i), out);
        sink_text(out, "]");
    } else if (json_is_string(json)) {
        describe_text(json_string_value(json), json_string_length(json), out);
    } else if (json_is_integer(json)) {
        sink_print(out, "i%lld", (long long)json_integer_value(json));
    } else if (json_is_number(json)) {
        double value = json_number_value(json);
        sink_bytes(out, &value, sizeof value);
    } else {
        sink_text(out, json_is_true(json) ? "true" : json_is_boolean(json) ? "false" : "null");
    }
    sink_text(out, ",");
}
