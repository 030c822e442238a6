# Every target first creates .venv and installs exactly the versions in requirements.lock, with uv if it is
# on PATH, otherwise with pip. Works with GNU make 3.81 and newer.

ifeq ($(wildcard src/bascule/__init__.py),)
$(error Run make in the folder that contains the Makefile, or use make -C FOLDER)
endif

# make PYTHON=/path/to/python3.12 TARGET picks the interpreter; otherwise the first of these that is 3.11 or newer.
PYTHON  ?=
PYTHONS := $(if $(PYTHON),"$(PYTHON)",python3 python3.14 python3.13 python3.12 python3.11 python)

BIN   := $(if $(filter Windows_NT,$(OS)),.venv/Scripts,.venv/bin)
PY    := $(BIN)/python
READY := .venv/.installed

# Empty is off: the tests start hundreds of Pythons, and each would compile every module again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help demo demo-relay run test quick quick-pure quick-host quick-daemon quick-rest bench lint types fresh page ui unit vscode code-server shots format lock clean
.DEFAULT_GOAL := help

help:
	@echo 'make demo    watch a real Codex work offline'
	@echo 'make demo-relay  try the relay: a chat in the browser, answers at the desk, all offline'
	@echo 'make run     chat with Codex in this folder'
	@echo 'make page    build the page from ui/'
	@echo 'make test    run all checks: lint, types, fresh, ui, unit'
	@echo 'make quick   run the checks that need no agent or browser'
	@echo 'make bench   run all benchmarks, or one with ONLY=name'
	@echo 'make vscode  build the VS Code extension as vscode/bascule.vsix'
	@echo 'make shots   retake the screenshots in docs/images'
	@echo 'make format  fix formatting'
	@echo 'make lock    update requirements.lock (needs uv)'
	@echo 'make clean   remove .venv, caches and build output'

# Ctrl+C is no error.
demo: page
	@$(BIN)/bascule demo || test $$? = 130

demo-relay: page
	@$(BIN)/bascule relay --demo || test $$? = 130

run: page
	@$(BIN)/bascule ask || test $$? = 130

CHECKS := types lint fresh ui

test: $(CHECKS) unit
	@echo 'All checks passed.'

# Four processes share the tests by folder, and the other checks run beside them. Not pytest-xdist: each of its
# workers collects every test, and every result crosses a pipe.
quick: page
	@$(PY) tools/beside.py '$(MAKE)' quick-rest quick-host quick-daemon quick-pure '$(CHECKS)'

QUICK := -m pytest -q -p no:cacheprovider --durations=10 -m 'not real'
PURE  := tests/core tests/agents tests/model
HOST  := tests/host tests/cli tests/tools
WHOLE := tests/e2e tests/page tests/vscode tests/bench

quick-pure quick-host quick-daemon quick-rest: export BASCULE_FUZZ := quick

quick-pure: $(READY)
	@echo '-- quick: $(PURE)'
	@$(PY) $(QUICK) $(PURE)

quick-host: $(READY)
	@echo '-- quick: $(HOST)'
	@$(PY) $(QUICK) $(HOST)

quick-daemon: $(READY)
	@echo '-- quick: tests/daemon'
	@$(PY) $(QUICK) tests/daemon

quick-rest: $(READY)
	@echo '-- quick: every other test without a real agent, a browser or a benchmark'
	@$(PY) $(QUICK) $(foreach folder,$(PURE) $(HOST) tests/daemon $(WHOLE),--ignore=$(folder))

bench: $(READY)
	@$(PY) -m bench $(ONLY)

lint: $(READY)
	@echo '-- lint: ruff'
	@$(PY) -m ruff check --quiet .
	@$(PY) -m ruff format --check --quiet . || { echo 'Not formatted. Run make format.'; exit 1; }

types: $(READY)
	@echo '-- types: mypy, strict'
	@$(PY) -m mypy --no-error-summary

fresh: $(READY)
	@echo '-- fresh: the generated reference'
	@$(PY) tools/gen_reference.py --check

page: $(READY)
	@$(PY) tools/page.py build

ui: page
	@echo '-- ui: tsc, biome, vitest'
	@$(PY) tools/page.py check
	@echo '-- vscode: tsc, biome, unit tests'
	@$(PY) -m tools.vscode check

unit: page
	@$(PY) tools/fetch_programs.py
	@$(PY) tools/system_programs.py
	@$(PY) -m tools.code_server
	@$(PY) -m tools.vscode pack
	@$(PY) tools/unit.py

vscode: $(READY)
	@$(PY) -m tools.vscode pack

# VS Code in a browser, for the tests of the extension: npm packages in .cache, nothing is compiled.
code-server: $(READY)
	@$(PY) -m tools.code_server

shots: page
	@$(PY) tools/system_programs.py
	@$(PY) -m tools.screenshots

format: $(READY)
	@$(PY) -m ruff check --quiet --fix .
	@$(PY) -m ruff format --quiet .
	@$(PY) tools/page.py format
	@$(PY) -m tools.vscode format

# --- setup for every target ----------------------------------------------------------------------

$(READY): pyproject.toml requirements.lock
	@$(find_or_make_venv)
	@echo 'Installing the packages in requirements.lock into .venv. This happens once and takes a minute or two.'
	@{ if command -v uv >/dev/null 2>&1; then \
	    uv pip install --quiet --python $(PY) --require-hashes -r requirements.lock && \
	    uv pip install --quiet --python $(PY) --no-deps --no-build-isolation -e .; \
	else \
	    { $(PY) -m pip --version >/dev/null 2>&1 || $(PY) -m ensurepip >/dev/null; } && \
	    $(PY) -m pip install $(PIP_QUIET) --require-hashes -r requirements.lock && \
	    $(PY) -m pip install $(PIP_QUIET) --no-deps --no-build-isolation -e .; \
	fi; } & pid=$$!; $(count_seconds); wait $$pid
	@touch $@

# On a terminal, a line that says it goes on.
define count_seconds
if test -t 2; then \
    seconds=0; \
    while kill -0 $$pid 2>/dev/null; do \
        printf '\r  %d s' $$seconds >&2; sleep 1; seconds=$$((seconds + 1)); \
    done; \
    printf '\r          \r' >&2; \
fi
endef

PIP_QUIET := --quiet --disable-pip-version-check --no-input

# A .venv that still runs is kept; a broken or outdated one is replaced.
IS_NEW_ENOUGH := -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1

define find_or_make_venv
if $(PY) $(IS_NEW_ENOUGH); then exit 0; fi; \
rm -rf .venv; \
for python in $(PYTHONS); do \
    if "$$python" $(IS_NEW_ENOUGH); then found=$$python; break; fi; \
done; \
if command -v uv >/dev/null 2>&1; then \
    exec uv venv --quiet --python "$${found:-3.13}" .venv; \
fi; \
if test -z "$$found"; then \
    echo 'No Python 3.11 or newer found. Install one (or uv, which brings its own), or run make PYTHON=/path/to/python3 ...' >&2; \
    exit 1; \
fi; \
"$$found" -m venv .venv || { \
    rm -rf .venv; \
    echo "$$found could not create a virtual environment (see above). On Debian and Ubuntu: apt install python3-venv" >&2; \
    exit 1; \
}
endef

# Universal: one lock for every system and for Python 3.11 and newer. UPGRADE=1 takes newer versions.
lock:
	@command -v uv >/dev/null 2>&1 || { echo 'make lock needs uv on PATH.' >&2; exit 1; }
	@uv pip compile pyproject.toml --extra codex --extra relay --group dev --group build \
	    --universal --python-version 3.11 --generate-hashes $(if $(UPGRADE),--upgrade) \
	    --no-config --no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock' \
	    --quiet --output-file requirements.lock

clean:
	@rm -rf .venv .cache build dist ui/node_modules vscode/node_modules vscode/dist vscode/page src/bascule/page .mypy_cache .ruff_cache .pytest_cache .hypothesis
	@find . -type d -name __pycache__ -prune -exec rm -rf {} +
