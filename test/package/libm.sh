# libm.sh LIBRARY
# Our objects in the static library call no function of libm whose last bits differ between libraries:
# those that are left give what IEEE 754 says, or whole numbers. (Others: src/math/elementary.h.)
library=$1
command -v nm >/dev/null || { echo "skipped: no nm (binutils)"; exit 77; }

exact='sqrt floor ceil trunc round rint nearbyint fabs fmin fmax copysign fmod fma frexp ldexp scalbn scalbln
    ilogb logb modf nextafter lrint llrint lround llround'
others='acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc exp exp10 exp2 expm1 hypot lgamma log log10 log1p
    log2 pow pow10 remainder remquo sin sincos sinh tan tanh tgamma fdim drem gamma j0 j1 jn y0 y1 yn'

# Members that were compiled here end in .c.o or .cu.o; CUDA's own do not.
called=$(nm -A -u "$library" 2>/dev/null | sed -n 's/.*:\([^:]*\.cu*\.o\):.* \([A-Za-z_0-9]*\)$/\1 \2/p')
[ -n "$called" ] || { echo "FAILED: no symbols were read from $library"; exit 1; }

# calls NAME...: which members call one of them, as a double, float or long double.
calls() {
    for name in "$@"; do
        echo "$called" | grep -E " (__)?$name(f|l|f32|f64)?(_finite)?\$"
    done
}
# Word splitting is meant: these are lists.
# shellcheck disable=SC2086
found=$(calls $others)
# shellcheck disable=SC2086
echo "exact functions of libm in use: $(calls $exact | sed 's/.* //' | sort -u | tr '\n' ' ')"
[ -z "$found" ] || { echo "FAILED: these depend on the machine's libm:"; echo "$found" | sed 's/^/    /'; exit 1; }
