//! Compiles a schema into rules, and finds rules that cannot be enforced.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::defects::Defects;
use super::pattern::{Pattern, PatternCompiler};
use super::rules::{Rules, plain};
use super::{AttributeSchema, KeyFamily, OtherKeys};

/// The schemas in which this program supports a keyword of Draft 4.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Support {
    /// In a schema of attributes. Nothing can refer to `definitions`.
    Attributes,
    /// In the schema of a value.
    Value,
    Both,
    Nowhere,
}

impl Support {
    /// Returns `None` for other keywords, which are ignored.
    fn of(keyword: &str) -> Option<Self> {
        Some(match keyword {
            "$schema"
            | "additionalProperties"
            | "definitions"
            | "id"
            | "maxProperties"
            | "minProperties"
            | "patternProperties"
            | "properties"
            | "required" => Self::Attributes,
            "enum" | "format" | "maxLength" | "minLength" | "pattern" => Self::Value,
            "default" | "description" | "title" | "type" => Self::Both,
            "$ref" | "additionalItems" | "allOf" | "anyOf" | "dependencies" | "exclusiveMaximum"
            | "exclusiveMinimum" | "items" | "maxItems" | "maximum" | "minItems" | "minimum" | "multipleOf" | "not"
            | "oneOf" | "uniqueItems" => Self::Nowhere,
            _ => return None,
        })
    }
}

/// The `$schema` of Draft 4 without scheme and fragment.
const DRAFT_4_ADDRESS: &str = "://json-schema.org/draft-04/schema";

type Members = Map<String, Value>;

/// Compiles a schema into rules. Parts with a wrong shape are skipped: the meta-schema of Draft 4
/// is checked too.
pub(super) struct Compiler<'a> {
    defects: &'a mut Defects,
    patterns: PatternCompiler,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(defects: &'a mut Defects) -> Self {
        Self { defects, patterns: PatternCompiler::default() }
    }

    pub(super) fn schema(&mut self, schema: &Members) -> AttributeSchema {
        self.refuse_unsupported(schema, "$", Support::Attributes);
        self.refuse_other_dialects(schema);
        self.refuse_other_types(schema, "$", "object");
        let mut properties = IndexMap::new();
        for (key, rules) in members(schema, "properties") {
            properties
                .extend(self.value_rules(rules, &format!("$.properties.{key}")).map(|rules| (key.clone(), rules)));
        }
        let mut key_families = Vec::new();
        for (pattern, rules) in members(schema, "patternProperties") {
            let path = format!("$.patternProperties.{pattern}");
            let keys = self.pattern(pattern, &path);
            let values = self.value_rules(rules, &path);
            key_families.extend(keys.zip(values).map(|(keys, values)| KeyFamily { keys, values }));
        }
        let others = match schema.get("additionalProperties") {
            Some(Value::Bool(false)) => OtherKeys::Forbidden,
            Some(rules) => self.value_rules(rules, "$.additionalProperties").map_or(OtherKeys::Free, OtherKeys::Ruled),
            None => OtherKeys::Free,
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

    /// Compiles the rules for values. Returns `None` if they have defects.
    fn value_rules(&mut self, rules: &Value, path: &str) -> Option<Rules> {
        let rules = rules.as_object()?;
        self.refuse_unsupported(rules, path, Support::Value);
        self.refuse_other_types(rules, path, "string");
        self.number(rules, path, "minLength");
        self.number(rules, path, "maxLength");
        let pattern = rules.get("pattern").and_then(Value::as_str);
        let pattern = pattern.map(|pattern| self.pattern(pattern, &format!("{path}.pattern")));
        let compiled = Rules::compile(rules, pattern.flatten());
        if compiled.is_none() {
            self.defects.add(path, "cannot be compiled");
        }
        compiled
    }

    fn pattern(&mut self, text: &str, path: &str) -> Option<Pattern> {
        self.patterns.compile(text).map_err(|refusal| self.defects.add(path, refusal)).ok()
    }

    fn refuse_unsupported(&mut self, schema: &Members, path: &str, here: Support) {
        for keyword in schema.keys() {
            if Support::of(keyword).is_some_and(|support| support != here && support != Support::Both) {
                self.defects.add(&format!("{path}.{keyword}"), "is not supported");
            }
        }
    }

    fn refuse_other_dialects(&mut self, schema: &Members) {
        let Some(dialect) = schema.get("$schema") else {
            return;
        };
        let address = dialect.as_str().map(|dialect| dialect.strip_suffix('#').unwrap_or(dialect));
        let protocol = address.and_then(|address| address.strip_suffix(DRAFT_4_ADDRESS));
        if !matches!(protocol, Some("http" | "https")) {
            let problem = format!("{} is not supported, only http{DRAFT_4_ADDRESS}# is", plain(dialect));
            self.defects.add("$.$schema", problem);
        }
    }

    fn refuse_other_types(&mut self, schema: &Members, path: &str, supported: &str) {
        if let Some(other) = schema.get("type").filter(|other| *other != supported) {
            let problem = format!("{} is not supported, only {supported} is", plain(other));
            self.defects.add(&format!("{path}.type"), problem);
        }
    }

    fn number(&mut self, schema: &Members, path: &str, keyword: &str) -> Option<u64> {
        let number = schema.get(keyword)?;
        if !number.is_u64() {
            self.defects
                .add(&format!("{path}.{keyword}"), format_args!("is not a whole number from 0 to {}", u64::MAX));
        }
        number.as_u64()
    }
}

fn members<'s>(schema: &'s Members, keyword: &str) -> impl Iterator<Item = (&'s String, &'s Value)> {
    schema.get(keyword).and_then(Value::as_object).into_iter().flatten()
}
