"""Answers the questions of the bench over HTTP from the Parquet files of a release, and prints its port.

Usage: serve_duckdb.py RELEASE BIOMES SAMPLES
"""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from release import RECORDS, connect

FAMILY = "pfam WHERE family = $family"
BIOME = "biomes WHERE lineage IN (SELECT lineage FROM below WHERE biome = $biome)"
BOTH = f"pfam SEMI JOIN (FROM {BIOME}) USING (accession) WHERE family = $family"

# The sequences are read for the accessions that were found, and for no others.
SEARCH = """
WITH found AS MATERIALIZED (SELECT DISTINCT accession FROM {} ORDER BY accession LIMIT $limit)
SELECT printf('MGYP%012d', accession) AS accession, length(sequence) AS length, full_length
FROM found JOIN sequences USING (accession) ORDER BY found.accession
"""
COUNT = "SELECT count(DISTINCT accession) FROM {}"
FACET = """
SELECT printf('PF%05d', family) AS value, count(DISTINCT accession) AS count
FROM pfam SEMI JOIN (FROM {}) USING (accession) GROUP BY family ORDER BY count DESC, family LIMIT 50
"""
SAMPLES = "SELECT sample FROM samples WHERE ordinal >= $from AND ordinal < $from + 25 ORDER BY ordinal"


def answer(cursor, kind, asked):
    """Returns the answer to a question as JSON."""
    matches = FAMILY if "biome" not in asked else BIOME if "family" not in asked else BOTH
    match kind:
        case "search" | "facet":
            found = cursor.execute((SEARCH if kind == "search" else FACET).format(matches), asked)
            names = [name for name, *_ in found.description]
            return json.dumps([dict(zip(names, row)) for row in found.fetchall()], separators=(",", ":"))
        case "count":
            return str(cursor.execute(COUNT.format(matches), asked).fetchone()[0])
        case "record":
            return cursor.execute(RECORDS.format(range=f"accession = {asked['accession']}")).fetchone()[1]
        case "samples":
            return f"[{','.join(sample for (sample,) in cursor.execute(SAMPLES, asked).fetchall())}]"


class Handler(BaseHTTPRequestHandler):
    """Answers on connections that are kept alive, each with a thread and a cursor."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_GET(self):
        url = urlsplit(self.path)
        if not hasattr(local, "cursor"):
            local.cursor = connection.cursor()
        asked = {name: int(value) for name, value in parse_qsl(url.query)}
        body = answer(local.cursor, url.path.strip("/"), asked).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


release, biomes, samples = sys.argv[1:]
local = threading.local()
connection = connect(release, biomes)
connection.execute("SET parquet_metadata_cache = true")
connection.execute(f"CREATE TABLE samples AS FROM read_csv('{samples}', header = false, names = ['ordinal', 'sample'])")
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
