// Rounding to a float that is read again as a double at once.
#pragma once

// gcc 12 keeps the digits that a float has not where it makes vectors of such lines, against the
// standard: through a volatile it does not.
static inline float narrow(double value)
{
    const volatile float rounded = (float)value;
    return rounded;
}
