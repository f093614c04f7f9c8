#!/usr/bin/env bash
# Installs the servers that speak MongoDB's protocol for the tests, outside the repository; what cannot be installed is skipped.
# test/support/mongo-server.ts looks for them in the same folder: TEST_SERVERS_DIR, or ~/.cache/levy-test-servers.
# `install-mongo-servers.sh --rust` installs SecantusDB's Rust server as well, which takes ten minutes of a processor.
set -uo pipefail
cd "$(dirname "$0")"
SECANTUSDB=0.7.0b3
SECANTUSD=0.5.3-beta.196
folder=${TEST_SERVERS_DIR:-$HOME/.cache/levy-test-servers}
mkdir -p "$folder"

# Under its final name stands only what was installed completely.
finish() { rm -rf "$2" && mv "$1" "$2"; }

target=$folder/secantusdb-$SECANTUSDB
if [ ! -d "$target" ]; then
  if python3 -m pip --version >/dev/null 2>&1 &&
    python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target "$target.new" "secantusdb==$SECANTUSDB" &&
    (cd "$folder" && PYTHONPATH=$target.new python3 -m secantus --help >/dev/null); then
    finish "$target.new" "$target"
  else
    rm -rf "$target.new"
    echo "SecantusDB could not be installed: it needs Python 3.10 or later with pip"
  fi
fi

target=$folder/secantusd-$SECANTUSD
if [ "${1:-}" = --rust ] && [ ! -d "$target" ]; then
  # Built in a folder of its own: cargo keeps what it compiled in its target folder, 2 GB here.
  if command -v cargo >/dev/null &&
    cargo install --quiet --locked --root "$target.new" --target-dir "$target.new/target" --version "$SECANTUSD" secantus-mdb; then
    rm -rf "$target.new/target"
    finish "$target.new" "$target"
  else
    rm -rf "$target.new"
    echo "SecantusDB's Rust server could not be built: it needs Rust 1.98 or later (RUSTUP_TOOLCHAIN=1.98 chooses it), CMake and a C compiler"
  fi
fi
