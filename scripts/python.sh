#!/bin/sh
# python.sh VENV [BUILD]
# Makes the virtual environment VENV, which sees the system's packages, and installs the Python package
# into it, with a library from cmake's folder BUILD (default: build/python). Needs no network.
# PYTHON names the python3 to use; without it the first that has NumPy.
cd "$(dirname "$0")/.." || exit 1
venv=$1
export PLIANT_BUILD="${2:-build/python}"

# The distribution's python may stand behind another one.
find_python() {
    for python in ${PYTHON:-python3 /usr/bin/python3}; do
        "$python" -c 'import numpy, setuptools, venv' >/dev/null 2>&1 && return 0
    done
    echo "python.sh: no python3 with NumPy, setuptools and venv here (scripts/setup.sh python installs them)" >&2
    return 1
}

find_python || exit 1
[ -x "$venv/bin/python" ] && "$venv/bin/python" -c 'import numpy' 2>/dev/null ||
    "$python" -m venv --clear --system-site-packages "$venv" || exit 1
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-index --no-build-isolation \
    --force-reinstall --no-deps ./python
