#include "base/memory.h"
#include "jansson.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of an array or object. Keys are texts as others are.
typedef struct {
    json_t *key, *value;
} entry;

struct json_t {
    json_type type;
    json_int_t integer;
    double real;
    char* text;   // with a zero behind it
    size_t count; // of bytes or entries
    entry* entries;
};

enum { MOST_DEPTH = 2048 };

typedef struct {
    const char *begin, *at, *end;
    size_t flags;
    int depth;
    json_error_t* error;
    bool failed;
} reader;

// ---- what went wrong ----------------------------------------------------------------------------

static json_t* refuse(reader* r, const char* why)
{
    if (r->failed) return NULL;
    r->failed = true;
    if (!r->error) return NULL;
    *r->error = (json_error_t){.line = 1};
    for (const char* c = r->begin; c < r->at; ++c) {
        r->error->column += 1;
        if (*c == '\n') r->error->line += 1, r->error->column = 0;
    }
    if (r->at < r->end)
        snprintf(r->error->text, sizeof r->error->text, "%s near '%.*s'", why,
                 (int)(r->end - r->at < 12 ? r->end - r->at : 12), r->at);
    else
        snprintf(r->error->text, sizeof r->error->text, "%s near end of file", why);
    return NULL;
}

static json_t* make(reader* r, json_type type)
{
    json_t* made = (json_t*)mem_alloc_zero(sizeof *made);
    if (!made) return refuse(r, "not enough memory");
    made->type = type;
    return made;
}

void json_decref(json_t* json)
{
    if (!json) return;
    for (size_t i = 0; json->entries && i < json->count; ++i) {
        json_decref(json->entries[i].key);
        json_decref(json->entries[i].value);
    }
    mem_free(json->entries);
    mem_free(json->text);
    mem_free(json);
}

// ---- letters ------------------------------------------------------------------------------------

static int look(const reader* r) { return r->at < r->end ? (unsigned char)*r->at : -1; }

static void skip_blanks(reader* r)
{
    while (look(r) == ' ' || look(r) == '\t' || look(r) == '\n' || look(r) == '\r') r->at += 1;
}

static bool take(reader* r, int letter)
{
    if (look(r) != letter) return false;
    r->at += 1;
    return true;
}

static bool take_word(reader* r, const char* word)
{
    size_t bytes = strlen(word);
    if ((size_t)(r->end - r->at) < bytes || memcmp(r->at, word, bytes) != 0) return false;
    r->at += bytes;
    return true;
}

// ---- texts --------------------------------------------------------------------------------------

// Bytes of the letter of UTF-8 that begins here; 0: none does.
static size_t utf8_length(const reader* r)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    int first = look(r);
    size_t bytes = first < 0x80                    ? 1
                   : first >= 0xc2 && first < 0xe0 ? 2
                   : first >= 0xe0 && first < 0xf0 ? 3
                   : first >= 0xf0 && first < 0xf5 ? 4
                                                   : 0;
    if (bytes <= 1) return bytes;
    if ((size_t)(r->end - r->at) < bytes) return 0;
    uint32_t code = (uint32_t)first & (0x7fu >> bytes);
    for (size_t i = 1; i < bytes; ++i) {
        unsigned char next = (unsigned char)r->at[i];
        if ((next & 0xc0) != 0x80) return 0;
        code = code << 6 | (next & 0x3fu);
    }
    return code < least[bytes] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0 : bytes;
}

static size_t put_utf8(char* out, uint32_t code)
{
    size_t bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char head[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = bytes; i-- > 1; code >>= 6) out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(head[bytes] | code);
    return bytes;
}

// Behind "\u". Below 0: no number of four digits.
static int take_hex(reader* r)
{
    int value = 0;
    if (r->end - r->at < 4) return -1;
    for (int i = 0; i < 4; ++i, r->at += 1) {
        int c = look(r), digit = c >= '0' && c <= '9'   ? c - '0'
                                 : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                 : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                        : -1;
        if (digit < 0) return -1;
        value = 16 * value + digit;
    }
    return value;
}

// One letter by its number, or by two halves. Below 0: refused.
static int64_t take_code(reader* r)
{
    int code = take_hex(r);
    if (code < 0 || code == 0) return -1;
    if (code >= 0xdc00 && code < 0xe000) return -1;
    if (code < 0xd800 || code >= 0xdc00) return code;
    if (!take_word(r, "\\u")) return -1;
    int low = take_hex(r);
    return low < 0xdc00 || low >= 0xe000 ? -1 : 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
}

static size_t take_escape(reader* r, char* out)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    int c = look(r);
    const char* found = c > 0 ? strchr(letters, c) : NULL;
    r->at += c >= 0;
    if (found) {
        *out = meant[found - letters];
        return 1;
    }
    int64_t code = c == 'u' ? take_code(r) : -1;
    return code < 0 ? 0 : put_utf8(out, (uint32_t)code);
}

// Behind the quote. What is written is never longer than its text.
static json_t* read_text(reader* r)
{
    json_t* made = make(r, JSON_STRING);
    const char* close = r->at;
    if (!made) return NULL;
    while (close < r->end && *close != '"') close += *close == '\\' ? 2 : 1;
    made->text = close < r->end ? (char*)mem_alloc((size_t)(close - r->at) + 1) : NULL;
    bool good = made->text != NULL;
    while (good && look(r) != '"') {
        size_t bytes = 0;
        if (take(r, '\\')) {
            bytes = take_escape(r, made->text + made->count);
        } else if (look(r) >= 32 && (bytes = utf8_length(r)) > 0) {
            memcpy(made->text + made->count, r->at, bytes);
            r->at += bytes;
        }
        made->count += bytes;
        good = bytes > 0;
    }
    if (good && take(r, '"')) {
        made->text[made->count] = 0;
        return made;
    }
    refuse(r, made->text ? "a letter or escape that texts do not have" : "a text without an end");
    json_decref(made);
    return NULL;
}

// ---- numbers ------------------------------------------------------------------------------------

static bool take_digits(reader* r)
{
    const char* first = r->at;
    while (look(r) >= '0' && look(r) <= '9') r->at += 1;
    return r->at > first;
}

static json_t* read_number(reader* r)
{
    const char* first = r->at;
    char* end = NULL;
    bool whole = true;
    take(r, '-');
    if (!take(r, '0') && !take_digits(r)) return refuse(r, "invalid token");
    if (take(r, '.')) {
        whole = false;
        if (!take_digits(r)) return refuse(r, "invalid token");
    }
    if (take(r, 'e') || take(r, 'E')) {
        whole = false;
        if (!take(r, '+')) take(r, '-');
        if (!take_digits(r)) return refuse(r, "invalid token");
    }
    // The whole text ends with a zero byte, so that a number at its end does.
    json_t* made = make(r, whole ? JSON_INTEGER : JSON_REAL);
    if (!made) return NULL;
    errno = 0;
    if (whole)
        made->integer = strtoll(first, &end, 10);
    else
        made->real = strtod(first, &end);
    bool good = whole ? errno == 0 : isfinite(made->real);
    if (good) return made;
    json_decref(made);
    return refuse(r, whole ? "too big integer" : "real number overflow");
}

// ---- arrays and objects -------------------------------------------------------------------------

static json_t* read_value(reader* r);

// NULL: there is none of this key.
static entry* find(const json_t* of, const json_t* key)
{
    for (size_t i = 0; key && i < of->count; ++i) {
        const json_t* other = of->entries[i].key;
        if (other->count == key->count && memcmp(other->text, key->text, key->count) == 0)
            return &of->entries[i];
    }
    return NULL;
}

// Takes the entry, if it can; of a key that is there the value is another one now.
static bool add(reader* r, json_t* to, entry e)
{
    entry* there = find(to, e.key);
    if (there) {
        json_decref(there->value);
        json_decref(e.key);
        there->value = e.value;
        return true;
    }
    size_t n = to->count, room = n ? 2 * n : 4;
    if (n == 0 || (n >= 4 && (n & (n - 1)) == 0)) {
        entry* larger = (entry*)mem_array(room, sizeof *larger);
        if (!larger) {
            refuse(r, "not enough memory");
            return false;
        }
        if (n) memcpy(larger, to->entries, n * sizeof *larger);
        mem_free(to->entries);
        to->entries = larger;
    }
    to->entries[to->count++] = e;
    return true;
}

static bool read_key(reader* r, const json_t* of, entry* e)
{
    skip_blanks(r);
    if (!take(r, '"')) {
        refuse(r, "string or '}' expected");
        return false;
    }
    e->key = read_text(r);
    if (!e->key) return false;
    if ((r->flags & JSON_REJECT_DUPLICATES) && find(of, e->key)) {
        refuse(r, "duplicate object key");
        return false;
    }
    skip_blanks(r);
    if (take(r, ':')) return true;
    refuse(r, "':' expected");
    return false;
}

// Behind the bracket.
static bool read_entries(reader* r, json_t* to, int close)
{
    skip_blanks(r);
    if (take(r, close)) return true;
    for (;;) {
        entry e = {NULL, NULL};
        bool good = close == ']' || read_key(r, to, &e);
        if (good) e.value = read_value(r);
        if (!good || !e.value || !add(r, to, e)) {
            json_decref(e.key);
            json_decref(e.value);
            return false;
        }
        skip_blanks(r);
        if (take(r, close)) return true;
        if (!take(r, ',')) {
            refuse(r, close == ']' ? "']' expected" : "'}' expected");
            return false;
        }
    }
}

static json_t* read_entries_of(reader* r, json_type type)
{
    json_t* made = make(r, type);
    if (!made) return NULL;
    if (r->depth >= MOST_DEPTH) refuse(r, "maximum parsing depth reached");
    r->depth += 1;
    bool good = !r->failed && read_entries(r, made, type == JSON_ARRAY ? ']' : '}');
    r->depth -= 1;
    if (good) return made;
    json_decref(made);
    return NULL;
}

static json_t* read_value(reader* r)
{
    skip_blanks(r);
    int c = look(r);
    if (take(r, '{')) return read_entries_of(r, JSON_OBJECT);
    if (take(r, '[')) return read_entries_of(r, JSON_ARRAY);
    if (take(r, '"')) return read_text(r);
    if (c == '-' || (c >= '0' && c <= '9')) return read_number(r);
    if (take_word(r, "true")) return make(r, JSON_TRUE);
    if (take_word(r, "false")) return make(r, JSON_FALSE);
    if (take_word(r, "null")) return make(r, JSON_NULL);
    return refuse(r, "invalid token");
}

json_t* json_loadb(const char* text, size_t bytes, size_t flags, json_error_t* error)
{
    reader r = {text, text, text + bytes, flags, 0, error, false};
    skip_blanks(&r);
    if (!(flags & JSON_DECODE_ANY) && look(&r) != '{' && look(&r) != '[')
        return refuse(&r, "'[' or '{' expected");
    json_t* made = read_value(&r);
    skip_blanks(&r);
    if (!made || r.at == r.end) return made;
    json_decref(made);
    return refuse(&r, "end of file expected");
}

// ---- what was read ------------------------------------------------------------------------------

static bool is(const json_t* json, json_type type) { return json && json->type == type; }

json_type json_typeof(const json_t* json) { return json->type; }
bool json_is_object(const json_t* json) { return is(json, JSON_OBJECT); }
bool json_is_array(const json_t* json) { return is(json, JSON_ARRAY); }
bool json_is_string(const json_t* json) { return is(json, JSON_STRING); }
bool json_is_integer(const json_t* json) { return is(json, JSON_INTEGER); }
bool json_is_number(const json_t* json) { return is(json, JSON_INTEGER) || is(json, JSON_REAL); }
bool json_is_boolean(const json_t* json) { return is(json, JSON_TRUE) || is(json, JSON_FALSE); }
bool json_is_true(const json_t* json) { return is(json, JSON_TRUE); }

double json_number_value(const json_t* json)
{
    return json_is_integer(json) ? (double)json->integer : is(json, JSON_REAL) ? json->real : 0;
}

json_int_t json_integer_value(const json_t* json)
{
    return json_is_integer(json) ? json->integer : 0;
}

const char* json_string_value(const json_t* json)
{
    return json_is_string(json) ? json->text : NULL;
}

size_t json_string_length(const json_t* json) { return json_is_string(json) ? json->count : 0; }
size_t json_array_size(const json_t* json) { return json_is_array(json) ? json->count : 0; }

json_t* json_array_get(const json_t* json, size_t index)
{
    return index < json_array_size(json) ? json->entries[index].value : NULL;
}

json_t* json_object_get(const json_t* json, const char* key)
{
    if (!json_is_object(json)) return NULL;
    for (size_t i = 0; i < json->count; ++i)
        if (strcmp(json->entries[i].key->text, key) == 0) return json->entries[i].value;
    return NULL;
}

void* json_object_iter(json_t* json)
{
    return json_is_object(json) && json->count ? json->entries : NULL;
}

void* json_object_iter_next(json_t* json, void* at)
{
    entry* next = (entry*)at + 1;
    return next < json->entries + json->count ? next : NULL;
}

const char* json_object_iter_key(void* at) { return ((entry*)at)->key->text; }
json_t* json_object_iter_value(void* at) { return ((entry*)at)->value; }
