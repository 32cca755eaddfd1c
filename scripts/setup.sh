#!/bin/sh
# setup.sh [program] [tests] [python] [plot] [aarch64] [web] [browser]
# Installs what the library needs to be built (a C compiler, cmake), and what the program, the tests, the
# Python package, the plots of its examples, the stage aarch64 of the tests, the gallery for browsers and
# the tests of pages need on top of it, where something is missing: with apt-get, as root or by sudo
# without a password. Where it may not, it says what to type. With everything there it does nothing,
# silently and without the network.
# PLIANT_SETUP=no: never installs, only says.

# A file compiles that includes the header. Reads the compiler's opinion, not a package list, so
# that libraries built by hand count.
has_header() { printf '#include <stdio.h>\n#include <%s>\n' "$1" | "$compiler" -E - >/dev/null 2>&1; }
# cmocka's header wants others before it.
has_cmocka() {
    printf '#include <%s>\n' setjmp.h stdarg.h stddef.h stdint.h cmocka.h |
        "$compiler" -E - >/dev/null 2>&1
}
has() { command -v "$1" >/dev/null 2>&1; }
# The distribution's python may stand behind another one.
has_meshio() {
    for python in python3 /usr/bin/python3; do
        "$python" -c 'import meshio' >/dev/null 2>&1 && return 0
    done
    return 1
}

# With what installs packages; likewise.
has_python() {
    for python in python3 /usr/bin/python3; do
        "$python" -c 'import numpy, setuptools, pip, venv, ensurepip' >/dev/null 2>&1 && return 0
    done
    return 1
}
has_matplotlib() {
    for python in python3 /usr/bin/python3; do
        "$python" -c 'import numpy, matplotlib' >/dev/null 2>&1 && return 0
    done
    return 1
}

# need CLASS PACKAGE WORDS: notes a package that is missing.
need() {
    case $1 in
    required) required="$required $2" ;;
    optional) optional="$optional $2" ;;
    esac
    missing="$missing
    $3 ($1)"
}

has_compiler() {
    for compiler in ${CC:-} cc gcc clang; do
        has "$compiler" && has_header stdlib.h && return 0
    done
    return 1
}

look() {
    required=''
    optional=''
    missing=''
    has_compiler ||
        need required "gcc libc6-dev" "a C17 compiler (gcc 11, clang 13 or newer) with its headers"
    has make || need required make "make"
    has cmake || need required cmake "CMake 3.20 or newer"
    for part in "$@"; do
        case $part in
        program)
            has pkg-config || need required pkg-config "pkg-config"
            has_header jansson.h || need required libjansson-dev "jansson with its header (scene files)"
            has_header png.h || need optional libpng-dev "libpng with its header (pictures)"
            has_header zlib.h || need optional zlib1g-dev "zlib with its header (compressed meshes)"
            ;;
        tests)
            has_cmocka || need required libcmocka-dev "cmocka with its header (tests)"
            has_meshio || need optional python3-meshio "meshio for python3 (a reader of our files)"
            has node || need optional nodejs "node (for readers of our files)"
            ;;
        python)
            has_python || need optional "python3 python3-numpy python3-setuptools python3-wheel python3-pip python3-venv" \
                "python3 with NumPy, setuptools, wheel, pip and venv"
            has_meshio || need optional python3-meshio "meshio for python3 (meshes of other programs)"
            ;;
        plot)
            has_matplotlib || need optional python3-matplotlib "matplotlib for python3 (plots of the examples)"
            ;;
        aarch64) # another processor, cross-compiled and emulated: half a gigabyte, so only when asked for
            has aarch64-linux-gnu-gcc ||
                need optional "gcc-aarch64-linux-gnu libc6-dev-arm64-cross" "a cross compiler for aarch64"
            has qemu-aarch64 || has qemu-aarch64-static || need optional qemu-user "qemu for aarch64 (qemu-user)"
            ;;
        web) # a quarter of a gigabyte
            has emcc || need optional emscripten "emscripten (the gallery for browsers)"
            has node && has npm || need optional "nodejs npm" "node and npm (pages)"
            ;;
        browser) # as much again
            has chromium || has google-chrome || need optional chromium "chromium (tests of pages)"
            has node || need optional nodejs "node (tests of pages)"
            ;;
        *)
            echo "setup.sh: '$part' is none of 'program', 'tests', 'python', 'plot', 'aarch64', 'web', 'browser'" >&2
            exit 2
            ;;
        esac
    done
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n env DEBIAN_FRONTEND=noninteractive "$@"; fi
}
may_install() {
    [ "${PLIANT_SETUP:-yes}" != no ] && has apt-get &&
        { [ "$(id -u)" -eq 0 ] || { has sudo && sudo -n true 2>/dev/null; }; }
}

# Nobody answers questions here, and an unreachable mirror does not hold up the rest.
apt() {
    as_root apt-get -qq -y -o DPkg::Lock::Timeout=120 -o Acquire::Retries=2 \
        -o Acquire::http::Timeout=30 -o Acquire::https::Timeout=30 "$@" >>"$log" 2>&1 </dev/null
}
# The package lists are fetched only when the ones at hand do not do.
install() {
    apt install --no-install-recommends "$@" ||
        { apt update && apt install --no-install-recommends "$@"; }
}

# Together if possible; what is optional must not stand in the way of what is required.
install_missing() {
    export DEBIAN_FRONTEND=noninteractive
    log=$(mktemp) || exit 1
    echo "setup: installing$required$optional"
    # Word splitting is meant: these are lists of packages.
    # shellcheck disable=SC2086
    install $required $optional || { [ -n "$required" ] && [ -n "$optional" ] && install $required; } ||
        tail -n 5 "$log" >&2
    rm -f "$log"
}

explain() {
    echo "setup: missing here:$missing" >&2
    if has apt-get; then
        prefix="sudo "
        [ "$(id -u)" -ne 0 ] || prefix=
        echo "setup: install with" >&2
        echo "    ${prefix}apt-get update && ${prefix}apt-get install$required$optional" >&2
    else
        echo "setup: install these with the system's package manager." >&2
    fi
}

# Readers that no distribution has, for the tests: two small packages of the npm registry, by hash.
fetch_readers() {
    readers=$(dirname "$0")/../build/readers
    [ ! -d "$readers/gltf-validator" ] || [ ! -d "$readers/tinyusdz" ] || return 0
    has node && [ "${PLIANT_SETUP:-yes}" != no ] &&
        node "$(dirname "$0")/../test/readers/fetch.mjs" "$readers" ||
        echo "setup: going on without the readers of glTF and USD: their tests are skipped" >&2
}

check_cmake() {
    version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9]*\.[0-9]*\).*/\1/p')
    [ "${version%%.*}" -gt 3 ] || { [ "${version%%.*}" -eq 3 ] && [ "${version#*.}" -ge 20 ]; } || {
        echo "setup: cmake is $version, 3.20 or newer is needed (pip install cmake has one)" >&2
        exit 1
    }
}

look "$@"
if [ -n "$required$optional" ] && may_install; then
    install_missing
    look "$@"
fi
[ -z "$required$optional" ] || explain
[ -z "$required" ] || exit 1
[ -z "$optional" ] || echo "setup: going on without$optional" >&2
case " $* " in *" tests "*) fetch_readers ;; esac
check_cmake
