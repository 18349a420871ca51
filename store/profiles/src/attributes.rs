//! The attributes of a profile.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// Keys and values, in the order in which the keys were first set.
///
/// ```
/// let mut attributes: store_profiles::Attributes = [("name", "Ada"), ("zip", "1")].into_iter().collect();
/// attributes.set("name", "Grace");
/// assert_eq!(attributes.iter().collect::<Vec<_>>(), [("name", "Grace"), ("zip", "1")]);
/// ```
#[derive(Clone, Debug, Default, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Attributes(IndexMap<String, String>);

impl PartialEq for Attributes {
    /// Also compares the order, unlike maps.
    fn eq(&self, other: &Self) -> bool {
        self.0.iter().eq(&other.0)
    }
}

impl Attributes {
    /// Returns whether a key consists of characters that keys may have: no control characters.
    pub fn is_plain_key(key: &str) -> bool {
        !key.contains(char::is_control)
    }

    /// Returns whether a value consists of characters that values may have: no control characters
    /// except tabs and line breaks.
    pub fn is_plain_value(value: &str) -> bool {
        !value.contains(|letter: char| letter.is_control() && !matches!(letter, '\t' | '\n' | '\r'))
    }

    /// Returns the number of attributes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no attributes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    /// Sets the value of a key, and returns its previous value. An existing key keeps its position.
    pub fn set(&mut self, key: impl Into<String>, value: impl Into<String>) -> Option<String> {
        self.0.insert(key.into(), value.into())
    }

    /// Removes a key, and returns its value. The other keys keep their order.
    pub fn remove(&mut self, key: &str) -> Option<String> {
        self.0.shift_remove(key)
    }

    /// Adds attributes, or replaces those with the same keys.
    pub fn merge(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Returns keys and values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }
}

impl<K: Into<String>, V: Into<String>> FromIterator<(K, V)> for Attributes {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        Self(pairs.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_the_order_of_their_first_use() {
        let mut attributes: Attributes = [("b", "1"), ("a", "2"), ("c", "3")].into_iter().collect();
        attributes.merge([("a", "4"), ("d", "5")].into_iter().collect());
        assert_eq!(attributes.remove("b").as_deref(), Some("1"));
        assert_eq!(attributes.remove("b"), None);
        assert_eq!(attributes.set("c", "6").as_deref(), Some("3"));
        assert_eq!(attributes.iter().collect::<Vec<_>>(), [("a", "4"), ("c", "6"), ("d", "5")]);
        assert_ne!(attributes, [("c", "6"), ("a", "4"), ("d", "5")].into_iter().collect());
    }
}
