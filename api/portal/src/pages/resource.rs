//! The page of a resource of the catalogue, with its related collections.

use api_catalogue::{Collection, lookup};
use api_http::paths;
use askama::Template;
use axum::response::Response;
use serde_json::Value;
use store_catalogue::model::{ANALYSIS_JOBS, ASSEMBLIES, BIOMES, PIPELINES, RUNS, SAMPLES, STUDIES};

use crate::context::address::{encoded, segment};
use crate::context::document::{Resource, as_text};
use crate::context::layout::Layout;
use crate::context::page_context::{PageContext, redirect, render};
use crate::context::problem::PortalProblem;
use crate::parts::accession::{Accession, proteins_from};
use crate::parts::attribute::{Attribute, archive_url};
use crate::parts::number::{Count, Number};
use crate::parts::table::{Cell, Table};
use crate::parts::words::{capitalized, grouped, in_words};
use crate::v2_details::V2Details;

/// The maximum number of resources shown per related collection.
const SHOWN: usize = 5;

/// Attributes shown as tables.
const METADATA: [&str; 2] = ["sample-metadata", "analysis-summary"];

/// Attributes shown together.
const DEGREES: [&str; 2] = ["latitude", "longitude"];

/// The margin of the map around a sample, in degrees.
const MAP_MARGIN: f64 = 2.0;

/// The related collection of files, which version 2 describes in more detail.
const DOWNLOADS: &str = "downloads";

/// The types of parent resources, in the order in which they are shown.
const PARENT_TYPES: [&str; 6] = [STUDIES, SAMPLES, RUNS, ASSEMBLIES, BIOMES, PIPELINES];

/// Attributes that contain the name of a resource.
const NAMES: [&str; 5] = ["study-name", "sample-name", "pub-title", "name", "tool-name"];

#[derive(Template)]
#[template(path = "resource.html")]
struct ResourcePage {
    layout: Layout,
    /// The name of the type, such as `Study`.
    kind: String,
    id: String,
    name: String,
    belongs_to: Vec<(String, Accession)>,
    /// The number of proteins, and the path of their search.
    proteins: Option<(Count, String)>,
    /// The address of the place of a sample with coordinates.
    places: Option<String>,
    /// The attributes in groups with headings.
    attributes: Vec<(&'static str, Vec<Attribute>)>,
    details: V2Details,
    metadata: Vec<Table>,
    related: Vec<Related>,
    /// The address in the external archive.
    archive: Option<String>,
}

/// A related collection.
struct Related {
    what: String,
    count: Number,
    /// The path of the list of all, below the prefixes of the API and of the portal.
    path: String,
    /// The first resources: identifiers, names and addresses.
    first: Vec<(String, String, String)>,
}

pub(crate) fn answer(context: &PageContext, collection: &str, id: &str) -> Result<Response, PortalProblem> {
    let outline = lookup::at_path(collection, context.catalogue()?.contents()).ok_or_else(PortalProblem::no_page)?;
    let below = format!("/{collection}/{}", segment(id));
    let found = context.document(&below, "");
    let missing = || PortalProblem::NotFound(format!("The catalogue has no {} {id}.", kind(&outline).to_lowercase()));
    let found = match found {
        Err(PortalProblem::Refused(status, _)) if status == axum::http::StatusCode::NOT_FOUND => {
            let (_, proteins) = proteins_from(context, &outline.resource_type, id)?.ok_or_else(missing)?;
            return Ok(redirect(&format!("{}/portal/{proteins}", context.root())));
        }
        found => found?,
    };
    let resource = found.resources().into_iter().next().ok_or_else(missing)?;
    let api = format!("{}/{collection}/{}", paths::CATALOGUE, segment(&resource.id));
    let mut layout = context
        .layout(format!("{} {}", kind(&outline), resource.id))
        .section(&outline.path)
        .call("This page", &api)
        .download("JSON", &api, "");
    let mut details = V2Details::of(context, collection, &resource.id)?;
    layout = details.add_calls(layout);
    let belongs_to = belongs_to(context, &resource)?;
    let mut related = related(context, &outline, &resource.id, details.files.is_some())?;
    // A single parent is shown above.
    let is_above = |id: &str| belongs_to.iter().any(|(_, parent)| parent.id == id);
    related.retain(|related| related.count.0 > 1 || !related.first.iter().any(|(id, ..)| is_above(id)));
    for Related { what, path, .. } in &related {
        layout = layout.call(what, &format!("{}{path}", paths::CATALOGUE));
    }
    let coordinates = coordinates(context, &resource);
    let is_on_earth = coordinates.as_ref().is_some_and(|coordinates| coordinates.href.is_some());
    let places = is_on_earth.then(|| format!("{}/portal/places?accession={}", context.root(), encoded(&resource.id)));
    if places.is_some() {
        layout = layout.scripts(&["map"]);
    }
    let archive = archive(&resource);
    let mut attributes = attributes(&resource, coordinates, archive.as_ref());
    details.attributes.retain(|attribute| belongs_to.iter().all(|(what, _)| *what != attribute.label));
    attributes.append(&mut details.attributes);
    render(&ResourcePage {
        layout,
        name: name_of(&resource),
        belongs_to,
        proteins: proteins_from(context, &outline.resource_type, &resource.id)?,
        places,
        attributes: grouped(attributes, |attribute| &attribute.name),
        details,
        metadata: METADATA.iter().filter_map(|name| table(&resource, name)).collect(),
        related,
        archive,
        kind: kind(&outline),
        id: resource.id,
    })
}

/// Returns the related collections of a resource that have members, without the files if a table
/// lists them.
fn related(
    context: &PageContext,
    outline: &Collection,
    id: &str,
    has_files: bool,
) -> Result<Vec<Related>, PortalProblem> {
    let mut related = Vec::new();
    let relations = outline.relations.iter().filter(|relation| !(has_files && relation.name == DOWNLOADS));
    for (relation, members) in relations.filter_map(|relation| Some((relation.name, lookup::of_members(relation)?))) {
        let path = format!("/{}/{}/{relation}", outline.path, segment(id));
        // The catalogue rejects relationships that the resource lacks.
        let document = match context.document(&path, &format!("page_size={SHOWN}")) {
            Ok(document) => document,
            Err(PortalProblem::Refused(..) | PortalProblem::Parameters(..)) => continue,
            Err(problem) => return Err(problem),
        };
        let count = Number(document.pagination().count);
        let first = document.resources().into_iter().map(|member| {
            let href = format!("{}/portal/{}/{}", context.root(), members.path, segment(&member.id));
            (member.id.clone(), name_of(&member), href)
        });
        related.push(Related { what: capitalized(relation), count, path, first: first.collect() });
    }
    related.retain(|related| related.count.0 > 0);
    Ok(related)
}

/// Returns the name for resources of a collection. The API calls analyses jobs.
pub(crate) fn kind(collection: &Collection) -> String {
    if collection.resource_type == ANALYSIS_JOBS { "Analysis".to_owned() } else { collection.name.to_string() }
}

fn name_of(resource: &Resource) -> String {
    let names = NAMES.into_iter().map(|name| resource.text(name));
    names.into_iter().find(|name| !name.is_empty() && *name != resource.id).unwrap_or_default()
}

/// Returns the attributes, without those that the title or the link to the archive repeats.
fn attributes(resource: &Resource, coordinates: Option<Attribute>, archive: Option<&String>) -> Vec<Attribute> {
    let has_coordinates = coordinates.is_some();
    let is_row = |name: &str| !(METADATA.contains(&name) || has_coordinates && DEGREES.contains(&name));
    let title = [resource.id.clone(), name_of(resource)];
    let is_repeated = |attribute: &Attribute| {
        title.contains(&attribute.value) && (attribute.href.is_none() || attribute.href.as_ref() == archive)
    };
    let shown = resource.attributes.iter().filter(|(name, _)| is_row(name));
    let shown = shown.filter_map(|(name, value)| Attribute::of(name, value)).filter(|shown| !is_repeated(shown));
    coordinates.into_iter().chain(shown).collect()
}

/// Returns the coordinates of a sample, with a link to a map of nearby samples.
fn coordinates(context: &PageContext, resource: &Resource) -> Option<Attribute> {
    let [latitude, longitude] = DEGREES.map(|name| resource.attributes.get(name).and_then(Value::as_f64));
    let (latitude, longitude) = (latitude?, longitude?);
    let side = |degrees: f64, below, above| format!("{}° {}", degrees.abs(), if degrees < 0.0 { below } else { above });
    let around = |degrees: f64, max: f64| [(degrees - MAP_MARGIN).max(-max), (degrees + MAP_MARGIN).min(max)];
    let ([west, east], [south, north]) = (around(longitude, 180.0), around(latitude, 90.0));
    let is_on_earth = latitude.abs() <= 90.0 && longitude.abs() <= 180.0;
    let map = format!("{}/portal/samples?bbox={west},{south},{east},{north}", context.root());
    let value = format!("{}, {}", side(latitude, "S", "N"), side(longitude, "W", "E"));
    Some(Attribute::linked("coordinates", is_on_earth.then_some(map), value))
}

fn table(resource: &Resource, name: &str) -> Option<Table> {
    let entries = resource.attributes.get(name)?.as_array()?;
    let row = |entry: &Value| ["key", "value", "unit"].map(|part| Cell::text(as_text(&entry[part]))).into();
    let rows = entries.iter().filter(|entry| entry.is_object()).map(row).collect();
    Table::new(in_words(name), &[("Key", ""), ("Value", ""), ("Unit", "")], rows).non_empty()
}

/// Returns the types and accessions of the parent resources, from the study down.
fn belongs_to(context: &PageContext, resource: &Resource) -> Result<Vec<(String, Accession)>, PortalProblem> {
    let mut above = Vec::new();
    for wanted in PARENT_TYPES {
        for (_, id) in resource.named().filter(|(resource_type, _)| *resource_type == wanted) {
            let what = kind(&lookup::of_type(wanted));
            above.extend(Accession::of(context, wanted, id)?.map(|accession| (what, accession)));
        }
    }
    Ok(above)
}

/// Returns the address of a resource in the external archive.
fn archive(resource: &Resource) -> Option<String> {
    let accessions = [resource.id.clone(), resource.text("secondary-accession"), resource.text("accession")];
    accessions.iter().find_map(|accession| archive_url(accession))
}
