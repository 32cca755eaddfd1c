// Logarithms, roots and angles of our own against libm's.
#include "check.h"

#include "base/random.h"
#include "math/elementary.h"
#include "meshfile/number.h"

enum { TRIES = 200000, MOST_UNITS = 4 };

// How many units of the last place it is off.
static double units_off(double actual, double expected)
{
    int exponent;
    if (actual == expected) return 0;
    frexp(expected, &exponent);
    return fabs(actual - expected) / ldexp(1, exponent - 53);
}

static void check_units(const char* what, double at, double actual, double expected)
{
    double units = units_off(actual, expected);
    if (!(units <= MOST_UNITS))
        fail_msg("%s(%a) is %a, expected %a: %g units of the last place", what, at, actual,
                 expected, units);
}

// A number of any size between two powers of two.
static double of_any_size(random_source* r, int low, int high)
{
    return ldexp(random_range(r, 1, 2), low + (int)random_range(r, 0, high - low));
}

static void logarithms_are_those_of_libm(void** unused)
{
    (void)unused;
    random_source r = {1};
    for (int i = 0; i < TRIES; ++i) {
        double any = of_any_size(&r, -1070, 1023), near = random_range(&r, 0.5, 2);
        check_units("log", any, natural_log(any), log(any));
        check_units("log", near, natural_log(near), log(near));
    }
    assert_true(natural_log(1) == 0 && natural_log(2) == log(2));
}

// Decays of stiffnesses from next to nothing to next to all.
static void logarithms_of_one_plus_little_too(void** unused)
{
    (void)unused;
    random_source r = {2};
    for (int i = 0; i < TRIES; ++i) {
        double part = -of_any_size(&r, -1000, -1), most = -1 + of_any_size(&r, -53, -1);
        check_units("log1p", part, log_of_one_plus(part), log1p(part));
        check_units("log1p", most, log_of_one_plus(most), log1p(most));
    }
    assert_true(log_of_one_plus(0) == 0);
}

static void roots_are_those_of_libm(void** unused)
{
    (void)unused;
    random_source r = {3};
    for (int i = 0; i < TRIES / 10; ++i) {
        double part = of_any_size(&r, -30, -1);
        int n = 2 + i % 15;
        // The power's own exponent is rounded: up to ln(1 / x) / 2 units of the last place.
        check_units("root", part, root_of_part(part, n) / pow(part, 1.0 / n), 1);
    }
    assert_true(root_of_part(1, 15) == 1);
}

static void angles_are_those_of_libm(void** unused)
{
    (void)unused;
    random_source r = {4};
    for (int i = 0; i < TRIES; ++i) {
        double x = of_any_size(&r, -40, 40), y = of_any_size(&r, -40, 40);
        if (i % 2) x = -x;
        check_units("atan2", y / x, angle_of_direction(x, y), atan2(y, x));
        double c = random_range(&r, -1, 1), degrees = acos(c) * (180 / HALF_TURN);
        CHECK_BETWEEN(degrees_of_cosine(c) - degrees, -2e-13, 2e-13);
    }
    assert_true(degrees_of_cosine(1) == 0 && degrees_of_cosine(0) == 90);
    assert_true(degrees_of_cosine(-1) == 180 && degrees_of_cosine(1.0000001) == 0);
    assert_true(angle_of_direction(0, 0) == 0);
}

static void decimals_are_those_of_a_size(void** unused)
{
    (void)unused;
    assert_true(round_to_size(123.456, 1, 3) == 123.46);
    assert_true(round_to_size(123.456, 999, 3) == 123);
    assert_true(round_to_size(123.456, 1000, 3) == 120);
    assert_true(round_to_size(-123.456, 0.01, 2) == -123.456);
    assert_true(round_to_size(-123.456, 0.1, 2) == -123.46);
    assert_true(round_to_size(0.00123456, 0.001, 3) == 0.00123);
    assert_true(round_to_size(1.5e-20, 1e-20, 1) == 2e-20);
    assert_true(round_to_size(1.5e22, 1e22, 1) == 2e22);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logarithms_are_those_of_libm),
        cmocka_unit_test(logarithms_of_one_plus_little_too),
        cmocka_unit_test(roots_are_those_of_libm),
        cmocka_unit_test(angles_are_those_of_libm),
        cmocka_unit_test(decimals_are_those_of_a_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
