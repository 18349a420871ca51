//! Everything is read and merged, and all that may be stored goes to the sorter.

use std::sync::Arc;

use indexer::Result;
use indexer::sort::{SortSpace, SortedEntries, Sorter};
use serde::{Deserialize, Serialize};
use store_catalogue::Ordinal;
use store_catalogue::model::{BIOMES, ROOT};

use super::arrivals::{Arrival, Arrivals};
use super::deduplication::{Deduplication, FoundBy, Occurrence};
use super::documents::{Documents, Unplaced};
use super::merged::{Merged, Merging};
use super::partials::Partials;
use crate::read::identity::{Identifier, Identity};
use crate::read::resource::{Relation, Resource};

/// The biome above all others, which the service has, although its lists leave it out.
pub(crate) const ROOT_BIOME: &str = r#"{"type":"biomes","id":"root","attributes":{"samples-count":0,"biome-name":"root","lineage":"root"},"relationships":{"samples":{"links":{"related":"{base_url}/metagenomics/api/v1/biomes/root/samples"}},"studies":{"links":{"related":"{base_url}/metagenomics/api/v1/biomes/root/studies"}},"children":{"links":{"related":"{base_url}/metagenomics/api/v1/biomes/root/children"}},"genomes":{"links":{"related":"{base_url}/metagenomics/api/v1/biomes/root/genomes"}}},"links":{"self":"{base_url}/metagenomics/api/v1/biomes/root"}}"#;

/// The resources of a run: those that may be stored in order, each with its identity and occurrence, and what is known of all.
pub(crate) struct Gathered {
    /// Those included that are superseded.
    pub(crate) resources: SortedEntries<Box<[u8]>>,
    pub(crate) deduplication: Deduplication,
    pub(crate) identifier: Identifier,
    /// If none came, pipelines are made of what names them.
    pub(crate) has_pipelines: bool,
}

/// The payload that goes through the sorter with the key of a resource.
#[derive(Serialize, Deserialize)]
pub(crate) struct Entry<'a> {
    pub(crate) identity: Identity,
    pub(crate) occurrence: Occurrence,
    pub(crate) text: &'a str,
}

/// What became of documents that no row has taken.
pub(crate) struct Placed {
    /// Resources that have no line of their own.
    pub(crate) num_derived: u64,
    /// Lines that tell something of another resource.
    pub(crate) num_asides: u64,
    pub(crate) unplaced: Unplaced,
}

/// Takes good resources in the order of the input.
pub(crate) struct Collector {
    /// Takes those that may be stored.
    sorter: Sorter<Box<[u8]>>,
    /// Takes all.
    deduplication: Deduplication,
    num_accepted: u64,
    /// Resources of the present generation.
    num_earlier: u64,
    has_pipelines: bool,
    arrivals: Arrivals,
}

/// The rank of the first row of the inputs: behind those of all resources of a present generation, which are their ordinals.
const FIRST_RANK: u64 = 1 << 32;

impl Collector {
    /// Begins to take resources. Up to a number of those that come to a present generation are remembered.
    pub(crate) fn new(space: SortSpace<'_>, num_arrivals_max: usize) -> Self {
        Self {
            sorter: Sorter::new(space.folder, space.memory_bytes),
            deduplication: Deduplication::default(),
            num_accepted: 0,
            num_earlier: 0,
            has_pipelines: false,
            arrivals: Arrivals::new(num_arrivals_max),
        }
    }

    pub(crate) fn add(&mut self, mut resource: Merged) -> Result<()> {
        self.arrivals.add(resource.identity, resource.is_private, &mut resource.arrival);
        let rank = FIRST_RANK + self.num_accepted;
        self.num_accepted += 1;
        self.collect(rank, resource, Deduplication::insert)
    }

    /// Adds a resource of the present generation, which came before all rows.
    pub(crate) fn add_earlier(&mut self, ordinal: Ordinal, resource: Merged) -> Result<()> {
        self.num_earlier += 1;
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
        self.has_pipelines |= is_pipeline;
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
            // Equal resources stay in the order in which they came.
            let key = [&key, &rank.to_be_bytes()[..]].concat().into();
            self.sorter.push_value(key, &Entry { identity, occurrence, text: &text })?;
        }
        Ok(())
    }

    /// Adds the resources that only documents tell of.
    pub(crate) fn add_documents(&mut self, merging: Merging<'_>, documents: &Documents) -> Result<Placed> {
        let (mut num_derived, mut unplaced) = (0, documents.unplaced.clone());
        let num_asides = documents.place_asides(&mut unplaced, |identity| self.deduplication.has(identity));
        let none = Documents::default();
        let merging = Merging { documents: &none, ..merging };
        let add = |collector: &mut Self, resource: Resource| collector.add(merging.merge_made(&resource.into_text())?);
        for place in documents.unmerged() {
            if !unplaced.add_part(documents, place, |owner| self.deduplication.has(owner)) {
                num_derived += u64::from(place.is_derived());
                add(self, documents.resource(place, &place.id)?)?;
            }
        }
        for (resource, is_derived) in documents.others() {
            if !self.deduplication.has(resource.identity(merging.identifier)) {
                num_derived += u64::from(is_derived);
                add(self, resource)?;
            }
        }
        Ok(Placed { num_derived, num_asides, unplaced })
    }

    /// Adds the root of the biomes where anything came but not that, and returns how many resources that made.
    pub(crate) fn add_root(&mut self, merging: Merging<'_>) -> Result<u64> {
        let is_empty = self.num_accepted + self.num_earlier == 0;
        if is_empty || self.has(merging.identifier.identify(BIOMES, ROOT, None)) {
            return Ok(0);
        }
        let none = (Partials::default(), Documents::default());
        self.add(Merging { partials: &none.0, documents: &none.1, ..merging }.merge_made(ROOT_BIOME)?)?;
        Ok(1)
    }

    /// Notes that resources are in related collections of others, which refer to them.
    pub(crate) fn add_references(&mut self, references: &[(Identity, Arc<Relation>)]) {
        for (member, relation) in references {
            self.deduplication.add_relation(*member, Arc::clone(relation), FoundBy::Reference);
        }
    }

    /// Returns the rows that came to a present generation, unless they are too many, or one is private. Later ones are not remembered.
    pub(crate) fn take_arrivals(&mut self) -> Option<Vec<(Identity, Arrival)>> {
        self.arrivals.take()
    }

    pub(crate) fn has(&self, identity: Identity) -> bool {
        self.deduplication.has(identity)
    }

    pub(crate) fn finish(mut self, identifier: Identifier) -> Result<Gathered> {
        self.deduplication.finish();
        let Self { sorter, deduplication, has_pipelines, .. } = self;
        Ok(Gathered { resources: sorter.finish()?, deduplication, identifier, has_pipelines })
    }
}
