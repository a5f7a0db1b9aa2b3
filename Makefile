# Each goal sets up what it needs in .venv; nothing is installed anywhere else.
BIN := .venv/bin
SETUP := pyproject.toml requirements.lock tools/venv tools/locked
PYTEST = $(BIN)/pytest -n $(WORKERS)
# More tests at once than there are processors: many of them wait. Python keeps what it has compiled:
# otherwise hundreds of processes would do that again.
WORKERS := $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) * 3 / 2)))
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play serve test test-profile proof mutants lint bench load pictures docs languages lock \
  clean

play: .venv/.play
	@$(BIN)/numduel

# At another port: make serve ARGS="--port 8001"
serve: .venv/.play
	@$(BIN)/numduel serve $(ARGS)

# Everything that a change can break, each at least once. The types are checked beside the tests. In
# a fresh clone one process reads all tests first, so that Python compiles each file once and not
# in every worker.
test: .venv/.dev
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@tools/browser chromium > .venv/chromium & browser=$$!; \
	{ $(BIN)/mypy; mypy=$$?; tools/page-types && exit $$mypy; } > .venv/types.log 2>&1 & types=$$!; \
	[ -d tests/__pycache__ ] || $(BIN)/pytest --collect-only > .venv/collected.log; \
	wait $$browser; \
	CHROMIUM=$$(cat .venv/chromium) $(PYTEST) $(TESTS); tests=$$?; \
	wait $$types; types=$$?; cat .venv/types.log; [ $$tests = 0 ] && [ $$types = 0 ]

# The same, and what every file and the slowest tests have cost.
test-profile: TESTS = --profile-tests
test-profile: test

# What takes long: large boards, many examples, kills and races, Firefox, training. What has passed
# is not run again until something is changed: an interrupted run goes on.
proof: .venv/.proof
	@CHROMIUM=$$(tools/browser chromium) FIREFOX=$$(tools/browser firefox) NUMDUEL_TESTS_SECONDS=86400 \
	  $(PYTEST) --proof --verbose

# Break lines of the code on purpose, one at a time, and say which of them no test notices.
mutants: .venv/.dev
	@$(BIN)/python -m tools.mutants

lint: .venv/.dev
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@tools/page-types
	@$(BIN)/mypy

bench: .venv/.dev
	@$(BIN)/python -m bench $(ARGS)

# One class at human pace: make load ARGS=--class
load: .venv/.dev
	@$(BIN)/python -m load $(ARGS)

# The pictures of the page, the prompt and the app in README and documentation.
pictures: .venv/.dev
	@CHROMIUM=$$(tools/browser chromium) $(BIN)/python -m tools.pictures
	@$(BIN)/python -m tools.pictures_terminal

# The documentation as a site, in a folder that any browser and any web server can show.
docs: .venv/.docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "Open site/index.html."

# The texts of the source, for translators: ARGS="nl Nederlands" begins a language.
languages: .venv/.dev
	@$(BIN)/python -m tools.languages $(ARGS)

# The newest versions that pyproject.toml allows become the ones everybody gets, with the hashes of
# their files for all systems. Another index than the usual is named by UV_DEFAULT_INDEX.
lock: .venv/.play
	$(BIN)/uv pip compile pyproject.toml --extra dev --extra verifiers --extra setup \
	  --upgrade --quiet --no-header --universal --python-version 3.11 --generate-hashes \
	  --annotation-style line --output-file requirements.lock
	rm -rf .venv

clean:
	rm -rf .venv

.venv/.play: $(SETUP)
	@tools/venv
	@touch $@

.venv/.docs: $(SETUP)
	@tools/venv docs
	@touch .venv/.play $@

.venv/.dev: $(SETUP)
	@tools/venv dev
	@touch .venv/.play .venv/.docs $@

# Where verifiers cannot be had, its tests are skipped, and say so.
.venv/.proof: $(SETUP)
	@tools/venv dev,verifiers || { echo "Without verifiers:"; tools/venv dev; }
	@touch .venv/.play .venv/.docs .venv/.dev $@

