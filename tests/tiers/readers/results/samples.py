"""Reads samples of mgdex with the readers that scripts use, and prints what they say as JSON.

Usage: samples.py URL

The URL is that of the samples in version 1 of the catalogue.
"""

import io
import json
import sys
import urllib.parse
import urllib.request

import geojson
import polars

COLUMN = "temperature (°C)"
READERS = {
    "parquet": polars.read_parquet,
    "arrow": polars.read_ipc_stream,
    "csv": lambda file: polars.read_csv(file, infer_schema=False),
    "tsv": lambda file: polars.read_csv(file, infer_schema=False, separator="\t", quote_char=None),
}


def stream(url, **parameters):
    with urllib.request.urlopen(url + "?" + urllib.parse.urlencode(parameters)) as answer:
        return io.BytesIO(answer.read())


def main():
    url = sys.argv[1]
    seen = {}
    for name, read in READERS.items():
        table = read(stream(url, format=name, metadata="wide"))
        has_value = polars.col(COLUMN).is_not_null() & (polars.col(COLUMN) != "")
        seen[name] = table.filter(has_value)["accession"].to_list()
    # As in the data; by default, geojson rounds.
    geojson.geometry.DEFAULT_PRECISION = 15
    points = geojson.load(stream(url, format="geojson"))
    assert points.is_valid, points.errors()
    seen["points"] = [[point.id, *point.geometry.coordinates] for point in points.features]
    json.dump(seen, sys.stdout)


main()
