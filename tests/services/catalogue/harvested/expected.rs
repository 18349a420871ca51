//! Every resource of version 1 that is made from a document, attribute by attribute and reference
//! by reference.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{MODEL, Model, all, documents, list, sample_id, text};

/// Compares all resources of a collection with the expected ones of their documents: ids,
/// attributes, and names in relationships.
async fn compare(path: &str, expected: impl IntoIterator<Item = (String, Value, Value)>) {
    let mut expected: BTreeMap<String, (Value, Value)> =
        expected.into_iter().map(|(id, attributes, references)| (id, (attributes, references))).collect();
    for resource in all(path).await {
        let id = text(&resource["id"]);
        let (attributes, references) = expected.remove(id).unwrap_or_else(|| panic!("{path} has {id}"));
        assert_eq!(resource["attributes"], attributes, "{path}/{id}");
        let related = resource["relationships"].as_object().expect("an object").iter();
        let data = related.filter_map(|(name, related)| Some((name.clone(), names(related.get("data")?))));
        assert_eq!(Value::Object(data.collect()), references, "{path}/{id}");
    }
    assert!(expected.is_empty(), "{path} lacks {:?}", expected.keys());
}

/// Replaces references by their ids.
fn names(data: &Value) -> Value {
    match data {
        Value::Array(entries) => entries.iter().map(|entry| entry["id"].clone()).collect(),
        entry => entry["id"].clone(),
    }
}

/// Returns a value, or null if it is empty.
fn non_empty(value: &Value) -> Value {
    if text(value).is_empty() && value.is_string() { Value::Null } else { value.clone() }
}

fn time(document: &Value) -> Value {
    let naive = text(&document["updated_at"]).trim_end_matches('Z');
    if naive.contains('.') { format!("{naive}000").into() } else { naive.into() }
}

fn number(value: &Value) -> Value {
    text(value).parse::<f64>().map_or(Value::Null, Value::from)
}

fn version(analysis: &Value) -> String {
    let version = text(&analysis["pipeline_version"]).trim_start_matches('V');
    if version.contains('.') { version.to_owned() } else { format!("{version}.0") }
}

fn experiment_type(label: &Value) -> String {
    text(label).to_lowercase().replace(' ', "_")
}

/// Returns the versions that have analysed a run or an assembly.
fn versions(model: &Model, member: &str, accession: &Value) -> Value {
    let matching = model.analyses.iter().filter(|analysis| analysis[member]["accession"] == *accession);
    let mut versions: Vec<String> = matching.map(version).collect();
    versions.sort();
    versions.dedup();
    versions.into()
}

#[tokio::test]
async fn studies_and_publications_agree_with_the_documents() {
    let model = &*MODEL;
    let in_study = |study: &Value| {
        model
            .samples
            .iter()
            .filter(|sample| list(&sample["studies"]).iter().any(|it| it["accession"] == study["accession"]))
            .count()
    };
    let studies = model.studies.iter().map(|study| {
        let accessions: Vec<&str> = list(&study["ena_accessions"]).iter().map(text).collect();
        let first = |middle: &str| accessions.iter().find(|it| it.get(1..3) == Some(middle));
        let bioproject = accessions.iter().find(|it| it.starts_with("PRJ"));
        let metadata = &study["metadata"];
        let attributes = json!({
            "accession": study["accession"], "bioproject": bioproject, "samples-count": Some(in_study(study)).filter(|it| *it > 0),
            "secondary-accession": first("RP").or(if bioproject.is_none() { accessions.first() } else { None }),
            "is-private": false, "last-update": time(study), "centre-name": non_empty(&metadata["center_name"]),
            "public-release-date": null, "study-abstract": non_empty(&metadata["study_description"]), "study-name": study["title"],
            "data-origination": null,
        });
        let lineage = text(&study["biome"]["lineage"]);
        let biomes: Vec<&str> = Some(lineage).filter(|lineage| !lineage.is_empty()).into_iter().collect();
        (text(&study["accession"]).to_owned(), attributes, json!({"biomes": biomes}))
    });
    compare("/studies", studies).await;
    let publications = model.publications.iter().map(|publication| {
        let metadata = &publication["metadata"];
        let studies = list(&publication["studies"]);
        let is_of = |sample: &&Value| {
            list(&sample["studies"]).iter().any(|study| studies.iter().any(|it| it["accession"] == study["accession"]))
        };
        let attributes = json!({
            "pubmed-id": publication["pubmed_id"], "pubmed-central-id": metadata["pubmed_central_id"], "pub-title": publication["title"],
            "pub-abstract": null, "authors": non_empty(&metadata["authors"]), "doi": non_empty(&metadata["doi"]), "isbn": non_empty(&metadata["isbn"]),
            "published-year": publication["published_year"], "pub-type": non_empty(&metadata["pub_type"]), "issue": null,
            "volume": non_empty(&metadata["volume"]), "raw-pages": null, "iso-journal": non_empty(&metadata["iso_journal"]), "medline-journal": null,
            "pub-url": null, "studies-count": studies.len(), "samples-count": model.samples.iter().filter(is_of).count(),
        });
        (publication["pubmed_id"].to_string(), attributes, json!({}))
    });
    compare("/publications", publications).await;
}

#[tokio::test]
async fn samples() {
    let model = &*MODEL;
    let samples = model.samples.iter().map(|sample| {
        let metadata = &sample["metadata"];
        let texts = |name: &str| non_empty(&metadata[name]);
        let date = text(&metadata["collection_date"]);
        let has_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let is_iso = |date: &str| [4, 7, 10].contains(&date.len()) && date.split('-').all(has_digits);
        let is_date = date.split('/').all(is_iso);
        let attributes_of = [
            "sample_title", "sample_alias", "sample_description", "lat", "lon", "country", "collection_date", "environment_biome",
            "environment_feature", "environment_material", "host_tax_id", "host_scientific_name", "sample_accession",
            "secondary_sample_accession",
        ];
        let others = metadata.as_object().expect("an object").iter();
        let host = text(&metadata["host_tax_id"]).trim().parse::<u64>().ok();
        let is_attribute = |key: &str| match key {
            "collection_date" => is_date,
            "host_tax_id" => host.is_some(),
            key => attributes_of.contains(&key),
        };
        let others = others.filter(|(key, value)| !is_attribute(key) && !non_empty(value).is_null());
        let as_text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let entries: Vec<Value> = others.map(|(key, value)| json!({"key": key, "value": as_text(value), "unit": null})).collect();
        let accessions = list(&sample["ena_accessions"]).iter().map(text);
        let attributes = json!({
            "longitude": number(&metadata["lon"]), "latitude": number(&metadata["lat"]), "sample-metadata": entries,
            "biosample": accessions.chain([text(&sample["accession"])]).find(|it| it.starts_with("SAM")).unwrap_or_default(),
            "accession": sample_id(sample), "analysis-completed": null, "collection-date": is_date.then_some(date),
            "geo-loc-name": texts("country"), "sample-desc": texts("sample_description"), "environment-biome": texts("environment_biome"),
            "environment-feature": texts("environment_feature"), "environment-material": texts("environment_material"),
            "sample-name": non_empty(&sample["sample_title"]), "sample-alias": texts("sample_alias"),
            "host-tax-id": host, "species": texts("host_scientific_name"),
            "last-update": time(sample),
        });
        let studies: Vec<&Value> = list(&sample["studies"]).iter().map(|study| &study["accession"]).collect();
        (sample_id(sample), attributes, json!({"studies": studies, "biome": Some(model.lineage(sample)).filter(|it| !it.is_empty())}))
    });
    compare("/samples", samples).await;
}

#[tokio::test]
async fn runs_assemblies_and_analyses_agree_with_the_documents() {
    let model = &*MODEL;
    let runs = model.runs.iter().map(|run| {
        let study = model.study(&run["study_accession"]);
        let project = list(&study["ena_accessions"]).iter().find(|it| text(it).get(1..3) == Some("RP"));
        let attributes = json!({
            "experiment-type": experiment_type(&run["experiment_type"]), "is-private": false, "accession": run["accession"],
            "secondary-accession": run["accession"], "ena-study-accession": project,
            "instrument-platform": run["instrument_platform"], "instrument-model": run["instrument_model"],
        });
        let accession = text(&run["accession"]);
        let assemblies = model.assemblies.iter().map(|assembly| text(&assembly["accession"]));
        let assemblies: Vec<&str> = assemblies.filter(|assembly| model.runs_of(assembly).contains(accession)).collect();
        let references = json!({"study": run["study_accession"], "sample": model.sample_of(run), "assemblies": assemblies,
            "pipelines": versions(model, "run", &run["accession"])});
        (accession.to_owned(), attributes, references)
    });
    compare("/runs", runs.collect::<Vec<_>>()).await;
    let assemblies = model.assemblies.iter().map(|assembly| {
        let accession = text(&assembly["accession"]);
        let attributes = json!({
            "experiment-type": "assembly", "is-private": false, "accession": accession, "wgs-accession": null, "legacy-accession": null,
            "coverage": assembly["metadata"]["coverage"].as_f64().map(|it| json!(it.round()).as_f64().map(|it| format!("{it}").parse::<i64>().expect("whole"))),
            "min-gap-length": null,
        });
        let runs = model.runs_of(accession);
        let own = model.sample_ids.get(text(&assembly["sample_accession"])).cloned();
        let of_runs = runs.iter().filter_map(|run| model.runs.iter().find(|known| known["accession"] == **run));
        let mut samples: Vec<Value> = own.into_iter().map(Value::from).collect();
        for sample in of_runs.map(|run| model.sample_of(run)) {
            if !samples.contains(&sample) {
                samples.push(sample);
            }
        }
        let references = json!({"samples": samples, "runs": runs, "pipelines": versions(model, "assembly", &assembly["accession"])});
        (accession.to_owned(), attributes, references)
    });
    compare("/assemblies", assemblies).await;
    let analyses = model.analyses.iter().map(|analysis| {
        let run = &analysis["run"];
        let attributes = json!({
            "analysis-summary": null, "accession": analysis["accession"], "experiment-type": experiment_type(&analysis["experiment_type"]),
            "analysis-status": "completed", "pipeline-version": version(analysis), "is-private": false,
            "last-update": time(model.study(&analysis["study_accession"])), "mgx-accession": null, "complete-time": null,
            "instrument-platform": run["instrument_platform"], "instrument-model": run["instrument_model"],
        });
        let references = json!({"study": analysis["study_accession"], "sample": model.sample_of(analysis), "run": run["accession"],
            "assembly": analysis["assembly"]["accession"]});
        (text(&analysis["accession"]).to_owned(), attributes, references)
    });
    compare("/analyses", analyses).await;
}

#[tokio::test]
async fn genomes_and_their_catalogues_agree_with_the_documents() {
    let dashed = |document: &Value, without: &[&str]| -> Map<String, Value> {
        let members =
            document.as_object().expect("an object").iter().filter(|(name, _)| !without.contains(&name.as_str()));
        members.map(|(name, value)| (name.replace('_', "-"), non_empty(value))).collect()
    };
    let genomes = documents("genomes").into_iter().map(|genome| {
        let accession = text(&genome["accession"]);
        let mut attributes = dashed(&genome, &["updated_at", "catalogue_id", "biome", "downloads", "catalogue"]);
        let number: u64 = accession.trim_start_matches("MGYG").parse().expect("a number");
        let others = [
            ("genome-id", json!(number)),
            ("type", text(&genome["type"]).to_lowercase().into()),
            ("last-update", time(&genome)),
            ("first-created", time(&genome)),
            ("ncbi-sample-accession", Value::Null),
            ("busco-completeness", Value::Null),
        ];
        attributes.extend(others.map(|(name, value)| (name.to_owned(), value)));
        let references = json!({"biome": genome["biome"]["lineage"], "catalogue": genome["catalogue_id"]});
        (accession.to_owned(), attributes.into(), references)
    });
    compare("/genomes", genomes).await;
    let catalogues = documents("genome-catalogues").into_iter().map(|catalogue| {
        let hidden = ["catalogue_id", "status", "updated_at", "biome", "downloads", "result_directory"];
        let mut attributes = dashed(&catalogue, &hidden);
        attributes.insert("last-update".to_owned(), time(&catalogue));
        (
            text(&catalogue["catalogue_id"]).to_owned(),
            attributes.into(),
            json!({"biome": catalogue["biome"]["lineage"]}),
        )
    });
    compare("/genome-catalogues", catalogues).await;
}

#[tokio::test]
async fn super_studies_biomes_and_pipelines_agree_with_the_documents() {
    let model = &*MODEL;
    let mut super_studies = documents("super-studies");
    super_studies.sort_by_key(|study| text(&study["slug"]).to_owned());
    let super_studies = super_studies.iter().zip(1..).map(|(study, rank)| {
        let attributes = json!({
            "super-study-id": rank, "title": study["title"], "url-slug": study["slug"], "description": non_empty(&study["description"]),
            "biomes-count": 0, "image-url": text(&study["logo_url"]),
        });
        (text(&study["slug"]).to_owned(), attributes, json!({}))
    });
    compare("/super-studies", super_studies).await;
    let lineages: Vec<String> = model.samples.iter().map(|sample| model.lineage(sample)).collect();
    let mut biomes = documents("biomes");
    biomes.dedup_by_key(|biome| biome["lineage"].clone());
    let biomes = biomes.iter().filter(|biome| biome["lineage"] != "root").map(|biome| {
        let num_samples = lineages.iter().filter(|lineage| biome["lineage"] == **lineage).count();
        let attributes =
            json!({"samples-count": num_samples, "biome-name": biome["biome_name"], "lineage": biome["lineage"]});
        (text(&biome["lineage"]).to_owned(), attributes, json!({}))
    });
    // If a lineage occurs twice, the first one counts.
    let biomes: BTreeMap<String, (Value, Value)> =
        biomes.rev().map(|(id, attributes, references)| (id, (attributes, references))).collect();
    compare("/biomes", biomes.into_iter().map(|(id, (attributes, references))| (id, attributes, references))).await;
    let mut versions: Vec<String> = model.analyses.iter().map(version).collect();
    versions.sort();
    versions.dedup();
    let pipelines = versions.into_iter().map(|version| {
        let attributes = json!({"analyses-count": null, "samples-count": null, "description": null, "changes": null,
            "release-version": version, "release-date": null});
        (version, attributes, json!({"tools": []}))
    });
    compare("/pipelines", pipelines).await;
    let mut types: BTreeMap<String, u64> = BTreeMap::new();
    for analysis in &model.analyses {
        types.entry(experiment_type(&analysis["experiment_type"])).or_default();
    }
    for run in &model.runs {
        *types.entry(experiment_type(&run["experiment_type"])).or_default() += 1;
    }
    let types = types.into_iter().map(|(name, num_runs)| {
        (name.clone(), json!({"samples-count": null, "runs-count": num_runs, "experiment-type": name}), json!({}))
    });
    compare("/experiment-types", types).await;
}
