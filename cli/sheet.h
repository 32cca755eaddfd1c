// Tables that are kept: for files beside what is printed, and for plots of their columns.
#pragma once
#include "rows.h"

typedef struct {
    const column* column; // as long as the program
    int count;            // columns
    cell* cell;           // row by row; texts are owned
    int rows, cell_capacity;
} data_table;

typedef struct sheet {
    data_table* table;
    int count, capacity;
    bool failed; // memory ran out: nothing more is kept
} sheet;

void sheet_begin(sheet* s, const column* columns, int count); // another table
void sheet_add(sheet* s, const cell* row);                    // to the last one
void sheet_release(sheet* s);

// The number of a column; -1: there is none.
int table_column(const data_table* t, const char* key);

void table_write_csv(const data_table* t, FILE* out);
// For people: columns without anything are left out, and those with one value for all rows stand in
// a line above. At most `most` rows.
void table_write_markdown(const data_table* t, int most, FILE* out);
