//! The defects of a schema.

use std::collections::HashSet;
use std::fmt::{Display, Write};
use std::sync::LazyLock;

use jsonschema::{Validator, draft4};
use serde_json::{Value, json};

use super::lines::Lines;
use super::{Violations, pattern};

/// The meta-schema of Draft 4, with the patterns of ECMA 262, which the compiler accepts, too.
static META_SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
    let options = draft4::options().offline().with_format("regex", pattern::is_valid);
    options.build(&json!({"$ref": "http://json-schema.org/draft-04/schema#"})).expect("the library has it")
});

/// The defects of a schema, in the order in which they were found.
#[derive(Debug, Default)]
pub(super) struct Defects {
    lines: Lines,
    paths: HashSet<String>,
}

impl Defects {
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Adds a defect at a path, such as `$.properties.age.type`.
    pub(super) fn add(&mut self, path: &str, problem: impl Display) {
        self.lines.add(path, problem);
        self.paths.insert(path.to_owned());
    }

    /// Adds violations of the meta-schema of Draft 4, except at, below and above paths with known
    /// defects: if a part may have one of several forms, the meta-schema only reports that it has
    /// none of them.
    pub(super) fn add_meta_schema_violations(&mut self, schema: &Value) {
        for error in META_SCHEMA.iter_errors(schema) {
            let mut path = "$".to_owned();
            let mut has_defect = self.paths.contains(&path);
            for segment in error.instance_path() {
                path.push('.');
                // Writing to a string cannot fail.
                let _ = write!(path, "{segment}");
                has_defect |= self.paths.contains(&path);
            }
            if !has_defect && !self.has_defect_within(&path, error.instance()) {
                self.add(&path, error.masked());
            }
        }
    }

    fn has_defect_within(&self, path: &str, value: &Value) -> bool {
        let has_defect_below =
            |segment: &dyn Display, value| self.has_defect_within(&format!("{path}.{segment}"), value);
        self.paths.contains(path)
            || match value {
                Value::Object(members) => members.iter().any(|(key, value)| has_defect_below(key, value)),
                Value::Array(items) => items.iter().enumerate().any(|(index, value)| has_defect_below(&index, value)),
                _ => false,
            }
    }

    pub(super) fn into_violations(self) -> Violations {
        let (details, num_omitted) = self.lines.into_parts();
        Violations { title: None, details, num_omitted }
    }
}
