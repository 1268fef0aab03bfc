# What a developer types. `make run` and `make test` need nothing but Python >= 3.11 with venv.
# The tools are the locked ones of requirements-dev.lock, in .venv; `make lock` renews the lock.

SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
ARGS ?=
# Two are enough: the tests start daemons of their own.
PYTEST := $(BIN)/pytest -n 2

.DEFAULT_GOAL := help
.PHONY: help run test check lint soak bench bench-camera screens asyncapi wheel lock clean clean-runs

help:
	@echo 'make run [ARGS="--rounds 5 --speed 10"]   a whole simulated table; ARGS="--help" lists the options'
	@echo 'make test                                 the tests, without the long ones'
	@echo 'make check                                lint, types, imports, then the tests: what CI runs'
	@echo 'make soak | make bench                    the long tests | the measurements'
	@echo 'make bench-camera [ARGS="--quick"]         how often the camera is right, unsure, wrong, and how fast'
	@echo 'make screens                              pictures of every screen of the dealer, in DIR=screens'
	@echo 'make asyncapi                             renew asyncapi.json after a change of the contract'
	@echo 'make wheel                                what a table PC installs, in dist/'
	@echo 'make lock                                 renew the locked dependencies'
	@echo 'make clean                                remove .venv and what tools left; run/ and its journals stay'
	@echo 'make clean-runs                           remove run/: every simulated table with its journal and logs'

# exec: Ctrl-C goes to the table, which ends its children; 130 is how that is told to make.
run: .venv/ready
	@trap : INT; $(BIN)/python -m simulators $(ARGS); code=$$?; [ $$code -eq 130 ] || exit $$code

test: .venv/ready
	$(PYTEST) -m "not soak"

lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check: lint test

soak: .venv/ready
	$(BIN)/pytest -m soak --timeout 0

bench: .venv/ready
	$(BIN)/python -m tests.bench $(ARGS)

# One core, as it is meant to run beside the table's other daemons.
bench-camera: .venv/ready
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.bench_camera $(ARGS)

# Every screen in both languages and sizes, to be looked at.
screens: .venv/ready
	$(BIN)/python -m tests.browser.screens $(or $(DIR),screens)

# The bus in words a server's engineer can read; a test holds it against the structs.
asyncapi: .venv/ready
	$(BIN)/python -m controller.contract.asyncapi > asyncapi.json

# What a table PC installs; it holds no simulator.
wheel: .venv/ready
	$(BIN)/python -m hatchling build -t wheel

# A stamp on each lock: the second time costs nothing.
.venv/ready: requirements-dev.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo 'Mazziere needs Python 3.11 or newer, and $(PYTHON) is not: install one and say make PYTHON=python3.11' >&2; exit 1; }
	@$(PYTHON) -m venv .venv || \
		{ echo 'The venv module of $(PYTHON) is missing: on Debian, apt-get install python3-venv' >&2; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

# uv resolves for every platform at once; it is itself in no lock: pip install uv
lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url \
		pyproject.toml -o requirements.lock
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url \
		--extra dev pyproject.toml -o requirements-dev.lock

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache dist build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Apart from clean: a journal is made once.
clean-runs:
	rm -rf run
