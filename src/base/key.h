// Tables of keys. A line of a table says all of one member of a struct: its name, which is also its
// key in scene files, its default, what it may be, its unit and what it is for. Defaults, checks,
// files and documentation follow from the lines.
#pragma once
#include "base/error.h"
#include <float.h>
#include <stddef.h>

typedef enum {
    KEY_NUMBER,   // double
    KEY_REAL,     // float
    KEY_INT,      // int
    KEY_AUTO,     // int; in scene files "auto" is 0
    KEY_WORD,     // int or an enumeration: the number of the word
    KEY_FLAG,     // bool
    KEY_BITS,     // uint32_t; in scene files a list of the numbers of its bits
    KEY_VECTOR,   // double[3]
    KEY_VEC3,     // pliant_vec3
    KEY_ROTATION, // pliant_quat
    KEY_OBJECT,   // a struct in place
    KEY_SAME,     // a struct in place, whose keys stand among those of the struct around it
    // In scene files only. The first two are other ways to say what has keys of its own.
    KEY_PAIR,    // float[2]: one number for both
    KEY_NONE,    // uint32_t: true clears all bits
    KEY_NUMBERS, // scene_numbers
    KEY_COUNTS,  // int[3]
    KEY_TEXT,    // char*, owned; NULL where it is not given
    KEY_MAYBE,   // scene_list of none or one struct, owned
    KEY_LIST,    // scene_list, owned
} key_kind;

typedef struct key_table key_table;

// Of a range: without its end, and 0 in addition.
enum { OPEN_LOW = 1, OPEN_HIGH = 2, OR_ZERO = 4 };

// What a key changes something for: `has` looks at whatever the list of the key says.
typedef struct {
    bool (*has)(const void* subject);
    const char* text; // "it is for ..."
} key_effect;

typedef struct {
    const char* name;
    key_kind kind;
    size_t offset;            // in the struct
    double standard[4];       // its default, where the table has no struct of them
    double low, high;         // of numbers, and of each component
    unsigned ends;            // OPEN_LOW and the like
    const char* unit;         // "m/s"; NULL where there is none
    const char* help;         // one line
    const char* const* words; // of KEY_WORD, NULL at the end
    const key_table* inner;   // of objects and lists
    const key_effect* effect; // NULL: always
    bool required;
    bool not_in_scenes; // no scene says it
} key;

// Numbers that go together under a name: those of the first keys of a table.
enum { PRESET_NUMBERS = 10 };
typedef struct {
    const char* name;
    double number[PRESET_NUMBERS];
} key_preset;

struct key_table {
    const char* name; // "body"
    const char* help; // one line
    const key* keys;
    int key_count;
    size_t bytes;              // of the struct
    const void* defaults;      // a struct of that size that owns nothing; NULL: see the keys
    const char* shorthand;     // the key that a plain text instead of an object stands for, or NULL
    const key_preset* presets; // with a name of NULL at the end, or NULL. A plain text is a preset
    int preset_numbers;        // that each of them has
};

// {KEY(NUMBER, scene_motion, start), WITHIN(0, 1e9), .unit = "s", .help = "when it begins"}
#define KEY(type_of_key, type, member)                                                             \
    .name = #member, .kind = KEY_##type_of_key, .offset = offsetof(type, member)
#define WITHIN(from, to)  .low = (from), .high = (to)
#define ABOVE(from, to)   WITHIN(from, to), .ends = OPEN_LOW
#define BETWEEN(from, to) WITHIN(from, to), .ends = OPEN_LOW | OPEN_HIGH // both open
#define OR_NONE(from, to) WITHIN(from, to), .ends = OR_ZERO
#define FINITE            WITHIN(-DBL_MAX, DBL_MAX)
#define POSITIVE          ABOVE(0, DBL_MAX)
#define ZERO_OR_MORE      WITHIN(0, DBL_MAX)
#define TABLE(keys_of_table, type)                                                                 \
    .keys = (keys_of_table), .key_count = sizeof(keys_of_table) / sizeof((keys_of_table)[0]),      \
    .bytes = sizeof(type)

// Where the member is in a struct.
static inline void* key_member(const key* k, void* item) { return (char*)item + k->offset; }
static inline const void* key_value(const key* k, const void* item)
{
    return (const char*)item + k->offset;
}

// The numbers of a member, and how many they are: 0 of a struct, a text or a list.
enum { KEY_NUMBERS_MOST = 4 };
int key_numbers_of(const key* k, const void* item, double out[KEY_NUMBERS_MOST]);

// Whether a number is finite and in the range of its key.
bool key_takes(const key* k, double value);

// "0 to 1", "above 0, to 100 [kg]", "16 to 100, or 0", "0 or more [m]", "finite [m/s]"
typedef struct {
    char text[96];
} key_range;
key_range key_range_of(const key* k);

// "one, two, three", cut off where there are very many.
typedef struct {
    char text[300];
} key_words;
key_words key_words_of(const key* k);

// Fills a struct with its defaults. Members without a key are 0 where no struct of defaults says
// otherwise.
void table_defaults(const key_table* table, void* out);
// Puts the numbers of a preset over them.
void table_preset(const key_table* table, int number, void* out);

// Refuses the first member that is out of its range: "material: young is -1, it must be ...".
// `of` is what the struct is called.
pliant_result table_check(const key_table* table, const void* item, const char* of);
// The same of one value alone, which is not in a struct yet: that of a member by its name.
pliant_result table_check_value(const key_table* table, const char* name, const void* value,
                                const char* of);
