//! Queries about proteins and the catalogue in one request.

use axum::http::StatusCode;
use serde_json::{Value, json};
use support::{PROTEINS_V2, TestFolder, encoded, get};

use super::{numbers, page, problems, rows, search};
use api::Api;

/// Returns the router of the proteins with a catalogue of their samples, runs and assemblies.
fn router() -> (TestFolder, Api) {
    let folder = TestFolder::of_rows(&rows());
    let entry = |key: &str, value: &str, unit: Value| json!({"key": key, "value": value, "unit": unit});
    let sample = |id: &str, temperature: &str, ph: &str| {
        let metadata = [entry("temperature", temperature, json!("&deg;C")), entry("pH", ph, json!(null))];
        let studies = json!({"data": [{"type": "studies", "id": "MGYS00002008"}]});
        json!({
            "type": "samples", "id": id, "attributes": {"accession": id, "sample-metadata": metadata},
            "relationships": {"studies": studies, "biome": {"data": {"type": "biomes", "id": "root:Engineered"}}},
        })
    };
    let assembly = |id: &str, sample: &str| {
        let samples = json!({"data": [{"type": "samples", "id": sample}]});
        json!({
            "type": "assemblies", "id": id, "attributes": {"accession": id, "experiment-type": "assembly"},
            "relationships": {"samples": samples},
        })
    };
    let study = json!({
        "type": "studies", "id": "MGYS00002008",
        "attributes": {"accession": "MGYS00002008", "secondary-accession": "ERP108403", "study-name": "Springs"},
    });
    let other = json!({"type": "studies", "id": "MGYS00002009", "attributes": {"accession": "MGYS00002009"}});
    let biome = json!({
        "type": "biomes", "id": "root:Engineered", "attributes": {"lineage": "root:Engineered", "biome-name": "Engineered"},
    });
    folder.publish_resources([
        biome,
        study,
        other,
        sample("ERS1", "70.5", "4.5"),
        sample("ERS2", "12", "3"),
        sample("ERS3", "85", "4.9"),
        sample("ERS4", "90", "8"),
        assembly("ERZ534239", "ERS1"),
        assembly("ERZ534240", "ERS2"),
        assembly("ERZ534241", "ERS3"),
    ]);
    let router = folder.router();
    (folder, router)
}

/// Returns the ids of the resources that conditions select.
async fn selected(router: &Api, collection: &str, conditions: &str) -> Vec<String> {
    let path = format!("/metagenomics/api/v1/{collection}?strict=1&where={}", encoded(conditions));
    let answer = get(router, &path).await.checked(200, &path).json();
    let resources = answer["data"].as_array().expect("a list").iter();
    let mut ids: Vec<String> = resources.map(|it| it["id"].as_str().expect("a text").to_owned()).collect();
    ids.sort();
    ids
}

#[tokio::test]
async fn samples_and_studies_are_found_by_their_proteins() {
    let (_folder, router) = router();
    for (collection, conditions, expected) in [
        // Samples hotter than 30 °C below pH 5 that have assemblies whose proteins contain a
        // family.
        ("samples", "temperature:>30 AND pH:<5 AND has:(proteins: pfam:PF00005)", &["ERS1"][..]),
        ("samples", "has:(proteins: pfam:PF00005)", &["ERS1", "ERS2"]),
        ("samples", "has:(proteins: pfam:PF04659)", &["ERS2"]),
        ("samples", "has:(proteins: pfam:PF00005 AND NOT pfam:PF04659)", &["ERS1"]),
        ("samples", "has:(proteins: pfam:PF00005 AND length:[100 TO *])", &["ERS2"]),
        ("samples", "has:(proteins: pfam:PF99999)", &[]),
        ("samples", "has:proteins", &["ERS1", "ERS2"]),
        ("samples", "NOT has:proteins", &["ERS3", "ERS4"]),
        ("samples", "temperature:>30 AND NOT has:(proteins: *)", &["ERS3", "ERS4"]),
        ("samples", "pH:8 OR has:(proteins: pfam:PF04659)", &["ERS2", "ERS4"]),
        ("studies", "has:(proteins: pfam:PF00005)", &["MGYS00002008"]),
        ("studies", "NOT has:proteins", &["MGYS00002009"]),
        ("assemblies", "has:(proteins: pfam:PF04659)", &["ERZ534240"]),
        ("assemblies", "sample:(temperature:>30)", &["ERZ534239", "ERZ534241"]),
        ("assemblies", "temperature:>30 AND has:proteins", &["ERZ534239"]),
    ] {
        assert_eq!(selected(&router, collection, conditions).await, expected, "{collection}: {conditions}");
    }
}

#[tokio::test]
async fn proteins_are_found_by_their_samples_and_studies() {
    let (_folder, router) = router();
    for (query, expected) in [
        ("sample:ERS1", &[12][..]),
        ("sample:ers2", &[15]),
        ("sample:(ERS1 OR ERS2)", &[12, 15]),
        ("sample:ERS3", &[]),
        ("sample:(temperature:>30)", &[12]),
        ("sample:(temperature:>30[°C] AND pH:<5)", &[12]),
        ("sample:(temperature:>80)", &[]),
        ("NOT sample:(pH:<5)", &[13, 14, 16]),
        ("study:MGYS00002008", &[12, 15]),
        ("study:(study_name:Springs)", &[12, 15]),
        ("study:(sample:(pH:8)) AND full_length:true", &[12, 15]),
        ("study:(NOT study_name:*)", &[]),
        ("pfam:PF04659 AND sample:(biome:\"root:Engineered\")", &[15]),
    ] {
        let found = page(&router, &search(&[("q", query), ("count", "exact")])).await;
        assert_eq!(numbers(&found), expected, "{query}");
    }
}

#[tokio::test]
async fn errors_in_subqueries_have_positions_in_the_whole_text() {
    let (_folder, router) = router();
    let query = "pfam:PF1 AND sample:(pH:<5 AND temprature:>30)";
    let problem = &problems(&router, &search(&[("q", query)])).await[0];
    let place = query.find("temprature").expect("there");
    assert_eq!(problem["ctx"], json!({"start": place, "end": place + "temprature".len()}));
    assert_eq!(problem["msg"], format!("byte {place}, \"temprature\": unknown name; did you mean \"temperature\"?"));
    for (query, part) in [
        ("sample:nope", "no sample of the catalogue has this accession"),
        ("sample:(has:(proteins: *))", "conditions on proteins cannot be inside conditions on linked resources"),
        ("study:(study_name:Springs", "the parenthesis at byte 6 is not closed"),
    ] {
        let problems = problems(&router, &search(&[("q", query)])).await;
        assert!(json!(problems).to_string().contains(part), "{query}: {problems:?}");
    }
    for (query, option) in [
        ("md5:0123456789abcdef0123456789abcdef", "--checksums"),
        ("NOT cluster:12", "--members"),
        ("near(*, pfam:PF00005, 5)", "--contigs"),
    ] {
        let query = encoded(&format!("has:(proteins: {query})"));
        let answer = get(&router, &format!("/metagenomics/api/v1/samples?where={query}")).await;
        let text = answer.json()["errors"][0]["detail"].to_string();
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{text}");
        assert!(text.contains(&format!("without `mgdex index {option}`")), "{text}");
    }
    let place = "has:(proteins: ".len();
    let query = encoded("has:(proteins: pfan:PF00005)");
    let answer = get(&router, &format!("/metagenomics/api/v1/samples?where={query}")).await;
    let fault = format!("byte {place}, \"pfan\": no field has this name; did you mean \"pfam\"?");
    assert_eq!((answer.status, &answer.json()["errors"][0]["detail"]), (StatusCode::BAD_REQUEST, &json!(fault)));
}

#[tokio::test]
async fn conditions_on_samples_without_a_catalogue_are_refused() {
    let folder = TestFolder::of_rows(&rows());
    let router = folder.router();
    for query in ["sample:ERS1", "sample:(pH:<5)", "study:(study_name:Springs)"] {
        let problems = problems(&router, &search(&[("q", query)])).await;
        assert!(json!(problems).to_string().contains("no catalogue is loaded"), "{query}: {problems:?}");
    }
    assert_eq!(get(&router, &format!("{PROTEINS_V2}/proteins?q=study:ERP108403")).await.status, StatusCode::OK);
}
