# extend.sh ROOT LIBRARY C_COMPILER CMOCKA
# Does with a copy of the sources what docs/add-a-constraint.md says, and tries what came out of it:
# the constraint (bow.c, and the tests that go through the list) and the parameter (swelling.c). Only
# what depends on either is compiled again; the rest comes from the library.
set -e
command -v patch >/dev/null || { echo "there is no patch here"; exit 77; }
root=$1 library=$2 compiler=$3 cmocka=$4
jansson=$(pkg-config --cflags --libs jansson 2>/dev/null || echo -ljansson)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -R "$root/src" "$root/include" "$root/test" "$folder"
cd "$folder"

# Blocks "c new: PATH" are files, and blocks "diff" are applied.
awk '/^```/ && inside { inside = 0; close(file); next }
     /^```c new: / { inside = 1; file = $3; next }
     /^```diff$/ { inside = 1; file = "change-" ++count ".patch"; next }
     inside { print > file }' "$root/docs/add-a-constraint.md"
for change in change-*.patch; do patch -s -p1 --fuzz=0 <"$change"; done

flags="-std=c17 -O0 -Wall -Wextra -Werror -Wno-psabi -Isrc -Iinclude -Itest
       -DSOURCE_DIR=\"$root\" -DUNDER_SANITIZER=0 -DUNDER_THREAD_SANITIZER=0"
compile() { # OUT FILE...
    out=$1
    shift
    "$compiler" $flags "$@" "$library" "$cmocka" $jansson -lm -lpthread -o "$out"
}

compile bow -DLANES=1 -DKERNELS=sweep_of_bow test/extend/bow.c src/solver/sweep.c src/constraint/types.c
./bow
compile projection test/test_projection.c src/constraint/types.c
./projection >projection.txt 2>&1 || { cat projection.txt; exit 1; }
scene=$(printf 'src/scene/%s.c ' table keys region_keys read help place nearest unknown words)
compile swelling test/extend/swelling.c src/asset/members.c src/asset/words.c src/asset/checks.c \
    src/asset/material.c src/base/key.c $scene
./swelling
