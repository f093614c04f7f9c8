#!/usr/bin/env bash
# Installs the servers that speak MongoDB's protocol for the tests, outside the repository; what cannot be installed is skipped.
# test/support/mongo-server.ts looks for them in the same folder: TEST_SERVERS_DIR, or ~/.cache/levy-test-servers.
# `install-mongo-servers.sh --rust` installs SecantusDB's Rust server as well, which takes ten minutes of a processor.
set -uo pipefail
cd "$(dirname "$0")"
SECANTUSDB=0.7.0b3
SECANTUSD=0.5.3-beta.196
FERRETDB=1.24.0-5
folder=${TEST_SERVERS_DIR:-$HOME/.cache/levy-test-servers}
mkdir -p "$folder"

# Under its final name stands only what was installed completely.
finish() { rm -rf "$2" && mv "$1" "$2"; }

# Two lines of FerretDB are changed. It looks a document up by its key only where the filter has nothing else, and reads the
# whole table otherwise; it filters what it finds in any case. And an update command keeps a connection to the file for each of
# its updates, so that one with more of them than there are connections never ends.
build_ferretdb() {
  go mod download &&
    cp -R "$(go list -m -f '{{.Dir}}' github.com/FerretDB/FerretDB)" "$1/source" && chmod -R u+w "$1/source" &&
    sed -i 's/params.Filter.Len() == 1/params.Filter.Len() >= 1/' "$1/source/internal/backends/sqlite/collection.go" &&
    sed -i '/result, err := common.UpdateDocument(ctx, c, "update"/a closer.Close()' "$1/source/internal/handler/msg_update.go" &&
    cp go.mod go.sum "$1" && go mod edit -replace "github.com/FerretDB/FerretDB=$1/source" "$1/go.mod" &&
    go build -trimpath -modfile "$1/go.mod" -o "$1/ferretdb" . && rm -r "$1/source"
}

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

target=$folder/ferretdb-$FERRETDB
if [ ! -d "$target" ]; then
  mkdir -p "$target.new"
  if command -v go >/dev/null && (cd ferretdb && build_ferretdb "$target.new"); then
    finish "$target.new" "$target"
  else
    rm -rf "$target.new"
    echo "FerretDB could not be built: it needs Go"
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
