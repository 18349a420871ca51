"""The generated client below mgnipy: all its operations of version 2, in all four forms, with the
original answers.
"""

import importlib
import json
import pkgutil
from urllib.parse import urlencode

import mgnipy.emgapi_v2_client.api as api
from mgnipy.emgapi_v2_client.client import Client
from mgnipy.emgapi_v2_client.models.token_verify_input_schema import TokenVerifyInputSchema
from mgnipy.emgapi_v2_client.models.webin_token_refresh_request import WebinTokenRefreshRequest
from mgnipy.emgapi_v2_client.models.webin_token_request import WebinTokenRequest

from details import MISSING, chosen, some
from lists import LINEAGES
from model import ANNOTATION_TYPES

BASE = "/metagenomics/api/v2"
NUM_IN_ALL_FORMS = 8
PAGES = [{}, {"page_size": 2}, {"page_size": 2, "page": 2}, {"page": 99}, {"page_size": 1000}, {"page": 0}]
# Operations that need a server with logins or a search for genomes.
OFFERED_BY_OTHERS = {
    "token_obtain_sliding": {"body": WebinTokenRequest(username="Webin-1", password="x")},
    "token_refresh_sliding": {"body": WebinTokenRefreshRequest(token="x")},
    "token_verify": {"body": TokenVerifyInputSchema(token="x")},
    "genome_fragment_search": {},
}


def calls(catalogue):
    """Returns the calls of each operation: what is in the path, and the parameters."""
    known = {resource: [*identifiers[:6], *MISSING[resource]] for resource, identifiers in chosen(catalogue).items()}
    studies, analyses = known["study"] + ["MGYS00002072"], known["analysis"] + [f"MGYA0900000{digit}" for digit in range(1, 5)]
    assemblies, numbers = [*catalogue.assemblies, "NOPE"], [*catalogue.publications, 1, 99999999999999999999]
    catalogues = ["", *catalogue.catalogues, "nope"]
    genomes = [(genome,) for genome in known["genome"]]
    named = [name for study in some(catalogue.studies, 9) for name in catalogue.studies[study]["ena_accessions"]]
    filters = [{"order": "-length", "page_size": 5}, {"search": "escherichia"}, {"biome_lineage": LINEAGES[2]}, {"order": "n_50"}]

    def each(identifiers, pages=({},)):
        return [((identifier,), page) for identifier in identifiers for page in pages]

    def paged(identifiers):
        return each(identifiers[:1], PAGES) + each(identifiers[1:])

    def plain(queries=()):
        return [((), query) for query in [*PAGES, *queries]]

    return {
        "list_mgnify_studies": plain([{"order": "title"}, {"order": ""}, {"has_analyses_from_pipeline": "v6"}, {"search": "soil"}]),
        "get_mgnify_study": each(studies),
        "get_mgnify_study_accession_by_insdc_accession": each([*named, "ERP9900001", "MGYS00002072", "erp019566"]),
        "list_mgnify_study_samples": paged(["MGYS00002072", *studies]),
        "list_mgnify_study_analyses": paged(["MGYS00002072", *studies]),
        "list_mgnify_study_publications": paged(["MGYS00000563", *studies]),
        "list_super_studies": plain(),
        "get_super_study": each([*catalogue.super_studies, "nope"]),
        "list_private_mgnify_studies": plain(),
        "list_mgnify_samples": plain([{"order": "title"}, {"search": "TARA", "order": "sample_title"}]),
        "get_mgnify_sample": each(known["sample"]),
        "list_sample_runs": paged(["SAMN05831946", *known["sample"]]),
        "list_sample_assemblies": paged(["SAMN02144231", *known["sample"]]),
        "list_analysed_runs": plain([{"has_experiment_type": "METAT"}, {"has_experiment_type": "amplicon"}]),
        "get_analysed_run": each(known["run"]),
        "list_runs_analyses": paged(["ERR1760037", *known["run"]]),
        "list_runs_assemblies": paged(["ERR9990001", "SRR873595", *known["run"]]),
        "list_assemblies": plain(),
        "get_assembly": each(assemblies),
        "list_analyses_for_assembly": paged(["ERZ9990001", *assemblies]),
        "list_genome_links_for_assembly": paged(["ERZ9990001", *assemblies]),
        "list_additional_contained_genomes_for_assembly": paged(["ERZ9990001", *assemblies]),
        "list_mgnify_analyses": plain(),
        "get_mgnify_analysis": each(analyses),
        "analysis_get_mgnify_analysis_with_annotations": each(analyses),
        "analysis_get_mgnify_analysis_with_annotations_of_type": [
            ((analysis, kind), page)
            for analysis in analyses[-4:] + ["NOPE"]
            for kind in [*ANNOTATION_TYPES, "interpros"]
            for page in ({}, {"page_size": 3, "page": 2})
        ],
        "list_mgnify_publications": plain([{"order": "title"}, {"published_after": "x"}, {"title": "gut"}]),
        "get_mgnify_publication": each(numbers),
        "get_mgnify_publication_annotations": each(catalogue.publication_annotations),
        "list_mgnify_genomes": plain(filters),
        "get_mgnify_genome": [(genome, {"catalogue_id": name} if name else {}) for genome in genomes for name in catalogues],
        "get_genome_annotations": [(genome, {"catalogue_id": name} if name else {}) for genome in genomes for name in catalogues],
        "list_genome_catalogues": plain(),
        "get_genome_catalogue": each(catalogues[1:]),
        "get_genome_catalogue_genomes": [((name,), query) for name in catalogues[1:] for query in [*PAGES, *filters]],
        "list_mgnify_biomes": plain([{"biome_lineage": lineage, "max_depth": 4} for lineage in LINEAGES] + [{"max_depth": 0}]),
    }


def modules():
    """Returns the operations that the client has."""
    for tag in pkgutil.iter_modules(api.__path__, f"{api.__name__}."):
        for operation in pkgutil.iter_modules(importlib.import_module(tag.name).__path__, f"{tag.name}."):
            yield operation.name.split(".")[-1], importlib.import_module(operation.name)


async def tour(steps, catalogue):
    asked, has = calls(catalogue), dict(modules())
    steps.equal("the operations of the client", sorted(has), sorted([*asked, *OFFERED_BY_OTHERS]))
    with Client(base_url=steps.base_url) as client:
        for name, arguments in OFFERED_BY_OTHERS.items():
            answer = has[name].sync_detailed(client=client, **arguments)
            steps.equal(f"{name} is not offered", (answer.status_code, answer.parsed), (501, None))
            steps.equal(f"{name} says why", list(json.loads(answer.content)), ["detail"])
        for name, called in asked.items():
            for position, call in enumerate(called):
                # The other forms differ from the first in what they return only.
                await compare(steps, catalogue, client, (name, has[name]), call, position < NUM_IN_ALL_FORMS)


async def compare(steps, catalogue, client, operation, call, in_all_forms):
    (name, module), (identifiers, parameters) = operation, call
    request = module._get_kwargs(*identifiers, **parameters)
    query = urlencode(request.get("params", {}))
    status, body = catalogue.answer(f"{request['url'].removeprefix(BASE)}?{query}")
    called = f"{name}{identifiers}, {parameters}"

    def seen(answer):
        kind = answer.headers["content-type"].split(";")[0]
        return answer.status_code, kind, json.loads(answer.content), told(answer.parsed)

    def told(parsed):
        return parsed and parsed.to_dict()

    expected = body if status == 200 else None
    whole = (status, "application/json", body, expected)
    arguments = {"client": client, **parameters}
    steps.equal(called, lambda: seen(module.sync_detailed(*identifiers, **arguments)), whole)
    if in_all_forms:
        steps.equal(f"{called}, parsed", lambda: told(module.sync(*identifiers, **arguments)), expected)
        steps.equal(f"{called}, later", seen(await module.asyncio_detailed(*identifiers, **arguments)), whole)
        steps.equal(f"{called}, parsed, later", told(await module.asyncio(*identifiers, **arguments)), expected)
