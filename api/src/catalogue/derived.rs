//! Lists whose members are made from other resources.

use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use store::{Place, Selection};

use super::context::Context;
use super::document;
use super::linked::{self, LinkedResource};
use super::paging::Page;
use super::problem::CatalogueProblem;

/// The type of resources that have places and metadata.
const SAMPLES: &str = "samples";

/// What is read of a sample.
#[derive(Deserialize)]
struct Sample {
    /// Its attributes.
    attributes: SampleAttributes,
}

/// What is read of the attributes of a sample.
#[derive(Deserialize)]
struct SampleAttributes {
    /// The metadata entries.
    #[serde(rename = "sample-metadata", default)]
    metadata: Vec<MetadataEntry>,
}

/// A metadata entry of a sample.
#[derive(Deserialize)]
struct MetadataEntry {
    /// The key.
    key: Value,
    /// The value.
    #[serde(default)]
    value: Value,
    /// The unit.
    #[serde(default)]
    unit: Value,
}

/// Answers with the places where the samples of a study were taken.
///
/// # Errors
///
/// * There is no such page, or the engine fails.
pub(super) async fn places(context: &Context, study: &LinkedResource<'_>) -> Result<Response, CatalogueProblem> {
    context.only_json()?;
    let places = match linked::selection(context.snapshot.contents(), study, SAMPLES, &[SAMPLES]) {
        Some(selection) => context.snapshot.places(context.snapshot.select(selection).await?).await?,
        None => Vec::new(),
    };
    respond(context, &places, |_, place| place_resource(place))
}

/// Returns a place as a resource.
fn place_resource(place: &Place) -> Value {
    // A whole number has a `.0`, in the text as in JSON.
    let id = format!("{:?},{:?}", place.longitude, place.latitude);
    json!({
        "type": "sample-geo-coordinates",
        "id": id,
        "attributes": {
            "pk": id,
            "longitude": place.longitude,
            "latitude": place.latitude,
            "samples-count": place.num_resources,
        },
    })
}

/// Answers with the metadata entries of a rendered sample.
///
/// # Errors
///
/// * There is no such page, or the sample cannot be read.
pub(super) fn metadata_entries(
    context: &Context,
    accession: &str,
    sample: &[u8],
) -> Result<Response, CatalogueProblem> {
    context.only_json()?;
    let sample: Sample = serde_json::from_slice(sample)?;
    let link = context.links.link(&[SAMPLES, accession]);
    respond(context, &sample.attributes.metadata, |position, entry| {
        json!({
            "type": "sample-anns",
            "id": format!("{accession}/{}", position + 1),
            "attributes": {"key": entry.key, "value": entry.value, "unit": entry.unit},
            "relationships": {
                "sample": {"data": {"type": SAMPLES, "id": accession}, "links": {"related": link}},
            },
        })
    })
}

/// Answers with the page that is asked for; `resource` is given 0-based positions.
fn respond<T>(
    context: &Context,
    members: &[T],
    resource: impl Fn(usize, &T) -> Value,
) -> Result<Response, CatalogueProblem> {
    let page = Page::of(&context.query, members.len())?;
    let (fields, mut data) = (context.fields(), Vec::new());
    for position in page.positions() {
        let resource = resource(position, &members[position]);
        let resource_type = resource["type"].as_str().unwrap_or_default();
        data.push(fields.apply(resource_type, &serde_json::to_vec(&resource)?));
    }
    let json = document::list(&page, &context.page_links(), &document::join(&data), None)?;
    Ok(document::response(context.format, json))
}

/// Returns how many samples a selection has.
///
/// # Errors
///
/// * The engine fails.
pub(super) async fn num_samples(
    context: &Context,
    conditions: Vec<store::Condition>,
) -> Result<usize, CatalogueProblem> {
    let selection = Selection { resource_type: SAMPLES.to_owned(), conditions, orders: Vec::new() };
    Ok(context.snapshot.select(selection).await?.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_written_as_the_real_service_does() {
        let place = Place { longitude: 12.0, latitude: -4.2435, num_resources: 3 };
        let expected = concat!(
            r#"{"type":"sample-geo-coordinates","id":"12.0,-4.2435","attributes":"#,
            r#"{"pk":"12.0,-4.2435","longitude":12.0,"latitude":-4.2435,"samples-count":3}}"#
        );
        assert_eq!(place_resource(&place).to_string(), expected);
    }
}
