#!/bin/sh
# Builds the frozen directory and the frozen store of profiles from inputs/. This is done once for a format: the point is that files which
# an earlier program wrote in this format can be read. A new format replaces it.
set -eu
cd "$(dirname "$0")"
newest=v1
if [ -e "$newest" ] && [ "${1:-}" != --force ]; then
    echo "$newest is frozen. Only while its format is not released yet: $0 --force" >&2
    exit 1
fi
rm -rf "$newest"
mkdir "$newest"
manifest=$(cd ../../.. && pwd)/Cargo.toml
mgdex() { cargo run --quiet --manifest-path "$manifest" -- "$@"; }
# The name of the input ends up in the manifest of the directory.
mgdex directory load --data "$newest" --memory 64M inputs/directory.jsonl
mgdex profiles import --data "$newest" inputs/profiles.jsonl
# Opened once, as by a server, and closed.
mgdex verify --data "$newest"
# The file of the database is 16 MiB of almost nothing.
gzip --no-name "$newest/profiles/db/db"
rmdir "$newest/profiles/db/blobs"
rm "$newest/directory/LOCK" "$newest/profiles/LOCK"
