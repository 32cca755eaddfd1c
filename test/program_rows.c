// Rows of results in their three forms.
#include "check.h"
#include "rows.h"

enum { COLUMNS = 3 };
static const column columns[COLUMNS] = {
    {"mesh", COLUMN_TEXT, 6, 0}, {"tets", COLUMN_INT, 5, 0}, {"error", COLUMN_NUMBER, 7, 2}};

// What rows_head (row NULL) or rows_add prints.
static const char* printed(rows_form form, const cell* row)
{
    static char text[4096];
    rows t = {columns, COLUMNS, form, tmpfile(), NULL};
    assert_non_null(t.out);
    if (row)
        rows_add(&t, row);
    else
        rows_head(&t);
    rewind(t.out);
    text[fread(text, 1, sizeof text - 1, t.out)] = 0;
    fclose(t.out);
    return text;
}

static const cell plain[COLUMNS] = {{.text = "beam"}, {.number = 3780}, {.number = 0.125}};
static const cell nothing[COLUMNS] = {{.text = NULL}, {.number = NAN}, {.number = INFINITY}};

static void aligned_texts_stand_left_and_numbers_right(void** state)
{
    (void)state;
    assert_string_equal(printed(FORM_ALIGNED, NULL), "mesh     tets    error\n");
    assert_string_equal(printed(FORM_ALIGNED, plain), "beam     3780     0.12\n");
}

static void aligned_numbers_that_do_not_fit_get_an_exponent(void** state)
{
    (void)state;
    const cell row[COLUMNS] = {{.text = "beam"}, {.number = 1}, {.number = 123456789}};
    assert_string_equal(printed(FORM_ALIGNED, row), "beam        1  1.23e+08\n");
}

static void json_rows_are_one_object_a_line_without_a_head(void** state)
{
    (void)state;
    assert_string_equal(printed(FORM_JSON, NULL), "");
    assert_string_equal(printed(FORM_JSON, plain),
                        "{\"mesh\": \"beam\", \"tets\": 3780, \"error\": 0.125}\n");
}

static void csv_has_a_head_and_nine_digits(void** state)
{
    (void)state;
    const cell row[COLUMNS] = {{.text = "beam"}, {.number = 3780}, {.number = 1.0 / 3}};
    assert_string_equal(printed(FORM_CSV, NULL), "mesh,tets,error\n");
    assert_string_equal(printed(FORM_CSV, row), "beam,3780,0.333333333\n");
}

static void what_is_absent_is_a_dash_no_key_or_nothing(void** state)
{
    (void)state;
    assert_string_equal(printed(FORM_ALIGNED, nothing), "-           -        -\n");
    assert_string_equal(printed(FORM_JSON, nothing), "{}\n");
    assert_string_equal(printed(FORM_CSV, nothing), ",,\n");
}

static void texts_are_quoted_where_the_form_needs_it(void** state)
{
    (void)state;
    const cell row[COLUMNS] = {{.text = "a,\"b\""}, {.number = 1}, {.number = 2}};
    assert_string_equal(printed(FORM_CSV, row), "\"a,\"\"b\"\"\",1,2\n");
    assert_string_equal(printed(FORM_JSON, row),
                        "{\"mesh\": \"a,\\\"b\\\"\", \"tets\": 1, \"error\": 2.0}\n");
}

static void names_that_are_not_utf8_still_make_json(void** state)
{
    (void)state;
    const cell row[COLUMNS] = {{.text = "a\xff"
                                        "b"},
                               {.number = 1},
                               {.number = 2}};
    assert_string_equal(printed(FORM_JSON, row),
                        "{\"mesh\": \"a?b\", \"tets\": 1, \"error\": 2.0}\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aligned_texts_stand_left_and_numbers_right),
        cmocka_unit_test(aligned_numbers_that_do_not_fit_get_an_exponent),
        cmocka_unit_test(json_rows_are_one_object_a_line_without_a_head),
        cmocka_unit_test(csv_has_a_head_and_nine_digits),
        cmocka_unit_test(what_is_absent_is_a_dash_no_key_or_nothing),
        cmocka_unit_test(texts_are_quoted_where_the_form_needs_it),
        cmocka_unit_test(names_that_are_not_utf8_still_make_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
