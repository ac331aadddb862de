# Everything a person does here; `make help` lists it. The environment builds itself on first use: what users install
# comes with `make demo`, the developers' tools only with the targets that need them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORE := CMakeLists.txt $(wildcard src/unisono/_core/*.cpp src/unisono/_core/*.hpp)
REPORT := build/report-entities.html
.DEFAULT_GOAL := help
.PHONY: help setup demo test test-all check coverage browser docs static-page static-page-if-possible bench fuzz sanitize matrix clean FORCE

help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/.developer ## the environment with the developers' tools (the other targets do it themselves)

# What the build needs is kept in the environment, so that a change of the core is compiled without fetching it again.
$(VENV)/.build-tools: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
	  "unisono needs Python 3.11 or later; this is %d.%d. Name another with: make PYTHON=python3.12 ..." % sys.version_info[:2])'
	@test -x $(BIN)/python || { echo "making $(VENV) and building the core: a minute or two"; $(PYTHON) -m venv $(VENV); }
	@$(BIN)/python -m pip install --quiet --no-compile "scikit-build-core>=0.10,<2" "nanobind>=2.4,<4"
	@$(BIN)/python -c 'from scikit_build_core.build import get_requires_for_build_editable as missing; print(*missing())' \
	  | xargs -r $(BIN)/python -m pip install --quiet
	@touch $@

# An editable install knows the modules by name: it is made anew when their list changes.
$(VENV)/.modules: $(VENV)/.build-tools FORCE
	@find src -name '*.py' | LC_ALL=C sort | cmp -s - $@ || find src -name '*.py' | LC_ALL=C sort > $@

$(VENV)/.ready: $(VENV)/.build-tools $(VENV)/.modules $(CORE)
	@$(BIN)/python -m pip install --quiet --no-compile --no-build-isolation --editable ".[web]"
	@touch $@

$(VENV)/.developer: $(VENV)/.ready pyproject.toml
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --group dev --group docs
	@touch $@

demo: $(VENV)/.ready ## measure the bundled examples, print the tables, write a report
	@mkdir -p $(dir $(REPORT))
	@$(BIN)/unisono measure examples/entities.csv --seed 42 --report $(REPORT)
	@$(BIN)/unisono align examples/entities.csv --draw 2>/dev/null
	@$(BIN)/unisono measure examples/gestures.csv --seed 42
	@echo
	@echo "The report of the first example: open $(REPORT) in a browser,"
	@echo "  file://$(abspath $(REPORT))"
	@echo "Your own files: $(BIN)/unisono measure YOUR-FILE-OR-FOLDER"
	@echo "The same in a browser, nothing to type: $(BIN)/unisono serve"

check: setup ## ruff, mypy --strict, import-linter, clang-format, oxlint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/oxlint --deny-warnings src/unisono/frontend
	$(BIN)/clang-format --dry-run --Werror src/unisono/_core/*.hpp src/unisono/_core/*.cpp

# The page and the report are tested in a real browser: Debian's package, where this machine may install it.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	  { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && echo "installing chromium for the browser tests" && \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; } || \
	  echo "NO BROWSER: the tests of the page and the report WILL BE SKIPPED; install chromium to run them" >&2

test: check browser ## all checks and tests but the long ones
	$(BIN)/pytest --numprocesses auto

test-all: check browser static-page-if-possible ## all checks and tests, the long ones too
	$(BIN)/pytest --numprocesses auto -m ""

coverage: setup browser ## which lines and branches of the Python code the tests reach (build/coverage/index.html)
	$(BIN)/pytest --numprocesses auto --cov --cov-report=term:skip-covered --cov-report=html:build/coverage

# Warnings are errors (mkdocs.yml); the gallery's reports are made with it.
docs: $(VENV)/.ready ## the documentation site (build/site/index.html)
	@$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	@$(BIN)/python -m pip install --quiet --group docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "file://$(abspath build/site/index.html)"

# The page without a server. Emscripten is the one on the PATH, or that of a Debian sid which is put into
# EMSCRIPTEN_CHROOT (as root). NUMPY_WHEEL: a wheel of numpy for Pyodide; without one, that of Pyodide's distribution.
STATIC_PAGE := build/static-page
EMSCRIPTEN_CHROOT ?= build/emscripten/sid
NUMPY_WHEEL ?= $(firstword $(wildcard ../shared/wasm/numpy-*wasm32.whl))
build/emscripten/_core.so: $(CORE) tools/wasm_core.py tools/emscripten_chroot.sh | $(VENV)/.build-tools
	$(BIN)/python tools/wasm_core.py $@ --chroot $(abspath $(EMSCRIPTEN_CHROOT))

static-page: $(VENV)/.ready build/emscripten/_core.so ## the page as static files that compute in the browser (build/static-page)
	$(BIN)/python tools/static_page.py $(STATIC_PAGE) --core build/emscripten/_core.so \
	  $(if $(NUMPY_WHEEL),--numpy-wheel $(NUMPY_WHEEL))
	@echo "To open it: python3 -m http.server -d $(STATIC_PAGE), then http://localhost:8000/"

# That page needs npm, a network, and Emscripten or root. Where it cannot be made its tests are skipped, and an older page
# is not tested in its place; with CI=true that is a failure.
static-page-if-possible:
	@$(MAKE) --no-print-directory static-page || { rm -rf $(STATIC_PAGE); test "$$CI" != true && \
	  echo "NO PAGE WITHOUT A SERVER: it could not be made (see above); its tests WILL BE SKIPPED" >&2; }

bench: setup ## speed, against pygamma-agreement and against our own targets
	$(BIN)/python bench/run.py

SECONDS ?= 600
fuzz: setup ## broken files, random settings, the core under sanitizers: SECONDS=600 of a processor
	$(BIN)/python tests/robustness/fuzz.py --seconds $(SECONDS)

sanitize: setup ## the core's tests under the address and undefined-behaviour sanitizers
	$(BIN)/python tests/robustness/sanitize.py

matrix: setup ## build and test on Python 3.11 to 3.14, as far as they are here, with the lowest and newest numpy
	$(BIN)/python tests/robustness/matrix.py

clean: ## remove what was built
	rm -rf $(VENV) build
