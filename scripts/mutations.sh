#!/bin/sh
# mutations.sh COUNT
# The tests that damage inputs, each with COUNT of them, under the address and undefined behavior
# sanitizers. Long: not for ctest, which would stop them.
cd "$(dirname "$0")/.." || exit 1
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
cmake -S . -B build/address -DCMAKE_BUILD_TYPE=RelWithDebInfo -DPLIANT_SANITIZE=address,undefined \
    -DPLIANT_TESTS=ON >/dev/null && cmake --build build/address -j "$jobs" >/dev/null || exit 1

passed=0
failed=0
for test in build/address/test/*mutation*; do
    [ -f "$test" ] && [ -x "$test" ] || continue
    echo "== $(basename "$test"): $1 mutations"
    if PLIANT_MUTATIONS=$1 "$test"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
[ $((passed + failed)) -gt 0 ] || { echo "mutations: this tree has no such tests" >&2; exit 1; }
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
