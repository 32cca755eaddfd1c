// Prints the reference of all keys from the tables.
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

static void print_default(const key* k, const void* value)
{
    const int* whole = (const int*)value;
    double number[3] = {0, 0, 0};
    if (k->kind == KEY_NUMBER) memcpy(number, value, sizeof number[0]);
    if (k->kind == KEY_VECTOR) memcpy(number, value, sizeof number);
    if (k->required)
        printf("; needed");
    else if (isnan(number[0]))
        return; // the line of help says what happens without it
    else if (k->kind == KEY_NUMBER)
        printf("; default %.6g", number[0]);
    else if (k->kind == KEY_VECTOR)
        printf("; default [%g, %g, %g]", number[0], number[1], number[2]);
    else if (k->kind == KEY_INT)
        printf("; default %d", *whole);
    else if (k->kind == KEY_AUTO)
        printf("; default auto");
    else if (k->kind == KEY_COUNTS)
        printf("; default [%d, %d, %d]", whole[0], whole[1], whole[2]);
    else if (k->kind == KEY_WORD)
        printf("; default %s", k->words[*whole]);
}

static void print_key(const key_table* table, const key* k)
{
    char left[64];
    snprintf(left, sizeof left, "%s%s%s%s", kind_name(k), k->unit ? " [" : "",
             k->unit ? k->unit : "", k->unit ? "]" : "");
    printf("  %-18s %-24s %s", k->name, left, k->help);
    if (k->inner) printf(" (see %s)", k->inner->name);
    for (int i = 0; k->words && k->words[i]; ++i) printf("%s%s", i ? ", " : ": ", k->words[i]);
    if (k->kind == KEY_NUMBER || k->kind == KEY_INT || k->kind == KEY_AUTO)
        printf("; %g to %g", k->low == DBL_MIN ? 0 : k->low, k->high);
    print_default(k, (const char*)table->defaults + k->offset);
    printf("\n");
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

void table_print_help(const key_table* table)
{
    const key_table* found[MOST_TABLES];
    int count = 0;
    collect(table, found, &count);
    for (int i = 0; i < count; ++i) {
        printf("%s%s: %s\n", i ? "\n" : "", found[i]->name, found[i]->help);
        for (int n = 0; n < found[i]->key_count; ++n) print_key(found[i], &found[i]->keys[n]);
    }
}

void scene_print_help(void)
{
    printf(
        "A scene is a JSON file. All its keys, with units and defaults; keys that begin with an\n"
        "underscore are comments. pliant run --list shows scenes to start from.\n\n");
    table_print_help(&scene_table);
    printf("\npresets of materials:\n");
    const char* name;
    pliant_material m;
    for (int i = 0; (name = scene_preset(i, &m)) != NULL; ++i)
        printf("  %-18s density %g kg/m^3, young %g Pa, poisson %g, damping %g s\n", name,
               m.density, m.young, m.poisson, m.damping);
}
