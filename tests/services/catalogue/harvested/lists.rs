//! Orders, filters, relations and inclusions of version 1, against scans of the documents.

use std::collections::BTreeSet;

use axum::http::Method;
use serde_json::Value;
use support::send;

use super::{MODEL, ROUTER, all, documents, get_json, ids, list, sample_id, text};
use crate::services::catalogue::real::CATALOGUE;

/// Returns the accessions of the documents that satisfy a condition.
fn accessions_where<'a>(documents: &'a [Value], condition: impl Fn(&Value) -> bool + 'a) -> BTreeSet<String> {
    documents
        .iter()
        .filter(|document| condition(document))
        .map(|document| text(&document["accession"]).to_owned())
        .collect()
}

fn samples(condition: impl Fn(&Value) -> bool) -> BTreeSet<String> {
    MODEL.samples.iter().filter(|sample| condition(sample)).map(sample_id).collect()
}

fn is_within(lineage: &str, above: &str) -> bool {
    lineage.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}

fn is_in(sample: &Value, study: &str) -> bool {
    list(&sample["studies"]).iter().any(|it| it["accession"] == study)
}

#[tokio::test]
async fn resources_are_found_by_all_their_names() {
    for sample in MODEL.samples.iter().step_by(50) {
        for name in list(&sample["ena_accessions"]) {
            assert_eq!(get_json(&format!("/samples/{}", text(name))).await["data"]["id"], sample_id(sample));
        }
    }
    for study in MODEL.studies.iter().step_by(10) {
        for name in list(&study["ena_accessions"]) {
            assert_eq!(get_json(&format!("/studies/{}", text(name))).await["data"]["id"], study["accession"]);
        }
    }
    assert_eq!(get_json("/super-studies/tara-oceans").await["data"]["id"], "tara-oceans");
    for path in
        ["/samples/ERS0", "/super-studies/7", "/@analysis-annotations", "/@biome-repeats", "/@genome-links/ERZ477576"]
    {
        assert_eq!(send(&ROUTER, Method::GET, &format!("{CATALOGUE}{path}"), &[]).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn related_lists_agree_with_the_documents() {
    let model = &*MODEL;
    for study in model.studies.iter().step_by(12) {
        let (accession, path) = (&study["accession"], format!("/studies/{}", text(&study["accession"])));
        assert_eq!(ids(&format!("{path}/samples")).await, samples(|sample| is_in(sample, text(accession))));
        assert_eq!(
            ids(&format!("{path}/analyses")).await,
            accessions_where(&model.analyses, |it| it["study_accession"] == *accession)
        );
        let about =
            model.publications.iter().filter(|it| list(&it["studies"]).iter().any(|it| it["accession"] == *accession));
        let about: BTreeSet<String> = about.map(|publication| publication["pubmed_id"].to_string()).collect();
        assert_eq!(ids(&format!("{path}/publications")).await, about);
        let biomes: BTreeSet<String> = study["biome"]["lineage"].as_str().map(str::to_owned).into_iter().collect();
        assert_eq!(ids(&format!("{path}/biomes")).await, biomes);
        let downloads: Vec<&Value> = list(&study["downloads"]).iter().map(|download| &download["alias"]).collect();
        let served = all(&format!("{path}/downloads")).await;
        assert_eq!(served.iter().map(|download| &download["attributes"]["alias"]).collect::<Vec<_>>(), downloads);
    }
    for publication in &model.publications {
        let studies = list(&publication["studies"]);
        let path = format!("/publications/{}", publication["pubmed_id"]);
        assert_eq!(ids(&format!("{path}/studies")).await, accessions_where(studies, |_| true));
        assert_eq!(
            ids(&format!("{path}/samples")).await,
            samples(|sample| studies.iter().any(|it| is_in(sample, text(&it["accession"]))))
        );
    }
    let of_version = |it: &Value| it["pipeline_version"] == "V6.1";
    assert_eq!(ids("/pipelines/6.1/analyses").await, accessions_where(&model.analyses, of_version));
    assert_eq!(
        ids("/experiment-types/metatranscriptomic/runs").await,
        accessions_where(&model.runs, |it| it["experiment_type"] == "Metatranscriptomic")
    );
    let soil = "root:Environmental:Terrestrial:Soil";
    assert_eq!(
        ids(&format!("/biomes/{soil}/samples")).await,
        samples(|sample| is_within(&model.lineage(sample), soil))
    );
    assert_eq!(
        ids(&format!("/biomes/{soil}/studies")).await,
        accessions_where(&model.studies, |study| is_within(text(&study["biome"]["lineage"]), soil))
    );
    assert!(ids(&format!("/biomes/{soil}/children")).await.iter().all(|lineage| is_within(lineage, soil)));
}

#[tokio::test]
async fn genomes_and_super_studies_are_related() {
    for catalogue in documents("genome-catalogues") {
        let path = format!("/genome-catalogues/{}/genomes", text(&catalogue["catalogue_id"]));
        assert_eq!(
            ids(&path).await,
            accessions_where(&documents("genomes"), |it| it["catalogue_id"] == catalogue["catalogue_id"])
        );
    }
    for study in documents("super-studies") {
        let path = format!("/super-studies/{}", text(&study["slug"]));
        for (relation, member) in [("flagship-studies", "flagship_studies"), ("related-studies", "related_studies")] {
            assert_eq!(
                ids(&format!("{path}/{relation}")).await,
                accessions_where(list(&study[member]), |_| true),
                "{path}/{relation}"
            );
        }
        let catalogues = list(&study["genome_catalogues"]).iter().map(|it| text(&it["catalogue_id"]).to_owned());
        assert_eq!(ids(&format!("{path}/related-genome-catalogues")).await, catalogues.collect());
    }
}

#[tokio::test]
async fn orders_and_inclusions_agree_with_the_documents() {
    let model = &*MODEL;
    let newest = all("/studies").await;
    assert!(newest.is_sorted_by(
        |one, other| text(&one["attributes"]["last-update"]) >= text(&other["attributes"]["last-update"])
    ));
    let by_name = all("/samples?ordering=sample_name").await;
    let names: Vec<Option<&str>> = by_name.iter().map(|sample| sample["attributes"]["sample-name"].as_str()).collect();
    assert!(names.len() == model.samples.len() && names.is_sorted());
    let listed: Vec<Value> = all("/biomes").await.into_iter().map(|biome| biome["id"].clone()).collect();
    let mut lineages: Vec<Value> =
        documents("biomes").into_iter().skip(1).map(|biome| biome["lineage"].clone()).collect();
    let mut seen = BTreeSet::new();
    lineages.retain(|lineage| seen.insert(lineage.to_string()));
    assert_eq!(listed, lineages, "biomes are in the order of their list");
    assert_eq!(get_json("/biomes/top10").await["data"][0]["id"], "root:Host-associated:Human");
    for (path, kind) in [
        ("/studies/MGYS00000462?include=samples", "samples"),
        ("/studies/MGYS00000462?include=biomes", "biomes"),
        ("/samples/F1?include=runs", "runs"),
        ("/runs/ERR9990002?include=assemblies", "assemblies"),
        ("/runs/ERR9990002?include=sample", "samples"),
        ("/assemblies/ERZ9990001?include=runs", "runs"),
        ("/analyses/MGYA00140354?include=sample", "samples"),
        ("/genomes/MGYG000000001?include=catalogue", "genome-catalogues"),
    ] {
        let answer = get_json(path).await;
        let included = list(&answer["included"]);
        assert!(!included.is_empty() && included.iter().all(|resource| resource["type"] == kind), "{path}: {answer}");
    }
}
