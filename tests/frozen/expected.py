"""Prints what an index of `inputs/` must answer, worked out from the inputs without any code of mgdex."""

import csv
import json

csv.field_size_limit(1 << 30)
with open("inputs/biomes.tsv", encoding="utf-8") as table:
    lineages = {int(row[0]): row[5] for row in csv.reader(list(table)[1:], delimiter="\t", quoting=csv.QUOTE_NONE)}
with open("inputs/clans.tsv", encoding="utf-8") as table:
    families = {int(row[0][2:]): row for row in csv.reader(table, delimiter="\t", quoting=csv.QUOTE_NONE)}
with open("inputs/rows.csv", encoding="utf-8") as table:
    rows = sorted(csv.DictReader(table), key=lambda row: int(row["mgyp"]))
with open("inputs/superseded.tsv", encoding="utf-8") as table:
    pairs = [line.split() for line in table if not line.startswith("#")]


def mgyp(number):
    return f"MGYP{number:012}"


def number(text):
    return int(text.upper().removeprefix("MGYP"))



def family(accession):
    row = families.get(int(accession[2:]))
    clan = row[1] if row and row[1] not in ("", "\\N") else None
    return {"accession": f"PF{int(accession[2:]):05}", "name": row[4].rstrip() if row else accession, "clan": clan}


def hit(fields):
    accession, evalue, bit_score, *positions = fields
    hmm_start, hmm_end, env_start, env_end = positions if len(positions) == 4 else [0, 0, *positions]
    scores = {"evalue": float(evalue), "bit_score": float(bit_score)}
    places = {"hmm_start": hmm_start, "hmm_end": hmm_end, "env_start": env_start, "env_end": env_end}
    return family(accession) | scores | places


def contigs(study, assemblies):
    for assembly, places in assemblies or []:
        for contig, start, end, strand in places:
            name = f"MGYC{contig:012}"
            yield {
                "study_accession": study,
                "assembly_accession": f"ERZ{assembly:06}",
                "contig_accession": name,
                "contig_name": name,
                "start": start,
                "end": end,
                "strand": "+" if strand == 1 else "-",
            }


def protein(row):
    metadata = json.loads(row["metadata"] or "{}")
    biomes = [{"count": count, "id": id, "name": lineages[id]} for id, count in metadata.get("b") or []]
    hits = [hit(fields) for fields in metadata.get("p") or []]
    places = list(contigs("", metadata.get("a")))
    for study, assemblies in metadata.get("s") or []:
        places += contigs(f"ERP{study:06}", assemblies)
    in_hits = ("env_start", "accession_number", "hmm_start", "env_end", "hmm_end")
    in_places = ("study_accession", "assembly_accession", "contig_accession", "start", "end", "strand")
    return {
        "mgyp": mgyp(int(row["mgyp"])),
        "sequence": row["sequence"],
        "full_length": {"": None, "true": True, "false": False}[row["full_length"]],
        "cluster_size": int(row["cluster_size"]),
        "biomes": sorted(biomes, key=lambda biome: (-biome["count"], biome["name"])),
        "pfam_annotations": sorted(
            hits, key=lambda hit: [(hit | {"accession_number": int(hit["accession"][2:])})[key] for key in in_hits]
        ),
        # `+` comes before `-`, in ASCII too.
        "study_assembly_contigs": sorted(places, key=lambda place: [place[key] for key in in_places]),
    }


def search(matches):
    fields = ("mgyp", "full_length", "cluster_size")
    return [{field: protein[field] for field in fields} for protein in proteins if matches(protein)]


def biome_matches(matches):
    return search(lambda protein: any(matches(biome) for biome in protein["biomes"]))


def is_accepted(protein):
    return protein["cluster_size"] > 0 and all(biome["count"] > 0 for biome in protein["biomes"])


# Rows that are not accepted are among the rejects.
proteins = [protein for protein in map(protein, rows) if is_accepted(protein)]
searches = {}
for id in [*lineages, 999]:
    searches[f"biome_id={id}"] = biome_matches(lambda biome: biome["id"] == id)
levels = [lineage.split(":") for lineage in lineages.values()]
for lineage in sorted({":".join(names[:depth]) for names in levels for depth in range(1, len(names) + 1)}):
    searches[f"biome_lineage={lineage}"] = biome_matches(lambda biome: f"{biome['name']}:".startswith(f"{lineage}:"))
in_rows = {int(hit["accession"][2:]) for protein in proteins for hit in protein["pfam_annotations"]}
for accession in sorted({*families, *in_rows, 77777}):
    name = f"PF{accession:05}"
    searches[f"pfam_accession={accession}"] = search(
        lambda protein: any(hit["accession"] == name for hit in protein["pfam_annotations"])
    )

newer = {number(old): number(new) for old, new in pairs}
replaced = {}
for old in sorted(newer):
    end = old
    while end in newer:
        end = newer[end]
    if mgyp(old) not in [protein["mgyp"] for protein in proteins]:
        replaced[mgyp(old)] = mgyp(end)

expected = {"num_replacements": len(newer), "proteins": proteins, "searches": searches, "replaced": replaced}
print(json.dumps(expected, indent=1, ensure_ascii=False))
