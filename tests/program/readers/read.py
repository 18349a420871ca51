"""Reads results of mgdex with the readers that scripts use, and prints what they say as JSON.

Usage: read.py FOLDER API_URL QUERY

The folder has the results of the command line: found.tsv, found.fasta and found.ndjson. The API is asked for the same.
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

import pyarrow.json
from Bio import SeqIO

FIELDS = "accession,length,full_length,cluster_size,sequence,md5,ga4gh,pfam"
TRUTHS = {"true": True, "false": False, "": None}


def download(url, query, name, folder):
    """Saves a stream of the API, which comes compressed."""
    parameters = {"q": query, "format": name.split(".")[1]}
    if not name.endswith("fasta"):
        parameters["fields"] = FIELDS
    request = urllib.request.Request(
        url + "/proteins?" + urllib.parse.urlencode(parameters), headers={"Accept-Encoding": "gzip"}
    )
    with urllib.request.urlopen(request) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        (folder / name).write_bytes(gzip.decompress(answer.read()))


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
    for name in ("found.tsv", "found.ndjson", "found.fasta"):
        download(url, query, name, downloaded)
        assert (downloaded / name).read_bytes() == (folder / name).read_bytes(), name
    json.dump(read(folder), sys.stdout)


if __name__ == "__main__":
    main()
