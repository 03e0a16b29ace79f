#!/usr/bin/env bash
# Builds the pages in the background while the first crates are compiled, and returns at once. It holds a lock until they are
# there, which the build script of the crate that embeds them waits for. Only for a tree without pages: later on `make` has to see
# first whether they are out of date. Usage: tools/first-pages.sh [MAKE]
set -euo pipefail
cd "$(dirname "$0")/.."
lock=ui/.pages.lock

if [ -e ui/dist ] || ! command -v flock >/dev/null; then
  exec "${1:-make}" --no-print-directory ui/dist/.built
fi

exec 9>"$lock"
flock 9
{
  "${1:-make}" --no-print-directory ui/dist/.built || echo "→ the pages could not be built; what was said about it stands above" >&2
  # As old as the lock, which is older than what is compiled meanwhile: otherwise cargo would embed them once more next time.
  find ui/dist ui/node_modules/.installed -exec touch --no-create --reference="$lock" {} + 2>/dev/null || true
} &
