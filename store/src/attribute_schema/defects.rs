//! What is wrong with a schema.

use std::collections::HashSet;
use std::fmt::{Display, Write};

use jsonschema::draft4;
use serde_json::Value;

/// How many defects are told; of the others only the number is.
const LINES_MAX: usize = 100;

/// The defects of a schema, in the order in which they were found.
#[derive(Debug, Default)]
pub(super) struct Defects {
    /// A line for each.
    lines: Vec<String>,
    /// The places of all.
    places: HashSet<String>,
    /// How many there are beyond those that have a line.
    num_untold: usize,
}

impl Defects {
    /// Tells whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Adds a defect at a place, such as `$.properties.age.type`.
    pub(super) fn add(&mut self, place: &str, problem: impl Display) {
        if self.lines.len() < LINES_MAX {
            self.lines.push(format!("{place}: {problem}"));
        } else {
            self.num_untold += 1;
        }
        self.places.insert(place.to_owned());
    }

    /// Adds where a schema is none of Draft 4, except at and below places where something was found already.
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
            if !is_told {
                self.add(&place, error.masked());
            }
        }
    }

    /// Returns the lines.
    pub(super) fn into_lines(mut self) -> Vec<String> {
        if self.num_untold > 0 {
            self.lines.push(format!("$: {} more defects", self.num_untold));
        }
        self.lines
    }
}
