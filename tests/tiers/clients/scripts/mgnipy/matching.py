"""Which documents version 2 finds, and in which order."""

import re


def lineage_path(lineage):
    """Returns a lineage as version 2 compares it: `root.host_associated` for
    `root:Host-associated`.
    """
    text = lineage.encode("ascii", "ignore").decode().lower().replace(":", ".")
    text = re.sub("[ ()-]", "_", text).replace("__", "_").strip("_.")
    # The real program does not trim inner levels, so it has no tree below a level that ends in a
    # parenthesis.
    return ".".join(level.strip("_") for level in re.sub("[^a-z0-9._]", "", text).split("."))


def is_in_biome(document, lineage):
    wanted, biome = lineage_path(lineage), document["biome"]
    return biome is not None and f"{lineage_path(biome['lineage'])}.".startswith(f"{wanted}." if wanted else "")


def contains(text, part):
    return part.upper() in (text or "").upper()


def list_text(texts):
    """Returns the text of an array as PostgreSQL writes it, which searches look into."""
    def element(text):
        is_plain = text and text.upper() != "NULL" and not re.search(r'[{}",\\\s]', text)
        return text if is_plain else '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'

    return "{" + ",".join(map(element, texts)) + "}"


def is_found_study(study, search):
    accessions = list_text(study["ena_accessions"])
    return study["accession"] == search or contains(study["title"], search) or contains(accessions, search)


def is_found_sample(sample, search):
    return contains(sample["sample_title"], search) or contains(list_text(sample["ena_accessions"]), search)


def is_found_genome(genome, search):
    return genome["accession"] == search or any(contains(genome[name], search) for name in ("taxon_lineage", "catalogue_id"))


def is_in_years(year, first, last):
    return (first is None or year is not None and year >= first) and (last is None or year is not None and year <= last)


def ordered(documents, order):
    """Orders documents, which are in their default order, by a member. Documents without the member
    are last.
    """
    def key(document):
        value = document[order.removeprefix("-")]
        return (value is None, value if not isinstance(value, str) else value.removesuffix("Z"))

    return sorted(documents, key=key, reverse=order.startswith("-")) if order else documents
