#include "rows.h"
#include "sheet.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t* json_text(const char* text)
{
    json_t* string = json_string(text);
    char* plain = string ? NULL : (char*)malloc(strlen(text) + 1);
    if (!plain) return string;
    strcpy(plain, text);
    for (char* c = plain; *c; ++c)
        if ((unsigned char)*c > 127) *c = '?';
    string = json_string(plain);
    free(plain);
    return string;
}

static bool is_absent(const column* c, cell value)
{
    return c->kind == COLUMN_TEXT ? !value.text : !isfinite(value.number);
}

static json_t* json_cell(const column* c, cell value)
{
    if (c->kind == COLUMN_TEXT) return json_text(value.text);
    return c->kind == COLUMN_INT ? json_integer((json_int_t)value.number) : json_real(value.number);
}

json_t* rows_object(const rows* t, const cell* row)
{
    json_t* object = json_object();
    for (int i = 0; i < t->count; ++i)
        if (!is_absent(&t->column[i], row[i]))
            json_object_set_new(object, t->column[i].key, json_cell(&t->column[i], row[i]));
    return object;
}

static void print_json(const rows* t, const cell* row)
{
    json_t* object = rows_object(t, row);
    json_dumpf(object, t->out, JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(9));
    fputc('\n', t->out);
    json_decref(object);
}

static void print_quoted(FILE* out, const char* text)
{
    fputc('"', out);
    for (; *text; ++text) {
        if (*text == '"') fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void print_csv_cell(FILE* out, const column* c, cell value)
{
    if (is_absent(c, value)) return;
    if (c->kind != COLUMN_TEXT)
        fprintf(out, "%.9g", value.number);
    else if (strpbrk(value.text, "\",\r\n"))
        print_quoted(out, value.text);
    else
        fputs(value.text, out);
}

static void print_csv(const rows* t, const cell* row)
{
    for (int i = 0; i < t->count; ++i) {
        if (i) fputc(',', t->out);
        print_csv_cell(t->out, &t->column[i], row[i]);
    }
    fputc('\n', t->out);
}

// Texts to the left, numbers to the right; the last column is not padded.
static void print_padded(const rows* t, int i, const char* text)
{
    bool left = t->column[i].kind == COLUMN_TEXT, last = i == t->count - 1;
    fprintf(t->out, "%s%*s%s", i ? "  " : "",
            left && last ? 0
            : left       ? -t->column[i].width
                         : t->column[i].width,
            text, last ? "\n" : "");
}

// Numbers that would not fit their column are written with an exponent.
static void format_number(const column* c, double number, char* out, size_t bytes)
{
    int length = snprintf(out, bytes, "%.*f", c->kind == COLUMN_INT ? 0 : c->decimals, number);
    if (c->kind == COLUMN_NUMBER && length > c->width) snprintf(out, bytes, "%.3g", number);
}

static void print_aligned(const rows* t, const cell* row)
{
    for (int i = 0; i < t->count; ++i) {
        const column* c = &t->column[i];
        char number[512];
        if (c->kind != COLUMN_TEXT) format_number(c, row[i].number, number, sizeof number);
        print_padded(t, i,
                     is_absent(c, row[i])     ? "-"
                     : c->kind == COLUMN_TEXT ? row[i].text
                                              : number);
    }
}

void rows_head(const rows* t)
{
    if (t->keep) sheet_begin(t->keep, t->column, t->count);
    for (int i = 0; i < t->count; ++i) {
        if (t->form == FORM_CSV)
            fprintf(t->out, "%s%s%s", i ? "," : "", t->column[i].key,
                    i == t->count - 1 ? "\n" : "");
        else if (t->form == FORM_ALIGNED)
            print_padded(t, i, t->column[i].key);
    }
    fflush(t->out);
}

void rows_add(const rows* t, const cell* row)
{
    static void (*const print[])(const rows*, const cell*) = {
        [FORM_ALIGNED] = print_aligned, [FORM_JSON] = print_json, [FORM_CSV] = print_csv};
    print[t->form](t, row);
    if (t->keep) sheet_add(t->keep, row);
    fflush(t->out); // rows of long work appear one by one
}
