#!/usr/bin/env bash
# Serves a daemon over TLS in an empty folder, with certificates and a token made here, and calls it: tls.sh GRPC_PORT HTTP_PORT
set -euo pipefail
grpc=${1:?GRPC_PORT} http=${2:?HTTP_PORT}
key=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)

openssl req -x509 "${key[@]}" -days 3650 -subj "/CN=Troupe CA" -keyout ca.key -out ca.crt
openssl req "${key[@]}" -subj "/CN=localhost" -keyout tls.key -out tls.csr
printf "subjectAltName=DNS:localhost,IP:127.0.0.1\n" > tls.ext
openssl x509 -req -in tls.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 365 -extfile tls.ext -out tls.crt

printf %s "$(openssl rand -hex 32)" > ops.token
cat > troupe.yaml <<END
listen: [unix:default, "127.0.0.1:$grpc"]
http: 127.0.0.1:$http
tls: { cert: tls.crt, key: tls.key }
tokens: [{ name: ops, sha256: $(openssl dgst -sha256 -r ops.token | cut -d " " -f 1), control: write }]
END

coproc daemon { exec troupe daemon --state-dir state; }
pid=$daemon_PID
until read -r line <&"${daemon[0]}" && [[ $line == *"is ready"* ]]; do :; done
export TROUPE_TOKEN_FILE=ops.token TROUPE_CA=ca.crt
troupe status --address "localhost:$grpc"
curl --silent --show-error --fail-with-body --cacert ca.crt "https://localhost:$http/v1/tools" \
  --header "Authorization: Bearer $(cat ops.token)" --output tools.json
troupe drain --address "localhost:$grpc"
wait "$pid"
