# readme.sh README INCLUDE_FOLDER LIBRARY C_COMPILER
# The example of the README compiles without a warning, runs, and its torus falls.
set -e
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sed -n '/^```c$/,/^```$/p' "$1" | sed '/^```/d' >"$folder/hello.c"
grep -q 'int main' "$folder/hello.c" || { echo "no example in $1"; exit 1; }
"$4" -std=c17 -Wall -Wextra -Wpedantic -Werror -I "$2" "$folder/hello.c" "$3" -lm -lpthread \
    -o "$folder/hello"
"$folder/hello" >"$folder/out"
awk 'NR == 1 { first = $2 } END { if (NR != 120 || !($2 < first - 0.5)) {
    print "the torus went from", first, "to", $2, "in", NR, "frames"; exit 1 } }' "$folder/out"
