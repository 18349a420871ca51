//! The resources that an answer includes, read once each.

use std::collections::BTreeMap;

use store::{LinkStyle, Ordinal};

use super::super::collection::Collection;
use super::super::linked::{self, LinkedResource};
use super::super::problem::CatalogueProblem;
use super::super::source::CatalogueSnapshot;
use crate::SourceError;

/// How many members the relationships of an answer may have, one that is named twice counted twice. The body is made in memory.
const MEMBERS_MAX: usize = 5_000;

/// The type and the id of a resource.
pub(super) type MemberKey = (String, String);

/// The resources.
pub(super) struct Pool<'a> {
    /// Where they come from.
    snapshot: &'a dyn CatalogueSnapshot,
    /// How their links are written.
    links: LinkStyle<'a>,
    /// What was read, rendered.
    resources: BTreeMap<MemberKey, Vec<u8>>,
    /// The keys of what was read, by where it stands.
    keys: BTreeMap<Ordinal, MemberKey>,
    /// How many members there were.
    num_members: usize,
}

impl<'a> Pool<'a> {
    /// Makes an empty one.
    pub(super) fn new(snapshot: &'a dyn CatalogueSnapshot, links: LinkStyle<'a>) -> Self {
        Self { snapshot, links, resources: BTreeMap::new(), keys: BTreeMap::new(), num_members: 0 }
    }

    /// Adds the resource of a type with an id, if it was given.
    pub(super) async fn add_single(&mut self, resource_type: &str, id: &str) -> Result<(), SourceError> {
        match self.snapshot.find(resource_type, id).await? {
            Some(ordinal) => self.read(&[ordinal]).await,
            None => Ok(()),
        }
    }

    /// Adds the members of a relationship of a resource, and returns their keys.
    pub(super) async fn add_related(
        &mut self,
        collection: &Collection,
        resource: &LinkedResource<'_>,
        name: &str,
    ) -> Result<Vec<MemberKey>, CatalogueProblem> {
        let relation = collection.relations.iter().find(|relation| relation.name == name);
        let member_types = relation.map_or(&[][..], |relation| relation.member_types);
        let selection = linked::selection(self.snapshot.contents(), resource, name, member_types);
        let Some(selection) = selection else { return Ok(Vec::new()) };
        let listing = self.snapshot.select(selection).await?;
        self.num_members += listing.len();
        if self.num_members > MEMBERS_MAX {
            return Err(too_many(collection, &resource.id, name));
        }
        let ordinals = listing.ordinals(0..listing.len());
        self.read(&ordinals).await?;
        Ok(ordinals.iter().filter_map(|ordinal| self.keys.get(ordinal).cloned()).collect())
    }

    /// Reads those of some resources that were not read before.
    async fn read(&mut self, ordinals: &[Ordinal]) -> Result<(), SourceError> {
        let unread: Vec<_> = ordinals.iter().copied().filter(|ordinal| !self.keys.contains_key(ordinal)).collect();
        let bodies = self.snapshot.resources(unread.clone()).await?;
        for (ordinal, body) in unread.into_iter().zip(bodies) {
            let mut rendered = Vec::new();
            body.render(self.links, &mut rendered);
            let member = LinkedResource::parse(&rendered)?;
            let key = (member.resource_type, member.id);
            self.keys.insert(ordinal, key.clone());
            self.resources.insert(key, rendered);
        }
        Ok(())
    }

    /// Returns the resources by type and id.
    pub(super) fn into_resources(self) -> impl Iterator<Item = (MemberKey, Vec<u8>)> {
        self.resources.into_iter()
    }
}

/// Refuses to include so much.
fn too_many(collection: &Collection, id: &str, name: &str) -> CatalogueProblem {
    let detail = format!(
        "An answer includes {MEMBERS_MAX} resources at most. Ask for fewer resources a page, or page through the related \
        collection, here /{}/{id}/{name}.",
        collection.path
    );
    CatalogueProblem::Request { detail, code: "parse_error" }
}
