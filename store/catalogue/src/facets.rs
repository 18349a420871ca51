//! Facets: the resources of a listing are counted by their values.

pub(super) mod build;
pub(super) mod column;
pub(super) mod count;
pub(super) mod kept;
pub(super) mod ranges;

use super::Coordinate;

/// The property by which the resources of a type are counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FacetField {
    /// The resources whose values count.
    pub scope: FacetScope,
    /// Their values.
    pub values: FacetValues,
}

/// The resources whose values count for a resource.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FacetScope {
    /// The resource itself.
    Own,
    /// The samples that it names.
    OfSamples,
    /// The resources of this type that name it, which is a sample.
    SampleOf(String),
}

/// Values of resources. A blank text is not a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FacetValues {
    /// The lineages of its own biomes, cut to a number of levels if that is given.
    Lineage(Option<usize>),
    /// An attribute.
    Attribute(String, AttributeForm),
    /// A coordinate, as a number.
    Coordinate(Coordinate),
    /// The metadata entries with a key: numbers by unit, other values as texts.
    Metadata(String),
}

/// The part of an attribute that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AttributeForm {
    /// The text.
    Text,
    /// The number, if it is one.
    Number,
    /// The four digits at the start, if a date begins with them.
    Year,
    /// The name of a country or sea: the text before the first colon, after an optional `GAZ:`.
    Country,
}

/// The resources of a listing counted by their values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FacetCounts {
    /// The number of all resources.
    pub num_resources: u64,
    /// The number of resources that have no value.
    pub num_without: u64,
    /// The number of different texts.
    pub num_texts: usize,
    /// The most frequent texts, the most frequent first, equally frequent ones by code point. A
    /// resource counts once for each of its texts.
    pub texts: Vec<(String, u64)>,
    /// The numbers, by unit: those of the most resources first.
    pub numbers: Vec<NumberCounts>,
}

/// The resources counted by numbers of one unit.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberCounts {
    /// The unit; empty without one.
    pub unit: String,
    /// The number of resources that have such a number.
    pub num_resources: u64,
    /// The number of different numbers.
    pub num_values: usize,
    /// The least number.
    pub min: f64,
    /// The greatest number.
    pub max: f64,
    /// Consecutive ranges.
    pub ranges: Vec<RangeCount>,
}

/// The number of resources that have a number in a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RangeCount {
    /// The least number.
    pub from: f64,
    /// The end, which only the last range includes.
    pub to: f64,
    /// The number of resources; each counts once.
    pub num_resources: u64,
}

/// The result of counting.
#[derive(Clone, Debug, PartialEq)]
pub enum Faceted {
    /// The counts.
    Counted(FacetCounts),
    /// The different values are too many for the memory.
    TooMany,
    /// Nobody waits for the answer any more.
    Cancelled,
}

/// A key of metadata and its use by the resources of a type.
#[derive(Clone, Debug, PartialEq)]
pub struct MetadataKey {
    /// The key.
    pub key: String,
    /// The number of resources that have it.
    pub num_resources: u64,
    /// The units of the entries that have a value, in order.
    pub units: Vec<MetadataUnit>,
}

/// A unit of a key of metadata.
#[derive(Clone, Debug, PartialEq)]
pub struct MetadataUnit {
    /// The unit; empty without one.
    pub unit: String,
    /// The number of resources that have an entry with a value of this unit.
    pub num_resources: u64,
    /// The least and the greatest number, if there are numbers.
    pub bounds: Option<(f64, f64)>,
}
