#!/usr/bin/env bash
# Makes the page of this folder: build.sh FOLDER writes the files of a static site to FOLDER, and FOLDER/kingline.html,
# which contains everything and opens without a server. `rustup target add wasm32-unknown-unknown` installs what it needs.
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: build.sh FOLDER" >&2; exit 2; }
folder=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")/../.."
engine=$(cargo metadata --locked --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
engine="$engine/wasm32-unknown-unknown/web/kingline_web.wasm"
cargo build --locked --profile web --target wasm32-unknown-unknown -p kingline-web --lib --no-default-features
cargo run --locked -p kingline-web --bin pack-web -- "$engine" "$folder"
