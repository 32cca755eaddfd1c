// Folders, and what is in them.
#pragma once
#include "base/error.h"

pliant_result folder_make(const char* path); // and its parents; fine if it exists
pliant_result folder_sync(const char* path); // all that was written in it is on the disk
bool file_exists(const char* path);          // exists and is no folder
bool folder_exists(const char* path);
void file_remove(const char* path); // fine if there is none

// Calls visit(name, context) for what is in a folder, in no order, and stops at the first failure.
typedef pliant_result folder_visit_fn(const char* name, void* context);
pliant_result folder_list(const char* path, folder_visit_fn* visit, void* context);
