# symbols.sh HEADER LIBRARY
# A library has every function of the header and no other symbol that others see, whatever a host calls
# its own functions and whichever CUDA runtime it links. A shared one needs nothing but the C library.
header=$1
library=$2
for tool in nm readelf; do
    command -v $tool >/dev/null || { echo "skipped: no $tool (binutils)"; exit 77; }
done
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
status=0

# Declarations end with a semicolon and may span lines.
tr '\n' ' ' <"$header" | tr ';' '\n' |
    sed -n 's/.*PLIANT_API [^(]*[ *]\(pliant_[a-z0-9_]*\)(.*/\1/p' | sort >"$work/declared"
case $library in
*.a) seen=-g ;;
*) seen=-D ;;
esac
nm $seen --defined-only "$library" | awk 'NF >= 3 { sub(/@.*/, "", $NF); print $NF }' |
    sort >"$work/exported"

declared=$(wc -l <"$work/declared")
marks=$(grep -c '^PLIANT_API' "$header")
if [ "$declared" -ne "$marks" ] || [ "$declared" -eq 0 ]; then
    echo "FAILED: $declared names were read from the header's $marks declarations"
    status=1
fi

# report TITLE FILE: a list that should be empty
report() {
    [ -s "$2" ] || return 0
    echo "FAILED: $1:"
    sed 's/^/    /' "$2"
    status=1
}
comm -23 "$work/declared" "$work/exported" >"$work/missing"
comm -13 "$work/declared" "$work/exported" >"$work/extra"
[ $seen = -g ] || readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p' |
    grep -Ev '^(libc|libm|libpthread|libdl|librt|ld-linux[a-z0-9_-]*|libc\.musl[a-z0-9_-]*)\.so' >"$work/needed"
report "declared in the header, but not there" "$work/missing"
report "seen by others, but not declared in the header" "$work/extra"
report "needs more than the C library" "$work/needed"
echo "$declared functions declared, $(wc -l <"$work/exported") symbols are seen"
exit $status
