//! Selections: conditions on resources, and their order.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::hash::{BuildHasher, DefaultHasher, Hasher, RandomState};
use std::ops::Bound;
use std::sync::LazyLock;

use super::area::Area;
use super::ordinal_set::OrdinalSet;
use crate::Pattern;

/// A selection of resources of one type.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// The type, such as `samples`.
    pub resource_type: String,
    /// Conditions that must all be satisfied.
    pub conditions: Vec<Condition>,
    /// The orders, the most significant first; empty for the default order of the type. Ties in all
    /// of them are in the ascending order of the last field, as it was passed to
    /// [`crate::CatalogueBuilder::add_order`].
    pub orders: Vec<Order>,
}

impl Selection {
    /// Returns a key that equal selections share. Different selections have different keys as long
    /// as nobody can guess the seeds. The key is stored in place of the selection, since compiled
    /// patterns take far more memory.
    pub(crate) fn key(&self) -> [u64; 2] {
        key_of(self)
    }
}

/// See [`Selection::key`].
pub(super) fn key_of(question: &impl fmt::Debug) -> [u64; 2] {
    static SEEDS: LazyLock<[RandomState; 2]> = LazyLock::new(Default::default);
    let mut hashers = TextHashers(SEEDS.each_ref().map(RandomState::build_hasher));
    // Hashing does not fail.
    let _ = write!(hashers, "{question:?}");
    hashers.0.map(|hasher| hasher.finish())
}

struct TextHashers([DefaultHasher; 2]);

impl fmt::Write for TextHashers {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.iter_mut().for_each(|hasher| hasher.write(text.as_bytes()));
        Ok(())
    }
}

/// Resources of one type, as [`crate::CatalogueGeneration::collect`] returns them. A bit for each
/// resource of the type.
#[derive(Clone, PartialEq)]
pub struct ResourceSet(pub(crate) OrdinalSet);

impl fmt::Debug for ResourceSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.words().iter().try_for_each(|word| write!(f, "{word:x},"))
    }
}

/// The order by relevance to the first text of the conditions, the most relevant first. It precedes
/// all others.
pub const RELEVANCE: &str = "relevance";

/// A field to order by. Nulls are first in ascending order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Order {
    /// The name, with underscores, as it was passed to [`crate::CatalogueBuilder::add_order`], or
    /// [`RELEVANCE`].
    pub field: String,
    /// Reverses the order. Ties have the same order in both directions.
    pub is_descending: bool,
}

/// A condition on a resource.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// One of its identifiers is one of these.
    Identified(Vec<String>),
    /// It is in the biome of this lineage, or in one below it.
    Lineage(String),
    /// It is in the biome of this lineage itself.
    OwnLineage(String),
    /// The full lineage of one of its own biomes matches.
    LineagePattern(Pattern),
    /// The path of its document's lineage is this path or below it; see [`lineage_path`]. An empty
    /// path is above all.
    ///
    /// [`lineage_path`]: fn@crate::model::lineage_path
    LineagePath(String),
    /// An attribute equals a text: name, value.
    Attribute(String, String),
    /// An attribute matches: name, pattern. Null does not match.
    AttributePattern(String, Pattern),
    /// An attribute is a number within bounds. Null is not. Each existing value is compared.
    AttributeNumber(String, Bounds),
    /// An attribute is a date that lies entirely within others; see [`Period`](crate::Period). Each
    /// existing value of those years is compared.
    AttributeDated(String, Bound<String>, Bound<String>),
    /// A coordinate is within bounds. Null is not.
    Coordinate(Coordinate, Bounds),
    /// Both coordinates are within an area.
    Within(Area),
    /// One of its metadata entries satisfies all of the following.
    Metadata {
        /// The keys, of which an entry has any; empty for all.
        keys: Vec<String>,
        /// The value as text, or `None` for any.
        value: Option<String>,
        /// The bounds of the value as a number. Without bounds, the value need not be a number.
        bounds: Bounds,
        /// The unit, empty for entries with a value without one, or `None` for any or none.
        unit: Option<String>,
    },
    /// Its relationships name the resource of this type and id (the main identifier).
    Names(String, String),
    /// It was found in a related collection: type and id of the parent, name of the relation.
    FoundIn(String, String, String),
    /// Its searchable text has all words of this text, in any order and letter case; words in
    /// quotes follow one another; words with a dash before them must be absent. Words are runs of
    /// letters and digits; a text without words matches nothing.
    Text(String),
    /// Likewise, of its text or that of a sample that it names, for each word.
    TextOrSamples(String),
    /// One of the samples that it names satisfies the condition.
    OfSamples(Box<Condition>),
    /// For samples: a resource of this type that names the sample satisfies the condition.
    SampleOf(String, Box<Condition>),
    /// A resource of this type that satisfies the condition names it by its main identifier.
    NamedBy(String, Box<Condition>),
    /// A resource of this type that satisfies the condition names it, or it names such a resource,
    /// each by main identifiers; or one of them was found in a related collection of the other.
    /// Each named resource is evaluated once.
    LinkedWith(String, Box<Condition>),
    /// All of these are satisfied.
    AllOf(Vec<Condition>),
    /// At least one of these is satisfied.
    AnyOf(Vec<Condition>),
    /// It is one of these.
    Among(ResourceSet),
    /// The condition is not satisfied.
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

/// Inclusive bounds of a number, never NaN.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds {
    /// The least value.
    pub min: Option<f64>,
    /// The greatest value.
    pub max: Option<f64>,
}

impl Bounds {
    pub(crate) fn are_open(self) -> bool {
        self.min.is_none() && self.max.is_none()
    }

    /// NaN is never within bounds, not even within open ones.
    pub(crate) fn contain(self, number: f64) -> bool {
        number >= self.min.unwrap_or(f64::NEG_INFINITY) && number <= self.max.unwrap_or(f64::INFINITY)
    }
}

/// A fact about the data. It is used to reject a filter for a value that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Known {
    /// A resource of this type is in the biome of this lineage, or below it.
    Lineage(String, String),
    /// A resource of any type has a metadata entry with this key.
    MetadataKey(String),
    /// A resource of this type has this attribute, with any value.
    Attribute(String, String),
    /// A resource of this type has this attribute with this value.
    AttributeValue(String, String, String),
}

/// Returns alternatives that are satisfied by the same resources, with at most one for each type of
/// linked resources.
pub(super) fn merged(alternatives: &[Condition]) -> Vec<Cow<'_, Condition>> {
    let (mut merged, mut linked) = (Vec::new(), BTreeMap::<&str, Vec<Condition>>::new());
    let mut left: Vec<&Condition> = alternatives.iter().collect();
    while let Some(condition) = left.pop() {
        match condition {
            Condition::AnyOf(conditions) => left.extend(conditions),
            Condition::LinkedWith(of, inner) => linked.entry(of).or_default().push(Condition::clone(inner)),
            _ => merged.push(Cow::Borrowed(condition)),
        }
    }
    merged.extend(linked.into_iter().map(|(of, mut inner)| {
        // A single one stays unchanged, so that it equals the same condition elsewhere.
        let any = if inner.len() == 1 { inner.remove(0) } else { Condition::AnyOf(inner) };
        Cow::Owned(Condition::LinkedWith(of.to_owned(), Box::new(any)))
    }));
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_selections_have_equal_keys() {
        let pattern = |text| Pattern::parse(text).expect("valid");
        let metadata = |value: &str, min| Condition::Metadata {
            keys: Vec::new(),
            value: Some(value.into()),
            bounds: Bounds { min, max: None },
            unit: None,
        };
        let conditions = [
            vec![],
            vec![Condition::Lineage("a\", \"b".into())],
            vec![Condition::Identified(vec!["a".into(), "b".into()])],
            vec![Condition::Identified(vec!["a\", \"b".into()])],
            vec![Condition::LineagePattern(pattern("a"))],
            vec![Condition::LineagePattern(pattern("A"))],
            vec![metadata("1", Some(0.1))],
            vec![metadata("1", Some(0.1 + f64::EPSILON))],
            vec![metadata("1", None)],
            vec![Condition::Text("a".into()), Condition::Text("b".into())],
            vec![Condition::AnyOf(vec![Condition::Text("a".into()), Condition::Text("b".into())])],
            vec![Condition::Identified((0..1_000).map(|number| number.to_string()).collect())],
            vec![Condition::Identified((1..1_000).map(|number| number.to_string()).collect())],
        ];
        let selections =
            conditions.map(|conditions| Selection { resource_type: "x".into(), conditions, orders: Vec::new() });
        for left in &selections {
            for right in &selections {
                assert_eq!(left == right, left.key() == right.key(), "{left:?} {right:?}");
            }
        }
    }
}
