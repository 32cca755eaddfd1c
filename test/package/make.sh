# make.sh SOURCE
# make hands CMAKE_OPTIONS to cmake.
command -v make >/dev/null || { echo "skipped: no make"; exit 77; }
cd "$1" || exit 1
make -n build CMAKE_OPTIONS=-DPLIANT_WORD=handed_on | grep -q 'DPLIANT_WORD=handed_on' && exit 0
echo "FAILED: make build does not hand CMAKE_OPTIONS on"
exit 1
