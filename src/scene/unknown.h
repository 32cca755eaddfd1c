// Keys of a scene file that no table has, and what may have been meant.
#pragma once
#include "scene/table.h"

// The key that names a preset, in the objects of tables that have some.
#define PRESET_KEY "preset"

// Refuses the first key that is neither in the table nor a comment, which begins with an
// underscore.
pliant_result table_check_unknown(const key_table* table, const json_t* json, const place* at);
