//! Everything is read and merged, and rows that may be stored are sorted.

use std::sync::Arc;

use indexer::Result;
use indexer::sort::{SortSpace, SortedEntries, Sorter};
use serde::{Deserialize, Serialize};
use store_catalogue::Ordinal;
use store_catalogue::model::{BIOMES, ROOT};

use super::deduplication::{Deduplication, FoundBy, Occurrence};
use super::documents::Unplaced;
use super::known::Known;
use super::merged::{Arrival, Merged, Merging};
use crate::read::{Identifier, Identity, Relation, Resource};

/// The root of all biomes. The service has it, although its lists leave it out.
pub(crate) const ROOT_BIOME: &str = r#"{"type":"biomes","id":"root","attributes":{"samples-count":0,"biome-name":"root","lineage":"root"},"relationships":{"samples":{"links":{"related":"{base_url}/metagenomics/api/v1/biomes/root/samples"}},"studies":{"links":{"related":"{base_url}/metagenomics/api/v1/biomes/root/studies"}},"children":{"links":{"related":"{base_url}/metagenomics/api/v1/biomes/root/children"}},"genomes":{"links":{"related":"{base_url}/metagenomics/api/v1/biomes/root/genomes"}}},"links":{"self":"{base_url}/metagenomics/api/v1/biomes/root"}}"#;

/// The resources of a run in order, each with its identity and occurrence, and the facts about all
/// of them.
pub(crate) struct Gathered {
    /// The rows that may be stored, including superseded ones.
    pub(crate) resources: SortedEntries<Box<[u8]>>,
    pub(crate) deduplication: Deduplication,
    pub(crate) identifier: Identifier,
    pub(crate) counts: Counts,
}

/// Counts of the gathered resources.
#[derive(Default)]
pub(crate) struct Counts {
    /// If unset, pipelines are derived from the resources that name them.
    pub(crate) has_pipelines: bool,
    num_accepted: u64,
    /// Resources of the present generation that were read again.
    pub(crate) num_earlier: u64,
    /// Resources that are not in the input, and were derived.
    pub(crate) num_derived: u64,
    /// Partial resources that were merged into rows, and those without a row.
    pub(crate) num_partials: (u64, u64),
    /// Lines of documents that describe another resource.
    pub(crate) num_extra_lines: u64,
    pub(crate) unplaced: Unplaced,
}

/// The payload that is sorted by the key of a resource.
#[derive(Serialize, Deserialize)]
pub(crate) struct Entry<'a> {
    pub(crate) identity: Identity,
    pub(crate) occurrence: Occurrence,
    pub(crate) text: &'a str,
}

/// Collects valid resources in the order of the input.
pub(crate) struct Collector<'a> {
    merging: Merging<'a>,
    /// The rows that may be stored.
    sorter: Sorter<Box<[u8]>>,
    /// All rows.
    deduplication: Deduplication,
    counts: Counts,
    /// The rows added to a present generation. `None` if there are too many, or one is private.
    arrivals: Option<Vec<(Identity, Arrival)>>,
    num_arrivals_max: usize,
}

/// The rank of the first row of the inputs. Resources of a present generation have lower ranks:
/// their ordinals.
const FIRST_RANK: u64 = 1 << 32;

impl<'a> Collector<'a> {
    /// Creates a collector. It remembers up to `num_arrivals_max` rows added to a present
    /// generation.
    pub(crate) fn new(merging: Merging<'a>, space: SortSpace<'_>, num_arrivals_max: usize) -> Self {
        Self {
            merging,
            sorter: Sorter::new(space.folder, space.memory_bytes),
            deduplication: Deduplication::default(),
            counts: Counts::default(),
            arrivals: Some(Vec::new()),
            num_arrivals_max,
        }
    }

    pub(crate) fn add(&mut self, mut resource: Merged) -> Result<()> {
        let arrival = (resource.identity, std::mem::take(&mut resource.arrival));
        match &mut self.arrivals {
            Some(rows) if rows.len() < self.num_arrivals_max && !resource.is_private => rows.push(arrival),
            rows => *rows = None,
        }
        let rank = FIRST_RANK + self.counts.num_accepted;
        self.counts.num_accepted += 1;
        self.collect(rank, resource, Deduplication::insert)
    }

    /// Adds a resource of the present generation, which precedes all rows.
    pub(crate) fn add_earlier(&mut self, ordinal: Ordinal, resource: Merged) -> Result<()> {
        self.counts.num_earlier += 1;
        self.collect(ordinal.into(), resource, Deduplication::insert_earlier)
    }

    fn collect(
        &mut self,
        rank: u64,
        resource: Merged,
        insert: impl Fn(&mut Deduplication, Identity, Occurrence) -> bool,
    ) -> Result<()> {
        let Merged { identity, is_pipeline, is_included, is_private, private_names, key, .. } = resource;
        let Merged { found_in, linked, text, .. } = resource;
        self.counts.has_pipelines |= is_pipeline;
        let occurrence = Occurrence::new(rank, is_included, is_private);
        for relation in found_in {
            self.deduplication.add_relation(identity, relation, FoundBy::List);
        }
        for (member, relation, named) in linked {
            self.deduplication.add_relation(member, relation, FoundBy::Reference);
            self.deduplication.add_referenced_only(identity, named);
        }
        self.deduplication.add_private_names(identity, private_names);
        let may_be_stored = insert(&mut self.deduplication, identity, occurrence) && !is_private;
        if may_be_stored {
            // Equal resources stay in the order of the input.
            let key = [&key, &rank.to_be_bytes()[..]].concat().into();
            self.sorter.push_value(key, &Entry { identity, occurrence, text: &text })?;
        }
        Ok(())
    }

    /// Adds the resources that have documents but no row.
    pub(crate) fn add_documents(&mut self) -> Result<()> {
        let documents = &self.merging.known.documents;
        let mut unplaced = documents.unplaced.clone();
        self.counts.num_extra_lines =
            documents.place_extra_lines(&mut unplaced, |identity| self.deduplication.has(identity));
        for place in documents.unmerged() {
            if !unplaced.add_part(documents, place, |owner| self.deduplication.has(owner)) {
                self.add_made(documents.resource(place, &place.id)?, place.is_derived())?;
            }
        }
        for (resource, is_derived) in documents.without_document() {
            if !self.deduplication.has(resource.identity(self.merging.identifier)) {
                self.add_made(resource, is_derived)?;
            }
        }
        self.counts.unplaced = unplaced;
        Ok(())
    }

    fn add_made(&mut self, resource: Resource, is_derived: bool) -> Result<()> {
        self.counts.num_derived += u64::from(is_derived);
        self.add(self.merging.merge_made(&resource.into_text())?)
    }

    /// Notes that resources are in related collections of others, which refer to them.
    pub(crate) fn add_references(&mut self, references: &[(Identity, Arc<Relation>)]) {
        for (member, relation) in references {
            self.deduplication.add_relation(*member, Arc::clone(relation), FoundBy::Reference);
        }
    }

    /// Returns the rows added to a present generation, or `None` if there are too many or one is
    /// private. Later ones are not remembered.
    pub(crate) const fn take_arrivals(&mut self) -> Option<Vec<(Identity, Arrival)>> {
        self.arrivals.take()
    }

    /// Completes the collection. If `makes_root`, the root of the biomes is added if any resource
    /// was loaded but not the root.
    pub(crate) fn finish(mut self, makes_root: bool) -> Result<Gathered> {
        let Merging { identifier, known, .. } = self.merging;
        let has = |identity| self.deduplication.has(identity);
        self.counts.num_partials = known.partials.num_merged_and_others(has);
        let is_empty = self.counts.num_accepted + self.counts.num_earlier == 0;
        if makes_root && !is_empty && !has(identifier.identify(BIOMES, ROOT, None)) {
            self.counts.num_derived += 1;
            let none = Known::default();
            self.add(Merging { known: &none, ..self.merging }.merge_made(ROOT_BIOME)?)?;
        }
        self.deduplication.finish();
        let (resources, identifier) = (self.sorter.finish()?, identifier.clone());
        Ok(Gathered { resources, deduplication: self.deduplication, identifier, counts: self.counts })
    }
}
