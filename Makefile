# make        build        make demo   build and run the demo into out/
# make test   all tests    make clean  remove what was built
all: build
.PHONY: all build test clean
build:
	cmake --preset release && cmake --build --preset release -j 2
test: build
	ctest --test-dir build/release --output-on-failure
clean:
	rm -rf build out
