#!/usr/bin/env bash
# Reads a product's page as the customer over REST, with curl: rest.sh STATE_DIR HTTP_ADDRESS PAGE
set -euo pipefail
state=${1:?STATE_DIR} http=${2:?HTTP_ADDRESS} page=${3:?PAGE}

call() {
  curl --silent --show-error --fail-with-body "$http/v1/tools/$1" --data "$2" \
    --header "Authorization: Bearer $(cat "$state/token")" --header "Content-Type: application/json" \
    --header "X-Troupe-Session: rest-example" --header "X-Troupe-Role: customer"
}

call browser_navigate "{\"url\": \"$page\"}"
call browser_find '{"ariaRole": "button", "name": "Add to cart"}'
