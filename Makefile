# Each goal sets up what it needs in .venv; nothing is installed anywhere else.
BIN := .venv/bin
SETUP := pyproject.toml requirements.lock tools/venv tools/locked

.PHONY: play serve test bench load pictures lint lock clean

play: .venv/.play
	@$(BIN)/numduel

serve: .venv/.serve
	@$(BIN)/numduel serve

# mypy runs beside the tests, and more of them at once than there are processors: many wait.
test: .venv/.dev
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy > .venv/mypy.log & types=$$!; \
	CHROMIUM=$$(tools/browser chromium) FIREFOX=$$(tools/browser firefox) $(BIN)/pytest -n $$(($$(getconf _NPROCESSORS_ONLN) * 3 / 2)); tests=$$?; \
	wait $$types || { cat .venv/mypy.log; exit 1; }; exit $$tests

lint: .venv/.dev
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy

bench: .venv/.bench
	@$(BIN)/python -m bench

load: .venv/.dev
	@$(BIN)/python -m load

# Every screen of the page, for the README and the documentation.
pictures: .venv/.dev
	@CHROMIUM=$$(tools/browser chromium) $(BIN)/python -m tools.pictures
	@$(BIN)/python -m tools.pictures_terminal

# The newest versions that pyproject.toml allows become the ones everybody gets, with the hashes of
# their files for all systems. Another index than the usual is named by UV_DEFAULT_INDEX.
lock:
	rm -rf .venv
	tools/venv
	$(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --extra dev --extra training --extra bench --upgrade --quiet \
	  --no-header --universal --python-version 3.11.5 --generate-hashes --annotation-style line \
	  --output-file requirements.lock
	rm -rf .venv

clean:
	rm -rf .venv

.venv/.play: $(SETUP)
	@tools/venv
	@touch $@

.venv/.serve: $(SETUP)
	@tools/venv web
	@touch .venv/.play $@

# Where verifiers, OpenEnv or TextArena cannot be had, their tests are skipped, and say so.
.venv/.dev: $(SETUP)
	@tools/venv dev,training || { echo "Without verifiers, OpenEnv and TextArena:"; tools/venv dev; }
	@touch .venv/.play .venv/.serve $@

# Where OpenSpiel cannot be had, everything else is measured.
.venv/.bench: $(SETUP)
	@tools/venv dev,bench || tools/venv dev
	@touch .venv/.play .venv/.serve $@
