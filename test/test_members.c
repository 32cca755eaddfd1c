// The lists of members of definitions: defaults, ranges and their sentences come from them.
#include "asset/members.h"
#include "check.h"
#include "scene.h"
#include "world/members.h"
#include <float.h>
#include <math.h>
#include <string.h>

// ---- every definition, by its list --------------------------------------------------------------

// A definition: its list, its defaults, and what takes it.
typedef struct {
    const key_table* members;
    void (*defaults)(void* out);
    pliant_result (*take)(const void* def);
} definition;

static void soft_defaults(void* out) { *(pliant_soft_def*)out = pliant_soft_defaults(); }
static void world_defaults(void* out) { *(pliant_world_def*)out = pliant_world_defaults(); }
static void body_defaults(void* out) { *(pliant_body_def*)out = pliant_body_defaults(); }
static void collider_defaults(void* out)
{
    *(pliant_collider_def*)out = pliant_collider_defaults();
}

static pliant_result take_soft(const void* def)
{
    pliant_mesh* mesh = one_tet(1);
    pliant_asset* asset = NULL;
    pliant_result result = pliant_asset_create(mesh, (const pliant_soft_def*)def, &asset);
    assert_true(!asset == (result != PLIANT_OK));
    pliant_asset_destroy(asset);
    pliant_mesh_destroy(mesh);
    return result;
}

static pliant_result take_world(const void* def)
{
    pliant_world* world = NULL;
    pliant_result result = pliant_world_create((const pliant_world_def*)def, &world);
    assert_true(!world == (result != PLIANT_OK));
    pliant_world_destroy(world);
    return result;
}

static pliant_world* plain_world(void)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.threads = 1;
    CHECK_OK(pliant_world_create(&def, &world));
    return world;
}

static pliant_result take_body(const void* def)
{
    pliant_mesh* mesh = one_tet(1);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world* world = plain_world();
    pliant_body_id id;
    pliant_result result =
        pliant_world_add_soft(world, mesh, &soft, (const pliant_body_def*)def, &id);
    assert_true(!id.index1 == (result != PLIANT_OK));
    pliant_world_destroy(world);
    pliant_mesh_destroy(mesh);
    return result;
}

static pliant_result take_collider(const void* def)
{
    pliant_world* world = plain_world();
    pliant_collider_id id;
    pliant_result result = pliant_world_add_collider(world, (const pliant_collider_def*)def, &id);
    assert_true(!id.index1 == (result != PLIANT_OK));
    pliant_world_destroy(world);
    return result;
}

static const definition of_soft = {&soft_members, soft_defaults, take_soft},
                        of_world = {&world_members, world_defaults, take_world},
                        of_body = {&body_members, body_defaults, take_body},
                        of_collider = {&collider_members, collider_defaults, take_collider};

typedef union {
    pliant_soft_def soft;
    pliant_world_def world;
    pliant_body_def body;
    pliant_collider_def collider;
} any_definition;

// The last number of a member.
static void set_last(const key* k, void* item, double value)
{
    char* member = (char*)key_member(k, item);
    if (k->kind == KEY_NUMBER) *(double*)member = value;
    if (k->kind == KEY_VECTOR) ((double*)member)[2] = value;
    if (k->kind == KEY_REAL) *(float*)member = (float)value;
    if (k->kind == KEY_VEC3) ((float*)member)[2] = (float)value;
    if (k->kind == KEY_ROTATION) ((float*)member)[3] = (float)value;
    if (k->kind == KEY_INT || k->kind == KEY_AUTO || k->kind == KEY_WORD)
        *(int*)member = (int)value;
}

// The sentence names the member, what it is and what it may be.
static void refuse(const definition* d, const void* def, const key* k)
{
    if (d->take(def) != PLIANT_ERROR_ARGUMENT) fail_msg("%s is taken", k->name);
    const char* text = pliant_error_text();
    const char* may_be = k->kind == KEY_ROTATION ? "finite and not zero"
                         : k->kind == KEY_WORD   ? key_words_of(k).text
                                                 : key_range_of(k).text;
    if (!strstr(text, k->name) || !strstr(text, may_be))
        fail_msg("%s: \"%s\" does not say \"%s\"", k->name, text, may_be);
}

// Values beyond both ends of a member, and no number at all; how many they are.
static int beyond_of(const key* k, double out[3])
{
    bool whole = k->kind == KEY_INT || k->kind == KEY_AUTO;
    int words = 0, count = 0;
    while (k->kind == KEY_WORD && k->words[words]) ++words;
    if (k->kind == KEY_WORD || k->kind == KEY_ROTATION) {
        out[count++] = k->kind == KEY_WORD ? -1 : 0;
        out[count++] = k->kind == KEY_WORD ? (double)words : (double)NAN;
        return count;
    }
    if (k->low > -DBL_MAX && !(k->ends & OR_ZERO && k->low == 1))
        out[count++] = k->low - 1 - fabs(k->low) / 2;
    if (k->high < DBL_MAX) out[count++] = k->high + 1 + fabs(k->high) / 2;
    if (k->high >= DBL_MAX && !whole) out[count++] = INFINITY;
    if (!whole) out[count++] = NAN;
    return count;
}

static void refuse_beyond(const definition* d, const key* k, size_t at)
{
    double beyond[3];
    int count = beyond_of(k, beyond);
    for (int i = 0; i < count; ++i) {
        any_definition def;
        d->defaults(&def);
        set_last(k, (char*)&def + at, beyond[i]);
        refuse(d, &def, k);
    }
}

static int refuse_table(const definition* d, const key_table* table, size_t at)
{
    int tried = 0;
    for (int i = 0; i < table->key_count; ++i) {
        const key* k = &table->keys[i];
        double numbers[KEY_NUMBERS_MOST];
        any_definition def;
        d->defaults(&def);
        if (k->kind == KEY_OBJECT) tried += refuse_table(d, k->inner, at + k->offset);
        if (k->kind == KEY_FLAG || k->kind == KEY_BITS || k->kind == KEY_PAIR) continue;
        if (key_numbers_of(k, (char*)&def + at, numbers) == 0) continue;
        refuse_beyond(d, k, at);
        ++tried;
    }
    return tried;
}

static void members_beyond_their_range_are_refused_by_name(void** unused)
{
    (void)unused;
    CHECK_BETWEEN(refuse_table(&of_soft, &soft_members, 0), 38, 100);
    CHECK_BETWEEN(refuse_table(&of_world, &world_members, 0), 12, 100);
    CHECK_BETWEEN(refuse_table(&of_body, &body_members, 0), 12, 100);
    CHECK_BETWEEN(refuse_table(&of_collider, &collider_members, 0), 13, 100);
}

static void defaults_are_taken(void** unused)
{
    (void)unused;
    const definition* const all[] = {&of_soft, &of_world, &of_body, &of_collider};
    for (int i = 0; i < 4; ++i) {
        any_definition def;
        all[i]->defaults(&def);
        CHECK_OK(all[i]->take(&def));
    }
}

// ---- ranges and presets -------------------------------------------------------------------------

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

static void fabrics_are_good_cloth_and_programs_get_them_by_name(void** unused)
{
    (void)unused;
    for (int i = 0; cloth_members.presets[i].name; ++i) {
        pliant_cloth_def c;
        CHECK_OK(pliant_cloth_preset(cloth_members.presets[i].name, &c));
        CHECK_OK(table_check(&cloth_members, &c, cloth_members.presets[i].name));
        assert_true(c.density == cloth_members.presets[i].number[0]);
        assert_true(c.thickness == cloth_members.presets[i].number[9]);
        assert_true(c.warp_direction[0] == 1 && c.inflation == 1);
    }
    pliant_cloth_def kept = {.density = 3};
    assert_int_equal(pliant_cloth_preset("tin", &kept), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "'tin'"));
    assert_true(kept.density == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_beyond_their_range_are_refused_by_name),
        cmocka_unit_test(defaults_are_taken),
        cmocka_unit_test(open_ends_are_refused_and_closed_ones_are_not),
        cmocka_unit_test(fabrics_are_good_cloth_and_programs_get_them_by_name),
        cmocka_unit_test(presets_are_good_materials_and_the_first_is_the_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
