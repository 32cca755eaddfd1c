// The rows of many bodies: slices of chunks.
#include "base/random.h"
#include "check.h"
#include "solver/store.h"

enum { SLICES = 200 };
static const store_kind single = {4, false, false};

typedef struct {
    store all;
    store_slice slice[SLICES];
} crowd;

static void take(crowd* c, int i, store_kind kind, int rows)
{
    assert_true(store_take(&c->all, kind, rows, &c->slice[i]));
    assert_true(c->slice[i].rows.count >= rows);
}

static void give_all_back(crowd* c)
{
    for (int i = 0; i < SLICES; ++i) store_give_back(&c->all, &c->slice[i]);
    assert_int_equal(c->all.count, 0);
    store_destroy(&c->all);
}

static bool overlap(const store_slice* a, const store_slice* b)
{
    return a->chunk && a->chunk == b->chunk && a->rows.first < b->rows.first + b->rows.count &&
           b->rows.first < a->rows.first + a->rows.count;
}

static void check_apart(const crowd* c)
{
    for (int i = 0; i < SLICES; ++i) {
        const store_slice* s = &c->slice[i];
        if (!s->chunk) continue;
        if (s->rows.first < 0 || s->rows.first + s->rows.count > s->chunk->capacity)
            fail_msg("slice %d has rows %d to %d of %d", i, s->rows.first,
                     s->rows.first + s->rows.count, s->chunk->capacity);
        for (int k = 0; k < i; ++k)
            if (overlap(s, &c->slice[k])) fail_msg("slices %d and %d have rows in common", k, i);
    }
}

static void slices_that_come_and_go_are_apart(void** state)
{
    (void)state;
    crowd c = {0};
    random_source r = {7};
    for (int n = 0; n < by_scope(300, 3000, 30000); ++n) {
        int i = random_index(&r, SLICES), rows = random_index(&r, 300);
        if (c.slice[i].chunk)
            store_give_back(&c.all, &c.slice[i]);
        else
            take(&c, i, single, rows);
        if (n % 100 == 0) check_apart(&c);
    }
    check_apart(&c);
    give_all_back(&c);
}

static void small_bodies_lie_side_by_side(void** state)
{
    (void)state;
    crowd c = {0};
    int neighbors = 0;
    for (int i = 0; i < SLICES; ++i) {
        take(&c, i, single, 100);
        const row_span *a = &c.slice[i > 0 ? i - 1 : 0].rows, *b = &c.slice[i].rows;
        neighbors += i > 0 && a->first + a->count == b->first;
    }
    if (c.all.count > 10) fail_msg("%d chunks for %d bodies of 100 rows", c.all.count, SLICES);
    assert_true(neighbors >= SLICES - c.all.count);
    give_all_back(&c);
}

static void rows_that_are_given_back_are_used_again(void** state)
{
    (void)state;
    crowd c = {0};
    for (int i = 0; i < SLICES; ++i) take(&c, i, single, 64);
    int chunks = c.all.count;
    for (int n = 0; n < 5; ++n) {
        for (int i = n; i < SLICES; i += 3) store_give_back(&c.all, &c.slice[i]);
        for (int i = n; i < SLICES; i += 3) take(&c, i, single, 64);
        check_apart(&c);
    }
    if (c.all.count > chunks) fail_msg("%d chunks, %d before", c.all.count, chunks);
    give_all_back(&c);
}

static void other_kinds_have_other_chunks(void** state)
{
    (void)state;
    const store_kind kinds[] = {single, {8, false, false}, {4, true, false}, {4, false, true}};
    crowd c = {0};
    for (int i = 0; i < 40; ++i) take(&c, i, kinds[i % 4], 32);
    for (int i = 0; i < 40; ++i) {
        const store_kind found = c.slice[i].chunk->kind, wanted = kinds[i % 4];
        assert_int_equal(found.scalar_bytes, wanted.scalar_bytes);
        assert_int_equal(found.second_order, wanted.second_order);
        assert_int_equal(found.on_device, wanted.on_device);
    }
    give_all_back(&c);
}

static void a_large_body_has_a_chunk_without_waste(void** state)
{
    (void)state;
    crowd c = {0};
    take(&c, 0, single, 64);
    take(&c, 1, single, 100000);
    assert_int_equal(c.slice[1].chunk->capacity, 100000);
    assert_int_equal(c.slice[1].chunk->slices, 1);
    give_all_back(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_that_come_and_go_are_apart),
        cmocka_unit_test(small_bodies_lie_side_by_side),
        cmocka_unit_test(rows_that_are_given_back_are_used_again),
        cmocka_unit_test(other_kinds_have_other_chunks),
        cmocka_unit_test(a_large_body_has_a_chunk_without_waste),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
