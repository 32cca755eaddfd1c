// As much of jansson's interface as scenes need, for the page without a server: there is no jansson
// for browsers in distributions. json.c reads; nothing is written. Texts are taken and refused as
// by jansson itself (test/program_json.c compares both).
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    JSON_OBJECT,
    JSON_ARRAY,
    JSON_STRING,
    JSON_INTEGER,
    JSON_REAL,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL,
} json_type;

typedef int64_t json_int_t;
typedef struct json_t json_t;
typedef struct {
    int line, column;
    char text[160];
} json_error_t;

enum { JSON_REJECT_DUPLICATES = 1, JSON_DECODE_ANY = 4 };

// NULL: the error says why. A value that is decreased is freed with all that is in it, as none of
// them is held twice.
json_t* json_loadb(const char* text, size_t bytes, size_t flags, json_error_t* error);
void json_decref(json_t* json);

// All of them take NULL.
json_type json_typeof(const json_t* json); // not NULL
bool json_is_object(const json_t* json);
bool json_is_array(const json_t* json);
bool json_is_string(const json_t* json);
bool json_is_integer(const json_t* json);
bool json_is_number(const json_t* json);
bool json_is_boolean(const json_t* json);
bool json_is_true(const json_t* json);

double json_number_value(const json_t* json);
json_int_t json_integer_value(const json_t* json);
const char* json_string_value(const json_t* json);
size_t json_string_length(const json_t* json);

size_t json_array_size(const json_t* json);
json_t* json_array_get(const json_t* json, size_t index);
json_t* json_object_get(const json_t* json, const char* key);

// In the order of the text.
void* json_object_iter(json_t* json);
void* json_object_iter_next(json_t* json, void* at);
const char* json_object_iter_key(void* at);
json_t* json_object_iter_value(void* at);
