//! Suggestions of biomes, families, clans and studies by words.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::services::proteins::MARINE;
use crate::services::proteins::v2::{numbers, page, router_of_rows, router_with_catalogue, rows, search};
use support::{PROTEINS_V2, TestFolder, get};

async fn suggested(router: &api::Api, parameters: &[(&str, &str)]) -> Vec<Value> {
    let text = form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
    let body = get(router, &format!("{PROTEINS_V2}/suggest?{text}")).await.checked(200, &text).json();
    assert_eq!(body.as_object().expect("an object").len(), 1);
    body["suggestions"].as_array().expect("a list").clone()
}

#[tokio::test]
async fn suggestions_are_ordered_by_match_and_number_of_proteins() {
    let folder = TestFolder::empty();
    folder.plan(vec![folder.input("rows.csv", rows())]).run().expect("well formed, with the whole table of families");
    let router = folder.router();
    let of = async |kind, text| suggested(&router, &[("kind", kind), ("text", text), ("limit", "100")]).await;
    let marine = of("biome", "MARINE").await;
    assert_eq!(
        marine[0],
        json!({"value": MARINE, "accession": null, "name": "Environmental > Aquatic > Marine", "count": 2})
    );
    assert_eq!(marine[1]["count"], 1, "the one of two proteins is below it: {}", marine[1]);
    let abc = of("family", "abc transporter").await;
    assert_eq!(abc[0], json!({"value": "PF00005", "accession": "PF00005", "name": "ABC transporter", "count": 2}));
    let is_whole = |found: &Value| {
        let name = found["name"].as_str().expect("a name").to_lowercase();
        ["abc", "transporter"].iter().all(|word| name.split(|c: char| !c.is_alphanumeric()).any(|part| part == *word))
    };
    let num_whole = abc.iter().take_while(|found| is_whole(found)).count();
    assert!(num_whole > 3 && num_whole < abc.len() && !abc[num_whole..].iter().any(is_whole), "{num_whole}");
    let whole: Vec<_> = abc[..num_whole]
        .iter()
        .map(|found| (-found["count"].as_i64().expect("a number"), found["value"].to_string()))
        .collect();
    assert!(whole.is_sorted(), "{whole:?}");
    assert_eq!(of("family", "PF04659").await[0]["count"], 1);
    let clans = of("clan", "abc transporter").await;
    let expected = json!({"value": "CL0023", "accession": "CL0023", "name": "P-loop NTPase", "count": 2});
    assert_eq!(clans[0], expected);
    assert!(of("clan", "cl0023").await.len() == 1 && of("biome", "marine nonsense").await.is_empty());
}

#[tokio::test]
async fn plain_words_find_the_intended_values_in_the_bundled_tables() {
    let folder = TestFolder::of_sample();
    let router = folder.router();
    let sediments = suggested(&router, &[("kind", "biome"), ("text", "marine sediment"), ("limit", "100")]).await;
    let values: Vec<&str> = sediments.iter().filter_map(|found| found["value"].as_str()).collect();
    let is_meant = |value: &&str| value.contains(":Aquatic:Marine:") && value.contains(":Sediment");
    let num_meant = values.iter().take_while(|value| is_meant(value)).count();
    assert!(num_meant > 3 && num_meant < values.len() && !values[num_meant..].iter().any(is_meant), "{values:?}");
    let nitrogenases = suggested(&router, &[("kind", "family"), ("text", "nitrogenase")]).await;
    assert!(nitrogenases.len() > 5, "{nitrogenases:?}");
    assert!(nitrogenases[0]["name"].as_str().is_some_and(|name| name.to_lowercase().contains("nitrogenase")));
    assert_eq!(suggested(&router, &[("kind", "family"), ("text", "protein")]).await.len(), 20);
    assert_eq!(suggested(&router, &[("kind", "family"), ("text", "protein"), ("limit", "100")]).await.len(), 100);
}

#[tokio::test]
async fn suggested_values_are_accepted_by_queries_and_their_counts_are_right() {
    let (_folder, router) = router_with_catalogue();
    let mut num_found = BTreeMap::new();
    for (kind, field) in [("biome", "biome"), ("family", "pfam"), ("clan", "clan"), ("study", "study")] {
        for text in ["marine", "root", "c", "erp", "sulfur", "pf0"] {
            for found in suggested(&router, &[("kind", kind), ("text", text)]).await {
                let value = found["value"].as_str().expect("a text");
                let page = page(&router, &search(&[(field, value), ("count", "exact")])).await;
                assert_eq!(page["total"]["value"], found["count"], "{kind} {value}");
                assert_eq!(numbers(&page).len() as u64, found["count"], "{kind} {value}");
                *num_found.entry(kind).or_insert(0) += u64::from(found["count"] != 0);
            }
        }
    }
    assert_eq!(num_found.len(), 4);
    assert!(num_found.values().all(|number| *number > 0), "{num_found:?}");
}

#[tokio::test]
async fn studies_are_those_of_the_catalogue_and_of_proteins() {
    let (_folder, with) = router_with_catalogue();
    let (_other, without) = router_of_rows();
    let marine = json!({
        "value": "ERP108403", "accession": "MGYS00002008", "name": "Marine sediment metagenomes", "count": 2,
    });
    let oral = json!({
        "value": "SRP062418", "accession": "MGYS00002009", "name": "Oral microbiome, marine mammals", "count": 0,
    });
    let bare = json!({"value": "ERP108403", "accession": "ERP108403", "name": "ERP108403", "count": 2});
    for (text, known, unknown) in [
        ("marine", vec![&marine, &oral], vec![]),
        ("sediment marine", vec![&marine], vec![]),
        ("deep sea", vec![&marine, &oral], vec![]),
        ("PRJEB22493", vec![&marine], vec![]),
        ("erp10840", vec![&bare], vec![&bare]),
        ("ERP108403", vec![&marine], vec![&bare]),
        ("SRP", vec![], vec![]),
    ] {
        for (router, expected) in [(&with, known), (&without, unknown)] {
            let found = suggested(router, &[("kind", "study"), ("text", text)]).await;
            assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{text}");
        }
    }
}
