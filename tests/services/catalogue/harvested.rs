//! Version 1 over documents of version 2 alone, compared with the documents themselves.

mod expected;
mod lists;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use api::{Api, ServiceConfig};
use serde_json::Value;
use support::{data, get};

use crate::services::catalogue::real::{CATALOGUE, router_over};
use crate::services::catalogue_v2::asking::documents;

static ROUTER: LazyLock<Api> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("harvested");
    // Removes the folder of an earlier run, if there was one.
    let _ = std::fs::remove_dir_all(&folder);
    let mut load = support::program();
    load.args(["catalogue", "load", "--quiet", "--data"]).arg(&folder);
    let output = load.arg("--v2").arg(data("catalogue-v2/documents")).output().expect("the binary");
    assert!(output.status.success(), "{output:?}");
    router_over(&folder, &ServiceConfig::default())
});

async fn get_json(path: &str) -> Value {
    get(&ROUTER, &format!("{CATALOGUE}{path}")).await.checked(200, path).json()
}

/// Returns all resources of a list, page by page.
async fn all(path: &str) -> Vec<Value> {
    let (mut resources, mut page) = (Vec::new(), 1);
    loop {
        let separator = if path.contains('?') { '&' } else { '?' };
        let mut answer = get_json(&format!("{path}{separator}page_size=250&page={page}")).await;
        resources.append(answer["data"].as_array_mut().expect("a list"));
        if answer["links"]["next"].is_null() {
            assert_eq!(answer["meta"]["pagination"]["count"], resources.len(), "{path}");
            return resources;
        }
        page += 1;
    }
}

/// Returns the ids of a list, after checking that each occurs once.
async fn ids(path: &str) -> BTreeSet<String> {
    let resources = all(path).await;
    let ids: BTreeSet<String> = resources.iter().map(|resource| text(&resource["id"]).to_owned()).collect();
    assert_eq!(ids.len(), resources.len(), "{path}");
    ids
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// All documents, and their relations, collected by plain scans.
struct Model {
    studies: Vec<Value>,
    samples: Vec<Value>,
    runs: Vec<Value>,
    assemblies: Vec<Value>,
    analyses: Vec<Value>,
    publications: Vec<Value>,
    /// Ids of version 1 by accession.
    sample_ids: BTreeMap<String, String>,
    /// The runs of each assembly, by accession.
    assembly_runs: BTreeMap<String, BTreeSet<String>>,
}

static MODEL: LazyLock<Model> = LazyLock::new(|| {
    let samples = documents("samples");
    let sample_ids = samples.iter().map(|sample| (text(&sample["accession"]).to_owned(), sample_id(sample))).collect();
    let analyses = documents("analyses");
    let mut assembly_runs = BTreeMap::<_, BTreeSet<_>>::new();
    let mut add_run = |assembly: &Value, run: &Value| {
        assembly_runs.entry(text(assembly).to_owned()).or_default().insert(text(run).to_owned());
    };
    for of in documents("assembly-runs") {
        for run in list(&of["runs"]) {
            add_run(&of["assembly"], run);
        }
    }
    for analysis in &analyses {
        for run in list(&analysis["read_run"]) {
            add_run(&analysis["assembly"]["accession"], &run["accession"]);
        }
    }
    Model {
        studies: documents("studies"),
        runs: documents("runs"),
        assemblies: documents("assemblies"),
        analyses,
        publications: documents("publications"),
        samples,
        sample_ids,
        assembly_runs,
    }
});

/// Returns the id that a sample has in version 1.
fn sample_id(sample: &Value) -> String {
    let is_secondary = |accession: &&str| accession.len() > 3 && ["ERS", "SRS", "DRS"].contains(&&accession[..3]);
    let secondary = list(&sample["ena_accessions"]).iter().map(text).find(is_secondary);
    secondary.unwrap_or_else(|| text(&sample["accession"])).to_owned()
}

impl Model {
    fn study(&self, accession: &Value) -> &Value {
        self.studies.iter().find(|study| study["accession"] == *accession).expect("harvested")
    }

    /// Returns the id of the sample that is embedded in an object, or null.
    fn sample_of(&self, object: &Value) -> Value {
        self.sample_ids.get(text(&object["sample"]["accession"])).map_or(Value::Null, |id| id.as_str().into())
    }

    /// Returns the lineage of a sample, or of its study.
    fn lineage(&self, sample: &Value) -> String {
        let own = text(&sample["biome"]["lineage"]);
        let of_study =
            || list(&sample["studies"]).iter().map(|study| text(&self.study(&study["accession"])["biome"]["lineage"]));
        if own.is_empty() {
            of_study().find(|lineage| !lineage.is_empty()).unwrap_or_default().to_owned()
        } else {
            own.to_owned()
        }
    }

    /// Returns the runs of an assembly.
    fn runs_of(&self, assembly: &str) -> BTreeSet<String> {
        self.assembly_runs.get(assembly).cloned().unwrap_or_default()
    }
}
