#!/bin/sh
# mutations.sh COUNT
# The tests that damage inputs, each with COUNT of them, under the address and undefined behavior
# sanitizers. Long: not for ctest, which would stop them.
cd "$(dirname "$0")/.." || exit 1
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
cmake -S . -B build/address -DCMAKE_BUILD_TYPE=RelWithDebInfo -DPLIANT_SANITIZE=address,undefined \
    -DPLIANT_TESTS=ON -DPLIANT_DRAFT=OFF >/dev/null && cmake --build build/address -j "$jobs" >/dev/null || exit 1

passed=0
failed=0
for runner in build/address/test/tests build/address/test/program_tests; do
    for file in $("$runner" | grep mutations); do
        echo "== $file: $1 mutations"
        if PLIANT_MUTATIONS=$1 "$runner" "$file"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    done
done
[ $((passed + failed)) -gt 0 ] || { echo "mutations: this tree has no such tests" >&2; exit 1; }
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
