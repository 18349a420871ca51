//! Index entries: the identifiers, attributes and texts by which a resource is found.

use std::borrow::Cow;
use std::iter;

use serde_json::Value;
use store_catalogue::model::{
    BIOME_REPEATS, BIOMES, CANONICAL_DATE, OF_METADATA, PIPELINE_TOOLS, ResourceType, SAMPLES, attribute_of_key,
};
use store_catalogue::{CatalogueEntry, MetadataEntry, Period, ResourceBody};

use super::documents::{accessions, document_attributes};
use crate::read::{Members, Relation, Resource};

/// Attributes that are searched, but not filtered by.
const FREE_TEXT: [&str; 3] = ["study-abstract", "sample-desc", "pub-abstract"];

/// The attribute with the metadata, which are searched separately.
const METADATA: &str = "sample-metadata";

/// Attributes that are not searched: a URL, and dates of changes of the record.
const NOT_SEARCHED: [&str; 7] = [
    "web-link",
    "last-update",
    "analysis-completed",
    "complete-time",
    "public-release-date",
    "release-date",
    "first-created",
];

/// The end of the names of attributes with dates of days.
const DATE: &str = "_date";

/// The attribute with the year of a publication, a number that is searched.
const PUBLISHED_YEAR: &str = "published-year";

pub(crate) fn entry(
    resource: &Resource,
    document: Option<&Members>,
    body: ResourceBody,
    found_in: Vec<Relation>,
) -> CatalogueEntry {
    let mut identifiers = resource.identifiers();
    // The accession of another sample does not find this one.
    let of_others = document.and_then(|document| document.get("@of_others")?.as_array());
    let is_of_other = |accession: &str| of_others.is_some_and(|others| others.iter().any(|other| other == accession));
    for accession in document.into_iter().flat_map(accessions) {
        if !is_of_other(accession) && !identifiers.iter().any(|known| known == accession) {
            identifiers.push(accession.to_owned());
        }
    }
    let lineages = lineages(resource, document);
    let metadata = metadata(resource);
    let mut named: Vec<(String, String)> = resource
        .references()
        .filter(|reference| ![BIOMES, PIPELINE_TOOLS].contains(&reference.resource_type))
        .map(|reference| (reference.resource_type.to_owned(), reference.id.to_owned()))
        .collect();
    named.sort_unstable();
    named.dedup();
    let rules = ResourceType::rules_of(&resource.kind);
    let values = metadata.iter().filter_map(|entry| entry.value.as_deref());
    let searched = resource.references().filter(|reference| rules.searched.contains(&reference.relation));
    // The other accessions are attributes. Biomes have filters of their own.
    let ids = iter::once(&*resource.id).chain(rules.number_of(&resource.id)).chain(searched.map(|named| named.id));
    // Resources that no list shows are not searched, and do not count for the relevance of others.
    let is_searched = !ResourceType::is_hidden(&resource.kind);
    let mut text: Vec<String> = ids.chain(values).filter(|_| is_searched).map(str::to_owned).collect();
    for (name, value) in resource.attributes.iter().flatten().filter(|_| is_searched) {
        if name == PUBLISHED_YEAR {
            text.extend(scalar_text(value).map(Cow::into_owned));
        } else if name != METADATA && !NOT_SEARCHED.contains(&name.as_str()) {
            add_texts(value, &mut text);
        }
    }
    CatalogueEntry {
        resource_type: resource.kind.clone(),
        identifiers,
        body,
        lineages,
        attributes: attributes(resource, document, &metadata),
        metadata,
        latitude: resource.number("latitude"),
        longitude: resource.number("longitude"),
        named,
        found_in,
        text,
    }
}

/// Returns the lineages of the resource's own biomes.
fn lineages(resource: &Resource, document: Option<&Members>) -> Vec<String> {
    if resource.kind == BIOME_REPEATS {
        let lineage = document.and_then(|document| document.get("lineage")?.as_str());
        return lineage.map(str::to_owned).into_iter().collect();
    }
    if resource.kind == BIOMES {
        return vec![lineage(resource).to_owned()];
    }
    let relation = ResourceType::rules_of(&resource.kind).biome_relation;
    let mut lineages = Vec::new();
    for reference in resource.references().filter(|reference| reference.resource_type == BIOMES) {
        let is_its_own = relation.is_none_or(|relation| relation == reference.relation);
        if is_its_own && !lineages.iter().any(|known| known == reference.id) {
            lineages.push(reference.id.to_owned());
        }
    }
    lineages
}

fn lineage(biome: &Resource) -> &str {
    biome.text("lineage").filter(|lineage| !lineage.is_empty()).unwrap_or(&biome.id)
}

/// Returns the attributes that can be filtered by, with their values as text.
fn attributes(resource: &Resource, document: Option<&Members>, metadata: &[MetadataEntry]) -> Vec<(String, String)> {
    let mut attributes: Vec<(String, String)> = Vec::new();
    for (name, value) in resource.attributes.iter().flatten().filter(|(name, _)| !FREE_TEXT.contains(&name.as_str())) {
        let values = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
        let texts = values.iter().filter_map(scalar_text).filter(|text| !text.trim().is_empty());
        attributes.extend(texts.map(|text| (name.replace('-', "_"), text.into_owned())));
    }
    if resource.kind == SAMPLES {
        attributes.extend(attributes_of_metadata(metadata, &attributes));
    }
    let canonical = |(name, value): &(String, String)| {
        let date = Period::parse(value).filter(|_| name.ends_with(DATE))?.canonical().into_owned();
        let plain = name.strip_prefix(OF_METADATA);
        let is_another = plain.is_some() || date != value.trim();
        is_another.then(|| (format!("{CANONICAL_DATE}{}", plain.unwrap_or(name)), date))
    };
    attributes.extend(attributes.iter().filter_map(canonical).collect::<Vec<_>>());
    if [BIOMES, BIOME_REPEATS].contains(&&*resource.kind) {
        let depth = lineages(resource, document).first().map_or(0, |lineage| lineage.split(':').count());
        attributes.push(("depth".to_owned(), depth.to_string()));
    }
    attributes.extend(document.into_iter().flat_map(|document| document_attributes(&resource.kind, document)));
    attributes
}

/// Returns the values of attributes that only the metadata of a sample have: version 2 treats them
/// alike. The first entry of each key counts.
fn attributes_of_metadata(metadata: &[MetadataEntry], known: &[(String, String)]) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for MetadataEntry { key, value, .. } in metadata {
        let (Some(attribute), Some(value)) = (attribute_of_key(key), value) else { continue };
        let name = attribute.replace('-', "_");
        let of_metadata = format!("{OF_METADATA}{name}");
        if !known.iter().chain(&found).any(|(other, _)| [&name, &of_metadata].contains(&other)) {
            found.push((of_metadata, value.clone()));
        }
    }
    found
}

fn metadata(resource: &Resource) -> Vec<MetadataEntry> {
    let entries = resource.attribute(METADATA).and_then(Value::as_array);
    let read = |entry: &Value| {
        let text = |name: &str| scalar_text(entry.get(name)?);
        Some(MetadataEntry::new(&text("key")?, text("value").as_deref(), text("unit").as_deref().unwrap_or_default()))
    };
    entries.into_iter().flatten().filter_map(read).collect()
}

fn scalar_text(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Number(number) => Some(Cow::Owned(number.to_string())),
        Value::Bool(flag) => Some(Cow::Borrowed(if *flag { "true" } else { "false" })),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Appends all non-empty texts within a value.
fn add_texts(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) if !text.is_empty() => texts.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| add_texts(item, texts)),
        Value::Object(members) => members.values().for_each(|member| add_texts(member, texts)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use store_catalogue::ResourceBodyWriter;

    use super::*;

    fn of(text: &str) -> CatalogueEntry {
        let resource = Resource::parse(text).expect(text);
        entry(&resource, None, ResourceBodyWriter::default().finish(), Vec::new())
    }

    #[test]
    fn identifiers_are_those_of_the_type() {
        for (text, expected) in [
            (
                r#"{"type": "studies", "id": "MGYS00000257", "attributes": {"secondary-accession": "ERP1", "bioproject": null}}"#,
                &["MGYS00000257", "257", "ERP1"][..],
            ),
            (r#"{"type": "samples", "id": "ERS1", "attributes": {"biosample": ""}}"#, &["ERS1"]),
            (
                r#"{"type": "assemblies", "id": "ERZ1", "attributes": {"wgs-accession": "A", "legacy-accession": "B"}}"#,
                &["ERZ1", "A", "B"],
            ),
            (
                r#"{"type": "pipeline-tools", "id": "InterProScan", "attributes": {"version": "5.0-beta"}}"#,
                &["InterProScan/5.0-beta", "interproscan/5.0-beta"],
            ),
            (r#"{"type": "pipeline-tools", "id": "x", "attributes": {"version": "A"}}"#, &["x/A"]),
            (r#"{"type": "cog-cats", "id": "7", "attributes": {"name": "A"}}"#, &["7"]),
            (
                r#"{"type": "runs", "id": "R", "attributes": {"accession": "R", "secondary-accession": "S"}}"#,
                &["R", "S"],
            ),
        ] {
            assert_eq!(of(text).identifiers, expected, "{text}");
        }
    }

    #[test]
    fn samples_are_found_by_their_contents() {
        let sample = of(
            r#"{"type": "samples", "id": "ERS1", "attributes": {"latitude": 12, "longitude": null, "sample-desc": "long",
                "host-tax-id": 9606, "species": "Homo", "sample-metadata": [{"key": "depth", "value": "5", "unit": "&deg;C"}, {"key": "x", "value": null}]},
                "relationships": {"biome": {"data": {"type": "biomes", "id": "root:A"}}, "studies": {"data": [{"type": "studies", "id": "M"}, {"type": "studies", "id": "M"}]}}}"#,
        );
        assert_eq!((sample.latitude, sample.longitude), (Some(12.0), None));
        assert_eq!(sample.lineages, ["root:A"]);
        assert_eq!(sample.named, [("studies".to_owned(), "M".to_owned())]);
        let entry = |key: &str, value: Option<&str>, unit: &str| MetadataEntry {
            key: key.to_owned(),
            value: value.map(str::to_owned),
            unit: unit.to_owned(),
        };
        assert_eq!(sample.metadata, [entry("depth", Some("5"), "°C"), entry("x", None, "")]);
        let names: Vec<_> = sample.attributes.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(names, ["latitude=12", "host_tax_id=9606", "species=Homo"]);
        assert_eq!(sample.text, ["ERS1", "5", "long", "Homo"]);
    }

    #[test]
    fn lists_of_values_and_searched_relationships_are_indexed() {
        let genome = of(r#"{"type": "genomes", "id": "G", "attributes": {"geographic-range": ["Asia", "Europe"]}}"#);
        let range = |place: &str| ("geographic_range".to_owned(), place.to_owned());
        assert_eq!(genome.attributes, [range("Asia"), range("Europe")]);
        let analysis = of(
            r#"{"type": "analysis-jobs", "id": "MGYA00000007", "relationships": {"run": {"data": {"type": "runs", "id": "R"}},
                "assembly": {"data": null}, "study": {"data": {"type": "studies", "id": "M"}}}}"#,
        );
        assert_eq!(analysis.text, ["MGYA00000007", "7", "R"]);
    }

    #[test]
    fn biomes_contain_themselves_and_have_a_depth() {
        let biome = of(r#"{"type": "biomes", "id": "root:A:B", "attributes": {"lineage": "root:A:B"}}"#);
        assert_eq!(
            (&biome.lineages[..], &biome.identifiers[..]),
            (&["root:A:B".to_owned()][..], &["root:A:B".to_owned()][..])
        );
        assert!(biome.attributes.contains(&("depth".to_owned(), "3".to_owned())));
    }
}
