#include "scene/change.h"
#include "base/error.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

// One "KEY=VALUE", without the blanks around both.
typedef struct {
    const char *key, *value;
    size_t key_bytes, value_bytes;
} change;

static void trim(const char** text, size_t* bytes)
{
    while (*bytes && (*text)[0] == ' ') ++*text, --*bytes;
    while (*bytes && (*text)[*bytes - 1] == ' ') --*bytes;
}

static pliant_result split(const char* text, size_t bytes, change* out)
{
    const char* equals = (const char*)memchr(text, '=', bytes);
    if (!equals || equals == text)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "--set: '%.*s' is no KEY=VALUE, as in frames=20 or bodies.0.copies=[2,1,1]",
                    (int)(bytes < 100 ? bytes : 100), text);
    *out = (change){text, equals + 1, (size_t)(equals - text), bytes - (size_t)(equals - text) - 1};
    trim(&out->key, &out->key_bytes);
    trim(&out->value, &out->value_bytes);
    return PLIANT_OK;
}

static json_t* value_of(const change* c)
{
    json_t* value = json_loadb(c->value, c->value_bytes, JSON_DECODE_ANY, NULL);
    return value ? value : json_stringn(c->value, c->value_bytes);
}

static pliant_result refuse(const change* c, const char* part, size_t bytes, const char* why)
{
    return fail(PLIANT_ERROR_ARGUMENT, "--set: %.*s: '%.*s' %s",
                (int)(c->key_bytes < 100 ? c->key_bytes : 100), c->key,
                (int)(bytes < 100 ? bytes : 100), part, why);
}

static pliant_result set_at(json_t* at, const change* c, const char* part);

// What comes behind `part`, which is inside of `inner`; nothing: the value itself goes there. An
// object that is absent is made: those who read the scene know whether it may be there.
static pliant_result go_on(json_t* outer, const char* key, size_t index, const change* c,
                           const char* next)
{
    if (next) {
        json_t* inner = key ? json_object_get(outer, key) : json_array_get(outer, index);
        if (!inner && json_object_set_new(outer, key, inner = json_object()))
            return PLIANT_ERROR_MEMORY;
        return set_at(inner, c, next);
    }
    json_t* value = value_of(c);
    bool good = value && (key ? json_object_set_new(outer, key, value)
                              : json_array_set_new(outer, index, value)) == 0;
    return good ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

static pliant_result set_items(json_t* list, const change* c, const char* part, size_t bytes,
                               const char* next)
{
    pliant_result result = PLIANT_OK;
    char* end = NULL;
    size_t count = json_array_size(list), first = strtoul(part, &end, 10);
    bool all = bytes == 1 && part[0] == '*';
    if (!all && (end != part + bytes || bytes == 0 || first >= count))
        return refuse(c, part, bytes, "is no item of the list: use its number from 0, or *");
    for (size_t i = all ? 0 : first; i < (all ? count : first + 1) && !result; ++i)
        result = go_on(list, NULL, i, c, next);
    return result;
}

static pliant_result set_at(json_t* at, const change* c, const char* part)
{
    const char *end = c->key + c->key_bytes,
               *dot = (const char*)memchr(part, '.', (size_t)(end - part));
    size_t bytes = (size_t)((dot ? dot : end) - part);
    const char* next = dot ? dot + 1 : NULL;
    if (json_is_array(at)) return set_items(at, c, part, bytes, next);
    char key[128];
    if (!json_is_object(at) || bytes >= sizeof key)
        return refuse(c, part, bytes, "is in nothing that has keys");
    memcpy(key, part, bytes);
    key[bytes] = 0;
    if (next && (next[0] == '*' || (next[0] >= '0' && next[0] <= '9')) && !json_object_get(at, key))
        return refuse(c, part, bytes, "is not in the scene: no list is made of single items");
    return go_on(at, key, 0, c, next);
}

static pliant_result change_all(json_t* scene, const char* changes)
{
    pliant_result result = PLIANT_OK;
    for (const char* at = changes; at && *at && !result;) {
        const char* end = strchr(at, ';');
        size_t bytes = end ? (size_t)(end - at) : strlen(at);
        const char* text = at;
        change c;
        trim(&text, &bytes);
        result = bytes ? split(text, bytes, &c) : PLIANT_OK;
        if (!result && bytes) result = set_at(scene, &c, c.key);
        at = end ? end + 1 : NULL;
    }
    return result;
}

static int add_text(const char* text, size_t bytes, void* out)
{
    sink_bytes((sink*)out, text, bytes);
    return ((sink*)out)->failed ? -1 : 0;
}

pliant_result scene_change(const void* text, size_t bytes, const char* name, const char* changes,
                           sink* out)
{
    json_error_t error;
    json_t* scene = json_loadb((const char*)text, bytes, JSON_REJECT_DUPLICATES, &error);
    if (!scene)
        return fail(PLIANT_ERROR_FORMAT, "%.300s:%d:%d: %.200s", name, error.line, error.column,
                    error.text);
    pliant_result result = change_all(scene, changes);
    if (!result && json_dump_callback(scene, add_text, out, JSON_INDENT(2)))
        result = PLIANT_ERROR_MEMORY;
    json_decref(scene);
    return result;
}
