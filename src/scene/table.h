// Tables of keys: one table reads a JSON object into a struct, sets its defaults, finds unknown
// keys, frees what it owns and prints its documentation.
#pragma once
#include "scene/place.h"
#include "scene/scene.h"
#include <jansson.h>
#include <stddef.h>

typedef enum {
    KEY_NUMBER,   // double
    KEY_NUMBERS,  // scene_numbers
    KEY_VECTOR,   // double[3]
    KEY_INT,      // int
    KEY_AUTO,     // int; "auto" is 0
    KEY_COUNTS,   // int[3]
    KEY_TEXT,     // char*, owned; NULL where it is not given
    KEY_WORD,     // int: the number of the word
    KEY_ROTATION, // pliant_quat
    KEY_OBJECT,   // a struct in place
    KEY_MAYBE,    // scene_list of none or one struct, owned
    KEY_LIST,     // scene_list, owned
} key_kind;

typedef struct key_table key_table;

typedef struct {
    const char* name;
    key_kind kind;
    size_t offset;            // in the struct
    double low, high;         // numbers and each component: both ends are fine
    const char* unit;         // "m/s"; NULL where there is none
    const char* help;         // one line
    const char* const* words; // of KEY_WORD, NULL at the end
    const key_table* inner;   // of objects and lists
    bool required;
} key;

struct key_table {
    const char* name; // "body"
    const char* help; // one line
    const key* keys;
    int key_count;
    size_t bytes;          // of the struct
    const void* defaults;  // a struct of that size that owns nothing
    const char* shorthand; // the key that a plain text instead of an object stands for, or NULL
};

// Fills `out` with the defaults and then with what `json` says. What was read so far is owned by
// `out` on failure too.
pliant_result table_read(const key_table* table, const json_t* json, const place* at, void* out);
void table_release(const key_table* table, void* item);

extern const key_table scene_table;
