# package.sh CMAKE BUILD_FOLDER CONFIG C_COMPILER LIBDIR VERSION
# Installs into a folder, moves it away, and builds a small program against it in every way that a
# user would. All of them must run and print the same digest.
set -e
cmake=$1
build=$2
config=$3
cc=$4
libdir=$5
version=$6
consumer=$(cd "$(dirname "$0")" && pwd)/consumer
work=$build/package-test
prefix="$work/moved here"
digest=

step() { echo "-- $*"; }
fail() {
    echo "FAILED: $*"
    exit 1
}

# check WAY PROGRAM: runs it and compares what it prints with what the first one printed.
check() {
    printed=$(LD_LIBRARY_PATH=$prefix/$libdir "$2") || fail "$1: $printed"
    [ -n "$digest" ] || digest=$printed
    [ "$printed" = "$digest" ] || fail "$1 prints $printed, the first one printed $digest"
    step "$1: $printed"
}

rm -rf "$work"
mkdir -p "$work"

step "install, then move"
"$cmake" --install "$build" --config "$config" --prefix "$work/first" >"$work/install.log" ||
    { cat "$work/install.log"; fail "the installation"; }
mv "$work/first" "$prefix"
for file in include/pliant.h "$libdir/libpliant.a" "$libdir/libpliant.so" \
    "$libdir/pkgconfig/pliant.pc" "$libdir/cmake/pliant/pliant-config.cmake"; do
    [ -e "$prefix/$file" ] || fail "$file is not installed"
done
if grep -rl "$build" "$prefix/include" "$prefix/$libdir/cmake" "$prefix/$libdir/pkgconfig"; then
    fail "the files above name the build folder"
fi

step "DESTDIR"
DESTDIR=$work/stage "$cmake" --install "$build" --config "$config" --prefix /usr >"$work/stage.log"
[ -e "$work/stage/usr/include/pliant.h" ] || fail "DESTDIR is not honored"

step "CMake"
"$cmake" -S "$consumer" -B "$work/cmake" -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix" \
    -DWANTED="$version" \
    >"$work/cmake.log" 2>&1 || { cat "$work/cmake.log"; fail "find_package(pliant)"; }
"$cmake" --build "$work/cmake" >"$work/cmake.log" 2>&1 || { cat "$work/cmake.log"; fail "CMake"; }
check "CMake, shared" "$work/cmake/with_pliant"
check "CMake, static" "$work/cmake/with_pliant_static"

# The flags of pkg-config are shell words: the prefix has a space, which it escapes.
if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH="$prefix/$libdir/pkgconfig"
    eval "'$cc' '$consumer/consumer.c' -o '$work/pc' $(pkg-config --cflags --libs pliant)"
    check "pkg-config, shared" "$work/pc"
    flags=$(pkg-config --static --cflags --libs pliant | sed 's/-lpliant/-l:libpliant.a/')
    eval "'$cc' '$consumer/consumer.c' -o '$work/pc_static' $flags"
    check "pkg-config, static" "$work/pc_static"
else
    step "skipped: pkg-config is not here"
fi

cxx=
for compiler in g++ clang++; do
    if echo '#include <cstddef>' | "$compiler" -x c++ -fsyntax-only - 2>/dev/null; then
        cxx=$compiler
        break
    fi
done
if [ -n "$cxx" ]; then
    "$cxx" -x c++ -std=c++17 -Wall -Wextra -Werror "$consumer/consumer.c" -x none \
        -I "$prefix/include" "$prefix/$libdir/libpliant.so" -o "$work/cxx"
    check "C++17, shared ($cxx)" "$work/cxx"
else
    step "skipped: no C++ compiler here"
fi
