// Which boxes of many overlap.
#include "base/random.h"
#include "contact/overlaps.h"

#include "failing.h"

enum { MOST = 400 };

typedef struct {
    unsigned char found[MOST][MOST];
    int count, until; // pairs; after how many it ends
} findings;

static bool find(void* context, int a, int b)
{
    findings* f = (findings*)context;
    assert_true(a < b);
    f->found[a][b]++;
    return ++f->count != f->until;
}

static bool overlap(const overlap_box* a, const overlap_box* b)
{
    for (int k = 0; k < 3; ++k)
        if (!(a->low[k] <= b->high[k] && b->low[k] <= a->high[k])) return false;
    return true;
}

static void place_box(random_source* random, double size, overlap_box* out)
{
    for (int k = 0; k < 3; ++k) {
        out->low[k] = random_unit(random) * 10;
        out->high[k] = out->low[k] + random_unit(random) * size;
    }
}

static void check_all(overlap_tree* t)
{
    static findings f;
    int count = 0;
    memset(&f, 0, sizeof f);
    assert_true(overlaps_find(t, find, &f));
    for (int i = 0; i < t->count; ++i)
        for (int k = i + 1; k < t->count; ++k) {
            bool meets = overlap(&t->box[i], &t->box[k]);
            assert_int_equal(f.found[i][k], meets);
            count += meets;
        }
    assert_int_equal(f.count, count);
}

// Small ones, large ones, and some without end; and again after they have moved little and far.
static void all_pairs_are_found_once(void** state)
{
    (void)state;
    overlap_tree t = {0};
    random_source random = {.state = 3};
    for (int count = 0; count <= MOST; count = 3 * count / 2 + 1) {
        assert_true(overlaps_reserve(&t, count));
        for (int i = 0; i < count; ++i) place_box(&random, i % 9 ? 1 : 8, &t.box[i]);
        check_all(&t);
        for (int i = 0; i < count; ++i) t.box[i].high[i % 3] += random_unit(&random);
        check_all(&t);
        for (int i = 0; i < count; i += 2) place_box(&random, 2, &t.box[i]);
        if (count > 4) t.box[1] = NO_OVERLAP;
        if (count > 4) t.box[2].low[1] = NAN;
        if (count > 4) t.box[3].high[0] = INFINITY;
        check_all(&t);
        check_all(&t);
    }
    overlaps_destroy(&t);
}

static void boxes_at_one_place_overlap_all(void** state)
{
    (void)state;
    overlap_tree t = {0};
    assert_true(overlaps_reserve(&t, 50));
    for (int i = 0; i < 50; ++i) t.box[i] = (overlap_box){{1, 2, 3}, {1, 2, 3}};
    check_all(&t);
    overlaps_destroy(&t);
}

static void looking_ends_when_it_is_told_to(void** state)
{
    (void)state;
    static findings f = {.until = 3};
    overlap_tree t = {0};
    assert_true(overlaps_reserve(&t, 50));
    for (int i = 0; i < 50; ++i) t.box[i] = (overlap_box){{1, 2, 3}, {2, 3, 4}};
    assert_false(overlaps_find(&t, find, &f));
    assert_int_equal(f.count, 3);
    overlaps_destroy(&t);
}

// Boxes that change places along the way are put in order again: looking does not take longer.
static void order_is_made_anew_where_it_has_become_bad(void** state)
{
    (void)state;
    static findings f;
    overlap_tree t = {0};
    random_source random = {.state = 8};
    assert_true(overlaps_reserve(&t, MOST));
    for (int i = 0; i < MOST; ++i) place_box(&random, 0.1, &t.box[i]);
    assert_true(overlaps_find(&t, find, &f));
    int64_t first = t.looks;
    for (int i = 0; i < MOST; ++i) place_box(&random, 0.1, &t.box[i]);
    assert_true(overlaps_find(&t, find, &f));
    assert_true(t.looks > 3 * first);
    assert_true(overlaps_find(&t, find, &f));
    assert_true(t.looks < 3 * first / 2);
    overlaps_destroy(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pairs_are_found_once),
        cmocka_unit_test(boxes_at_one_place_overlap_all),
        cmocka_unit_test(looking_ends_when_it_is_told_to),
        cmocka_unit_test(order_is_made_anew_where_it_has_become_bad),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
