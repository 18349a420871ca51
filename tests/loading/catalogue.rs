//! Loading a catalogue with the real program: stored resources, refusals, and interrupted loads.

pub(crate) mod answers;
mod changed;
mod contents;
mod derived;
mod failures;
mod links;
mod pages;
mod rejects;
mod served;
mod shrunk;
mod tables;
mod winners;

use std::ops::Deref;
use std::path::PathBuf;
use std::process::Output;

use serde_json::Value;
use store_catalogue::{CatalogueGeneration, LinkStyle, ResourceBody, Selection};
use support::machine::{rounds, wait_for};

use crate::loading::load::{LoadFolder, acknowledged, refused};

/// The prefix of all rendered links.
const PREFIX: &str = "http://me/metagenomics/api/v1";

/// The bundled collections by type.
const COLLECTIONS: [(&str, &str); 11] = [
    ("analyses", "analysis-jobs"),
    ("assemblies", "assemblies"),
    ("biomes", "biomes"),
    ("cogs", "cog-cats"),
    ("experiment-types", "experiment-types"),
    ("pipeline-tools", "pipeline-tools"),
    ("pipelines", "pipelines"),
    ("publications", "publications"),
    ("runs", "runs"),
    ("samples", "samples"),
    ("studies", "studies"),
];

/// A study of which all resources are used that name it.
const WHOLE_STUDY: &str = "\"MGYS00000257\"";

/// Returns resources of a bundled collection, one a line: some of the large ones, and before a
/// release all.
fn bundled_lines(collection: &str) -> String {
    some_lines(collection, rounds(125, usize::MAX))
}

/// Returns about the given number of resources of a bundled collection, spread over all of it.
fn some_lines(collection: &str, num: usize) -> String {
    let text = support::data_text(&format!("catalogue/collections/{collection}.jsonl.gz"));
    let step = text.lines().count().div_ceil(num);
    let lines = text.lines().enumerate();
    let chosen = lines.filter(|(number, line)| number.is_multiple_of(step) || line.contains(WHOLE_STUDY));
    chosen.fold(String::new(), |chosen, (_, line)| chosen + line + "\n")
}

/// A data folder for catalogues.
pub(crate) struct Folder(LoadFolder);

impl Deref for Folder {
    type Target = LoadFolder;

    fn deref(&self) -> &LoadFolder {
        &self.0
    }
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self(LoadFolder::new("catalogue"))
    }

    /// Writes the resources of bundled collections, a file each, and returns the folder.
    fn write_bundled(&self) -> PathBuf {
        for (collection, _) in COLLECTIONS {
            self.write(&format!("collections/{collection}.jsonl"), bundled_lines(collection));
        }
        self.inputs().join("collections")
    }

    /// Loads one input of lines, and returns the report.
    fn load_lines(&self, lines: &[&str]) -> Value {
        let path = self.write("lines.jsonl", lines.join("\n"));
        self.report_of(&acknowledged(&mut self.load([path])))
    }

    /// Returns the report in the current generation, after checking that it adds up.
    pub(crate) fn report_of(&self, output: &Output) -> Value {
        let (_, report) = self.published(output);
        let number = |name: &str| report[name].as_u64().expect(name);
        let losers = number("num_replaced") + number("num_included_passed_over") + number("num_private");
        let partials = number("num_partials_merged") + number("num_partials_without_row");
        let documents = ["merged", "combined", "without_row"].map(|what| number(&format!("num_documents_{what}")));
        let of_change = |name: &str| report[name].as_u64().unwrap_or_default();
        let named = if report["num_removed"].is_null() { 0 } else { number("num_accepted") };
        assert_eq!(
            number("num_accepted") + number("num_derived") + of_change("num_present"),
            number("num_stored") + losers + partials + documents.iter().sum::<u64>() + named + of_change("num_removed"),
            "{report}"
        );
        for file in report["files"].as_array().expect("a list") {
            let rejected: u64 =
                file["rejected"].as_object().expect("reasons").values().map(|n| n.as_u64().expect("a number")).sum();
            assert_eq!(file["num_read"].as_u64(), file["num_accepted"].as_u64().map(|n| n + rejected), "{file}");
        }
        report
    }

    /// Opens the current generation.
    pub(crate) fn open(&self) -> CatalogueGeneration {
        // A process that another test has just forked also holds the lock of the last opening,
        // until it executes its program.
        wait_for("the lock", || match CatalogueGeneration::open_current(&self.generations()) {
            Err(store::Error::Locked { .. }) => None,
            opened => Some(opened.expect("whole").expect("published")),
        })
    }
}

/// Returns the resources of a type in their default order.
pub(crate) fn resources(generation: &CatalogueGeneration, resource_type: &str) -> Vec<Value> {
    let selection = Selection { resource_type: resource_type.to_owned(), conditions: Vec::new(), orders: Vec::new() };
    selected(generation, &selection)
}

/// Returns the resources of a selection.
fn selected(generation: &CatalogueGeneration, selection: &Selection) -> Vec<Value> {
    let listing = generation.select(selection).expect("readable");
    let bodies = generation.resources(&listing.ordinals(0..listing.len())).expect("whole");
    bodies.iter().map(|body| rendered(body)).collect()
}

/// Returns a resource by its identifier.
fn resource(generation: &CatalogueGeneration, resource_type: &str, identifier: &str) -> Option<Value> {
    let ordinal = generation.find(resource_type, identifier).expect("readable")?;
    Some(rendered(&generation.resource(ordinal).expect("whole")))
}

fn rendered(body: &ResourceBody) -> Value {
    let mut json = Vec::new();
    body.render(&LinkStyle::new(PREFIX, None, None), &mut json);
    serde_json::from_slice(&json).expect("JSON")
}
