mod counting;
mod damage;
mod missing;
mod naming;
mod selecting;

use serde_json::{Value, json};
use store::{GenerationName, Generations, Origin, Result};
use tempfile::TempDir;

use crate::*;

/// A folder of generations.
struct Folder {
    generations: Generations,
    _folder: TempDir,
}

impl Folder {
    fn new() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        Self { generations: Generations::new(folder.path().join("catalogue")), _folder: folder }
    }

    fn publish(&self, build: impl FnOnce(&mut CatalogueBuilder)) -> GenerationName {
        let draft = self.generations.begin().expect("free");
        let mut builder = CatalogueBuilder::create(draft.path(), 1 << 20).expect("new");
        build(&mut builder);
        let contents = builder.finish().expect("sound");
        let origin = Origin {
            written_by: "test".into(),
            finished_unix_s: 0,
            inputs: Vec::new(),
            report: serde_json::Value::Null,
        };
        draft.publish(origin, contents, Vec::new()).expect("published")
    }

    fn open(&self) -> CatalogueGeneration {
        CatalogueGeneration::open_current(&self.generations).expect("whole").expect("published")
    }
}

fn body(text: &str) -> ResourceBody {
    let mut writer = ResourceBodyWriter::default();
    writer.json(&serde_json::to_vec(text).expect("a string"));
    writer.finish()
}

fn entry(resource_type: &str, id: &str) -> CatalogueEntry {
    CatalogueEntry::new(resource_type, id, body(&format!("{resource_type} {id}")))
}

fn add(builder: &mut CatalogueBuilder, entry: &CatalogueEntry) -> Ordinal {
    builder.add(entry, &rendered(entry)).expect("in order")
}

fn rendered(entry: &CatalogueEntry) -> Value {
    json!({"type": entry.resource_type, "id": entry.identifiers[0]})
}

fn ascending<T: Ord>(values: &[T], first: Ordinal) -> Vec<Result<(Ordinal, bool)>> {
    let mut sorted: Vec<(&T, Ordinal)> = values.iter().zip(first..).collect();
    sorted.sort_unstable();
    let ties = std::iter::once(false).chain(sorted.windows(2).map(|pair| pair[0].0 == pair[1].0));
    sorted.iter().zip(ties).map(|(&(_, ordinal), is_tied)| Ok((ordinal, is_tied))).collect()
}

fn selection(resource_type: &str, conditions: Vec<Condition>, orders: &[(&str, bool)]) -> Selection {
    let orders =
        orders.iter().map(|&(field, is_descending)| Order { field: field.to_owned(), is_descending }).collect();
    Selection { resource_type: resource_type.to_owned(), conditions, orders }
}

fn select(generation: &CatalogueGeneration, selection: &Selection) -> Vec<Ordinal> {
    generation.select(selection).expect("readable").ordinals(0..usize::MAX)
}
