//! The indexed document of a resource.

use tantivy::TantivyDocument;

use super::key::{Key, parse_number};
use super::schema::{KeyField, SCHEMA};
use crate::{CatalogueEntry, MetadataEntry, Ordinal};

pub(crate) fn document(entry: &CatalogueEntry, ordinal: Ordinal, samples: &[Ordinal]) -> TantivyDocument {
    let mut document = TantivyDocument::new();
    document.add_u64(SCHEMA.ordinal, ordinal.into());
    for (field, degrees) in [(SCHEMA.latitude, entry.latitude), (SCHEMA.longitude, entry.longitude)] {
        if let Some(degrees) = degrees.filter(|degrees| degrees.is_finite()) {
            // Makes a 0 of -0.
            document.add_f64(field, degrees + 0.0);
        }
    }
    for &sample in samples {
        document.add_u64(SCHEMA.sample_ordinals, sample.into());
    }
    let mut add = |key: Key| document.add_bytes(key.field.field(), &key.bytes);
    let resource_type = &*entry.resource_type;
    for lineage in &entry.lineages {
        add(Key::term(KeyField::OwnLineage, &[resource_type], lineage));
    }
    for lineage in with_ancestors(&entry.lineages) {
        add(Key::term(KeyField::Lineage, &[resource_type], lineage));
    }
    for (name, value) in &entry.attributes {
        add(Key::term(KeyField::Attribute, &[resource_type, name], value.trim()));
    }
    for MetadataEntry { key, value, unit } in &entry.metadata {
        add(Key::term(KeyField::MetadataKey, &[resource_type], key));
        let Some(value) = value else { continue };
        add(Key::term(KeyField::MetadataUnit, &[resource_type, key], unit));
        add(Key::term(KeyField::Metadata, &[resource_type, key, unit], value.trim()));
        if let Some(number) = parse_number(value) {
            add(Key::number(KeyField::MetadataNumber, &[resource_type, key, unit], number));
        }
    }
    for (named_type, id) in &entry.named {
        add(Key::term(KeyField::Named, &[resource_type, named_type], id));
    }
    for (parent_type, id, relation) in &entry.found_in {
        add(Key::term(KeyField::FoundIn, &[resource_type, parent_type, id], relation));
    }
    // Each text is a separate value, so that no phrase continues into the next.
    for text in &entry.text {
        document.add_text(SCHEMA.text, text);
    }
    document
}

fn with_ancestors(lineages: &[String]) -> Vec<&str> {
    let mut all: Vec<&str> = lineages
        .iter()
        .flat_map(|lineage| {
            let above = lineage.match_indices(':').map(|(end, _)| &lineage[..end]);
            above.chain([&**lineage])
        })
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ancestors_are_whole_levels() {
        let lineages = ["root:A:B", "root:A", "root:AB"].map(String::from);
        assert_eq!(with_ancestors(&lineages), ["root", "root:A", "root:A:B", "root:AB"]);
    }
}
