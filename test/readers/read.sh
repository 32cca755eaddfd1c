#!/bin/sh
# read.sh python MODULE SCRIPT ARGUMENT...    or    read.sh node PACKAGES PACKAGE SCRIPT ARGUMENT...
# Runs a reader. Leaves with 77, and a line that says so, where it is not on this machine.
export PYTHONDONTWRITEBYTECODE=1

skip() {
    echo "skipped: $*"
    exit 77
}

case $1 in
python)
    module=$2
    shift 2
    # The distribution's own, too: its packages are not those of another python in front of it.
    for python in python3 /usr/bin/python3; do
        "$python" -c "import $module" 2>/dev/null && exec "$python" "$@"
    done
    skip "no python3 with the module $module here (scripts/setup.sh tests installs python3-meshio)"
    ;;
node)
    packages=$2 package=$3 script=$4
    shift 4
    command -v node >/dev/null || skip "no node here (scripts/setup.sh tests installs nodejs)"
    [ -d "$packages/$package" ] || skip "no $package in $packages (scripts/setup.sh tests fetches it)"
    exec node "$script" "$packages" "$@"
    ;;
esac
