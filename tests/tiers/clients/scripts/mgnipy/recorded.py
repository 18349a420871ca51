"""Compares the model with the recorded answers of the real program. Prints the number of equal
ones, and the different ones, as JSON.
"""

import gzip
import json
from collections import Counter
from pathlib import Path

from model import Catalogue

FOLDER = Path(__file__).parents[5] / "data/catalogue-v2"


def agreement(catalogue, recorded):
    """Says how an answer agrees with that of the model, or why it does not."""
    path, status, body = recorded["path"], recorded["status"], recorded["body"]
    if status in (301, 405) or isinstance(body, str):
        # HTML pages: for missing and surplus slashes, which do not matter here, and for unknown
        # paths and methods.
        return "not modelled"
    expected_status, expected = catalogue.answer(path)
    if (status, body) == (expected_status, expected):
        return "equal"
    if status != expected_status:
        return "differs"
    if "ties" in recorded:
        values = [[item[recorded["ties"]] for item in answer["items"]] for answer in (body, expected)]
        return "equal up to ties" if values[0] == values[1] else "differs"
    if recorded.get("unordered"):
        sizes = [(answer["count"], len(answer["items"])) for answer in (body, expected)]
        return "equal but for the order" if sizes[0] == sizes[1] else "differs"
    if body == {"detail": "Not found."}:
        return "tells that it is hidden"
    if path.startswith("/super-studies/") and bare(body) == bare(expected):
        return "lacks lineages"
    return "differs"


def bare(super_study):
    """Returns a super-study without the lineages of its studies, which the real program loses."""
    lists = ("flagship_studies", "related_studies")
    return super_study | {
        name: [study | {"biome": study["biome"] and {"biome_name": study["biome"]["biome_name"]}} for study in super_study[name]]
        for name in lists
    }


if __name__ == "__main__":
    catalogue = Catalogue(FOLDER / "documents")
    with gzip.open(FOLDER / "answers.jsonl.gz", "rt", encoding="utf-8") as file:
        found = [(agreement(catalogue, recorded), recorded["path"]) for recorded in map(json.loads, file)]
    exceptions = ("differs", "tells that it is hidden", "lacks lineages")
    print(json.dumps({"answers": Counter(kind for kind, _ in found), "exceptions": [entry for entry in found if entry[0] in exceptions]}))
