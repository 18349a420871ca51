//! Biomes, domains and heat maps.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use serde_json::Value;
use support::{PROTEINS_V2, get};

use super::super::scan::{PROTEINS, count};
use super::super::{SITE, visit};
use super::{assert_has, rows, texts};

const WITH_DOMAINS: &str = "MGYP004580811409";

async fn record(accession: &str) -> Value {
    get(&SITE.api, &format!("{PROTEINS_V2}/proteins/{accession}")).await.json()
}

#[tokio::test]
async fn domains_have_an_axis_and_the_data_of_the_record() {
    let page = format!("/portal/proteins/{WITH_DOMAINS}?plot=domains");
    let record = record(WITH_DOMAINS).await;
    let (title, length) = (format!("Pfam domains of {WITH_DOMAINS}"), record["length"].to_string());
    assert_has(&texts(&SITE.api, &format!("{page}.svg")).await, &[&title, "Residues", "1", &length]);
    let rows = rows(&SITE.api, &format!("{page}.tsv")).await;
    let (names, rows) = rows.split_first().expect("names");
    let annotations = record["pfam_annotations"].as_array().expect("annotations");
    assert_eq!(rows.len(), annotations.len());
    for (row, annotation) in rows.iter().zip(annotations) {
        for (name, text) in names.iter().zip(row) {
            match &annotation[name] {
                Value::Number(number) => assert_eq!(text.parse().ok(), number.as_f64(), "{name}"),
                value => assert_eq!(text, value.as_str().unwrap_or_default(), "{name}"),
            }
        }
    }
}

#[tokio::test]
async fn biomes_have_a_scale_and_the_numbers_of_a_scan() {
    assert_has(
        &texts(&SITE.api, "/portal/biomes?plot=biomes.svg").await,
        &["Proteins by biome", "Proteins", "0", "Environmental"],
    );
    let rows = rows(&SITE.api, "/portal/biomes?plot=biomes.tsv").await;
    assert_eq!(rows[0], ["lineage", "proteins", "precision"]);
    let counts = rows[1..].iter().map(|row| {
        assert_eq!(row[2], "exact");
        (Some(row[0].clone()).filter(|lineage| lineage != "not recorded"), row[1].parse().expect("a number"))
    });
    assert_eq!(counts.collect::<BTreeMap<_, u64>>(), count(&*PROTEINS, |protein| &protein.biomes));
    for path in ["/portal/", "/portal/families/PF00005", "/portal/biomes/root%3AEnvironmental"] {
        assert_has(&texts(&SITE.api, &format!("{path}?plot=biomes.svg")).await, &["Proteins"]);
    }
    assert_eq!(visit("/portal/biomes?plot=none.svg").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn heat_maps_have_names_and_the_counts_of_the_records() {
    let accessions = [WITH_DOMAINS, "MGYP004580619181"];
    let page = format!("/portal/compare?proteins={}&plot=families-heat", accessions.join("+"));
    let texts = texts(&SITE.api, &format!("{page}.svg")).await;
    assert_has(&texts, &["Families", "Proteins", WITH_DOMAINS, "Families: how many domains each protein has"]);
    let rows = rows(&SITE.api, &format!("{page}.tsv")).await;
    let (names, rows) = rows.split_first().expect("names");
    assert_eq!(rows.len(), accessions.len());
    for row in rows {
        let record = record(&row[0]).await;
        let mut expected: BTreeMap<&str, u64> = BTreeMap::new();
        for annotation in record["pfam_annotations"].as_array().expect("annotations") {
            *expected.entry(annotation["accession"].as_str().expect("a family")).or_default() += 1;
        }
        let counts = names.iter().zip(row).skip(1).map(|(name, count)| (&**name, count.parse().expect("a number")));
        let counts: BTreeMap<&str, u64> = counts.filter(|(_, count)| *count > 0).collect();
        assert_eq!(counts, expected);
    }
}
