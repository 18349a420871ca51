//! Which collections there are: those of the table, and those of other types that were loaded.

use std::borrow::Cow;

use store::CatalogueContents;
use store::model::OTHER_PATHS;

use super::collection::{COLLECTIONS, Collection};

pub(super) fn at_path(path: &str, contents: &CatalogueContents) -> Option<Cow<'static, Collection>> {
    if let Some(collection) = COLLECTIONS.iter().find(|collection| collection.path == path) {
        return Some(Cow::Borrowed(collection));
    }
    let other = OTHER_PATHS.iter().find(|(other_path, _)| *other_path == path).map(|(_, resource_type)| *resource_type);
    let mut resource_types = other.into_iter().chain([path]);
    let resource_type = resource_types.find(|resource_type| contents.types.contains_key(*resource_type))?;
    // A type of the table is reached by the path of the table alone.
    of_model(resource_type).is_none().then(|| Cow::Owned(unmodelled(resource_type)))
}

pub(super) fn of_type(resource_type: &str) -> Cow<'static, Collection> {
    of_model(resource_type).map_or_else(|| Cow::Owned(unmodelled(resource_type)), Cow::Borrowed)
}

pub(super) fn all(contents: &CatalogueContents) -> impl Iterator<Item = Cow<'static, Collection>> {
    let others = contents.types.keys().filter(|resource_type| of_model(resource_type).is_none());
    COLLECTIONS.iter().map(Cow::Borrowed).chain(others.map(|resource_type| Cow::Owned(unmodelled(resource_type))))
}

/// Tells whether a collection is one of the table, so that its related collections are known.
pub(super) fn is_modelled(collection: &Collection) -> bool {
    of_model(&collection.resource_type).is_some()
}

fn of_model(resource_type: &str) -> Option<&'static Collection> {
    COLLECTIONS.iter().find(|collection| collection.resource_type == resource_type)
}

/// Makes a collection of a type that the table does not have.
fn unmodelled(resource_type: &str) -> Collection {
    let path =
        OTHER_PATHS.iter().find(|(_, of_path)| *of_path == resource_type).map_or(resource_type, |(path, _)| path);
    let name = Cow::Owned(in_words(resource_type));
    Collection { path: Cow::Owned(path.to_owned()), name, ..Collection::of(resource_type) }
}

/// Returns a name as words: `analysis-jobs` becomes `Analysis Jobs`.
pub(super) fn in_words(name: &str) -> String {
    let words = name.split(['-', '_']).map(|word| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::{Shape, TypeContents};

    fn contents(types: &[&str]) -> CatalogueContents {
        let contents = || TypeContents { first: 0, num_resources: 1, shape: Shape::default(), orders: Vec::new() };
        let types = types.iter().map(|name| ((*name).to_owned(), contents())).collect();
        CatalogueContents { types, num_resources: 0, resources_file_bytes: 0, resources_crc32: 0 }
    }

    fn types_at(paths: &[&str], contents: &CatalogueContents) -> Vec<Option<String>> {
        paths.iter().map(|path| at_path(path, contents).map(|found| found.resource_type.to_string())).collect()
    }

    #[test]
    fn collections_are_found_by_path() {
        let loaded = contents(&["analysis-jobs", "cog-cats", "runs"]);
        let found = types_at(&["cogs", "samples", "runs", "analyses", "analysis-jobs"], &loaded);
        let expected = ["cog-cats", "samples", "runs", "analysis-jobs", "analysis-jobs"];
        assert_eq!(found, expected.map(|name| Some(name.to_owned())));
        assert_eq!(types_at(&["cog-cats", "publications", "", "Cogs"], &loaded), [None, None, None, None]);
        let own = contents(&["analyses"]);
        assert_eq!(types_at(&["analyses"], &own), [Some("analyses".to_owned())]);
    }

    #[test]
    fn all_collections_are_listed_once() {
        let paths: Vec<_> =
            all(&contents(&["analysis-jobs", "cog-cats", "runs"])).map(|found| found.path.to_string()).collect();
        let expected = ["biomes", "studies", "samples", "assemblies", "pipeline-tools", "cogs", "analyses", "runs"];
        assert_eq!(paths, expected);
        assert_eq!(in_words("analysis-jobs"), "Analysis Jobs");
    }
}
