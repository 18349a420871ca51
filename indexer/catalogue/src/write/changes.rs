//! The changes that rows cause in the present generation, apart from the rows themselves.
//!
//! Resources are made again if they are replaced, if partial resources are merged into them, if the
//! related collections that list them change, or if they name samples that are added, changed or
//! removed: the index has the ordinals of these. All others stay unchanged.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use indexer::Result;
use store_catalogue::model::{BIOMES, PIPELINES, ROOT, SAMPLES};
use store_catalogue::{CatalogueEntry, Ordinal, ResourceBodyWriter, Shape, StoredResources};

use crate::merge::{Arrival, Known, NamedVersions};
use crate::read::{Identifier, Identity, Present, Relation, Resource, damaged};
use crate::shape::{document_of, entry};

/// An update is incremental if at most 1/`CHANGES_SHARE` of the resources plus `CHANGES_MIN`
/// change.
const CHANGES_SHARE: usize = 2;
const CHANGES_MIN: usize = 1000;

/// Returns the number of resources that may be added or changed in an incremental update. If
/// there are more, all are written again.
pub(crate) fn num_changes_max(stored: &StoredResources) -> usize {
    stored.contents().num_resources as usize / CHANGES_SHARE + CHANGES_MIN
}

/// The resources of the present generation that do not stay unchanged.
pub(crate) struct Changes {
    /// Those that are made again, or replaced, in ascending order.
    pub(crate) again: Vec<Ordinal>,
    /// All that do not stay, including removed ones.
    pub(super) dropped: BTreeMap<Ordinal, CatalogueEntry>,
    /// The shapes of those that do not stay, by type.
    pub(crate) shapes: BTreeMap<String, Shape>,
    /// The related collections of unchanged resources, each with a changed or added resource in it.
    pub(crate) references: Vec<(Identity, Arc<Relation>)>,
}

impl Changes {
    /// Finds the changes, or returns `None` if all resources must be written again: because there
    /// are many changes, or because some concern resources that are not known, such as derived
    /// ones.
    pub(crate) fn find(
        present: &Present<'_>,
        arrivals: Option<Vec<(Identity, Arrival)>>,
        known: &Known,
        identifier: &Identifier,
    ) -> Result<Option<Self>> {
        let Some(rows) = arrivals else { return Ok(None) };
        let mut search = Search::new(present, identifier)?;
        for (identity, arrival) in &rows {
            if search.derives_pipelines && (arrival.kind == PIPELINES || arrival.names_versions) {
                return Ok(None);
            }
            search.add_same(&arrival.kind, &arrival.identifiers, Some(*identity))?;
            search.add_changed(&arrival.kind, &arrival.id, &arrival.identifiers);
            for (kind, id) in &arrival.linked {
                search.add_same(kind, std::slice::from_ref(id), None)?;
            }
        }
        for text in known.partials.new_texts() {
            let partial = Resource::parse(text).map_err(|_| damaged())?;
            if partial.kind == SAMPLES && partial.attributes.is_some() {
                return Ok(None);
            }
            let identity = partial.identity(identifier);
            search.add_same(&partial.kind, &partial.identifiers(), Some(identity))?;
            for reference in partial.references() {
                search.add_same(reference.resource_type, &[reference.id.to_owned()], None)?;
            }
        }
        for &ordinal in &present.removed.ordinals {
            let linked = search.remove(ordinal)?;
            for (_, kind, id) in linked {
                search.add_same(&kind, &[id], None)?;
            }
        }
        if search.must_derive || search.leaves_nothing() {
            return Ok(None);
        }
        search.add_naming_samples()?;
        if search.again.len() + rows.len() > num_changes_max(present.stored) {
            return Ok(None);
        }
        search.finish().map(Some)
    }
}

struct Search<'a> {
    stored: &'a StoredResources,
    identifier: &'a Identifier,
    derives_pipelines: bool,
    /// Set if a change concerns a derived resource, or a resource that others are derived from.
    must_derive: bool,
    again: BTreeSet<Ordinal>,
    removed: BTreeSet<Ordinal>,
    /// Type and id of all added and changed resources.
    changed: BTreeSet<(String, String)>,
    /// The identifiers of samples that are added, changed or removed.
    samples: BTreeSet<String>,
}

impl<'a> Search<'a> {
    fn new(present: &Present<'a>, identifier: &'a Identifier) -> Result<Self> {
        let stored = present.stored;
        let derives_pipelines = match stored.contents().types.get(PIPELINES) {
            Some(pipelines) => stored.body(pipelines.first)?.origin().is_none_or(|origin| origin.is_derived),
            None => true,
        };
        Ok(Self {
            stored,
            identifier,
            derives_pipelines,
            must_derive: false,
            again: BTreeSet::new(),
            removed: BTreeSet::new(),
            changed: BTreeSet::new(),
            samples: BTreeSet::new(),
        })
    }

    fn read(&mut self, ordinal: Ordinal) -> Result<Resource> {
        let body = self.stored.body(ordinal)?;
        self.must_derive |= body.origin().is_none_or(|origin| origin.is_derived);
        Resource::stored(&body)
    }

    /// Adds the resource of the present generation that is the same as another one, by its
    /// identifiers and its identity, or its id alone.
    fn add_same(&mut self, kind: &str, identifiers_of: &[String], identity: Option<Identity>) -> Result<()> {
        let Some(main) = identifiers_of.first() else { return Ok(()) };
        for ordinal in self.stored.find_all(kind, main)? {
            if self.again.contains(&ordinal) {
                continue;
            }
            let resource = self.read(ordinal)?;
            let expected = identity.unwrap_or_else(|| self.identifier.identify(kind, main, None));
            if resource.identity(self.identifier) == expected {
                self.again.insert(ordinal);
                self.add_changed(kind, &resource.id, &resource.identifiers());
                // They refer to the same resource by another name.
                for (_, kind, id) in resource.origin.linked {
                    self.add_same(&kind, &[id], None)?;
                }
            }
        }
        Ok(())
    }

    fn add_changed(&mut self, kind: &str, id: &str, identifiers: &[String]) {
        self.changed.insert((kind.to_owned(), id.to_owned()));
        if kind == SAMPLES {
            self.samples.extend(identifiers.iter().cloned());
        }
    }

    /// Removes a resource, and returns the references that it does not show.
    fn remove(&mut self, ordinal: Ordinal) -> Result<Vec<Relation>> {
        let resource = self.read(ordinal)?;
        self.must_derive |= resource.kind == BIOMES && resource.id == ROOT
            || resource.kind == PIPELINES
            || self.derives_pipelines && NamedVersions::from_resource(&resource).has_any();
        self.removed.insert(ordinal);
        if resource.kind == SAMPLES {
            self.samples.extend(resource.identifiers());
        }
        Ok(resource.origin.linked)
    }

    /// Adds the resources that name samples which are added, changed or removed.
    fn add_naming_samples(&mut self) -> Result<()> {
        let samples: Vec<(&str, &str)> = self.samples.iter().map(|id| (SAMPLES, &**id)).collect();
        let naming = self.stored.naming(&samples)?;
        for ordinal in naming {
            if !self.again.contains(&ordinal) && !self.removed.contains(&ordinal) {
                let resource = self.read(ordinal)?;
                self.again.insert(ordinal);
                self.changed.insert((resource.kind, resource.id));
            }
        }
        Ok(())
    }

    /// Returns whether only derived resources would be left, which would be removed too.
    fn leaves_nothing(&self) -> bool {
        let contents = self.stored.contents();
        let pipelines = contents.types.get(PIPELINES).filter(|_| self.derives_pipelines);
        let num_derived = 1 + pipelines.map_or(0, |pipelines| pipelines.num_resources as usize);
        self.removed.len() + num_derived >= contents.num_resources as usize
    }

    fn finish(mut self) -> Result<Changes> {
        self.again.retain(|ordinal| !self.removed.contains(ordinal));
        let mut references = Vec::new();
        let changed: Vec<(&str, &str)> = self.changed.iter().map(|(kind, id)| (&**kind, &**id)).collect();
        for ordinal in self.stored.naming(&changed)? {
            if self.again.contains(&ordinal) || self.removed.contains(&ordinal) {
                continue;
            }
            let body = self.stored.body(ordinal)?;
            let (linked, (kind, id)) = (body.origin().ok_or_else(damaged)?.linked, body.key().ok_or_else(damaged)?);
            for (relation, member_kind, member_id) in linked {
                let member = self.identifier.identify(&member_kind, &member_id, None);
                if self.changed.contains(&(member_kind, member_id)) {
                    references.push((member, Arc::new((kind.clone(), id.clone(), relation))));
                }
            }
        }
        let (mut dropped, mut shapes) = (BTreeMap::new(), BTreeMap::<String, Shape>::new());
        for ordinal in self.again.union(&self.removed).copied().collect::<Vec<_>>() {
            let resource = self.read(ordinal)?;
            let document = document_of(&resource);
            let document = document.as_ref().map(|(document, _)| &**document);
            dropped.insert(ordinal, entry(&resource, document, ResourceBodyWriter::default().finish(), Vec::new()));
            shapes.entry(resource.kind.clone()).or_default().observe(&resource.into_value());
        }
        Ok(Changes { again: self.again.into_iter().collect(), dropped, shapes, references })
    }
}
