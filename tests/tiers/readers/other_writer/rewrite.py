"""Reads a Parquet release and writes the same rows again, as other programs may have written them.

    rewrite.py SOURCE TARGET VARIANT

Prints the number of rows of each table as JSON.
"""

import json
import os
import sys

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

CODECS = ["none", "snappy", "gzip", "zstd", "lz4", "brotli"]

# The narrowest types that hold the values of small columns.
NARROW = {
    "lineage_count": pa.int16(),
    "cluster_size": pa.uint16(),
    "cluster_assembly_count": pa.int16(),
    "pfam_accession": pa.uint32(),
    "hmm_from": pa.int16(),
    "hmm_to": pa.uint16(),
    "env_from": pa.int32(),
    "env_to": pa.uint32(),
    "mgyp_count": pa.uint32(),
    "strand": pa.int8(),
    "start_position": pa.uint32(),
    "end_position": pa.int64(),
    "gene_caller_id": pa.int8(),
}

PROSE_NAMES = {
    "mgy_clusters": {
        "cluster_rep": "cluster_rep_accession",
        "cluster_assembly_count": "assembly_count",
        "cluster_members_biomes": "cluster_biomes",
    },
    "mgy_cluster_seqs": {"cluster_rep": "cluster_rep_accession", "cluster_member": "member_accessions"},
}

DRAFT_NAMES = {
    "mgy_protein_sequences": {"full_length": "description"},
    "mgy_cluster_seqs": {"cluster_member": "cluster_members"},
    "mgy_biomes": {"biome": "lineage"},
}


def cast(table, types):
    """Changes the types of columns; a value that does not fit is an error."""
    for name, data_type in types.items():
        if name in table.column_names:
            index = table.column_names.index(name)
            table = table.set_column(index, name, table[name].cast(data_type))
    return table


def set_column(table, name, values):
    """Puts other values into a column."""
    return table.set_column(table.column_names.index(name), name, values)


def rename(table, names):
    """Gives columns other names."""
    return table.rename_columns([names.get(name, name) for name in table.column_names])


def reorder(table, step):
    """Brings the columns into another order, which depends on `step`."""
    names = sorted(table.column_names, key=lambda name: (len(name) * step % 7, name))
    return table.select(names)


def narrowed_to(table, limits):
    """Returns the types of `limits`, by name, that hold the values of the table."""
    fitting = {}
    for name, data_type in limits.items():
        if name in table.column_names:
            try:
                table[name].cast(data_type)
                fitting[name] = data_type
            except pa.ArrowInvalid:
                pass
    return fitting


def texts(number, prefix, digits=12):
    """Writes numbers as accessions."""
    padded = pc.utf8_lpad(number.cast(pa.string()), digits, "0")
    return pc.binary_join_element_wise(prefix, padded, "")


def lists_of_members(table):
    """Puts the members of each cluster into one row."""
    grouped = table.group_by("cluster_rep", use_threads=False).aggregate([("cluster_member", "list")])
    return grouped.select(["cluster_rep", "cluster_member_list"]).rename_columns(table.column_names)


def prose(name, table, index):
    """The names of the documentation's prose, lists of members, one codec for each file, narrow
    numbers, large texts.
    """
    if name == "mgy_cluster_seqs":
        table = lists_of_members(table)
    table = cast(table, narrowed_to(table, NARROW))
    table = cast(table, {"score": pa.float32(), "sequence": pa.large_string(), "contig_name": pa.string_view()})
    table = cast(table, {"biome": pa.dictionary(pa.int16(), pa.string()), "study_accession": pa.large_string()})
    table = cast(table, {"assembly_accession": pa.dictionary(pa.int32(), pa.large_string())})
    table = reorder(rename(table, PROSE_NAMES.get(name, {})), 3)
    options = {"compression": CODECS[index % len(CODECS)], "data_page_version": "1.0", "write_page_checksum": True}
    return [(f"{name}.parquet", table, {**options, "row_group_size": 4999})]


def draft(name, table, index):
    """The forms of the draft of May 2026: accessions as texts, descriptions, joined members; a
    codec for each column.
    """
    if name == "mgy_protein_sequences":
        flags = pc.if_else(table["full_length"], "FL=1", "FL=0")
        table = set_column(table, "full_length", flags)
    if name == "mgy_cluster_seqs":
        table = lists_of_members(table)
        members = [";".join(f"MGYP{member:012}" for member in row) for row in table["cluster_member"].to_pylist()]
        table = set_column(table, "cluster_member", pa.array(members))
    if name == "mgy_proteins_pfam":
        table = set_column(table, "pfam_accession", texts(table["pfam_accession"], "PF", 5))
    if name == "mgy_proteins_metadata":
        table = set_column(table, "contig_id", texts(table["contig_id"], "MGYC"))
        strands = pc.if_else(pc.equal(table["strand"], 1), "+", "-")
        table = set_column(table, "strand", strands)
        checksums = pa.array([f"{row:064x}" for row in range(table.num_rows)])
        table = table.append_column("contig_sequence_sha256sum", checksums)
    for key in ["protein_id", "cluster_rep", "mgyp"]:
        if key in table.column_names:
            table = set_column(table, key, texts(table[key], "MGYP"))
    table = reorder(rename(table, DRAFT_NAMES.get(name, {})), 5)
    codecs = {column: CODECS[(index + at) % len(CODECS)] for at, column in enumerate(table.column_names)}
    options = {"compression": codecs, "data_page_version": "2.0", "write_page_checksum": False, "flavor": "spark"}
    return [(f"{name}.parquet", table, {**options, "row_group_size": 997, "store_schema": False})]


def parts(name, table, index):
    """Numbered parts and folders of parts: each with other types, codecs, orders, encodings and
    page versions; one is empty.
    """
    keys = ["protein_id", "cluster_rep", "cluster_member", "mgyp"]
    key_types = [pa.int64(), pa.uint64(), pa.decimal128(20, 0)]
    text_types = [pa.binary(), pa.large_binary(), pa.string(), pa.dictionary(pa.int16(), pa.binary())]
    written = []
    # Uneven cuts; the third part has no rows.
    cuts = [0, table.num_rows // 7, table.num_rows // 2, table.num_rows // 2, table.num_rows]
    for number, (start, end) in enumerate(zip(cuts, cuts[1:])):
        turn = index + number
        part = table.slice(start, end - start)
        part = cast(part, {key: key_types[turn % len(key_types)] for key in keys})
        part = cast(part, narrowed_to(part, NARROW) if number % 2 else {column: pa.int64() for column in NARROW})
        part = cast(part, {"score": [pa.float32(), pa.float64()][turn % 2]})
        for at, field in enumerate(part.schema):
            if pa.types.is_string(field.type):
                part = cast(part, {field.name: text_types[(turn + at) % len(text_types)]})
        part = reorder(part, turn + 1)
        codecs = {column: CODECS[(turn + at) % len(CODECS)] for at, column in enumerate(part.column_names)}
        options = {"compression": codecs, "row_group_size": [1, 313, 122_880, 2048][number] if end - start < 200 else 1777}
        options |= {"data_page_version": ["1.0", "2.0"][turn % 2], "write_page_checksum": turn % 3 == 0}
        options |= {"data_page_size": 1000, "version": ["1.0", "2.4", "2.6"][turn % 3], "write_page_index": turn % 2 == 0}
        if name == "mgy_biomes":
            path = f"{name}.parquet/part-{number}.parquet"
        else:
            path = f"{name}_{number + 1}.parquet"
        written.append((path, part, options))
    return written


def encoded(name, table, index):
    """No dictionaries and no statistics, but the encodings for sorted numbers, texts and real
    numbers.
    """
    table = cast(table, narrowed_to(table, {"protein_id": pa.uint32(), "mgyp": pa.uint32(), **NARROW}))
    table = cast(table, {"score": pa.float32(), "biome": pa.string_view(), "sequence": pa.binary_view()})
    encodings = {}
    for at, field in enumerate(table.schema):
        if pa.types.is_integer(field.type):
            encodings[field.name] = ["DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"][at % 2]
        elif pa.types.is_floating(field.type):
            encodings[field.name] = "BYTE_STREAM_SPLIT"
        elif not pa.types.is_boolean(field.type):
            encodings[field.name] = ["DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"][at % 2]
        else:
            encodings[field.name] = "RLE"
    narrow_only = {pa.int8(), pa.int16(), pa.uint16()}
    for field in table.schema:
        if field.type in narrow_only:
            encodings[field.name] = "PLAIN"
    options = {"use_dictionary": False, "column_encoding": encodings, "write_statistics": False}
    options |= {"compression": CODECS[(index + 3) % len(CODECS)], "data_page_version": "2.0", "write_page_checksum": True}
    return [(f"{name}.parquet", reorder(table, 2), {**options, "row_group_size": 12_345})]


VARIANTS = {"prose": prose, "draft": draft, "parts": parts, "encoded": encoded}


def main(source, target, variant):
    """Writes a variant of a release."""
    counts = {}
    for index, file_name in enumerate(sorted(os.listdir(source))):
        name = file_name.removesuffix(".parquet")
        table = pq.read_table(os.path.join(source, file_name))
        counts[name] = table.num_rows
        for path, rows, options in VARIANTS[variant](name, table, index):
            path = os.path.join(target, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            pq.write_table(rows, path, **options)
    print(json.dumps(counts))


if __name__ == "__main__":
    main(*sys.argv[1:])
