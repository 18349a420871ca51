//! The resources that an answer includes, read once each.

use std::collections::BTreeMap;

use store::Ordinal;

use super::super::collection::Collection;
use super::super::document;
use super::super::linked::{self, LinkedResource};
use super::super::links::OwnedLinkStyle;
use super::super::problem::CatalogueProblem;
use super::super::source::{self, CatalogueSnapshot};
use crate::SourceError;
use crate::blocking::blocking;

/// How many members the relationships of an answer may have, one that is named twice counted twice. The body is made in memory.
const MEMBERS_MAX: usize = 5_000;

/// How many bytes the resources of an answer may have, its own and the included ones.
const BYTES_MAX: usize = 8 << 20;

/// How many members are read at once.
const MEMBERS_PER_READ: usize = 256;

/// The type and the id of a resource.
pub(super) type MemberKey = (String, String);

/// The resource whose relationship is included.
#[derive(Clone, Copy)]
pub(super) struct Parent<'a> {
    /// Its collection.
    pub(super) collection: &'a Collection,
    /// Its id.
    pub(super) id: &'a str,
    /// The name of the relationship.
    pub(super) relation_name: &'a str,
}

/// The resources.
pub(super) struct Pool<'a> {
    /// Where they come from.
    snapshot: &'a dyn CatalogueSnapshot,
    /// How their links are written.
    links: &'a OwnedLinkStyle,
    /// What was read, rendered.
    resources: BTreeMap<MemberKey, Vec<u8>>,
    /// The keys of what was read, by where it stands.
    keys: BTreeMap<Ordinal, MemberKey>,
    /// How many members there were.
    num_members: usize,
    /// How many bytes the answer has.
    num_bytes: usize,
}

impl<'a> Pool<'a> {
    /// Makes an empty one for an answer that has some bytes already.
    pub(super) fn new(snapshot: &'a dyn CatalogueSnapshot, links: &'a OwnedLinkStyle, num_bytes: usize) -> Self {
        Self { snapshot, links, resources: BTreeMap::new(), keys: BTreeMap::new(), num_members: 0, num_bytes }
    }

    /// Adds the resource of a type with an id, if it was given.
    pub(super) async fn add_single(
        &mut self,
        parent: Parent<'_>,
        resource_type: &str,
        id: &str,
    ) -> Result<(), CatalogueProblem> {
        match self.snapshot.find(resource_type, id).await? {
            Some(ordinal) => self.read(parent, &[ordinal]).await,
            None => Ok(()),
        }
    }

    /// Adds the members of a relationship of a resource, of the first of some types that any was given of, and returns their keys.
    pub(super) async fn add_related(
        &mut self,
        parent: Parent<'_>,
        resource: &LinkedResource<'_>,
        member_types: &[&str],
    ) -> Result<Vec<MemberKey>, CatalogueProblem> {
        let selection = linked::selection(self.snapshot.contents(), resource, parent.relation_name, member_types);
        let Some(selection) = selection else { return Ok(Vec::new()) };
        let listing = self.snapshot.select(selection).await?;
        self.num_members += listing.len();
        if self.num_members > MEMBERS_MAX {
            return Err(parent.too_much());
        }
        let ordinals = listing.ordinals(0..listing.len());
        self.read(parent, &ordinals).await?;
        Ok(ordinals.iter().filter_map(|ordinal| self.keys.get(ordinal).cloned()).collect())
    }

    /// Reads those of some resources that were not read before.
    async fn read(&mut self, parent: Parent<'_>, ordinals: &[Ordinal]) -> Result<(), CatalogueProblem> {
        let unread: Vec<_> = ordinals.iter().copied().filter(|ordinal| !self.keys.contains_key(ordinal)).collect();
        for unread in unread.chunks(MEMBERS_PER_READ) {
            source::take_memory(self.snapshot, unread.len())?;
            let (bodies, links) = (self.snapshot.resources(unread.to_vec()).await?, self.links.clone());
            let render = move || {
                let members = bodies.iter().map(|body| {
                    let rendered = document::rendered(body, links.style());
                    let LinkedResource { resource_type, id, .. } = LinkedResource::parse(&rendered)?;
                    Ok(((resource_type, id), rendered))
                });
                members.collect::<Result<Vec<_>, SourceError>>()
            };
            for (&ordinal, (key, rendered)) in unread.iter().zip(blocking(render).await?) {
                self.num_bytes += rendered.len();
                self.keys.insert(ordinal, key.clone());
                self.resources.insert(key, rendered);
            }
            if self.num_bytes > BYTES_MAX {
                return Err(parent.too_much());
            }
        }
        Ok(())
    }

    /// Returns the resources by type and id.
    pub(super) fn into_resources(self) -> BTreeMap<MemberKey, Vec<u8>> {
        self.resources
    }
}

impl Parent<'_> {
    /// Refuses to include so much.
    fn too_much(self) -> CatalogueProblem {
        let Self { collection, id, relation_name } = self;
        // What has one member at most is no collection.
        let is_collection = collection.relations.iter().any(|relation| relation.name == relation_name);
        let path =
            if is_collection { format!(", here /{}/{id}/{relation_name}", collection.path) } else { String::new() };
        let detail = format!(
            "An answer with included resources has {MEMBERS_MAX} of them and {} MiB at most. Ask for fewer resources a page, or page \
            through the related collection{path}.",
            BYTES_MAX >> 20
        );
        CatalogueProblem::Request { detail, code: "parse_error" }
    }
}
