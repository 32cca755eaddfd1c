// Prints the reference of all keys from the tables: as plain text, and as a page of the documents.
#include "asset/members.h"
#include "scene/table.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char* kind_name(const key* k)
{
    static const char* const name[] = {
        [KEY_NUMBER] = "number",       [KEY_REAL] = "number",         [KEY_PAIR] = "number",
        [KEY_INT] = "whole number",    [KEY_AUTO] = "number or auto", [KEY_WORD] = "word",
        [KEY_FLAG] = "true or false",  [KEY_NONE] = "true or false",  [KEY_BITS] = "[numbers]",
        [KEY_NUMBERS] = "[numbers]",   [KEY_VECTOR] = "[x, y, z]",    [KEY_VEC3] = "[x, y, z]",
        [KEY_COUNTS] = "[nx, ny, nz]", [KEY_ROTATION] = "rotation",   [KEY_TEXT] = "text",
        [KEY_OBJECT] = "object",       [KEY_MAYBE] = "object",        [KEY_LIST] = "[objects]",
    };
    return name[k->kind];
}

typedef struct {
    char text[96];
} cell_text;

// What stands without the key; empty where the line of help says what happens.
static cell_text default_of(const key* k, const void* item)
{
    cell_text out = {""};
    double number[KEY_NUMBERS_MOST] = {0};
    if (!item) return out;
    int count = key_numbers_of(k, item, number);
    const int* whole = (const int*)key_value(k, item);
    if (k->required || isnan(number[0])) return out;
    if (k->kind == KEY_AUTO)
        snprintf(out.text, sizeof out.text, "auto");
    else if (k->kind == KEY_COUNTS)
        snprintf(out.text, sizeof out.text, "[%d, %d, %d]", whole[0], whole[1], whole[2]);
    else if (k->kind == KEY_WORD)
        snprintf(out.text, sizeof out.text, "%s", k->words[(int)number[0]]);
    else if (k->kind == KEY_FLAG || k->kind == KEY_NONE)
        snprintf(out.text, sizeof out.text, "%s", number[0] != 0 ? "true" : "false");
    else if (count == 1 && k->kind != KEY_BITS)
        snprintf(out.text, sizeof out.text, "%.6g", number[0]);
    else if (count == 3)
        snprintf(out.text, sizeof out.text, "[%g, %g, %g]", number[0], number[1], number[2]);
    return out;
}

// Without the unit, which has a place of its own.
static key_range range_of(const key* k)
{
    key_range none = {""};
    key bare = *k;
    bare.unit = NULL;
    bool limited = k->kind == KEY_NUMBER || k->kind == KEY_REAL || k->kind == KEY_PAIR ||
                   k->kind == KEY_INT || k->kind == KEY_AUTO;
    bool finite = k->low <= -DBL_MAX && k->high >= DBL_MAX; // as every number in a file
    return limited && !finite ? key_range_of(&bare) : none;
}

static void print_key(const key* k, const void* defaults)
{
    char left[64];
    key_range range = range_of(k);
    cell_text without = default_of(k, defaults);
    snprintf(left, sizeof left, "%s%s%s%s", kind_name(k), k->unit ? " [" : "",
             k->unit ? k->unit : "", k->unit ? "]" : "");
    printf("  %-18s %-24s %s", k->name, left, k->help);
    if (k->inner) printf(" (see %s)", k->inner->name);
    for (int i = 0; k->words && k->words[i]; ++i) printf("%s%s", i ? ", " : ": ", k->words[i]);
    if (k->effect) printf("; for %s", k->effect->text);
    if (range.text[0]) printf("; %s", range.text);
    if (k->required) printf("; needed");
    if (without.text[0]) printf("; default %s", without.text);
    printf("\n");
}

static void page_key(const key* k, const void* defaults)
{
    key_range range = range_of(k);
    cell_text without = default_of(k, defaults);
    printf("| `%s` | ", k->name);
    if (k->inner)
        printf("[%s](#%s)%s", k->inner->name, k->inner->name,
               k->kind == KEY_LIST ? ", a list" : "");
    else
        printf("%s", kind_name(k));
    printf(" | %s | %s", k->unit ? k->unit : "", k->help);
    for (int i = 0; k->words && k->words[i]; ++i) printf("%s`%s`", i ? ", " : ": ", k->words[i]);
    if (k->effect) printf("; for %s", k->effect->text);
    printf(" | %s | %s |\n", range.text, k->required ? "needed" : without.text);
}

// A way to print: a table's begin, a key and a table's end.
typedef struct {
    void (*begin)(const key_table* table);
    void (*key)(const key* k, const void* defaults);
    const char* end;
} printer;

static void begin_text(const key_table* table)
{
    printf("%s: %s\n", table->name, table->help);
    if (table->presets)
        printf("  %-18s %-24s the numbers that are not given, by a name; see below\n", "preset",
               "word");
}

static void begin_page(const key_table* table)
{
    printf("\n## %s\n\n%s\n\n", table->name, table->help);
    printf("| key | value | unit | | range | without it |\n|---|---|---|---|---|---|\n");
    if (table->presets)
        printf("| `preset` | word |  | the numbers that are not given, [by a name](#presets) |  | "
               "%s |\n",
               table->presets[0].name);
}

static const printer as_text = {begin_text, print_key, "\n"}, as_page = {begin_page, page_key, ""};

// Whether another key gives it a value where it has none of its own.
static bool is_in_a_pair(const key_table* table, const key* k)
{
    for (int i = 0; i < table->key_count; ++i) {
        const key* pair = &table->keys[i];
        if (pair->kind == KEY_PAIR && k->kind == KEY_REAL && k->offset >= pair->offset &&
            k->offset < pair->offset + 2 * sizeof(float))
            return true;
    }
    return false;
}

static void print_keys(const printer* as, const key_table* table, const void* defaults)
{
    for (int n = 0; n < table->key_count; ++n) {
        const key* k = &table->keys[n];
        if (k->kind == KEY_SAME)
            print_keys(as, k->inner, key_value(k, defaults));
        else if (!k->not_in_scenes)
            as->key(k, is_in_a_pair(table, k) ? NULL : defaults);
    }
}

static void print_table(const printer* as, const key_table* table)
{
    enum { MOST_BYTES = 4096 };
    static union {
        max_align_t aligned;
        char bytes[MOST_BYTES];
    } defaults;
    if (table->bytes > MOST_BYTES) return;
    table_defaults(table, &defaults);
    as->begin(table);
    print_keys(as, table, &defaults);
    printf("%s", as->end);
}

// A table that stands in several places is printed once.
enum { MOST_TABLES = 64 };

static void collect(const key_table* table, const key_table** found, int* count);

static void collect_inner(const key_table* table, const key_table** found, int* count)
{
    for (int i = 0; i < table->key_count; ++i) {
        const key* k = &table->keys[i];
        if (k->kind == KEY_SAME)
            collect_inner(k->inner, found, count);
        else if (k->inner)
            collect(k->inner, found, count);
    }
}

static void collect(const key_table* table, const key_table** found, int* count)
{
    for (int i = 0; i < *count; ++i)
        if (found[i] == table) return;
    if (*count == MOST_TABLES) return;
    found[(*count)++] = table;
    collect_inner(table, found, count);
}

static void print_tables(const printer* as)
{
    const key_table* found[MOST_TABLES];
    int count = 0;
    collect(&scene_table, found, &count);
    for (int i = 0; i < count; ++i) print_table(as, found[i]);
}

static const key_table* const with_presets[] = {&material_members, &cloth_members};

static void print_preset_number(const key* k, double number)
{
    if (k->words)
        printf("%s", k->words[(int)number]);
    else
        printf("%g", number);
}

static void print_presets(const key_table* t)
{
    printf("presets of %s:\n", t->name);
    for (const key_preset* p = t->presets; p->name; ++p) {
        printf("  %-18s", p->name);
        for (int i = 0; i < t->preset_numbers; ++i) {
            const key* k = &t->keys[i];
            printf("%s %s ", i ? "," : "", k->name);
            print_preset_number(k, p->number[i]);
            printf("%s%s", k->unit ? " " : "", k->unit ? k->unit : "");
        }
        printf("\n");
    }
}

static void page_presets(const key_table* t)
{
    printf("\nof the [%s](#%s):\n\n|", t->name, t->name);
    for (int i = 0; i < t->preset_numbers; ++i) {
        const char* unit = t->keys[i].unit;
        printf(" | %s%s%s%s", t->keys[i].name, unit ? " [" : "", unit ? unit : "", unit ? "]" : "");
    }
    printf(" |\n|---|");
    for (int i = 0; i < t->preset_numbers; ++i) printf("---|");
    printf("\n");
    for (const key_preset* p = t->presets; p->name; ++p) {
        printf("| `%s`", p->name);
        for (int i = 0; i < t->preset_numbers; ++i) {
            printf(" | ");
            print_preset_number(&t->keys[i], p->number[i]);
        }
        printf(" |\n");
    }
}

void scene_print_help(void)
{
    printf(
        "A scene is a JSON file. All its keys, with units and defaults; keys that begin with an\n"
        "underscore are comments. pliant run --list shows scenes to start from.\n\n");
    print_tables(&as_text);
    for (size_t i = 0; i < sizeof with_presets / sizeof *with_presets; ++i)
        print_presets(with_presets[i]);
}

void scene_print_page(void)
{
    printf("<!-- Written by the program: pliant help scene --markdown. make documents renews it. "
           "-->\n# Keys of a scene\n\n"
           "A scene is a JSON file; [Scenes](scenes.md) shows how its parts go together. Here are "
           "all keys, from the tables\nthat read the file. Keys that begin with an underscore are "
           "comments, all others that are not here are errors.\nWhere nothing stands under "
           "*without it*, "
           "the text beside it says what happens, or there is simply none.\n");
    print_tables(&as_page);
    printf("\n## Presets\n");
    for (size_t i = 0; i < sizeof with_presets / sizeof *with_presets; ++i)
        page_presets(with_presets[i]);
}
