//! Sparse fields: the parts of resources that a request asks for.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use api_http::error::shown;
use store_catalogue::CatalogueContents;
use store_catalogue::model::ResourceType;

use super::query::Query;
use super::similar_names::did_you_mean;
use crate::collections::lookup;
use crate::render::raw_object::RawObject;

/// The name of the field for a resource's link to itself.
const URL: &str = "url";

/// Fields that are only computed on request.
const COMPUTED: [&str; 3] = [URL, "lineage_samples_count", "lineage_studies_count"];

/// The fields that a request asks for. Their names have underscores.
///
/// `fields[studies]=accession,biomes` keeps these attributes and relationships of studies, and
/// their links to themselves. `fields=…` does so for all types, but keeps the link only if `url` is
/// among the names, as the real service does. Names with dashes, as in resources, are the same as
/// those with underscores.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SparseFields {
    /// The fields of all types, or `None` for all fields.
    of_all: Option<BTreeSet<String>>,
    of_type: BTreeMap<String, BTreeSet<String>>,
}

/// Returns the fields of a parameter `fields[type]` that no resource of the type has, each with an
/// explanation. If the type was not loaded, its fields are unknown, and none is returned.
pub(super) fn unknown<'a>(parameter: &str, list: &'a str, contents: &CatalogueContents) -> Vec<(&'a str, String)> {
    let resource_type = parameter.strip_prefix("fields[").and_then(|rest| rest.strip_suffix(']')).unwrap_or_default();
    let collection = lookup::of_type(resource_type);
    let Some(contents) = contents.types.get(resource_type) else {
        if lookup::is_modelled(&collection) || ResourceType::rules_of(resource_type).name == resource_type {
            return Vec::new();
        }
        return vec![(list, format!("This catalogue has no resources of the type {:?}.", shown(resource_type)))];
    };
    let groups = ["attributes", "relationships"].into_iter().filter_map(|group| contents.shape.members.get(group));
    let mut known: Vec<String> =
        groups.flat_map(|group| group.members.keys()).map(|name| name.replace('-', "_")).collect();
    known.extend(collection.relations.iter().map(|relation| relation.name.replace('-', "_")));
    known.extend(COMPUTED.map(str::to_owned));
    let names = list.split(',').map(str::trim).filter(|name| !name.is_empty());
    let unknown = names.filter(|name| !known.contains(&name.replace('-', "_")));
    let detail = |name: &str| {
        let advice = did_you_mean(known.iter().map(String::as_str), name);
        format!("No resource of the type {resource_type:?} has a field {:?}.{advice}", shown(name))
    };
    unknown.map(|name| (name, detail(name))).collect()
}

impl SparseFields {
    /// Reads the parameters. An empty `fields=` selects everything, an empty `fields[type]=`
    /// selects no field.
    pub(crate) fn parse(query: &Query) -> Self {
        let names = |list: &str| list.split(',').map(|name| name.replace('-', "_")).collect();
        let types = query.pairs().filter_map(|(parameter, list)| {
            let resource_type = parameter.strip_prefix("fields[")?.strip_suffix(']')?;
            Some((resource_type.to_owned(), names(list)))
        });
        Self { of_all: query.filled("fields").map(names), of_type: types.collect() }
    }

    pub(crate) fn is_all(&self) -> bool {
        self.of_all.is_none() && self.of_type.is_empty()
    }

    /// Returns whether an attribute or a relationship of a type is requested. `member` has dashes,
    /// as in the resource.
    pub(crate) fn shows(&self, resource_type: &str, member: &str) -> bool {
        let field = member.replace('-', "_");
        self.of_all.as_ref().is_none_or(|fields| fields.contains(&field))
            && self.of_type.get(resource_type).is_none_or(|fields| fields.contains(&field))
    }

    /// Returns whether an attribute of a type is named in the request. `member` has dashes.
    pub(crate) fn names(&self, resource_type: &str, member: &str) -> bool {
        (self.of_all.is_some() || self.of_type.contains_key(resource_type)) && self.shows(resource_type, member)
    }

    pub(crate) fn shows_url(&self) -> bool {
        self.of_all.as_ref().is_none_or(|fields| fields.contains(URL))
    }

    /// Returns the JSON of a resource with its type, its id and only the requested fields. Kept
    /// parts are copied byte by byte.
    pub(crate) fn apply<'a>(&self, resource_type: &str, json: &'a [u8]) -> Result<Cow<'a, [u8]>, serde_json::Error> {
        if self.of_all.is_none() && !self.of_type.contains_key(resource_type) {
            return Ok(Cow::Borrowed(json));
        }
        let members = RawObject::parse(json)?;
        let kept = |group| {
            let mut kept = members.object(group);
            kept.retain(|member| self.shows(resource_type, member));
            kept
        };
        let (attributes, relationships, mut reduced) = (kept("attributes"), kept("relationships"), members.clone());
        reduced.set("attributes", &attributes)?;
        if relationships.is_empty() {
            reduced.retain(|member| member != "relationships");
        } else {
            reduced.set("relationships", &relationships)?;
        }
        if !self.shows_url() {
            reduced.retain(|member| member != "links");
        }
        serde_json::to_vec(&reduced).map(Cow::Owned)
    }

    pub(crate) fn join<'a>(
        &self,
        resources: impl IntoIterator<Item = (&'a str, &'a [u8])>,
    ) -> Result<Vec<u8>, serde_json::Error> {
        let mut list = Vec::new();
        for (resource_type, json) in resources {
            if !list.is_empty() {
                list.push(b',');
            }
            list.extend_from_slice(&self.apply(resource_type, json)?);
        }
        Ok(list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A study of the real service, shortened.
    const STUDY: &str = r#"{"type":"studies","id":"MGYS00002008","attributes":{"accession":"MGYS00002008","samples-count":1,"study-name":"Tara  Oceans","centre-name":null},"relationships":{"samples":{"links":{"related":"http://h/studies/MGYS00002008/samples"}},"biomes":{"links":{"related":"http://h/studies/MGYS00002008/biomes"},"data":[{"type":"biomes","id":"root:Environmental"}]}},"links":{"self":"http://h/studies/MGYS00002008"}}"#;

    /// A functional category.
    const COG: &str = r#"{"type":"cog-cats","id":"25","attributes":{"name":"Z","description":"Cytoskeleton"}}"#;

    const BIOMES: &str = r#""biomes":{"links":{"related":"http://h/studies/MGYS00002008/biomes"},"data":[{"type":"biomes","id":"root:Environmental"}]}"#;
    const SELF: &str = r#""links":{"self":"http://h/studies/MGYS00002008"}"#;

    fn applied(query: &str, resource_type: &str, rendered: &str) -> String {
        let fields = SparseFields::parse(&Query::parse(query));
        String::from_utf8(fields.apply(resource_type, rendered.as_bytes()).unwrap().into_owned()).unwrap()
    }

    #[test]
    fn resources_keep_the_requested_fields() {
        let head = r#"{"type":"studies","id":"MGYS00002008","attributes":"#;
        let cases = [
            ("", STUDY.to_owned()),
            ("fields=", STUDY.to_owned()),
            ("fields[samples]=accession", STUDY.to_owned()),
            (
                "fields[studies]=accession,study_name,biomes",
                format!(
                    r#"{head}{{"accession":"MGYS00002008","study-name":"Tara  Oceans"}},"relationships":{{{BIOMES}}},{SELF}}}"#
                ),
            ),
            (
                "fields%5Bstudies%5D=accession,study-name",
                format!(r#"{head}{{"accession":"MGYS00002008","study-name":"Tara  Oceans"}},{SELF}}}"#),
            ),
            ("fields[studies]=", format!("{head}{{}},{SELF}}}")),
            ("fields[studies]=accession&fields[studies]=nope", format!("{head}{{}},{SELF}}}")),
            ("fields=centre_name", format!(r#"{head}{{"centre-name":null}}}}"#)),
            ("fields=centre_name,url", format!(r#"{head}{{"centre-name":null}},{SELF}}}"#)),
            ("fields=accession,biomes&fields[studies]=biomes", format!(r#"{head}{{}},"relationships":{{{BIOMES}}}}}"#)),
        ];
        for (query, expected) in cases {
            assert_eq!(applied(query, "studies", STUDY), expected, "{query}");
        }
    }

    #[test]
    fn a_resource_without_relationships_gets_none() {
        let expected = r#"{"type":"cog-cats","id":"25","attributes":{"name":"Z"}}"#;
        assert_eq!(applied("fields[cog-cats]=name", "cog-cats", COG), expected);
        assert_eq!(applied("fields=name", "cog-cats", COG), expected);
    }

    #[test]
    fn other_json_is_an_error() {
        assert!(SparseFields::parse(&Query::parse("fields=name")).apply("cog-cats", b"[1]").is_err());
    }

    #[test]
    fn only_filled_fields_parameters_select_fields() {
        let is_all = |query| SparseFields::parse(&Query::parse(query)) == SparseFields::default();
        assert!(is_all("") && is_all("fields=") && is_all("fieldsx=1"));
        assert!(!is_all("fields=a") && !is_all("fields[samples]="));
    }
}
