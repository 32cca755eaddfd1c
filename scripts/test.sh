#!/bin/sh
# test.sh [STAGE...]
# Builds and runs the tests in several ways, one folder below build/ for each. A stage that cannot
# be done on this machine is skipped by name. The last line has the sums over all stages; the exit
# status is 0 when nothing failed.
#
#   release   as users get it                    address   address and undefined behavior sanitizers
#   clang     by clang, without CUDA             thread    thread sanitizer
#   emulated  tests of the CUDA backend, whose kernels the processor runs (test/emulated)
#   python    the Python package, installed into a virtual environment, with the libraries of the
#             stages release and address where they are there
#   web       the gallery is made, by emscripten, and tested in a browser, as is the page of pliant view, with
#             the program of the stage release and the package of the stage python where they are there (only
#             in make test-all)
#   aarch64   golden digests on another processor, cross-compiled and emulated (not by default)
#   format    clang-format agrees (not by default)
#
# Seconds of builds and tests are kept in build/STAGE/times.txt, names of tests that a stage leaves
# out in build/STAGE/left_out.txt. PLIANT_TEST_ALL=1 leaves nothing out (make test-all).
#
# WERROR=1 makes warnings errors. JOBS is the number of parallel jobs. CMAKE_OPTIONS go to cmake.
cd "$(dirname "$0")/.." || exit 1
if [ $# -eq 0 ]; then
    set -- release address thread clang emulated python
    [ "${PLIANT_TEST_ALL:-0}" != 1 ] || set -- "$@" web
fi
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
# What only test-all does: kernels for wide vectors under sanitizers, machine code for GPUs, all that
# a draft spares, by clang the tests that are not about bits and all of its optimization, and under the
# thread sanitizer the tests that are not about threads.
wide=OFF gpus=AUTO draft=ON bits='-L bits' threads='-L threads' optimized=-O1 worlds=1000
[ "${PLIANT_TEST_ALL:-0}" != 1 ] || wide=ON gpus=ALL draft=OFF bits='' threads='' optimized=-O3 worlds=10000
case ${WERROR:-0} in 0 | no | OFF) werror=OFF ;; *) werror=ON ;; esac
passed=0 failed=0 skipped=0
summary=

say() { echo "== $*"; }
# account PASSED FAILED SKIPPED SENTENCE
account() {
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
    summary="$summary
$4"
}
skip_stage() { say "$1: skipped: $2"; account 0 0 1 "$1: skipped: $2"; }
# A stage that was not built counts as one failure.
break_stage() {
    grep -nE 'error|Error|undefined reference|No rule' "$2" | head -n 20
    echo "(last lines of $2)"
    tail -n 15 "$2"
    say "$1: FAILED: $3"
    account 0 1 0 "$1: FAILED: $3"
}

# build NAME CMAKE_OPTION...: quiet, with a log beside the result. What a stage insists on comes last.
insists=
build() {
    name=$1
    shift
    mkdir -p "build/$name"
    rm -f "build/$name/times.txt" "build/$name/left_out.txt"
    log=build/$name/build.log
    began=$(date +%s)
    say "$name: building with $jobs jobs (log in $log)"
    # shellcheck disable=SC2086
    # A message for every file would be a process for every file.
    if ! cmake -S . -B "build/$name" -DPLIANT_TESTS=ON -DPLIANT_WERROR=$werror -DPLIANT_DRAFT=$draft \
        -DCMAKE_RULE_MESSAGES=OFF "$@" \
        ${CMAKE_OPTIONS:-} $insists >"$log" 2>&1; then
        break_stage "$name" "$log" "not configured"
        return 1
    fi
    cuda=$(sed -n 's/^-- CUDA backend: //p' "$log")
    say "$name: CUDA backend: $cuda"
    if ! cmake --build "build/$name" -j "$jobs" >>"$log" 2>&1; then
        break_stage "$name" "$log" "not built"
        return 1
    fi
    built=$(($(date +%s) - began))
    echo "$built build" >"build/$name/times.txt"
    warnings=$(grep -c 'warning:' "$log")
    [ "$warnings" -eq 0 ] || say "$name: $warnings warnings, see $log"
}

# run NAME CTEST_OPTIONS COMMAND...: ctest of a build, behind the given words (an environment, a
# personality).
run() {
    name=$1 options=$2
    shift 2
    log=build/$name/test.log
    began=$(date +%s)
    say "$name: testing"
    # shellcheck disable=SC2086
    # One more than there are processors: some wait for others, or for a file.
    "$@" ctest --test-dir "build/$name" --output-on-failure --no-tests=error -j $((jobs + 1)) $options 2>&1 |
        tee "$log"
    tested=$(($(date +%s) - began))
    sed -n 's/^ *[0-9]*\/[0-9]* Test *#[0-9]*: \([^ ]*\) .* \([0-9.]*\) sec.*/\2 \1/p' "$log" |
        sort -rn >>"build/$name/times.txt"
    count "$name" "$log"
}

# Reads "87% tests passed, 1 tests failed out of 8", the lines of tests that skipped themselves, and
# the names of those that are left out.
count() {
    bad=$(sed -n 's/.*tests passed, \([0-9]*\) tests failed out of [0-9]*.*/\1/p' "$2")
    total=$(sed -n 's/.*tests passed, [0-9]* tests failed out of \([0-9]*\).*/\1/p' "$2")
    none=$(grep -c '^ *[0-9]*/[0-9]* Test .*\*\*\*Skipped' "$2")
    if [ -z "$total" ]; then
        account 0 1 0 "$1: FAILED: the tests did not run, see $2"
        return
    fi
    left=build/$1/left_out.txt
    awk '/^[0-9]*\/[0-9]* Test: / { file = $3 }
         /^\[ RUN/ { test = $NF }
         /^left to make test-all/ { print file ": " test }' \
        "build/$1/Testing/Temporary/LastTest.log" >"$left"
    sentence="$1: $((total - bad - none)) passed, $bad failed, $none skipped"
    [ ! -s "$left" ] || sentence="$sentence, $(wc -l <"$left") parts left to test-all ($left)"
    account $((total - bad - none)) "$bad" "$none" "$sentence; build $built s, tests $tested s"
}

# Programs with the sanitizer $1 compile and run here, behind the words that follow.
sanitizer_works() {
    kinds=$1
    shift
    mkdir -p build
    echo 'int main(void) { return 0; }' >build/probe.c
    ${CC:-cc} -fsanitize="$kinds" build/probe.c -o build/probe >/dev/null 2>&1 &&
        "$@" build/probe >/dev/null 2>&1
    status=$?
    rm -f build/probe build/probe.c
    return $status
}

# Sanitizers need their runtime library, and some kernels need a word: the thread sanitizer of older
# compilers cannot live with wide address randomization, the leak checker not with restricted ptrace.
sanitize() {
    name=$1 kinds=$2 labels=$3
    for words in env "env ASAN_OPTIONS=detect_leaks=0" "setarch $(uname -m) -R"; do
        # shellcheck disable=SC2086
        sanitizer_works "$kinds" $words || continue
        [ "$words" = env ] || say "$name: behind '$words', as this machine needs"
        build "$name" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DPLIANT_SANITIZE="$kinds" -DPLIANT_PAGE=OFF \
            -DPLIANT_WIDE=$wide -DPLIANT_STATIC=OFF -DPLIANT_SHARED=OFF -DPLIANT_INSTALL=OFF || return
        # shellcheck disable=SC2086
        run "$name" "$labels" $words
        return
    done
    skip_stage "$name" "programs with -fsanitize=$kinds do not build or run here (gcc: libasan, libubsan, libtsan; clang: compiler-rt)"
}

# Kernels compiled as C++. They take longer than all else there: nothing is optimized much.
run_emulated_device() {
    name=$1
    if ! command -v "${CXX:-c++}" >/dev/null; then
        skip_stage "$name" "needs a C++ compiler"
        return
    fi
    insists='-DPLIANT_CUDA=EMULATED -DPLIANT_INSTALL=OFF'
    build "$name" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE='-O1' -DPLIANT_PROGRAM=OFF \
        -DPLIANT_WIDE=OFF -DPLIANT_STATIC=OFF -DPLIANT_SHARED=OFF && run "$name" "" env
    insists=
}

# Versions of clang-format differ in details: 14 decides, others only remark.
check_format() {
    command -v clang-format >/dev/null || { skip_stage format "no clang-format here"; return; }
    version=$(clang-format --version | sed 's/.*version \([0-9]*\).*/\1/')
    if make --no-print-directory check-format; then
        account 1 0 0 "format: ok"
    elif [ "$version" = 14 ]; then
        account 0 1 0 "format: FAILED: run make format"
    else
        skip_stage format "clang-format $version differs, but 14 decides"
    fi
}

# print_digests LANES SHARE: a line for each digest of a third; one that does not look like that is a
# failure.
print_digests() {
    "$emulator" "build/$name/test/golden/plain_golden" "$1" "$2" 3 2>&1
    ended=$?
    [ $ended -le 1 ] || echo "ended with status $ended"
}

# Static, so that the emulator needs no libraries of the other machine. Every width has a third of the
# digests: they are the same for all, and emulators are slow.
emulate() {
    name=$1 processor=$1 compiler=$1-linux-gnu-gcc
    emulator=$(command -v "qemu-$processor" || command -v "qemu-$processor-static") || emulator=
    if [ -z "$emulator" ] || ! command -v "$compiler" >/dev/null; then
        skip_stage "$name" "needs $compiler and qemu-$processor (scripts/setup.sh $processor)"
        return
    fi
    build "$name" -DCMAKE_BUILD_TYPE=Release -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$processor" \
        -DCMAKE_C_COMPILER="$compiler" -DCMAKE_EXE_LINKER_FLAGS=-static -DPLIANT_TESTS=OFF \
        -DPLIANT_PROGRAM=OFF -DPLIANT_SHARED=OFF -DPLIANT_INSTALL=OFF -DPLIANT_GOLDEN=ON || return
    say "$name: golden digests, by $emulator"
    share=0
    for lanes in 1 4 16; do
        print_digests $lanes $share >"build/$name/digests_$lanes.log" &
        share=$((share + 1))
    done
    wait
    good=0 bad=0
    for lanes in 1 4 16; do
        log=build/$name/digests_$lanes.log
        good=$((good + $(grep -c '=0x[0-9a-f]*$' "$log")))
        bad=$((bad + $(grep -vc '=0x[0-9a-f]*$' "$log")))
        grep -v '=0x[0-9a-f]*$' "$log" | sed "s/^/$lanes lanes: /"
    done
    [ "$good" -gt 0 ] || bad=1
    account "$good" "$bad" 0 "$name: $good digests passed, $bad failed"
}

# The distribution's python may stand behind another one.
find_python() {
    for python in python3 /usr/bin/python3; do
        "$python" -c 'import numpy, setuptools, pip, venv, ensurepip' >/dev/null 2>&1 && return 0
    done
    return 1
}

# count_python LOG SENTENCE: what unittest says, "Ran 3 tests" and "FAILED (failures=1, skipped=1)".
count_python() {
    total=$(sed -n 's/^Ran \([0-9]*\) tests\{0,1\} in.*/\1/p' "$1")
    none=$(sed -n 's/^\(OK\|FAILED\) (.*skipped=\([0-9]*\).*/\2/p' "$1")
    none=${none:-0}
    bad=$(sed -n 's/^FAILED (\(.*\))$/\1/p' "$1" | tr ',' '\n' | sed -n 's/.*\(failures\|errors\)=//p' |
        awk '{ sum += $1 } END { print sum + 0 }')
    if [ -z "$total" ] || { [ "$bad" -eq 0 ] && ! grep -q '^OK' "$1"; }; then
        tail -n 30 "$1"
        account 0 1 0 "$2: FAILED: the tests ended early, see $1"
        return
    fi
    [ "$bad" -eq 0 ] || cat "$1"
    grep 'skipped ' "$1"
    account $((total - bad - none)) "$bad" "$none" "$2: $((total - bad - none)) passed, $bad failed, $none skipped"
}

# Random calls of the package, with a library that watches its memory.
python_under_sanitizer() {
    runtime=$(${CC:-cc} -print-file-name=libasan.so)
    if ! grep -qs '^PLIANT_SANITIZE:STRING=.*address' build/address/CMakeCache.txt || [ ! -f "$runtime" ]; then
        skip_stage "python, address sanitizer" "needs the build of the stage address, by gcc"
        return
    fi
    if ! cmake --build build/address -j "$jobs" --target python_package >build/python/address.log 2>&1; then
        break_stage "python, address sanitizer" build/python/address.log "not built"
        return
    fi
    say "python: 10 000 random calls under the address sanitizer"
    PYTHONPATH=build/address/python PLIANT_CALLS=10000 PLIANT_WORLDS=50 LD_PRELOAD=$runtime ASAN_OPTIONS=detect_leaks=0 \
        "$python" -m unittest -v python/tests/test_calls.py >build/python/calls.log 2>&1
    count_python build/python/calls.log "python, address sanitizer"
}

test_python() {
    find_python || {
        skip_stage python "needs python3 with NumPy, setuptools, pip and venv (scripts/setup.sh python)"
        return
    }
    mkdir -p build/python
    began=$(date +%s)
    from=build/release
    [ -f "$from/CMakeCache.txt" ] || from=build/python
    say "python: installing into build/python/venv, with the library of $from"
    if ! PYTHON=$python JOBS=$jobs scripts/python.sh build/python/venv "$from" >build/python/build.log 2>&1; then
        break_stage python build/python/build.log "not installed"
        return
    fi
    say "python: testing"
    PLIANT_WORLDS=$worlds build/python/venv/bin/python -m unittest discover -v -s python/tests \
        >build/python/test.log 2>&1
    count_python build/python/test.log python
    python_under_sanitizer
    say "python: $(($(date +%s) - began)) s"
}

# Pages in a browser. What is missing for a part of it is said by that part.
test_web() {
    command -v node >/dev/null || { skip_stage web "needs node (scripts/setup.sh web browser)"; return; }
    mkdir -p build/web
    began=$(date +%s)
    program=build/release/cli/pliant python=build/python/venv/bin/python site=build/web/site
    say "web: making the gallery (log in build/web/make.log)"
    WERROR=$werror JOBS=$jobs scripts/web.sh "$site" >build/web/make.log 2>&1
    made=$?
    if [ $made -ne 0 ] && [ $made -ne 3 ]; then
        break_stage web build/web/make.log "the gallery was not made"
        return
    fi
    [ $made -eq 0 ] || { rm -rf "$site"; skip_stage "web, gallery" "$(tail -n 1 build/web/make.log)"; }
    grep -qs '^const size_t page_bytes = [1-9]' build/release/cli/page.c && [ -x "$program" ] || program=-
    [ -x "$python" ] || python=
    say "web: testing"
    # shellcheck disable=SC2086
    node test/browser/run.mjs "$program" "$site" $python 2>&1 | tee build/web/test.log
    ended=$(tail -n 1 build/web/test.log)
    case $ended in
    *' passed, '*' failed, '*' skipped')
        # shellcheck disable=SC2086
        set -- $ended
        account "$1" "$3" "$5" "web: $ended; $(($(date +%s) - began)) s"
        ;;
    *) account 0 1 0 "web: FAILED: the tests ended early, see build/web/test.log" ;;
    esac
}

# stage NAME
stage() {
    case $1 in
    format) check_format ;;
    release)
        build release -DCMAKE_BUILD_TYPE=Release -DPLIANT_CUDA_ARCHITECTURES=$gpus &&
            run release "" env
        ;;
    address) sanitize address address,undefined "" ;;
    thread) sanitize thread thread "$threads" ;;
    emulated) run_emulated_device emulated ;;
    aarch64) emulate aarch64 ;;
    python) test_python ;;
    web) test_web ;;
    clang)
        if command -v clang >/dev/null; then
            # The kernels would be the same: nvcc has a compiler of its own.
            build clang -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=clang -DPLIANT_CUDA=OFF -DPLIANT_PAGE=OFF \
                -DCMAKE_C_FLAGS_RELEASE="$optimized -DNDEBUG" &&
                run clang "$bits" env
        else
            skip_stage clang "no clang here"
        fi
        ;;
    *)
        echo "test.sh: no stage '$1'; there are release, address, thread, clang, emulated, python, web, aarch64, format" >&2
        exit 2
        ;;
    esac
}

for name in "$@"; do stage "$name"; done

echo
say "the slowest tests, in seconds"
for name in "$@"; do
    [ ! -f "build/$name/times.txt" ] || sed "s/$/ ($name)/; / build /d" "build/$name/times.txt"
done | sort -rn | head -n 10
say "summary$summary"
line="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || line="$line, $skipped skipped"
echo "$line"
[ "$failed" -eq 0 ]
