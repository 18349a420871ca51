//! The kinds of filters.

use store_catalogue::Coordinate;

#[derive(Clone, Copy, Debug)]
pub struct Filter {
    pub name: &'static str,
    pub(crate) kind: FilterKind,
    pub description: &'static str,
}

/// The resources that a filter checks to decide about a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FilterScope {
    Own,
    /// The samples that the resource names.
    Samples,
    /// The runs that name the resource, which is a sample.
    Runs,
}

/// The meaning of a filter's value. Patterns are regular expressions, not anchored, in any letter
/// case. Attributes have their names with underscores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FilterKind {
    /// A comma list of identifiers of any kind, repeatable; unknown ones match nothing.
    AnyIdentifier,
    /// A comma list of main identifiers, repeatable; an unknown one is refused.
    MainIdentifier,
    /// The lineage of a known biome, which includes all biomes below it; an unknown one is refused.
    Lineage(FilterScope),
    LineagePattern(FilterScope),
    /// The name of the biome, which is the last level of its lineage: the whole name, or a part of
    /// it in any letter case.
    BiomeName(BiomePart),
    Pattern(&'static str, FilterScope),
    Attribute(&'static str),
    /// A number that the attribute equals.
    Number(&'static str),
    NumberMin(&'static str),
    NumberMax(&'static str),
    /// A part of the attribute, in any letter case.
    Contains(&'static str),
    /// A date; the attribute is after or before it.
    After(&'static str),
    Before(&'static str),
    /// A year, month, day or time; the attribute is not before it.
    DateMin(&'static str),
    /// A year, month, day or time; the attribute is before or within it.
    DateMax(&'static str),
    /// Values of an attribute; an unknown one is refused.
    Choice(Choices),
    CoordinateMin(Coordinate),
    CoordinateMax(Coordinate),
    /// West, south, east and north of a box.
    Box,
    /// Latitude and longitude of a point, and a distance from it in kilometres.
    Near,
    /// A known key of the metadata; an unknown one is refused.
    MetadataKey(FilterScope),
    MetadataValue(FilterScope),
    MetadataMin(FilterScope),
    MetadataMax(FilterScope),
    /// A comma list of identifiers of resources of this type, which are linked with the resource;
    /// an unknown one matches nothing.
    Linked(&'static str),
    /// Words in the texts of the resource, or also in those of its samples.
    Text(FilterScope),
}

impl FilterKind {
    /// Returns whether all values of a repeated parameter count.
    pub(crate) const fn is_repeatable(self) -> bool {
        matches!(self, Self::AnyIdentifier | Self::MainIdentifier | Self::Choice(Choices { is_comma_list: false, .. }))
    }

    /// Returns whether a value is a comma list.
    pub(crate) const fn takes_list(self) -> bool {
        matches!(
            self,
            Self::AnyIdentifier
                | Self::MainIdentifier
                | Self::Linked(_)
                | Self::Choice(Choices { is_comma_list: true, .. })
        )
    }

    /// Returns the attribute that the filter checks, and in which resources.
    pub(crate) const fn attribute(self) -> Option<(&'static str, FilterScope)> {
        match self {
            Self::Attribute(name)
            | Self::Number(name)
            | Self::NumberMin(name)
            | Self::NumberMax(name)
            | Self::Contains(name)
            | Self::After(name)
            | Self::Before(name) => Some((name, FilterScope::Own)),
            Self::Pattern(name, scope) | Self::Choice(Choices { attribute: name, scope, .. }) => Some((name, scope)),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BiomePart {
    Whole,
    Any,
}

/// The accepted values of an attribute: those in the data, and others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choices {
    pub(crate) attribute: &'static str,
    pub(crate) scope: FilterScope,
    /// The type whose identifiers are also accepted.
    pub(crate) listed_in: Option<&'static str>,
    /// Values that the real service accepts even if no resource has them.
    pub(crate) known: &'static [&'static str],
    /// If not set, the parameter is repeated for several values.
    pub(crate) is_comma_list: bool,
}

impl Choices {
    pub(crate) const fn of(attribute: &'static str) -> Self {
        Self { attribute, scope: FilterScope::Own, listed_in: None, known: &[], is_comma_list: true }
    }
}

pub(super) const fn filter(name: &'static str, kind: FilterKind, description: &'static str) -> Filter {
    Filter { name, kind, description }
}
