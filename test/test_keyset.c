// Sets of keys: numbered in the order in which they came, whatever their hashes.
#include "base/keyset.h"
#include "check.h"

static void keys_are_numbered_by_first_appearance(void** state)
{
    (void)state;
    enum { KEYS = 5000 };
    keyset set;
    assert_true(keyset_create(&set, 2 * sizeof(int), KEYS));
    for (int round = 0; round < 2; ++round)
        for (int i = 0; i < KEYS; ++i) {
            int key[2] = {i % 71, i / 71};
            assert_int_equal(keyset_add(&set, key), i);
        }
    assert_int_equal(set.count, KEYS);
    int third[2];
    memcpy(third, set.keys + 2 * set.key_bytes, sizeof third);
    assert_int_equal(third[0], 2);
    keyset_destroy(&set);
    assert_int_equal(pliant_allocated_bytes(), 0);
}

static void absurd_capacity_is_refused(void** state)
{
    (void)state;
    keyset set;
    assert_false(keyset_create(&set, 8, (int64_t)1 << 40));
    assert_null(set.keys);
    assert_non_null(strstr(pliant_error_text(), "memory"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_numbered_by_first_appearance),
        cmocka_unit_test(absurd_capacity_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
