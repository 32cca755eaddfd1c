// Decimal numbers in text, the same in every locale.
#pragma once
#include <stdint.h>

// Read a number at `at`, which must not be blank. Return the byte after it, or `at` where there is
// no number. Nothing at or beyond `end` is read. Reals are correctly rounded; too large ones become
// infinite. Integers beyond 64 bits become the nearest that fits.
const char* scan_real(const char* at, const char* end, double* out);
const char* scan_integer(const char* at, const char* end, int64_t* out);

// The shortest of 15 to 17 digits that reads back as the same bits. `out` has room for 32 bytes;
// returns the length, without the zero byte at the end.
int print_real(double value, char out[32]);
// The same for a float: of 6 to 9 digits.
int print_single(float value, char out[32]);

// As many decimals as a number of this size has with so many digits: places of a thing far from the
// origin keep what its size needs.
double round_to_size(double value, double size, int digits);
