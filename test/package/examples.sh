# examples.sh ROOT LIBRARY C_COMPILER
# Every program in the documents (a block whose mark is c alone) compiles without a warning and runs;
# the torus of the README's falls.
set -e
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for page in "$1"/README.md "$1"/docs/*.md; do
    awk -v name="$folder/$(basename "$page" .md)" '
        /^```/ && inside { inside = 0; close(file); next }
        /^```c$/ { inside = 1; file = name "-" ++count ".c"; next }
        inside { print > file }' "$page"
done
for source in "$folder"/*.c; do
    echo "$(basename "$source" .c)"
    "$3" -std=c17 -Wall -Wextra -Wpedantic -Werror -I "$1/include" "$source" "$2" -lm -lpthread \
        -o "$folder/example"
    "$folder/example" >"$source.out"
done
awk 'NR == 1 { first = $2 } END { if (NR != 120 || !($2 < first - 0.5)) {
    print "the torus went from", first, "to", $2, "in", NR, "frames"; exit 1 } }' \
    "$folder/README-1.c.out"
