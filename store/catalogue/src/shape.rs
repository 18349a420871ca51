//! The shape of the resources of a type, from which the columns of a table are made.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The union of the JSON values at a path, over all resources of a type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// Set if a value was a text, a number, a boolean, null, or an empty list or object.
    pub is_scalar: bool,
    /// Set if a value was a number, and if one was a text or a boolean.
    pub kinds: ScalarKinds,
    /// The members of all objects.
    pub members: BTreeMap<String, Shape>,
    /// The length of the longest list.
    pub num_items_max: usize,
    /// The shape of the items of all lists.
    pub items: Option<Box<Shape>>,
}

/// The kinds of values that are neither lists nor objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScalarKinds {
    /// There are numbers.
    pub has_numbers: bool,
    /// There are texts or booleans.
    pub has_others: bool,
}

impl Shape {
    /// Adds a value.
    pub fn observe(&mut self, value: &Value) {
        match value {
            Value::Object(members) if !members.is_empty() => {
                for (name, member) in members {
                    // Looked up first, since the name nearly always exists and need not be copied.
                    match self.members.get_mut(name) {
                        Some(shape) => shape.observe(member),
                        None => self.members.entry(name.clone()).or_default().observe(member),
                    }
                }
            }
            Value::Array(items) if !items.is_empty() => {
                self.num_items_max = self.num_items_max.max(items.len());
                let shape = self.items.get_or_insert_default();
                for item in items {
                    shape.observe(item);
                }
            }
            _ => {
                self.is_scalar = true;
                self.kinds.has_numbers |= value.is_number();
                self.kinds.has_others |= value.is_string() || value.is_boolean();
            }
        }
    }

    /// Returns whether all values except null are numbers.
    pub fn is_number(&self) -> bool {
        self.kinds.has_numbers && !self.kinds.has_others
    }

    /// Adds another shape.
    pub fn merge(&mut self, other: &Self) {
        self.is_scalar |= other.is_scalar;
        self.kinds.has_numbers |= other.kinds.has_numbers;
        self.kinds.has_others |= other.kinds.has_others;
        self.num_items_max = self.num_items_max.max(other.num_items_max);
        for (name, member) in &other.members {
            self.members.entry(name.clone()).or_default().merge(member);
        }
        if let Some(items) = &other.items {
            self.items.get_or_insert_default().merge(items);
        }
    }

    /// Returns whether this has all of another shape that `all` would lack without the values of
    /// that shape.
    pub fn covers(&self, other: &Self, all: &Self) -> bool {
        let none = Self::default();
        (self.is_scalar || !other.is_scalar)
            && (self.kinds.has_numbers || !other.kinds.has_numbers)
            && (self.kinds.has_others || !other.kinds.has_others)
            && (self.num_items_max >= other.num_items_max || other.num_items_max < all.num_items_max)
            && other.members.iter().all(|(name, member)| {
                let of_all = all.members.get(name).unwrap_or(&none);
                self.members.get(name).is_some_and(|known| known.covers(member, of_all))
            })
            && other.items.as_ref().is_none_or(|items| {
                let of_all = all.items.as_deref().unwrap_or(&none);
                self.items.as_ref().is_some_and(|known| known.covers(items, of_all))
            })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn scalar(has_others: bool) -> Shape {
        Shape { is_scalar: true, kinds: ScalarKinds { has_numbers: false, has_others }, ..Shape::default() }
    }

    #[test]
    fn values_are_merged() {
        let mut shape = Shape::default();
        for value in [
            json!({"id": "1", "list": [{"key": 1}, {"value": null}]}),
            json!({"id": null, "list": [], "more": {}, "deep": {"er": [[true]]}}),
            json!({"list": [{"key": 2}, 3, 4], "deep": 1}),
        ] {
            shape.observe(&value);
        }
        assert!(!shape.is_scalar && shape.items.is_none());
        assert_eq!(shape.members.keys().collect::<Vec<_>>(), ["deep", "id", "list", "more"]);
        assert_eq!(shape.members["id"], scalar(true));
        assert_eq!(shape.members["more"], scalar(false));
        let list = &shape.members["list"];
        assert!(list.is_scalar, "one was empty");
        assert_eq!(list.num_items_max, 3);
        let items = list.items.as_ref().expect("seen");
        assert!(items.is_scalar && items.members.len() == 2 && items.num_items_max == 0);
        assert!(items.is_number() && !shape.members["id"].is_number());
        let deep = &shape.members["deep"];
        assert!(deep.is_scalar);
        let inner = deep.members["er"].items.as_ref().expect("a list").items.as_ref().expect("of lists");
        assert_eq!(**inner, scalar(true));
        assert_eq!(deep.members["er"].num_items_max, 1);
    }
}
