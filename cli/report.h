// Facts of one object, as lines of text or as one JSON object: the same keys in both.
#pragma once
#include "pliant.h"
#include "table.h"

typedef struct {
    json_t* root;    // NULL: text on stdout, as the facts come
    json_t* section; // where facts go: the root, or the object of the last heading
} report;

report report_start(bool json);
// A heading in the text, an object of this name in JSON; NULL goes back to the root.
void report_heading(report* r, const char* key);
void report_int(report* r, const char* key, double value);
void report_number(report* r, const char* key, double value, const char* unit);
void report_text(report* r, const char* key, const char* value);
void report_numbers(report* r, const char* key, const double* value, int count, const char* unit);
// Rows of a table: aligned in the text, an array of objects in JSON.
void report_rows(report* r, const char* key, const column* columns, int column_count,
                 const cell* cells, int row_count);
void report_end(report* r); // prints the JSON object

// "pliant mesh: why" on stderr with pliant_error_text(); returns EXIT_FAILED.
int report_failure(const char* command);
