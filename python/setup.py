"""Installs the package from a checkout: cmake builds the library and writes the modules that come from the headers.

    pip install --no-build-isolation ./python          # inside of a virtual environment

PLIANT_BUILD names a build folder of cmake to use, from the root of the checkout (build/python without it), PLIANT_CMAKE_OPTIONS what cmake is told
beyond that. Nothing is fetched.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
# What setuptools leaves lying about goes where all builds are.
LEFTOVERS = ROOT / "build" / "wheel"


def version():
    text = (ROOT / "include" / "pliant.h").read_text()
    return ".".join(re.search(rf"#define PLIANT_VERSION_{part} (\d+)", text).group(1)
                    for part in ("MAJOR", "MINOR", "PATCH"))


def options():
    given = shlex.split(os.environ.get("PLIANT_CMAKE_OPTIONS", ""))
    return ["-DCMAKE_BUILD_TYPE=Release", "-DPLIANT_TESTS=OFF", *given]


def has_jansson():
    return subprocess.run(["pkg-config", "--exists", "jansson"], check=False).returncode == 0 \
        if shutil.which("pkg-config") else False


class Build(build_py):
    """The package is the folder that cmake puts together."""

    def run(self):
        build = ROOT / (os.environ.get("PLIANT_BUILD") or "build/python")
        if not (build / "CMakeCache.txt").exists():
            program = [] if has_jansson() else ["-DPLIANT_PROGRAM=OFF"]
            subprocess.check_call(["cmake", "-S", str(ROOT), "-B", str(build), *program, *options()])
        jobs = os.environ.get("JOBS") or str(os.cpu_count() or 2)
        subprocess.check_call(["cmake", "-DPLIANT_PYTHON3=" + sys.executable, str(build)])
        subprocess.check_call(["cmake", "--build", str(build), "-j", jobs, "--target", "python_package"])
        to = Path(self.build_lib) / "pliant"
        shutil.rmtree(to, ignore_errors=True)
        shutil.copytree(build / "python" / "pliant", to, ignore=shutil.ignore_patterns("__pycache__"))


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


LEFTOVERS.mkdir(parents=True, exist_ok=True)
setup(
    name="pliant",
    version=version(),
    description="Position-based dynamics of soft bodies, on CPUs and GPUs, with the same bits everywhere",
    license="MIT",
    python_requires=">=3.9",
    install_requires=["numpy>=1.20"],
    extras_require={"meshio": ["meshio"], "plot": ["matplotlib"]},
    packages=["pliant"],
    cmdclass={"build_py": Build},
    distclass=WithLibrary,
    options={"build": {"build_base": str(LEFTOVERS)}, "egg_info": {"egg_base": str(LEFTOVERS)},
             "bdist_wheel": {"bdist_dir": str(LEFTOVERS / "tree")}},
    zip_safe=False,
)
