# make demo   installs what is missing, builds, runs the demonstration and says where the results are
# make test   installs what is missing, builds and runs every test
# make install   puts program, library, header, Python package, manual page and completions under PREFIX (/usr/local)
# make pages     writes the reference pages of docs/ anew; make pictures those of the tutorial and the gallery
# make deb       builds Debian's packages and tries them
# make figures   makes the published figures again, and the page docs/figures.md
# make viewer    builds the page of 'scree view' anew from viewer/src (needs npm and its registry)
# The rest is for developers: bench, bench-peers, bench-solvers, format, check-format, lint, asan, tsan, valgrind, fuzz, parser-coverage, faults, kills solid-pairs, power, clean.

BUILD := build/release
SCREE := $(BUILD)/scree
FUZZ_SECONDS ?= 600
PREFIX ?= /usr/local
ONCE_OPTION = -DSCREE_TESTS_ONCE=$(or $(ONCE),OFF)
# Two tests more than there are processors: some of the long ones wait for a browser, a signal, a disk or a clock.
CTEST := ctest --output-on-failure -j$(shell expr $$(nproc) + 2)

.PHONY: all configure build cuda program demo test install deb pictures pages figures bench bench-peers bench-solvers viewer playground viewer-packages lint lint-c lint-python lint-viewer format check-format bits asan tsan clang asan-build tsan-build clang-build valgrind fuzz parser-coverage faults power kills solid-pairs packages dev-packages clean

all: build

packages:
	@tools/install-packages

dev-packages:
	@tools/install-packages --develop

# WERROR=ON makes errors of warnings, as CI and the developers' presets do; ONCE=ON builds no test that .ci/run makes
# with another preset.
configure: packages
	@cmake --preset release $(if $(WERROR),-DSCREE_WERROR=$(WERROR)) $(ONCE_OPTION) >build.log 2>&1 || { cat build.log; rm -f build.log; exit 1; }; rm -f build.log

build: configure
	@cmake --build --preset release

# Sweeps on a GPU: needs nvcc.
cuda: configure
	@cmake --build build/release --target scree_cuda

# The program, and the library with which Python measures. Ninja keeps to one line in a terminal, and elsewhere says
# nothing unless it fails.
program: configure
	@echo "Building the program: about a minute the first time."
	@if [ -t 1 ]; then ninja -C $(BUILD) scree_program scree_shared; else \
	    ninja -C $(BUILD) scree_program scree_shared >build.log 2>&1 || { cat build.log; rm -f build.log; exit 1; }; rm -f build.log; fi

demo: program
	@tools/demo $(SCREE)

test: build
	@$(CTEST) --test-dir $(BUILD) $(TESTS)

# DESTDIR goes before the prefix, for those who make packages.
install: packages
	@cmake --preset release -DCMAKE_INSTALL_PREFIX="$(PREFIX)" >/dev/null
	@cmake --build --preset release
	@DESTDIR="$(DESTDIR)" cmake --install $(BUILD) --prefix "$(PREFIX)" >/dev/null
	@echo "installed under $(DESTDIR)$(PREFIX); programs that use the shared library may need 'ldconfig' once"

# Packages for Debian and its relatives, checked by lintian and tried without installing them; in build/deb.
deb:
	@tools/install-packages --deb
	@tools/deb

# The pictures of the tutorial and the gallery, by the commands that stand there.
pictures: build
	@PYTHONPATH=python /usr/bin/python3 tools/pictures $(SCREE)

# Pages of docs/ that are written by programs: from the table of commands, the headers and the schema of scenes.
pages: build
	@$(SCREE) --reference >docs/commands.md
	@/usr/bin/python3 tools/library-page --write
	@cd tests/scene && ../../$(BUILD)/tests/scene/test_scene_reference --write
	@SCREE_LIBRARY=$(BUILD)/libscree.so /usr/bin/python3 tools/scene-keys --write

figures: build
	@$(SCREE) figures -o figures-out --page docs/figures.md

bench: build
	@$(SCREE) bench

# Scree beside LAMMPS, YADE, Bullet, ODE, Box2D, Chipmunk and Siconos; PEERS=--quick takes under three minutes. Then
# rocks beside Bullet's hulls, two minutes and a half for 1,000; ROCKS=10000 takes longer.
bench-peers: build
	@tools/install-packages --peers
	@PYTHONPATH=python /usr/bin/python3 bench/peers/peers.py --build $(BUILD) $(PEERS)
	@PYTHONPATH=python /usr/bin/python3 bench/peers/rocks.py --build $(BUILD) --count $(or $(ROCKS),1000)

# Every solver to given residuals: docs/solvers.md. About half an hour with one process and 1000 grains.
bench-solvers: build
	@bench/solvers.sh $(SCREE) $(BUILD)/solvers $(or $(JOBS),1) $(or $(LARGEST),1000) 60
	@PYTHONPATH=python /usr/bin/python3 bench/solvers.py $(BUILD)/solvers/solvers.jsonl --picture $(BUILD)/solvers/solvers.png

# Node's packages, installed again when the lock file has changed.
NODE_PACKAGES := viewer/node_modules/.package-lock.json

$(NODE_PACKAGES): viewer/package-lock.json
	@command -v npm >/dev/null 2>&1 || tools/install-packages --viewer
	@cd viewer && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

# What building the page and testing it in a browser need: node's packages, Chromium.
viewer-packages: $(NODE_PACKAGES)
	@tools/install-packages --viewer

viewer: viewer-packages
	@cd viewer && npm run --silent build

# The playground: the core and scenes in WebAssembly, in the page dist/playground.html. A built one is committed.
playground: viewer-packages dev-packages
	@tools/libyaml-source build/libyaml
	@cmake --preset wasm32 >/dev/null
	@cmake --build build/wasm32 --target scree_playground
	@cd viewer && node build.mjs --playground ../build/wasm32

lint: lint-c lint-python lint-viewer

# The checks of .clang-tidy on all of C; half a minute on two cores. Options of other compilers are no concern of it.
lint-c: configure dev-packages
	@git ls-files -co --exclude-standard '*.c' | grep -v -e /fuzz_ -e /peers/ -e /project/ | \
	    xargs -P "$$(nproc)" -n 4 clang-tidy -p $(BUILD) --quiet \
	    --extra-arg=-Wno-ignored-optimization-argument --extra-arg=-Wno-unused-command-line-argument 2>/dev/null

# Names, imports and layout of all Python; types of the package and of the tools.
PYTHON_TOOLS := tools/scene-keys tools/pages.py tools/demo-pictures tools/library-page tools/parser-coverage tools/pictures

lint-python: dev-packages
	@/usr/bin/python3 -m flake8 $$(git ls-files -co --exclude-standard '*.py') $(PYTHON_TOOLS)
	@/usr/bin/python3 -m flake8 --max-line-length 120 python
	@/usr/bin/python3 -m mypy --no-error-summary --scripts-are-modules python/scree $(PYTHON_TOOLS)

# The layout and the types of the viewer's sources.
lint-viewer: $(NODE_PACKAGES)
	@cd viewer && npm run --silent lint

format: dev-packages
	@git ls-files -co --exclude-standard '*.c' '*.cpp' '*.h' | xargs clang-format -i

check-format: dev-packages
	@git ls-files -co --exclude-standard '*.c' '*.cpp' '*.h' | xargs clang-format --dry-run --Werror

# The same bits on this machine and as compiled in other ways, on aarch64, x86-64 and in WebAssembly among them.
BITS ?= clang-scalar foreign x86-64-v3 wasm32
bits: build dev-packages
	@tools/libyaml-source build/libyaml
	@python3 tests/bits/compare.py --program $(BUILD)/tests/bits/scree_bits $(BITS)

asan tsan clang: %: %-build
	@$(CTEST) --test-dir build/$@ $(TESTS)

asan-build tsan-build clang-build: %-build: dev-packages
	@cmake --preset $* $(ONCE_OPTION) >/dev/null
	@cmake --build --preset $*

# The tests that valgrind gets through in minutes.
VALGRIND_TESTS := state/test_state_restart shape/test_shape_walls sweep/test_sweep_order problem/test_problem_residual \
	api/test_api_arguments physics/test_physics_pistons physics/test_physics_frozen \
	scene/test_scene_values io/test_io_checkpoint

valgrind: build dev-packages
	@for test in $(VALGRIND_TESTS); do echo $$test; \
	    (cd tests/scene && valgrind -q --leak-check=full --error-exitcode=1 ../../$(BUILD)/tests/$$test >/dev/null) || exit 1; done

# Each fuzz target for FUZZ_SECONDS, with sanitizers.
fuzz: dev-packages
	@cmake --preset asan >/dev/null
	@cmake --build --preset asan --target fuzz_scene fuzz_grammar fuzz_mesh fuzz_run_file fuzz_run_values fuzz_checkpoint \
	    fuzz_problem fuzz_request fuzz_seeds
	@tools/fuzz build/asan $(FUZZ_SECONDS)

# How many lines of the parsers the fuzzers' seeds and the tests reach: three minutes. COVERAGE=--lines prints the others.
parser-coverage: dev-packages
	@cmake --preset coverage >/dev/null
	@ninja -C build/coverage scree_program tests/scene/all tests/io/all tests/viewer/all tests/state/all tests/reliability/all \
	    test_shape_solid test_shape_solid_given test_shape_solid_refusals test_shape_solid_memory test_physics_solids \
	    test_physics_cell test_soft_restart
	@tools/parser-coverage build/coverage $(COVERAGE)

# Every allocation fails in turn; an hour or two of two cores for all: FAULTS="--stacks" takes one for each way that
# leads to one, FAULTS="--sample 100 run restart" a hundred of two commands. JOBS processes at a time.
faults: build
	@PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 tests/reliability/faults.py $(if $(JOBS),-j $(JOBS)) $(FAULTS)

# Random pairs of solids of every kind against brute force: PAIRS of each test function, on JOBS cores.
solid-pairs: build
	@tests/narrow/solid-pairs build/release $(or $(PAIRS),1000000) $(or $(JOBS),$(shell nproc)) $(or $(SEED),1)

# N kills at random moments, and N times several processes at once on one run.
kills: build
	@PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 tests/reliability/kills.py $(if $(JOBS),-j $(JOBS)) \
	    --kills $(or $(N),100) --starts $(or $(N),100)

# What a disk may hold after a power failure, at every moment of some runs; POWER="--cuts 100" takes a hundred moments.
power: build
	@PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 tests/reliability/power.py $(if $(JOBS),-j $(JOBS)) $(POWER)

clean:
	rm -rf build demo figures-out
