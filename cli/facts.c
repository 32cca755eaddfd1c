#include "facts.h"
#include "meshfile/number.h"
#include "options.h"
#include <string.h>

facts facts_start(bool json)
{
    facts r = {json ? json_object() : NULL, NULL};
    r.section = r.root;
    return r;
}

// "max_valence" reads "max valence" in the text.
static void print_label(const char* key, int width)
{
    int length = 0;
    for (; key[length]; ++length) putchar(key[length] == '_' ? ' ' : key[length]);
    printf("%*s", width > length ? width - length : 0, "");
}

void facts_heading(facts* r, const char* key)
{
    r->section = r->root;
    if (r->root && key) {
        json_object_set_new(r->root, key, json_object());
        r->section = json_object_get(r->root, key);
    } else if (key) {
        putchar('\n');
        print_label(key, 0);
        putchar('\n');
    }
}

// Takes the JSON value; true: the text is wanted, and its label is printed.
static bool keep_or_label(facts* r, const char* key, json_t* value)
{
    if (r->root) {
        json_object_set_new(r->section, key, value);
        return false;
    }
    json_decref(value);
    printf("  ");
    print_label(key, 24);
    return true;
}

void facts_int(facts* r, const char* key, double value)
{
    if (keep_or_label(r, key, json_integer((json_int_t)value))) printf("%.0f\n", value);
}

void facts_number(facts* r, const char* key, double value, const char* unit)
{
    if (keep_or_label(r, key, json_real(value))) printf("%.6g %s\n", value, unit);
}

void facts_text(facts* r, const char* key, const char* value)
{
    if (keep_or_label(r, key, json_text(value))) printf("%s\n", value);
}

void facts_numbers(facts* r, const char* key, const double* value, int count, const char* unit)
{
    json_t* array = json_array();
    for (int i = 0; i < count; ++i) json_array_append_new(array, json_real(value[i]));
    if (!keep_or_label(r, key, array)) return;
    for (int i = 0; i < count; ++i) printf("%.6g ", value[i]);
    printf("%s\n", unit);
}

void facts_place(facts* r, const char* key, const double at[3], double size)
{
    json_t* array = json_array();
    for (int k = 0; k < 3; ++k) json_array_append_new(array, json_real(at[k]));
    if (!keep_or_label(r, key, array)) return;
    for (int k = 0; k < 3; ++k) printf("%.12g ", round_to_size(at[k], size, 6));
    printf("m\n");
}

void facts_rows(facts* r, const char* key, const column* columns, int column_count,
                const cell* cells, int row_count)
{
    rows t = {columns, column_count, FORM_ALIGNED, stdout, NULL};
    json_t* array = json_array();
    facts_heading(r, NULL);
    if (!r->root) {
        putchar('\n');
        rows_head(&t);
    }
    for (int i = 0; i < row_count; ++i) {
        const cell* row = cells + (ptrdiff_t)i * column_count;
        if (r->root)
            json_array_append_new(array, rows_object(&t, row));
        else
            rows_add(&t, row);
    }
    if (r->root)
        json_object_set_new(r->root, key, array);
    else
        json_decref(array);
}

void facts_end(facts* r)
{
    if (!r->root) return;
    json_dumpf(r->root, stdout, JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12));
    putchar('\n');
    json_decref(r->root);
    r->root = r->section = NULL;
}

int tell_failure(const char* command)
{
    fprintf(stderr, "pliant %s: %s\n", command, pliant_error_text());
    return EXIT_FAILED;
}

int tell_usage(const char* command, const char* about, const char* why)
{
    fprintf(stderr, "pliant %s: %s: %s (pliant %s --help lists the options)\n", command, about, why,
            command);
    return EXIT_USAGE;
}
