//! Loading documents of version 2 with the real program, alone and together with rows of version 1.

mod accepted;
mod best;
mod harvested;
mod later;
mod members;
mod merged;
mod odd;

use std::ops::Deref;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Map, Value, json};
use store_catalogue::{CatalogueGeneration, LinkStyle};

use support::machine::rounds;
use support::{data, data_text};

use crate::loading::catalogue::Folder;
use crate::loading::load::acknowledged;

/// Returns the bundled files of documents, by kind, each with documents of it, one a line: some of
/// the large ones, and before a release all.
fn bundled_documents() -> Vec<(String, String)> {
    let of = |name: String| {
        let text = data_text(&format!("catalogue-v2/documents/{name}"));
        // Other documents refer to studies and biomes. Analyses and their annotations are in the
        // same order.
        let is_named = ["biomes", "studies"].iter().any(|kind| name.starts_with(kind));
        let num = if is_named { usize::MAX } else { rounds(60, usize::MAX) };
        let step = text.lines().count().div_ceil(num);
        let chosen = text.lines().step_by(step).fold(String::new(), |chosen, line| chosen + line + "\n");
        (name.trim_end_matches(".jsonl.gz").to_owned(), chosen)
    };
    let entries = std::fs::read_dir(data("catalogue-v2/documents")).expect("bundled");
    entries.map(|entry| of(entry.expect("readable").file_name().into_string().expect("text"))).collect()
}

/// A data folder for catalogues, with a folder of documents and a file of rows among its inputs.
struct Harvest(Folder);

impl Deref for Harvest {
    type Target = Folder;

    fn deref(&self) -> &Folder {
        &self.0
    }
}

impl Harvest {
    fn new() -> Self {
        Self(Folder::new())
    }

    /// Writes documents to a file of the folder of documents.
    fn write_documents(&self, name: &str, documents: &[Value]) {
        let lines: Vec<String> = documents.iter().map(Value::to_string).collect();
        self.write(&format!("v2/{name}.jsonl"), lines.join("\n"));
    }

    /// Makes a catalogue of bundled documents.
    fn of_bundled() -> Self {
        let harvest = Self::new();
        for (kind, text) in bundled_documents() {
            harvest.write(&format!("v2/{kind}.jsonl"), text);
        }
        harvest.load_with(&[]);
        harvest
    }

    /// Returns the folder of documents.
    fn documents(&self) -> PathBuf {
        self.inputs().join("v2")
    }

    /// Returns the command that loads the documents and some rows.
    fn command(&self, rows: &[Value]) -> Command {
        let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
        let rows = (!rows.is_empty()).then(|| self.write("rows.jsonl", lines.join("\n")));
        let mut command = self.0.load(rows);
        command.args(["--allow-shrink", "--v2"]).arg(self.documents());
        command
    }

    /// Loads the documents and some rows, and returns the report.
    fn load_with(&self, rows: &[Value]) -> Value {
        self.report_of(&acknowledged(&mut self.command(rows)))
    }

    /// Returns a resource as version 1 shows it.
    fn row(&self, resource_type: &str, id: &str) -> Option<Value> {
        whole(&self.open(), resource_type, id).map(|mut row| {
            let members = row.as_object_mut().expect("an object");
            members.retain(|name, _| !name.starts_with('@'));
            row
        })
    }

    /// Returns the document of a resource, if there is one.
    fn document(&self, resource_type: &str, id: &str) -> Option<Value> {
        whole(&self.open(), resource_type, id)?.as_object_mut()?.remove("@document")
    }
}

/// Returns a resource with all that exports have of it.
fn whole(generation: &CatalogueGeneration, resource_type: &str, id: &str) -> Option<Value> {
    let ordinal = generation.find(resource_type, id).expect("readable")?;
    let mut json = Vec::new();
    generation.resource(ordinal).expect("whole").render_whole(&LinkStyle::default(), &mut json);
    Some(serde_json::from_slice(&json).expect("JSON"))
}

/// Returns an object with other members in place of some of its own.
fn with(mut object: Value, others: Value) -> Value {
    let others: Map<String, Value> = serde_json::from_value(others).expect("an object");
    object.as_object_mut().expect("an object").extend(others);
    object
}

fn study(accession: &str) -> Value {
    json!({
        "accession": accession, "ena_accessions": ["ERP000001", "PRJEB1"], "title": "Soil",
        "biome": {"biome_name": "Soil", "lineage": "root:Soil"}, "updated_at": "2020-01-02T03:04:05.678Z",
        "metadata": {"center_name": "EBI", "study_description": "Some soil"},
        "first_accession": "ERP000001", "downloads": [],
    })
}

fn sample(accession: &str) -> Value {
    json!({
        "accession": accession, "ena_accessions": [accession], "sample_title": "A sample", "biome": null,
        "updated_at": "2020-01-02T03:04:05Z", "metadata": {"lat": "1.5", "lon": "-2", "depth": "5 m"}, "studies": [],
    })
}

fn run(accession: &str) -> Value {
    json!({
        "experiment_type": "Amplicon", "accession": accession, "sample_accession": null, "study_accession": null,
        "instrument_model": null, "instrument_platform": null, "sample": null, "study": null,
    })
}

fn analysis(accession: &str) -> Value {
    json!({
        "experiment_type": "Amplicon", "study_accession": "MGYS1", "accession": accession, "run": null, "sample": null,
        "assembly": null, "pipeline_version": "V5", "downloads": [], "read_run": [], "quality_control_summary": {},
        "results_dir": null, "metadata": {},
    })
}

fn row(resource_type: &str, id: &str, attributes: &Value, relationships: &Value) -> Value {
    json!({"type": resource_type, "id": id, "attributes": attributes, "relationships": relationships})
}

/// Returns the ids that a resource names in a relationship.
fn named<'a>(resource: &'a Value, relation: &str) -> Vec<&'a str> {
    let data = &resource["relationships"][relation]["data"];
    let entries = data.as_array().map_or(std::slice::from_ref(data), Vec::as_slice);
    entries.iter().filter_map(|entry| entry["id"].as_str()).collect()
}
