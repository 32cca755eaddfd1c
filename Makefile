# Pliant: make help lists what there is. Everything below is CMake; these are short names for it.
PREFIX        ?= /usr/local
JOBS          ?= $(shell nproc 2>/dev/null || echo 2)
WERROR        ?= 0
FUZZ_SECONDS  ?= 60
MUTATIONS     ?= 1000000
VENV          ?= build/venv
SITE          ?= build/site
# For cmake, for example CMAKE_OPTIONS='-DPLIANT_CUDA=OFF -G Ninja'; the tests take them too.
CMAKE_OPTIONS ?=
DEMO          ?= run potpourri --out out $(PICTURE)
export JOBS WERROR CMAKE_OPTIONS

BUILD   := build/release
PROGRAM := $(BUILD)/cli/pliant
# Looked up after the build: a program without libpng draws no pictures.
PICTURE  = $(shell grep -qs '^PNG_PNG_INCLUDE_DIR:PATH=/' $(BUILD)/CMakeCache.txt && \
             echo --picture out/potpourri.png)
SOURCES  = git ls-files -co --exclude-standard '*.c' '*.h' '*.cu' '*.cuh'
# Pages that people write; the program writes the others.
PAGES    = git ls-files -co --exclude-standard '*.md' ':!docs/scene-reference.md' ':!docs/results'

all: build

help:
	@echo "make            build the library and the program into $(BUILD) (CMAKE_OPTIONS='-DNAME=VALUE')"
	@echo 'make demo       build, and run the demo into out/'
	@echo 'make test       builds and tests: release, sanitizers, clang, emulated GPU, Python   (STAGES="release thread")'
	@echo 'make quick      the tests of the release build only'
	@echo 'make test-all   long: make test, and all that it leaves out (docs/building.md)'
	@echo 'make python     build, and install the Python package into VENV=$(VENV)'
	@echo 'make web        the gallery for browsers into SITE=$(SITE), by emscripten; node web/host.mjs shows it'
	@echo 'make install    install below PREFIX=$(PREFIX), DESTDIR= before it'
	@echo 'make mutations  long: MUTATIONS=$(MUTATIONS) damaged inputs, address sanitizer'
	@echo 'make fuzz       long: every fuzz target for FUZZ_SECONDS=$(FUZZ_SECONDS), needs clang'
	@echo 'make format     clang-format on all sources, documents wrapped; make check-format only looks'
	@echo 'make documents  write anew the documents that the program writes'
	@echo 'make setup      install what is missing (done by the others too)'
	@echo 'make clean      remove build/ and out/'

setup:
	@scripts/setup.sh program tests python

build:
	@scripts/setup.sh program
	@echo 'building with $(JOBS) jobs into $(BUILD)'
	@mkdir -p build && rm -f $(BUILD).log # it may be root's, of sudo make install
	@cmake -S . -B $(BUILD) -DCMAKE_BUILD_TYPE=Release -DPLIANT_WERROR=$(WERROR) \
	    -DPLIANT_TESTS=OFF -DPLIANT_DRAFT=OFF $(CMAKE_OPTIONS) >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@sed -n 's/^-- \(CUDA backend\|Page of\)/\1/p' $(BUILD).log
	@cmake --build $(BUILD) -j $(JOBS) >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@echo 'built'

demo: build
	@if [ -x $(PROGRAM) ]; then echo '$(PROGRAM) $(DEMO)' && $(PROGRAM) $(DEMO); \
	else echo 'The program is not part of this build: there is nothing to show yet.'; fi

test: setup
	@scripts/test.sh $(STAGES)

quick: setup
	@scripts/test.sh release

test-all: setup
	@PLIANT_TEST_ALL=1 scripts/test.sh $(STAGES)

# In a virtual environment that sees the system's packages.
python: build
	@scripts/setup.sh program python plot
	@scripts/python.sh '$(VENV)' $(BUILD)
	@echo "installed: $(VENV)/bin/python -c 'import pliant'"

# Scenes that run in the visitor's browser: files for any web server.
web:
	@scripts/setup.sh web
	@scripts/web.sh '$(SITE)'

install: build
	@cmake --install $(BUILD) --prefix '$(PREFIX)'
	@# The loader knows new libraries by its cache.
	@[ -n '$(DESTDIR)' ] || [ "$$(id -u)" -ne 0 ] || ! command -v ldconfig >/dev/null || ldconfig

# The pages that come from tables in the code; a test tells when they are old.
documents: build
	@$(PROGRAM) help scene --markdown >docs/scene-reference.md
	@$(PROGRAM) help man >docs/pliant.1

# Damaged inputs by the million: what the tests do by the thousand.
mutations: setup
	@scripts/mutations.sh $(MUTATIONS)

fuzz:
	@scripts/setup.sh program
	@scripts/fuzz.sh $(FUZZ_SECONDS)

format:
	@$(SOURCES) | xargs clang-format -i
	@for page in $$($(PAGES)); do awk -f scripts/wrap.awk $$page >$$page.wrapped && \
	    cat $$page.wrapped >$$page && rm $$page.wrapped; done

check-format:
	@$(SOURCES) | xargs -n 32 -P $(JOBS) clang-format --dry-run --Werror
	@for page in $$($(PAGES)); do awk -f scripts/wrap.awk $$page | cmp -s - $$page || \
	    { echo "$$page: text wider than 110 columns; make format wraps it"; exit 1; }; done

clean:
	rm -rf build out

.PHONY: all help setup build demo test quick test-all python web install documents mutations fuzz format \
        check-format clean
