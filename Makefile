# Epicycle. Needs git, a C compiler and make; setup.sh brings the rest.
#   make run     builds, and shows what this is
#   make test    builds, and checks what every change should pass
#   make check   checks everything: the long tests, memory, threads, the browser, another architecture, the source itself
PREFIX ?= /usr/local
DESTDIR ?=
BUILD = build
LEGS ?= plain long checked checked-long threads foreign analysis

# what is built on the way to something else is heard only when it fails
silently = log=$(BUILD)/build.log; mkdir -p $(BUILD); { $(1); } >$$log 2>&1 || { cat $$log; exit 1; }

.PHONY: run build test check soak coverage bench install dist deb clean help setup
run: $(BUILD)/build.ninja
	@$(call silently,cmake --build $(BUILD) --target epicycle)
	@$(BUILD)/epicycle run examples/tour.yaml

build: $(BUILD)/build.ninja
	@cmake --build $(BUILD)

test: setup
	@./setup.sh test
	@tests/legs.sh plain

check: setup
	@./setup.sh check
	@tests/legs.sh $(LEGS)

soak: setup
	@tests/legs.sh soak

coverage: setup
	@tests/legs.sh coverage

bench: setup
	@./setup.sh bench
	@$(call silently,cmake -S . -B $(BUILD)-bench -G Ninja -DEPICYCLE_BENCH=ON -DEPICYCLE_TESTS=OFF)
	@cmake --build $(BUILD)-bench --target bench

.PHONY: fuzz clean-fuzz
fuzz: setup
	@./setup.sh fuzz
	@tests/fuzz/run.sh $(TARGETS)

clean: clean-fuzz
clean-fuzz:
	@rm -rf $(BUILD)-fuzz

install: build
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD) --prefix $(abspath $(PREFIX))
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then ldconfig; fi

dist: build
	@packaging/dist.sh $(BUILD)

deb: dist
	@packaging/deb.sh $(BUILD)

clean:
	@rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-tsan $(BUILD)-foreign $(BUILD)-bench $(BUILD)-coverage

help:
	@echo "make run       build, and run the tour"
	@echo "make build     build the library, the command and the examples into $(BUILD)/"
	@echo "make test      the tests of every day, in three minutes"
	@echo "make check     every test; LEGS=\"plain long checked checked-long threads foreign analysis\" says which"
	@echo "make soak      the long tests"
	@echo "make coverage  lines and branches that the tests run"
	@echo "make bench     speed against hand-written loops and other codes"
	@echo "make fuzz      random inputs for a while: SECONDS_EACH=60, TARGETS=\"flow model\" says which"
	@echo "make install   into PREFIX=$(PREFIX), under DESTDIR if given"
	@echo "make dist      the source as a tarball in $(BUILD)/, which builds without npm and network"
	@echo "make deb       Debian packages in $(BUILD)/"
	@echo "make clean     remove everything built"

setup:
	@./setup.sh build

# ninja configures again by itself when a file here changes
$(BUILD)/build.ninja: | setup
	@echo "building in $(BUILD)/"
	@$(call silently,cmake -S . -B $(BUILD) -G Ninja)
