#!/bin/sh
# Builds the frozen index of the newest format and what it must answer, from inputs/. This is done once: an index that was released
# is never built again, since the point is that the files of then can be read for ever. A new format gets a folder of its own.
set -eu
cd "$(dirname "$0")"
newest=v3
if [ -e "$newest" ] && [ "${1:-}" != --force ]; then
    echo "$newest is frozen. Only while its format is not released yet: $0 --force" >&2
    exit 1
fi
rm -rf "$newest"
mkdir "$newest"
manifest=$(cd ../.. && pwd)/Cargo.toml
# The names of the inputs end up in the manifest of the index.
cd inputs
cargo run --quiet --manifest-path "$manifest" -- index --data "../$newest" --portal rows.csv --biomes biomes.tsv --pfam clans.tsv \
    --superseded superseded.tsv --memory 64M --threads 1 --max-rejects 2
cd ..
rm "$newest/proteins/LOCK"
python3 expected.py >expected.json
