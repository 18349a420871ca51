"""Requests the catalogue as JSON:API recommends, with jsonapi-requests, json-api-doc and
jsonapi-client, and prints their results as JSON.

Usage: ask.py API_URL
"""

import json
import sys

import json_api_doc
import jsonapi_requests
import requests
from jsonapi_client import Filter, Inclusion, Modifier, Session

STUDIES = {
    "filter[lineage]": "root:Environmental",
    "page[number]": 2,
    "page[size]": 5,
    "sort": "-study-name",
    "fields[studies]": "study-name,biomes",
    "include": "biomes",
}

SAMPLES = {"filter[study-accession]": "MGYS00000257", "sort": "accession", "page[size]": 250}


def with_requests(url):
    """Asks by jsonapi-requests."""
    api = jsonapi_requests.Api.config({"API_ROOT": url, "VALIDATE_SSL": False, "TIMEOUT": 30})
    page = api.endpoint("studies").get(params=STUDIES)
    samples = api.endpoint("samples").get(params=SAMPLES)
    return {
        "studies": [study.id for study in page.data],
        "biomes": [biome.id for biome in page.data[0].relationships["biomes"].data],
        "attributes": "study-abstract" in page.data[0].attributes,
        "count": page.content.meta["pagination"]["count"],
        "samples": [sample.id for sample in samples.data],
        "study": api.endpoint("studies/MGYS00000257").get().data.id,
    }


def with_documents(url):
    """Asks plainly, and reads the documents by json-api-doc."""
    def document(path, parameters):
        return requests.get(f"{url}/{path}", params=parameters, timeout=30).json()

    page = document("studies", STUDIES)
    studies = json_api_doc.deserialize(page)
    return {
        "studies": [study["id"] for study in studies],
        # It leaves references with links of their own, which the real service gives, as they are.
        "biomes": [biome["id"] for biome in studies[0]["biomes"]],
        "attributes": "study-abstract" in studies[0],
        "count": page["meta"]["pagination"]["count"],
        "samples": [sample["id"] for sample in json_api_doc.deserialize(document("samples", SAMPLES))],
        "study": json_api_doc.deserialize(document("studies/MGYS00000257", {}))["id"],
    }


def with_session(url):
    """Asks by jsonapi-client, whose filters are JSON:API's when they are given by name."""
    with Session(url) as session:
        question = Filter(lineage="root:Environmental") + Inclusion("biomes")
        page = session.get("studies", question + Modifier("page[number]=2&page[size]=5&sort=-study-name"))
        samples = session.get("samples", Filter(study_accession="MGYS00000257") + Modifier("sort=accession&page[size]=250"))
        return {
            "studies": [study.id for study in page.resources],
            "biomes": [biome.id for biome in page.resources[0].biomes],
            "count": page.meta.pagination["count"],
            "samples": [sample.id for sample in samples.resources],
            "study": session.get("studies", "MGYS00000257").resource.id,
        }


if __name__ == "__main__":
    url = sys.argv[1]
    seen = {
        "jsonapi-requests": with_requests(url),
        "json-api-doc": with_documents(url),
        "jsonapi-client": with_session(url),
    }
    print(json.dumps(seen))
