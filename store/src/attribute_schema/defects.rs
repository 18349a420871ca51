//! What is wrong with a schema.

use std::collections::HashSet;
use std::fmt::{Display, Write};

use jsonschema::draft4;
use serde_json::Value;

use super::Violations;
use super::lines::Lines;

/// The defects of a schema, in the order in which they were found.
#[derive(Debug, Default)]
pub(super) struct Defects {
    /// A line for each, within bounds.
    lines: Lines,
    /// The places of all.
    places: HashSet<String>,
}

impl Defects {
    /// Tells whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Adds a defect at a place, such as `$.properties.age.type`.
    pub(super) fn add(&mut self, place: &str, problem: impl Display) {
        self.lines.add_at(place, problem);
        self.places.insert(place.to_owned());
    }

    /// Adds where a schema is none of Draft 4, except at, below and above places where something was found already: of a part that may have one
    /// of several forms the meta-schema tells no more than that it has none of them.
    pub(super) fn add_those_of_the_meta_schema(&mut self, schema: &Value) {
        for error in draft4::meta::validator().iter_errors(schema) {
            let mut place = "$".to_owned();
            let mut is_told = self.places.contains(&place);
            for segment in error.instance_path() {
                place.push('.');
                // Writing to a string cannot fail.
                let _ = write!(place, "{segment}");
                is_told |= self.places.contains(&place);
            }
            if !is_told && !self.is_told_within(&place, error.instance()) {
                self.add(&place, error.masked());
            }
        }
    }

    /// Tells whether something was found at the place of a value or below it.
    fn is_told_within(&self, place: &str, value: &Value) -> bool {
        let is_told_below = |segment: &dyn Display, value| self.is_told_within(&format!("{place}.{segment}"), value);
        self.places.contains(place)
            || match value {
                Value::Object(members) => members.iter().any(|(key, value)| is_told_below(key, value)),
                Value::Array(items) => items.iter().enumerate().any(|(index, value)| is_told_below(&index, value)),
                _ => false,
            }
    }

    /// Returns what does not conform to the rules for schemas.
    pub(super) fn into_violations(self) -> Violations {
        let (details, num_untold) = self.lines.into_told();
        Violations { title: None, details, num_untold }
    }
}
