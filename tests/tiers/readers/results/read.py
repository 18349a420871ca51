"""Reads results of mgdex with the readers that scripts use, and prints what they say as JSON.

Usage: read.py FOLDER API_URL QUERY

The folder has the results of the command line: found.tsv, found.fasta and found.ndjson, and with
all fields whole.ndjson, whole.parquet and whole.arrow. The API is asked for the same.
"""

import base64
import csv
import gzip
import hashlib
import json
import pathlib
import sys
import urllib.parse
import urllib.request

import duckdb
import polars
import pyarrow
import pyarrow.json
import pyarrow.parquet
from Bio import SeqIO

FIELDS = "accession,length,full_length,cluster_size,sequence,md5,ga4gh,pfam"
ALL_FIELDS = FIELDS + ",biomes,clans,studies,assemblies"
TABLES = ("whole.ndjson", "whole.parquet", "whole.arrow")
TRUTHS = {"true": True, "false": False, "": None}


def download(url, query, name, folder):
    """Saves a stream of the API, which comes compressed, unless it is compressed already."""
    parameters = {"q": query, "format": name.split(".")[1]}
    if not name.endswith("fasta"):
        parameters["fields"] = ALL_FIELDS if name in TABLES else FIELDS
    request = urllib.request.Request(
        url + "/proteins?" + urllib.parse.urlencode(parameters), headers={"Accept-Encoding": "gzip"}
    )
    with urllib.request.urlopen(request) as answer:
        is_parquet = name.endswith("parquet")
        assert answer.headers["Content-Encoding"] == (None if is_parquet else "gzip")
        (folder / name).write_bytes(answer.read() if is_parquet else gzip.decompress(answer.read()))


def tsv(path):
    with open(path, newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            row["full_length"] = TRUTHS[row["full_length"]]
            row["pfam"] = [family for family in row["pfam"].split(";") if family]
            yield row | {name: int(row[name]) for name in ("length", "cluster_size")}


def ndjson(path):
    return pyarrow.json.read_json(path).to_pylist()


def fasta(path):
    for record in SeqIO.parse(path, "fasta"):
        words = dict(word.split("=") for word in record.description.split()[1:])
        full_length = {"1": True, "0": False, None: None}[words.get("FL")]
        yield {
            "accession": record.id,
            "full_length": full_length,
            "cluster_size": int(words["CLUSTER"]),
            "sequence": str(record.seq),
        }


def check_digests(row):
    """Computes what the row says of its sequence."""
    sequence = row["sequence"].encode()
    truncated = base64.urlsafe_b64encode(hashlib.sha512(sequence).digest()[:24]).decode()
    assert row.pop("md5") == hashlib.md5(sequence).hexdigest(), row
    assert row.pop("ga4gh") == "SQ." + truncated, row
    assert row.pop("length") == len(sequence), row
    return row


def records(relation):
    return [dict(zip(relation.columns, row)) for row in relation.fetchall()]


def check_tables(folder, query):
    """Reads the tables with three libraries, which find the rows of the NDJSON."""
    rows = [json.loads(line) for line in open(folder / "whole.ndjson")]
    parquet = pyarrow.parquet.read_table(folder / "whole.parquet")
    stream = pyarrow.ipc.open_stream(folder / "whole.arrow").read_all()
    found = {
        "pyarrow, Parquet": parquet.to_pylist(),
        "pyarrow, Arrow": stream.to_pylist(),
        "polars, Parquet": polars.read_parquet(folder / "whole.parquet").to_dicts(),
        "polars, Arrow": polars.read_ipc_stream(folder / "whole.arrow").to_dicts(),
        "DuckDB, Parquet": records(duckdb.sql(f"FROM '{folder}/whole.parquet'")),
        "DuckDB, Arrow": records(duckdb.sql("FROM stream")),
    }
    for reader, values in found.items():
        assert values == rows, reader
    assert parquet.schema.equals(stream.schema, check_metadata=True)
    labels = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    assert parquet.schema.field("biomes").type.value_type == labels, parquet.schema
    about = {name.decode(): value.decode() for name, value in stream.schema.metadata.items()}
    assert urllib.parse.parse_qs(about["mgdex.query"]) == {"q": [query]}, about
    assert polars.read_parquet_metadata(folder / "whole.parquet").items() >= about.items()
    stored = duckdb.sql(f"SELECT key, value FROM parquet_kv_metadata('{folder}/whole.parquet')").fetchall()
    assert {(key.decode(), value.decode()) for key, value in stored} >= about.items()
    return {"rows": len(rows), **about}


def read(folder):
    return {
        "tsv": [check_digests(row) for row in tsv(folder / "found.tsv")],
        "ndjson": [check_digests(row) for row in ndjson(folder / "found.ndjson")],
        "fasta": list(fasta(folder / "found.fasta")),
    }


def main():
    folder, url, query = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    downloaded = folder / "downloaded"
    downloaded.mkdir()
    for name in ("found.tsv", "found.ndjson", "found.fasta", *TABLES):
        download(url, query, name, downloaded)
        assert (downloaded / name).read_bytes() == (folder / name).read_bytes(), name
    json.dump(read(folder) | {"tables": check_tables(folder, query)}, sys.stdout)


if __name__ == "__main__":
    main()
