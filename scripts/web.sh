#!/bin/sh
# web.sh [OUT]
# Makes the gallery (default: build/site): pages and scenes whose simulation runs in the visitor's browser, as
# files that any web server can host. The core is compiled by emscripten, once without threads and once with
# them (WEB_THREADS=0: only without), below build/web. Needs emcc, node, npm and the npm registry.
# Exit status 3: something of that is missing, and one line says what.
cd "$(dirname "$0")/.." || exit 1
out=${1:-build/site}
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}

for program in emcc node npm; do
    command -v $program >/dev/null || {
        echo "web.sh: no $program here (scripts/setup.sh web)"
        exit 3
    }
done
# Debian's emscripten has a part for node, where other nodes do not look.
[ ! -d /usr/share/nodejs ] || export NODE_PATH="/usr/share/nodejs${NODE_PATH:+:$NODE_PATH}"
node web/fetch.mjs npm build/web/packages || exit 3

# core FOLDER FLAGS OPTION...
core() {
    folder=build/web/$1 flags=$2
    shift 2
    mkdir -p "$folder"
    emcmake cmake -S . -B "$folder" -DCMAKE_BUILD_TYPE=Release -DPLIANT_PROGRAM=OFF -DPLIANT_TESTS=OFF \
        -DPLIANT_SHARED=OFF -DPLIANT_STATIC=OFF -DPLIANT_INSTALL=OFF -DPLIANT_CUDA=OFF \
        -DCMAKE_C_FLAGS="$flags" -DPLIANT_WERROR="${WERROR:-0}" "$@" >"$folder.log" 2>&1 &&
        cmake --build "$folder" -j "$jobs" --target pliant_web >>"$folder.log" 2>&1 || {
        tail -n 30 "$folder.log"
        exit 1
    }
}
echo "web: compiling the core by emscripten into build/web"
core one -msimd128
if [ "${WEB_THREADS:-1}" = 0 ]; then rm -rf build/web/many; else core many '-msimd128 -pthread' -DPLIANT_WEB_THREADS=ON; fi
exec node web/site.mjs build/web/packages build/web "$out"
