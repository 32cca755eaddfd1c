#include "sheet.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

void sheet_begin(sheet* s, const column* columns, int count)
{
    if (s->failed ||
        !mem_reserve((void**)&s->table, &s->capacity, (int64_t)s->count + 1, sizeof *s->table)) {
        s->failed = true;
        return;
    }
    s->table[s->count++] = (data_table){columns, count, NULL, 0, 0};
}

static bool copy_text(cell* c)
{
    if (!c->text) return true;
    size_t bytes = strlen(c->text) + 1;
    char* text = (char*)mem_alloc(bytes);
    if (text) memcpy(text, c->text, bytes);
    c->text = text;
    return text;
}

void sheet_add(sheet* s, const cell* row)
{
    if (s->failed || s->count == 0) return;
    data_table* t = &s->table[s->count - 1];
    int64_t used = (int64_t)t->rows * t->count;
    if (!mem_reserve((void**)&t->cell, &t->cell_capacity, used + t->count, sizeof(cell))) {
        s->failed = true;
        return;
    }
    memcpy(t->cell + used, row, (size_t)t->count * sizeof(cell));
    for (int i = 0; i < t->count; ++i)
        if (t->column[i].kind == COLUMN_TEXT && !copy_text(&t->cell[used + i])) s->failed = true;
    ++t->rows;
}

static const cell* cell_at(const data_table* t, int row, int which)
{
    return &t->cell[(size_t)row * (size_t)t->count + (size_t)which];
}

void sheet_release(sheet* s)
{
    for (int i = 0; i < s->count; ++i) {
        data_table* t = &s->table[i];
        for (int k = 0; k < t->rows * t->count; ++k)
            if (t->column[k % t->count].kind == COLUMN_TEXT)
                mem_free((void*)(uintptr_t)t->cell[k].text);
        mem_free(t->cell);
    }
    mem_free(s->table);
    memset(s, 0, sizeof *s);
}

int table_column(const data_table* t, const char* key)
{
    for (int i = 0; i < t->count; ++i)
        if (strcmp(t->column[i].key, key) == 0) return i;
    return -1;
}

void table_write_csv(const data_table* t, FILE* out)
{
    const rows form = {t->column, t->count, FORM_CSV, out, NULL};
    rows_head(&form);
    for (int i = 0; i < t->rows; ++i) rows_add(&form, cell_at(t, i, 0));
}

// ---- for people ---------------------------------------------------------------------------------

static bool is_absent(const column* c, const cell* value)
{
    return c->kind == COLUMN_TEXT ? !value->text : !isfinite(value->number);
}

static bool is_same(const column* c, const cell* a, const cell* b)
{
    if (is_absent(c, a) || is_absent(c, b)) return is_absent(c, a) && is_absent(c, b);
    return c->kind == COLUMN_TEXT ? strcmp(a->text, b->text) == 0 : a->number == b->number;
}

// Whether all rows have the same in a column. A table of one row has nothing in common.
static bool is_common(const data_table* t, int which)
{
    bool same = t->rows > 1 || is_absent(&t->column[which], cell_at(t, 0, which));
    for (int i = 1; i < t->rows; ++i)
        same = same && is_same(&t->column[which], cell_at(t, 0, which), cell_at(t, i, which));
    return same;
}

static void write_cell(const column* c, const cell* value, FILE* out)
{
    if (is_absent(c, value)) return;
    if (c->kind == COLUMN_TEXT)
        fputs(value->text, out);
    else if (c->kind == COLUMN_INT || fabs(value->number) >= 1e6)
        fprintf(out, c->kind == COLUMN_INT ? "%.0f" : "%.4g", value->number);
    else
        fprintf(out, "%.*f", c->decimals, value->number);
}

static void write_common(const data_table* t, FILE* out)
{
    bool any = false;
    for (int i = 0; i < t->count; ++i) {
        if (!is_common(t, i) || is_absent(&t->column[i], cell_at(t, 0, i))) continue;
        if (strcmp(t->column[i].key, "bench") == 0) continue;
        fprintf(out, "%s%s ", any ? ", " : "In all rows: ", t->column[i].key);
        write_cell(&t->column[i], cell_at(t, 0, i), out);
        any = true;
    }
    if (any) fputs(".\n\n", out);
}

void table_write_markdown(const data_table* t, int most, FILE* out)
{
    if (t->rows == 0) return;
    write_common(t, out);
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < t->count; ++i)
            if (!is_common(t, i)) fprintf(out, "|%s", pass ? "---" : t->column[i].key);
        fputs("|\n", out);
    }
    for (int r = 0; r < t->rows && r < most; ++r) {
        for (int i = 0; i < t->count; ++i) {
            if (is_common(t, i)) continue;
            fputc('|', out);
            write_cell(&t->column[i], cell_at(t, r, i), out);
        }
        fputs("|\n", out);
    }
    if (t->rows > most)
        fprintf(out, "\nThe first %d of %d rows; all are in the .csv.\n", most, t->rows);
    fputc('\n', out);
}
