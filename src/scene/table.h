// Scene files by tables of keys (base/key.h): a table reads a JSON object into a struct, finds
// unknown keys, frees what it owns and prints its documentation.
#pragma once
#include "base/key.h"
#include "scene/place.h"
#include "scene/scene.h"
#include <jansson.h>

// Fills `out` with the defaults and then with what `json` says. What was read so far is owned by
// `out` on failure too.
pliant_result table_read(const key_table* table, const json_t* json, const place* at, void* out);
void table_release(const key_table* table, void* item);

extern const key_table scene_table;
