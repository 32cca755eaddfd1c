// Cells as the VTK formats keep them: three lists, put together when all are read.
#pragma once
#include "meshfile/draft.h"

typedef struct {
    int count;
    int* type;   // VTK's number of the cell type
    int* end;    // one behind the cell's last corner
    int* corner; // `corner_count` of them
    int* region; // or NULL
    int corner_count;
} cell_lists;

void cells_release(cell_lists* cells);

// `count` whole numbers at the cursor, each from low to high; from mem_alloc. NULL on failure.
int* read_integers(cursor* c, int count, scalar type, int low, int high, const char* what);

// Adds the cells to the draft. Messages point at the cursor.
void cells_assemble(cursor* c, draft* d, const cell_lists* cells);
