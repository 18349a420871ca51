//! Lists of the catalogue, with their filters.

use askama::Template;
use axum::response::Response;
use serde_json::Value;

use super::document::{Resource, as_text};
use super::layout::Layout;
use super::lead_to;
use super::number::Number;
use super::problem::PortalProblem;
use super::visit::{Visit, page};
use crate::catalogue::CollectionOutline;
use crate::paths;

/// The columns of collections until others are chosen: attributes.
const COLUMNS: [(&str, &[&str]); 7] = [
    ("studies", &["study-name", "centre-name", "samples-count", "last-update"]),
    ("samples", &["sample-name", "sample-desc", "geo-loc-name", "latitude", "longitude", "last-update"]),
    ("assemblies", &["experiment-type", "wgs-accession", "legacy-accession"]),
    ("runs", &["experiment-type", "instrument-platform", "instrument-model"]),
    ("analyses", &["experiment-type", "pipeline-version", "analysis-status", "complete-time"]),
    ("publications", &["pub-title", "iso-journal", "published-year", "studies-count"]),
    ("genomes", &["taxon-lineage", "length", "num-contigs", "completeness", "contamination"]),
];

/// The columns of other collections: as many of the first attributes.
const OTHER_COLUMNS: usize = 5;

/// The characters of a cell.
const CELL_CHARS: usize = 160;

/// Parameters that are no filters.
const OF_PAGES: [&str; 5] = ["page", "page_size", "ordering", "columns", "format"];

#[derive(Template)]
#[template(path = "resources.html")]
struct ResourcesPage {
    layout: Layout,
    heading: String,
    description: &'static str,
    /// The address of the list without its query.
    own: String,
    filters: Vec<Input>,
    /// Whether any filter is set.
    is_filtered: bool,
    orders: Vec<(String, bool)>,
    /// The columns that can be chosen.
    choices: Vec<(String, bool)>,
    columns: Vec<String>,
    /// Those of them that are numbers.
    numbers: Vec<String>,
    rows: Vec<Row>,
    count: Number,
    page: Number,
    pages: Number,
    /// The addresses of the pages around this one.
    previous: Option<String>,
    next: Option<String>,
    /// Where the places of the samples are, if the list is of samples.
    places: Option<String>,
}

struct Input {
    name: &'static str,
    description: &'static str,
    value: String,
}

struct Row {
    id: String,
    href: String,
    cells: Vec<Cell>,
}

struct Cell {
    text: String,
    /// How it is set; nothing for texts.
    class: &'static str,
}

/// Answers with a list: of a collection, or of what hangs on a resource.
pub(super) async fn answer(
    visit: &Visit<'_>,
    collection: &str,
    related: Option<(&String, &String)>,
) -> Result<Response, PortalProblem> {
    let contents = visit.catalogue()?.contents();
    let parent = CollectionOutline::at(collection, contents).ok_or_else(PortalProblem::no_page)?;
    let members = match related {
        None => Some(parent.clone()),
        Some((_, relation)) => {
            parent.member_collection(relation).and_then(|path| CollectionOutline::at(path, contents))
        }
    };
    let members = members.ok_or_else(PortalProblem::no_page)?;
    let below = match related {
        None => format!("/{collection}"),
        Some((id, relation)) => format!("/{collection}/{}/{relation}", segment(id)),
    };
    let given: Vec<_> = form_urlencoded::parse(visit.query().as_bytes()).into_owned().collect();
    let pairs = canonical(given.clone());
    let own = format!("{}/portal{below}", visit.root());
    if pairs != given {
        return Ok(lead_to(&format!("{own}{}", query_of(pairs.iter()))));
    }
    let asked = query_of(pairs.iter().filter(|(name, _)| name != "columns"));
    let document = visit.document(&below, asked.trim_start_matches('?')).await?;
    let pagination = document.pagination();
    let resources = document.resources();
    let chosen = pairs.iter().find(|(name, _)| name == "columns").map(|(_, names)| names.split(',').map(str::to_owned));
    let all = attributes(&resources);
    let columns: Vec<String> = match chosen {
        Some(chosen) => chosen.collect(),
        None => match COLUMNS.iter().find(|(path, _)| *path == members.path) {
            Some((_, columns)) => {
                columns.iter().map(|name| (*name).to_owned()).filter(|name| all.contains(name)).collect()
            }
            None => all.iter().take(OTHER_COLUMNS).cloned().collect(),
        },
    };
    let api = format!("{}{below}", paths::CATALOGUE);
    let without_pages =
        query_of(pairs.iter().filter(|(name, _)| !OF_PAGES[..2].contains(&&**name) && name != "columns"));
    let count = Number(pagination.count);
    let size = format!("{count} {}", members.path);
    let heading = match related {
        None => capitalized(collection),
        Some((id, relation)) => format!("{} of {} {id}", capitalized(relation), parent.name.to_lowercase()),
    };
    let layout = visit
        .layout(&*heading)
        .section(section(&members.path))
        .scripts(if members.path == "samples" { &["map"] } else { &[] })
        .call("This page", visit.base(), &format!("{api}{asked}"))
        .download("CSV", &format!("{api}.csv{without_pages}"), &*size)
        .download("NDJSON", &format!("{api}.ndjson{without_pages}"), &*size);
    let page_at = |number: u64| {
        let others = pairs.iter().filter(|(name, _)| name != "page").cloned();
        let pairs: Vec<_> = others.chain([("page".to_owned(), number.to_string())]).collect();
        format!("{own}{}", query_of(pairs.iter()))
    };
    let value = |wanted: &str| pairs.iter().find(|(name, _)| name == wanted).map_or("", |(_, value)| value.as_str());
    let filters: Vec<_> = members
        .filters
        .iter()
        .map(|&(name, description)| Input { name, description, value: value(name).to_owned() })
        .collect();
    let ordered = value("ordering");
    let orders = members.orders.iter().flat_map(|name| [(*name).to_owned(), format!("-{name}")]);
    let path = &members.path;
    page(&ResourcesPage {
        heading,
        description: members.description,
        is_filtered: filters.iter().any(|filter| !filter.value.is_empty()),
        filters,
        orders: orders.map(|name| (name.clone(), name == ordered)).collect(),
        choices: all.iter().map(|name| (name.clone(), columns.contains(name))).collect(),
        rows: resources.iter().map(|resource| row(resource, &columns, path, visit.root())).collect(),
        numbers: columns.iter().filter(|name| is_number(&resources, name)).cloned().collect(),
        columns,
        count,
        page: Number(pagination.page),
        pages: Number(pagination.pages),
        previous: (pagination.page > 1).then(|| page_at(pagination.page - 1)),
        next: (pagination.page < pagination.pages).then(|| page_at(pagination.page + 1)),
        places: places(visit, path, related, &pairs),
        own,
        layout,
    })
}

/// Returns the address of the places of the samples of a list, if these can be told by filters alone.
fn places(
    visit: &Visit<'_>,
    members: &str,
    related: Option<(&String, &String)>,
    pairs: &[(String, String)],
) -> Option<String> {
    let filters = pairs.iter().filter(|(name, _)| !OF_PAGES.contains(&&**name));
    let address = |pairs: Vec<(String, String)>| format!("{}/portal/places{}", visit.root(), query_of(pairs.iter()));
    (members == "samples" && related.is_none()).then(|| address(filters.cloned().collect()))
}

fn row(resource: &Resource, columns: &[String], path: &str, root: &str) -> Row {
    let cell = |name: &String| resource.attributes.get(name).map_or_else(Cell::empty, Cell::of);
    let href = format!("{root}/portal/{path}/{}", segment(&resource.id));
    Row { id: resource.id.clone(), href, cells: columns.iter().map(cell).collect() }
}

impl Cell {
    fn empty() -> Self {
        Self { text: String::new(), class: "" }
    }

    fn of(value: &Value) -> Self {
        let text = as_text(value);
        if value.is_number() {
            return Self { text, class: "number" };
        }
        if let Some((date, time)) = text.split_once('T').filter(|(date, _)| is_date(date)) {
            return Self { text: format!("{date} {time}"), class: "date" };
        }
        match text.char_indices().nth(CELL_CHARS) {
            Some((end, _)) => Self { text: format!("{}…", &text[..end]), class: "" },
            None => Self { text, class: "" },
        }
    }
}

/// Tells whether a text is a date such as 2017-11-27.
fn is_date(text: &str) -> bool {
    text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

/// Tells whether an attribute is a number wherever it is there.
fn is_number(resources: &[Resource], name: &str) -> bool {
    let mut values =
        resources.iter().filter_map(|resource| resource.attributes.get(name)).filter(|value| !value.is_null());
    values.clone().next().is_some() && values.all(Value::is_number)
}

/// Returns the names of the attributes of resources, in the order in which they come.
fn attributes(resources: &[Resource]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for resource in resources {
        for name in resource.attributes.keys() {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    names
}

/// Returns the parameters of a form without those that were left empty, and columns as one list.
fn canonical(pairs: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut kept: Vec<(String, String)> = Vec::new();
    for (name, value) in pairs {
        if value.trim().is_empty() || name == "format" {
            continue;
        }
        match kept.iter_mut().find(|(before, _)| *before == name && name == "columns") {
            Some((_, columns)) => columns.extend([",", &value]),
            None => kept.push((name, value)),
        }
    }
    kept
}

fn query_of<'a>(pairs: impl Iterator<Item = &'a (String, String)>) -> String {
    let mut text = form_urlencoded::Serializer::for_suffix("?".to_owned(), 1);
    let text = text.extend_pairs(pairs).finish();
    if text == "?" { String::new() } else { text }
}

/// Returns a text as a segment of a path.
pub(super) fn segment(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

/// Returns the part of the navigation that a collection belongs to.
pub(super) fn section(path: &str) -> &'static str {
    ["studies", "samples", "runs", "assemblies", "analyses"]
        .into_iter()
        .find(|known| *known == path)
        .unwrap_or("catalogue")
}

pub(super) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
