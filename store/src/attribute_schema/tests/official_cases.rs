use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::*;

/// How many official cases there are, and what became of them.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    cases: usize,
    /// Their data are a text: it is the value of a key, and the schema what is said of it.
    texts: usize,
    /// Their data are a map of texts.
    maps: usize,
    /// They are about texts or maps of texts, but have rules that cannot be enforced.
    refused: usize,
    /// They are about other data.
    others: usize,
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("official cases") {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Returns the data of a case as the schema and attributes that mean the same.
fn lifted(schema: &Value, data: &Value) -> Option<(Value, Attributes)> {
    match data {
        Value::String(text) => {
            let schema = json!({"type": "object", "properties": {"a": schema}});
            Some((schema, [("a", text.as_str())].into_iter().collect()))
        }
        Value::Object(map) => {
            let attributes: Option<_> = map.iter().map(|(key, value)| Some((key.as_str(), value.as_str()?))).collect();
            Some((schema.clone(), Vec::into_iter(attributes?).collect()))
        }
        _ => None,
    }
}

#[test]
fn official_cases_agree_or_are_refused() {
    let mut tally = Tally::default();
    let mut refused_keywords = BTreeSet::new();
    for file in files_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/jsonschema-draft4")) {
        let groups: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        for group in groups.as_array().unwrap() {
            for case in group["tests"].as_array().unwrap() {
                let name = format!("{}: {}: {}", file.display(), group["description"], case["description"]);
                tally.cases += 1;
                let Some((schema, attributes)) = lifted(&group["schema"], &case["data"]) else {
                    tally.others += 1;
                    continue;
                };
                match parse(&schema) {
                    Ok(schema) => {
                        assert!(!file.ends_with("refRemote.json"), "{name}");
                        assert_eq!(schema.check(&attributes).is_ok(), case["valid"], "{name}");
                        *(if case["data"].is_string() { &mut tally.texts } else { &mut tally.maps }) += 1;
                    }
                    Err(SchemaError::Defects(Violations { details: lines, .. })) => {
                        for line in lines {
                            let (place, problem) = line.split_once(": ").expect(&line);
                            assert!(problem.contains("is not supported"), "{name}: {line}");
                            refused_keywords.insert(place.rsplit('.').next().unwrap().to_owned());
                        }
                        tally.refused += 1;
                    }
                    Err(SchemaError::TooLarge(sentence)) => panic!("{name}: {sentence}"),
                }
            }
        }
    }
    assert_eq!(tally, Tally { cases: 769, texts: 265, maps: 33, refused: 101, others: 370 });
    assert_eq!(
        refused_keywords.into_iter().collect::<Vec<_>>(),
        [
            "$ref",
            "additionalProperties",
            "allOf",
            "anyOf",
            "definitions",
            "dependencies",
            "enum",
            "format",
            "id",
            "maxItems",
            "maxProperties",
            "maximum",
            "minItems",
            "minProperties",
            "not",
            "oneOf",
            "pattern",
            "patternProperties",
            "properties",
            "required",
            "type"
        ]
    );
}

#[test]
fn schemas_that_refer_elsewhere_are_refused() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/jsonschema-draft4/refRemote.json");
    let groups: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let groups = groups.as_array().unwrap();
    assert_eq!(groups.len(), 8);
    for group in groups {
        assert!(parse(&group["schema"]).is_err(), "{}", group["description"]);
        let lifted = json!({"properties": {"a": group["schema"]}});
        assert!(parse(&lifted).is_err(), "{}", group["description"]);
    }
}
