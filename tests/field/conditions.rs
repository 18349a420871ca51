//! Conditions as people write them.

use serde_json::{Value, json};
use support::{encoded, get};

use super::of_catalogue::{V1, V2, ask, catalogue, facet, found, matching, sample, with_entry};

#[tokio::test]
async fn words_for_missing_values_are_ignored_and_units_are_normalized() {
    let places = [
        "United Kingdom",
        "United Kingdom; Rothamsted",
        "not collected",
        "United Kingdom: Kew",
        "missing: third party data",
    ];
    let mut samples: Vec<Value> = (1..)
        .zip(places)
        .map(|(number, place)| sample(&format!("C{number}"), &json!({"geo-loc-name": place})))
        .collect();
    for (number, unit) in (1..).zip(["&micro;mol/L", "&#181;mol/L", "\u{3bc}mol/L"]) {
        samples.push(with_entry(&format!("U{number}"), "nitrate", &json!(number.to_string()), &json!(unit)));
    }
    samples.push(with_entry("U4", "area", &json!("3"), &json!("m&sup2;")));
    let api = catalogue(&samples).router();
    assert_eq!(facet(&api, "country").await, [("United Kingdom".to_owned(), 3)]);
    assert_eq!(matching(&api, "geo_loc_name:\"not collected\"").await, ["C3"]);
    assert_eq!(matching(&api, "nitrate:>1[\u{b5}mol/L]").await, ["U2", "U3"]);
    assert_eq!(matching(&api, "area:3[m\u{b2}]").await, ["U4"]);
}

#[tokio::test]
async fn values_of_facets_are_found_by_conditions() {
    let long = "x".repeat(1_001);
    let api = catalogue(&[
        with_entry("F1", "family relationship", &json!("mother\r"), &Value::Null),
        with_entry("F2", "family relationship", &json!(" "), &Value::Null),
        with_entry("F3", "sex", &Value::Null, &json!("male")),
        sample("N1", &json!({"sample-name": "007", "environment-biome": "marine biome "})),
        sample("N2", &json!({"sample-name": "7"})),
        sample("N3", &json!({"sample-name": "7.0"})),
        sample("S1", &json!({"sample-name": "a*b"})),
        sample("S2", &json!({"sample-name": "aXb"})),
        sample("S3", &json!({"sample-name": "AXB"})),
        sample("L1", &json!({"environment-material": long})),
        sample("P1", &json!({"latitude": 0.0, "longitude": 181.0, "host-tax-id": 9606})),
        sample("P2", &json!({"latitude": 0.0, "longitude": 175.0, "sample-desc": "\"open"})),
    ])
    .router();
    assert_eq!(facet(&api, "metadata:family relationship").await, [("mother".to_owned(), 1)]);
    assert_eq!(facet(&api, "metadata:sex").await, [("male".to_owned(), 1)]);
    for (condition, expected) in [
        ("\"family relationship\":mother", &["F1"][..]),
        ("sex:male", &["F3"]),
        ("environment_biome:\"marine biome\"", &["N1"]),
        ("sample_name:\"007\"", &["N1"]),
        ("sample_name:007", &["N1"]),
        ("sample_title:7", &["N2"]),
        ("host_tax_id:9606.0", &["P1"]),
        ("sample_name:a*b", &["S1", "S2"]),
        ("sample_name:a\\*b", &["S1"]),
        ("sample_name:\"a*b\"", &["S1"]),
        ("sample_name:A*", &["S3"]),
        ("environment_material:*", &["L1"]),
        (&format!("environment_material:{long}"), &["L1"]),
    ] {
        assert_eq!(matching(&api, condition).await, expected, "{condition}");
    }
    for area in ["bbox=170,-90,-170,90", "bbox=-180,-90,180,90", "near=0,175,3000"] {
        assert_eq!(found(&api, area).await, ["P2"], "{area}");
    }
}

#[tokio::test]
async fn conditions_accept_values_and_names_of_both_versions() {
    let run =
        |id: &str, of: &str| json!({"type": "runs", "id": id, "attributes": {"accession": id, "experiment-type": of}});
    let genome = json!({"type": "genomes", "id": "MGYG1", "attributes": {"accession": "MGYG1", "type": "mag"}});
    let analysis = json!({"type": "analysis-jobs", "id": "MGYA1", "attributes": {"accession": "MGYA1", "pipeline-version": "5.0"}});
    let study = json!({"type": "studies", "id": "MGYS1", "attributes": {"accession": "MGYS1", "study-name": "Fjords"}});
    let api =
        catalogue(&[run("ERR1", "amplicon"), run("ERR2", "long_reads_assembly"), genome, analysis, study]).router();
    for (path, condition) in [
        ("runs", "experiment_type:Amplicon"),
        ("runs", "experiment_type:\"Long-read assembly\""),
        ("genomes", "type:MAG"),
        ("analyses", "pipeline_version:V5"),
        ("studies", "title:Fjords"),
        ("studies", "study_name:Fj*"),
    ] {
        let condition = encoded(condition);
        assert_eq!(ask(&api, &format!("{V2}/{path}/?where={condition}")).await["count"], 1, "{path} {condition}");
        assert_eq!(
            ask(&api, &format!("{V1}/{path}?where={condition}")).await["meta"]["pagination"]["count"],
            1,
            "{condition}"
        );
    }
    assert_eq!(get(&api, &format!("{V1}/runs?where=experiment_type:Amplikon")).await.status, 400);
    assert_eq!(get(&api, &format!("{V2}/runs/?where=experiment_type:Amplikon")).await.status, 422);
}
