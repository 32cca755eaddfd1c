// The list of members of a definition: defaults, ranges and their sentences come from it.
#include "asset/members.h"
#include "check.h"
#include "scene.h"
#include <float.h>
#include <math.h>
#include <string.h>

static void set(const key* k, void* item, double value)
{
    void* member = key_member(k, item);
    if (k->kind == KEY_NUMBER)
        *(double*)member = value;
    else
        *(int*)member = (int)value;
}

// The sentence names the member, what it is and what it may be.
static void refuse(const pliant_soft_def* def, const pliant_mesh* mesh, const key* k)
{
    pliant_asset* asset = NULL;
    assert_int_equal(pliant_asset_create(mesh, def, &asset), PLIANT_ERROR_ARGUMENT);
    assert_null(asset);
    const char* text = pliant_error_text();
    const char* may_be = k->kind == KEY_WORD ? key_words_of(k).text : key_range_of(k).text;
    if (!strstr(text, k->name) || !strstr(text, may_be))
        fail_msg("%s: \"%s\" does not say \"%s\"", k->name, text, may_be);
}

// Values beyond both ends of one member, in a definition that is good otherwise.
static void refuse_beyond(const key* k, size_t at, const pliant_mesh* mesh)
{
    bool whole = k->kind == KEY_INT;
    double beyond[3] = {k->low - 1, k->high < DBL_MAX ? k->high + 1 : INFINITY,
                        whole ? k->low - 1 : NAN};
    int count = 3;
    if (k->kind == KEY_WORD) {
        beyond[0] = -1;
        for (beyond[1] = 0; k->words[(int)beyond[1]];) ++beyond[1];
        count = 2;
    }
    for (int i = 0; i < count; ++i) {
        pliant_soft_def def = pliant_soft_defaults();
        if (k->ends & OR_ZERO && beyond[i] == 0) continue;
        set(k, (char*)&def + at, beyond[i]);
        refuse(&def, mesh, k);
    }
}

static int refuse_table(const key_table* table, size_t at, const pliant_mesh* mesh)
{
    int tried = 0;
    for (int i = 0; i < table->key_count; ++i) {
        const key* k = &table->keys[i];
        if (k->kind == KEY_OBJECT) {
            tried += refuse_table(k->inner, at + k->offset, mesh);
        } else if (k->kind != KEY_FLAG) {
            refuse_beyond(k, at, mesh);
            ++tried;
        }
    }
    return tried;
}

static void members_beyond_their_range_are_refused_by_name(void** unused)
{
    (void)unused;
    pliant_mesh* mesh = one_tet(1);
    CHECK_BETWEEN(refuse_table(&soft_members, 0, mesh), 38, 100);
    pliant_mesh_destroy(mesh);
}

static void open_ends_are_refused_and_closed_ones_are_not(void** unused)
{
    (void)unused;
    static const key open = {.name = "open", BETWEEN(0, 2)}, closed = {.name = "x", WITHIN(0, 2)},
                     none = {.name = "none", OR_NONE(16, 100)},
                     large = {.name = "large", POSITIVE, .unit = "m"};
    assert_false(key_takes(&open, 0) || key_takes(&open, 2) || key_takes(&open, NAN));
    assert_true(key_takes(&open, DBL_MIN) && key_takes(&open, 1.999));
    assert_true(key_takes(&closed, 0) && key_takes(&closed, 2));
    assert_true(key_takes(&none, 0) && key_takes(&none, 16));
    assert_false(key_takes(&none, 1) || key_takes(&none, -1) || key_takes(&none, 101));
    assert_string_equal(key_range_of(&open).text, "above 0, below 2");
    assert_string_equal(key_range_of(&closed).text, "0 to 2");
    assert_string_equal(key_range_of(&none).text, "16 to 100, or 0");
    assert_true(key_takes(&large, 1e300) && !key_takes(&large, 0) && !key_takes(&large, INFINITY));
    assert_string_equal(key_range_of(&large).text, "above 0 [m]");
}

static void presets_are_good_materials_and_the_first_is_the_default(void** unused)
{
    (void)unused;
    const pliant_material_def standard = pliant_soft_defaults().material;
    for (int i = 0; material_members.presets[i].name; ++i) {
        pliant_material_def m = standard;
        table_preset(&material_members, i, &m);
        CHECK_OK(table_check(&material_members, &m, material_members.presets[i].name));
        if (i == 0) assert_memory_equal(&m, &standard, sizeof m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_beyond_their_range_are_refused_by_name),
        cmocka_unit_test(open_ends_are_refused_and_closed_ones_are_not),
        cmocka_unit_test(presets_are_good_materials_and_the_first_is_the_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
