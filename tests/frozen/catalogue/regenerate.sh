#!/bin/sh
# Builds the frozen catalogue from inputs/, further/ and links.jsonl. This is done once for a format: the point is that files which an
# earlier program wrote in this format can be read. A new format replaces it.
set -eu
cd "$(dirname "$0")"
newest=v4
if [ -e "$newest" ] && [ "${1:-}" != --force ]; then
    echo "$newest is frozen. Only while its format is not released yet: $0 --force" >&2
    exit 1
fi
rm -rf "$newest"
mkdir "$newest"
manifest=$(cd ../../.. && pwd)/Cargo.toml
# The names of the inputs end up in the manifest of the catalogue.
cargo run --quiet --manifest-path "$manifest" -- catalogue load --data "$newest" --memory 64M --threads 1 inputs further --links links.jsonl
rm "$newest/catalogue/LOCK"
