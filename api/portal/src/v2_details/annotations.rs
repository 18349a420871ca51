//! Annotations of analyses and genomes, by type.

use api_catalogue::ANNOTATION_TYPES;
use serde_json::Value;

use super::number;
use crate::context::document::as_text;
use crate::parts::number::Number;
use crate::parts::table::{Cell, Column, Table};
use crate::parts::words::label;

/// The maximum number of types, and of annotations per type.
const TYPES_MAX: usize = 20;
const ANNOTATIONS_MAX: usize = 20;

/// Members that contain the name of an annotation.
const NAMES: [&str; 4] = ["organism", "name", "class_id", "description"];

const COLUMNS: [Column; 3] = [("Annotation", "long"), ("Count", "number"), ("Count as a bar", "of-bar")];

/// Returns one table per type of annotation; `address` is their address in the API.
pub(super) fn tables(annotations: &Value, address: &str) -> Vec<Table> {
    let mut lists = Vec::new();
    for (name, value) in annotations.as_object().into_iter().flatten() {
        let inner = value.as_object().into_iter().flatten();
        let inner = inner.map(|(inner, value)| (format!("{name}__{inner}"), value));
        lists.extend([(name.clone(), value)].into_iter().chain(inner));
    }
    let tables = lists.iter().filter_map(|(name, value)| table(name, value.as_array()?, address));
    tables.take(TYPES_MAX).collect()
}

fn table(name: &str, annotations: &[Value], address: &str) -> Option<Table> {
    let address = if ANNOTATION_TYPES.contains(&name) { format!("{address}/{name}") } else { address.to_owned() };
    let count = |annotation: &&Value| annotation["count"].as_f64().unwrap_or_default();
    let mut largest: Vec<&Value> = annotations.iter().collect();
    largest.sort_by(|one, other| count(other).total_cmp(&count(one)));
    let most = largest.first().map(count).unwrap_or_default();
    largest.truncate(ANNOTATIONS_MAX);
    let rows: Vec<_> = largest.iter().map(|annotation| row(annotation, count(annotation) / most)).collect();
    let note = (rows.len() < annotations.len())
        .then(|| format!("The {} largest counts of {}.", rows.len(), Number::of(annotations.len())));
    let table = Table { note: note.unwrap_or_default(), ..Table::new(label(name), &COLUMNS, rows) };
    table.link_to_all(annotations.len(), "through the API", address).non_empty()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share is at most 1")]
fn row(annotation: &Value, share: f64) -> Vec<Cell> {
    let mut names = NAMES.iter().map(|name| as_text(&annotation[*name])).filter(|name| !name.is_empty());
    let name = Cell {
        text: lineage(&names.next().unwrap_or_default()),
        note: names.next().unwrap_or_default(),
        ..Cell::default()
    };
    vec![name, Cell::text(number(&annotation["count"])), Cell::bar((share.clamp(0.0, 1.0) * 1000.0) as u64)]
}

/// Returns a lineage in readable form: `sk__Bacteria;k__;p__Firmicutes` becomes `Bacteria ›
/// Firmicutes`. Other texts are unchanged.
pub(super) fn lineage(text: &str) -> String {
    let names: Option<Vec<&str>> = text.split(';').map(|part| Some(part.split_once("__")?.1)).collect();
    match names {
        Some(names) => names.into_iter().filter(|name| !name.is_empty()).collect::<Vec<_>>().join(" › "),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lineages_are_names() {
        for (text, expected) in [
            ("sk__Bacteria;k__;p__Firmicutes", "Bacteria › Firmicutes"),
            ("d__Bacteria;g__Blautia_A;s__Blautia_A wexlerae", "Bacteria › Blautia_A › Blautia_A wexlerae"),
            ("ABC transporter", "ABC transporter"),
            ("a;b", "a;b"),
            ("", ""),
        ] {
            assert_eq!(lineage(text), expected);
        }
    }

    #[test]
    fn malformed_annotations_are_tolerated() {
        let tables = |annotations: Value| tables(&annotations, "/a");
        assert!(tables(json!(null)).is_empty() && tables(json!({"pfams": [], "taxonomies": [], "x": 1})).is_empty());
        let odd =
            json!({"x_y": [{"count": "many", "description": ["a"]}, 1, {"count": -5}], "taxonomies": {"ssu": null}});
        let odd = tables(odd);
        assert_eq!((odd.len(), &*odd[0].heading, odd[0].rows.len()), (1, "X y", 3));
        assert!(odd[0].rows.iter().all(|row| row[2].share == Some(0)));
    }
}
