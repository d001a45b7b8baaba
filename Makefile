# make demo   installs what is missing, builds, runs the demonstration and says where the results are
# make test   installs what is missing, builds and runs every test
# The rest is for developers: bench, format, check-format, asan, tsan, valgrind, fuzz, clean.

BUILD := build/release
SCREE := $(BUILD)/scree
FUZZ_SECONDS ?= 600

.PHONY: all build demo test bench format check-format asan tsan clang valgrind fuzz packages dev-packages clean

all: build

packages:
	@tools/install-packages

dev-packages:
	@tools/install-packages --develop

build: packages
	@cmake --preset release >build.log 2>&1 || { cat build.log; rm -f build.log; exit 1; }; rm -f build.log
	@cmake --build --preset release

demo: build
	@tools/demo $(SCREE)

test: build
	@ctest --test-dir $(BUILD) --output-on-failure -j2

bench: build
	@$(SCREE) bench

format: dev-packages
	@git ls-files -co --exclude-standard '*.c' '*.h' | xargs clang-format -i

check-format: dev-packages
	@git ls-files -co --exclude-standard '*.c' '*.h' | xargs clang-format --dry-run --Werror

asan tsan clang: dev-packages
	@cmake --preset $@ >/dev/null
	@cmake --build --preset $@
	@ctest --test-dir build/$@ --output-on-failure -j2 $(TESTS)

valgrind: build dev-packages
	@ctest --test-dir $(BUILD) -T memcheck $(TESTS)

# Each fuzz target for FUZZ_SECONDS.
fuzz: dev-packages
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz --target fuzz_scene fuzz_run_file fuzz_checkpoint fuzz_seeds
	@tools/fuzz build/fuzz $(FUZZ_SECONDS)

clean:
	rm -rf build demo
