# The few commands of this repository; `make help` lists them.

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run build test check check-api test-tsan test-asan test-systemd soak fuzz bench openapi deb format clean
.PHONY: lint imports linked instructions debug
.PHONY: packages-build packages-run packages-test packages-bench packages-count packages-api packages-deb packages-rig

PROGRAMS := refreshd refreshctl demo-upstream
FORMATTED := Package.swift Sources Tests

# The Swift runtime inside the program, the C libraries of Debian outside it.
RELEASE := --configuration release --static-swift-stdlib

# A sanitizer's build lies beside the usual one; its end-to-end tests start the programs of that same build.
TSAN := --sanitize thread --scratch-path .build/tsan -Xswiftc -DTHREAD_SANITIZER
ASAN := --sanitize address --scratch-path .build/asan
FUZZ := --configuration release --scratch-path .build/fuzz --product fuzz \
	-Xswiftc -sanitize=fuzzer,address -Xcxx -fsanitize=fuzzer-no-link,address

# The package manager keeps caches in the home folder; some accounts have none that can be written. It looks into
# the password database unless the second of these names tells it otherwise.
ifneq ($(shell [ -d "$$HOME" ] && [ -w "$$HOME" ] && echo writable),writable)
export HOME := $(CURDIR)/.build/home
export CFFIXED_USER_HOME := $(HOME)
$(shell mkdir -p .build/home)
endif

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: packages-run build ## build, then run the daemon with a demo upstream; Ctrl-C ends both
	@scripts/run .build/release

build: packages-build ## build the programs as they are shipped, into .build/release
	swift build $(RELEASE)

# One after the other: some keep a thread of the small pool for long, and those beside them would wait for it.
test: packages-test debug ## build for debugging and run every test
	swift test --skip-build --disable-xctest --no-parallel

# Warnings are errors in everything that this leads to.
check: export CI = true
check: lint imports linked instructions test ## format, lint, imports, builds without a warning, counts, tests

check-api: packages-api build ## let tools that others wrote ask the daemon for what its description says
	scripts/check-api .build/release

test-tsan: packages-test packages-build ## run every test under the thread sanitizer
	env -u CI swift build --build-tests $(TSAN)
	swift test --skip-build --disable-xctest --no-parallel $(TSAN)

# Without the leak check, which does not see what lazy statics hold (docs/decisions/0009-sanitizers.md).
test-asan: packages-test packages-build ## run every test under the address sanitizer
	env -u CI swift build --build-tests $(ASAN)
	ASAN_OPTIONS=detect_leaks=0 swift test --skip-build --disable-xctest --no-parallel $(ASAN)

test-systemd: packages-rig deb ## install the package in a booted Debian and try it there (root; skips otherwise)
	packaging/rig/run $(CASES)

deb: packages-deb build ## make a Debian package, into .build/deb
	packaging/build-deb

# Ten thousand random lives of a feed and its clients, 500 kills, power cuts, and more damage. Optimised, since most of
# it is arithmetic; with the places at which a test build can be killed, which a release has not.
SOAKED := --configuration release -Xswiftc -enable-testing -Xswiftc -DDEBUG --scratch-path .build/soak
soak: packages-test ## run the random tests of the store for long
	TESTS_OF=RefreshStore swift build --build-tests $(SOAKED)
	TESTS_OF=RefreshStore SOAK=$(or $(SOAK),10000) swift test --skip-build --disable-xctest $(SOAKED)

# FUZZ_SECONDS for each target (600), TARGET="json link" for some of them.
fuzz: packages-build ## feed made-up bytes to every reader of foreign input, ten minutes each
	FUZZ=1 swift build $(FUZZ)
	scripts/fuzz .build/fuzz/release/fuzz $(TARGET)

bench: packages-bench build ## measure against bare C programs; JOB=j1 for one job
	python3 -B Benchmarks/bench $(JOB)

openapi: packages-build ## write docs/openapi.json anew from the route table
	WRITE_OPENAPI=1 TESTS_OF=RefreshAPI swift test --disable-xctest --filter DocumentTests

format: ## format every Swift file
	swift format --in-place --parallel --recursive $(FORMATTED)

clean: ## remove what was built and what `make run` has stored
	rm -rf .build .run

# MARK: the parts

lint:
	swift format lint --strict --parallel --recursive $(FORMATTED)

imports: packages-build packages-test
	.ci/check-imports --self-test
	.ci/check-imports

linked: build
	.ci/check-imports --linked $(addprefix .build/release/,$(PROGRAMS))

instructions: packages-count build
	Benchmarks/instructions.py

debug: packages-build
	swift build --build-tests

packages-build:
	@.ci/packages build

packages-run:
	@.ci/packages run

packages-test:
	@.ci/packages test

packages-bench:
	@.ci/packages bench

packages-count:
	@.ci/packages count

packages-api:
	@.ci/packages api

packages-deb:
	@.ci/packages deb

packages-rig:
	@[ "$$(id -u)" -ne 0 ] || .ci/packages rig || echo "the rig says what it cannot do without them"
