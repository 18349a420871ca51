"""Uses version 1 over documents of version 2 as its users' scripts do, with jsonapi-client, and
prints the results as JSON.

Usage: harvested.py API_URL
"""

import json
import sys
from urllib.parse import urlencode

from jsonapi_client import Filter, Inclusion, Modifier, Session

COLLECTIONS = ["studies", "samples", "runs", "assemblies", "analyses", "genomes", "pipelines"]


def walk(session):
    """Reads every collection to its end."""
    return {
        collection: [resource.id for resource in session.iterate(collection, Modifier("page_size=250"))]
        for collection in COLLECTIONS
    }


def relationships(session):
    """Follows the relationships of single resources."""
    run = session.get("runs", "ERR9990001").resource
    analysis = session.get("analyses", "MGYA09000001").resource
    assembly = session.get("assemblies", "ERZ9990001").resource
    study = session.get("studies", "MGYS00000283").resource
    samples = list(study.samples)
    return {
        "study_of_run": run.study.accession,
        "sample_of_run": run.sample.accession,
        "sample_of_analysis": analysis.sample.accession,
        "absent_assembly": analysis.assembly,
        "runs_of_assembly": sorted(run.accession for run in assembly.runs),
        "assemblies_of_run": [assembly.accession for assembly in run.assemblies],
        "pipelines_of_run": [pipeline.id for pipeline in run.pipelines],
        "samples_of_study": [sample.accession for sample in samples],
        "biomes_of_samples": sorted({sample.biome.lineage for sample in samples}),
    }


def filters(session):
    """Filters by parameters of their own names, in one text."""
    soil = Filter(urlencode({"lineage": "root:Environmental:Terrestrial:Soil", "page_size": 100}))
    return {"lineage": [run.accession for run in session.iterate("runs", soil)]}


def inclusions(session):
    """Lets the server include what resources are related to."""
    document = session.get("runs", Inclusion("sample") + Modifier("page_size=5"))
    return {
        "included": sorted(resource.id for resource in document.included),
        "named": sorted({run.sample.id for run in document.resources}),
    }


def main():
    with Session(sys.argv[1]) as session:
        seen = {function.__name__: function(session) for function in (walk, relationships, filters, inclusions)}
    json.dump(seen, sys.stdout)


if __name__ == "__main__":
    main()
