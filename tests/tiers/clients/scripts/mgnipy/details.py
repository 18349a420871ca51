"""Details of an object by its accession, missing details, and the lists of related objects."""

from mgnipy import MGnifier, MGnipy
from mgnipy.proxies import AssemblyDetail, SampleDetail, StudyDetail

from lists import plan

# The path of each resource, and the lists below it as far as the client knows them.
DETAILS = {
    "study": ("/studies", {"samples": "samples/", "analyses": "analyses/", "publications": "publications/"}),
    "sample": ("/samples", {"runs": "runs/", "assemblies": "assemblies/"}),
    "run": ("/runs", {"analyses": "analyses/", "assemblies": "assemblies/"}),
    "assembly": ("/assemblies", {"analyses": "analyses", "genomes": "genome-links"}),
    "analysis": ("/analyses", {}),
    "genome": ("/genomes", {}),
    "publication": ("/publications", {}),
    "catalogue": ("/genomes/catalogues", {}),
}
MISSING = {
    "study": ["NOPE", "MGYS90000000", "MGYS90000001", "ERP019566", "mgys00002072", "MGYS00002072 ", "recent", "a/b", "ü", "insdc"],
    "sample": ["NOPE", "ERS", "samea2619376", "F1 "],
    "run": ["NOPE", "ERR"],
    "assembly": ["NOPE", "erz9990001"],
    "analysis": ["NOPE", "MGYA99999999"],
    "genome": ["NOPE", "MGYG000000031", "mgyg000000001", "catalogues"],
    "publication": ["1", "99999999999999999999", "letters"],
    "catalogue": ["nope", "marine-v1-0"],
}


def some(documents, number):
    """Returns the keys of some documents, which are spread evenly."""
    keys = list(documents)
    return keys[:: max(1, len(keys) // number)]


def chosen(catalogue):
    names = [name for accession in some(catalogue.samples, 8) for name in catalogue.samples[accession]["ena_accessions"]]
    new = ["ERR9990001", "ERR9990002", "ERR9990003"]
    return {
        "study": some(catalogue.studies, 12) + ["MGYS00002072", "MGYS00000562"],
        "sample": some(catalogue.samples, 12) + names + ["SAMEA2422325", "SAMN02144231"],
        "run": some(catalogue.runs, 12) + [run for run in new if run in catalogue.runs] + ["SRR873595", "ERR476938"],
        "assembly": list(catalogue.assemblies),
        "analysis": some(catalogue.analyses, 12) + [f"MGYA0900000{digit}" for digit in range(1, 5)],
        "genome": list(catalogue.genomes),
        "publication": list(catalogue.publications),
        "catalogue": list(catalogue.catalogues),
    }


async def tour(steps, catalogue):
    with MGnipy(cache_dir=None) as client:
        for resource, identifiers in chosen(catalogue).items():
            path, related = DETAILS[resource]
            for identifier in identifiers:
                _, expected = catalogue.answer(f"{path}/{identifier}")
                detail = getattr(client, resource)(identifier)
                steps.equal(f"{resource} {identifier}", detail.get, [expected])
                if related:
                    steps.equal(f"what {resource} {identifier} is related to", detail.list_relationships(), list(related))
                # By another of its names, the client finds an object but nothing below it.
                if identifier == expected.get("accession"):
                    await lists_of(steps, catalogue, detail, f"{path}/{identifier}", related)
            await in_other_ways(steps, client, resource, identifiers[0], catalogue.answer(f"{path}/{identifiers[0]}")[1])
            for identifier in MISSING[resource]:
                missing = getattr(client, resource)(identifier)
                steps.equal(f"{resource} {identifier!r}, which is missing", missing.get, None)
                await steps.equal_later(f"{resource} {identifier!r}, which is missing, later", missing.aget(), None)
                steps.equal(f"what is known of {resource} {identifier!r}", lambda: missing.search_results.to_list(), None)
        for lineage in ("root:Engineered", "root:Host-associated:Human:Skin", "root:nope"):
            expected = catalogue.answer(f"/biomes/?biome_lineage={lineage}")[1]["items"]
            steps.equal(f"biome {lineage}", client.biome(lineage).get, expected)
            await steps.equal_later(f"biome {lineage}, later", client.biome(lineage).aget(), expected)


async def lists_of(steps, catalogue, detail, path, related):
    for position, (relation, below) in enumerate(related.items()):
        name, expected = f"{relation} of {path}", plan(catalogue, f"{path}/{below}", {})
        steps.equal(name, lambda: getattr(detail, relation)._results, expected)
        if position == 0:
            later = await detail.aget_list(relation, fetch=False)
            await steps.equal_later(f"{name}, later", later.aget(), expected[1])
            of_two = plan(catalogue, f"{path}/{below}", {"page_size": 2})
            by_two = detail.get_list(relation, fetch=False).page_size(2)
            steps.equal(f"{name}, by two", lambda: by_two.get_all(limit=3)._results, dict(list(of_two.items())[:3]))


async def in_other_ways(steps, client, resource, identifier, expected):
    def detail():
        return getattr(client, resource)(identifier)

    name = f"{resource} {identifier}"
    await steps.equal_later(f"{name}, later", detail().aget(), [expected])
    await steps.equal_later(f"{name}, as a page, later", detail().apage(1), [expected])
    steps.equal(f"{name}, as a page", lambda: detail().page(1), [expected])
    steps.equal(f"{name}, as the first", lambda: detail().first(), [expected])
    steps.equal(f"{name}, as a preview", lambda: sorted(detail().preview()), sorted(expected))
    known = getattr(client, resource)(identifier)
    steps.equal(f"{name}, once", [known.get(), known.get()], [[expected], None])
    steps.equal(f"{name}, as what was found", lambda: known.search_results.to_list(), [expected])
    config = {"cache_dir": None}
    label = {"publication": "pubmed_id", "catalogue": "catalogue_id"}.get(resource, "accession")
    steps.equal(f"{name}, by a name", lambda: MGnifier(resource, config=config, params={label: identifier}).get(), [expected])
    kinds = {"study": StudyDetail, "sample": SampleDetail, "assembly": AssemblyDetail}
    if resource in kinds:
        steps.equal(f"{name}, by a class", lambda: kinds[resource](config=config, accession=identifier).get(), [expected])
