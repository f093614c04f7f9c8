#!/usr/bin/env bash
# Creates the cluster's certificate authority, and a certificate for each server of EventStoreDB, MongoDB and NATS.
# Existing certificates are not changed. To renew one, remove its folder and run this script again.
set -euo pipefail
cd "${1:-"$(dirname "$0")"}"

YEARS_OF_AUTHORITY=10
DAYS_OF_NODE=397
# User of EventStoreDB's image.
OWNER=1000

umask 077
mkdir -p certificates/ca certificates/authority

# The authority's key is in a separate folder, because every server and client gets the certificate. Remove the key from this machine when
# all certificates are created.
if [ ! -e certificates/ca/ca.crt ]; then
  openssl req -x509 -newkey rsa:3072 -nodes -sha256 -days $((365 * YEARS_OF_AUTHORITY)) \
    -subj '/CN=Levy cluster authority' \
    -addext 'basicConstraints=critical,CA:TRUE,pathlen:0' -addext 'keyUsage=critical,keyCertSign,cRLSign' \
    -keyout certificates/authority/ca.key -out certificates/ca/ca.crt 2> /dev/null
  echo 'created the authority'
fi

# name, common name
node() {
  local folder=certificates/$1 names="DNS:$1,DNS:localhost,IP:127.0.0.1"
  if [ -e "$folder/node.crt" ]; then
    echo "left as it is: $1"
    return
  fi
  if [ ! -e certificates/authority/ca.key ]; then
    echo "the authority's key is not in certificates/authority: restore it until all certificates are created" >&2
    exit 1
  fi
  mkdir -p "$folder"
  openssl req -new -newkey rsa:2048 -nodes -sha256 -subj "/CN=$2" -keyout "$folder/node.key" -out "$folder/node.csr" 2> /dev/null
  openssl x509 -req -sha256 -days "$DAYS_OF_NODE" -in "$folder/node.csr" \
    -CA certificates/ca/ca.crt -CAkey certificates/authority/ca.key -CAserial certificates/authority/ca.srl -CAcreateserial \
    -extfile <(printf '%s\n' 'basicConstraints=critical,CA:FALSE' 'keyUsage=critical,digitalSignature,keyEncipherment' \
      'extendedKeyUsage=serverAuth,clientAuth' "subjectAltName=$names") \
    -out "$folder/node.crt" 2> /dev/null
  rm "$folder/node.csr"
  openssl verify -CAfile certificates/ca/ca.crt "$folder/node.crt" > /dev/null
  echo "created: $1"
}

# EventStoreDB's nodes recognize each other by their common name, which is the same for all.
for number in 1 2 3; do
  node "eventstore-$number" eventstoredb-node
  node "mongodb-$number" "mongodb-$number"
  node "nats-$number" "nats-$number"
done

chmod 755 certificates certificates/ca
chmod 644 certificates/ca/ca.crt
if [ "$(id -u)" = 0 ]; then
  chown -R "$OWNER:$OWNER" certificates/eventstore-*
elif [ "$(id -u)" != "$OWNER" ]; then
  echo "The event store reads its keys as user $OWNER: sudo chown -R $OWNER:$OWNER $PWD/certificates/eventstore-*"
fi
