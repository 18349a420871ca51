//! A row with everything that is merged into it.

use std::sync::Arc;

use indexer::run::Rejection;
use indexer::{Error, Result};
use store_catalogue::ResourceOrigin;
use store_catalogue::model::PIPELINES;

use super::documents::{Source, apply};
use super::known::Known;
use super::pipelines::NamedVersions;
use crate::read::{Identifier, Identity, Relation, Resource, Row};

/// All that rows are merged with, and the key that they are sorted by.
#[derive(Clone, Copy)]
pub(crate) struct Merging<'a> {
    pub(crate) identifier: &'a Identifier,
    pub(crate) known: &'a Known,
    pub(crate) documents: Option<&'a dyn Source>,
    pub(crate) key_of: fn(&Resource) -> Box<[u8]>,
}

pub(crate) struct Merged {
    pub(super) identity: Identity,
    pub(super) is_pipeline: bool,
    pub(super) is_included: bool,
    pub(super) is_private: bool,
    /// All identifiers of the resource, if it is private.
    pub(super) private_names: Vec<Identity>,
    pub(super) key: Box<[u8]>,
    /// The related collections that list it.
    pub(super) found_in: Vec<Arc<Relation>>,
    /// The members of its relationships that it does not show: the identity, the related collection
    /// that contains them, and name of the relation, type and id.
    pub(super) linked: Vec<(Identity, Arc<Relation>, Relation)>,
    pub(super) arrival: Arrival,
    pub(super) text: Box<str>,
}

impl Merging<'_> {
    /// Parses a row and, before anything else, merges all other facts about its resource into it.
    ///
    /// # Errors
    ///
    /// * The row cannot be used.
    /// * Documents cannot be read, in the inner result.
    pub(crate) fn merge(self, row: Row<'_>) -> Result<Result<Merged>, Rejection> {
        let Self { identifier, documents, .. } = self;
        let mut resource = Resource::parse(row.text)?;
        let is_documented = match documents.map_or(Ok(false), |documents| apply(documents, &mut resource)) {
            Ok(is_documented) => is_documented,
            Err(error) => return Ok(Err(error)),
        };
        let identity = resource.identity(identifier);
        let merged = self.known.partials.merge_into(identity, &mut resource)?;
        let is_merged = merged.is_some() || is_documented;
        let ResourceOrigin { found_in, linked, .. } = std::mem::take(&mut resource.origin);
        let linked: Vec<_> = linked
            .into_iter()
            .chain(merged.into_iter().flatten())
            .map(|(relation, resource_type, id)| {
                let member = identifier.identify(&resource_type, &id, None);
                let parent = Arc::new((resource.kind.clone(), resource.id.clone(), relation.clone()));
                (member, parent, (relation, resource_type, id))
            })
            .collect();
        let is_private = resource.is_private();
        let names = if is_private { resource.identifiers() } else { Vec::new() };
        Ok(Ok(Merged {
            identity,
            is_pipeline: resource.kind == PIPELINES,
            is_included: row.is_included,
            is_private,
            private_names: names.iter().map(|name| identifier.identify(&resource.kind, name, None)).collect(),
            key: (self.key_of)(&resource),
            found_in: row.found_in.cloned().into_iter().chain(found_in.into_iter().map(Arc::new)).collect(),
            arrival: Arrival::of(&resource, &linked),
            linked,
            text: if is_merged { resource.into_text().into() } else { row.text.into() },
        }))
    }

    /// Merges a row that was derived.
    pub(super) fn merge_made(self, text: &str) -> Result<Merged> {
        self.merge(Row::of(text, false)).map_err(|_| Error::Internal("a resource that was made cannot be read"))?
    }
}

/// The part of a row that is compared with a present generation.
#[derive(Default)]
pub(crate) struct Arrival {
    pub(crate) kind: String,
    pub(crate) id: String,
    /// The identifiers, the main one first.
    pub(crate) identifiers: Vec<String>,
    /// Type and id of each resource that it refers to without showing it.
    pub(crate) linked: Vec<(String, String)>,
    pub(crate) names_versions: bool,
}

impl Arrival {
    pub(crate) fn of(resource: &Resource, linked: &[(Identity, Arc<Relation>, Relation)]) -> Self {
        Self {
            kind: resource.kind.clone(),
            id: resource.id.clone(),
            identifiers: resource.identifiers(),
            linked: linked.iter().map(|(.., (_, kind, id))| (kind.clone(), id.clone())).collect(),
            names_versions: NamedVersions::from_resource(resource).has_any(),
        }
    }
}
