#include "meshfile/number.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

// A number as it is written: digits * 10^exponent, where a point among the digits is left out.
typedef struct {
    uint64_t mantissa;          // the digits, when they fit
    int64_t exponent;           // of the last digit
    const char *digits, *after; // first and one behind the last, with the point
    bool negative, fits;
} decimal;

enum {
    // No tie between two doubles has more digits than this: what follows can only break it upward.
    MOST_DIGITS = 780,
    // Far beyond the doubles, small enough to add without overflow.
    MOST_EXPONENT = 1000000,
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static const char* scan_digits(const char* at, const char* end, decimal* d, int64_t point_step)
{
    for (; at < end && is_digit(*at); ++at, d->exponent -= point_step) {
        if (d->mantissa > (UINT64_MAX - 9) / 10) d->fits = false;
        if (d->fits) d->mantissa = 10 * d->mantissa + (uint64_t)(*at - '0');
    }
    return at;
}

static const char* scan_sign(const char* at, const char* end, bool* negative)
{
    *negative = at < end && *at == '-';
    return at < end && (*at == '-' || *at == '+') ? at + 1 : at;
}

// Also the D of Fortran. An e without digits is not part of the number.
static const char* scan_exponent(const char* at, const char* end, decimal* d)
{
    if (at >= end || (*at != 'e' && *at != 'E' && *at != 'd' && *at != 'D')) return at;
    bool negative;
    const char* first = scan_sign(at + 1, end, &negative);
    const char* digit = first;
    int64_t exponent = 0;
    for (; digit < end && is_digit(*digit); ++digit)
        if (exponent < MOST_EXPONENT) exponent = 10 * exponent + (*digit - '0');
    d->exponent += negative ? -exponent : exponent;
    return digit > first ? digit : at;
}

static const char* scan_decimal(const char* at, const char* end, decimal* d)
{
    d->fits = true;
    d->digits = scan_sign(at, end, &d->negative);
    const char* next = scan_digits(d->digits, end, d, 0);
    bool point = next < end && *next == '.';
    d->after = point ? scan_digits(next + 1, end, d, 1) : next;
    if (d->after == d->digits + (point ? 1 : 0)) return at;
    return scan_exponent(d->after, end, d);
}

// Digits and an exponent without a point: strtod then does not depend on the locale.
static double convert_long(const decimal* d)
{
    char text[MOST_DIGITS + 32];
    int length = 0;
    int64_t exponent = d->exponent;
    bool more = false;
    for (const char* c = d->digits; c < d->after; ++c) {
        if (!is_digit(*c) || (length == 0 && *c == '0')) continue;
        if (length < MOST_DIGITS) {
            text[length++] = *c;
        } else {
            more = more || *c != '0';
            ++exponent;
        }
    }
    if (length == 0) return 0;
    if (more) {
        text[length++] = '1';
        --exponent;
    }
    if (exponent > MOST_EXPONENT) exponent = MOST_EXPONENT;
    if (exponent < -MOST_EXPONENT) exponent = -MOST_EXPONENT;
    snprintf(text + length, 32, "e%d", (int)exponent);
    return strtod(text, NULL);
}

// Up to 2^53 and 10^22 both factors are exact doubles, so that one operation rounds correctly.
static double convert(const decimal* d)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (!d->fits || d->mantissa > (uint64_t)1 << 53 || d->exponent < -22 || d->exponent > 22)
        return convert_long(d);
    double m = (double)d->mantissa;
    return d->exponent < 0 ? m / power[-d->exponent] : m * power[d->exponent];
}

const char* scan_real(const char* at, const char* end, double* out)
{
    decimal d = {0};
    const char* after = scan_decimal(at, end, &d);
    if (after == at) return at;
    double value = convert(&d);
    *out = d.negative ? -value : value;
    return after;
}

const char* scan_integer(const char* at, const char* end, int64_t* out)
{
    bool negative;
    const char* first = scan_sign(at, end, &negative);
    const char* digit = first;
    int64_t value = 0;
    for (; digit < end && is_digit(*digit); ++digit)
        value = value > (INT64_MAX - 9) / 10 ? INT64_MAX : 10 * value + (*digit - '0');
    if (digit == first) return at;
    *out = negative ? -value : value;
    return digit;
}

// Writes a plain point in the place of the locale's, which may have several bytes.
static int normalize_point(char* text, int length)
{
    int kept = 0;
    bool in_point = false;
    for (int i = 0; i < length; ++i) {
        bool plain = is_digit(text[i]) || text[i] == '-' || text[i] == '+' || text[i] == 'e';
        if (plain)
            text[kept++] = text[i];
        else if (!in_point)
            text[kept++] = '.';
        in_point = !plain;
    }
    text[kept] = 0;
    return kept;
}

// The value with so many digits, and what they read as.
static int print_digits(double value, int digits, char out[32], double* back)
{
    int length = normalize_point(out, snprintf(out, 32, "%.*g", digits, value));
    *back = 0;
    scan_real(out, out + length, back);
    return length;
}

int print_real(double value, char out[32])
{
    double back = 0;
    int length = print_digits(value, 15, out, &back);
    for (int digits = 16; digits <= 17 && back != value; ++digits)
        length = print_digits(value, digits, out, &back);
    return length;
}

int print_single(float value, char out[32])
{
    double back = 0;
    int length = print_digits((double)value, 6, out, &back);
    for (int digits = 7; digits <= 9 && (float)back != value; ++digits)
        length = print_digits((double)value, digits, out, &back);
    return length;
}

// Exact up to 10^22.
static double power_of_ten(int exponent)
{
    double power = 1;
    for (int i = 0; i < exponent; ++i) power *= 10;
    return power;
}

// Of the first digit of a positive number.
static int decimal_exponent(double size)
{
    int exponent = 0;
    for (double power = 10; size >= power; power *= 10) exponent++;
    for (double power = 1; size * power < 1; power *= 10) exponent--;
    return exponent;
}

double round_to_size(double value, double size, int digits)
{
    if (!(size > 0) || !isfinite(size)) return value;
    int decimals = digits - 1 - decimal_exponent(size);
    double power = power_of_ten(abs(decimals)), // quotients and products are the nearest decimals
        units = decimals < 0 ? value / power : value * power;
    double whole = round(units) + 0.0; // no -0
    double rounded = decimals < 0 ? whole * power : whole / power;
    return isfinite(rounded) ? rounded : value;
}
