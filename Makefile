# Every target does its own set-up and says what it does. `make help` lists them.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help run package test lint ui bench bench-peers benchmarks figures bench-chat benchmarks-chat e2e e2e-long e2e-embed e2e-ocr e2e-speech e2e-web e2e-wire e2e-discord e2e-metrics e2e-realtime deny advisories fuzz docs setup-node setup-native setup-build setup-deny setup-servers setup-browser clean

PORT ?= 8787
DATA ?= data
CASES ?= 20000
# `fast` is what two cores build soonest: `make run` serves it. `release` is what packages carry: smaller and quicker, for
# more work and 4 GB of memory at the end. `make bench` measures the one, and with PROFILE=release the other.
PROFILE ?= fast
TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)
DENY_VERSION := 0.20.2
DENY := "$(TARGET_DIR)/tools/bin/cargo-deny"
UI_SOURCES := $(shell find ui/src ui/public ui/index.html ui/share.html ui/package-lock.json ui/vite.config.ts -type f 2>/dev/null)

# Crates come over the network while tools are installed. What is missing is told by the build itself.
FETCH_MEANWHILE = { cargo fetch --locked --quiet 2>/dev/null || true; } &
# A program without its pages is not started.
PAGES_BUILT = [ -e ui/dist/.built ] || { echo "the pages are missing: run 'make ui' to see why"; exit 1; }

help: ## List the targets
	@grep -E '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

run: ## Build everything and serve the local room on loopback (PORT=8787 DATA=data)
	@$(MAKE) --no-print-directory setup-node
	@tools/first-pages.sh "$(MAKE)"
	@$(FETCH_MEANWHILE) $(MAKE) --no-print-directory setup-native; wait
	@echo "→ building denizen (the first time takes a few minutes)"
	@cargo build --locked --profile fast --package denizen
	@$(PAGES_BUILT)
	@exec "$(TARGET_DIR)/fast/denizen" run --port $(PORT) --data $(DATA)

package: ## Build the program as packages carry it: target/release/denizen
	@$(MAKE) --no-print-directory setup-node
	@tools/first-pages.sh "$(MAKE)"
	@$(FETCH_MEANWHILE) $(MAKE) --no-print-directory setup-native; wait
	@echo "→ building denizen as packages carry it (some minutes more, and 4 GB of memory at the end)"
	@cargo build --locked --release --package denizen
	@$(PAGES_BUILT)

test: lint deny ui/dist/.built setup-servers ## Everything CI checks: formatting, lints, licences, pages, all tests
	@node tools/figures.mjs check
	@echo "→ checking and testing the pages"
	@cd ui && npm run --silent check && npm test --silent
	@echo "→ testing"
	@cargo nextest run --locked --workspace --no-fail-fast

lint: setup-build ui/dist/.built
	@echo "→ formatting and lints"
	@cargo fmt --all --check
	@cargo clippy --locked --workspace --all-targets --quiet -- -D warnings

deny: setup-deny ## Check licences, sources and copies of everything that is built in (deny.toml)
	@echo "→ licences, sources and copies of dependencies"
	@$(DENY) --log-level warn check licenses bans sources

advisories: setup-deny ## Ask the advisory database for known holes in dependencies (needs the network)
	@$(DENY) check advisories

fuzz: setup-build ui/dist/.built ## Give everything that reads foreign bytes damaged ones, many of them (CASES=20000)
	@echo "→ $(CASES) damaged samples for each reader"
	@PROPTEST_CASES=$(CASES) cargo nextest run --locked --workspace --no-fail-fast --lib --test golden \
	  -E 'test(/hostile|damage|wounded|mangled|annex_b|y4m/)'

ui: ui/dist/.built ## Build the pages

ui/dist/.built: ui/node_modules/.installed $(UI_SOURCES)
	@echo "→ building the pages"
	@cd ui && npm run --silent build
	@touch $@

ui/node_modules/.installed: ui/package-lock.json | setup-node
	@echo "→ installing the pages' packages"
	@cd ui && npm ci --silent --no-audit --no-fund
	@touch $@

bench: setup-native ui/dist/.built ## Print the figures (PROFILE=release for the program of packages; ROOMS="file.ndjson …" CONVERSATIONS=file.json add yours)
	@cargo build --locked --profile $(PROFILE) --package denizen --package denizen-bench
	@echo "== CPU time of a turn"; "$(TARGET_DIR)/$(PROFILE)/denizen-bench" turn
	@echo; echo "== a step among many rooms"; "$(TARGET_DIR)/$(PROFILE)/denizen-bench" rooms
	@echo; echo "== a reply through the running program"; "$(TARGET_DIR)/$(PROFILE)/denizen-bench" reply
	@echo; echo "== a running process"; "$(TARGET_DIR)/$(PROFILE)/denizen-bench" process
	@echo; echo "== connections"; "$(TARGET_DIR)/$(PROFILE)/denizen-bench" connections
	@echo; echo "== finding a gem among many"; "$(TARGET_DIR)/$(PROFILE)/denizen-bench" memory-scale
	@echo; echo "== looking at a frame"; "$(TARGET_DIR)/$(PROFILE)/denizen-bench" frames
	@echo; echo "== listening to several people"; "$(TARGET_DIR)/$(PROFILE)/denizen-bench" voice
	@echo; echo "== answering aloud"; "$(TARGET_DIR)/$(PROFILE)/denizen-bench" talk
	@echo; echo "== conversations at a realtime service"; "$(TARGET_DIR)/$(PROFILE)/denizen-bench" realtime
	@echo; echo "== telling who is meant from what is heard"; "$(TARGET_DIR)/$(PROFILE)/denizen-bench" spoken
	@echo; echo "== an hour of talk"; "$(TARGET_DIR)/$(PROFILE)/denizen-bench" hour
	@echo; echo "== what is noted of a screen"; "$(TARGET_DIR)/$(PROFILE)/denizen-bench" watch
	@echo; echo "== four weeks with thoughts of its own, models that fail and restarts"; time -p "$(TARGET_DIR)/$(PROFILE)/denizen" simulate --weeks 4
	@if [ -n "$(CONVERSATIONS)" ]; then echo; echo "== memory"; for o in "" --gems --global "--global --gems"; do "$(TARGET_DIR)/$(PROFILE)/denizen-bench" memory "$(CONVERSATIONS)" $$o; done; fi
	@if [ -n "$(CONVERSATIONS)" ]; then echo; echo "== folding"; for s in offline plain tail; do "$(TARGET_DIR)/$(PROFILE)/denizen-bench" compaction "$(CONVERSATIONS)" --summariser $$s; done; fi
	@if [ -n "$(ROOMS)" ]; then echo; echo "== admission"; "$(TARGET_DIR)/$(PROFILE)/denizen-bench" admission $(ROOMS); fi

bench-peers: setup-native ui/dist/.built ## Print figures beside those of pipecat, livekit-agents and mem0, which are had from PyPI (needs the network once)
	@command -v ffmpeg >/dev/null || $(MAKE) --no-print-directory apt PACKAGES="ffmpeg"
	@cargo build --locked --profile fast --package denizen --package denizen-bench
	@[ "$(TARGET_DIR)/peers/.installed" -nt tools/peers-requirements.txt ] || { echo "→ installing the peers (some minutes, once)"; python3 -m venv "$(TARGET_DIR)/peers" && "$(TARGET_DIR)/peers/bin/pip" install --quiet --requirement tools/peers-requirements.txt && touch "$(TARGET_DIR)/peers/.installed"; }
	@echo "== beside its peers"; tools/peers-table.py "$(TARGET_DIR)/fast/denizen-bench" --python "$(TARGET_DIR)/peers/bin/python"
	@echo; echo "== listening to several people"; "$(TARGET_DIR)/fast/denizen-bench" voice
	@echo; echo "== listening in pipecat"; date -u '+%F %H:%M UTC'; "$(TARGET_DIR)/peers/bin/python" tools/voice-peers.py

bench-chat: ## Print how well a model answers in a room (CHAT="--base-url http://127.0.0.1:8080/v1 --keep answers.jsonl"; HALF=judge; BENCH_BIN=denizen-bench)
	@[ -n "$(BENCH_BIN)" ] || { $(MAKE) --no-print-directory setup-native >&2 && cargo build --locked --profile fast --package denizen-bench; }
	@"$(or $(BENCH_BIN),$(TARGET_DIR)/fast/denizen-bench)" chat crates/bench/questions/rooms.jsonl --profile plain,full --half $(or $(HALF),both) $(CHAT)
	@echo; "$(or $(BENCH_BIN),$(TARGET_DIR)/fast/denizen-bench)" chat crates/bench/questions/other-rooms.jsonl --profile plain,full $(CHAT)

benchmarks-chat: ## Write the output of `make bench-chat` into docs/benchmarks.md
	@out=$$(mktemp); $(MAKE) --no-print-directory bench-chat > $$out && { \
	 sed -i -e "/^<!-- make benchmarks-chat/r $$out" -e '/^<!-- make benchmarks-chat/,/^<!-- end/{//!d}' docs/benchmarks.md; \
	 sed -i -e '/^<!-- make benchmarks-chat/a ```' -e '/^<!-- end of make benchmarks-chat/i ```' docs/benchmarks.md; }; rm -f $$out

benchmarks: setup-node ## Keep the output of `make bench` in docs/results.txt, and write the figures of docs/benchmarks.md from it
	@out=$$(mktemp); $(MAKE) --no-print-directory bench 2>&1 | tee $$out; \
	 grep -v '^\[OpenH264\]' $$out | node tools/figures.mjs record && node tools/figures.mjs write; rm -f $$out

figures: setup-node ## Write the figures of docs/benchmarks.md from docs/results.txt
	@node tools/figures.mjs write

e2e: setup-native ui/dist/.built setup-browser e2e-web ## Run the room in a real browser against a real model (see docs/guides/end-to-end.md; e2e-wire is apart)
	@cargo build --locked --profile fast --package denizen
	@cargo build --locked --profile fast --package denizen-speech --example speak
	@cargo build --locked --profile fast --package denizen-realtime-double
	@DENIZEN_BIN="$(abspath $(TARGET_DIR))/fast/denizen" DOUBLE_BIN="$(abspath $(TARGET_DIR))/fast/denizen-realtime-double" e2e/run

e2e-long: setup-native ui/dist/.built ## Let a real model fold an evening of 200 turns, and print the trace (10 minutes and more)
	@cargo build --locked --profile fast --package denizen
	@DENIZEN_BIN="$(abspath $(TARGET_DIR))/fast/denizen" E2E_SCRIPT=long_session.mjs e2e/run

e2e-embed: setup-native ## Check a real embedding model: DENIZEN_ONNX_MODEL=folder or E2E_EMBED_URL=address (see docs/guides/embedders.md)
	@cargo build --locked --profile fast --package denizen-providers --example embedders
	@"$(TARGET_DIR)/fast/examples/embedders"

e2e-ocr: setup-native ## Read real screens with tesseract, or with the models of DENIZEN_OCR_MODEL=folder
	@cargo run --locked --quiet --profile fast --package denizen-ocr --example readers

e2e-speech: setup-native ## Have real voices understood by real ears: DENIZEN_EARS_MODEL=folder, DENIZEN_VOICE_MODEL=folder, DENIZEN_KOKORO_MODEL=folder, DENIZEN_TURN_MODEL=file, ORT_DYLIB_PATH=library
	@cargo test --locked --quiet --profile fast --package denizen-speech --test real_voices -- --nocapture
	@cargo test --locked --quiet --profile fast --package denizen-speech --lib real_model -- --nocapture
	@cargo test --locked --quiet --package denizen --test process -- --ignored --nocapture voice::

e2e-web: setup-native setup-browser ## Look things up with a real Chromium, and try to get out of it (needs no model)
	@DENIZEN_TEST_BROWSER=1 cargo test --locked --quiet --package denizen-web-tools --test web browser:: -- --test-threads=1

# Tests whose doubles stand for a vendor keep what they are asked and answer; the official clients read it afterwards.
WIRE_TESTS := binary(over_http) | binary(services) | (binary(process) & test(/models_|streaming|first_steps/))
e2e-wire: setup-build ui/dist/.built ## Compare the wire with the vendors' own clients and types, and write docs/wire.md (asks no vendor)
	@cargo build --locked --workspace --example wire
	@mkdir -p "$(TARGET_DIR)/wire"; rm -f "$(TARGET_DIR)/wire/kept.jsonl"
	@DENIZEN_KEEP_ANSWERS="$(abspath $(TARGET_DIR))/wire/kept.jsonl" cargo nextest run --locked --workspace --status-level fail \
	  --test over_http --test services --test process -E '$(WIRE_TESTS)'
	@e2e/wire/run "$(abspath $(TARGET_DIR))/debug/examples/wire" --doubles "$(abspath $(TARGET_DIR))/wire/kept.jsonl" \
	  --keys e2e/wire/compared.txt --write docs/wire.md

e2e-discord: setup-node setup-native ui/dist/.built ## Check the local Discord of the tests with discord.py and discord.js, a call with both, the text policy and a storm (asks no Discord)
	@cargo build --locked --package denizen-discord-double --package denizen
	@cargo build --locked --package denizen-discord-voice --example caller
	@DOUBLE_BIN="$(abspath $(TARGET_DIR))/debug/denizen-discord-double" CALLER_BIN="$(abspath $(TARGET_DIR))/debug/examples/caller" \
	  DENIZEN_BIN="$(abspath $(TARGET_DIR))/debug/denizen" e2e/discord/run

e2e-metrics: setup-native ui/dist/.built ## Read the figures of a Denizen on the local Discord with Prometheus's own parsers (asks no Discord)
	@cargo build --locked --package denizen-discord-double --package denizen
	@DOUBLE_BIN="$(abspath $(TARGET_DIR))/debug/denizen-discord-double" DENIZEN_BIN="$(abspath $(TARGET_DIR))/debug/denizen" e2e/metrics/run

e2e-realtime: setup-node setup-build ## Check the local realtime services with the vendors' own clients, and what Denizen sends with their types (asks no vendor)
	@cargo build --locked --package denizen-realtime-double
	@cargo build --locked --package denizen-realtime --example talk
	@DOUBLE_BIN="$(abspath $(TARGET_DIR))/debug/denizen-realtime-double" TALK_BIN="$(abspath $(TARGET_DIR))/debug/examples/talk" \
	  e2e/realtime/run --write docs/guides/realtime.md

docs: setup-native ## Write the generated pages of the manual anew
	@cargo run --locked --quiet --package denizen -- docs docs

setup-node:
	@command -v npm >/dev/null || $(MAKE) --no-print-directory apt PACKAGES="nodejs npm"

# The JPEG encoder and the video decoder are C with assembly.
setup-native:
	@command -v cc >/dev/null || $(MAKE) --no-print-directory apt PACKAGES="build-essential"
	@command -v cmake >/dev/null || $(MAKE) --no-print-directory apt PACKAGES="cmake"
	@command -v nasm >/dev/null || $(MAKE) --no-print-directory apt PACKAGES="nasm"

setup-build: setup-native
	@cargo nextest --version >/dev/null 2>&1 || { echo "→ installing cargo-nextest"; cargo install --locked --quiet cargo-nextest; }

setup-deny: setup-native
	@[ -x $(DENY) ] || { echo "→ installing cargo-deny (a minute, once)"; cargo install --locked --quiet --no-default-features --profile dev --config profile.dev.debug=false --root "$(TARGET_DIR)/tools" --target-dir "$(TARGET_DIR)/tools/build" cargo-deny@$(DENY_VERSION) && rm -rf "$(TARGET_DIR)/tools/build"; }

# Redis and Qdrant: the tests of shared memory start them on free ports in temporary folders.
setup-servers: | setup-node
	@tools/servers.sh "$(TARGET_DIR)/servers"

setup-browser:
	@command -v chromium >/dev/null || $(MAKE) --no-print-directory apt PACKAGES="chromium"
	@cd e2e && { [ -d node_modules ] || { echo "→ installing the browser driver"; npm ci --silent --no-audit --no-fund; }; }

.PHONY: apt
apt:
	@if [ "$$(id -u)" != 0 ]; then echo "missing: $(PACKAGES). Install them, for example: sudo apt-get install $(PACKAGES)"; exit 1; fi
	@echo "→ installing $(PACKAGES)"
	@apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(PACKAGES) >/dev/null

clean: ## Remove what was built (your data stays)
	@cargo clean; rm -rf ui/dist ui/node_modules e2e/node_modules e2e/out
