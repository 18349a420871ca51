//! Included resources: members of relationships that an answer carries along.

mod linkage;
mod pool;

use std::collections::BTreeSet;

use self::pool::{Parent, Pool};
use store::model::{BIOMES, STUDIES};

use super::collection::Collection;
use super::linked::LinkedResource;
use super::links::OwnedLinkStyle;
use super::problem::CatalogueProblem;
use super::query::Query;
use super::source::CatalogueSnapshot;
use crate::blocking::blocking;

/// The parameter.
const INCLUDE: &str = "include";

/// The relationships whose members a request wants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Include {
    /// Their names.
    names: Vec<&'static str>,
    /// Whether biomes come in full rather than with name, lineage and children alone.
    has_full_biomes: bool,
}

/// An answer's resources with those that it includes, all in JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Gathered {
    /// The resources, whose relationships name what is included.
    pub(super) data: Vec<Vec<u8>>,
    /// The included ones, each once and none that is among the others, by type and id.
    pub(super) included: Vec<Vec<u8>>,
}

impl Include {
    /// Tells whether nothing is to be included.
    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// Reads which relationships a request for a list or a single resource includes, a comma list.
///
/// # Errors
///
/// * One of them cannot be included here.
pub(super) fn requested(collection: &Collection, is_list: bool, query: &Query) -> Result<Include, CatalogueProblem> {
    let offered = if is_list { collection.list_includes } else { collection.single_includes };
    let mut names = Vec::new();
    for asked in query.filled(INCLUDE).into_iter().flat_map(|list| list.split(',')) {
        let Some(name) = offered.iter().find(|name| **name == asked) else {
            let detail = format!("This endpoint does not support the include parameter for path {asked}");
            return Err(CatalogueProblem::Request { detail, code: "parse_error" });
        };
        if !names.contains(name) {
            names.push(*name);
        }
    }
    // So does the real service.
    let has_full_biomes = !is_list && collection.resource_type == STUDIES;
    Ok(Include { names, has_full_biomes })
}

/// Completes the relationships of resources that stand rendered on a page, and gathers their members. What is known of a
/// relationship stays; members that were never given are not included.
///
/// # Errors
///
/// * There are too many members for one answer.
/// * The engine failed.
pub(super) async fn gather(
    include: &Include,
    collection: &Collection,
    bodies: Vec<Vec<u8>>,
    links: &OwnedLinkStyle,
    snapshot: &dyn CatalogueSnapshot,
) -> Result<Gathered, CatalogueProblem> {
    let mut pool = Pool::new(snapshot, links, bodies.iter().map(Vec::len).sum());
    let mut data = Vec::with_capacity(bodies.len());
    let mut own = BTreeSet::new();
    for mut body in bodies {
        for &name in &include.names {
            let resource = LinkedResource::parse(&body)?;
            let parent = Parent { collection, id: &resource.id, relation_name: name };
            if let Some(relation) = collection.relations.iter().find(|relation| relation.name == name) {
                let members = pool.add_related(parent, &resource, relation.member_types).await?;
                body = blocking(move || linkage::complete(&body, name, &members)).await?;
            } else if let Some((member_type, id)) = resource.only_member(name) {
                // What is no related collection has one member at most, which is named already, or null.
                pool.add_single(parent, &member_type, &id).await?;
            }
        }
        let resource = LinkedResource::parse(&body)?;
        own.insert((resource.resource_type, resource.id));
        data.push(body);
    }
    let (resources, has_full_biomes) = (pool.into_resources(), include.has_full_biomes);
    let included = blocking(move || {
        let included = resources.into_iter().filter(|(key, _)| !own.contains(key));
        let included = included.map(|((member_type, _), rendered)| {
            let is_reduced = member_type == BIOMES && !has_full_biomes;
            if is_reduced { linkage::reduce_biome(&rendered) } else { Ok(rendered) }
        });
        included.collect::<Result<_, _>>()
    });
    Ok(Gathered { data, included: included.await? })
}

#[cfg(test)]
mod tests {
    use super::super::collection::COLLECTIONS;
    use super::*;

    fn names(path: &str, is_list: bool, query: &str) -> Result<Vec<&'static str>, CatalogueProblem> {
        let collection = COLLECTIONS.iter().find(|collection| collection.path == path).unwrap();
        requested(collection, is_list, &Query::parse(query)).map(|include| include.names)
    }

    #[test]
    fn what_is_offered_can_be_included() {
        assert_eq!(names("studies", true, "include=samples,biomes,samples").unwrap(), ["samples", "biomes"]);
        assert_eq!(names("studies", false, "include=publications").unwrap(), ["publications"]);
        assert!(names("studies", true, "include=").unwrap().is_empty());
        assert!(names("cogs", true, "").unwrap().is_empty());
    }

    #[test]
    fn anything_else_is_refused_by_name() {
        for (path, is_list, query, name) in [
            ("studies", true, "include=biomes,publications", "publications"),
            ("samples", false, "include=Runs", "Runs"),
            ("cogs", true, "include=x.y", "x.y"),
            ("assemblies", true, "include=runs,", ""),
        ] {
            let Err(CatalogueProblem::Request { detail, code: "parse_error" }) = names(path, is_list, query) else {
                panic!("{query} is accepted")
            };
            assert_eq!(detail, format!("This endpoint does not support the include parameter for path {name}"));
        }
    }
}
