// Prints the reference of all keys from the tables: as plain text, and as a page of the documents.
#include "scene/table.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char* kind_name(const key* k)
{
    static const char* const name[] = {
        [KEY_NUMBER] = "number",    [KEY_NUMBERS] = "[numbers]",   [KEY_VECTOR] = "[x, y, z]",
        [KEY_INT] = "whole number", [KEY_AUTO] = "number or auto", [KEY_COUNTS] = "[nx, ny, nz]",
        [KEY_TEXT] = "text",        [KEY_WORD] = "word",           [KEY_ROTATION] = "rotation",
        [KEY_OBJECT] = "object",    [KEY_MAYBE] = "object",        [KEY_LIST] = "[objects]",
    };
    return name[k->kind];
}

typedef struct {
    char text[96];
} cell_text;

// What stands without the key; empty where the line of help says what happens.
static cell_text default_of(const key_table* table, const key* k)
{
    cell_text out = {""};
    const void* value = (const char*)table->defaults + k->offset;
    const int* whole = (const int*)value;
    double number[3] = {0, 0, 0};
    if (k->kind == KEY_NUMBER) memcpy(number, value, sizeof number[0]);
    if (k->kind == KEY_VECTOR) memcpy(number, value, sizeof number);
    if (k->required || isnan(number[0])) return out;
    if (k->kind == KEY_NUMBER)
        snprintf(out.text, sizeof out.text, "%.6g", number[0]);
    else if (k->kind == KEY_VECTOR)
        snprintf(out.text, sizeof out.text, "[%g, %g, %g]", number[0], number[1], number[2]);
    else if (k->kind == KEY_INT)
        snprintf(out.text, sizeof out.text, "%d", *whole);
    else if (k->kind == KEY_AUTO)
        snprintf(out.text, sizeof out.text, "auto");
    else if (k->kind == KEY_COUNTS)
        snprintf(out.text, sizeof out.text, "[%d, %d, %d]", whole[0], whole[1], whole[2]);
    else if (k->kind == KEY_WORD)
        snprintf(out.text, sizeof out.text, "%s", k->words[*whole]);
    return out;
}

static cell_text range_of(const key* k)
{
    cell_text out = {""};
    if (k->kind == KEY_NUMBER || k->kind == KEY_INT || k->kind == KEY_AUTO) {
        if (k->low == DBL_MIN) // positive
            snprintf(out.text, sizeof out.text, "above 0, to %g", k->high);
        else
            snprintf(out.text, sizeof out.text, "%g to %g", k->low, k->high);
    }
    return out;
}

static void print_key(const key_table* table, const key* k)
{
    char left[64];
    cell_text range = range_of(k), without = default_of(table, k);
    snprintf(left, sizeof left, "%s%s%s%s", kind_name(k), k->unit ? " [" : "",
             k->unit ? k->unit : "", k->unit ? "]" : "");
    printf("  %-18s %-24s %s", k->name, left, k->help);
    if (k->inner) printf(" (see %s)", k->inner->name);
    for (int i = 0; k->words && k->words[i]; ++i) printf("%s%s", i ? ", " : ": ", k->words[i]);
    if (range.text[0]) printf("; %s", range.text);
    if (k->required) printf("; needed");
    if (without.text[0]) printf("; default %s", without.text);
    printf("\n");
}

static void print_table(const key_table* table)
{
    printf("%s: %s\n", table->name, table->help);
    for (int n = 0; n < table->key_count; ++n) print_key(table, &table->keys[n]);
    printf("\n");
}

static void page_key(const key_table* table, const key* k)
{
    cell_text range = range_of(k), without = default_of(table, k);
    printf("| `%s` | ", k->name);
    if (k->inner)
        printf("[%s](#%s)%s", k->inner->name, k->inner->name,
               k->kind == KEY_LIST ? ", a list" : "");
    else
        printf("%s", kind_name(k));
    printf(" | %s | %s", k->unit ? k->unit : "", k->help);
    for (int i = 0; k->words && k->words[i]; ++i) printf("%s`%s`", i ? ", " : ": ", k->words[i]);
    printf(" | %s | %s |\n", range.text, k->required ? "needed" : without.text);
}

static void page_table(const key_table* table)
{
    printf("\n## %s\n\n%s\n\n", table->name, table->help);
    printf("| key | value | unit | | range | without it |\n|---|---|---|---|---|---|\n");
    for (int n = 0; n < table->key_count; ++n) page_key(table, &table->keys[n]);
}

// A table that stands in several places is printed once.
enum { MOST_TABLES = 32 };

static void collect(const key_table* table, const key_table** found, int* count)
{
    for (int i = 0; i < *count; ++i)
        if (found[i] == table) return;
    if (*count == MOST_TABLES) return;
    found[(*count)++] = table;
    for (int i = 0; i < table->key_count; ++i)
        if (table->keys[i].inner) collect(table->keys[i].inner, found, count);
}

static void print_tables(void print(const key_table*))
{
    const key_table* found[MOST_TABLES];
    int count = 0;
    collect(&scene_table, found, &count);
    for (int i = 0; i < count; ++i) print(found[i]);
}

void scene_print_help(void)
{
    printf(
        "A scene is a JSON file. All its keys, with units and defaults; keys that begin with an\n"
        "underscore are comments. pliant run --list shows scenes to start from.\n\n");
    print_tables(print_table);
    printf("presets of materials:\n");
    const char* name;
    pliant_material m;
    for (int i = 0; (name = scene_preset(i, &m)) != NULL; ++i)
        printf("  %-18s density %g kg/m^3, young %g Pa, poisson %g, damping %g s\n", name,
               m.density, m.young, m.poisson, m.damping);
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
    print_tables(page_table);
    printf("\n## Presets\n\nof the [material](#material):\n\n"
           "| | density [kg/m^3] | young [Pa] | poisson | damping [s] |\n|---|---|---|---|---|\n");
    const char* name;
    pliant_material m;
    for (int i = 0; (name = scene_preset(i, &m)) != NULL; ++i)
        printf("| `%s` | %g | %g | %g | %g |\n", name, m.density, m.young, m.poisson, m.damping);
}
