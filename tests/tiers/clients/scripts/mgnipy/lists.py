"""Lists: all pages of all resources by every page size, filter and order, synchronously and not."""

from math import ceil
from urllib.parse import urlencode

from mgnipy import MGnifier, MGnipy
from mgnipy.emgapi_v2_client.models.experiment_types import ExperimentTypes
from mgnipy.emgapi_v2_client.models.list_mgnify_studies_order_type_0 import ListMgnifyStudiesOrderType0
from mgnipy.emgapi_v2_client.models.pipeline_versions import PipelineVersions
from mgnipy.proxies import Biomes, Runs

from model import EXPERIMENT_TYPES, GENOME_ORDERS, PIPELINES, PUBLICATION_ORDERS, SAMPLE_ORDERS, STUDY_ORDERS

PATHS = {
    "biomes": "/biomes/",
    "studies": "/studies/",
    "samples": "/samples/",
    "runs": "/runs/",
    "analyses": "/analyses/",
    "genomes": "/genomes/",
    "assemblies": "/assemblies/",
    "publications": "/publications/",
    "catalogues": "/genomes/catalogues/",
}
# The page size that the client assumes by default. Version 2 returns up to 100, so the last pages
# are empty.
ASSUMED_PAGE_SIZE = 25

LINEAGES = [
    "root",
    "root:Engineered",
    "root:Environmental:Aquatic:Marine",
    "root:Environmental:Aquatic:Thermal springs:Hot (42-90C)",
    "ROOT:HOST-ASSOCIATED:human",
    " root.host_associated:Human:Skin: ",
    "root:Environmental:Terr",
    "aquatic",
    "no such biome",
    "é",
    "",
]
SEARCHES = {
    "studies": ["soil", "SOIL", "human gut", "MGYS00002072", "mgys00002072", "ERP0195", "prjeb1", "%", "_", "'", "{", "nothing", ""],
    "samples": ["soil", "TARA", "ERS48", "samn", "SAMN,ERS", "patient 2", "}", "%", "é", ""],
    "genomes": ["MGYG000000001", "MGYG", "escherichia", "marine", "d__Archaea;p__", "%", ""],
}


def orders(names):
    return [{"order": sign + name} for name in names for sign in ("", "-")] + [{"order": ""}]


FILTERS = {
    "biomes": [{"biome_lineage": lineage} for lineage in LINEAGES]
    + [{"max_depth": depth} for depth in (1, 2, 3, 6, 20)]
    + [{"biome_lineage": "root:Host-associated", "max_depth": 3, "page_size": 7}],
    "studies": [{"biome_lineage": lineage} for lineage in LINEAGES]
    + [{"search": text} for text in SEARCHES["studies"]]
    + [{"has_analyses_from_pipeline": version} for version in [*PIPELINES, *PipelineVersions]]
    + orders(STUDY_ORDERS)
    + [{"order": order} for order in ListMgnifyStudiesOrderType0]
    + [{"search": "soil", "biome_lineage": "root", "has_analyses_from_pipeline": "V5", "order": "-updated_at", "page_size": 3}],
    "samples": [{"biome_lineage": lineage} for lineage in LINEAGES]
    + [{"search": text} for text in SEARCHES["samples"]]
    + orders(SAMPLE_ORDERS)
    + [order | {"page_size": 100} for order in orders(SAMPLE_ORDERS)]
    + [{"search": "a", "biome_lineage": "root:Environmental", "order": "-updated_at", "page_size": 50}],
    "runs": [{"has_experiment_type": kind, "page_size": 100} for kind in [*EXPERIMENT_TYPES, *ExperimentTypes]],
    "genomes": [{"biome_lineage": lineage} for lineage in LINEAGES]
    + [{"search": text} for text in SEARCHES["genomes"]]
    + [order | {"page_size": 7} for order in orders(GENOME_ORDERS)]
    + [{"search": "bacteria", "biome_lineage": "root:Environmental", "order": "-length", "page_size": 3}],
    "publications": orders(PUBLICATION_ORDERS)
    + [{"title": text} for text in ("metagenom", "METAGENOM", "%", "")]
    + [{"published_after": 2012}, {"published_before": 2012}, {"published_after": 2012, "published_before": 2015}]
    + [{"published_after": -5}, {"title": "a", "published_after": 2010, "order": "-published_year", "page_size": 5}],
}
PAGE_SIZES = {
    "biomes": [7, 100],
    "studies": [1, 7, 25, 100],
    "samples": [7, 100],
    "runs": [33, 100],
    "analyses": [50, 100],
    "genomes": [1, 7, 100],
    "assemblies": [1, 2, 100],
    "publications": [1, 5, 100],
    "catalogues": [1, 2, 100],
}


def listed(catalogue, path, parameters):
    """Returns the answer of a list to parameters, which may be members of enumerations."""
    values = {name: getattr(value, "value", value) for name, value in parameters.items()}
    return catalogue.answer(f"{path}?{urlencode(values)}")[1]


def plan(catalogue, path, parameters):
    """Returns the pages that the client gets: as many as it takes from the number of items."""
    count = listed(catalogue, path, parameters)["count"]
    num_pages = max(1, ceil(count / (parameters.get("page_size") or ASSUMED_PAGE_SIZE)))
    return {page: listed(catalogue, path, parameters | {"page": page})["items"] for page in range(1, num_pages + 1)}


async def tour(steps, catalogue):
    with MGnipy(cache_dir=None) as client:
        for resource, path in PATHS.items():
            for parameters in [{}, *({"page_size": size} for size in PAGE_SIZES[resource]), *FILTERS.get(resource, [])]:
                name, expected = f"{resource} with {parameters}", plan(catalogue, path, parameters)
                found = getattr(client, resource)(**parameters)
                steps.equal(f"all pages of {name}", lambda: found.get_all(limit=None)._results, expected)
                steps.equal(f"the number of {name}", found.count, listed(catalogue, path, parameters)["count"])
                if "page_size" in parameters or len(expected) < 5:
                    again = getattr(client, resource).filter(**parameters)
                    await steps.equal_later(f"all pages at once of {name}", results(again.aget_all(limit=None)), expected)
            await page_by_page(steps, client, resource, plan(catalogue, path, {"page_size": 5}))
        # The server cuts a page size at 100, and the client asks for too few pages.
        expected = plan(catalogue, "/samples/", {"page_size": 1000})
        steps.equal("pages that are too large", lambda: client.samples(page_size=1000).get_all()._results, expected)
        for parameters in ({"order": "title"}, {"has_analyses_from_pipeline": ""}, {"page": "x"}, {"page": 0}):
            steps.equal(f"studies with {parameters}, which is wrong", lambda: client.studies(**parameters).get(), None)
        steps.equal("studies that need a login", lambda: client.private_studies.get_all()._results, {})
    first, config = plan(catalogue, "/biomes/", {"page_size": 3})[1], {"cache_dir": None}
    steps.equal("biomes by a class", lambda: Biomes(config=config, page_size=3).page(1), first)
    parameters = {"page_size": 3, "has_experiment_type": "METAT"}
    first = plan(catalogue, "/runs/", parameters)[1]
    steps.equal("runs by a class", lambda: Runs(config=config, **parameters).page(1), first)
    steps.equal("runs by a name", lambda: MGnifier("runs", config=config, params=parameters).page(1), first)


async def results(query):
    return (await query)._results


async def page_by_page(steps, client, resource, expected):
    """Gets pages in all the other ways, of which there are many."""
    def query():
        return getattr(client, resource).page_size(5)

    first = expected[1]
    steps.equal(f"the first page of {resource}", lambda: query().first(), first)
    steps.equal(f"a preview of {resource}", lambda: sorted(query().preview()), columns(first))
    last = max(expected)
    steps.equal(f"the last page of {resource}", lambda: query().page(last), expected[last])
    steps.equal(f"a page of {resource} that is not there", lambda: query().page(last + 1), [])
    await steps.equal_later(f"the last page of {resource}, later", query().apage(last), expected[last])
    one, other = query(), query()
    steps.equal(f"page after page of {resource}", [one.get() for _ in range(min(3, last))], list(expected.values())[:3])
    if last <= 6:
        steps.equal(f"the end of the pages of {resource}", [page for page in query()], list(expected.values()))
        steps.equal(f"the end of the pages of {resource}, later", [page async for page in other], list(expected.values()))
    else:
        await steps.equal_later(f"a page of {resource}, later", other.aget(), first)
    some = query()
    steps.equal(f"two pages of {resource}", lambda: some.get_all(limit=2)._results, dict(list(expected.items())[:2]))
    chosen = [page for page in (1, 3) if page in expected]
    these = {page: expected[page] for page in chosen}
    steps.equal(f"chosen pages of {resource}", lambda: query().get_all(pages=chosen)._results, these)
    queries = [f"page={page}&page_size=5" for page in expected]
    steps.equal(f"addresses of {resource}", [url.split("?")[1] for url in some.list_urls()], queries)


def columns(records):
    return sorted({"biome_lineage" if name == "lineage" else name for record in records for name in record})
