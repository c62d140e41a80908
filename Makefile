# Two commands need nothing but Python 3.11+ and make: `make demo` and `make test`.
# The first interpreter that runs, is new enough and can make an environment.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help demo test check fix bench agmi mutants clean

help:  ## this list
	@sed -n 's/^\([a-z]*\):[^#]*##  *\(.*\)/\1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 10

$(VENV)/.core: pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "bethink needs Python 3.11 or newer with venv; set PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	touch $@

$(VENV)/.dev: $(VENV)/.core
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

demo: $(VENV)/.core  ## the main job on the embedded default, in under a minute
	$(BIN)/bethink demo

test: $(VENV)/.dev  ## every test
	$(BIN)/python -m pytest -n 2 --dist worksteal

check: $(VENV)/.dev  ## lint, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

fix: $(VENV)/.dev  ## what the linter can mend by itself
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(VENV)/.agmi: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt agent-memory-integrity agent-memory-guard
	touch $@

agmi: $(VENV)/.agmi  ## the public suites of attacks on memories, and the bars of this project
	TEST_BARS=1 $(BIN)/python -m pytest tests/security -s -q

bench: $(VENV)/.core  ## stages at 1K, 10K and 50K records
	$(BIN)/bethink bench

mutants: $(VENV)/.dev  ## breaks of the read path, each of which has to turn a test red
	$(BIN)/python -m tests.mutants.run

clean:  ## away with the environment and what the tools left
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache
