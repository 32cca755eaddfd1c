#include "base/key.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- ranges -------------------------------------------------------------------------------------

bool key_takes(const key* k, double value)
{
    if (value == 0 && k->ends & OR_ZERO) return true;
    bool above = k->ends & OPEN_LOW ? value > k->low : value >= k->low;
    return above && (k->ends & OPEN_HIGH ? value < k->high : value <= k->high);
}

key_range key_range_of(const key* k)
{
    key_range out;
    bool above = k->ends & OPEN_LOW, below = k->ends & OPEN_HIGH;
    char from[40], to[40] = "";
    snprintf(from, sizeof from, "%s%g", above ? "above " : "", k->low);
    if (k->low <= -DBL_MAX)
        snprintf(from, sizeof from, "finite");
    else if (k->high < DBL_MAX)
        snprintf(to, sizeof to, "%s%s %g", above || below ? "," : "", below ? " below" : " to",
                 k->high);
    else if (!above)
        snprintf(to, sizeof to, " or more");
    const char* unit = k->unit ? k->unit : "";
    snprintf(out.text, sizeof out.text, "%s%s%s%s%s%s", from, to, k->ends & OR_ZERO ? ", or 0" : "",
             *unit ? " [" : "", unit, *unit ? "]" : "");
    return out;
}

key_words key_words_of(const key* k)
{
    key_words out = {""};
    for (int i = 0; k->words[i]; ++i) {
        strncat(out.text, i ? ", " : "", sizeof out.text - strlen(out.text) - 1);
        strncat(out.text, k->words[i], sizeof out.text - strlen(out.text) - 1);
    }
    return out;
}

// ---- numbers ------------------------------------------------------------------------------------

int key_numbers_of(const key* k, const void* item, double out[KEY_NUMBERS_MOST])
{
    const void* member = key_value(k, item);
    const float* real = (const float*)member;
    int reals = k->kind == KEY_VEC3 ? 3 : k->kind == KEY_ROTATION ? 4 : 1;
    switch (k->kind) {
    case KEY_NUMBER:
        out[0] = *(const double*)member;
        return 1;
    case KEY_VECTOR:
        memcpy(out, member, 3 * sizeof(double));
        return 3;
    case KEY_REAL:
    case KEY_PAIR:
    case KEY_VEC3:
    case KEY_ROTATION:
        for (int i = 0; i < reals; ++i) out[i] = (double)real[i];
        return reals;
    case KEY_INT:
    case KEY_AUTO:
    case KEY_WORD:
        out[0] = *(const int*)member;
        return 1;
    case KEY_FLAG:
        out[0] = *(const bool*)member;
        return 1;
    case KEY_BITS:
        out[0] = *(const uint32_t*)member;
        return 1;
    default:
        return 0;
    }
}

static void set_reals(float* out, int count, const double value[])
{
    for (int i = 0; i < count; ++i) out[i] = (float)value[i];
}

static void set_numbers(const key* k, void* item, const double value[KEY_NUMBERS_MOST])
{
    void* member = key_member(k, item);
    const double both[2] = {value[0], value[0]};
    if (k->kind == KEY_NUMBER) *(double*)member = value[0];
    if (k->kind == KEY_VECTOR) memcpy(member, value, 3 * sizeof(double));
    if (k->kind == KEY_REAL) set_reals((float*)member, 1, value);
    if (k->kind == KEY_PAIR) set_reals((float*)member, 2, both);
    if (k->kind == KEY_VEC3) set_reals((float*)member, 3, value);
    if (k->kind == KEY_ROTATION) set_reals((float*)member, 4, value);
    if (k->kind == KEY_INT || k->kind == KEY_AUTO || k->kind == KEY_WORD)
        *(int*)member = (int)value[0];
    if (k->kind == KEY_FLAG) *(bool*)member = value[0] != 0;
    if (k->kind == KEY_BITS) *(uint32_t*)member = (uint32_t)value[0];
}

// ---- defaults -----------------------------------------------------------------------------------

void table_defaults(const key_table* table, void* out)
{
    if (table->defaults)
        memcpy(out, table->defaults, table->bytes);
    else
        memset(out, 0, table->bytes);
    for (int i = 0; i < table->key_count; ++i) {
        const key* k = &table->keys[i];
        if (k->kind == KEY_OBJECT || k->kind == KEY_SAME)
            table_defaults(k->inner, key_member(k, out));
        else if (!table->defaults)
            set_numbers(k, out, k->standard);
    }
}

void table_preset(const key_table* table, int number, void* out)
{
    for (int i = 0; i < table->preset_numbers; ++i)
        set_numbers(&table->keys[i], out, &table->presets[number].number[i]);
}

// ---- checks -------------------------------------------------------------------------------------

// "0.5", "[1, 2, nan]"
typedef struct {
    char text[96];
} number_text;

static number_text text_of(const double value[], int count)
{
    number_text out = {""};
    size_t at = 0;
    for (int i = 0; i < count; ++i)
        at += (size_t)snprintf(out.text + at, sizeof out.text - at, "%s%g",
                               i ? ", " : (count > 1 ? "[" : ""), value[i]);
    if (count > 1) snprintf(out.text + at, sizeof out.text - at, "]");
    return out;
}

static pliant_result check_numbers(const key* k, const double value[], int count, const char* of)
{
    bool good = true;
    for (int i = 0; i < count; ++i) good = good && key_takes(k, value[i]);
    if (good) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT, "%s: %s is %s, %s must be %s", of, k->name,
                text_of(value, count).text, count > 1 ? "each" : "it", key_range_of(k).text);
}

static pliant_result check_rotation(const key* k, const double q[4], const char* of)
{
    double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (square > 0 && isfinite(square)) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT,
                "%s: %s is %s, it must be finite and not zero; the identity is [0, 0, 0, 1]", of,
                k->name, text_of(q, 4).text);
}

static pliant_result check_word(const key* k, int value, const char* of)
{
    for (int i = 0; k->words[i]; ++i)
        if (i == value) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT, "%s: %s is %d, which is none of its values (%s)", of,
                k->name, value, key_words_of(k).text);
}

static pliant_result check_key(const key* k, const void* item, const char* of)
{
    double value[KEY_NUMBERS_MOST];
    int count = key_numbers_of(k, item, value);
    switch (k->kind) {
    case KEY_NUMBER:
    case KEY_REAL:
    case KEY_INT:
    case KEY_AUTO:
    case KEY_VECTOR:
    case KEY_VEC3:
        return check_numbers(k, value, count, of);
    case KEY_ROTATION:
        return check_rotation(k, value, of);
    case KEY_WORD:
        return check_word(k, (int)value[0], of);
    case KEY_OBJECT:
        return table_check(k->inner, key_value(k, item), k->name);
    case KEY_SAME:
        return table_check(k->inner, key_value(k, item), of);
    default:
        return PLIANT_OK;
    }
}

pliant_result table_check(const key_table* table, const void* item, const char* of)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < table->key_count && !result; ++i)
        result = check_key(&table->keys[i], item, of);
    return result;
}

pliant_result table_check_value(const key_table* table, const char* name, const void* value,
                                const char* of)
{
    for (int i = 0; i < table->key_count; ++i) {
        key alone = table->keys[i];
        alone.offset = 0;
        if (strcmp(alone.name, name) == 0) return check_key(&alone, value, of);
    }
    return PLIANT_OK;
}
