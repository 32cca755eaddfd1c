// Sorting by digits.
#include "base/random.h"
#include "base/sort.h"

#include "failing.h"

enum { COUNT = 5000 };

static void keys_ascend_and_equal_ones_keep_their_order(void** state)
{
    (void)state;
    static uint64_t before[COUNT], key[COUNT];
    static int order[COUNT];
    random_source random = {.state = 5};
    for (int i = 0; i < COUNT; ++i) {
        before[i] = random_bits(&random) >> (random_index(&random, 4) * 16 + 1); // many are equal
        key[i] = before[i];
        order[i] = i;
    }
    assert_true(sort_with_order(key, order, COUNT));
    for (int i = 0; i < COUNT; ++i) assert_true(key[i] == before[order[i]]);
    for (int i = 1; i < COUNT; ++i)
        assert_true(key[i - 1] < key[i] || (key[i - 1] == key[i] && order[i - 1] < order[i]));
}

static void few_keys_are_sorted_too(void** state)
{
    (void)state;
    uint64_t key[3] = {UINT64_MAX, 0, 7};
    int order[3] = {0, 1, 2};
    assert_true(sort_with_order(key, order, 0));
    assert_true(sort_with_order(key, order, 1));
    assert_true(sort_with_order(key, order, 3));
    assert_true(key[0] == 0 && key[1] == 7 && key[2] == UINT64_MAX);
    assert_int_equal(order[0], 1);
}

static pliant_result attempt_sort(const void* context)
{
    (void)context;
    uint64_t key[3] = {3, 2, 1};
    int order[3] = {0, 1, 2};
    return sort_with_order(key, order, 3) ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

static void sorting_survives_every_refused_allocation(void** state)
{
    (void)state;
    assert_int_equal(check_every_failure(attempt_sort, NULL), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_ascend_and_equal_ones_keep_their_order),
        cmocka_unit_test(few_keys_are_sorted_too),
        cmocka_unit_test(sorting_survives_every_refused_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
