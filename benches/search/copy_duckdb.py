"""Imports a Parquet file into a database, and prints the time and size of its COPY to Parquet, on one thread, as JSON.

Usage: copy_duckdb.py FILE FOLDER
"""

import json
import os
import sys
import time

import duckdb

file, folder = sys.argv[1:]
copy = f"{folder}/copy.parquet"
connection = duckdb.connect(f"{folder}/copy.duckdb")
connection.execute("SET threads = 1")
connection.execute(f"CREATE TABLE proteins AS FROM '{file}'")
connection.execute("CHECKPOINT")
started = time.process_time()
connection.execute(f"COPY proteins TO '{copy}' (COMPRESSION zstd)")
seconds = time.process_time() - started
((num_differences,),) = connection.execute(f"SELECT count(*) FROM (FROM '{file}' EXCEPT FROM '{copy}')").fetchall()
((num_rows,),) = connection.execute(f"SELECT count(*) FROM '{copy}'").fetchall()
assert num_differences == 0
json.dump({"rows": num_rows, "bytes": os.path.getsize(copy), "seconds": seconds}, sys.stdout)
