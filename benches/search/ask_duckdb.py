"""Imports the tables of duckdb.rs, asks its questions, and prints times and results as JSON."""

import json
import statistics
import sys
import time

import duckdb

SAMPLES_MIN = 5
BUDGET_S = 0.3


def tables(folder, storage):
    """Returns a connection to the tables in a database of their own, or in Parquet files."""
    if storage == "database":
        connection = duckdb.connect(f"{folder}/duckdb")
        for table in ["proteins", "protein_pfam", "protein_biome"]:
            connection.execute(f"CREATE TABLE {table} AS FROM read_csv('{folder}/{table}.csv')")
            connection.execute(f"COPY {table} TO '{folder}/{table}.parquet'")
        connection.execute("CHECKPOINT")
    else:
        connection = duckdb.connect()
        for table in ["proteins", "protein_pfam", "protein_biome"]:
            connection.execute(f"CREATE VIEW {table} AS FROM '{folder}/{table}.parquet'")
    return connection


def ask(connection, question, clock, of_samples):
    """Returns the rows of an answer and the time that it took, in microseconds."""
    rows = connection.execute(question).fetchall()
    samples = []
    started = time.perf_counter()
    while len(samples) < SAMPLES_MIN or time.perf_counter() - started < BUDGET_S:
        sample = clock()
        connection.execute(question).fetchall()
        samples.append((clock() - sample) * 1e6)
    return {"us": of_samples(samples), "rows": rows}


def ask_all_threads(connection):
    return [ask(connection, question, time.perf_counter, min) for question in questions]


folder, questions = sys.argv[1], json.load(sys.stdin)
connections = {storage: tables(folder, storage) for storage in ["database", "Parquet"]}
answers = {storage: ask_all_threads(connection) for storage, connection in connections.items()}
seconds = {storage: sum(answer["us"] for answer in answers[storage]) / 1e6 for storage in connections}
better = min(seconds, key=seconds.get)
connections[better].execute("SET threads = 1")
one_thread = [ask(connections[better], question, time.process_time, statistics.median) for question in questions]
json.dump(
    {"version": duckdb.__version__, "seconds": seconds, "better": better, "all": answers[better], "one": one_thread},
    sys.stdout,
)
