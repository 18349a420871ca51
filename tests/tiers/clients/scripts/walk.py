"""Uses the catalogue as its users' scripts do, with jsonapi-client, and prints the results as JSON.

Usage: walk.py API_URL
"""

import json
import sys
from urllib.parse import urlencode

from jsonapi_client import Filter, Inclusion, Modifier, Session
from jsonapi_client.exceptions import DocumentError

COLLECTIONS = ["cogs", "pipeline-tools", "assemblies", "studies", "samples", "biomes"]


def walk(session):
    """Reads every collection to its end."""
    # The client nests a generator for each page, so that it needs large pages for many resources.
    return {
        collection: [resource.id for resource in session.iterate(collection, Modifier("page_size=250"))]
        for collection in COLLECTIONS
    }


def default_pages(session):
    """Reads a collection to its end by pages of the usual size."""
    return [study.accession for study in session.iterate("studies")]


def relationships(session):
    """Follows the relationships of single resources, in both directions."""
    study = session.get("studies", "MGYS00000257").resource
    sample = session.get("samples", "ERS074453").resource
    assembly = session.get("assemblies", "GCA_900230545").resource
    return {
        "study": study.accession,
        "samples": sorted(sample.accession for sample in study.samples),
        "biomes": [biome.lineage for biome in study.biomes],
        "studies_of_sample": [study.accession for study in sample.studies],
        "biome_of_sample": sample.biome.lineage,
        "assembly": assembly.accession,
        "samples_of_assembly": [sample.accession for sample in assembly.samples],
    }


def filters(session):
    """Filters as notebooks do: by parameters of their own names, in one text."""
    by_lineage = Filter(urlencode({"lineage": "root:Environmental:Aquatic:Marine", "page_size": 100}))
    by_depth = Filter(urlencode({"metadata_key": "temperature", "metadata_value_gte": 10, "metadata_value_lte": 20}))
    by_place = Filter(urlencode({"latitude_gte": 60, "longitude_lte": 30}))
    ordered = Modifier(urlencode({"ordering": "accession", "page_size": 250, "search": "soil"}))
    return {
        "lineage": [sample.accession for sample in session.iterate("samples", by_lineage)],
        "metadata": [
            {entry["key"]: entry["value"] for entry in sample.json["attributes"]["sample-metadata"]}["temperature"]
            for sample in session.iterate("samples", by_depth)
        ],
        "place": [[sample.latitude, sample.longitude] for sample in session.iterate("samples", by_place)],
        "ordered": [sample.accession for sample in session.iterate("samples", ordered)],
    }


def inclusions(session):
    """Lets the server include what resources are related to."""
    document = session.get("studies", Inclusion("biomes") + Modifier("page_size=5"))
    return {
        "included": sorted(resource.id for resource in document.included),
        "named": sorted({biome.id for study in document.resources for biome in study.biomes}),
    }


def problem(session):
    """Asks for what is not there. The client shows the title of the error."""
    try:
        session.get("studies", "nope")
    except DocumentError as error:
        return str(error)
    return None


def main():
    with Session(sys.argv[1]) as session:
        seen = {
            function.__name__: function(session)
            for function in (walk, default_pages, relationships, filters, inclusions, problem)
        }
    json.dump(seen, sys.stdout)


if __name__ == "__main__":
    main()
