#!/usr/bin/env bash
# Installs what others generate clients of the API with, outside the repository; what cannot be installed is skipped.
# test/support/client-generators.ts looks for it in the same folder: TEST_SERVERS_DIR, or ~/.cache/levy-test-servers.
set -uo pipefail
cd "$(dirname "$0")/generated-clients"
PYTHON=openapi-python-client-0.29.1
JAVA=openapi-generator-7.24.0
AXIOS=axios-1.21.1
folder=${TEST_SERVERS_DIR:-$HOME/.cache/levy-test-servers}
mkdir -p "$folder"

# Under its final name stands only what was installed completely.
finish() { rm -rf "$2" && mv "$1" "$2"; }

copy() { mvn -q -B "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:$1" "${@:2}"; }

target=$folder/$PYTHON
if [ ! -d "$target" ]; then
  if python3 -m pip --version >/dev/null 2>&1 &&
    python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target "$target.new" -r python/requirements.txt; then
    finish "$target.new" "$target"
  else
    rm -rf "$target.new"
    echo "openapi-python-client could not be installed: it needs Python 3.11 or later with pip"
  fi
fi

target=$folder/$JAVA
if [ ! -d "$target" ]; then
  if command -v mvn >/dev/null && command -v javac >/dev/null &&
    copy copy -Dartifact=org.openapitools:openapi-generator-cli:7.24.0 -DoutputDirectory="$target.new" &&
    copy copy-dependencies -f java/pom.xml -DoutputDirectory="$target.new/client"; then
    finish "$target.new" "$target"
  else
    rm -rf "$target.new"
    echo "openapi-generator could not be installed: it needs Java 17 or later and Maven"
  fi
fi

target=$folder/$AXIOS
if [ ! -d "$target" ]; then
  if npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$target.new" "${AXIOS/-/@}"; then
    finish "$target.new" "$target"
  else
    rm -rf "$target.new"
    echo "axios could not be installed"
  fi
fi

if ! command -v go >/dev/null || ! (cd go && GOTOOLCHAIN=local GOFLAGS= go mod download); then
  echo "oapi-codegen could not be fetched: it needs Go 1.25 or later"
fi
