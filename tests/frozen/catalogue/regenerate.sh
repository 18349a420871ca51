#!/bin/sh
# Builds the frozen catalogue from inputs/, further/ and links.jsonl, and another one from documents/. This is done once for a format: the point is that files which an
# earlier program wrote in this format can be read. A new format replaces it.
set -eu
cd "$(dirname "$0")"
newest=v6
if [ -e "$newest" ] && [ "${1:-}" != --force ]; then
    echo "$newest is frozen. Only while its format is not released yet: $0 --force" >&2
    exit 1
fi
rm -rf "$newest" "$newest-documents"
mkdir "$newest" "$newest-documents"
manifest=$(cd ../../.. && pwd)/Cargo.toml
# The names of the inputs end up in the manifest of the catalogue.
load() {
    cargo run --quiet --manifest-path "$manifest" -- catalogue load --memory 64M --threads 1 "$@"
}
load --data "$newest" inputs further --links links.jsonl
load --data "$newest-documents" --v2 documents
rm "$newest/catalogue/LOCK" "$newest-documents/catalogue/LOCK"
