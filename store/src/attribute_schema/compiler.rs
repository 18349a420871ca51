//! Turns a schema into rules, and finds what cannot be enforced.

use serde_json::{Map, Value};

use super::defects::Defects;
use super::format::Format;
use super::matcher::{Matcher, PatternCompiler};
use super::text_rules::{TextRules, plain};
use super::{AttributeSchema, KeyFamily, OtherKeys};

/// All keywords of Draft 4. Others mean nothing, and are ignored.
const DRAFT_4: [&str; 34] = [
    "$ref",
    "$schema",
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "default",
    "definitions",
    "dependencies",
    "description",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "id",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "patternProperties",
    "properties",
    "required",
    "title",
    "type",
    "uniqueItems",
];

/// The keywords that a schema may have. Nothing refers to `definitions`, because nothing can.
const OF_MAPS: [&str; 13] = [
    "$schema",
    "additionalProperties",
    "default",
    "definitions",
    "description",
    "id",
    "maxProperties",
    "minProperties",
    "patternProperties",
    "properties",
    "required",
    "title",
    "type",
];

/// The keywords that what is said of a value may have.
const OF_TEXTS: [&str; 9] =
    ["default", "description", "enum", "format", "maxLength", "minLength", "pattern", "title", "type"];

/// The values of `$schema` that mean Draft 4, without scheme and fragment.
const DRAFT_4_ADDRESS: &str = "://json-schema.org/draft-04/schema";

/// The members of an object in JSON.
type Members = Map<String, Value>;

/// Turns a schema into rules. What has not the shape that Draft 4 wants is passed over, because its meta-schema is asked too.
pub(super) struct Compiler<'a> {
    /// Takes what is wrong.
    defects: &'a mut Defects,
    /// Compiles its patterns.
    patterns: PatternCompiler,
}

impl<'a> Compiler<'a> {
    /// Returns a compiler for one schema.
    pub(super) fn new(defects: &'a mut Defects) -> Self {
        Self { defects, patterns: PatternCompiler::default() }
    }

    /// Compiles a schema.
    pub(super) fn schema(&mut self, schema: &Members) -> AttributeSchema {
        self.refuse_unsupported(schema, "$", &OF_MAPS);
        self.refuse_other_dialects(schema);
        self.refuse_other_types(schema, "$", "object");
        let mut properties = indexmap::IndexMap::new();
        for (key, rules) in members(schema, "properties") {
            properties.insert(key.clone(), self.text_rules(rules, &format!("$.properties.{key}")));
        }
        let mut key_families = Vec::new();
        for (pattern, rules) in members(schema, "patternProperties") {
            let place = format!("$.patternProperties.{pattern}");
            let matcher = self.matcher(pattern, &place);
            let rules = self.text_rules(rules, &place);
            key_families.extend(matcher.map(|matcher| KeyFamily { pattern: pattern.clone(), matcher, rules }));
        }
        let others = match schema.get("additionalProperties") {
            Some(Value::Bool(false)) => OtherKeys::Forbidden,
            Some(rules @ Value::Object(_)) => {
                OtherKeys::Ruled(Box::new(self.text_rules(rules, "$.additionalProperties")))
            }
            _ => OtherKeys::Free,
        };
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        AttributeSchema {
            title: schema.get("title").and_then(Value::as_str).map(str::to_owned),
            properties,
            key_families,
            others,
            required: required.filter_map(Value::as_str).map(str::to_owned).collect(),
            num_attributes_min: self.number(schema, "$", "minProperties"),
            num_attributes_max: self.number(schema, "$", "maxProperties"),
        }
    }

    /// Compiles what is said of a value.
    fn text_rules(&mut self, rules: &Value, place: &str) -> TextRules {
        let Some(rules) = rules.as_object() else {
            return TextRules::default();
        };
        self.refuse_unsupported(rules, place, &OF_TEXTS);
        self.refuse_other_types(rules, place, "string");
        let num_chars_min = self.number(rules, place, "minLength");
        let num_chars_max = self.number(rules, place, "maxLength");
        let pattern = rules
            .get("pattern")
            .and_then(Value::as_str)
            .and_then(|pattern| Some((pattern.to_owned(), self.matcher(pattern, &format!("{place}.pattern"))?)));
        TextRules {
            num_chars_min,
            num_chars_max,
            pattern,
            options: rules.get("enum").and_then(Value::as_array).cloned(),
            format: rules.get("format").and_then(Value::as_str).and_then(Format::of_name),
        }
    }

    /// Refuses keywords of Draft 4 that are not among those that are supported.
    fn refuse_unsupported(&mut self, schema: &Members, place: &str, supported: &[&str]) {
        let keywords = schema.keys().map(String::as_str);
        for keyword in keywords.filter(|keyword| DRAFT_4.contains(keyword) && !supported.contains(keyword)) {
            self.defects.add(&format!("{place}.{keyword}"), "is not supported");
        }
    }

    /// Refuses a schema that says that it is one of another draft.
    fn refuse_other_dialects(&mut self, schema: &Members) {
        let Some(dialect) = schema.get("$schema") else {
            return;
        };
        let address = dialect.as_str().map(|dialect| dialect.strip_suffix('#').unwrap_or(dialect));
        if !address.is_some_and(|address| {
            ["http", "https"].contains(&address.strip_suffix(DRAFT_4_ADDRESS).unwrap_or_default())
        }) {
            let problem = format!("{} is not supported, only http{DRAFT_4_ADDRESS}# is", plain(dialect));
            self.defects.add("$.$schema", problem);
        }
    }

    /// Refuses any type but one.
    fn refuse_other_types(&mut self, schema: &Members, place: &str, supported: &str) {
        if let Some(other) = schema.get("type").filter(|other| *other != supported) {
            let problem = format!("{} is not supported, only {supported} is", plain(other));
            self.defects.add(&format!("{place}.type"), problem);
        }
    }

    /// Returns the number that a keyword gives, if it is there.
    fn number(&mut self, schema: &Members, place: &str, keyword: &str) -> Option<u64> {
        let number = schema.get(keyword)?;
        if !number.is_u64() {
            self.defects.add(&format!("{place}.{keyword}"), format_args!("is no whole number from 0 to {}", u64::MAX));
        }
        number.as_u64()
    }

    /// Compiles a pattern.
    fn matcher(&mut self, pattern: &str, place: &str) -> Option<Matcher> {
        let matcher = self.patterns.compile(pattern);
        if matcher.is_none() {
            self.defects.add(place, "is no regular expression, or a too large one");
        }
        matcher
    }
}

/// Returns the members of the object that a keyword has.
fn members<'s>(schema: &'s Members, keyword: &str) -> impl Iterator<Item = (&'s String, &'s Value)> {
    schema.get(keyword).and_then(Value::as_object).into_iter().flatten()
}
