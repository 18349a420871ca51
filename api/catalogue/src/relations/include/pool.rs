//! The resources that an answer includes; each is read once.

use std::collections::BTreeMap;

use store_catalogue::Ordinal;
use store_catalogue::model::Relation;

use super::super::members;
use crate::collections::collection::Collection;
use crate::problem::CatalogueProblem;
use crate::render::resource::{Resource, ResourceKey};
use crate::request::context::Context;

/// The most members of the relationships of an answer. A member that is named twice counts twice.
/// The body is made in memory.
const MEMBERS_MAX: usize = 5_000;

/// The most bytes of the resources in an answer, including the included ones.
const BYTES_MAX: usize = 8 << 20;

const MEMBERS_PER_READ: usize = 256;

#[derive(Clone, Copy)]
pub(super) struct Parent<'a> {
    pub(super) collection: &'a Collection,
    pub(super) id: &'a str,
    pub(super) relation: &'a str,
}

pub(super) struct Pool<'a> {
    context: &'a Context,
    resources: BTreeMap<ResourceKey, Resource>,
    keys: BTreeMap<Ordinal, ResourceKey>,
    num_members: usize,
    num_bytes: usize,
}

impl<'a> Pool<'a> {
    pub(super) fn new(context: &'a Context, num_bytes: usize) -> Self {
        Self { context, resources: BTreeMap::new(), keys: BTreeMap::new(), num_members: 0, num_bytes }
    }

    /// Adds the resource of a type with an id, if it was loaded.
    pub(super) fn add_single(
        &mut self,
        parent: Parent<'_>,
        resource_type: &str,
        id: &str,
    ) -> Result<(), CatalogueProblem> {
        match self.context.snapshot.find(resource_type, id)? {
            Some(ordinal) => self.read(parent, &[ordinal]),
            None => Ok(()),
        }
    }

    /// Adds the members of a related collection of a resource, and returns their keys.
    pub(super) fn add_related(
        &mut self,
        parent: Parent<'_>,
        resource: &Resource,
        relation: &Relation,
    ) -> Result<Vec<ResourceKey>, CatalogueProblem> {
        let snapshot = &self.context.snapshot;
        let Some((member_type, condition)) = members::of(snapshot, relation, resource)? else { return Ok(Vec::new()) };
        let listing = snapshot.select(member_type, vec![condition], Vec::new())?;
        self.num_members += listing.len();
        if self.num_members > MEMBERS_MAX {
            return Err(parent.too_much());
        }
        let ordinals = listing.ordinals(0..listing.len());
        self.read(parent, &ordinals)?;
        Ok(ordinals.iter().filter_map(|ordinal| self.keys.get(ordinal).cloned()).collect())
    }

    fn read(&mut self, parent: Parent<'_>, ordinals: &[Ordinal]) -> Result<(), CatalogueProblem> {
        let unread: Vec<_> = ordinals.iter().copied().filter(|ordinal| !self.keys.contains_key(ordinal)).collect();
        for unread in unread.chunks(MEMBERS_PER_READ) {
            self.context.snapshot.take_memory(unread.len())?;
            for (&ordinal, body) in unread.iter().zip(self.context.snapshot.resources(unread)?) {
                let resource = Resource::render(&body, &self.context.links)?;
                self.num_bytes += resource.json.len();
                self.keys.insert(ordinal, resource.key.clone());
                self.resources.insert(resource.key.clone(), resource);
            }
            if self.num_bytes > BYTES_MAX {
                return Err(parent.too_much());
            }
        }
        Ok(())
    }

    pub(super) fn into_resources(self) -> impl Iterator<Item = Resource> {
        self.resources.into_values()
    }
}

impl Parent<'_> {
    fn too_much(self) -> CatalogueProblem {
        let Self { collection, id, relation } = self;
        // A relationship to one resource is not a collection.
        let is_collection = collection.relation(relation).is_some();
        let path = if is_collection { format!(", here /{}/{id}/{relation}", collection.path) } else { String::new() };
        let detail = format!(
            "An answer can include at most {MEMBERS_MAX} resources, of at most {} MiB. Request fewer resources per page, or page through the \
            related collection{path}.",
            BYTES_MAX >> 20
        );
        CatalogueProblem::Request { detail, code: "parse_error" }
    }
}
