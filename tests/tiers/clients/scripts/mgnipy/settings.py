"""The built-in knowledge of the client, its server address, its cache, and its use without a login.
"""

import contextlib
import io
import json
import tempfile
from pathlib import Path

from mgnipy import MGnipy, MGnipyConfig
from mgnipy.cli import main as command_line

from lists import PATHS, plan

RESOURCES = [
    "analyses", "analysis", "assemblies", "assembly", "genomes", "genome", "publications", "publication", "samples", "sample", "studies",
    "study", "runs", "run", "biomes", "biome", "miscellaneous", "catalogues", "catalogue", "private_studies",
]
PARAMETERS = {
    "biomes": ["biome_lineage", "max_depth"],
    "studies": ["order", "biome_lineage", "has_analyses_from_pipeline", "search"],
    "samples": ["order", "biome_lineage", "search"],
    "runs": ["has_experiment_type"],
    "genomes": ["order", "biome_lineage", "search"],
    "publications": ["order", "published_after", "published_before", "title"],
}


async def tour(steps, catalogue):
    steps.equal("the base URL", str(MGnipyConfig().base_url), steps.base_url)
    client = MGnipy(cache_dir=None)
    steps.equal("the resources", client.list_resources, RESOURCES)
    for resource in PATHS:
        known = sorted([*PARAMETERS.get(resource, []), "page", "page_size"])
        steps.equal(f"the parameters of {resource}", sorted(getattr(client, resource).list_supported_params()), known)
        description = client.describe_resource(resource, as_dict=True)
        steps.equal(f"a description of {resource}", description["title"].startswith("List all"), True)
    steps.equal("an unknown resource", lambda: client.describe_resource("nonsense"), None)
    plans(steps, catalogue, client)
    kept(steps, catalogue)
    await logins(steps, catalogue)
    await connections(steps, catalogue)
    steps.equal("the resources on the command line", lambda: json.loads(printed(command_line, ["list-resources"])), RESOURCES)


def printed(function, *arguments, **parameters):
    with contextlib.redirect_stdout(io.StringIO()) as output:
        function(*arguments, **parameters)
    return output.getvalue()


def plans(steps, catalogue, client):
    studies = client.studies(search="soil", page_size=5)
    expected = plan(catalogue, "/studies/", {"search": "soil", "page_size": 5})
    count = sum(map(len, expected.values()))
    steps.equal("a plan", lambda: printed(studies.dry_run).splitlines()[2:],
                [f"Total requests to make: {len(expected)}", f"Total records to retrieve: {count}"])
    # The client shows addresses without their last slash, and does not ask them.
    base = f"{steps.base_url}metagenomics/api/v2"
    steps.equal("addresses", lambda: printed(studies.explain).split(),
                [f"{base}/studies?search=soil&page={page}&page_size=5" for page in expected])
    steps.equal("the address of a detail", lambda: printed(client.run("ERR1760037").explain), f"{base}/runs/ERR1760037\n")
    studies.get()
    steps.equal("progress", lambda: f" 1/{len(expected)}" in printed(lambda: studies.progress), True)
    steps.equal("a text of a query", lambda: "'search': 'soil'" in str(studies) and "studies" in repr(studies), True)


def kept(steps, catalogue):
    """Answers are kept in a folder, and not requested again."""
    expected = plan(catalogue, "/genomes/", {"page_size": 10})
    with tempfile.TemporaryDirectory() as folder:
        client = MGnipy(cache_dir=folder)
        steps.equal("what is kept", lambda: client.genomes(page_size=10).get_all()._results, expected)
        num_requests = len(steps.requests)
        again = MGnipy(cache_dir=folder).genomes(page_size=10)
        steps.equal("what was kept", lambda: again.get_all()._results, expected)
        steps.equal("requests for what was kept", len(steps.requests) - num_requests, 0)
        steps.equal("the number of what was kept", again.count, len(catalogue.genomes))
        again.clear_cache()
        steps.equal("what is forgotten", again.cache_dir.exists(), False)
        steps.equal("what is kept of a detail", client.genome("MGYG000000001").get, [catalogue.genomes["MGYG000000001"]])
        client.clear_subcaches()
        steps.equal("what is left", list(Path(folder).iterdir()), [])


async def logins(steps, catalogue):
    """There are no logins: the client does without, and a token changes nothing."""
    expected = plan(catalogue, "/studies/", {"page_size": 3})[1]
    for name, settings in {
        "a password": {"mg_user": "Webin-1", "mg_password": "x"},
        "a token": {"auth_token": "nonsense"},
    }.items():
        client = MGnipy(cache_dir=None, **settings)
        steps.equal(f"studies with {name}", lambda: client.studies(page_size=3).get(), expected)
        await steps.equal_later(f"studies with {name}, later", client.studies(page_size=3).aget(), expected)
        run = catalogue.runs["ERR1760037"]
        steps.equal(f"a run with {name}", client.run("ERR1760037").get, [run])
        steps.equal(f"own studies with {name}", client.private_studies.get, None)
    asked = [request.rsplit("/v2/", 1)[1] for request in steps.requests if request.startswith("POST")]
    expected = ["auth/sliding", "auth/sliding", "auth/verify", "auth/sliding/refresh"]
    steps.equal("requests for a login", asked, expected)


async def connections(steps, catalogue):
    """The client opens and closes its connections."""
    client = MGnipy(cache_dir=None)
    expected = catalogue.answer("/assemblies/ERZ9990001")[1]
    for _ in range(2):
        with client:
            steps.equal("an assembly", client.assembly("ERZ9990001").get, [expected])
        async with client:
            await steps.equal_later("an assembly, later", client.assembly("ERZ9990001").aget(), [expected])
    client.renew_client()
    steps.equal("an assembly by a new connection", client.assembly("ERZ9990001").get, [expected])
    steps.equal("the state of connections", lambda: "HTTP client open: True" in printed(client.status), True)
