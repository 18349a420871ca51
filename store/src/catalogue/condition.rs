//! What resources are asked for: which, and in which order.

use super::Pattern;

/// A question for resources of one type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Selection {
    /// The type, such as `samples`.
    pub resource_type: String,
    /// What all of them must satisfy.
    pub conditions: Vec<Condition>,
    /// The order, by falling weight; empty for the default order of the type. Resources that are equal in all of them stand as in the
    /// ascending order of the last field, which [`crate::CatalogueBuilder::add_order`] was given.
    pub orders: Vec<Order>,
}

/// A field to order by. Nulls come first when it ascends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Order {
    /// The name, with underscores, as it was given to [`crate::CatalogueBuilder::add_order`].
    pub field: String,
    /// Whether the order is reversed. Ties are broken alike in both directions.
    pub is_descending: bool,
}

/// What a resource must satisfy.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// It has one of these identifiers, whichever of its identifiers it is.
    Identified(Vec<String>),
    /// It is in the biome of this lineage itself or in one below it.
    Lineage(String),
    /// The full lineage of a biome that it is in itself matches.
    LineagePattern(Pattern),
    /// An attribute is equal to a text.
    Attribute(String, String),
    /// An attribute that is not null matches.
    AttributePattern(String, Pattern),
    /// A coordinate lies within bounds; one that is null does not.
    Coordinate(Coordinate, Bounds),
    /// One and the same metadata entry has this key (any if `None`), this value (likewise), and a value that is a number within the
    /// bounds (unless they are open on both sides).
    Metadata {
        /// The key.
        key: Option<String>,
        /// The value, as text.
        value: Option<String>,
        /// The bounds of the value as a number.
        bounds: Bounds,
    },
    /// Its relationships name that resource, by type and main identifier.
    Names(String, String),
    /// It was found in a related collection: type and id of the parent, name of the relation.
    FoundIn(String, String, String),
    /// All words of this text stand in its searchable text, without regard to case, in any order. Words are what is left between
    /// characters that are neither letters nor digits; a text without any matches everything.
    Text(String),
    /// One of the samples that it names satisfies the condition.
    OfSamples(Box<Condition>),
    /// For samples: a resource of that type that names the sample satisfies the condition.
    SampleOf(String, Box<Condition>),
    /// It satisfies one of these; none do if there are none.
    AnyOf(Vec<Condition>),
    /// It does not satisfy the condition.
    Not(Box<Condition>),
}

/// A coordinate of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Coordinate {
    /// Degrees north.
    Latitude,
    /// Degrees east.
    Longitude,
}

/// Inclusive bounds of a number, which are no NaN.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    /// The least value.
    pub min: Option<f64>,
    /// The greatest value.
    pub max: Option<f64>,
}

impl PartialEq for Bounds {
    fn eq(&self, other: &Self) -> bool {
        self.bits() == other.bits()
    }
}

impl Eq for Bounds {}

impl std::hash::Hash for Bounds {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.bits().hash(state);
    }
}

impl Bounds {
    /// Returns what tells them apart.
    fn bits(&self) -> (Option<u64>, Option<u64>) {
        (self.min.map(f64::to_bits), self.max.map(f64::to_bits))
    }
}

/// What the data may have or lack, so that a filter on it can be refused.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Known {
    /// A resource of that type is in the biome of this lineage or below it.
    Lineage(String, String),
    /// A resource of any type has a metadata entry of this key.
    MetadataKey(String),
    /// A resource of that type has that attribute, whatever its value.
    Attribute(String, String),
    /// A resource of that type has that attribute with that value.
    AttributeValue(String, String, String),
}
