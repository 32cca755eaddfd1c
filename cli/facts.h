// Facts of one object, as lines of text or as one JSON object: the same keys in both.
#pragma once
#include "pliant.h"
#include "rows.h"

typedef struct {
    json_t* root;    // NULL: text on stdout, as the facts come
    json_t* section; // where facts go: the root, or the object of the last heading
} facts;

facts facts_start(bool json);
// A heading in the text, an object of this name in JSON; NULL goes back to the root.
void facts_heading(facts* r, const char* key);
void facts_int(facts* r, const char* key, double value);
void facts_number(facts* r, const char* key, double value, const char* unit);
void facts_text(facts* r, const char* key, const char* value);
void facts_numbers(facts* r, const char* key, const double* value, int count, const char* unit);
// A place of a thing of this size [m], with as many decimals as the size has.
void facts_place(facts* r, const char* key, const double at[3], double size);
// Rows of a table: aligned in the text, an array of objects in JSON.
void facts_rows(facts* r, const char* key, const column* columns, int column_count,
                const cell* cells, int row_count);
void facts_end(facts* r); // prints the JSON object

// "pliant mesh: why" on stderr with pliant_error_text(); returns EXIT_FAILED.
int tell_failure(const char* command);
// "pliant mesh: --scale: why" on stderr, with the way to the help; returns EXIT_USAGE.
int tell_usage(const char* command, const char* about, const char* why);
