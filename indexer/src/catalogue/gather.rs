//! The first half of a load: everything is read and checked, and all that may be stored goes to the sorter.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use store::InputEntry;
use store::model::{BIOMES, ROOT};

use super::Relation;
use super::document::split;
use super::entry::identifiers;
use super::orders::default_key;
use super::pieces::{Content, Limits, Piece, ResourceBatch};
use super::read::read;
use super::resource::Resource;
use super::winners::{Identifier, Identity, Occurrence, Winners};
use crate::Result;
use crate::input::Input;
use crate::lines::Line;
use crate::run::{Reason, RejectedRow, Rejection, Rows, StageReport, read_in_order};
use crate::sort::{SortedEntries, Sorter};

/// The biome above all others, which the service has, although its lists leave it out.
const ROOT_BIOME: &str = r#"{"type":"biomes","id":"root","attributes":{"samples-count":0,"biome-name":"root","lineage":"root"},"relationships":{"samples":{"links":{"related":"{base_url}/metagenomics/api/v1/biomes/root/samples"}},"studies":{"links":{"related":"{base_url}/metagenomics/api/v1/biomes/root/studies"}},"children":{"links":{"related":"{base_url}/metagenomics/api/v1/biomes/root/children"}},"genomes":{"links":{"related":"{base_url}/metagenomics/api/v1/biomes/root/genomes"}}},"links":{"self":"{base_url}/metagenomics/api/v1/biomes/root"}}"#;

pub(super) struct Gathered {
    /// The resources in order, each with its identity and occurrence, winners and losers.
    pub(super) resources: SortedEntries<Box<[u8]>>,
    pub(super) winners: Winners,
    pub(super) identifier: Identifier,
    pub(super) inputs: Vec<InputEntry>,
    /// Resources that did not come, and were made.
    pub(super) num_derived: u64,
    pub(super) stage: StageReport,
}

/// What goes through the sorter with the key of a resource.
#[derive(Serialize, Deserialize)]
pub(super) struct Entry<'a> {
    pub(super) identity: Identity,
    pub(super) occurrence: Occurrence,
    pub(super) text: &'a str,
}

/// Reads all inputs, which have `total_bytes` on disk as far as that is known. Sorted runs go into the folder `spill`.
pub(super) fn gather(
    inputs: &[Input],
    (total_bytes, limits): (u64, Limits),
    (spill, memory_bytes): (&Path, usize),
    num_threads: usize,
    rows: &mut Rows,
) -> Result<Gathered> {
    let identifier = Identifier::default();
    let mut collector =
        Collector { sorter: Sorter::new(spill, memory_bytes), winners: Winners::default(), num_accepted: 0 };
    let read = |file: usize, reader, queue: &mut _| read(&inputs[file], file, reader, limits, queue);
    let worker = || |piece| check(&identifier, limits.line_bytes, piece);
    let (inputs, stage) = read_in_order(inputs, total_bytes, num_threads, read, worker, |checked: Checked| {
        let counts = &mut rows.files[checked.file];
        counts.num_read += (checked.resources.len() + checked.rejected.len()) as u64;
        counts.num_accepted += checked.resources.len() as u64;
        checked.rejected.iter().try_for_each(|row| rows.reject(checked.file, row))?;
        checked.resources.into_iter().try_for_each(|resource| collector.add(resource))
    })?;
    let num_derived = if collector.num_accepted == 0 { 0 } else { collector.add_root(&identifier)? };
    let Collector { sorter, mut winners, .. } = collector;
    winners.finish();
    Ok(Gathered { resources: sorter.finish()?, winners, identifier, inputs, num_derived, stage })
}

/// Takes good resources in the order of the input.
struct Collector {
    /// Takes those that may be stored.
    sorter: Sorter<Box<[u8]>>,
    /// Takes all.
    winners: Winners,
    num_accepted: u64,
}

impl Collector {
    fn add(&mut self, resource: CheckedResource) -> Result<()> {
        let CheckedResource { identity, is_included, is_private, private_names, key, found_in, text } = resource;
        let occurrence = Occurrence::new(self.num_accepted, is_included, is_private);
        self.num_accepted += 1;
        if let Some(relation) = found_in {
            self.winners.add_relation(identity, relation);
        }
        self.winners.add_private_names(identity, private_names);
        let may_be_stored = self.winners.offer(identity, occurrence) && !is_private;
        if may_be_stored {
            self.sorter.push_value(key, &Entry { identity, occurrence, text: &text })?;
        }
        Ok(())
    }

    /// Adds the root of the biomes where it did not come, and returns how many resources that made.
    fn add_root(&mut self, identifier: &Identifier) -> Result<u64> {
        if self.winners.has(identifier.identify(BIOMES, ROOT, None)) {
            return Ok(0);
        }
        let mut root = Checked::default();
        root.add(identifier, ROOT_BIOME, 0, (false, None));
        root.resources.into_iter().try_for_each(|root| self.add(root))?;
        Ok(1)
    }
}

#[derive(Default)]
struct Checked {
    /// The input, by position.
    file: usize,
    resources: Vec<CheckedResource>,
    rejected: Vec<RejectedRow>,
}

struct CheckedResource {
    identity: Identity,
    is_included: bool,
    is_private: bool,
    /// If it is private, all that it can be named by.
    private_names: Vec<Identity>,
    key: Box<[u8]>,
    /// The related collection that lists it.
    found_in: Option<Arc<Relation>>,
    text: Box<str>,
}

fn check(identifier: &Identifier, line_bytes_max: usize, piece: Piece) -> Checked {
    let mut checked = Checked { file: piece.file, ..Checked::default() };
    match piece.content {
        Content::Rejected(row) => checked.rejected.push(row),
        Content::Lines(batch) => {
            for line in batch.lines().filter(|line| !line.bytes.trim_ascii().is_empty()) {
                if let Err(rejection) = checked.add_line(identifier, line_bytes_max, line) {
                    checked.rejected.push(rejection.of_row(line.number, line.bytes));
                }
            }
        }
        Content::Resources(ResourceBatch { found_in, resources }) => {
            for (text, line, is_included) in resources {
                checked.add(identifier, &text, line, (is_included, found_in.as_ref()));
            }
        }
    }
    checked
}

impl Checked {
    /// Adds a line: a resource, or a document.
    fn add_line(&mut self, identifier: &Identifier, line_bytes_max: usize, line: Line<'_>) -> Result<(), Rejection> {
        if line.is_cut {
            let detail = format!("longer than {line_bytes_max} bytes: raise --memory");
            return Err(Rejection::new(Reason::TooLong, detail));
        }
        let text = str::from_utf8(line.bytes)
            .map_err(|error| Rejection::new(Reason::UnreadableJson, format!("it is not UTF-8 text: {error}")))?;
        let document = split(text)?;
        if let Some((text, rejection)) = document.bad_included {
            self.rejected.push(rejection.of_row(line.number, text.as_bytes()));
        }
        let found_in = document.found_in.map(Arc::new);
        for (text, is_included) in document.resources {
            self.add(identifier, text, line.number, (is_included, found_in.as_ref()));
        }
        Ok(())
    }

    /// Adds a resource, whether it is good or bad. A related collection lists what is in `data`, and not what is in `included`.
    fn add(
        &mut self,
        identifier: &Identifier,
        text: &str,
        line: u64,
        (is_included, found_in): (bool, Option<&Arc<Relation>>),
    ) {
        let resource = match Resource::parse(text) {
            Ok(resource) => resource,
            Err(rejection) => return self.rejected.push(rejection.of_row(line, text.as_bytes())),
        };
        let is_private = resource.is_private();
        let names = if is_private { identifiers(&resource) } else { Vec::new() };
        let identity_of = |name: &String| identifier.identify(&resource.kind, name, None);
        self.resources.push(CheckedResource {
            identity: identifier.identify(&resource.kind, &resource.id, resource.version()),
            is_included,
            is_private,
            private_names: names.iter().map(identity_of).collect(),
            key: default_key(&resource),
            found_in: found_in.filter(|_| !is_included).cloned(),
            text: text.into(),
        });
    }
}
