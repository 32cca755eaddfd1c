# header.sh INCLUDE_FOLDER C_COMPILER
# The public header compiles alone, twice included, in every language a user may have, without a
# warning; with the build's compiler and with gcc and clang where they are.
include=$1
cc=$2
status=0
tried=0

# try COMPILER LANGUAGE STANDARD
try() {
    tried=$((tried + 1))
    if printf '#include <pliant.h>\n#include <pliant.h>\n' |
        "$1" -x "$2" -std="$3" -I "$include" -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow \
            -Wconversion -Werror -; then
        echo "ok: $1 -std=$3"
    else
        echo "FAILED: $1 -std=$3"
        status=1
    fi
}

for compiler in "$cc" gcc clang; do
    command -v "$compiler" >/dev/null || { echo "skipped: no $compiler"; continue; }
    for standard in c99 c11 c17; do try "$compiler" c $standard; done
done
for compiler in g++ clang++; do
    command -v "$compiler" >/dev/null || { echo "skipped: no $compiler"; continue; }
    # A C++ compiler without its library has no <stdbool.h> of its own: nothing to test.
    echo '#include <cstddef>' | "$compiler" -x c++ -fsyntax-only - 2>/dev/null ||
        { echo "skipped: $compiler has no C++ library"; continue; }
    for standard in c++11 c++17 c++20; do try "$compiler" c++ $standard; done
done
echo "$tried combinations"
exit $status
