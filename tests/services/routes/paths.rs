//! The paths of all services, and a server that answers them.

use std::sync::LazyLock;

use api::{Api, ServiceConfig, Services};
use serde_json::json;
use support::{PROTEINS, PROTEINS_V2, TestFolder};

use crate::services::proteins::folder_with_replacements;

pub(super) const CATALOGUE: &str = "/metagenomics/api/v1";

pub(super) const CATALOGUE_V2: &str = "/metagenomics/api/v2";

pub(super) const REFGET: &str = "/metagenomics/proteins/refget";

/// The services, by the prefixes of their paths.
const SERVICES: [&str; 6] = [PROTEINS, PROTEINS_V2, REFGET, CATALOGUE, CATALOGUE_V2, "/portal"];

/// Paths below each prefix whose answers may be cached.
const KEPT: [&[&str]; 6] = [
    &[
        "/protein/12",
        "/protein/12/",
        "/protein/search?biome_id=132",
        "/protein/search?biome_id=100000",
        "/openapi.json",
        "/docs/",
    ],
    &[
        "/proteins",
        "/proteins/?limit=1",
        "/proteins?q=pfam:5%20AND%20biome:132&count=exact&format=json",
        "/proteins?format=ndjson",
        "/proteins?format=tsv&fields=accession,sequence",
        "/proteins?format=fasta",
        "/proteins/12",
        "/proteins/12/",
        "/proteins/12.fasta",
        "/suggest?kind=biome&text=marine",
        "/facets?by=biome&q=pfam:5",
        "/facets?by=biome&format=tsv",
        "/enrichment?by=pfam&biome=62",
        "/openapi.json",
        "/docs/",
    ],
    &[
        "/sequence/12",
        "/sequence/12/",
        "/sequence/12?start=1&end=3",
        "/sequence/service-info",
        "/openapi.json",
        "/docs/",
    ],
    &["", "/", "/samples", "/samples/ERS1", "/studies/MGYS00000001/samples", "/samples.csv", "/openapi.json", "/docs/"],
    &[
        "/studies/",
        "/studies",
        "/studies/?page_size=1&order=-updated_at",
        "/studies/?format=csv",
        "/studies/MGYS00000001",
        "/studies/MGYS00000001/samples/",
        "/studies/insdc/PRJEB1",
        "/rss/studies/",
        "/openapi.json",
        "/docs/",
    ],
    &["", "/", "/search?pfam=5", "/proteins/12", "/samples", "/samples/ERS1", "/biomes"],
];

/// Paths that are known and answered with another status.
const OTHERS: [&[(&str, u16)]; 6] = [
    &[
        ("/protein/16", 404),
        ("/protein/x", 404),
        ("/protein/search", 422),
        ("/protein/search/", 422),
        ("/protein/search?biome_lineage=x", 422),
        ("/protein/21", 302),
    ],
    &[
        ("/proteins/99", 404),
        ("/proteins?limit=0", 422),
        ("/neighbourhood?by=pfam", 404),
        ("/suggest", 422),
        ("/proteins/21", 302),
        ("/proteins/21.fasta", 302),
    ],
    &[
        ("/sequence/16", 404),
        ("/sequence/21", 302),
        ("/sequence/21/metadata", 302),
        ("/sequence/12?start=x", 400),
        ("/sequence/12?start=99", 416),
        ("/sequence/12?start=3&end=1", 501),
        ("/sequence/f1f8f4bf413b16ad135722aa4591043e", 501),
    ],
    &[("/samples/x", 404), ("/samples?page=99", 404), ("/samples?latitude_gte=x", 400)],
    &[("/samples/x", 404), ("/studies/?page=0", 422), ("/samples/?latitude_gte=x", 422), ("/my-data/studies/", 401)],
    &[("/proteins/99", 404), ("/samples/x", 404), ("/biomes/x", 404)],
];

/// Paths that are unknown.
const UNKNOWN: [&[&str]; 6] = [
    &["", "/", "/protein", "/protein/", "/protein/12/13", "//protein/12", "/protein/%2e%2e/x", "/docs/nothing.js"],
    &["", "/", "/protein/12", "/protein/search", "/proteins//", "/proteins/12/x", "/proteinss", "/docs/nothing.js"],
    &[
        "",
        "/",
        "/sequence",
        "/sequence/",
        "/sequence/12/x",
        "/sequence/12/metadata/x",
        "/service-info",
        "/docs/nothing.js",
    ],
    &["/nothing", "//samples", "/samples/ERS1/nothing/more/of/it", "/docs/nothing.js"],
    &["/nothing", "//samples", "/biomes/root", "/samples/ERS1/nothing", "/docs/nothing.js"],
    &["/nothing", "//", "/proteins//x", "/%FF"],
];

/// Proteins, of which some were replaced, a study and a sample.
static SITE: LazyLock<(TestFolder, Services)> = LazyLock::new(|| {
    let folder = folder_with_replacements("21\t12\n");
    let study = json!({"type": "studies", "id": "MGYS00000001", "attributes": {"bioproject": "PRJEB1"}});
    let relationships = json!({"studies": {"data": [{"type": "studies", "id": "MGYS00000001"}]}});
    let attributes = json!({"species": "a".repeat(2000)});
    let sample = json!({"type": "samples", "id": "ERS1", "attributes": attributes, "relationships": relationships});
    folder.publish_resources([study, sample]);
    let services = folder.services();
    (folder, services)
});

pub(super) static API: LazyLock<Api> = LazyLock::new(|| Api::new(&SITE.1, &ServiceConfig::default()));

/// Returns a router without a free place for a request.
pub(super) fn overloaded() -> Api {
    Api::new(&SITE.1, &ServiceConfig { requests_max: 0, ..ServiceConfig::default() })
}

/// Returns the whole paths of all services, each with its service.
fn all<T: Copy>(paths: [&[T]; 6], path: fn(T) -> &'static str) -> Vec<(&'static str, String, T)> {
    let of_service = |(prefix, paths): (&'static str, &[T])| {
        paths.iter().map(|row| (prefix, format!("{prefix}{}", path(*row)), *row)).collect::<Vec<_>>()
    };
    SERVICES.into_iter().zip(paths).flat_map(of_service).collect()
}

pub(super) fn cached() -> Vec<(&'static str, String, &'static str)> {
    all(KEPT, |path| path)
}

pub(super) fn other_statuses() -> Vec<(&'static str, String, (&'static str, u16))> {
    all(OTHERS, |(path, _)| path)
}

pub(super) fn unknown() -> Vec<(&'static str, String, &'static str)> {
    all(UNKNOWN, |path| path)
}
