//! The schemas of the description. The texts are ours; the names and types of members are facts
//! about the real service.

use serde_json::{Map, Value, json};

/// Schemas with their members and the types of these: `text`, `integer`, `number`, `time`,
/// `object`, or a schema; with `?` if it may be null, and in brackets for a list.
const SCHEMAS: &str = include_str!("schemas.md");

struct Described {
    name: &'static str,
    text: &'static str,
    members: &'static str,
}

fn all() -> impl Iterator<Item = Described> {
    SCHEMAS.split("\n\n").filter_map(|schema| {
        let (head, members) = schema.split_once('\n').unwrap_or((schema, ""));
        let (name, text) = head.split_once(": ")?;
        Some(Described { name, text, members })
    })
}

/// Returns all schemas by name. No member is required, since `fields` can exclude any.
pub(super) fn schemas() -> Map<String, Value> {
    all().map(|Described { name, text, members }| (name.to_owned(), object(text, members))).collect()
}

/// Returns the name of a schema, if there is a schema of that name.
pub(super) fn name(of: &str) -> Option<&'static str> {
    all().map(|schema| schema.name).find(|name| *name == of)
}

fn object(text: &str, members: &str) -> Value {
    let (mut properties, mut others) = (Map::new(), Vec::new());
    for member in members.split(',').map(str::trim) {
        if let Some(other) = member.strip_prefix("..") {
            others.push(reference(other));
        } else if let Some((name, of)) = member.split_once(' ') {
            properties.insert(name.to_owned(), schema(of));
        }
    }
    if others.is_empty() {
        return json!({"description": text, "type": "object", "properties": properties});
    }
    others.push(json!({"type": "object", "properties": properties}));
    json!({"description": text, "allOf": others})
}

fn schema(of: &str) -> Value {
    if let Some(of) = of.strip_suffix('?') {
        let schema = schema(of);
        return match schema["type"].as_str() {
            Some(simple) if simple != "array" => {
                let mut nullable = schema.clone();
                nullable["type"] = json!([simple, "null"]);
                nullable
            }
            _ => json!({"oneOf": [schema, {"type": "null"}]}),
        };
    }
    match of {
        "text" => json!({"type": "string"}),
        "time" => json!({"type": "string", "format": "date-time"}),
        "integer" | "number" | "object" => json!({"type": of}),
        "any" => json!({}),
        _ => match of.strip_prefix('[').and_then(|of| of.strip_suffix(']')) {
            Some(of) => json!({"type": "array", "items": schema(of)}),
            None => reference(of),
        },
    }
}

pub(super) fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// Returns the schema of a page of a list. It includes the accession for the next page, which is
/// present if `after` is used.
pub(super) fn page_of(name: &str) -> Value {
    json!({
        "type": "object",
        "properties": {
            "count": {"type": "integer", "description": "The number of items in the list."},
            "items": {"type": "array", "items": reference(name)},
            "next": {"type": ["string", "null"], "description": "With `after`: its value for the next page, or null on the last page."},
        },
        "required": ["count", "items"],
    })
}

#[cfg(test)]
mod tests {
    use store_catalogue::model::{RESOURCE_TYPES, document_members, num_listed_members};

    use super::*;

    #[test]
    fn members_are_those_of_documents_in_their_order() {
        let all = schemas();
        let members = |name: &str| all[name]["properties"].as_object().expect(name).keys().cloned().collect::<Vec<_>>();
        for (resource_type, listed, others) in [
            ("biomes", "Biome", None),
            ("studies", "Study", Some("StudyDetail")),
            ("samples", "Sample", Some("SampleWithMetadata")),
            ("runs", "Run", None),
            ("assemblies", "Assembly", Some("AssemblyDetail")),
            ("analysis-jobs", "Analysis", Some("AnalysisDetail")),
            ("publications", "Publication", None),
            ("super-studies", "SuperStudy", Some("SuperStudyDetail")),
            ("genomes", "Genome", Some("GenomeDetail")),
            ("genome-catalogues", "Catalogue", None),
        ] {
            assert!(RESOURCE_TYPES.iter().any(|known| known.name == resource_type));
            let (listed_names, other_names) =
                document_members(resource_type).split_at(num_listed_members(resource_type));
            assert_eq!(members(listed), listed_names, "{listed}");
            let own = others.map_or_else(Vec::new, |name| {
                let own = all[name]["allOf"][1]["properties"].as_object().expect(name);
                own.keys().filter(|name| *name != "catalogue").cloned().collect()
            });
            assert_eq!(own, other_names, "{others:?}");
        }
    }

    #[test]
    fn types_are_read_from_their_short_form() {
        assert_eq!(
            schema("[text]?"),
            json!({"oneOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]})
        );
        assert_eq!(schema("time?"), json!({"type": ["string", "null"], "format": "date-time"}));
        assert_eq!(schema("Biome?"), json!({"oneOf": [reference("Biome"), {"type": "null"}]}));
    }
}
