//! A resource of the catalogue, with its related collections.

use api_catalogue::{Collection, lookup};
use api_http::paths;
use askama::Template;
use axum::response::Response;
use serde_json::Value;
use store_catalogue::model::{ANALYSIS_JOBS, ASSEMBLIES, BIOMES, PIPELINES, RUNS, SAMPLES, STUDIES};

use crate::context::address::{encoded, segment};
use crate::context::document::{Resource, as_text};
use crate::context::layout::Layout;
use crate::context::problem::PortalProblem;
use crate::context::visit::{Visit, page, redirect};
use crate::pages::resources::section;
use crate::parts::accession::{Accession, proteins_from};
use crate::parts::attribute::{Attribute, in_archive};
use crate::parts::number::{Count, Number};
use crate::parts::table::{Cell, Table};
use crate::parts::words::{capitalized, in_words};
use crate::published::Published;

/// The most members of a related collection that are shown.
const SHOWN: usize = 5;

/// Attributes with tables of their own.
const METADATA: [&str; 2] = ["sample-metadata", "analysis-summary"];

/// Attributes that are shown together.
const DEGREES: [&str; 2] = ["latitude", "longitude"];

/// So many degrees around a sample are those of its neighbours.
const AROUND: f64 = 2.0;

/// The related collection of files, which a table of version 2 says more of.
const DOWNLOADS: &str = "downloads";

/// Types of what a resource belongs to, in the order in which they are shown.
const ABOVE: [&str; 6] = [STUDIES, SAMPLES, RUNS, ASSEMBLIES, BIOMES, PIPELINES];

/// Attributes with the name of a resource.
const NAMES: [&str; 5] = ["study-name", "sample-name", "pub-title", "name", "tool-name"];

#[derive(Template)]
#[template(path = "resource.html")]
struct ResourcePage {
    layout: Layout,
    /// The name of its type, such as `Study`.
    kind: String,
    id: String,
    name: String,
    /// The path of its list, and what that is called.
    list: (String, String),
    belongs_to: Vec<(String, Accession)>,
    /// How many proteins come from a study or an assembly, and the address of their search.
    proteins: Option<(Count, String)>,
    /// The address of its place, of a sample that has one.
    places: Option<String>,
    attributes: Vec<Attribute>,
    published: Published,
    metadata: Vec<Table>,
    related: Vec<Related>,
    /// Its address in the archive that it comes from.
    archive: Option<String>,
}

/// A related collection.
struct Related {
    what: String,
    count: Number,
    /// The list of all: its path in the interface below its prefix, and its address here.
    path: String,
    href: String,
    /// The first ones: identifiers, names and addresses.
    first: Vec<(String, String, String)>,
}

pub(crate) fn answer(visit: &Visit, collection: &str, id: &str) -> Result<Response, PortalProblem> {
    let outline = lookup::at_path(collection, visit.catalogue()?.contents()).ok_or_else(PortalProblem::no_page)?;
    let below = format!("/{collection}/{}", segment(id));
    let found = visit.document(&below, "");
    let missing = || PortalProblem::NotFound(format!("The catalogue has no {} {id}.", kind(&outline).to_lowercase()));
    let found = match found {
        Err(PortalProblem::Refused(status, _)) if status == axum::http::StatusCode::NOT_FOUND => {
            let (_, proteins) = proteins_from(visit, &outline.resource_type, id)?.ok_or_else(missing)?;
            return Ok(redirect(&format!("{}/portal/{proteins}", visit.root())));
        }
        found => found?,
    };
    let resource = found.resources().into_iter().next().ok_or_else(missing)?;
    let api = format!("{}/{collection}/{}", paths::CATALOGUE, segment(&resource.id));
    let mut layout = visit
        .layout(format!("{} {}", kind(&outline), resource.id))
        .section(section(&outline.path))
        .call("This page", visit.base(), &api)
        .download("JSON", &api, "");
    let mut published = Published::of(visit, collection, &resource.id)?;
    layout = published.name_calls(layout, visit.base());
    let related = related(visit, &outline, &resource.id, published.files.is_some())?;
    for Related { what, path, .. } in &related {
        layout = layout.call(what, visit.base(), &format!("{}{path}", paths::CATALOGUE));
    }
    let belongs_to = belongs_to(visit, &resource)?;
    let coordinates = coordinates(visit, &resource);
    let is_on_earth = coordinates.as_ref().is_some_and(|coordinates| coordinates.href.is_some());
    let places = is_on_earth.then(|| format!("{}/portal/places?accession={}", visit.root(), encoded(&resource.id)));
    if places.is_some() {
        layout = layout.scripts(&["map"]);
    }
    let mut attributes = attributes(&resource, coordinates);
    published.attributes.retain(|attribute| belongs_to.iter().all(|(what, _)| *what != attribute.name));
    attributes.append(&mut published.attributes);
    page(&ResourcePage {
        layout,
        name: name_of(&resource),
        list: (format!("{}/portal/{collection}", visit.root()), capitalized(collection)),
        belongs_to,
        proteins: proteins_of(visit, &outline.resource_type, &resource)?,
        places,
        attributes,
        published,
        metadata: METADATA.iter().filter_map(|name| table(&resource, name)).collect(),
        related,
        archive: archive(&resource),
        kind: kind(&outline),
        id: resource.id,
    })
}

/// Returns the related collections of a resource that have members. A table may say more of its files.
fn related(visit: &Visit, outline: &Collection, id: &str, has_files: bool) -> Result<Vec<Related>, PortalProblem> {
    let mut related = Vec::new();
    let relations = outline.relations.iter().filter(|relation| !(has_files && relation.name == DOWNLOADS));
    for (relation, members) in relations.filter_map(|relation| Some((relation.name, lookup::of_members(relation)?))) {
        let path = format!("/{}/{}/{relation}", outline.path, segment(id));
        // A relationship that the resource lacks is refused.
        let document = match visit.document(&path, &format!("page_size={SHOWN}")) {
            Ok(document) => document,
            Err(PortalProblem::Refused(..) | PortalProblem::Parameters(..)) => continue,
            Err(problem) => return Err(problem),
        };
        let count = Number(document.pagination().count);
        let first = document.resources().into_iter().map(|member| {
            let href = format!("{}/portal/{}/{}", visit.root(), members.path, segment(&member.id));
            (member.id.clone(), name_of(&member), href)
        });
        let href = format!("{}/portal{path}", visit.root());
        related.push(Related { what: capitalized(relation), count, path, href, first: first.collect() });
    }
    related.retain(|related| related.count.0 > 0);
    Ok(related)
}

/// Returns what a resource of a collection is called. The interface calls analyses jobs.
fn kind(collection: &Collection) -> String {
    if collection.resource_type == ANALYSIS_JOBS { "Analysis".to_owned() } else { collection.name.to_string() }
}

fn name_of(resource: &Resource) -> String {
    let names = NAMES.into_iter().map(|name| resource.text(name));
    names.into_iter().find(|name| !name.is_empty() && *name != resource.id).unwrap_or_default()
}

fn attributes(resource: &Resource, coordinates: Option<Attribute>) -> Vec<Attribute> {
    let has_coordinates = coordinates.is_some();
    let is_row = |name: &str| !(METADATA.contains(&name) || has_coordinates && DEGREES.contains(&name));
    let shown = resource.attributes.iter().filter(|(name, value)| is_row(name) && !value.is_null());
    coordinates.into_iter().chain(shown.filter_map(|(name, value)| Attribute::of(name, value))).collect()
}

/// Returns the coordinates of a sample, which lead to a map of the samples around it.
fn coordinates(visit: &Visit, resource: &Resource) -> Option<Attribute> {
    let [latitude, longitude] = DEGREES.map(|name| resource.attributes.get(name).and_then(Value::as_f64));
    let (latitude, longitude) = (latitude?, longitude?);
    let side = |degrees: f64, below, above| format!("{}° {}", degrees.abs(), if degrees < 0.0 { below } else { above });
    let around = |degrees: f64, max: f64| [(degrees - AROUND).max(-max), (degrees + AROUND).min(max)];
    let ([west, east], [south, north]) = (around(longitude, 180.0), around(latitude, 90.0));
    let is_on_earth = latitude.abs() <= 90.0 && longitude.abs() <= 180.0;
    let map = format!("{}/portal/samples?bbox={west},{south},{east},{north}", visit.root());
    Some(Attribute {
        name: "Coordinates".to_owned(),
        value: format!("{}, {}", side(latitude, "S", "N"), side(longitude, "W", "E")),
        href: is_on_earth.then_some(map),
    })
}

fn table(resource: &Resource, name: &str) -> Option<Table> {
    let entries = resource.attributes.get(name)?.as_array()?;
    let row = |entry: &Value| ["key", "value", "unit"].map(|part| Cell::text(as_text(&entry[part]))).into();
    let rows = entries.iter().filter(|entry| entry.is_object()).map(row).collect();
    Table::new(in_words(name), &[("Key", ""), ("Value", ""), ("Unit", "")], rows).unless_empty()
}

/// Returns what a resource belongs to, from the study down: what that is, and its accession.
fn belongs_to(visit: &Visit, resource: &Resource) -> Result<Vec<(String, Accession)>, PortalProblem> {
    let mut above = Vec::new();
    for wanted in ABOVE {
        for (_, id) in resource.named().filter(|(resource_type, _)| *resource_type == wanted) {
            let what = kind(&lookup::of_type(wanted));
            above.extend(Accession::of(visit, wanted, id)?.map(|accession| (what, accession)));
        }
    }
    Ok(above)
}

/// Returns the proteins of a study or an assembly, which may name it by a secondary accession.
fn proteins_of(
    visit: &Visit,
    resource_type: &str,
    resource: &Resource,
) -> Result<Option<(Count, String)>, PortalProblem> {
    let ids = [resource.id.clone(), resource.text("secondary-accession"), resource.text("bioproject")];
    for id in ids.into_iter().filter(|id| !id.is_empty()) {
        if let Some((count, path)) = proteins_from(visit, resource_type, &id)? {
            return Ok(Some((count, format!("{}/portal/{path}", visit.root()))));
        }
    }
    Ok(None)
}

/// Returns the address of a resource in the archive that it comes from.
fn archive(resource: &Resource) -> Option<String> {
    let accessions = [resource.id.clone(), resource.text("secondary-accession"), resource.text("accession")];
    accessions.iter().find_map(|accession| in_archive(accession))
}
