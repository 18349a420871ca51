"""Reads a TSV with the defaults of several readers, and prints the texts of a column as JSON:
texts.py FILE COLUMN.
"""

import csv
import json
import sys

import duckdb
import pandas
import polars

path, column = sys.argv[1:]
with open(path, newline="") as file:
    by_csv = [row[column] for row in csv.DictReader(file, delimiter="\t")]
print(
    json.dumps(
        {
            "csv": by_csv,
            "pandas": pandas.read_csv(path, sep="\t")[column].tolist(),
            "polars": polars.read_csv(path, separator="\t")[column].to_list(),
            "duckdb": [text for (text,) in duckdb.sql(f"select {column} from read_csv('{path}')").fetchall()],
        }
    )
)
