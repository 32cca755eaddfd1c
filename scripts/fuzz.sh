#!/bin/sh
# fuzz.sh SECONDS
# Runs every fuzz target for that long. Inputs that were found interesting stay in build/corpus/
# for the next run; one that breaks something is left in build/crashes/, and the status is 1.
cd "$(dirname "$0")/.." || exit 1
command -v clang >/dev/null || { echo "fuzz: needs clang (apt-get install clang)" >&2; exit 1; }
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
cmake -S . -B build/fuzz -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DPLIANT_FUZZ=ON -DPLIANT_TESTS=OFF -DPLIANT_WIDE=OFF >/dev/null &&
    cmake --build build/fuzz -j "$jobs" >/dev/null || exit 1

status=0
ran=0
mkdir -p build/crashes
for target in build/fuzz/fuzz/fuzz_*; do
    [ -x "$target" ] || continue
    name=$(basename "$target")
    ran=$((ran + 1))
    mkdir -p "build/corpus/$name"
    echo "== $name: $1 s"
    "$target" -max_total_time="$1" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
        -artifact_prefix="build/crashes/$name-" "build/corpus/$name" || status=1
done
echo "fuzz: $ran targets"
[ "$ran" -gt 0 ] || { echo "fuzz: this tree has no fuzz targets" >&2; exit 1; }
exit $status
