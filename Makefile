# Everything a person does here; `make help` lists it. The environment builds itself on first use: what users install
# comes with `make demo`, the developers' tools only with the targets that need them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORE := CMakeLists.txt $(wildcard src/unisono/_core/*.cpp src/unisono/_core/*.hpp)
REPORT := build/report-entities.html
.DEFAULT_GOAL := help
.PHONY: help setup demo test test-all check coverage browser docs bench clean FORCE

help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

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

test-all: check browser ## all checks and tests, the long ones too
	$(BIN)/pytest --numprocesses auto -m ""

coverage: setup browser ## which lines and branches of the Python code the tests reach (build/coverage/index.html)
	$(BIN)/pytest --numprocesses auto --cov --cov-report=term:skip-covered --cov-report=html:build/coverage

# Warnings are errors (mkdocs.yml); the gallery's reports are made with it.
docs: $(VENV)/.ready ## the documentation site (build/site/index.html)
	@$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	@$(BIN)/python -m pip install --quiet --group docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "file://$(abspath build/site/index.html)"

bench: setup ## speed, against pygamma-agreement and against our own targets
	$(BIN)/python bench/run.py

clean: ## remove what was built
	rm -rf $(VENV) build
