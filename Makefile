# One command each; every target makes the environment it needs from pinned locks.
.DEFAULT_GOAL := help
.PHONY: help run test check lint types imports smells template bench build extras peers train generate lock clean

PYTHON ?= python3
NPM := tests/compat/npm
export SAM_CLI_TELEMETRY := 0

help: ## List the targets
	@awk -F':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: .venv/ready ## Start the whole product on this machine (PORT=3000, DATA=dir keeps data)
	@exec .venv/bin/python -m local

test: .venv/ready ## Run the whole suite (ARGS='-k name' narrows it)
	.venv/bin/python -m pytest $(ARGS)

check: lint types imports smells template ## Lint, format, types, layers, smells, template: the whole gate

lint: .venv/ready
	.venv/bin/ruff check
	.venv/bin/ruff format --check

types: .venv/ready
	.venv/bin/mypy

imports: .venv/ready
	.venv/bin/lint-imports

smells: .venv/ready
	.venv/bin/python tools/smells_gate.py shared functions local --tests tests --settings shared/verbena/settings.py

template: .venv-sam/ready
	.venv-sam/bin/sam validate --lint --region us-east-1

bench: .venv/ready ## Measure, and print the tables of docs/performance.md (ARGS='cold jobs' chooses)
	.venv/bin/python -m bench $(ARGS)

build: .venv/ready .venv-sam/ready ## Build every artifact with the SAM CLI and deploy them into the local stack
	.venv-sam/bin/sam build
	.venv/bin/python -m local.build

extras: .venv-sam/ready .venv-searx/searx .venv/browser $(NPM)/node_modules/ready ## Install what is optional: the SAM CLI, searx and npm clients for tests, a browser

peers: .venv-peers/ready ## Install what the benches measure us against, in an environment of its own

.venv/ready: locks/dev.txt pyproject.toml tools/venv.sh
	@tools/venv.sh .venv locks/dev.txt "$(PYTHON)" --editable

# The SAM CLI wants another boto3 than MiniStack, so it lives apart.
.venv-sam/ready: locks/sam.txt tools/venv.sh
	@tools/venv.sh .venv-sam locks/sam.txt "$(PYTHON)"

$(NPM)/node_modules/ready: $(NPM)/package-lock.json
	@if command -v npm >/dev/null; then cd $(NPM) && npm ci --silent && touch node_modules/ready; \
	else echo "verbena: npm not found, so the tests with JavaScript clients are skipped" >&2; fi

# Other people's extractors and crawlers; nothing of the product or of its tests imports them.
.venv-peers/ready: locks/peers.txt tools/venv.sh
	@tools/venv.sh .venv-peers locks/peers.txt "$(PYTHON)"

.venv-searx/searx: locks/searx.txt tools/searx.sh tools/venv.sh
	@tools/searx.sh .venv-searx locks/searx.txt "$(PYTHON)"

# Playwright without browsers of its own; Chromium is the distribution's.
.venv/browser: locks/browser.txt tools/chromium.sh .venv/ready
	.venv/bin/pip install --quiet --disable-pip-version-check --requirement locks/browser.txt
	@tools/chromium.sh
	@touch $@

train: .venv-train/ready ## Make web.scrape's model from the labelled pages of VERBENA_CORPUS, and cross-validate it
	PYTHONPATH=functions:shared .venv-train/bin/python tools/train_reader/train.py

.venv-train/ready: locks/train.txt tools/venv.sh
	@tools/venv.sh .venv-train locks/train.txt "$(PYTHON)"

generate: .venv/ready ## Write what follows from the catalog: OpenAPI, error codes, the client's stub, the README table
	.venv/bin/python tools/generate.py

lock: ## Resolve the locks anew, for every supported Python at once
	@$(PYTHON) -m venv .venv-lock && .venv-lock/bin/pip install --quiet uv
	.venv-lock/bin/uv pip compile --quiet --universal --upgrade --python-version 3.11 --no-header --no-annotate \
		--all-extras --group dev --no-emit-package verbena --output-file locks/dev.txt pyproject.toml
	.venv-lock/bin/uv pip compile --quiet --universal --upgrade --python-version 3.11 --no-header --no-annotate \
		--output-file locks/sam.txt locks/sam.in
	.venv-lock/bin/uv pip compile --quiet --universal --upgrade --python-version 3.11 --no-header --no-annotate \
		--output-file locks/searx.txt locks/searx.in
	.venv-lock/bin/uv pip compile --quiet --universal --upgrade --python-version 3.11 --no-header --no-annotate \
		--output-file locks/peers.txt locks/peers.in
	.venv-lock/bin/uv pip compile --quiet --universal --upgrade --python-version 3.11 --no-header --no-annotate \
		--constraint locks/dev.txt --output-file locks/browser.txt locks/browser.in
	.venv-lock/bin/uv pip compile --quiet --universal --upgrade --python-version 3.11 --no-header --no-annotate \
		--extra html --group train --no-emit-package verbena --output-file locks/train.txt pyproject.toml

clean: ## Remove everything the other targets made
	rm -rf .venv .venv-sam .venv-searx .venv-peers .venv-train .venv-lock $(NPM)/node_modules .aws-sam build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
