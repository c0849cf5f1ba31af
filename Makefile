# The door. `make demo` and `make test` install what is missing, build, and run; everything else is CMake.

PREFIX  ?= /usr/local
DESTDIR ?=
OUT     ?= carom-out
MINUTES ?= 10
SAMPLE  ?= 100

CAROM = build/release/carom

.PHONY: fuzz mutate matrix lint deps-lint help demo test bench budgets docs docs-site figure deps deps-python deps-test deps-bench release same check-format install dist deb deps-deb deps-docs clean

help:
	@echo 'make demo          install what is missing, build, simulate the slider-crank that hits a block'
	@echo 'make test          install what is missing, build with warnings as errors, run all tests'
	@echo 'make same          run every model and compare its results bit for bit with those of a commit (COMMIT=)'
	@echo 'make docs          make the lists in the docs anew that the program knows'
	@echo 'make docs-site     make the documentation as a site, build/site/index.html, with search; it opens from the disk'
	@echo 'make bench         build and run the benchmarks; other engines where installed (make deps-bench)'
	@echo 'make budgets       write the instructions of the kernels anew that a test compares (bench/budgets.txt)'
	@echo 'make install       install program, library and headers (PREFIX=$(PREFIX), DESTDIR=)'
	@echo 'make dist          make the release archive of the last commit, build/release/carom-VERSION.tar.gz'
	@echo 'make deb           build Debian'\''s packages of it: build/release/deb/*.deb'
	@echo 'make figure        draw the figures of README.md anew (the page with the packages of build/dev/tests/node)'
	@echo 'make deps          install the missing packages of tools/packages.txt'
	@echo 'make deps-python   install also what the Python package is built with (tools/packages-python.txt)'
	@echo 'make deps-test     install also the programs that tests read results with (tools/packages-test.txt)'
	@echo 'make deps-deb      install also what Debian'\''s packages are built with (tools/packages-deb.txt)'
	@echo 'make deps-docs     install what makes the site of the documentation (tools/packages-docs.txt)'
	@echo 'make deps-bench    install the engines to compare with (tools/packages-bench.txt)'
	@echo 'make fuzz          let each fuzzer of tests/fuzz work for MINUTES=$(MINUTES) (needs clang)'
	@echo 'make mutate        change SAMPLE=$(SAMPLE) places of the source, one at a time, and say which changes no test notices'
	@echo 'make matrix        build and test with gcc, clang and the sanitizers, one after the other, then analyse (make lint)'
	@echo 'make lint          analyse with clang-tidy, cppcheck and gcc -fanalyzer (tools/lint.txt: what is accepted, and why)'
	@echo 'make check-format  say which files clang-format would change; never fails'
	@echo 'make clean         remove build/ and $(OUT)/'

deps:
	@sh tools/install_packages.sh tools/packages.txt

deps-python:
	@sh tools/install_packages.sh tools/packages.txt tools/packages-python.txt

deps-test:
	@sh tools/install_packages.sh tools/packages.txt tools/packages-python.txt tools/packages-docs.txt tools/packages-test.txt

deps-docs:
	@sh tools/install_packages.sh tools/packages-docs.txt

deps-lint: deps
	@sh tools/install_packages.sh tools/packages-lint.txt

deps-bench: deps
	@sh tools/install_packages.sh tools/packages-bench.txt

# One line when it goes well, everything when it does not.
quietly = @log=$$(mktemp) && { $(1) >"$$log" 2>&1 || { cat "$$log"; rm -f "$$log"; exit 1; }; }; rm -f "$$log"

release: deps
	$(call quietly,cmake --preset release)
	@cmake --build --preset release --target carom carom_cli

docs: release
	@tools/generate_docs $(CAROM)

docs-site: deps-docs
	@mkdocs build --quiet
	@echo 'site    build/site/index.html (open it in a browser)'

demo: release
	@$(CAROM) run models/slider_crank_block.yaml -o $(OUT)
	@$(CAROM) plot $(OUT)/slider_crank_block.h5 contact.hit.force contact.hit.elastic contact.hit.damping --impact 1 \
	    -o $(OUT)/slider_crank_block.svg
	@echo
	@echo 'results $(OUT)/slider_crank_block.h5'
	@echo 'figure  $(OUT)/slider_crank_block.svg'
	@echo 'report  $(OUT)/slider_crank_block.html (open it in a browser)'

figure: demo
	@mkdir -p docs/figures
	@cp $(OUT)/slider_crank_block.svg docs/figures/slider_crank_block.svg
	@$(CAROM) run models/hyq_walk.yaml -q -o $(OUT)
	@node docs/figures/page.mjs $(OUT)/hyq_walk.html $(OUT)/slider_crank_block.html

# ctest speaks last, so that its summary is the end of the output.
test: deps-test
	$(call quietly,cmake --preset dev)
	@cmake --build --preset dev
	@ctest --preset dev

bench: deps
	$(call quietly,cmake --preset release)
	@cmake --build --preset release --target bench
	@sh bench/run.sh build/release/bench

budgets: deps
	$(call quietly,cmake --preset dev)
	@cmake --build --preset dev --target bench_kernels
	@tools/budgets --renew build/dev

same: deps
	@tools/same $(COMMIT)

fuzz: deps
	$(call quietly,cmake --preset fuzz)
	@cmake --build --preset fuzz
	@tools/fuzz build/fuzz $(MINUTES)

mutate: deps-test
	@tools/mutate --sample $(SAMPLE) build/mutation

matrix: deps-test deps-lint
	@tools/matrix

lint: deps-lint
	$(call quietly,cmake --preset dev)
	@tools/lint build/dev

check-format:
	@if command -v clang-format >/dev/null 2>&1; then \
	    find src include cli examples tests bench -name '*.[ch]' | sort | while read -r file; do \
	        clang-format --style=file "$$file" | cmp -s - "$$file" || echo "$$file"; \
	    done; \
	else echo 'clang-format is not installed'; fi

install: deps
	$(call quietly,cmake --preset release)
	@cmake --build --preset release
	@DESTDIR=$(DESTDIR) cmake --install build/release --prefix $(PREFIX)

deps-deb:
	@sh tools/install_packages.sh tools/packages.txt tools/packages-python.txt tools/packages-deb.txt

dist: deps
	$(call quietly,cmake --preset release)
	@cmake --build --preset release --target carom_page
	@tools/make_archive build/release/viewer/page.html build/release

deb: deps-deb dist
	@tools/make_deb build/release/carom-$$(cat VERSION).tar.gz build/release/deb

clean:
	rm -rf build $(OUT)
