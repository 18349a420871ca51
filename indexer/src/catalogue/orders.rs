//! How resources are ordered: by default inside their type, by fields on request, and the types among themselves.

use super::key::KeyWriter;
use super::resource::{Resource, VERSION};
use super::{ASSEMBLIES, BIOMES, COG_CATS, PIPELINE_TOOLS, ROOT, SAMPLES, STUDIES};

/// The types that come first, in this order: samples before all others, any of which may name samples.
const FIRST_TYPES: [&str; 6] = [SAMPLES, BIOMES, STUDIES, ASSEMBLIES, PIPELINE_TOOLS, COG_CATS];

/// The attribute with the accession.
pub(super) const ACCESSION: &str = "accession";

/// The attribute with the time of the last change.
pub(super) const LAST_UPDATE: &str = "last-update";

/// The attribute with the name of a category.
pub(super) const NAME: &str = "name";

/// The attribute with the name of a tool.
pub(super) const TOOL_NAME: &str = "tool-name";

/// What a resource is ordered by.
#[derive(Clone, Copy, Debug)]
enum Field {
    /// An attribute as text, by code point.
    Text(&'static str),
    /// An attribute as number.
    Number(&'static str),
    /// The accession, or the id where there is none.
    Accession,
    /// The id.
    Id,
    /// The number of a study, as in `MGYS00000257`.
    StudyNumber,
    /// Whether a biome is another one than the root.
    IsBelowRoot,
}

/// A field that is ordered by, and whether from the greatest to the least.
type Part = (Field, bool);

/// The orders of a type.
struct TypeOrders {
    /// The default order, of attributes that are kept until then. What is equal in all of it stays in the order of its arrival.
    default: &'static [Part],
    /// What breaks ties in all other orders. What is equal there too stays in the default order.
    tie: &'static [Field],
    /// The other orders by name, ascending.
    fields: &'static [(&'static str, Field)],
}

/// Returns the orders of a type.
fn orders_of(resource_type: &str) -> TypeOrders {
    use Field::{Accession, Id, IsBelowRoot, Number, StudyNumber, Text};
    match resource_type {
        COG_CATS => TypeOrders { default: &[(Text(NAME), true)], tie: &[], fields: &[("name", Text(NAME))] },
        PIPELINE_TOOLS => {
            TypeOrders { default: &[(Text(TOOL_NAME), false), (Text(VERSION), false)], tie: &[], fields: &[] }
        }
        ASSEMBLIES => TypeOrders { default: &[(Accession, true)], tie: &[], fields: &[("accession", Accession)] },
        STUDIES => TypeOrders {
            default: &[(Text(LAST_UPDATE), true), (StudyNumber, false)],
            tie: &[StudyNumber],
            fields: &[
                ("study_id", StudyNumber),
                ("study_name", Text("study-name")),
                ("last_update", Text(LAST_UPDATE)),
                ("samples_count", Number("samples-count")),
                ("accession", Accession),
            ],
        },
        SAMPLES => TypeOrders {
            default: &[(Text(LAST_UPDATE), true), (Accession, false)],
            tie: &[Accession],
            fields: &[
                ("accession", Accession),
                ("sample_name", Text("sample-name")),
                ("last_update", Text(LAST_UPDATE)),
            ],
        },
        BIOMES => TypeOrders { default: &[(IsBelowRoot, false)], tie: &[], fields: &[] },
        _ => TypeOrders { default: &[(Id, false)], tie: &[], fields: &[] },
    }
}

/// A key of one of the orders of a type.
#[derive(Debug)]
pub(super) struct FieldKey {
    /// The value, and what breaks ties.
    pub(super) bytes: Box<[u8]>,
    /// How many bytes are the value.
    pub(super) value_length: usize,
}

/// Returns the names of the orders of a type, other than the default.
pub(super) fn field_names(resource_type: &str) -> impl Iterator<Item = &'static str> {
    orders_of(resource_type).fields.iter().map(|&(name, _)| name)
}

/// Returns the key of a resource among those of all types.
pub(super) fn default_key(resource: &Resource) -> Box<[u8]> {
    let mut key = KeyWriter::default();
    let rank = FIRST_TYPES.iter().position(|known| *known == resource.kind).unwrap_or(FIRST_TYPES.len());
    key.byte(u8::try_from(rank).unwrap_or(u8::MAX));
    key.text(Some(&resource.kind));
    for &(field, is_descending) in orders_of(&resource.kind).default {
        if is_descending {
            key.descending(|key| write_field(key, field, resource));
        } else {
            write_field(&mut key, field, resource);
        }
    }
    key.finish()
}

/// Returns the keys of a resource in the orders of its type, as [`field_names`] names them.
pub(super) fn field_keys(resource: &Resource) -> Vec<FieldKey> {
    let TypeOrders { fields, tie, .. } = orders_of(&resource.kind);
    let key_of = |&(_, field): &(_, Field)| {
        let mut key = KeyWriter::default();
        write_field(&mut key, field, resource);
        let value_length = key.len();
        for &field in tie {
            write_field(&mut key, field, resource);
        }
        FieldKey { bytes: key.finish(), value_length }
    };
    fields.iter().map(key_of).collect()
}

/// Appends the value of a field.
fn write_field(key: &mut KeyWriter, field: Field, resource: &Resource) {
    match field {
        Field::Text(attribute) => key.text(resource.text(attribute)),
        Field::Number(attribute) => key.number(resource.number(attribute)),
        Field::Accession => key.text(Some(resource.text(ACCESSION).unwrap_or(&resource.id))),
        Field::Id => key.text(Some(&resource.id)),
        Field::StudyNumber => {
            // As long as the digits of two are equally many, they compare as their numbers do.
            let number = study_number(&resource.id);
            key.number(number.map(|digits| u32::try_from(digits.len()).map_or(f64::MAX, f64::from)));
            key.text(Some(number.unwrap_or(&resource.id)));
        }
        Field::IsBelowRoot => key.byte(u8::from(resource.id != ROOT)),
    }
}

/// Returns the number of a study without zeros in front.
pub(super) fn study_number(id: &str) -> Option<&str> {
    let digits = id.strip_prefix("MGYS")?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.trim_start_matches('0');
    is_number.then_some(if number.is_empty() { "0" } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(resource_type: &str, id: &str, attributes: &str) -> Resource {
        let text = format!(r#"{{"type": "{resource_type}", "id": "{id}", "attributes": {{{attributes}}}}}"#);
        Resource::parse(&text).expect(&text)
    }

    #[test]
    fn types_and_resources_have_their_default_order() {
        let sorted = [
            resource("samples", "ERS1", r#""last-update": "2019""#),
            resource("samples", "ERS2", r#""last-update": "2019""#),
            resource("samples", "ERS0", r#""last-update": "2018""#),
            resource("biomes", "root", ""),
            resource("biomes", "root:A", ""),
            resource("studies", "MGYS00000010", r#""last-update": "2019-01-01T00:00:00.000001""#),
            resource("studies", "MGYS00000009", r#""last-update": "2019-01-01T00:00:00""#),
            resource("studies", "MGYS00000010", r#""last-update": "2019-01-01T00:00:00""#),
            resource("studies", "MGYS00000001", r#""last-update": null"#),
            resource("assemblies", "ERZ2", ""),
            resource("assemblies", "ERZ1", ""),
            resource("pipeline-tools", "b", r#""tool-name": null"#),
            resource("pipeline-tools", "B", r#""tool-name": "B", "version": "1""#),
            resource("pipeline-tools", "a", r#""tool-name": "a", "version": "1""#),
            resource("pipeline-tools", "a", r#""tool-name": "a", "version": "2""#),
            resource("cog-cats", "1", r#""name": "Z""#),
            resource("cog-cats", "2", r#""name": "A""#),
            resource("cog-cats", "3", r#""name": "-""#),
            resource("pipelines", "1.0", ""),
            resource("runs", "A", ""),
            resource("runs", "B", ""),
        ];
        let keys: Vec<_> = sorted.iter().map(default_key).collect();
        assert!(keys.is_sorted_by(|one, other| one < other), "{keys:?}");
        assert!(default_key(&resource("biomes", "root:B", "")) == keys[4], "biomes stay in the order of their arrival");
    }

    #[test]
    fn fields_come_with_what_breaks_ties() {
        let names: Vec<_> = field_names("studies").collect();
        assert_eq!(names, ["study_id", "study_name", "last_update", "samples_count", "accession"]);
        let keys =
            |id: &str, count: &str| field_keys(&resource("studies", id, &format!(r#""samples-count": {count}"#)));
        let counts = [keys("MGYS2", "null"), keys("MGYS3", "7"), keys("MGYS00010", "7"), keys("MGYS1", "10")];
        assert!(counts.is_sorted_by(|one, other| one[3].bytes < other[3].bytes));
        let value = |keys: &Vec<FieldKey>| keys[3].bytes[..keys[3].value_length].to_vec();
        assert!(value(&counts[0]) != value(&counts[1]) && value(&counts[1]) == value(&counts[2]));
        assert!(field_names("biomes").next().is_none() && field_keys(&resource("biomes", "root", "")).is_empty());
    }

    #[test]
    fn studies_have_numbers() {
        for (id, number) in
            [("MGYS00000257", Some("257")), ("MGYS0", Some("0")), ("MGYS", None), ("MGYSx", None), ("257", None)]
        {
            assert_eq!(study_number(id), number, "{id}");
        }
    }
}
