# `make demo` and `make test` need Python 3.11+, make and git; everything else is installed into .venv.
# Variables: PYTHON (which Python makes .venv), WORKERS (parallel test processes), TESTS (which tests).

PYTHON ?= python3
WORKERS ?= 2
TESTS ?= tests
SEED ?= 0
BIN := .venv/bin
STAMP := .venv/.installed
DEMO := build/demo
TASK := us-large-caps-fy2023
export PYTHONDONTWRITEBYTECODE :=
export DVC_NO_ANALYTICS := 1

.PHONY: demo test test-slow isolation lint bench audit-power fuzz schemas params lock clean help

help:            ## What there is to make.
	@grep -E '^[a-z-]+: .*##' Makefile | sed -E 's/:[^#]*## ?/\t/' | expand -t 16

$(STAMP): requirements.lock pyproject.toml
	@PYTHON="$(PYTHON)" sh tests/setup/install.sh
	@touch $@

demo: $(STAMP)   ## The whole way on the shipped task, in build/demo.
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh tests/whole_way/demo.sh $(DEMO) $(TASK)

test: $(STAMP)   ## Style, types, floors and the quick tests.
	@$(BIN)/ruff check -q cellwright tests
	@$(BIN)/ruff format --check -q cellwright tests
	@$(BIN)/mypy
	@$(BIN)/pytest $(TESTS) -m "not slow" -n $(WORKERS) --dist loadfile -q

test-slow: $(STAMP) ## What takes long.
	@$(BIN)/pytest $(TESTS) -m slow -n $(WORKERS) --dist loadfile

isolation: $(STAMP) ## One tag built with Python 3.11 and 3.13 in other homes, zones, languages and folders: the same bytes.
	@$(BIN)/pytest tests/releases -m isolation -q

bench: $(STAMP)  ## Ratios to the bare libraries doing the same work, with peak memory.
	@$(BIN)/python -m tests.bench

audit-power: $(STAMP) ## Faults of every kind planted into clean tasks: caught, missed, false alarms; writes docs/audit-power.md.
	@$(BIN)/python -m tests.power

fuzz: $(STAMP)   ## A million damaged inputs for every reader; SEED=… draws others.
	@$(BIN)/python -m tests.fuzz --workers $(WORKERS) --seed $(SEED)

schemas: $(STAMP) ## JSON Schemas of the files, from the models.
	@$(BIN)/python -m tests.setup.write_generated

lock:            ## Pin every dependency with its hashes, without any address.
	@uv pip compile pyproject.toml --extra author --extra dev --universal --generate-hashes \
	  --fork-strategy fewest --python-version 3.11 --no-header --no-emit-index-url -q -o requirements.lock

clean:           ## What was built; .venv stays.
	@rm -rf build dist
