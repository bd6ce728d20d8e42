# Assay's commands. `make help` lists them; each installs what it needs (see .ci/install).
#
# The compiler, GOFLAGS and CGO_ENABLED are the same in every step: all three are part of the key of Go's build cache, and a cold build of the
# window toolkit takes most of a minute with clang and more than five with gcc.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help run tour test race fuzz soak e2e e2e-windows bench profile lint licences build headless packages test-packages release windows vet-macos clean install-build install-media install-evidence install-desk install-desktop install-bench install-soak install-windows install-wine install-packages

# Where Go's own installer puts it, for shells that have not been told.
export PATH := $(PATH):/usr/local/go/bin

OS := $(shell uname -s)

export CGO_ENABLED := 1
export GOFLAGS := $(GOFLAGS) -trimpath
# Asked for when a recipe runs, so that a compiler which install-build brought counts.
ifneq ($(filter default undefined,$(origin CC)),)
CC = $(shell .ci/compiler)
endif
export CC

GOLANGCI_LINT := build/tools/golangci-lint
GOLANGCI_LINT_VERSION := v2.15.0
ACTIONLINT := build/tools/actionlint
ACTIONLINT_VERSION := v1.7.12
NFPM := build/tools/nfpm
NFPM_VERSION := v2.45.1

# Tests wait for a good part of their time, for programs, services and clocks: three packages for two processors keep these busy.
PACKAGES_AT_ONCE := $(shell n=$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2); echo $$((n + (n + 1) / 2)))

# Arguments for the app: make run ARGS="--home DIR photo.jpg"
ARGS ?=

help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## \(.*\)/\1|\2/p' Makefile | column -t -s '|' 2>/dev/null || sed -n 's/^\([a-z0-9-]*\):[^#]*## /\1  /p' Makefile

run: build ## build Assay and open it on the sandbox; with no display, make the tour of screenshots in build/tour
	@if [ "$(OS)" != Linux ] || [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
		exec build/assay --sandbox $(ARGS); \
	else \
		echo "No display here: Assay starts on a virtual one, and leaves pictures of its screens in build/tour."; \
		$(MAKE) --no-print-directory install-desktop && exec go run -tags=e2e ./gui/e2e/tour pictures; \
	fi

tour: install-desktop build ## pictures of every screen in build/tour, watched folders, Settings in five languages, an inbox of 50 and 100,000 results among them: an hour
	go run -tags=e2e ./gui/e2e/tour

test: install-build install-media install-evidence install-desk ## run every test that needs no display
	go test -p $(PACKAGES_AT_ONCE) ./...

# These packages start no goroutine and lock nothing, so that the detector has nothing to find in them; the analysers among them would take
# minutes. Vetted they are by `make test`. What is long elsewhere and has none is left out by -short.
SEQUENTIAL := /(assets/packages/(macos|maker)|client/(copies|desk/files|desktop|explain|jsontree|verdict|media/(container|convert|facts|pdq|soundprint|strip)|sandbox/forensics(/[a-z]+)?)|gui/(chart|kit|present|viewer/(details|tree)))$$
# Readers and painters that belong to others (and the sandbox's analysers) and take most of the time under the detector: it does not look into
# them. None of them uses of sync more than a mutex: with an atomic value, or a sync.Map, the detector would miss what orders accesses, and
# report races that are none.
UNWATCHED := strconv internal/strconv image/gif image/jpeg image/png \
	golang.org/x/image/font/... golang.org/x/image/math/... golang.org/x/image/vector golang.org/x/image/vp8 golang.org/x/image/vp8l \
	github.com/fyne-io/oksvg github.com/srwiley/rasterx github.com/go-text/typesetting/font/... github.com/go-text/typesetting/harfbuzz \
	github.com/go-text/typesetting/segmenter github.com/go-text/typesetting/shaping modernc.org/memory modernc.org/sqlite/lib \
	assay/client/media/pdq assay/client/sandbox/forensics/...
# By default each process sleeps for a second as it ends, so that a report of another thread gets out.
race: export GORACE := $(GORACE) atexit_sleep_ms=50
race: install-build install-media install-evidence install-desk ## the same tests under the race detector, where anything runs beside anything: some fifteen minutes
	go test -p $(PACKAGES_AT_ONCE) -race $(UNWATCHED:%=-gcflags=%=-race=false) -short -vet=off -timeout=15m $$(go list ./... | grep -vE '$(SEQUENTIAL)')

# How long all targets take together, and which: make fuzz FUZZ_TIME=1h, make fuzz FUZZ=client/media
FUZZ_TIME ?= 10m
FUZZ ?= .
fuzz: install-build install-media ## feed changed and made-up files, answers and settings to every reader of them, each for its share of FUZZ_TIME
	.ci/fuzz "$(FUZZ_TIME)" "$(FUZZ)"

soak: install-build install-desk install-soak install-desktop build ## kill -9 at 1,000 instants and at every state, 500 cuts of the power, 10,000 scripts of three colleagues, 200 desktops at one desk with 10 million checks, a working week of 100,000 submissions, 100,000 files dropped in the window: none lost, none doubled; more than two hours
	ASSAY_KILLS=500 go test -run='^TestKilled' -count=1 -timeout=20m -v ./client/intake
	ASSAY_KILLS=200 ASSAY_SOAK=1 go test -run='^Test(Kill|SoakDiskErrors)' -count=1 -timeout=20m -v ./client/store
	ASSAY_CUTS=500 go test -run='^TestPowerLoss' -count=1 -timeout=60m -v ./client/store
	ASSAY_SCRIPTS=10000 go test -run='^TestColleaguesConverge' -count=1 -timeout=60m -v ./client/store
	ASSAY_KILLS=300 go test -run='^TestKilled' -count=1 -timeout=20m -v ./client/desk/exchange
	ASSAY_DESKTOPS=200 ASSAY_CHECKS=10000000 ASSAY_FOR=10m go test -run='^TestManyDesktops' -count=1 -timeout=60m -v ./client/desk/exchange
	ASSAY_SUBMISSIONS=100000 go test -run='^TestAWeekAtABusyDesk' -count=1 -timeout=2h -v ./client/session
	ASSAY_FILES=100000 ASSAY_MEGABYTES=249 go test -tags=e2e -run='^TestAFolderOfManyFiles|^TestALargeClip' -count=1 -timeout=2h -v ./gui/e2e

# The binary that it drives logs each call of the toolkit from a wrong thread, which a test then finds: asking which thread it is takes such a binary
# half of its time.
e2e: export ASSAY_BINARY := $(CURDIR)/build/checked/assay
e2e: install-build install-desk install-desktop ## drive the real binary on a virtual display with a real file manager; screenshots in build/e2e
	go build -buildvcs=false -ldflags="$$(.ci/facts)" -o "$$ASSAY_BINARY" .
	go test -tags=sound -count=1 -timeout=5m ./gui/player/speaker
	go test -tags=keychain -count=1 -timeout=5m ./client/keys
	go test -tags=e2e -count=1 -timeout=25m -v ./gui/e2e/...

e2e-windows: install-desktop install-wine build windows ## start the Windows build under wine: it keeps its key, scans, and opens its window
	go test -tags=e2e,wine -run='^TestTheWindowsBuild' -count=1 -timeout=10m -v ./gui/e2e

bench: install-build install-media install-desk install-bench install-desktop build ## compare Assay's costs with a peer's in the same run
	@histories=$$(mktemp -d) && trap 'rm -rf "$$histories"' EXIT && export ASSAY_HISTORIES="$$histories" && \
	go test -run='^$$' -bench='^BenchmarkB' -benchtime=1x -timeout=90m ./gui/heat ./client ./client/intake ./client/intake/poll ./client/store ./client/desk/postgres ./client/desk/exchange ./client/report/... ./watch ./gui/results ./client/media/pdq ./client/nearly ./client/media/sound ./client/sandbox/forensics/picture ./gui/viewer/tree && \
	go test -tags=e2e -run='^$$' -bench='^BenchmarkB' -benchtime=1x -timeout=60m ./gui/e2e

# make profile NAMES="B6 B10" takes some.
NAMES ?=
profile: install-build install-media install-bench install-desktop ## write to build/profiles where the time and memory of the benchmarks go: CPU, memory, waiting and a trace of each
	.ci/profile $(NAMES)

lint: install-build $(GOLANGCI_LINT) $(ACTIONLINT) ## check style, mistakes, the edges between packages, and the public workflows
	$(GOLANGCI_LINT) config verify
	$(GOLANGCI_LINT) run ./...
	$(ACTIONLINT)

licences: ## collect the licences of all modules that are in the binary, after they have changed
	go test -count=1 -run=TestLicencesAreThoseOfTheBinary ./assets -args -write

build: install-build ## build build/assay
	go build -tags=migrated_fynedo -buildvcs=false -ldflags="$$(.ci/facts)" -o build/assay .

headless: install-build install-packages ## build Assay without its window, for servers, in build/bin/headless-…: for Linux (amd64, arm64), macOS and Windows
	.ci/headless

# make packages KINDS="linux portable" builds some; .ci/packages says which there are.
KINDS ?=
packages: install-build install-windows install-packages $(NFPM) ## build in build/packages all that can be built here: for Linux, Windows, portable, without a window
	.ci/packages $(KINDS)

test-packages: install-desktop install-wine install-packages ## install each of build/packages and try it, on fresh systems
	CGO_ENABLED=0 go test -tags=headless ./gui/start
	go test -tags=e2e,packages -count=1 -timeout=30m -v ./gui/e2e/packages

release: install-build install-windows install-packages $(NFPM) ## build/packages as it is released: of a commit, with its section of CHANGELOG.md, sealed sums (ASSAY_RELEASE_KEY_FILE)
	.ci/packages --release

windows: install-windows ## build build/assay.exe on Linux, and build/assay.com, which prints for it on a console
	set -a && . .ci/facts && assets/packages/windows/resources build
	GOOS=windows GOARCH=amd64 CC="$(CC) --target=x86_64-w64-mingw32" \
		go build -tags=migrated_fynedo,nodynamic -ldflags='-s -w -H=windowsgui -extld=x86_64-w64-mingw32-gcc' -o build/assay.exe .

vet-macos: install-build ## vet for macOS what can be compiled without its C headers
	.ci/vet-macos

clean: ## remove what make made
	rm -rf build

install-build install-media install-evidence install-desk install-desktop install-bench install-soak install-windows install-wine install-packages: install-%:
	@.ci/install $*

$(ACTIONLINT): Makefile
	CGO_ENABLED=0 GOFLAGS=-trimpath GOBIN="$(CURDIR)/$(@D)" go install github.com/rhysd/actionlint/cmd/actionlint@$(ACTIONLINT_VERSION)
	@touch $@

$(GOLANGCI_LINT): Makefile
	CGO_ENABLED=0 GOFLAGS=-trimpath GOBIN="$(CURDIR)/$(@D)" go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT_VERSION)
	@touch $@

$(NFPM): Makefile
	CGO_ENABLED=0 GOFLAGS=-trimpath GOBIN="$(CURDIR)/$(@D)" go install github.com/goreleaser/nfpm/v2/cmd/nfpm@$(NFPM_VERSION)
	@touch $@
