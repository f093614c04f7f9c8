#!/usr/bin/env bash
# Starts MongoDB with what the containers of the service cannot share with it: copies of the secret key and, where there is
# one, of the certificate, which belong to the server's user and are never on a disk.
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
