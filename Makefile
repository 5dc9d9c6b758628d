# make demo | test | test-real | lint | e2e | docs | site | lock. Each makes the virtual environment that it needs, once.
# PYTHON=python3.12 chooses the interpreter (3.11 or newer), VENV=folder the environment.

VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

# A stamp is older than its prerequisites when the environment no longer fits: it is then made anew.
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev

.PHONY: help demo docs site test test-real lint lint-workflows e2e lock clean

help:
	@sed -n '1,2s/^# //p' Makefile

demo: $(READY)
	@$(BIN)/sitemap-guard demo

test: $(READY_DEV)
	$(BIN)/python -m pytest -n 2 -m "not e2e and not real"

# Small sites, built with the real generators: npm, pip and what is on PATH. Takes a quarter of an hour.
test-real: $(READY_DEV)
	$(BIN)/python -m pytest -n 2 -m real tests/real_builds

# A file's tests share what they install. (xdist 3.8's loadgroup groups nothing under pytest 9.2.)
e2e: $(READY_DEV)
	$(BIN)/python -m pytest -n 2 --dist loadfile -m e2e

# The pages that are written from the program.
docs: $(READY_DEV)
	$(BIN)/python docs/make_rules.py
	$(BIN)/python docs/make_commands.py

# The documentation as a site, checked by the program itself.
site: $(READY_DEV)
	$(BIN)/mkdocs build --strict
	$(BIN)/sitemap-guard check build/site --strict --require-verified 100%

lint: $(READY_DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy --strict action

lint-workflows: $(READY_DEV)
	$(BIN)/actionlint
	$(BIN)/zizmor --offline --quiet .

# Hashes for every platform and Python; no address of a registry, so that each machine uses its own.
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-emit-find-links --custom-compile-command "make lock"

lock: $(READY_DEV)
	$(LOCK) --upgrade pyproject.toml --output-file requirements/action.txt
	$(LOCK) --upgrade pyproject.toml --extra dev --constraint requirements/action.txt --output-file requirements/dev.txt

clean:
	rm -rf "$(VENV)" .mypy_cache .ruff_cache .pytest_cache .hypothesis

# A name on PATH can be there and still fail when it is run, as version managers' shims do: so each is tried.
define make-venv
@for python in $(PYTHON) python3.13 python3.12 python3.11 python3 python; do \
	if "$$python" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
		echo "Making $(VENV) with $$("$$python" --version)"; \
		rm -rf "$(VENV)" && exec "$$python" -m venv "$(VENV)"; \
	fi; \
done; \
echo "No Python 3.11 or newer (with venv) was found: name one with PYTHON=." >&2; exit 1
endef

$(READY): pyproject.toml requirements/action.txt
	$(make-venv)
	@$(PIP) install --require-hashes --requirement requirements/action.txt
	@$(PIP) install --no-deps --editable .
	@touch $@

$(READY_DEV): pyproject.toml requirements/action.txt requirements/dev.txt
	$(make-venv)
	@$(PIP) install --require-hashes --requirement requirements/dev.txt
	@$(PIP) install --no-deps --editable .
	@touch $(READY) $@
