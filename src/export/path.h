// Paths of what is written, and the files that a killed run left half done.
#pragma once
#include "base/error.h"

enum { PATH_BYTES = 4096 };

// folder/name
pliant_result path_join(const char* folder, const char* name, char out[PATH_BYTES]);
// The path of a file in the same folder as `path`.
pliant_result path_beside(const char* path, const char* name, char out[PATH_BYTES]);
// base and ending in one word
pliant_result path_extend(const char* base, const char* ending, char out[PATH_BYTES]);

// The name behind the last slash.
const char* path_name(const char* path);

// Makes the folder that the file will be in: a run must not end with a folder that is not there.
pliant_result path_make_folder(const char* path);
// Makes that folder and tells now, before the work, if no file can be written at `path`.
pliant_result path_try(const char* path);
// Whether the path can only mean a folder: it is one, ends with a slash, or has no extension.
bool path_means_folder(const char* path);
// The extension with its dot; "" where the name has none.
const char* path_ending(const char* path);

pliant_result path_save(const char* folder, const char* name, const void* data, size_t bytes);

// Removes the temporary files of writers that were killed (NAME.vtu.part123 and so on) from the
// folder of `path`: those whose names begin with `prefix` and have an ending that is written here.
void path_tidy(const char* path, const char* prefix);
