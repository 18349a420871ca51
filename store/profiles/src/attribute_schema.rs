//! Schemas of attributes: the part of JSON Schema Draft 4 that applies to maps of strings.

mod compiler;
mod defects;
mod lines;
mod pattern;
mod rules;

use indexmap::IndexMap;
use serde_json::Value;

use self::compiler::Compiler;
use self::defects::Defects;
use self::lines::Lines;
use self::pattern::{Pattern, Undecided, Work};
use self::rules::Rules;
use crate::{Attributes, UniqueJson};

/// The rules that attributes must conform to.
///
/// ```
/// use store_profiles::{AttributeSchema, SchemaLimits};
///
/// let limits = SchemaLimits { bytes_max: 1000, properties_max: 10 };
/// let schema = AttributeSchema::parse(r#"{"title":"address","required":["zip"]}"#, limits).expect("a schema");
/// let violations = schema.check(&[("street", "Main St")].into_iter().collect()).expect_err("no zip");
/// assert_eq!(violations.details, ["$.zip: is missing but it is required"]);
/// ```
#[derive(Debug)]
pub struct AttributeSchema {
    title: Option<String>,
    /// The rules for named keys, in the order of the schema.
    properties: IndexMap<String, Rules>,
    /// The rules for keys that match a pattern, in the order of the schema.
    key_families: Vec<KeyFamily>,
    others: OtherKeys,
    /// Required keys, in the order of the schema.
    required: Vec<String>,
    num_attributes_min: Option<u64>,
    num_attributes_max: Option<u64>,
}

#[derive(Debug)]
struct KeyFamily {
    keys: Pattern,
    values: Rules,
}

/// The rules for keys that are neither named nor match a pattern.
#[derive(Debug)]
enum OtherKeys {
    Free,
    Forbidden,
    Ruled(Rules),
}

/// The limits of a schema.
#[derive(Clone, Copy, Debug)]
pub struct SchemaLimits {
    /// The maximum number of bytes.
    pub bytes_max: usize,
    /// The maximum number of properties, pattern properties included.
    pub properties_max: usize,
}

impl SchemaLimits {
    /// No limits, for schemas that were accepted before.
    pub(crate) const NONE: Self = Self { bytes_max: usize::MAX, properties_max: usize::MAX };
}

/// The reason why a text is not accepted as a schema of attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaError {
    /// It is longer than the limit, or has more properties than allowed: a sentence.
    TooLarge(String),
    /// It is not a schema, or has rules that cannot be enforced: a line for each defect, such as
    /// `$.properties.age.type: integer is not supported, only string is`.
    Defects(Violations),
}

/// The violations of a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violations {
    /// The title of the schema.
    pub title: Option<String>,
    /// A line for each violation, in a fixed order and without values: at most 1,000 lines and 64
    /// KiB.
    pub details: Vec<String>,
    /// The number of further violations.
    pub num_omitted: usize,
}

impl Violations {
    /// Returns a single violation.
    pub fn single(detail: String) -> Self {
        Self { title: None, details: vec![detail], num_omitted: 0 }
    }

    /// Returns the number of violations, including those without a line.
    pub fn num_violations(&self) -> usize {
        self.details.len() + self.num_omitted
    }
}

impl AttributeSchema {
    /// Reads a schema.
    ///
    /// # Errors
    ///
    /// * It is too large, is not a JSON Schema of Draft 4, or has rules that do not apply to maps
    ///   of strings.
    pub fn parse(text: &str, limits: SchemaLimits) -> Result<Self, SchemaError> {
        if text.len() > limits.bytes_max {
            return Err(SchemaError::TooLarge(format!("The schema is longer than {} bytes.", limits.bytes_max)));
        }
        let schema = match serde_json::from_str(text) {
            Ok(UniqueJson(Value::Object(schema))) => schema,
            Ok(_) => return Err(SchemaError::Defects(Violations::single("$: is not a JSON object".to_owned()))),
            Err(error) => return Err(SchemaError::Defects(Violations::single(format!("$: is not JSON: {error}")))),
        };
        let num_members = |keyword| schema.get(keyword).and_then(Value::as_object).map_or(0, serde_json::Map::len);
        if num_members("properties") + num_members("patternProperties") > limits.properties_max {
            let sentence = format!("The schema has more than {} properties.", limits.properties_max);
            return Err(SchemaError::TooLarge(sentence));
        }
        let mut defects = Defects::default();
        let compiled = Compiler::new(&mut defects).schema(&schema);
        defects.add_meta_schema_violations(&Value::Object(schema));
        if defects.is_empty() { Ok(compiled) } else { Err(SchemaError::Defects(defects.into_violations())) }
    }

    /// Returns the title.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Returns the memory of the rules, which is most of the memory of a large schema.
    pub(crate) fn size_bytes(&self) -> usize {
        let others = if let OtherKeys::Ruled(rules) = &self.others { Some(rules) } else { None };
        let keys: usize = self.key_families.iter().map(|family| family.keys.size_bytes()).sum();
        let families = self.key_families.iter().map(|family| &family.values);
        keys + self.properties.values().chain(families).chain(others).map(Rules::size_bytes).sum::<usize>()
    }

    /// Checks attributes. Most schemas take microseconds; the worst take some tenths of a second.
    /// If a match takes too much work, which depends only on schema and attributes, it counts as
    /// failed.
    ///
    /// # Errors
    ///
    /// * The attributes do not conform to the schema.
    pub fn check(&self, attributes: &Attributes) -> Result<(), Violations> {
        let mut work = Work::default();
        let mut lines = Lines::default();
        let mut forbidden = Vec::new();
        for (key, value) in self.in_order(attributes) {
            if !self.check_attribute(key, value, &mut work, &mut lines) {
                forbidden.push(key);
            }
        }
        for key in self.required.iter().filter(|key| attributes.get(key).is_none()) {
            lines.add(format_args!("$.{key}"), "is missing but it is required");
        }
        for key in forbidden {
            let problem = "is not defined in the schema and the schema does not allow additional properties";
            lines.add(format_args!("$.{key}"), problem);
        }
        let num_attributes = attributes.len() as u64;
        if let Some(min) = self.num_attributes_min.filter(|&min| num_attributes < min) {
            lines.add("$", format_args!("should have a minimum of {min} properties"));
        }
        if let Some(max) = self.num_attributes_max.filter(|&max| num_attributes > max) {
            lines.add("$", format_args!("may only have a maximum of {max} properties"));
        }
        if lines.is_empty() {
            return Ok(());
        }
        let (details, num_omitted) = lines.into_parts();
        Err(Violations { title: self.title.clone(), details, num_omitted })
    }

    /// Returns keys and values: named keys in the order of the schema, then the others by code
    /// point.
    fn in_order<'a>(&'a self, attributes: &'a Attributes) -> impl Iterator<Item = (&'a str, &'a str)> {
        let named = self.properties.keys().filter_map(|key| Some((key.as_str(), attributes.get(key)?)));
        let mut others: Vec<_> = attributes.iter().filter(|(key, _)| !self.properties.contains_key(*key)).collect();
        others.sort_unstable();
        named.chain(others)
    }

    /// Adds the violations of one attribute. Returns `false` if it is forbidden.
    fn check_attribute(&self, key: &str, value: &str, work: &mut Work, lines: &mut Lines) -> bool {
        let value = Value::from(value);
        let named = self.properties.get(key);
        let mut is_covered = named.is_some();
        if let Some(rules) = named {
            rules.check(key, &value, work, lines);
        }
        for KeyFamily { keys, values } in &self.key_families {
            match keys.is_match(key, work) {
                Ok(false) => continue,
                Ok(true) => values.check(key, &value, work, lines),
                Err(Undecided) => lines.add(format_args!("$.{key}"), keys.mismatch()),
            }
            is_covered = true;
        }
        if let OtherKeys::Ruled(rules) = &self.others
            && !is_covered
        {
            rules.check(key, &value, work, lines);
        }
        is_covered || !matches!(self.others, OtherKeys::Forbidden)
    }
}

#[cfg(test)]
mod tests;
