#!/usr/bin/env bash
# Makes the page of this folder: build.sh FOLDER writes the files of a static site to FOLDER, and FOLDER/kingline.html,
# which contains everything and opens without a server. `rustup target add wasm32-unknown-unknown` installs what it needs.
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: build.sh FOLDER" >&2; exit 2; }
folder=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")/../.."

# One script from the page's modules, which a page in a folder could not load. Each module becomes a function that returns
# what it exports. An import or an export fits one line, and exports are functions and constants.
assets=src/players/display/assets
{
  cat src/engine/draw/board.js
  for module in $assets/{problems,boards,marks,glide,dragging,checkers,loa,squares,moves} \
    samples/web/page/{files,engine,analysis,main}; do
    echo "const module_${module##*/} = (() => {"
    sed -E -e 's|^import (\* as )?(.*) from "\./([a-z_]+)\.js";$|const \2 = module_\3;|' \
      -e 's/^export ((async function|function|const) )/\1/' "$module.js"
    names=$(sed -nE 's/^export (async function|function|const) ([A-Za-z0-9_]+).*/\2/p' "$module.js")
    printf 'return { %s };\n})();\n' "$(paste -sd, - <<< "$names")"
  done
} > "$folder/page.js"
if grep -nE '^(import|export) ' "$folder/page.js"; then
  echo "build.sh: expected imports and exports of other forms" >&2
  exit 1
fi

engine=$(cargo metadata --locked --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
engine="$engine/wasm32-unknown-unknown/web/kingline_web.wasm"
cargo build --locked --profile web --target wasm32-unknown-unknown -p kingline-web --lib --no-default-features
cargo run --locked -p kingline-web --bin pack-web -- "$engine" "$folder"
