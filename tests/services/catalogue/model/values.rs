//! Values of resources, read independently of the service.

use serde_json::Value;
use store_catalogue::MetadataEntry;

/// Returns an attribute as text.
pub(super) fn text<'a>(resource: &'a Value, attribute: &str) -> Option<&'a str> {
    resource["attributes"][attribute].as_str()
}

/// Returns the entries of a sample's metadata as they are meant.
pub(crate) fn entries(sample: &Value) -> Vec<MetadataEntry> {
    let entries = sample["attributes"]["sample-metadata"].as_array().expect("a list").iter();
    let text = |entry: &Value, name: &str| entry[name].as_str().map(str::to_owned);
    let read = |entry: &Value| {
        let unit = text(entry, "unit").unwrap_or_default();
        MetadataEntry::new(entry["key"].as_str().expect("a key"), text(entry, "value").as_deref(), &unit)
    };
    entries.map(read).collect()
}

/// Returns the value of an attribute, or the value in the metadata of a sample if it is missing.
pub(super) fn attribute_or_metadata(sample: &Value, attribute: &str) -> Option<String> {
    let keys = match attribute {
        "collection-date" => &["collection date", "collection_date"][..],
        "geo-loc-name" => &["geographic location (country and/or sea,region)", "country"],
        "environment-material" => &["environment (material)", "environment_material"],
        "species" => &["host_scientific_name"],
        _ => &[],
    };
    let own = text(sample, attribute).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    own.or_else(|| {
        let is_it = |entry: &MetadataEntry| entry.value.is_some() && keys.contains(&&*entry.key);
        keys.first().and_then(|_| entries(sample).into_iter().find(is_it))?.value
    })
}

/// Reads the number of an entry.
pub(super) fn number(entry: &MetadataEntry) -> Option<f64> {
    entry.value.as_deref()?.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Returns the id of a resource.
pub(super) fn id(resource: &Value) -> &str {
    resource["id"].as_str().expect("a text")
}

/// Returns whether a text contains another, in any letter case.
pub(super) fn contains(text: Option<&str>, part: &str) -> bool {
    text.is_some_and(|text| text.to_lowercase().contains(&part.to_lowercase()))
}

/// Returns whether a lineage is equal to another or below it.
pub(super) fn is_within(lineage: &str, ancestor: &str) -> bool {
    lineage.strip_prefix(ancestor).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}

/// Returns the ids that a resource names in a relationship.
pub(super) fn related_ids(resource: &Value, relationship: &str) -> Vec<String> {
    match &resource["relationships"][relationship]["data"] {
        Value::Array(entries) => entries.iter().map(|entry| id(entry).to_owned()).collect(),
        Value::Object(_) => vec![id(&resource["relationships"][relationship]["data"]).to_owned()],
        _ => Vec::new(),
    }
}

/// Returns all words that a full-text search finds a resource by.
pub(super) fn words(resource: &Value) -> Vec<String> {
    let attributes = resource["attributes"].as_object().expect("an object");
    let dates = ["last-update", "analysis-completed", "public-release-date", "complete-time"];
    let texts = attributes.iter().filter(|(name, _)| !dates.contains(&name.as_str()));
    let texts = texts.filter_map(|(_, value)| value.as_str());
    let metadata = attributes.get("sample-metadata").and_then(Value::as_array).into_iter().flatten();
    let values = metadata.filter_map(|entry| entry["value"].as_str());
    let texts = texts.chain(values).flat_map(|text| text.split(|letter: char| !letter.is_alphanumeric()));
    texts.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Returns the latitude and the longitude of a sample. Some samples have invalid latitudes.
pub(super) fn place(sample: &Value) -> Option<(f64, f64)> {
    let latitude = sample["attributes"]["latitude"].as_f64().filter(|latitude| latitude.abs() <= 90.0)?;
    Some((latitude, sample["attributes"]["longitude"].as_f64()?))
}

/// Returns the distance of two points on a sphere, computed from the angle between the two
/// directions.
pub(super) fn distance_km(left: (f64, f64), right: (f64, f64)) -> f64 {
    let direction = |(latitude, longitude): (f64, f64)| {
        let (latitude, longitude) = (latitude.to_radians(), longitude.to_radians());
        [latitude.cos() * longitude.cos(), latitude.cos() * longitude.sin(), latitude.sin()]
    };
    let (left, right) = (direction(left), direction(right));
    let chord = left.iter().zip(right).map(|(left, right)| (left - right).powi(2)).sum::<f64>().sqrt();
    2.0 * 6371.0088 * (chord / 2.0).min(1.0).asin()
}
