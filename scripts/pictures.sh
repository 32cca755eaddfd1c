#!/bin/sh
# Draws the pictures of the documents anew: every command in the table of docs/pictures.md, as it stands there.
#   scripts/pictures.sh PLIANT MESHES [NAME...]
# PLIANT is the program; MESHES a folder that has surfaces/spot.obj.gz and the tets of the papers; names, as in
# `drop.png`, choose some of the pictures. Those of docs/results come from generated meshes, spot and the beam, without
# the tables beside them.
set -eu

[ $# -ge 2 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 2; }
pliant=$(realpath "$1")
meshes=$(realpath "$2")
shift 2
root=$(realpath "$(dirname "$0")/..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/docs/images" "$work/bin"
cp -r "$root/docs/images/scenes" "$work/docs/images"
ln -s "$pliant" "$work/bin/pliant"
ln -s "$meshes" "$work/meshes"
PATH=$work/bin:$PATH
cd "$work"

# Spot with places in a texture: around its length, and along it.
spot=docs/images/scenes/spot.obj
gzip -dc meshes/surfaces/spot.obj.gz | awk '
    BEGIN {print "mtllib spot.mtl"}
    $1 == "v" {print; printf "vt %.5f %.5f\n", atan2($2, $3) / 12.56637, 0.3 * $4}
    $1 == "f" {
        if (!used++) print "usemtl checker"
        for (i = 2; i <= 4; i++) {split($i, corner, "/"); $i = corner[1] "/" corner[1]}
        print
    }' > $spot

# The tutorial's files, as it makes them.
pliant mesh blob:0.5:24:3 --boundary -o blob.obj > /dev/null
awk '/^```json bounce.json/ {inside = 1; next} /^```/ {inside = 0} inside' "$root/docs/tutorial.md" > bounce.json

# Rows of the table: | [NAME](PLACE) | `COMMAND` |
sed -n 's/^| \[\([^]]*\)\](\([^)]*\)) | `\(pliant [^`]*\)`.*/\1 \2 \3/p' "$root/docs/pictures.md" > rows
while read -r name place command; do
    case " $* " in *" $name "*) ;; "  ") ;; *) continue ;; esac
    echo "$name: $command"
    [ -e "$name" ] || sh -c "$command" > log 2>&1 < /dev/null || { cat log; exit 1; }
    cp "$name" "$root/docs/$place"
done < rows
