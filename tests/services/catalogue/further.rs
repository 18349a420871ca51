//! Types without public rows: super-studies, genomes and their related resources, in rows of the
//! form that the real service uses.

use std::sync::LazyLock;

use api::Api;
use serde_json::{Value, json};

use crate::services::catalogue::real::{CATALOGUE, ids, router_over};
use support::{Answer, TestFolder};

/// A server over a few rows.
static SERVER: LazyLock<(TestFolder, Api)> = LazyLock::new(|| {
    let folder = TestFolder::empty();
    let rows: Vec<String> = rows().iter().map(Value::to_string).collect();
    let links = json!({"type": "super-studies", "id": "1", "relationships": {
        "flagship-studies": {"data": [{"type": "studies", "id": "MGYS00000001"}]},
        "related-studies": {"data": [{"type": "studies", "id": "MGYS00000002"}, {"type": "studies", "id": "MGYS00000003"}]},
        "related-genome-catalogues": {"data": [{"type": "genome-catalogues", "id": "marine-v1-0"}]},
    }});
    let write = |name: &str, text: String| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("room");
        path
    };
    let (rows, links) = (write("rows.jsonl", rows.join("\n")), write("links.jsonl", links.to_string()));
    let mut load = support::program();
    load.args(["catalogue", "load", "--quiet", "--data"]).arg(folder.path()).arg(rows).arg("--links").arg(links);
    let output = load.output().expect("the binary");
    assert!(output.status.success(), "{output:?}");
    let router = router_over(folder.path(), &api::ServiceConfig::default());
    (folder, router)
});

/// Returns the rows.
fn rows() -> Vec<Value> {
    let biome = |lineage: &str| json!({"type": "biomes", "id": lineage, "attributes": {"lineage": lineage, "biome-name": lineage.rsplit(':').next()}});
    let study =
        |number: u32| json!({"type": "studies", "id": format!("MGYS{number:08}"), "attributes": {"study-name": "s"}});
    let related = |path: &str| json!({"links": {"related": format!("{{base_url}}{CATALOGUE}/super-studies/{path}")}});
    let catalogue = |id: &str, lineage: &str, updated: &str| {
        json!({
            "type": "genome-catalogues", "id": id,
            "attributes": {"name": format!("The {id} catalogue"), "description": "of genomes", "last-update": updated, "genome-count": 2},
            "relationships": {"biome": {"data": {"type": "biomes", "id": lineage}}},
        })
    };
    let genome = |number: u32, catalogue: &str, lineage: &str, attributes: Value| {
        let id = format!("MGYG{number:09}");
        let mut genome = json!({
            "type": "genomes", "id": id,
            "attributes": {"accession": id, "taxon-lineage": format!("d__Bacteria;g__Genus{number}")},
            "relationships": {
                "biome": {"data": {"type": "biomes", "id": lineage}},
                "catalogue": {"data": {"type": "genome-catalogues", "id": catalogue}},
            },
        });
        let all = genome["attributes"].as_object_mut().expect("an object");
        all.extend(attributes.as_object().expect("an object").clone());
        genome
    };
    let (gut, marine) = ("root:Host-associated:Human:Digestive system", "root:Environmental:Aquatic:Marine");
    vec![
        biome("root:Environmental:Aquatic"),
        biome(gut),
        biome(marine),
        study(1),
        study(2),
        study(3),
        json!({"type": "super-studies", "id": "1",
            "attributes": {"super-study-id": 1, "title": "Tara Oceans", "url-slug": "tara", "description": "A voyage"},
            "relationships": {"biomes": {"data": [{"type": "biomes", "id": marine}]},
                "flagship-studies": related("1/flagship-studies"), "related-studies": related("1/related-studies"),
                "related-genome-catalogues": related("1/related-genome-catalogues")}}),
        json!({"type": "super-studies", "id": "12", "attributes": {"super-study-id": 12, "title": "Another", "url-slug": "other"}}),
        catalogue("human-gut-v2-0", gut, "2023-05-02T10:00:00"),
        catalogue("marine-v1-0", marine, "2024-01-01T00:00:00"),
        genome(
            1,
            "human-gut-v2-0",
            gut,
            json!({"length": 900_000, "completeness": 99.5, "type": "isolate", "geographic-origin": "Asia", "geographic-range": ["Asia", "Europe"]}),
        ),
        genome(
            2,
            "human-gut-v2-0",
            gut,
            json!({"length": 2_000_000, "completeness": 80, "type": "mag", "geographic-origin": "North America", "geographic-range": []}),
        ),
        genome(
            10,
            "marine-v1-0",
            marine,
            json!({"length": 10_000_000, "completeness": null, "type": "mag", "geographic-range": ["Europe"]}),
        ),
        json!({"type": "genome-sets", "id": "NCBI"}),
        json!({"type": "genome-sets", "id": "EBI"}),
        json!({"links": {"first": format!("https://a{CATALOGUE}/genomeset/NCBI/genomes?page=1")}, "data": [
            genome(2, "human-gut-v2-0", gut, json!({"length": 2_000_000, "completeness": 80, "type": "mag", "geographic-origin": "North America"}))]}),
    ]
}

async fn get(path: &str) -> Answer {
    support::get(&SERVER.1, &format!("{CATALOGUE}{}", path.replace(' ', "%20"))).await
}

/// Returns the ids of a list, without their common part.
async fn listed(path: &str) -> Vec<String> {
    ids(&get(path).await.checked(200, path).json())
        .iter()
        .map(|id| id.replace("MGYG00000000", "G").replace("MGYG0000000", "G").replace("MGYS0000000", "S"))
        .collect()
}

#[tokio::test]
async fn genomes_are_filtered_by_numbers_places_and_kinds() {
    for (query, expected) in [
        ("", &["G10", "G2", "G1"][..]),
        ("accession=MGYG000000001,MGYG000000010,nope", &["G10", "G1"]),
        ("length__gte=2000000", &["G10", "G2"]),
        ("length__gte=1e6&length__lte=2000000.0", &["G2"]),
        ("completeness__lte=100", &["G2", "G1"]),
        ("mag_type=mag", &["G10", "G2"]),
        ("mag_type=isolate", &["G1"]),
        ("mag_type=Isolate", &[]),
        ("geo_origin=Asia&geo_origin=North America", &["G2", "G1"]),
        ("pangenome_geographic_range=Europe", &["G10", "G1"]),
        ("taxon_lineage=g__genus1", &["G10", "G1"]),
        ("taxon_lineage=.", &[]),
        ("ordering=length", &["G1", "G2", "G10"]),
        ("sort=-completeness", &["G1", "G2", "G10"]),
        ("search=genus2", &["G2"]),
    ] {
        assert_eq!(listed(&format!("/genomes?{query}")).await, expected, "{query}");
    }
    for (query, says) in [
        ("length__gte=long", "Enter a number."),
        ("mag_type=nope", "Select a valid choice. nope is not one of the available choices."),
        ("geo_origin=Asia,Europe", "Select a valid choice. Asia,Europe is not one of the available choices."),
    ] {
        let refused = get(&format!("/genomes?{query}")).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["errors"][0]["detail"]), (400, &json!(says)), "{query}");
    }
}

#[tokio::test]
async fn genomes_are_listed_by_their_related_resources() {
    for (path, expected) in [
        ("/biomes/root:Host-associated:Human:Digestive system/genomes", &["G1", "G2"][..]),
        ("/biomes/root:Environmental:Aquatic/genomes", &[]),
        ("/biomes/root:Environmental:Aquatic:Marine/genomes?ordering=-accession", &["G10"]),
        ("/biomes/root:Environmental:Aquatic:Marine/genome-catalogues", &["marine-v1-0"]),
        ("/genome-catalogues/human-gut-v2-0/genomes", &["G1", "G2"]),
        ("/genome-catalogues/human-gut-v2-0/genomes?ordering=-length", &["G2", "G1"]),
        ("/genome-catalogues/all/genomes", &["G1", "G2", "G10"]),
        ("/genomeset", &["NCBI", "EBI"]),
        ("/genomeset/NCBI/genomes", &["G2"]),
        ("/genomeset/EBI/genomes", &[]),
        ("/genomeset/all/genomes?length__gte=2000000", &["G2", "G10"]),
        ("/genomes/MGYG000000001/cogs", &[]),
        ("/genomes/MGYG000000001/kegg-module", &[]),
    ] {
        assert_eq!(listed(path).await, expected, "{path}");
    }
    for path in ["/genomes/MGYG000000003", "/genomeset/none/genomes", "/genomes/all/downloads", "/super-studies/all"] {
        assert_eq!(get(path).await.status, 404, "{path}");
    }
    let with_catalogue = get("/genomes/MGYG000000001?include=catalogue").await.json();
    assert_eq!(with_catalogue["included"][0]["id"], "human-gut-v2-0");
}

#[tokio::test]
async fn catalogues_of_genomes_are_filtered_by_dates_and_biomes() {
    for (query, expected) in [
        ("", &["human-gut-v2-0", "marine-v1-0"][..]),
        ("lineage=root:Environmental", &["marine-v1-0"]),
        ("catalogue_id=marine-v1-0", &["marine-v1-0"]),
        ("name__icontains=GUT", &["human-gut-v2-0"]),
        ("name=gut", &[]),
        ("biome__biome_name=Marine", &["marine-v1-0"]),
        ("biome__biome_name__icontains=gestive", &["human-gut-v2-0"]),
        ("biome__biome_name__icontains=Human", &[]),
        ("last_update__gt=2023-12-31", &["marine-v1-0"]),
        ("last_update__gt=2024-01-01", &[]),
        ("last_update__lt=2024-01-01", &["human-gut-v2-0"]),
        ("ordering=-last_update", &["marine-v1-0", "human-gut-v2-0"]),
    ] {
        assert_eq!(listed(&format!("/genome-catalogues?{query}")).await, expected, "{query}");
    }
    assert_eq!(get("/genome-catalogues?last_update__gt=soon").await.status, 400);
    assert_eq!(get("/genome-catalogues?lineage=root:Nope").await.status, 400);
}

#[tokio::test]
async fn super_studies_have_a_name_and_two_kinds_of_studies() {
    for (path, expected) in [
        ("/super-studies", &["1", "12"][..]),
        ("/super-studies?super_study_id=012", &["12"]),
        ("/super-studies?title=Tara Oceans", &["1"]),
        ("/super-studies?description=A voyage", &["1"]),
        ("/super-studies?biome_name=marine", &["1"]),
        ("/super-studies?ordering=title", &["12", "1"]),
        ("/super-studies/tara/flagship-studies", &["S1"]),
        ("/super-studies/1/related-studies", &["S2", "S3"]),
        ("/super-studies/tara/related-genome-catalogues", &["marine-v1-0"]),
        ("/super-studies/tara/biomes", &["root:Environmental:Aquatic:Marine"]),
        ("/super-studies/other/related-studies", &[]),
    ] {
        let mut found = listed(path).await;
        if path.ends_with("related-studies") {
            found.sort();
        }
        assert_eq!(found, expected, "{path}");
    }
    assert_eq!(get("/super-studies?super_study_id=abc").await.json()["errors"][0]["detail"], "Enter a number.");
    let tara = get("/super-studies/tara").await.json();
    assert_eq!(tara["data"]["id"], "1");
    assert!(tara["data"]["relationships"]["flagship-studies"].get("data").is_none(), "its row gives a link alone");
    let with_studies = get("/super-studies/1?include=flagship-studies,biomes").await.json();
    let included: Vec<&str> = with_studies["included"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| one["id"].as_str().expect("a text"))
        .collect();
    assert_eq!(included, ["root:Environmental:Aquatic:Marine", "MGYS00000001"]);
}
