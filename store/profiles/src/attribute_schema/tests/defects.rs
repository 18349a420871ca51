use serde_json::json;

use super::*;

#[test]
fn unenforceable_keywords_are_rejected_with_their_place() {
    for (schema, lines) in [
        (
            json!({"properties": {"age": {"type": "integer"}}}),
            &["$.properties.age.type: integer is not supported, only string is"][..],
        ),
        (
            json!({"properties": {"a": {"type": ["string"]}}}),
            &[r#"$.properties.a.type: ["string"] is not supported, only string is"#],
        ),
        (json!({"type": "string"}), &["$.type: string is not supported, only object is"]),
        (
            json!({"$schema": "http://json-schema.org/draft-07/schema#"}),
            &[
                "$.$schema: http://json-schema.org/draft-07/schema# is not supported, only http://json-schema.org/draft-04/schema# is",
            ],
        ),
        (
            json!({"$schema": "json-schema.org/draft-04/schema", "title": "a"}),
            &[
                "$.$schema: json-schema.org/draft-04/schema is not supported, only http://json-schema.org/draft-04/schema# is",
            ],
        ),
        (json!({"$ref": "#"}), &["$.$ref: is not supported"]),
        (
            json!({"allOf": [{}], "anyOf": [{}], "oneOf": [{}], "not": {}, "dependencies": {}}),
            &[
                "$.allOf: is not supported",
                "$.anyOf: is not supported",
                "$.oneOf: is not supported",
                "$.not: is not supported",
                "$.dependencies: is not supported",
            ],
        ),
        (
            json!({"minLength": 1, "enum": [{}], "properties": {"a": {"required": ["b"], "id": "c"}}}),
            &[
                "$.minLength: is not supported",
                "$.enum: is not supported",
                "$.properties.a.required: is not supported",
                "$.properties.a.id: is not supported",
            ],
        ),
        (
            json!({"additionalProperties": {"$ref": "#"}, "patternProperties": {"^a": {"not": {}}}}),
            &["$.patternProperties.^a.not: is not supported", "$.additionalProperties.$ref: is not supported"],
        ),
        (
            json!({"items": 5, "properties": {"a": {"properties": {"b": 5}}}}),
            &["$.items: is not supported", "$.properties.a.properties: is not supported"],
        ),
        (
            json!({"properties": {"a": {"pattern": "("}}, "patternProperties": {"[": {}}}),
            &[
                "$.properties.a.pattern: is not a regular expression of ECMA 262: a group is not closed, at character 1",
                "$.patternProperties.[: is not a regular expression of ECMA 262: a class is not closed, at character 1",
            ],
        ),
        (
            json!({"minProperties": -1, "properties": {"a": {"minLength": 1e30, "maxLength": "1"}}}),
            &[
                "$.properties.a.minLength: is not a whole number from 0 to 18446744073709551615",
                "$.properties.a.maxLength: is not a whole number from 0 to 18446744073709551615",
                "$.minProperties: is not a whole number from 0 to 18446744073709551615",
            ],
        ),
    ] {
        let found = defects(&schema.to_string());
        assert_eq!(found, lines, "{schema}");
    }
}

#[test]
fn violations_of_the_meta_schema_have_their_place() {
    let schema = json!({
        "title": 1, "required": [], "definitions": {"a": {"type": "strng"}}, "default": [],
        "properties": {"a": true, "c": {"pattern": 1}},
    });
    let mut lines = defects(&schema.to_string());
    lines.sort();
    let places: Vec<_> = lines.iter().map(|line| line.split(": ").next().unwrap()).collect();
    let expected = ["$.definitions.a.type", "$.properties.a", "$.properties.c.pattern", "$.required", "$.title"];
    assert_eq!(places, expected, "{lines:?}");
    assert_eq!(defects(r#"{"definitions": []}"#).len(), 1);
    assert_eq!(defects(&schema.to_string()), defects(&schema.to_string()));
}

#[test]
fn a_defect_of_a_part_is_not_repeated_for_the_whole() {
    for (schema, line) in [
        (
            json!({"additionalProperties": {"type": "string", "pattern": "("}}),
            "$.additionalProperties.pattern: is not a regular expression of ECMA 262: a group is not closed, at character 1",
        ),
        (
            json!({"additionalProperties": {"maxLength": -1}}),
            "$.additionalProperties.maxLength: is not a whole number from 0 to 18446744073709551615",
        ),
        (json!({"additionalProperties": {"not": {"type": "strng"}}}), "$.additionalProperties.not: is not supported"),
    ] {
        assert_eq!(defects(&schema.to_string()), [line], "{schema}");
    }
    // Defects without a line of their own are reported for the whole schema, also those at paths
    // that only look like a parent.
    for (schema, places) in [
        (json!({"additionalProperties": {"title": 1}}), &["$.additionalProperties"][..]),
        (json!({"properties": {"a": true, "a.b": {"not": {}}}}), &["$.properties.a.b.not", "$.properties.a"]),
    ] {
        let lines = defects(&schema.to_string());
        let found: Vec<_> = lines.iter().map(|line| line.split(": ").next().unwrap()).collect();
        assert_eq!(found, places, "{lines:?}");
    }
}

#[test]
fn schemas_are_objects_with_unique_keys() {
    for (text, line) in [
        ("", "$: is not JSON: EOF while parsing a value at line 1 column 0"),
        ("{} {}", "$: is not JSON: trailing characters at line 1 column 4"),
        ("true", "$: is not a JSON object"),
        ("[]", "$: is not a JSON object"),
        ("\"{}\"", "$: is not a JSON object"),
        (r#"{"title": "a", "title": "a"}"#, "$: is not JSON: duplicate key \"title\" at line 1 column 22"),
        (
            r#"{"properties": {"a": {"default": [{"b": {}, "\u0062": 1.5}]}}}"#,
            "$: is not JSON: duplicate key \"b\" at line 1 column 52",
        ),
    ] {
        assert_eq!(defects(text), [line], "{text}");
    }
}

#[test]
fn harmless_keywords_are_accepted() {
    for schema in [
        json!({}),
        json!({"$schema": "http://json-schema.org/draft-04/schema#"}),
        json!({"$schema": "http://json-schema.org/draft-04/schema"}),
        json!({"$schema": "https://json-schema.org/draft-04/schema#"}),
        json!({"$schema": "https://json-schema.org/draft-04/schema"}),
        json!({"type": "object", "id": "http://example.org/schema", "title": "a", "description": "b", "default": {"c": [1, true]}}),
        json!({"definitions": {"a": {"$ref": "http://example.org/", "allOf": [{"type": "integer"}]}}}),
        json!({"additionalProperties": true, "minProperties": 0, "maxProperties": 18_446_744_073_709_551_615_u64}),
        json!({"const": 1, "if": {"type": "integer"}, "$comment": "unknown to Draft 4", "properties": {"a": {"x-order": 1, "const": 2}}}),
        json!({"properties": {"$ref": {"type": "string", "title": "", "description": "", "default": 1}, "allOf": {}, "type": {}}}),
    ] {
        assert_eq!(defects(&schema.to_string()), [""; 0], "{schema}");
    }
}

#[test]
fn schemas_that_are_too_large_are_rejected() {
    let limits = SchemaLimits { bytes_max: 80, properties_max: 2 };
    let parse = |text: &str| AttributeSchema::parse(text, limits).map(|_| ()).unwrap_err();
    assert!(AttributeSchema::parse(&format!("{}{{}}", " ".repeat(78)), limits).is_ok());
    assert_eq!(parse(&"{".repeat(81)), SchemaError::TooLarge("The schema is longer than 80 bytes.".to_owned()));
    assert!(AttributeSchema::parse(r#"{"properties":{"a":{}},"patternProperties":{"a":{}}}"#, limits).is_ok());
    assert_eq!(
        parse(r#"{"properties":{"a":{},"b":{}},"patternProperties":{"a":{}}}"#),
        SchemaError::TooLarge("The schema has more than 2 properties.".to_owned())
    );
}

#[test]
fn many_defects_are_counted_and_some_are_listed() {
    let rules = json!({"not": {}, "anyOf": [{}], "allOf": [{}], "oneOf": [{}], "dependencies": {}, "minimum": 1});
    let properties: serde_json::Map<_, _> = (0..200).map(|number| (format!("a{number}"), rules.clone())).collect();
    let Err(SchemaError::Defects(defects)) = parse(&json!({"properties": properties})) else { panic!("refused") };
    assert_eq!((defects.details.len(), defects.num_violations()), (1000, 1200));
}
