//! The first half of a load: everything is read and checked, and all that may be stored goes to the sorter.

use std::sync::Arc;

use indexer::run::{Rejection, Rows, StageReport};
use indexer::sort::{SortSpace, SortedEntries, Sorter};
use indexer::{Error, Result};
use serde::{Deserialize, Serialize};
use store::InputEntry;
use store_catalogue::model::{BIOMES, PIPELINES, ROOT};
use store_catalogue::{Ordinal, ResourceOrigin};

use super::Relation;
use super::changes::{Arrival, Arrivals, Changes};
use super::check::{InputFiles, Row, read_rows};
use super::deduplication::{Deduplication, FoundBy, Identifier, Identity, Occurrence};
use super::documents::{Documents, Source, StoredDocuments, Unplaced, apply};
use super::entry::identifiers;
use super::orders::default_key;
use super::partials::{LinkedMember, Partials};
use super::pieces::Limits;
use super::present::Present;
use super::resource::Resource;
use super::stored::StoredCatalogue;

/// The biome above all others, which the service has, although its lists leave it out.
pub(super) const ROOT_BIOME: &str = r#"{"type":"biomes","id":"root","attributes":{"samples-count":0,"biome-name":"root","lineage":"root"},"relationships":{"samples":{"links":{"related":"{base_url}/metagenomics/api/v1/biomes/root/samples"}},"studies":{"links":{"related":"{base_url}/metagenomics/api/v1/biomes/root/studies"}},"children":{"links":{"related":"{base_url}/metagenomics/api/v1/biomes/root/children"}},"genomes":{"links":{"related":"{base_url}/metagenomics/api/v1/biomes/root/genomes"}}},"links":{"self":"{base_url}/metagenomics/api/v1/biomes/root"}}"#;

pub(super) struct Gathered {
    /// The resources in order, each with its identity and occurrence, those included that are superseded.
    pub(super) resources: SortedEntries<Box<[u8]>>,
    pub(super) deduplication: Deduplication,
    pub(super) identifier: Identifier,
    pub(super) inputs: Vec<InputEntry>,
    /// Resources that did not come, and were made.
    pub(super) num_derived: u64,
    pub(super) has_pipelines: bool,
    /// Partial resources that were merged into rows, and those whose resource has none.
    pub(super) num_merged: u64,
    pub(super) num_without_row: u64,
    /// Lines of documents that were merged into rows.
    pub(super) num_documents_merged: u64,
    pub(super) unplaced: Unplaced,
    /// Lines of documents that tell something of another resource.
    num_asides: u64,
    /// The resources of the present generation that do not stay as they are, unless all are made anew.
    pub(super) changes: Option<Changes>,
    pub(super) stage: StageReport,
}

impl Gathered {
    /// Returns the numbers of partial resources and documents.
    pub(super) fn numbers(&self, documents: &Documents) -> StoredCatalogue {
        StoredCatalogue {
            num_partials_merged: self.num_merged,
            num_partials_without_row: self.num_without_row,
            num_documents_merged: self.num_documents_merged,
            num_documents_combined: documents.num_combined + self.num_asides,
            num_documents_without_row: self.unplaced.num_lines(),
            ..StoredCatalogue::default()
        }
    }
}

/// The payload that goes through the sorter with the key of a resource.
#[derive(Serialize, Deserialize)]
pub(super) struct Entry<'a> {
    pub(super) identity: Identity,
    pub(super) occurrence: Occurrence,
    pub(super) text: &'a str,
}

/// Reads the resources of all inputs.
pub(super) fn gather(
    inputs: InputFiles<'_>,
    limits: Limits,
    space: SortSpace<'_>,
    identifier: Identifier,
    (partials, documents): (&Partials, &Documents),
    present: Option<&Present>,
    rows: &mut Rows,
) -> Result<Gathered> {
    let mut collector = Collector {
        sorter: Sorter::new(space.folder, space.memory_bytes),
        deduplication: Deduplication::default(),
        num_accepted: 0,
        num_earlier: 0,
        has_pipelines: false,
        arrivals: present.map(|present| Arrivals::new(present.num_changes_max())),
    };
    let earlier = present.map(|present| StoredDocuments { stored: &present.stored, identifier: &identifier });
    let source = earlier.as_ref().map_or(documents as &dyn Source, |earlier| earlier);
    let merging = |row: Row<'_>| examine(&identifier, partials, source, row);
    let (inputs, stage) = read_rows(inputs, limits, rows, merging, |resource| collector.add(resource?))?;
    let Placed { num_derived: num_told, num_asides, unplaced } =
        collector.add_documents(&identifier, partials, documents)?;
    let none = Documents::default();
    let examine = |row: Row<'_>| examine(&identifier, partials, &none, row);
    let mut changes = None;
    if let (Some(present), Some(arrivals)) = (present, collector.arrivals.take()) {
        changes = Changes::find(present, arrivals, partials, &identifier)?;
        if let Some(Changes { references, .. }) = &changes {
            for (member, relation) in references {
                collector.deduplication.add_relation(*member, Arc::clone(relation), FoundBy::Reference);
            }
        }
        let ordinals = changes.as_ref().map(|changes| &*changes.again);
        let collect = |ordinal, resource| collector.add_earlier(ordinal, resource?);
        present.for_each_kept(ordinals, &identifier, limits.num_threads, examine, collect)?;
    }
    let (num_merged, num_without_row) =
        partials.num_merged_and_others(|identity| collector.deduplication.has(identity));
    let is_empty = collector.num_accepted + collector.num_earlier == 0;
    let num_root = if is_empty || changes.is_some() { 0 } else { collector.add_root(&identifier)? };
    let num_derived = num_told + num_root;
    let Collector { sorter, mut deduplication, has_pipelines, .. } = collector;
    deduplication.finish();
    let resources = sorter.finish()?;
    Ok(Gathered {
        resources,
        deduplication,
        identifier,
        inputs,
        num_derived,
        has_pipelines,
        num_merged,
        num_without_row,
        num_documents_merged: documents.num_merged(),
        unplaced,
        num_asides,
        changes,
        stage,
    })
}

/// What became of documents that no row has taken.
struct Placed {
    /// Resources that have no line of their own.
    num_derived: u64,
    num_asides: u64,
    unplaced: Unplaced,
}

/// Takes good resources in the order of the input.
struct Collector {
    /// Takes those that may be stored.
    sorter: Sorter<Box<[u8]>>,
    /// Takes all.
    deduplication: Deduplication,
    num_accepted: u64,
    /// Resources of the present generation.
    num_earlier: u64,
    has_pipelines: bool,
    /// What comes to the present generation, if there is one.
    arrivals: Option<Arrivals>,
}

/// The rank of the first row of the inputs: behind those of all resources of a present generation, which are their ordinals.
const FIRST_RANK: u64 = 1 << 32;

impl Collector {
    fn add(&mut self, mut resource: CheckedResource) -> Result<()> {
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.add(resource.identity, resource.is_private, &mut resource.arrival);
        }
        let rank = FIRST_RANK + self.num_accepted;
        self.num_accepted += 1;
        self.collect(rank, resource, Deduplication::insert)
    }

    /// Adds a resource of the present generation, which came before all rows.
    fn add_earlier(&mut self, ordinal: Ordinal, resource: CheckedResource) -> Result<()> {
        self.num_earlier += 1;
        self.collect(ordinal.into(), resource, Deduplication::insert_earlier)
    }

    fn collect(
        &mut self,
        rank: u64,
        resource: CheckedResource,
        insert: impl Fn(&mut Deduplication, Identity, Occurrence) -> bool,
    ) -> Result<()> {
        let CheckedResource { identity, is_pipeline, is_included, is_private, private_names, key, .. } = resource;
        let CheckedResource { found_in, linked, text, .. } = resource;
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
    fn add_documents(&mut self, identifier: &Identifier, partials: &Partials, documents: &Documents) -> Result<Placed> {
        let (mut num_derived, mut unplaced) = (0, documents.unplaced.clone());
        let num_asides = documents.place_asides(&mut unplaced, |identity| self.deduplication.has(identity));
        let none = Documents::default();
        let add = |collector: &mut Self, resource: Resource| {
            let text = resource.into_text();
            let row = Row { text: &text, is_included: false, found_in: None };
            collector.add(examine(identifier, partials, &none, row).map_err(|_| bad_again())??)
        };
        for place in documents.unmerged() {
            if !unplaced.add_part(documents, place, |owner| self.deduplication.has(owner)) {
                num_derived += u64::from(place.is_derived());
                add(self, documents.resource(place, &place.id)?)?;
            }
        }
        for (resource, is_derived) in documents.others() {
            if !self.deduplication.has(resource.identity(identifier)) {
                num_derived += u64::from(is_derived);
                add(self, resource)?;
            }
        }
        Ok(Placed { num_derived, num_asides, unplaced })
    }

    /// Adds the root of the biomes where it did not come, and returns how many resources that made.
    fn add_root(&mut self, identifier: &Identifier) -> Result<u64> {
        if self.deduplication.has(identifier.identify(BIOMES, ROOT, None)) {
            return Ok(0);
        }
        let root = Row { text: ROOT_BIOME, is_included: false, found_in: None };
        let none = (Partials::default(), Documents::default());
        self.add(examine(identifier, &none.0, &none.1, root).expect("the root is a resource")?)?;
        Ok(1)
    }
}

struct CheckedResource {
    identity: Identity,
    is_pipeline: bool,
    is_included: bool,
    is_private: bool,
    /// If it is private, all that it can be named by.
    private_names: Vec<Identity>,
    key: Box<[u8]>,
    /// The related collections that list it.
    found_in: Vec<Arc<Relation>>,
    /// The members of its relationships that it does not show: identity, the related collection that they are found in, and the name of the
    /// relation, type and id.
    linked: Vec<(Identity, Arc<Relation>, Relation)>,
    arrival: Arrival,
    text: Box<str>,
}

/// Parses a row, and merges what else there is of its resource into it, before anything else is looked at.
///
/// # Errors
///
/// * The row cannot be used.
/// * Documents cannot be read, in the inner result.
fn examine(
    identifier: &Identifier,
    partials: &Partials,
    source: &dyn Source,
    row: Row<'_>,
) -> Result<Result<CheckedResource>, Rejection> {
    let mut resource = Resource::parse(row.text)?;
    let is_documented = match apply(source, &mut resource) {
        Ok(is_documented) => is_documented,
        Err(error) => return Ok(Err(error)),
    };
    let identity = resource.identity(identifier);
    let merged = partials.merge_into(identity, &mut resource)?;
    let is_merged = merged.is_some() || is_documented;
    let ResourceOrigin { found_in, linked, .. } = std::mem::take(&mut resource.origin);
    let merged = merged.into_iter().flatten();
    let merged = merged.map(|LinkedMember { relation, resource_type, id }| (relation, resource_type, id));
    let linked = linked.into_iter().chain(merged).map(|(relation, resource_type, id)| {
        let member = identifier.identify(&resource_type, &id, None);
        let parent = Arc::new((resource.kind.clone(), resource.id.clone(), relation.clone()));
        (member, parent, (relation, resource_type, id))
    });
    let linked: Vec<_> = linked.collect();
    let is_private = resource.is_private();
    let arrival = Arrival::of(&resource, &linked);
    let names = if is_private { identifiers(&resource) } else { Vec::new() };
    Ok(Ok(CheckedResource {
        identity,
        is_pipeline: resource.kind == PIPELINES,
        is_included: row.is_included,
        is_private,
        private_names: names.iter().map(|name| identifier.identify(&resource.kind, name, None)).collect(),
        key: default_key(&resource),
        found_in: row.found_in.cloned().into_iter().chain(found_in.into_iter().map(Arc::new)).collect(),
        linked,
        arrival,
        text: if is_merged { resource.into_text().into() } else { row.text.into() },
    }))
}

fn bad_again() -> Error {
    Error::Internal("a resource that was made cannot be read")
}
