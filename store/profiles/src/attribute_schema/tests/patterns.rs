use serde::Deserialize;
use serde_json::json;

use super::*;

/// A pattern with the texts that it matches in node, and others, as `tests/node/patterns.mjs`
/// prints them.
#[derive(Deserialize)]
struct Recorded {
    pattern: String,
    matched: Vec<String>,
    others: Vec<String>,
}

fn recorded() -> Vec<Recorded> {
    serde_json::from_str(include_str!("patterns.json")).expect("patterns")
}

#[test]
fn recorded_patterns_match_what_they_match_in_node() {
    let mut differences = Vec::new();
    for Recorded { pattern, matched, others } in recorded() {
        let schema = match parse(&json!({"additionalProperties": {"pattern": pattern}})) {
            Ok(schema) => schema,
            Err(error) => {
                differences.push(format!("{pattern}: {error:?}"));
                continue;
            }
        };
        for (texts, is_matched) in [(matched, true), (others, false)] {
            for text in texts {
                if details(&schema, &[("a", &text)]).is_empty() != is_matched {
                    differences.push(format!("{pattern} on {text:?}"));
                }
            }
        }
    }
    assert!(differences.is_empty(), "{differences:#?}");
}
