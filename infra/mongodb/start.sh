#!/usr/bin/env bash
# Starts MongoDB with copies of the secret key and, if there is one, of the certificate. MongoDB requires that its own user owns these
# files, so the secrets cannot be used directly. The copies are never on a disk.
set -euo pipefail

NODE=/etc/mongodb-certificates/node

own() {
  install -o mongodb -g mongodb -m 0400 /dev/stdin "$1"
}

own /tmp/mongodb-key < /run/secrets/mongodb-key
if [ -d "$NODE" ]; then
  cat "$NODE/node.crt" "$NODE/node.key" | own /tmp/mongodb-certificate
fi
exec docker-entrypoint.sh "$@"
