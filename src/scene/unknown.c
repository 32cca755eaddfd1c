#include "scene/unknown.h"
#include "scene/nearest.h"
#include <stdio.h>
#include <string.h>

// In the struct itself, and in those whose keys stand among its own.
static bool has_key(const key_table* table, const char* name)
{
    if (table->presets && strcmp(name, PRESET_KEY) == 0) return true;
    for (int i = 0; i < table->key_count; ++i) {
        const key* k = &table->keys[i];
        if (k->kind == KEY_SAME && has_key(k->inner, name)) return true;
        if (k->kind != KEY_SAME && !k->not_in_scenes && strcmp(k->name, name) == 0) return true;
    }
    return false;
}

static void try_names(const key_table* table, nearest* meant)
{
    for (int i = 0; i < table->key_count; ++i) {
        const key* k = &table->keys[i];
        if (k->kind == KEY_SAME)
            try_names(k->inner, meant);
        else if (!k->not_in_scenes)
            nearest_try(meant, k->name);
    }
}

// The object of a table that has the key, for what is one level too high.
static const char* find_object(const key_table* table, const char* name)
{
    const char* found = NULL;
    for (int i = 0; i < table->key_count && !found; ++i) {
        const key* k = &table->keys[i];
        if (k->kind == KEY_SAME) found = find_object(k->inner, name);
        if (k->kind == KEY_OBJECT && has_key(k->inner, name)) found = k->name;
    }
    return found;
}

// The name of a key that had another one before, as seen from the body or mesh; NULL: none had.
static const char* name_now(const char* name)
{
    static const char* const renamed[][2] = {
        {"manner", "research.stiffness_mode"},
        {"graphs", "research.color_scope"},
        {"parameters", "research.lame_convention"},
        {"angular_momentum", "research.rotation"},
        {"made_for", "solver.target_backend"},
        {"rope_radius", "rope.radius"},
        {"coarsen", "coarsening"},
    };
    for (size_t i = 0; i < sizeof renamed / sizeof renamed[0]; ++i)
        if (strcmp(name, renamed[i][0]) == 0) return renamed[i][1];
    return NULL;
}

static advice advise(const key_table* table, const char* name)
{
    const char *now = name_now(name), *object = find_object(table, name);
    nearest meant = nearest_to(name);
    advice out;
    try_names(table, &meant);
    if (now)
        snprintf(out.text, sizeof out.text, "; it is called '%s' now", now);
    else if (object)
        snprintf(out.text, sizeof out.text, "; it belongs into its '%s'", object);
    else
        out = nearest_advice(&meant);
    return out;
}

// A key that nothing is known of; keys that begin with an underscore are comments.
pliant_result table_check_unknown(const key_table* table, const json_t* json, const place* at)
{
    void* step = json_object_iter((json_t*)json);
    for (; step; step = json_object_iter_next((json_t*)json, step)) {
        const char* name = json_object_iter_key(step);
        if (name[0] == '_' || has_key(table, name)) continue;
        place wrong = place_key(at, name);
        return fail_at(PLIANT_ERROR_FORMAT, &wrong,
                       "a %s has no such key%s (pliant run --scene-help lists them all)",
                       table->name, advise(table, name).text);
    }
    return PLIANT_OK;
}
