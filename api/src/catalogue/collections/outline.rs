//! What can be asked of a collection, for forms.

use store::CatalogueContents;
use store::model::Members;

use super::collection::Collection;
use super::lookup;

/// A collection as a form needs it.
#[derive(Clone, Debug)]
pub(crate) struct CollectionOutline {
    /// The path below the prefix, without a slash.
    pub(crate) path: String,
    pub(crate) resource_type: String,
    /// What one of its resources is called, such as `Study`.
    pub(crate) name: String,
    pub(crate) description: &'static str,
    /// The filters: names and descriptions.
    pub(crate) filters: Vec<(&'static str, &'static str)>,
    pub(crate) orders: Vec<&'static str>,
    /// The related collections of a resource whose members are resources: names, and the paths of the members' collections.
    pub(crate) relations: Vec<(&'static str, String)>,
}

impl CollectionOutline {
    /// Returns the outline of the collection at a path.
    pub(crate) fn at(path: &str, contents: &CatalogueContents) -> Option<Self> {
        lookup::at_path(path, contents).map(|collection| Self::of(&collection))
    }

    /// Returns the outline of the collection of a type.
    pub(crate) fn of_type(resource_type: &str) -> Self {
        Self::of(&lookup::of_type(resource_type))
    }

    /// Returns the path of the collection of the members of a relation.
    pub(crate) fn member_collection(&self, relation: &str) -> Option<&str> {
        self.relations.iter().find(|(name, _)| *name == relation).map(|(_, path)| path.as_str())
    }

    fn of(collection: &Collection) -> Self {
        let members = collection
            .relations
            .iter()
            .filter(|relation| !matches!(relation.members, Members::Places | Members::MetadataEntries));
        let path_of = |resource_type: &&str| lookup::of_type(resource_type).path.to_string();
        Self {
            path: collection.path.to_string(),
            resource_type: collection.resource_type.to_string(),
            name: collection.name.to_string(),
            description: collection.description,
            filters: collection.filters().map(|filter| (filter.name, filter.description)).collect(),
            orders: collection.orders.iter().map(|(name, _)| *name).collect(),
            relations: members
                .filter_map(|relation| Some((relation.name, relation.member_types.first().map(path_of)?)))
                .collect(),
        }
    }
}
