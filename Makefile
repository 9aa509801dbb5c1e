# What a newcomer types. Every target first makes the environment in .venv, where it is missing or
# older than what it is made from; nothing else has to be set up.
#
#   make run                         three nodes on this computer and a window, or a chat in the terminal
#   make run PROMPT="..."            one answer, then everything stops
#   make test [ARGS="-k household"]  all tests; ARGS="-n 2 --dist loadfile" by two workers
#   make check                       format, lint, types, import contracts
#   make bench                       the benchmark table
#   make faults [RUNS=10]            what answers survive, each fault many times; takes half an hour
#   make steady [MINUTES=10]         whether a computer that is busy is given up
#   make kills [KILLS=50]            deaths of the local model's process at random moments of answers
#   make screenshots                 the pictures of the window
#   make fuzz [INPUTS=100000]        broken messages to what reads them from outside the household
#   make docs                        the generated pages of docs/
#   make clean                       remove what the targets above have made

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help

# The prompt goes through the environment, dollar signs and quotes untouched.
override PROMPT := $(value PROMPT)
export PROMPT
ARGS ?=

KILLS ?= 50

# For make faults.
RUNS ?= 10
RANDOM_RUNS ?= 100
FAULTS ?= every
MINUTES ?= 10

# Named after this folder, so that a checkout that was moved gets its environment renewed.
FOLDER := $(shell pwd | cksum | cut -d ' ' -f 1)
READY := .venv/made-for-$(FOLDER)
OURS := .venv/bin/python

INPUTS ?= 100000

.PHONY: fuzz help screenshots run test check format docs bench faults steady kills environment clean

help:
	@sed -n '4,15s/^# \{0,1\}//p' Makefile

$(READY): pyproject.toml constraints.txt installers/checkout/environment.sh
	@sh installers/checkout/environment.sh
	@touch $@

environment: $(READY)

run: $(READY)
	@if [ -n "$$PROMPT" ]; then exec $(OURS) -m swarm_app demo --prompt "$$PROMPT"; \
	else exec $(OURS) -m swarm_app demo; fi

test: $(READY)
	$(OURS) -m pytest $(ARGS)

check: $(READY)
	.venv/bin/ruff check swarm_app tests
	.venv/bin/ruff format --check swarm_app tests
	$(OURS) -m mypy
	.venv/bin/lint-imports --no-logo

format: $(READY)
	.venv/bin/ruff check --fix swarm_app tests
	.venv/bin/ruff format swarm_app tests

# The window's pictures, light and dark, at 1x and 2x; under a virtual display where there is one.
screenshots: $(READY)
	@if command -v xvfb-run >/dev/null && command -v xauth >/dev/null; then QT_QPA_PLATFORM=xcb xvfb-run -a -s "-screen 0 2400x1600x24" $(OURS) -m tests.gui.screenshots; \
	else $(OURS) -m tests.gui.screenshots; fi

docs: $(READY)
	@$(OURS) -m tests.generate_docs

bench: $(READY)
	$(OURS) -m tests.benchmarks $(ARGS)

# All on one household. Goes on after a kind that failed, and fails in the end. With FAULTS, several kinds.
faults: $(READY)
	@$(OURS) -m tests.household fault --kind $(FAULTS) --runs $(RUNS) --random-runs $(RANDOM_RUNS) \
		--into docs/faults $(ARGS); failed=$$?; $(OURS) -m tests.household report; exit $$failed

steady: $(READY)
	@$(OURS) -m tests.household steady --minutes $(MINUTES) --into docs/faults/steady.json $(ARGS); \
	failed=$$?; $(OURS) -m tests.household report; exit $$failed

kills: $(READY)
	HOMESWARM_KILLS=$(KILLS) $(OURS) -m pytest tests/node/test_node_local.py -k kills $(ARGS)

# Broken messages for whatever reads what strangers send; see tests/fuzzing.py.
fuzz: $(READY)
	$(OURS) -m tests.fuzzing --inputs $(INPUTS) --into docs/privacy/fuzz.json

clean:
	rm -rf .venv build homeswarm.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find swarm_app tests -type d -name __pycache__ -prune -exec rm -rf {} +
