//! What filters look at.

use store::Coordinate;

#[derive(Clone, Copy, Debug)]
pub(super) struct Filter {
    pub(super) name: &'static str,
    pub(super) kind: FilterKind,
    pub(super) description: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OfWhat {
    Itself,
    Samples,
}

/// What a filter does with its value. Patterns are regular expressions, without regard to case, not anchored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FilterKind {
    /// A comma list of identifiers of any kind, repeatable; unknown ones match nothing.
    AnyIdentifier,
    /// A comma list of main identifiers, repeatable; an unknown one is refused.
    MainIdentifier,
    /// The lineage of a known biome, with all below it; an unknown one is refused.
    Lineage(OfWhat),
    LineagePattern,
    Pattern(&'static str, OfWhat),
    Attribute(&'static str),
    /// A comma list of values of an attribute of the sample's runs; an unknown one is refused.
    OfRuns(&'static str),
    OfRunsPattern(&'static str),
    CoordinateMin(Coordinate),
    CoordinateMax(Coordinate),
    /// A known key of the metadata; an unknown one is refused.
    MetadataKey(OfWhat),
    MetadataValue(OfWhat),
    MetadataMin(OfWhat),
    MetadataMax(OfWhat),
    /// An identifier of a resource of that type, which the resource and that one name each other by; an unknown one matches nothing.
    Linked(&'static str),
    Text,
}

impl Filter {
    pub(super) const fn new(name: &'static str, kind: FilterKind, description: &'static str) -> Self {
        Self { name, kind, description }
    }
}
