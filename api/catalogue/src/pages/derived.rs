//! Lists whose members are made from other resources.

use api_http::limits::Permit;
use api_http::{SourceError, streaming};
use axum::response::Response;
use serde_json::{Value, json};
use store_catalogue::model::{PIPELINES, SAMPLES};
use store_catalogue::{Document, Place, Shape};

use crate::collections::lookup;
use crate::problem::CatalogueProblem;
use crate::relations::linked;
use crate::relations::links::path;
use crate::render::document::{self, Data};
use crate::render::resource::Resource;
use crate::render::stream::File;
use crate::render::table::{Formulas, Table};
use crate::request::context::Context;
use crate::request::negotiation::Format;
use crate::request::paging::PageRequest;
use crate::request::query::AFTER;

/// The approximate memory of a member while a table is sent.
const MEMBER_BYTES: usize = 1 << 10;

const ROWS_AT_ONCE: usize = 256;

pub(crate) fn places(context: &Context, study: &Resource) -> Result<Response, CatalogueProblem> {
    context.check_streams(Format::STREAMS_OF_DERIVED)?;
    let samples = context.snapshot.select(SAMPLES, vec![linked::condition(study, SAMPLES, SAMPLES)?], Vec::new())?;
    let places = context.snapshot.places(&samples)?;
    let any = place_resource(&Place { longitude: 0.0, latitude: 0.0, num_resources: 0 });
    respond(context, &any, places, |_, place| place_resource(place))
}

fn place_resource(place: &Place) -> Value {
    // A whole number ends with `.0`, in the text as in JSON.
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

pub(crate) fn metadata_entries(context: &Context, sample: &Resource) -> Result<Response, CatalogueProblem> {
    context.check_streams(Format::STREAMS_OF_DERIVED)?;
    let entries = metadata_of(&serde_json::from_slice(&sample.json)?);
    let accession = sample.id().to_owned();
    let link = context.links.link(&path(&[SAMPLES, &accession]));
    let resource = move |position: usize, entry: &Value| {
        json!({
            "type": "sample-anns",
            "id": format!("{accession}/{}", position + 1),
            "attributes": entry,
            "relationships": {
                "sample": {"data": {"type": SAMPLES, "id": accession}, "links": {"related": link}},
            },
        })
    };
    let any = resource(0, &json!({"key": "", "value": "", "unit": ""}));
    respond(context, &any, entries, resource)
}

/// Returns key, value and unit of the metadata entries of a sample. Any JSON may have been loaded:
/// only objects in a list count, and missing members are null.
fn metadata_of(sample: &Value) -> Vec<Value> {
    let entries = sample["attributes"]["sample-metadata"].as_array().into_iter().flatten();
    let entries = entries.filter(|entry| entry.is_object());
    entries.map(|entry| json!({"key": entry["key"], "value": entry["value"], "unit": entry["unit"]})).collect()
}

/// Answers with the files in the document of a resource.
pub(crate) fn downloads(
    context: &Context,
    member_type: &str,
    parent: &Resource,
    document: Option<&Document>,
) -> Result<Response, CatalogueProblem> {
    context.check_streams(Format::STREAMS_OF_DERIVED)?;
    let mut document: Value = document.map_or(Ok(Value::Null), |document| serde_json::from_slice(document.json()))?;
    let downloads = document["downloads"].as_array_mut().map(std::mem::take).unwrap_or_default();
    let parent: Value = serde_json::from_slice(&parent.json)?;
    let of_version = |version: &str| {
        let link = context.links.link(&path(&[PIPELINES, version]));
        json!({"data": {"type": PIPELINES, "id": version}, "links": {"related": link}})
    };
    let any = download_resource(member_type, 0, &json!({"file_type": ""}), &of_version(""));
    let pipeline = parent["attributes"]["pipeline-version"].as_str().map(of_version);
    let (pipeline, member_type) = (pipeline.unwrap_or_else(|| json!({"data": null})), member_type.to_owned());
    let resource =
        move |position: usize, download: &Value| download_resource(&member_type, position, download, &pipeline);
    respond(context, &any, downloads, resource)
}

/// Returns a file in the form of version 1. Its link is its address, on any server.
fn download_resource(member_type: &str, position: usize, download: &Value, pipeline: &Value) -> Value {
    let id = download["alias"]
        .as_str()
        .filter(|alias| !alias.is_empty())
        .map_or_else(|| (position + 1).to_string(), str::to_owned);
    let format = download["file_type"].as_str().map(|name| {
        let compression = download["alias"].as_str().is_some_and(|alias| alias.to_lowercase().ends_with(".gz"));
        json!({"name": name, "extension": name, "compression": compression})
    });
    json!({
        "type": member_type,
        "id": id,
        "attributes": {
            "alias": download["alias"],
            "file-format": format,
            "description": {"label": download["short_description"], "description": download["long_description"]},
            "group-type": download["download_type"],
            "file-checksum": {"checksum": "", "checksum-algorithm": ""},
        },
        "relationships": {"pipeline": pipeline},
        "links": {"self": download["url"]},
    })
}

/// Answers with the requested page, or with a table. `resource` receives 0-based positions. The
/// columns of a table are those of `any`, which has all members.
fn respond<T: Send + 'static>(
    context: &Context,
    any: &Value,
    members: Vec<T>,
    resource: impl Fn(usize, &T) -> Value + Send + 'static,
) -> Result<Response, CatalogueProblem> {
    if context.format == Format::Csv {
        return table(context, any, members, resource);
    }
    let page = PageRequest::parse(&context.query)?.of(members.len())?;
    let mut resources = Vec::new();
    for position in page.positions() {
        let resource = resource(position, &members[position]);
        resources.push((resource["type"].as_str().unwrap_or_default().to_owned(), serde_json::to_vec(&resource)?));
    }
    let data = context.fields().join(resources.iter().map(|(resource_type, json)| (&**resource_type, &**json)))?;
    let json = document::list(&page, &context.page_links(), &Data::Json(data), None, &context.ignored)?;
    Ok(document::response(context.format, json))
}

fn table<T: Send + 'static>(
    context: &Context,
    any: &Value,
    members: Vec<T>,
    resource: impl Fn(usize, &T) -> Value + Send + 'static,
) -> Result<Response, CatalogueProblem> {
    let first = context.query.filled(AFTER).map_or(Ok(0), |id| {
        let position = (0..members.len()).find(|&position| resource(position, &members[position])["id"] == id);
        position.map(|position| position + 1).ok_or_else(|| CatalogueProblem::not_in_list(id))
    })?;
    if !Permit::take_memory(members.len().saturating_mul(MEMBER_BYTES)) {
        return Err(SourceError::Overloaded.into());
    }
    let collection = lookup::of_type(any["type"].as_str().unwrap_or_default());
    let mut shape = Shape::default();
    shape.observe(any);
    let table = Table::new(&collection, &shape, &context.fields(), Formulas::of(&context.query));
    let mut head = Vec::new();
    table.write_header(&mut head);
    let (mut head, mut left) = (Some(head), first..members.len());
    let next = move || {
        if let Some(head) = head.take() {
            return Ok(Some(head));
        }
        let mut rows = Vec::new();
        for position in left.by_ref().take(ROWS_AT_ONCE) {
            let json = serde_json::to_vec(&resource(position, &members[position])).map_err(Box::from)?;
            table.write_row(&json, &mut rows).map_err(Box::from)?;
        }
        Ok(Some(rows).filter(|rows| !rows.is_empty()))
    };
    let file = File::new(context.format, &collection.name);
    Ok(streaming::attachment(file.content_type, &file.name, next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_metadata_are_read() {
        for (attributes, expected) in [
            (json!(null), json!([])),
            (json!({}), json!([])),
            (json!({"sample-metadata": null}), json!([])),
            (json!({"sample-metadata": {"key": "depth"}}), json!([])),
            (
                json!({"sample-metadata": [{"value": "5"}, null, "x", {"key": "depth", "unit": "m", "more": 1}]}),
                json!([{"key": null, "value": "5", "unit": null}, {"key": "depth", "value": null, "unit": "m"}]),
            ),
        ] {
            assert_eq!(json!(metadata_of(&json!({"attributes": attributes}))), expected, "{attributes}");
        }
        assert_eq!(metadata_of(&json!({"type": "samples", "id": "1"})), Vec::<Value>::new());
    }

    #[test]
    fn files_of_documents_have_the_form_of_version_1() {
        let download = json!({"file_type": "tsv", "download_type": "Taxonomic analysis", "short_description": "SSU",
            "long_description": "Taxa of SSU", "alias": "ssu.tsv.gz", "url": "https://a/ssu.tsv.gz"});
        let resource = download_resource("analysis-job-downloads", 0, &download, &json!({"data": null}));
        assert_eq!(resource["id"], "ssu.tsv.gz");
        assert_eq!(
            resource["attributes"]["file-format"],
            json!({"name": "tsv", "extension": "tsv", "compression": true})
        );
        assert_eq!(resource["links"]["self"], "https://a/ssu.tsv.gz");
        assert_eq!(download_resource("study-downloads", 6, &json!({}), &json!({"data": null}))["id"], "7");
    }

    #[test]
    fn places_have_the_form_of_the_real_service() {
        let place = Place { longitude: 12.0, latitude: -4.2435, num_resources: 3 };
        let expected = concat!(
            r#"{"type":"sample-geo-coordinates","id":"12.0,-4.2435","attributes":"#,
            r#"{"pk":"12.0,-4.2435","longitude":12.0,"latitude":-4.2435,"samples-count":3}}"#
        );
        assert_eq!(place_resource(&place).to_string(), expected);
    }
}
