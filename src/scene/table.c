#include "scene/table.h"
#include "base/memory.h"
#include "math/circle.h"
#include "scene/nearest.h"
#include "scene/unknown.h"
#include <float.h>
#include <math.h>
#include <string.h>

static const char* type_name(const json_t* json)
{
    switch (json_typeof(json)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a text";
    case JSON_NULL:
        return "null";
    case JSON_TRUE:
    case JSON_FALSE:
        return "true or false";
    default:
        return "a number";
    }
}

static pliant_result wrong_type(const json_t* json, const place* at, const char* wanted)
{
    return fail_at(PLIANT_ERROR_FORMAT, at, "%s is needed, not %s", wanted, type_name(json));
}

// ---- numbers ------------------------------------------------------------------------------------

static pliant_result read_number(const key* k, const json_t* json, const place* at, double* out)
{
    if (!json_is_number(json)) return wrong_type(json, at, "a number");
    double value = json_number_value(json);
    if (!isfinite(value)) return fail_at(PLIANT_ERROR_FORMAT, at, "the number is not finite");
    if (!key_takes(k, value))
        return fail_at(PLIANT_ERROR_FORMAT, at, "%g is out of range: %s", value,
                       key_range_of(k).text);
    *out = value;
    return PLIANT_OK;
}

static pliant_result read_reals(const key* k, const double value[], int count, const place* at,
                                float* out)
{
    for (int i = 0; i < count; ++i) {
        if (fabs(value[i]) > FLT_MAX)
            return fail_at(PLIANT_ERROR_FORMAT, at,
                           "%g is too large for the single precision of %s", value[i], k->name);
        out[i] = (float)value[i];
    }
    return PLIANT_OK;
}

static pliant_result read_real(const key* k, const json_t* json, const place* at, float* out)
{
    double value = 0;
    pliant_result result = read_number(k, json, at, &value);
    return result ? result : read_reals(k, &value, 1, at, out);
}

// One number for two members.
static pliant_result read_pair(const key* k, const json_t* json, const place* at, float out[2])
{
    pliant_result result = read_real(k, json, at, &out[0]);
    if (!result) out[1] = out[0];
    return result;
}

static pliant_result read_int(const key* k, const json_t* json, const place* at, int* out)
{
    double value = 0;
    pliant_result result = read_number(k, json, at, &value);
    if (result) return result;
    if (value != floor(value))
        return fail_at(PLIANT_ERROR_FORMAT, at, "%g is not a whole number", value);
    *out = (int)value;
    return PLIANT_OK;
}

static pliant_result read_auto(const key* k, const json_t* json, const place* at, int* out)
{
    if (!json_is_string(json)) return read_int(k, json, at, out);
    if (strcmp(json_string_value(json), "auto") != 0)
        return fail_at(PLIANT_ERROR_FORMAT, at, "'%.40s' is neither a number nor \"auto\"",
                       json_string_value(json));
    *out = 0;
    return PLIANT_OK;
}

static pliant_result read_vector(const key* k, const json_t* json, const place* at, double out[3])
{
    if (!json_is_array(json)) return wrong_type(json, at, "an array of 3 numbers");
    if (json_array_size(json) != 3)
        return fail_at(PLIANT_ERROR_FORMAT, at, "3 numbers are needed, not %zu",
                       json_array_size(json));
    for (int i = 0; i < 3; ++i) {
        place item = place_item(at, i);
        pliant_result result = read_number(k, json_array_get(json, (size_t)i), &item, &out[i]);
        if (result) return result;
    }
    return PLIANT_OK;
}

static pliant_result read_vec3(const key* k, const json_t* json, const place* at, float out[3])
{
    double value[3];
    pliant_result result = read_vector(k, json, at, value);
    return result ? result : read_reals(k, value, 3, at, out);
}

static pliant_result read_counts(const key* k, const json_t* json, const place* at, int out[3])
{
    double value[3];
    pliant_result result = read_vector(k, json, at, value);
    for (int i = 0; i < 3 && !result; ++i) {
        place item = place_item(at, i);
        result = read_int(k, json_array_get(json, (size_t)i), &item, &out[i]);
    }
    return result;
}

static pliant_result read_numbers(const key* k, const json_t* json, const place* at,
                                  scene_numbers* out)
{
    if (!json_is_array(json)) return wrong_type(json, at, "an array of numbers");
    if (json_array_size(json) > MOST_TIMES)
        return fail_at(PLIANT_ERROR_FORMAT, at, "%zu numbers are too many: at most %d",
                       json_array_size(json), MOST_TIMES);
    out->count = 0;
    for (int i = 0; i < (int)json_array_size(json); ++i) {
        place item = place_item(at, i);
        pliant_result result =
            read_number(k, json_array_get(json, (size_t)i), &item, &out->value[i]);
        if (result) return result;
        out->count = i + 1;
    }
    return PLIANT_OK;
}

// Numbers of bits.
static pliant_result read_bits(const key* k, const json_t* json, const place* at, uint32_t* out)
{
    uint32_t bits = 0;
    pliant_result result = PLIANT_OK;
    if (!json_is_array(json)) return wrong_type(json, at, "an array of numbers");
    for (size_t i = 0; i < json_array_size(json) && !result; ++i) {
        place item = place_item(at, (int)i);
        int number = 0;
        result = read_int(k, json_array_get(json, i), &item, &number);
        bits |= 1u << (unsigned)number;
    }
    if (!result) *out = bits;
    return result;
}

// ---- rotations ----------------------------------------------------------------------------------

static pliant_result read_quaternion(const json_t* json, const place* at, pliant_quat* out)
{
    const key part = {.low = -1e6, .high = 1e6};
    double q[4], square = 0;
    for (int i = 0; i < 4; ++i) {
        place item = place_item(at, i);
        pliant_result result = read_number(&part, json_array_get(json, (size_t)i), &item, &q[i]);
        if (result) return result;
        square += q[i] * q[i];
    }
    if (!(square > FLT_MIN))
        return fail_at(PLIANT_ERROR_FORMAT, at,
                       "the quaternion is zero; [0, 0, 0, 1] turns nothing");
    double s = 1 / sqrt(square);
    *out =
        (pliant_quat){(float)(q[0] * s), (float)(q[1] * s), (float)(q[2] * s), (float)(q[3] * s)};
    return PLIANT_OK;
}

typedef struct {
    double axis[3], degrees;
} axis_angle;

static const key axis_angle_keys[] = {
    {KEY(VECTOR, axis_angle, axis), WITHIN(-1e6, 1e6), .help = "direction; of any length",
     .required = true},
    {KEY(NUMBER, axis_angle, degrees), WITHIN(-1e6, 1e6), .unit = "degrees",
     .help = "counter-clockwise seen against the axis", .required = true},
};
static const axis_angle no_turn = {{0, 1, 0}, 0};
static const key_table axis_angle_table = {TABLE(axis_angle_keys, axis_angle), .name = "rotation",
                                           .help = "", .defaults = &no_turn};

static pliant_result read_rotation(const json_t* json, const place* at, pliant_quat* out)
{
    axis_angle turn;
    if (json_is_array(json) && json_array_size(json) == 4) return read_quaternion(json, at, out);
    if (!json_is_object(json))
        return wrong_type(json, at,
                          "{\"axis\": [x, y, z], \"degrees\": n} or a quaternion [x, y, z, w]");
    pliant_result result = table_read(&axis_angle_table, json, at, &turn);
    if (result) return result;
    double length = sqrt(turn.axis[0] * turn.axis[0] + turn.axis[1] * turn.axis[1] +
                         turn.axis[2] * turn.axis[2]);
    place axis = place_key(at, "axis");
    if (!(length > 1e-30)) return fail_at(PLIANT_ERROR_FORMAT, &axis, "the axis has no direction");
    circle_point half = circle_at_degrees(turn.degrees / 2);
    double s = half.sine / length;
    *out = (pliant_quat){(float)(s * turn.axis[0]), (float)(s * turn.axis[1]),
                         (float)(s * turn.axis[2]), (float)half.cosine};
    return PLIANT_OK;
}

// ---- words and texts ----------------------------------------------------------------------------

static pliant_result read_word(const key* k, const json_t* json, const place* at, int* out)
{
    if (!json_is_string(json)) return wrong_type(json, at, "a word");
    const char* text = json_string_value(json);
    nearest meant = nearest_to(text);
    for (int i = 0; k->words[i]; ++i) {
        if (strcmp(k->words[i], text) == 0) {
            *out = i;
            return PLIANT_OK;
        }
        nearest_try(&meant, k->words[i]);
    }
    return fail_at(PLIANT_ERROR_FORMAT, at, "'%.60s' is none of %s%s", text, key_words_of(k).text,
                   nearest_advice(&meant).text);
}

static pliant_result read_flag(const json_t* json, const place* at, bool* out)
{
    if (!json_is_boolean(json)) return wrong_type(json, at, "true or false");
    *out = json_is_true(json);
    return PLIANT_OK;
}

// True clears what another key of the member has set.
static pliant_result read_none(const json_t* json, const place* at, uint32_t* out)
{
    bool none = false;
    pliant_result result = read_flag(json, at, &none);
    if (none) *out = 0;
    return result;
}

static pliant_result read_text(const json_t* json, const place* at, char** out)
{
    if (!json_is_string(json)) return wrong_type(json, at, "a text");
    size_t bytes = json_string_length(json);
    const char* text = json_string_value(json);
    if (bytes > 4000) return fail_at(PLIANT_ERROR_FORMAT, at, "the text is longer than 4000 bytes");
    if (strlen(text) != bytes) return fail_at(PLIANT_ERROR_FORMAT, at, "the text has a zero byte");
    *out = (char*)mem_alloc(bytes + 1);
    if (!*out) return PLIANT_ERROR_MEMORY;
    memcpy(*out, text, bytes + 1);
    return PLIANT_OK;
}

// ---- objects and lists --------------------------------------------------------------------------

enum { MOST_ITEMS = 100000 };

static pliant_result read_items(const key* k, const json_t* json, const place* at, scene_list* out)
{
    bool list = k->kind == KEY_LIST;
    if (list && !json_is_array(json)) return wrong_type(json, at, "an array of objects");
    size_t count = list ? json_array_size(json) : 1;
    if (count > MOST_ITEMS)
        return fail_at(PLIANT_ERROR_FORMAT, at, "%zu are too many: at most %d (see \"copies\")",
                       count, MOST_ITEMS);
    if (count == 0) return PLIANT_OK;
    out->item = mem_array_zero(count, k->inner->bytes);
    if (!out->item) return PLIANT_ERROR_MEMORY;
    for (size_t i = 0; i < count; ++i) {
        place item = list ? place_item(at, (int)i) : *at;
        const json_t* value = list ? json_array_get(json, i) : json;
        out->count = (int)i + 1;
        pliant_result result =
            table_read(k->inner, value, &item, (char*)out->item + i * k->inner->bytes);
        if (result) return result;
    }
    return PLIANT_OK;
}

static pliant_result read_value(const key* k, const json_t* json, const place* at, void* out)
{
    switch (k->kind) {
    case KEY_NUMBER:
        return read_number(k, json, at, (double*)out);
    case KEY_REAL:
        return read_real(k, json, at, (float*)out);
    case KEY_PAIR:
        return read_pair(k, json, at, (float*)out);
    case KEY_VEC3:
        return read_vec3(k, json, at, (float*)out);
    case KEY_BITS:
        return read_bits(k, json, at, (uint32_t*)out);
    case KEY_NONE:
        return read_none(json, at, (uint32_t*)out);
    case KEY_NUMBERS:
        return read_numbers(k, json, at, (scene_numbers*)out);
    case KEY_VECTOR:
        return read_vector(k, json, at, (double*)out);
    case KEY_INT:
        return read_int(k, json, at, (int*)out);
    case KEY_AUTO:
        return read_auto(k, json, at, (int*)out);
    case KEY_COUNTS:
        return read_counts(k, json, at, (int*)out);
    case KEY_TEXT:
        return read_text(json, at, (char**)out);
    case KEY_WORD:
        return read_word(k, json, at, (int*)out);
    case KEY_FLAG:
        return read_flag(json, at, (bool*)out);
    case KEY_ROTATION:
        return read_rotation(json, at, (pliant_quat*)out);
    case KEY_OBJECT:
        return table_read(k->inner, json, at, out);
    case KEY_SAME:
    case KEY_MAYBE:
    case KEY_LIST:
        break;
    }
    return read_items(k, json, at, (scene_list*)out);
}

// ---- tables -------------------------------------------------------------------------------------

static pliant_result read_preset(const key_table* table, const json_t* json, const place* at,
                                 void* out)
{
    enum { MOST_PRESETS = 31 };
    const char* words[MOST_PRESETS + 1] = {NULL};
    for (int i = 0; i < MOST_PRESETS && table->presets[i].name; ++i)
        words[i] = table->presets[i].name;
    const key preset = {.name = PRESET_KEY, .kind = KEY_WORD, .words = words};
    int number;
    pliant_result result = read_word(&preset, json, at, &number);
    if (!result) table_preset(table, number, out);
    return result;
}

static pliant_result read_keys(const key_table* table, const json_t* json, const place* at,
                               void* out);

static pliant_result read_key(const key* k, const json_t* json, const place* at, void* out)
{
    const json_t* value = json_object_get(json, k->name);
    place inner = place_key(at, k->name);
    if (k->kind == KEY_SAME) return read_keys(k->inner, json, at, out);
    if (k->not_in_scenes) return PLIANT_OK;
    if (value) return read_value(k, value, &inner, out);
    if (k->required) return fail_at(PLIANT_ERROR_FORMAT, at, "the key '%s' is missing", k->name);
    return PLIANT_OK;
}

static pliant_result read_keys(const key_table* table, const json_t* json, const place* at,
                               void* out)
{
    const json_t* preset = table->presets ? json_object_get(json, PRESET_KEY) : NULL;
    place inner = place_key(at, PRESET_KEY);
    pliant_result result = preset ? read_preset(table, preset, &inner, out) : PLIANT_OK;
    for (int i = 0; i < table->key_count && !result; ++i)
        result = read_key(&table->keys[i], json, at, key_member(&table->keys[i], out));
    return result;
}

static pliant_result read_shorthand(const key_table* table, const json_t* json, const place* at,
                                    void* out)
{
    if (table->presets) return read_preset(table, json, at, out);
    for (int i = 0; i < table->key_count; ++i)
        if (strcmp(table->keys[i].name, table->shorthand) == 0)
            return read_value(&table->keys[i], json, at, key_member(&table->keys[i], out));
    return PLIANT_OK;
}

pliant_result table_read(const key_table* table, const json_t* json, const place* at, void* out)
{
    table_defaults(table, out);
    if ((table->shorthand || table->presets) && json_is_string(json))
        return read_shorthand(table, json, at, out);
    if (!json_is_object(json))
        return wrong_type(json, at,
                          table->presets     ? "an object or a word"
                          : table->shorthand ? "an object or a text"
                                             : "an object");
    pliant_result result = table_check_unknown(table, json, at);
    return result ? result : read_keys(table, json, at, out);
}

void table_release(const key_table* table, void* item)
{
    for (int i = 0; i < table->key_count; ++i) {
        const key* k = &table->keys[i];
        void* value = key_member(k, item);
        if (k->kind == KEY_TEXT) mem_free(*(char**)value);
        if (k->kind == KEY_OBJECT || k->kind == KEY_SAME) table_release(k->inner, value);
        if (k->kind != KEY_LIST && k->kind != KEY_MAYBE) continue;
        scene_list* list = (scene_list*)value;
        for (int n = 0; n < list->count; ++n)
            table_release(k->inner, (char*)list->item + (size_t)n * k->inner->bytes);
        mem_free(list->item);
    }
}
