# Users need `make run` and `make test` only; the other targets are for developers.

HOST ?= 127.0.0.1
PORT ?= 8000
DATA ?=
BARS ?=
SEED ?= 1
SOAK ?= 1
BENCH ?=
RELEASE ?=
MUTANTS ?=
PEERS ?= build/peers
PYTHON ?= python3
PYTHONS ?= $(PYTHON)
VENV ?= .venv
UV ?= uv

# Keep what Python has compiled: otherwise every test process, and every server that a test starts,
# compiles everything again.
unexport PYTHONDONTWRITEBYTECODE

bin := $(VENV)/bin
pip := $(bin)/python -m pip --disable-pip-version-check --quiet
lock := $(UV) pip compile --universal --python-version 3.11 --quiet \
	--generate-hashes --no-emit-index-url --no-header --no-annotate

.PHONY: help run test test-fast screens soak mutants check format bench peers wheel try-wheel compiled dist release openapi rules pictures site lock browser chromium engines postgresql edition cluster cluster-stop cluster-test cluster-programs cards-model cards-eval clean

help:
	@echo "make run      serve on http://$(HOST):$(PORT); HOST=0.0.0.0 admits the home network,"
	@echo "              PORT=... and DATA=FILE choose the port and the database"
	@echo "make test     run all tests, including those in a browser: about 25 minutes on two cores"
	@echo "make test-fast run the tests that start no browser and no server, without the guarantees (bars)"
	@echo "              and the longest"
	@echo "make cluster  start PostgreSQL on three machines and two apps, all of them on this one;"
	@echo "              make cluster-stop stops them, make cluster-test kills some of them meanwhile"
	@echo "make soak     try every guarantee (bar) at full count, four hours; BARS=\"D1 D3\" selects,"
	@echo "              SEED=... changes the random seed, SOAK=0.01 runs a hundredth"
	@echo "make mutants  run mutation testing on samples of 400; MUTANTS=settlement takes a whole module,"
	@echo "              MUTANTS=\"--area around --sample 40 --seed 2\" another sample of one area"
	@echo "make check    check style, types, imports, templates, catalogues and structure"
	@echo "make format   format the code"
	@echo "make bench    run the benchmarks beside their baselines; BENCH=\"solver paper\" selects groups,"
	@echo "              BENCH=--quick is a trial, BENCH=--large goes up to 100,000 games,"
	@echo "              BENCH=\"--markdown docs/performance.md\" updates the page"
	@echo "make peers    install comparable projects for make bench"
	@echo "make browser  build the edition without a server, static files for any host, in build/browser"
	@echo "              (needs npm); try it with python3 -m http.server -d build/browser"
	@echo "make wheel    build the wheels of server and client and the source archive in dist/;"
	@echo "              make try-wheel installs them as a stranger does and plays an evening,"
	@echo "              PYTHONS=\"python3.11 python3.13\" chooses with which Python"
	@echo "make compiled build one more wheel, whose searches are compiled for this machine, and unpack it in"
	@echo "              build/compiled; needs a C compiler and some minutes, and nothing else needs it"
	@echo "make dist     all three wheels, the last one where there is a C compiler, and a zip of that edition"
	@echo "make release  test, build, check and tag a release; RELEASE=--rehearse only builds and checks"
	@echo "make openapi  regenerate docs/openapi.json, its examples and the types of the client"
	@echo "make rules    regenerate docs/rules with the worked examples"
	@echo "make screens  take screenshots of every page in build/screens"
	@echo "make site     make pages of the documents, with a search, in build/site; with the edition without"
	@echo "              a server in them if make browser has built it"
	@echo "make pictures retake the pictures of README and tours"
	@echo "make cards-model train the networks that read cards in photographs: days, hours with a graphics"
	@echo "              card; goes on where it stopped. Needs npm and apt-get; works in build/cards"
	@echo "make cards-eval measure them, and write the table into docs/camera.md"
	@echo "make lock     update the lock files (needs uv)"
	@echo "make clean    remove everything that was built"

run: $(VENV)/.run
	@exec $(bin)/scorekeeper serve --host $(HOST) --port $(PORT) $(if $(DATA),--data "$(DATA)")

test: $(VENV)/.dev chromium postgresql edition
	@$(bin)/python -m pytest -n auto --dist worksteal --reruns 1 --only-rerun "^TimeoutError: "

test-fast: $(VENV)/.dev
	@$(bin)/python -m pytest -n logical --dist worksteal -m "not external and not bar and not long" --hypothesis-profile sample

cluster: $(VENV)/.dev cluster-programs
	@$(bin)/python deploy/cluster/cluster.py --port $(PORT) start

cluster-stop: $(VENV)/.dev
	@$(bin)/python deploy/cluster/cluster.py stop

cluster-test: $(VENV)/.dev chromium cluster-programs
	@$(bin)/python -m pytest tests/cluster

screens: $(VENV)/.dev chromium
	@SCREENS=1 $(bin)/python -m pytest -n auto tests/web/pages/test_sight.py

soak: $(VENV)/.mutants chromium edition $(if $(filter G1 G2 cluster,$(BARS)),cluster-programs,postgresql)
	@$(bin)/python tools/soak.py $(BARS) --seed $(SEED) --share $(SOAK)

mutants: $(VENV)/.mutants
	@$(bin)/python -m tools.mutants $(MUTANTS)

check: $(VENV)/.dev
	$(bin)/ruff check .
	$(bin)/ruff format --check .
	$(bin)/mypy
	$(bin)/lint-imports
	$(bin)/python tools/check_templates.py
	$(bin)/python tools/check_catalogues.py
	$(bin)/python tools/check_structure.py

format: $(VENV)/.dev
	$(bin)/ruff check --fix .
	$(bin)/ruff format .

bench: $(VENV)/.dev
	@PEERS=$(PEERS) $(bin)/python -m bench $(BENCH)

peers: $(VENV)/.dev
	@$(pip) install --target $(PEERS) --upgrade -r bench/requirements-peers.txt
	@$(pip) install --target $(PEERS)/ihatemoney --upgrade -r bench/requirements-money.txt

wheel: $(VENV)/.dev
	rm -rf dist
	$(bin)/python -m build --no-isolation --outdir dist .
	$(bin)/python -m build --no-isolation --outdir dist --wheel client

try-wheel: wheel
	@PATH="$(CURDIR)/$(bin):$$PATH" $(PYTHON) tools/try_wheel.py dist $(PYTHONS)

compiled: $(VENV)/.dev
	rm -rf build/compiled dist/scorekeeper-*-cp*.whl
	HATCH_BUILD_HOOK_ENABLE_CUSTOM=true $(bin)/python -m build --no-isolation --outdir dist --wheel .
	@$(pip) install --no-deps --target build/compiled dist/scorekeeper-*-cp*.whl

dist: wheel $(if $(shell command -v cc),compiled)
	@$(bin)/python -m tools.in_browser --zip dist build/browser

release: $(VENV)/.dev
	@$(bin)/python -m tools.release $(RELEASE)

openapi: $(VENV)/.dev
	@$(bin)/python -m tools.openapi

rules: $(VENV)/.dev
	@$(bin)/python -m tools.rules

pictures: $(VENV)/.dev chromium
	$(bin)/python tools/pictures.py

site: $(VENV)/.site
	@$(bin)/python -m tools.documents

cards-model: $(VENV)/.cards
	@$(bin)/python -m tools.cardvision scenes train
	@$(bin)/python -m tools.cardvision train

cards-eval: $(VENV)/.cards
	@$(bin)/python -m tools.cardvision scenes check test others
	@$(bin)/python -m tools.cardvision evaluate --write

lock:
	$(lock) pyproject.toml --output-file requirements.lock
	$(lock) pyproject.toml --extra camera --output-file requirements-camera.lock
	$(lock) pyproject.toml --extra postgres --output-file requirements-postgres.lock
	$(lock) --group build --output-file requirements-build.lock
	$(lock) pyproject.toml --group dev --output-file requirements-dev.lock
	$(lock) pyproject.toml --group mutants --output-file requirements-mutants.lock
	$(lock) --group site --constraint requirements-dev.lock --output-file requirements-site.lock

chromium:
	@tools/chromium

# The edition without a server, as static files. Needs npm.
browser: $(VENV)/.run
	@$(bin)/python -m tools.in_browser build/browser

# For the tests: without npm or its registry, those of the edition are skipped, but never on CI.
edition: $(VENV)/.run
	@tools/programs node:nodejs npm:npm
	@$(bin)/python -m tools.in_browser --for-tests build/browser

engines:
	@tools/programs firefox-esr:firefox-esr WebKitWebDriver:webkit2gtk-driver Xvfb:xvfb dbus-run-session:dbus \
		/usr/lib/python3/dist-packages/gi:python3-gi \
		/usr/lib/$(shell uname -m)-linux-gnu/girepository-1.0/WebKit2-4.1.typelib:gir1.2-webkit2-4.1

postgresql:
	@tools/programs initdb:postgresql

cluster-programs:
	@tools/programs initdb:postgresql etcd:etcd-server patroni:patroni patroni:python3-etcd haproxy:haproxy

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

# Stamp files: packages are installed again only when a lock file has changed.
$(bin)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "scorekeeper needs Python 3.11 or newer: make PYTHON=python3.11 ..."; exit 1; }
	@echo "Setting up $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)

# Photographs can be read where the packages for it come as wheels; without them there is no button.
$(VENV)/.run: requirements.lock requirements-build.lock requirements-camera.lock pyproject.toml | $(bin)/python
	@$(pip) install --require-hashes -r requirements.lock -r requirements-build.lock
	@$(pip) install --require-hashes --only-binary :all: -r requirements-camera.lock 2> /dev/null \
		|| echo "Cards in photographs cannot be read here: there is no onnxruntime for this machine."
	@$(pip) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.run
	@$(pip) install --require-hashes -r requirements-dev.lock
	@touch $@

$(VENV)/.cards: tools/cardvision/requirements.txt $(VENV)/.dev
	@$(pip) install -r tools/cardvision/requirements.txt
	@touch $@

$(VENV)/.site: requirements-site.lock $(VENV)/.dev
	@$(pip) install --require-hashes -r requirements-site.lock
	@touch $@

$(VENV)/.mutants: requirements-mutants.lock $(VENV)/.dev
	@$(pip) install --require-hashes -r requirements-mutants.lock
	@touch $@
