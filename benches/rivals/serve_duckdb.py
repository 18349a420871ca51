"""Answers the questions of the bench over HTTP from the Parquet files of a release, and prints its port.

Usage: serve_duckdb.py RELEASE BIOMES SAMPLES [genes]
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

# The genes of each contig in order, and the proteins near others.
GENES = """
CREATE TABLE genes AS SELECT contig_id AS contig, protein_id AS accession, cluster_rep AS representative,
    row_number() OVER (PARTITION BY contig_id ORDER BY start_position, end_position, strand DESC, protein_id) AS place
FROM '{release}/mgy_proteins_metadata.parquet'
"""
NEIGHBOURS = """
SELECT printf('MGYC%012d', here.contig) AS contig,
    list(printf('MGYP%012d', gene.accession) ORDER BY gene.place) AS genes
FROM (FROM genes WHERE accession = $accession) here JOIN genes gene
    ON gene.contig = here.contig AND gene.place BETWEEN here.place - 5 AND here.place + 5
GROUP BY here.contig, here.place ORDER BY ALL
"""
NEAR = """
WITH one AS (FROM genes SEMI JOIN (SELECT accession AS representative FROM pfam WHERE family = $one) USING (representative)),
other AS (FROM genes SEMI JOIN (SELECT accession AS representative FROM pfam WHERE family = $other) USING (representative)),
near AS (
    SELECT DISTINCT one.representative FROM one JOIN other
    ON one.contig = other.contig AND abs(one.place - other.place) BETWEEN 1 AND $genes
)
SELECT printf('MGYP%012d', representative) AS accession,
    (SELECT count() FROM genes WHERE genes.representative = near.representative) AS num_genes
FROM near ORDER BY representative LIMIT 60
"""


def answer(cursor, kind, asked):
    """Returns the answer to a question as JSON."""
    matches = FAMILY if "biome" not in asked else BIOME if "family" not in asked else BOTH
    match kind:
        case "search" | "facet" | "neighbours" | "near":
            query = {"search": SEARCH, "facet": FACET, "neighbours": NEIGHBOURS, "near": NEAR}[kind]
            found = cursor.execute(query.format(matches), asked)
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


release, biomes, samples, *more = sys.argv[1:]
local = threading.local()
connection = connect(release, biomes)
connection.execute("SET parquet_metadata_cache = true")
connection.execute(f"CREATE TABLE samples AS FROM read_csv('{samples}', header = false, names = ['ordinal', 'sample'])")
if more:
    connection.execute(GENES.format(release=release))
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
