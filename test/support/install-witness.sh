#!/usr/bin/env bash
# Builds the witness of others that the tests ask to sign, where Go is there: without it they are skipped. A minute of
# work, so it is done once and kept in TEST_SERVERS_DIR, or ~/.cache/levy-test-servers.
set -uo pipefail
cd "$(dirname "$0")/litewitness"
VERSION=0.9.0
target=${TEST_SERVERS_DIR:-$HOME/.cache/levy-test-servers}/litewitness-$VERSION
[ -x "$target" ] && exit 0
mkdir -p "$(dirname "$target")"
export GOTOOLCHAIN=local GOFLAGS=
if command -v go >/dev/null && go build -o "$target.new" filippo.io/torchwood/cmd/litewitness; then
  mv "$target.new" "$target"
else
  echo "litewitness could not be built: it needs Go 1.24 or later"
fi
