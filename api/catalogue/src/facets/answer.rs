//! The JSON of facets. All names are single words, so that they are the same in both versions.

use serde::{Deserialize, Serialize};
use store_catalogue::{FacetCounts, MetadataKey, MetadataUnit, NumberCounts, RangeCount};
use utoipa::ToSchema;

/// The resources of a list, counted by their values.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = Facet)]
pub struct FacetAnswer {
    /// The field, as it was requested.
    #[schema(example = "biome")]
    pub by: String,
    /// The number of all resources of the list.
    pub total: u64,
    /// The number of resources without a value.
    pub without: u64,
    /// The number of different values that are not numbers.
    pub distinct: usize,
    /// The most frequent of these, the most frequent first. A resource counts once for each value
    /// that it has.
    pub values: Vec<ValueCount>,
    /// The numbers of each unit; the unit that most resources have is the first.
    pub numbers: Vec<NumbersOfUnit>,
}

/// The number of resources that have a value.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct ValueCount {
    /// The value.
    #[schema(example = "root:Environmental:Terrestrial:Soil")]
    pub value: String,
    /// The number of resources.
    pub count: u64,
}

/// The resources that have numbers of a unit.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct NumbersOfUnit {
    /// The unit; null without one.
    #[schema(required, example = "m")]
    pub unit: Option<String>,
    /// The number of resources that have such a number.
    pub count: u64,
    /// The number of different numbers.
    pub distinct: usize,
    /// The least number.
    pub minimum: f64,
    /// The greatest number.
    pub maximum: f64,
    /// Ranges of one round width that follow one another; a single one if all numbers are equal.
    pub ranges: Vec<NumberRange>,
}

/// The number of resources that have a number in a range.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct NumberRange {
    /// The least number.
    pub from: f64,
    /// The end, which belongs to the next range, and to this one if it is the last.
    pub to: f64,
    /// The number of resources.
    pub count: u64,
}

impl FacetAnswer {
    pub(super) fn new(by: String, counts: FacetCounts) -> Self {
        let value = |(value, count)| ValueCount { value, count };
        Self {
            by,
            total: counts.num_resources,
            without: counts.num_without,
            distinct: counts.num_texts,
            values: counts.texts.into_iter().map(value).collect(),
            numbers: counts.numbers.into_iter().map(NumbersOfUnit::from).collect(),
        }
    }
}

impl From<NumberCounts> for NumbersOfUnit {
    fn from(counts: NumberCounts) -> Self {
        let range = |RangeCount { from, to, num_resources: count }| NumberRange { from, to, count };
        Self {
            unit: non_empty(counts.unit),
            count: counts.num_resources,
            distinct: counts.num_values,
            minimum: counts.min,
            maximum: counts.max,
            ranges: counts.ranges.into_iter().map(range).collect(),
        }
    }
}

/// A key of the metadata of samples.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MetadataKey)]
pub(crate) struct KeyAnswer {
    /// The key.
    #[schema(example = "geographic location (depth)")]
    pub(crate) key: String,
    /// The number of samples that have it.
    samples: u64,
    /// The units of its values.
    units: Vec<UnitAnswer>,
}

/// A unit of the values of a key.
#[derive(Debug, Serialize, ToSchema)]
struct UnitAnswer {
    /// The unit; null of values without one.
    #[schema(required, example = "m")]
    unit: Option<String>,
    /// The number of samples that have such a value.
    samples: u64,
    /// The least number; null without numbers.
    #[schema(required)]
    minimum: Option<f64>,
    /// The greatest number; null without numbers.
    #[schema(required)]
    maximum: Option<f64>,
}

impl From<MetadataKey> for KeyAnswer {
    fn from(MetadataKey { key, num_resources, units }: MetadataKey) -> Self {
        let unit = |MetadataUnit { unit, num_resources, bounds }| UnitAnswer {
            unit: non_empty(unit),
            samples: num_resources,
            minimum: bounds.map(|(min, _)| min),
            maximum: bounds.map(|(_, max)| max),
        };
        Self { key, samples: num_resources, units: units.into_iter().map(unit).collect() }
    }
}

fn non_empty(unit: String) -> Option<String> {
    Some(unit).filter(|unit| !unit.is_empty())
}
