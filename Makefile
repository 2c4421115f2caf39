# make demo, make test: each sets everything up on a fresh machine (Python >= 3.11, make, a C compiler,
# cargo for the rust backends) and then does its job. A second run sets nothing up again.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := .make
RUST := backends/rust
CARGO := $(shell command -v cargo 2>/dev/null)

# Everything is installed editable, so only manifests and compiled sources make an installation stale.
MANIFESTS := $(wildcard pyproject.toml lowtime/__init__.py backends/*/pyproject.toml)
RUST_SOURCES := $(if $(CARGO),$(shell find $(RUST) -name target -prune -o \
	\( -name '*.rs' -o -name 'Cargo.toml' \) -print 2>/dev/null))
DISTRIBUTIONS := -e . -e ./backends/igraph $(if $(CARGO),-e ./$(RUST))

.PHONY: demo test check fmt reproduce bench clean install docs

install: $(STAMP)/installed
ifeq ($(CARGO),)
	@echo "cargo not found: the rust backends are left out (install Rust, then run make again)"
endif

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "lowtime needs Python 3.11 or newer; this is " + sys.version.split()[0] + " (make PYTHON=python3.12 ...)")'
	$(PYTHON) -m venv --upgrade-deps $(VENV)  # --group needs pip >= 25.1

# The stamp's name carries whether cargo was there, so that installing cargo later adds the rust backends.
$(STAMP)/installed: $(STAMP)/installed-$(if $(CARGO),all,without-rust)
	@touch $@

$(STAMP)/installed-%: $(MANIFESTS) $(RUST_SOURCES) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(DISTRIBUTIONS) --group test --group check --group docs
	@mkdir -p $(STAMP) && touch $@

# The main job on a shipped profile: two commands that anyone can type.
DEMO := demo-output
demo: install
	@rm -rf $(DEMO)
	$(BIN)/lowtime pipeline lowtime/data/gpt3-175b_a100.csv --microbatches 12 --unit-time 1e-3 --blocking-power 83.64 --output $(DEMO)
	$(BIN)/lowtime plan $(DEMO) --sample 5
	$(BIN)/lowtime report $(DEMO) --output $(DEMO)/report.html

test: install
	@if [ -n "$(CARGO)" ]; then set -e; cargo test --quiet --manifest-path $(RUST)/Cargo.toml; fi
	$(BIN)/python -m pytest $(PYTEST_ARGS)

# Every published curve, point for point; DATA is the folder that holds stage_profile and frontier.
DATA ?= ../shared/data/sosp24
reproduce: install
	$(BIN)/python -m bench.reproduce $(DATA)

# All benchmarks beside other libraries, half an hour, into bench/reports/latest; or one case:
# make bench CASE=frontier/pipeline_1f1b-n=96-rust. The other libraries get environments of their own.
MINUTES ?= 27
BENCH := .venv-bench/main/bin/python
bench: install
	$(BIN)/python -m bench.environments
ifdef CASE
	CASE='$(CASE)' $(BENCH) -m pytest bench/bench_registry.py -o python_files='bench_*.py' -o python_functions='bench_*' -p no:randomly
else
	$(BENCH) -m bench --minutes $(MINUTES)
endif

check: install
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict $(addprefix -p ,lowtime lowtime_networkx lowtime_scipy lowtime_igraph \
		$(if $(CARGO),lowtime_rust))
	$(BIN)/lint-imports
	$(BIN)/python -m pytest --quiet --no-header tests/test_packaging.py -k light
	@if [ -n "$(CARGO)" ]; then set -ex; \
		$(BIN)/python -m mypy.stubtest lowtime_rust._native; \
		cargo fmt --manifest-path $(RUST)/Cargo.toml --all --check; \
		cargo clippy --quiet --manifest-path $(RUST)/Cargo.toml --workspace --all-targets -- -D warnings; \
	fi

# The site, in site/: figures and help texts are drawn and written on the way.
docs: install
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

fmt: install
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	@if [ -n "$(CARGO)" ]; then cargo fmt --manifest-path $(RUST)/Cargo.toml --all; fi

clean:
	rm -rf $(VENV) .venv-bench $(STAMP) $(RUST)/target $(DEMO) .mypy_cache .pytest_cache .ruff_cache .hypothesis
