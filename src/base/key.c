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
    char to[40] = "";
    if (k->high < DBL_MAX)
        snprintf(to, sizeof to, "%s%s %g", above || below ? "," : "", below ? " below" : " to",
                 k->high);
    else if (!above)
        snprintf(to, sizeof to, " or more");
    const char* unit = k->unit ? k->unit : "";
    snprintf(out.text, sizeof out.text, "%s%g%s%s%s%s%s", above ? "above " : "", k->low, to,
             k->ends & OR_ZERO ? ", or 0" : "", *unit ? " [" : "", unit, *unit ? "]" : "");
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

// ---- defaults -----------------------------------------------------------------------------------

static void set_number(const key* k, void* item, double value)
{
    void* member = key_member(k, item);
    if (k->kind == KEY_NUMBER) *(double*)member = value;
    if (k->kind == KEY_INT || k->kind == KEY_WORD) *(int*)member = (int)value;
    if (k->kind == KEY_FLAG) *(bool*)member = value != 0;
}

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
            set_number(k, out, k->standard);
    }
}

void table_preset(const key_table* table, int number, void* out)
{
    for (int i = 0; i < PRESET_NUMBERS; ++i)
        set_number(&table->keys[i], out, table->presets[number].number[i]);
}

// ---- checks -------------------------------------------------------------------------------------

static pliant_result check_number(const key* k, double value, const char* of)
{
    if (key_takes(k, value)) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT, "%s: %s is %g, it must be %s", of, k->name, value,
                key_range_of(k).text);
}

static pliant_result check_word(const key* k, int value, const char* of)
{
    for (int i = 0; k->words[i]; ++i)
        if (i == value) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT, "%s: %s is %d, which is none of its values (%s)", of,
                k->name, value, key_words_of(k).text);
}

static pliant_result check_key(const key* k, const void* value, const char* of)
{
    switch (k->kind) {
    case KEY_NUMBER:
        return check_number(k, *(const double*)value, of);
    case KEY_INT:
        return check_number(k, *(const int*)value, of);
    case KEY_WORD:
        return check_word(k, *(const int*)value, of);
    case KEY_OBJECT:
        return table_check(k->inner, value, k->name);
    case KEY_SAME:
        return table_check(k->inner, value, of);
    default:
        return PLIANT_OK;
    }
}

pliant_result table_check(const key_table* table, const void* item, const char* of)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < table->key_count && !result; ++i)
        result = check_key(&table->keys[i], key_value(&table->keys[i], item), of);
    return result;
}
