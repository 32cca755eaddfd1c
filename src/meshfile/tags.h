// Numbers that a file gives to its nodes or entities, in any order and with gaps, and the order in
// which they came.
#pragma once
#include "meshfile/cursor.h"

typedef struct {
    int64_t tag;
    int index; // how many came before
} tag_entry;

typedef struct {
    tag_entry* entry; // in the order of addition until tags_index, then by tag
    int count, capacity;
    int* table; // index by tag - low, where the tags are dense; otherwise NULL
    int64_t low, high;
    bool indexed;
} tag_map;

void tags_release(tag_map* map);
void tags_add(cursor* c, tag_map* map, int64_t tag);
// After the last addition, before the first search. Refuses a tag that came twice, and
// to be called twice.
void tags_index(cursor* c, tag_map* map, const char* what);
int tags_find(const tag_map* map, int64_t tag); // -1: not there

// By tag, then by index. False: out of memory.
bool tags_sort(tag_entry* entry, int count);
