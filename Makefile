# Everything a person does here; `make help` lists it. The environment builds itself on first use.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORE := CMakeLists.txt $(wildcard src/unisono/_core/*.cpp src/unisono/_core/*.hpp)
.DEFAULT_GOAL := help
.PHONY: help setup demo test test-all check coverage browser bench fuzz sanitize matrix clean FORCE

help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/.ready ## make the environment and build the package (the other targets do it themselves)

$(VENV)/.tools: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet "scikit-build-core>=0.10,<2" "nanobind>=2.4,<4" cmake ninja
	$(BIN)/python -m pip install --quiet --group dev
	@touch $@

# An editable install knows the modules by name: it is made anew when their list changes.
$(VENV)/.modules: $(VENV)/.tools FORCE
	@find src -name '*.py' | LC_ALL=C sort | cmp -s - $@ || find src -name '*.py' | LC_ALL=C sort > $@

$(VENV)/.ready: $(VENV)/.tools $(VENV)/.modules $(CORE)
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable .
	@touch $@

demo: setup ## measure the bundled examples and print the tables
	@$(BIN)/unisono measure examples/entities.csv --extent 0:286 --seed 42
	@$(BIN)/unisono align examples/entities.csv --extent 0:286 --draw 2>/dev/null
	@$(BIN)/unisono measure examples/gestures.csv --extent 0:21 --seed 42

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
