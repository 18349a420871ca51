#!/bin/sh
# Builds the frozen index, tables of all of it, and what it must answer, from inputs/. This is done once for a format: the point is that files which an earlier
# program wrote in this format can be read. A new format replaces it.
set -eu
cd "$(dirname "$0")"
newest=v7
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
cargo run --quiet --manifest-path "$manifest" -- own add mine --data "../$newest/own" --proteins own.faa --study "A study" \
    --biome root:Mine --memory 64M
cargo run --quiet --manifest-path "$manifest" -- index --data "../$newest/context" --release 2026_07 --biomes biomes.tsv --pfam clans.tsv \
    --members --memory 64M --threads 1
cargo run --quiet --manifest-path "$manifest" -- index --data "../$newest/contigs" --release contigs --biomes biomes.tsv --pfam clans.tsv \
    --contigs --memory 64M --threads 1
cd ..
for format in parquet arrow; do
    cargo run --quiet --manifest-path "$manifest" -- search --data "$newest" --query '*' --limit all --format $format \
        --fields accession,length,full_length,cluster_size,sequence,md5,ga4gh,biomes,pfam,clans,studies,assemblies >"$newest/table.$format"
done
rm "$newest/proteins/LOCK" "$newest/own/proteins/LOCK" "$newest/context/proteins/LOCK" "$newest/contigs/proteins/LOCK"
python3 expected.py >expected.json
