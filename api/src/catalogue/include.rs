//! Included resources: members of relationships that an answer carries along.

mod linkage;
mod pool;

use store::LinkStyle;

use self::pool::Pool;
use super::collection::Collection;
use super::linked::LinkedResource;
use super::problem::CatalogueProblem;
use super::query::Query;
use super::source::CatalogueSnapshot;

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
    let has_full_biomes = !is_list && collection.resource_type == "studies";
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
    links: LinkStyle<'_>,
    snapshot: &dyn CatalogueSnapshot,
) -> Result<Gathered, CatalogueProblem> {
    let mut pool = Pool::new(snapshot, links);
    let mut data = Vec::with_capacity(bodies.len());
    let mut own = Vec::with_capacity(bodies.len());
    for mut body in bodies {
        for name in &include.names {
            let resource = LinkedResource::parse(&body)?;
            // A single member is named already.
            if let Some((member_type, id)) = resource.only_member(name) {
                pool.add_single(&member_type, &id).await?;
            } else {
                let members = pool.add_related(collection, &resource, name).await?;
                body = linkage::complete(&body, name, &members)?;
            }
        }
        if !include.is_empty() {
            let resource = LinkedResource::parse(&body)?;
            own.push((resource.resource_type, resource.id));
        }
        data.push(body);
    }
    let included = pool.into_resources().filter(|(key, _)| !own.contains(key));
    let included = included.map(|((member_type, _), rendered)| {
        let is_reduced = member_type == "biomes" && !include.has_full_biomes;
        if is_reduced { linkage::reduce_biome(&rendered) } else { Ok(rendered) }
    });
    let included = included.collect::<Result<_, _>>()?;
    Ok(Gathered { data, included })
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
