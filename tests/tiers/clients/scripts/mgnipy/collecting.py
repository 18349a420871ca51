"""Collecting: details of listed objects, tables of them, their downloads, and the metadata of runs
next to a table of abundances.
"""

import json

import pandas
from mgnipy import MGnipy

from details import some


async def tour(steps, catalogue):
    with MGnipy(cache_dir=None) as client:
        await enriched(steps, catalogue, client)
        tables(steps, catalogue, client)
        downloads(steps, catalogue, client)
        await by_accessions(steps, catalogue, client)


async def enriched(steps, catalogue, client):
    documents = {
        "studies": catalogue.studies,
        "samples": {name: catalogue.samples[name] for name in list(catalogue.samples)[:25]},
        "runs": {name: catalogue.runs[name] for name in list(catalogue.runs)[:25]},
        "assemblies": catalogue.assemblies,
        "analyses": {name: catalogue.analyses[name] for name in list(catalogue.analyses)[:25]},
        "genomes": catalogue.genomes,
    }
    for resource, expected in documents.items():
        query = {"page_size": 25} if len(expected) == 25 else {}
        found = getattr(client, resource)(**query).get_all(limit=None if not query else 1)
        steps.equal(f"the accessions of {resource}", lambda: found.search_results.ids, list(expected))
        found.enrich_details(limit=None)
        details = found._collected_details_metadata
        steps.equal(f"details of all {resource}", details, {name: [document] for name, document in expected.items()})
        steps.equal(f"details of all {resource} as a list", found.metadata.to_list(), list(expected.values()))
        steps.equal(f"the number of {resource}", len(found), len(expected))
        one, other, *_ = expected
        steps.equal(f"one of {resource} by its place", lambda: found[1].page(1), [expected[other]])
        steps.equal(f"one of {resource} by its accession", lambda: found[other].page(1), [expected[other]])
        steps.equal(f"one of {resource} after the other", [found.get_detail(), found.get_detail()], [[expected[one]], [expected[other]]])
        steps.equal(f"the next of {resource}", next(found.iter_details), [expected[one]])
        later = getattr(client, resource)(**query)
        await later.aget()
        await later.aenrich_details(limit=5)
        first = dict(list(expected.items())[:5])
        steps.equal(f"details of {resource}, later", later._collected_details_metadata, {name: [it] for name, it in first.items()})
        await steps.equal_later(f"one of {resource}, later", later.aget_detail(), [expected[one]])
        steps.equal(f"the next of {resource}, later", await anext(later.aiter_details), [expected[one]])


def tables(steps, catalogue, client):
    found = client.studies.get_all()
    listed = catalogue.answer("/studies/?page_size=100")[1]["items"] + catalogue.answer("/studies/?page=2")[1]["items"]
    titles = [study["title"] for study in listed]
    results = found.search_results
    steps.equal("titles in pandas", lambda: list(results.to_pandas()["title"]), titles)
    wide = results.to_pandas(expand_nested_dicts=True)
    steps.equal("biomes in pandas", list(wide["biome__lineage"].where(wide["biome__lineage"].notna(), None)),
                [study["biome"] and study["biome"]["lineage"] for study in listed])
    abstracts = wide["metadata__study_description"]
    steps.equal("descriptions in pandas", list(abstracts.where(abstracts.notna(), None)),
                [study["metadata"].get("study_description") for study in listed])
    steps.equal("titles in polars", lambda: results.to_polars()["title"].to_list(), titles)
    steps.equal("lines of JSON", lambda: [json.loads(line)["title"] for line in results.to_json().splitlines()], titles)
    steps.equal("one of the results", lambda: results[3].to_list(), [listed[3]])
    steps.equal("some of the results", lambda: results[[0, 5]].to_list(), [listed[0], listed[5]])
    named = [listed[2]["accession"], listed[7]["accession"]]
    steps.equal("named ones of the results", lambda: results[named].to_list(), [listed[2], listed[7]])
    biomes = client.biomes(biome_lineage="root:Host-associated:Human", page_size=100)
    biomes.get()
    lineages = [biome["lineage"] for biome in catalogue.answer("/biomes/?biome_lineage=root:Host-associated:Human")[1]["items"]]
    steps.equal("lineages", lambda: list(biomes.search_results.to_pandas()["biome_lineage"]), lineages)
    # The name of its members changes after their first use.
    steps.equal("results of biomes", lambda: [biome["biome_lineage"] for biome in biomes.results[1]], lineages)


def downloads(steps, catalogue, client):
    rich = [name for name, study in catalogue.studies.items() if study["downloads"]][:3]
    rich += [name for name, analysis in catalogue.analyses.items() if analysis["downloads"]][:3]
    rich += [f"MGYA0900000{digit}" for digit in range(1, 5)]
    for accession in rich:
        is_study = accession.startswith("MGYS")
        detail = client.study(accession) if is_study else client.analysis(accession)
        document = (catalogue.studies if is_study else catalogue.analyses)[accession]
        detail.get()
        got = detail.downloads
        # The client adds these two.
        bare = [{name: value for name, value in it.items() if name not in ("accession", "pipeline_version")} for it in got]
        steps.equal(f"downloads of {accession}", bare, document["downloads"])
        steps.equal(f"whose {accession}'s downloads are", [it["accession"] for it in got], [accession] * len(got))
        steps.equal(f"addresses of {accession}", lambda: detail.datasets.urls, [it["url"] for it in document["downloads"]])
        steps.equal(f"names of {accession}", lambda: detail.datasets.aliases, [it["alias"] for it in document["downloads"]])
        if document["downloads"]:
            steps.equal(f"a table of {accession}", lambda: list(detail.downloads_df()["file_type"]),
                        [it["file_type"] for it in document["downloads"]])
            kinds = {it["download_type"] for it in document["downloads"]}
            steps.equal(f"kinds of {accession}", lambda: sorted(detail.datasets.by_downloads_col("download_type")), sorted(kinds))
    found = client.analyses(page_size=30)
    found.get()
    expected = [it["url"] for analysis in list(catalogue.analyses.values())[:30] for it in analysis["downloads"]]
    steps.equal("downloads of a list", lambda: found.datasets.urls, expected)


async def by_accessions(steps, catalogue, client):
    documents = {
        "study": catalogue.studies,
        "sample": catalogue.samples,
        "run": catalogue.runs,
        "assembly": catalogue.assemblies,
        "analysis": catalogue.analyses,
        "genome": catalogue.genomes,
    }
    for resource, known in documents.items():
        wanted = sorted(some(known, 6))
        net = client[resource](resource=resource, all_ids=[*wanted, "NOPE"])
        net.enrich()
        steps.equal(f"some of {resource}", net.metadata.to_list(), [known[name] for name in wanted])
        later = client[resource](resource=resource, all_ids=wanted)
        await later.aenrich()
        steps.equal(f"some of {resource}, later", {it["accession"]: it for it in later.metadata.to_list()},
                    {name: known[name] for name in wanted})
    runs = sorted(some(catalogue.runs, 4))
    net = client["run"](resource="run", all_ids=runs)
    net.enrich()
    table = pandas.DataFrame({"taxon": ["a", "b"], "rank": ["genus", "species"], **{run: [1, 2] for run in runs}})
    gathered = client.mtg(dataset=table, var_cols=["rank"], var_index="taxon", mgnify_runs=net.metadata.to_list())
    metadata = gathered.obs_metadata()
    steps.equal("runs of a table", list(metadata.index), runs)
    steps.equal("metadata of runs of a table", list(metadata["experiment_type"]), [catalogue.runs[run]["experiment_type"] for run in runs])
    annotated = gathered.to_anndata()
    steps.equal("studies of runs of a table", list(annotated.obs["study_accession"]), [catalogue.runs[run]["study_accession"] for run in runs])
