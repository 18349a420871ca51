"""The tables of a release, read by DuckDB from its Parquet files, and written as CSV for the other rivals.

Usage: release.py RELEASE BIOMES TEMPORARY TABLE
"""

import sys

import duckdb

# A biome stands for all biomes below it.
TABLES = """
CREATE VIEW sequences AS SELECT protein_id AS accession, sequence, full_length FROM '{release}/mgy_protein_sequences.parquet';
CREATE VIEW pfam AS SELECT * RENAME (protein_id AS accession, pfam_accession AS family) FROM '{release}/mgy_proteins_pfam.parquet';
CREATE VIEW biomes AS SELECT protein_id AS accession, biome AS lineage, lineage_count FROM '{release}/mgy_biomes.parquet';
CREATE VIEW clusters AS SELECT cluster_member AS accession, cluster_size
    FROM '{release}/mgy_cluster_seqs.parquet' JOIN '{release}/mgy_clusters.parquet' USING (cluster_rep);
CREATE TABLE lineages AS SELECT biome_id AS biome, lineage FROM read_csv('{biomes}', delim = '\t');
CREATE TABLE below AS SELECT above.biome, lineages.lineage
    FROM lineages above JOIN lineages ON starts_with(lineages.lineage || ':', above.lineage || ':');
"""

# The records of some proteins as JSON, in the order of mgdex.
RECORDS = """
SELECT accession, to_json({{
    accession: printf('MGYP%012d', accession), length: length(sequence), sequence: sequence, full_length: full_length,
    biome_details: coalesce(found_in, []), pfam_annotations: coalesce(annotations, [])
}})
FROM (FROM sequences WHERE {range})
LEFT JOIN (
    SELECT accession, list({{count: lineage_count, name: lineage}} ORDER BY lineage_count DESC, lineage) AS found_in
    FROM biomes WHERE {range} GROUP BY ALL
) USING (accession)
LEFT JOIN (
    SELECT accession, list({{
        accession: printf('PF%05d', family), evalue: i_evalue, bit_score: score,
        hmm_start: hmm_from, hmm_end: hmm_to, env_start: env_from, env_end: env_to
    }} ORDER BY env_from, family, hmm_from, env_to, hmm_to) AS annotations FROM pfam WHERE {range} GROUP BY ALL
) USING (accession)
ORDER BY accession
"""

# The queries of the tables to write. Those by value have what a search shows, ascending as their keys.
BY_VALUE = """
SELECT {0}, accession, length(sequence), full_length, cluster_size
FROM (SELECT DISTINCT {0}, accession FROM {1}) JOIN sequences USING (accession) LEFT JOIN clusters USING (accession)
ORDER BY {0}, accession
"""
QUERIES = {
    "protein_pfam": BY_VALUE.format("family", "pfam"),
    "protein_biome": BY_VALUE.format("biome", "biomes JOIN below USING (lineage)"),
    "records": RECORDS,
}

# The accessions whose records are made at a time.
NUM_AT_A_TIME = 1 << 20


def connect(release, biomes):
    """Returns a connection to the tables."""
    connection = duckdb.connect()
    connection.execute(TABLES.format(release=release, biomes=biomes))
    return connection


if __name__ == "__main__":
    release, biomes, temporary, table = sys.argv[1:]
    connection = connect(release, biomes)
    connection.execute(f"SET temp_directory = '{temporary}'; SET memory_limit = '4GB'")
    (last,) = connection.execute("SELECT max(accession) FROM sequences").fetchone()
    for first in range(0, last + 1, NUM_AT_A_TIME) if table == "records" else [0]:
        query = QUERIES[table].format(range=f"accession BETWEEN {first} AND {first + NUM_AT_A_TIME - 1}")
        connection.execute(f"COPY ({query}) TO '/dev/stdout' (FORMAT csv, HEADER false)")
