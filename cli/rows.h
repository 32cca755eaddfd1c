// Rows of results in one of three forms: an aligned table, JSON objects one a line, CSV.
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

typedef enum { FORM_ALIGNED, FORM_JSON, FORM_CSV } rows_form;

typedef enum { COLUMN_TEXT, COLUMN_INT, COLUMN_NUMBER } column_kind;

typedef struct {
    const char* key; // in JSON and CSV, and above the aligned column
    column_kind kind;
    int width;    // of the aligned column; longer cells push the rest aside
    int decimals; // of an aligned COLUMN_NUMBER
} column;

// What a row has in a column: `text` in a COLUMN_TEXT, `number` elsewhere. NULL and numbers that
// are not finite mean that there is nothing to say: "-" in a table, nothing in CSV, no key in JSON.
typedef union {
    const char* text;
    double number;
} cell;

typedef struct {
    const column* column;
    int count;
    rows_form form;
    FILE* out;
    struct sheet* keep; // NULL: rows are printed and forgotten
} rows;

void rows_head(const rows* t); // nothing for JSON
void rows_add(const rows* t, const cell* row);

// A row as a JSON object; NULL when memory runs out.
json_t* rows_object(const rows* t, const cell* row);

// A JSON string; bytes that are not UTF-8 become question marks.
json_t* json_text(const char* text);
