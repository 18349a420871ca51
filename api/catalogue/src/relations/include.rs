//! Included resources: members of relationships that an answer contains.

mod pool;

use std::collections::BTreeSet;
use std::sync::Arc;

use api_http::error::shown;
use store_catalogue::ResourceBody;
use store_catalogue::model::{BIOMES, STUDIES};

use self::pool::{Parent, Pool};
use crate::collections::Collection;
use crate::pages::biome_counts;
use crate::problem::CatalogueProblem;
use crate::render::document::Data;
use crate::render::resource::{Linkage, Resource};
use crate::request::context::Context;
use crate::request::fields::SparseFields;
use crate::request::query::Query;

const INCLUDE: &str = "include";

#[derive(Debug)]
pub(crate) struct Include {
    names: Vec<&'static str>,
    fields: SparseFields,
    /// If not set, included biomes have only name, lineage and children.
    has_full_biomes: bool,
}

impl Include {
    /// Reads `include`, a comma list, and the sparse fields of a request for a list or a single
    /// resource.
    pub(crate) fn parse(collection: &Collection, is_list: bool, query: &Query) -> Result<Self, CatalogueProblem> {
        let more = if is_list { &[] } else { collection.single_includes };
        let mut names = Vec::new();
        for name in query.filled(INCLUDE).into_iter().flat_map(|list| list.split(',')) {
            let Some(offered) = collection.includes.iter().chain(more).find(|offered| **offered == name) else {
                let detail = format!("This endpoint does not support the include parameter for path {}", shown(name));
                return Err(CatalogueProblem::Request { detail, code: "parse_error" });
            };
            if !names.contains(offered) {
                names.push(*offered);
            }
        }
        let fields = SparseFields::parse(query);
        for always in collection.always_included {
            if fields.shows(&collection.resource_type, always) && !names.contains(always) {
                names.push(*always);
            }
        }
        // The real service does the same.
        let has_full_biomes = !is_list && collection.resource_type == STUDIES;
        Ok(Self { names, fields, has_full_biomes })
    }

    /// Returns resources with the included members in their relationships and without the fields
    /// that are not wanted, and the content of the list of included resources.
    pub(crate) fn complete<'a>(
        &self,
        collection: &Collection,
        bodies: Vec<Arc<ResourceBody>>,
        context: &'a Context,
    ) -> Result<(Data<'a>, Option<Vec<u8>>), CatalogueProblem> {
        let Self { names, fields, .. } = self;
        if names.is_empty() && fields.is_all() {
            return Ok((Data::Stored(bodies, &context.links), None));
        }
        let resources = bodies.iter().map(|body| Resource::render(body, &context.links));
        let mut resources = resources.collect::<Result<Vec<_>, _>>()?;
        let included = if names.is_empty() { None } else { Some(self.gather(collection, &mut resources, context)?) };
        if collection.resource_type == BIOMES {
            biome_counts::add(fields, &context.snapshot, &mut resources)?;
        }
        let join = |resources: &[Resource]| {
            fields.join(resources.iter().map(|resource| (resource.resource_type(), &*resource.json)))
        };
        Ok((Data::Json(join(&resources)?), included.as_deref().map(join).transpose()?))
    }

    /// Adds the members of the included relationships to resources, and returns the members by type
    /// and id, each once and without the resources themselves. Members that were never loaded are
    /// not included.
    fn gather(
        &self,
        collection: &Collection,
        resources: &mut [Resource],
        context: &Context,
    ) -> Result<Vec<Resource>, CatalogueProblem> {
        let mut pool = Pool::new(context, resources.iter().map(|resource| resource.json.len()).sum());
        for resource in &mut *resources {
            for &name in &self.names {
                let id = resource.id().to_owned();
                let parent = Parent { collection, id: &id, relation: name };
                if let Some(relation) = collection.relation(name) {
                    let members = pool.add_related(parent, resource, relation)?;
                    resource.add_linkage(name, &members)?;
                } else if let Some(Linkage::ToOne(Some((member_type, id)))) = resource.linkage(name)? {
                    pool.add_single(parent, &member_type, &id)?;
                }
            }
        }
        let own: BTreeSet<_> = resources.iter().map(|resource| &resource.key).collect();
        let mut included: Vec<_> = pool.into_resources().filter(|resource| !own.contains(&resource.key)).collect();
        if !self.has_full_biomes {
            for biome in included.iter_mut().filter(|resource| resource.resource_type() == BIOMES) {
                biome.reduce(&["biome-name", "lineage"], &["children"])?;
            }
        }
        Ok(included)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collections::lookup;

    fn names(resource_type: &str, is_list: bool, query: &str) -> Result<Vec<&'static str>, CatalogueProblem> {
        let collection = &lookup::of_type(resource_type);
        Include::parse(collection, is_list, &Query::parse(query)).map(|include| include.names)
    }

    #[test]
    fn offered_relationships_can_be_included() {
        assert_eq!(names("studies", true, "include=samples,biomes,samples").unwrap(), ["samples", "biomes"]);
        assert_eq!(names("studies", false, "include=publications").unwrap(), ["publications"]);
        assert!(names("studies", true, "include=").unwrap().is_empty());
        assert!(names("cog-cats", true, "").unwrap().is_empty());
    }

    #[test]
    fn other_relationships_are_refused_by_name() {
        for (path, is_list, query, name) in [
            ("studies", true, "include=biomes,publications", "publications"),
            ("samples", false, "include=Runs", "Runs"),
            ("cog-cats", true, "include=x.y", "x.y"),
            ("assemblies", true, "include=runs,", ""),
        ] {
            let Err(CatalogueProblem::Request { detail, code: "parse_error" }) = names(path, is_list, query) else {
                panic!("{query} is accepted")
            };
            assert_eq!(detail, format!("This endpoint does not support the include parameter for path {name}"));
        }
    }
}
