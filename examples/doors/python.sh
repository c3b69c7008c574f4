#!/usr/bin/env bash
# Makes the Python code of the protocol in a folder, and runs python.py with it: python.sh PROTO_DIR FOLDER ADDRESS PAGE
# PROTO_DIR is proto/ in a checkout, and $(npm root -g)/troupe/dist/proto where the package is installed.
# Without grpc_tools, `protoc` makes the same with --plugin=protoc-gen-grpc_python="$(which grpc_python_plugin)".
set -euo pipefail
proto=${1:?PROTO_DIR} folder=${2:?FOLDER} address=${3:?ADDRESS} page=${4:?PAGE}

python3 -m grpc_tools.protoc -I "$proto" --python_out="$folder" --grpc_python_out="$folder" \
  "$proto"/troupe/v1/*.proto "$proto"/google/rpc/*.proto
PYTHONPATH="$folder" python3 "$(dirname "$0")/python.py" "$address" "$page"
