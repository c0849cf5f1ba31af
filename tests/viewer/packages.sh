#!/bin/sh
# Fetches the npm packages of the package-lock.json beside this script to $CAROM_NODE_MODULES, unless they are there. A
# fixture of the tests that name that folder. Exit status 77: there is no node or npm.
set -eu
source=$(cd "$(dirname "$0")" && pwd)
folder=$(dirname "$CAROM_NODE_MODULES")

command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1 || { echo "there is no node or npm"; exit 77; }
cmp -s "$source/package-lock.json" "$folder/fetched.json" && exit 0
mkdir -p "$folder"
rm -f "$folder/fetched.json"
cp "$source/package.json" "$source/package-lock.json" "$folder/"
(cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund)
cp "$source/package-lock.json" "$folder/fetched.json"
