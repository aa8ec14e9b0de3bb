# make run | test | bench | audit | coverage | mutants | experiment DATA="path@splits ..." | lock
PYTHON ?= $(shell command -v python3.11 >/dev/null 2>&1 && python3.11 -c '' >/dev/null 2>&1 && echo python3.11 || echo python3)
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8501
HEADLESS ?= false
DATA ?=
# Tests run many small fits: threads of the linear algebra library would only wait for each other.
test plain-tests audit coverage mutants: export OPENBLAS_NUM_THREADS := 1
# They start many processes: let these find what is compiled already, whatever the shell says.
test plain-tests: export PYTHONDONTWRITEBYTECODE :=

.PHONY: run test types plain-tests bench audit coverage mutants experiment lock clean

run: $(VENV)/.run-installed
	$(BIN)/python -m streamlit run app.py --server.port $(PORT) --server.headless $(HEADLESS)

test: $(VENV)/.test-installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(MAKE) --no-print-directory -j2 types plain-tests
	$(BIN)/python -m pytest -m "browser and not long" -n 2 --dist worksteal --durations=5

types: $(VENV)/.test-installed
	$(BIN)/mypy

plain-tests: $(VENV)/.test-installed
	$(BIN)/python -m pytest -m "not long and not browser" -n auto --maxprocesses 8 --dist worksteal --durations=10

audit: $(VENV)/.test-installed
	$(BIN)/python -m pytest -m "audit or long" -rA --timeout 3600

coverage: $(VENV)/.test-installed
	@mkdir -p out
	$(BIN)/coverage run -m pytest tests/unit tests/contract -m "not long and not audit" -n auto --maxprocesses 8
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

# Which small changes of the code does no test notice? MUTANTS="privcause_core.scores.*" tries some of them.
mutants: $(VENV)/.test-installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements-dev.lock -r requirements-mutants.txt
	ulimit -v 8000000; $(BIN)/mutmut run $(MUTANTS)
	$(BIN)/mutmut results
MUTANTS ?=

bench: $(VENV)/.test-installed
	$(BIN)/python -m tests.benchmarks

experiment: $(VENV)/.run-installed
	@test -n "$(DATA)" || { echo "Say where the pairs are: make experiment DATA=\"path@splits ...\""; exit 2; }
	$(BIN)/python -m tests.benchmarks.experiment $(DATA)

lock: $(VENV)/.test-installed
	$(BIN)/python -m pip install --quiet pip-tools
	$(BIN)/pip-compile $(LOCK_FLAGS) -o requirements-dev.lock requirements-dev.txt
	$(BIN)/pip-compile $(LOCK_FLAGS) -c requirements-dev.lock -o requirements.lock requirements.txt
LOCK_FLAGS := --quiet --upgrade --no-header --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --strip-extras --no-annotate --allow-unsafe

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis out mutants

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "PrivCause needs Python 3.11 or newer; set PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run-installed: requirements.lock | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	@touch $@

# The lock for tests holds all that running needs.
$(VENV)/.test-installed: requirements-dev.lock requirements.lock | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.lock
	@touch $(VENV)/.run-installed $@
