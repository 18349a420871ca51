"""Finds genes on contigs, and hits of a profile among them, as people do, and prints the results.

Usage: produce.py CONTIGS ALIGNMENT FOLDER

Pyrodigal writes proteins.faa and genes.gff into the folder, and pyhmmer hits.domtblout. The
properties of each protein in their objects are printed as JSON.
"""

import json
import sys
from pathlib import Path

import pyhmmer
import pyrodigal
from Bio import SeqIO

FAMILY = "PF00005.31"


def main():
    contigs, alignment, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    finder = pyrodigal.GeneFinder(meta=True)
    proteins = {}
    with open(folder / "proteins.faa", "w") as faa, open(folder / "genes.gff", "w") as gff:
        for contig in SeqIO.parse(contigs, "fasta"):
            genes = finder.find_genes(bytes(contig.seq))
            genes.write_translations(faa, sequence_id=contig.id)
            genes.write_gff(gff, sequence_id=contig.id)
            for number, gene in enumerate(genes, 1):
                proteins[f"{contig.id}_{number}"] = {
                    "sequence": gene.translate().rstrip("*"),
                    "full_length": not (gene.partial_begin or gene.partial_end),
                    "place": [contig.id, gene.begin, gene.end, "+" if gene.strand > 0 else "-"],
                    "hits": [],
                }

    amino = pyhmmer.easel.Alphabet.amino()
    with pyhmmer.easel.MSAFile(alignment, digital=True, alphabet=amino) as file:
        aligned = file.read()
    aligned.name, aligned.accession = "ABC_tran", FAMILY
    profile, _, _ = pyhmmer.plan7.Builder(amino).build_msa(aligned, pyhmmer.plan7.Background(amino))
    with pyhmmer.easel.SequenceFile(folder / "proteins.faa", digital=True, alphabet=amino) as file:
        (found,) = pyhmmer.hmmsearch(profile, file.read_block())
    with open(folder / "hits.domtblout", "wb") as file:
        found.write(file, format="domains")
    for hit in found.reported:
        for domain in hit.domains.reported:
            name = hit.name if isinstance(hit.name, str) else hit.name.decode()
            envelope = [domain.env_from, domain.env_to]
            positions = [domain.alignment.hmm_from, domain.alignment.hmm_to]
            proteins[name]["hits"].append([*envelope, *positions])
    for protein in proteins.values():
        protein["hits"].sort()
    json.dump(proteins, sys.stdout)


main()
