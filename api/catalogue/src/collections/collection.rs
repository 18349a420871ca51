//! The record of a collection, from which the routes, the answers, the description of the service
//! and the portal are made.

use std::borrow::Cow;

use store_catalogue::model::{Relation, ResourceType, SortKey};

use super::filter::{Filter, FilterKind, FilterScope};

/// A collection, with its filters, orders and includes.
#[derive(Clone, Debug)]
pub struct Collection {
    /// The path below the prefix, without a slash.
    pub path: Cow<'static, str>,
    /// The type of its resources.
    pub resource_type: Cow<'static, str>,
    /// The name of one of its resources, in `OPTIONS` (`Study List`, `Study Instance`) and, without
    /// spaces, in the name of a CSV file.
    pub name: Cow<'static, str>,
    /// Its resources in words, for people.
    pub description: &'static str,
    pub(crate) id: Id,
    /// If set, only ids find related collections, as in the real service. Other identifiers do not.
    pub(crate) is_related_by_id_only: bool,
    /// The orders by name.
    pub orders: &'static [(&'static str, SortKey)],
    /// The filters in groups, some of which are shared by several collections.
    pub(crate) filters: &'static [&'static [Filter]],
    /// If set, unknown parameters of the list are always refused, as by the real service.
    pub(crate) refuses_unknown: bool,
    /// The relationships that lists and single resources can include.
    pub(crate) includes: &'static [&'static str],
    /// The relationships that only single resources can include, in addition to the others.
    pub(crate) single_includes: &'static [&'static str],
    /// The relationships that are always included, unless sparse fields exclude them.
    pub(crate) always_included: &'static [&'static str],
    /// Collections of resources that belong to a resource of this collection.
    pub relations: &'static [Relation],
    /// Relationships that the real service gives as links without their members. They are not
    /// columns of a CSV table, whereas other relationships without members are empty columns.
    pub(crate) links_alone: &'static [&'static str],
    /// The attributes that the portal shows by default. If there are none, it shows the first ones
    /// of the resources.
    pub columns: &'static [&'static str],
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Id {
    pub(crate) form: IdForm,
    pub(crate) description: &'static str,
    pub(crate) example: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IdForm {
    Text,
    /// A text that tables show as a number.
    Number,
    /// A name that several resources share, followed by a slash and the version.
    WithVersion,
}

impl Id {
    pub(super) const fn new(description: &'static str, example: &'static str) -> Self {
        Self { form: IdForm::Text, description, example }
    }
}

impl Collection {
    /// Returns the collection of a type from the model, without filters, includes and columns.
    pub(super) fn of(resource_type: &str) -> Self {
        let &ResourceType { path, singular, orders, relations, .. } = ResourceType::rules_of(resource_type);
        Self {
            path: Cow::Borrowed(path),
            resource_type: Cow::Owned(resource_type.to_owned()),
            name: Cow::Borrowed(singular),
            description: "Resources as they were loaded.",
            id: Id::new("The id.", "25"),
            is_related_by_id_only: false,
            orders,
            filters: &[],
            refuses_unknown: false,
            includes: &[],
            single_includes: &[],
            always_included: &[],
            relations,
            links_alone: &[],
            columns: &[],
        }
    }

    /// Returns the filters.
    pub fn filters(&self) -> impl Iterator<Item = &'static Filter> + use<> {
        self.filters.iter().copied().flatten()
    }

    /// Returns the resources whose biomes are used by filters and conditions, if there are any.
    pub(crate) fn biome_scope(&self) -> Option<FilterScope> {
        let of_filter = self.filters().find_map(|filter| match filter.kind {
            FilterKind::Lineage(scope) => Some(scope),
            _ => None,
        });
        let has_its_own = ResourceType::rules_of(&self.resource_type).biome_relation.is_some();
        of_filter.or_else(|| has_its_own.then_some(FilterScope::Own))
    }

    /// Returns the samples whose metadata are used by filters and conditions, if there are any.
    pub(crate) fn metadata_scope(&self) -> Option<FilterScope> {
        self.filters().find_map(|filter| match filter.kind {
            FilterKind::MetadataKey(scope) => Some(scope),
            _ => None,
        })
    }

    pub(crate) fn is_searched(&self) -> bool {
        self.filters().any(|filter| matches!(filter.kind, FilterKind::Text(_)))
    }

    /// Returns the related collection with a name.
    pub fn relation(&self, name: &str) -> Option<&'static Relation> {
        self.relations.iter().find(|relation| relation.name == name)
    }
}
