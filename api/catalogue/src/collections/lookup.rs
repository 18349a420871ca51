//! Finds collections with a record, and collections of other types that were loaded.

use std::borrow::Cow;
use std::sync::LazyLock;

use store_catalogue::CatalogueContents;
use store_catalogue::model::{Relation, ResourceType};

use super::collection::Collection;
use super::common_filters::OF_OTHER_TYPES;
use super::{analyses, genomes, samples};

/// The collections with a record, in the order in which the root lists them.
pub(crate) static COLLECTIONS: LazyLock<Vec<Collection>> = LazyLock::new(|| {
    samples::collections().into_iter().chain(analyses::collections()).chain(genomes::collections()).collect()
});

/// Returns the collection at the first segment of a path.
pub fn at_path(path: &str, contents: &CatalogueContents) -> Option<Cow<'static, Collection>> {
    if let Some(collection) = COLLECTIONS.iter().find(|collection| collection.path == path) {
        return Some(Cow::Borrowed(collection));
    }
    // A type with a record is only found at the path of its record.
    let is_other = contents.types.contains_key(path) && modelled(path).is_none() && !ResourceType::is_hidden(path);
    is_other.then(|| Cow::Owned(unmodelled(path)))
}

/// Returns the collection of a type of resources.
pub fn of_type(resource_type: &str) -> Cow<'static, Collection> {
    modelled(resource_type).map_or_else(|| Cow::Owned(unmodelled(resource_type)), Cow::Borrowed)
}

/// Returns the collection of the members of a relation, unless they are made from other resources.
pub fn of_members(relation: &Relation) -> Option<Cow<'static, Collection>> {
    relation.members.are_resources().then(|| of_type(relation.member_types[0]))
}

pub(crate) fn all(contents: &CatalogueContents) -> impl Iterator<Item = Cow<'static, Collection>> {
    let others = contents.shown_types().map(|(name, _)| name).filter(|resource_type| modelled(resource_type).is_none());
    COLLECTIONS.iter().map(Cow::Borrowed).chain(others.map(|resource_type| Cow::Owned(unmodelled(resource_type))))
}

/// Returns whether a collection has a record, so that its related collections are known.
pub(crate) fn is_modelled(collection: &Collection) -> bool {
    modelled(&collection.resource_type).is_some()
}

fn modelled(resource_type: &str) -> Option<&'static Collection> {
    COLLECTIONS.iter().find(|collection| collection.resource_type == resource_type)
}

fn unmodelled(resource_type: &str) -> Collection {
    let name = Cow::Owned(title_case(resource_type));
    let path = Cow::Owned(resource_type.to_owned());
    Collection { path, name, filters: &[OF_OTHER_TYPES], ..Collection::of(resource_type) }
}

/// Returns a name in words: `analysis-jobs` becomes `Analysis Jobs`.
pub(crate) fn title_case(name: &str) -> String {
    let words = name.split(['-', '_']).map(|word| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::{BufRead, BufReader};

    use flate2::read::MultiGzDecoder;
    use serde_json::Value;

    use super::*;
    use store_catalogue::{Shape, TypeContents};

    fn contents(types: &[&str]) -> CatalogueContents {
        let contents = || TypeContents { first: 0, num_resources: 1, shape: Shape::default(), orders: Vec::new() };
        let types = types.iter().map(|name| ((*name).to_owned(), contents())).collect();
        CatalogueContents { types, ..CatalogueContents::default() }
    }

    fn types_at(paths: &[&str], contents: &CatalogueContents) -> Vec<Option<String>> {
        paths.iter().map(|path| at_path(path, contents).map(|found| found.resource_type.to_string())).collect()
    }

    #[test]
    fn collections_are_found_by_path() {
        let loaded = contents(&["analysis-jobs", "cog-cats", "organisms"]);
        let found = types_at(&["cogs", "samples", "runs", "analyses", "organisms"], &loaded);
        let expected = ["cog-cats", "samples", "runs", "analysis-jobs", "organisms"];
        assert_eq!(found, expected.map(|name| Some(name.to_owned())));
        assert_eq!(types_at(&["cog-cats", "analysis-jobs", "downloads", "", "Cogs"], &loaded), [const { None }; 5]);
    }

    #[test]
    fn all_collections_are_listed_once() {
        let loaded = contents(&["analysis-jobs", "cog-cats", "organisms"]);
        let paths: Vec<_> = all(&loaded).map(|found| found.path.to_string()).collect();
        assert_eq!(paths.len(), COLLECTIONS.len() + 1);
        assert_eq!([&paths[0], &paths[7], &paths[COLLECTIONS.len()]], ["biomes", "analyses", "organisms"]);
        assert_eq!(title_case("analysis-jobs"), "Analysis Jobs");
    }

    /// The portal would silently leave out a column that no resource has.
    #[test]
    fn columns_and_links_are_those_of_real_resources() {
        let mut num_read = 0;
        for collection in COLLECTIONS.iter() {
            let file =
                format!("{}/../../data/catalogue/collections/{}.jsonl.gz", env!("CARGO_MANIFEST_DIR"), collection.path);
            let Ok(opened) = File::open(&file) else { continue };
            let mut line = String::new();
            BufReader::new(MultiGzDecoder::new(opened)).read_line(&mut line).expect(&file);
            let resource: Value = serde_json::from_str(&line).expect(&file);
            for (part, names) in [("attributes", collection.columns), ("relationships", collection.links_alone)] {
                assert!(names.iter().all(|name| resource[part].get(name).is_some()), "{names:?} of {resource}");
            }
            num_read += 1;
        }
        assert_eq!(num_read, 11);
    }
}
