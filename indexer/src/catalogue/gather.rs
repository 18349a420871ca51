//! The first half of a load: everything is read and checked, and all that may be stored goes to the sorter.

use std::path::Path;
use std::sync::atomic::Ordering;

use store::model::{BIOMES, ROOT};

use super::check::{Checked, CheckedResource, check};
use super::read::{Content, Limits, Piece, ResourceBatch, read};
use super::winners::{Identifier, Identity, Occurrence, Winners};
use crate::Result;
use crate::input::{BytesRead, Input};
use crate::ordered::in_order;
use crate::progress::{Progress, Unit};
use crate::rejects::Rejects;
use crate::report::StageReport;
use crate::sort::{SortedEntries, Sorter};

/// The biome above all others, which the service has and its lists leave out.
const ROOT_BIOME: &str = r#"{"type":"biomes","id":"root","attributes":{"samples-count":0,"biome-name":"root","lineage":"root"},"relationships":{"samples":{"links":{"related":"{base_url}/metagenomics/api/v1/biomes/root/samples"}},"studies":{"links":{"related":"{base_url}/metagenomics/api/v1/biomes/root/studies"}},"children":{"links":{"related":"{base_url}/metagenomics/api/v1/biomes/root/children"}},"genomes":{"links":{"related":"{base_url}/metagenomics/api/v1/biomes/root/genomes"}}},"links":{"self":"{base_url}/metagenomics/api/v1/biomes/root"}}"#;

/// The rows of an input.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FileCounts {
    /// Rows that were accepted.
    pub(super) num_accepted: u64,
    /// Rows that were rejected.
    pub(super) num_rejected: u64,
}

/// What was read.
pub(super) struct Gathered {
    /// The resources in order, each with its identity and occurrence, winners and losers.
    pub(super) resources: SortedEntries<Box<[u8]>>,
    /// Which of them win.
    pub(super) winners: Winners,
    /// Computes identities.
    pub(super) identifier: Identifier,
    /// The rows of each input.
    pub(super) files: Vec<FileCounts>,
    /// The size of each input on disk.
    pub(super) sizes_bytes: Vec<u64>,
    /// Resources that did not come, and were made.
    pub(super) num_derived: u64,
    /// How long it took.
    pub(super) stage: StageReport,
}

/// An entry of the sorter, beside its key.
pub(super) struct Entry<'a> {
    /// What the resource is known by.
    pub(super) identity: Identity,
    /// Which occurrence of it this is.
    pub(super) occurrence: Occurrence,
    /// Its JSON, as it came.
    pub(super) text: &'a str,
}

impl<'a> Entry<'a> {
    /// Replaces the bytes by those of the entry.
    fn put(&self, bytes: &mut Vec<u8>) {
        bytes.clear();
        bytes.extend(self.identity.to_bytes());
        bytes.extend(self.occurrence.to_bits().to_le_bytes());
        bytes.extend(self.text.as_bytes());
    }

    /// Reads the bytes of an entry.
    pub(super) fn take(bytes: &'a [u8]) -> Option<Self> {
        let (identity, rest) = bytes.split_first_chunk()?;
        let (occurrence, text) = rest.split_first_chunk()?;
        Some(Self {
            identity: Identity::from_bytes(*identity),
            occurrence: Occurrence::from_bits(u64::from_le_bytes(*occurrence)),
            text: str::from_utf8(text).ok()?,
        })
    }
}

/// Reads all inputs, which have `total_bytes` on disk as far as that is known. Sorted runs go into the folder `spill`.
///
/// # Errors
///
/// * An input cannot be read; too many rows are bad; the disk is full.
pub(super) fn gather(
    inputs: &[Input],
    (total_bytes, limits): (u64, Limits),
    (spill, memory_bytes): (&Path, usize),
    num_threads: usize,
    rejects: &mut Rejects,
) -> Result<Gathered> {
    let mut progress = Progress::start("reading", Unit::Bytes, total_bytes);
    let bytes_read = BytesRead::default();
    let mut sizes_bytes = Vec::with_capacity(inputs.len());
    let identifier = Identifier::default();
    let mut collector = Collector {
        sorter: Sorter::new(spill, memory_bytes),
        winners: Winners::default(),
        files: vec![FileCounts::default(); inputs.len()],
        num_accepted: 0,
        bytes: Vec::new(),
    };
    in_order(
        num_threads,
        |giver| read(inputs, limits, &bytes_read, giver, &mut sizes_bytes),
        |piece| check(&identifier, limits.line_bytes, piece),
        |checked| {
            progress.set(bytes_read.load(Ordering::Relaxed));
            collector.take(checked, rejects)
        },
    )?;
    let num_derived = if collector.num_accepted == 0 { 0 } else { collector.add_root(&identifier)? };
    let Collector { sorter, mut winners, files, .. } = collector;
    winners.finish();
    let resources = sorter.finish()?;
    let stage = StageReport::new("reading", progress.finish());
    Ok(Gathered { resources, winners, identifier, files, sizes_bytes, num_derived, stage })
}

/// Takes checked resources in the order of the input.
struct Collector {
    /// Takes what may be stored.
    sorter: Sorter<Box<[u8]>>,
    /// Takes all.
    winners: Winners,
    /// The rows of each input.
    files: Vec<FileCounts>,
    /// Rows that were accepted in all.
    num_accepted: u64,
    /// The entry that is being made.
    bytes: Vec<u8>,
}

impl Collector {
    /// Takes the resources of a piece.
    fn take(&mut self, checked: Checked, rejects: &mut Rejects) -> Result<()> {
        let counts = &mut self.files[checked.file];
        counts.num_accepted += checked.resources.len() as u64;
        counts.num_rejected += checked.rejected.len() as u64;
        for row in &checked.rejected {
            rejects.add(checked.file, row)?;
        }
        checked.resources.into_iter().try_for_each(|resource| self.add(resource))
    }

    /// Takes a resource.
    fn add(&mut self, resource: CheckedResource) -> Result<()> {
        let CheckedResource { identity, is_included, is_private, private_names, key, found_in, text } = resource;
        let occurrence = Occurrence::new(self.num_accepted, is_included, is_private);
        self.num_accepted += 1;
        if let Some(place) = found_in {
            self.winners.add_place(identity, &place);
        }
        self.winners.add_private_names(identity, private_names);
        let may_be_stored = self.winners.offer(identity, occurrence) && !is_private;
        if may_be_stored {
            Entry { identity, occurrence, text: &text }.put(&mut self.bytes);
            self.sorter.push(key, &self.bytes)?;
        }
        Ok(())
    }

    /// Adds the root of the biomes where it did not come, and returns how many resources that made.
    fn add_root(&mut self, identifier: &Identifier) -> Result<u64> {
        if self.winners.has(identifier.identify(BIOMES, ROOT, None)) {
            return Ok(0);
        }
        for root in check_root(identifier).resources {
            self.add(root)?;
        }
        Ok(1)
    }
}

/// Checks the root of the biomes as any other resource.
fn check_root(identifier: &Identifier) -> Checked {
    let resources = vec![(0..ROOT_BIOME.len(), 0, false)];
    let batch = ResourceBatch { found_in: None, text: ROOT_BIOME.to_owned(), resources };
    check(identifier, usize::MAX, Piece { file: 0, content: Content::Resources(batch) })
}
