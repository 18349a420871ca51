mod attacks;
mod defects;
mod messages;
mod patterns;
mod second_opinion;

use serde_json::Value;

use super::*;

const LIMITS: SchemaLimits = SchemaLimits { bytes_max: 32 << 10, properties_max: 200 };

fn parse(schema: &Value) -> Result<AttributeSchema, SchemaError> {
    AttributeSchema::parse(&schema.to_string(), LIMITS)
}

/// Returns the defects of a schema, possibly none.
fn defects(schema: &str) -> Vec<String> {
    match AttributeSchema::parse(schema, LIMITS) {
        Ok(_) => Vec::new(),
        Err(SchemaError::Defects(defects)) => defects.details,
        Err(SchemaError::TooLarge(sentence)) => panic!("{sentence}"),
    }
}

/// Returns the details of the violations of a schema, possibly none.
fn details(schema: &AttributeSchema, attributes: &[(&str, &str)]) -> Vec<String> {
    let attributes = attributes.iter().copied().collect();
    schema.check(&attributes).map_or_else(|violations| violations.details, |()| Vec::new())
}

#[test]
fn schemas_are_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<AttributeSchema>();
}
