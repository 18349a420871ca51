//! Facets: the resources of a listing counted by their values.

pub(super) mod build;
pub(super) mod column;
pub(super) mod count;
pub(super) mod kept;
pub(super) mod ranges;

use super::Coordinate;

/// What resources of a type are counted by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FacetField {
    /// The resources whose values count.
    pub scope: FacetScope,
    /// Their values.
    pub values: FacetValues,
}

/// The resources whose values count for one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FacetScope {
    /// The resource itself.
    Own,
    /// The samples that it names.
    OfSamples,
    /// The resources of this type that name it, which is a sample.
    SampleOf(String),
}

/// Values of resources. A blank text is none.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FacetValues {
    /// The lineages of its own biomes, of which at most so many levels count, if they are given.
    Lineage(Option<usize>),
    /// An attribute.
    Attribute(String, AttributeForm),
    /// A coordinate, as a number.
    Coordinate(Coordinate),
    /// The metadata entries with a key: numbers by unit, other values as texts.
    Metadata(String),
}

/// What counts of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AttributeForm {
    /// The text.
    Text,
    /// The number, if it is one.
    Number,
    /// The four digits at the front, if a date begins so.
    Year,
    /// The name of a country or sea: what stands before the first colon, after a `GAZ:` in front.
    Country,
}

/// The resources of a listing counted by their values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FacetCounts {
    /// The number of all resources.
    pub num_resources: u64,
    /// The number of those that have no value.
    pub num_without: u64,
    /// The number of different texts.
    pub num_texts: usize,
    /// The most frequent texts, the most frequent first, those that are equally frequent by code point. A resource counts once for each of
    /// its texts.
    pub texts: Vec<(String, u64)>,
    /// The numbers, by unit: those that most resources have first.
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
    /// Ranges that follow one another.
    pub ranges: Vec<RangeCount>,
}

/// The number of resources that have a number in a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RangeCount {
    /// The least number.
    pub from: f64,
    /// The end, which is not in the range unless it is the last.
    pub to: f64,
    /// The number of resources; each counts once.
    pub num_resources: u64,
}

/// What came of counting.
#[derive(Clone, Debug, PartialEq)]
pub enum Faceted {
    /// The counts.
    Counted(FacetCounts),
    /// There are so many different values that they are not kept in memory.
    TooMany,
    /// Nobody waits for the answer any more.
    Cancelled,
}

/// A key of metadata, with what resources of a type have of it.
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
