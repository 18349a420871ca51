//! Lists of the catalogue, with their filters.

use std::borrow::Cow;

use api_catalogue::{Collection, WHERE, lookup};
use api_http::error::{Problem, shown};
use api_http::limits::Permit;
use api_http::paths;
use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use store_catalogue::CatalogueContents;
use store_catalogue::model::{ANALYSIS_JOBS, RUNS, SAMPLES, STUDIES};

use crate::context::address::{Pairs, segment};
use crate::context::document::Document;
use crate::context::layout::Layout;
use crate::context::problem::PortalProblem;
use crate::context::visit::{Visit, page, redirect};
use crate::parts::columns::{Cell, Columns};
use crate::parts::counted::{self, Counted};
use crate::parts::fault_words;
use crate::parts::number::Number;
use crate::parts::words::{capitalized, label};

/// What conditions can be about; an example follows.
const OF_CONDITIONS: &str =
    "Combine attributes, filters, metadata with units, and linked resources with AND, OR, NOT and parentheses: ";

/// Parameters other than filters.
const OF_PAGES: [&str; 4] = ["page", "page_size", "ordering", "columns"];

#[derive(Template)]
#[template(path = "resources.html")]
struct ResourcesPage {
    layout: Layout,
    heading: String,
    description: &'static str,
    /// The address of the list without its query.
    own: String,
    /// The conditions in the language of queries, then the filters of the real service.
    filters: Vec<Input>,
    /// Problems of parameters that have no field.
    problems: Vec<String>,
    /// The parameters that the form of the filters sends again, and those of the form of columns and order.
    kept: Vec<(String, String)>,
    repeated: Vec<(String, String)>,
    counted: Vec<Counted>,
    /// Orders, what they are called, and whether each is chosen.
    orders: Vec<(String, String, bool)>,
    columns: Columns,
    rows: Vec<Row>,
    count: Number,
    page: Number,
    pages: Number,
    previous: Option<String>,
    next: Option<String>,
    /// The address of the samples' places, of a list of samples.
    places: Option<String>,
}

struct Input {
    name: &'static str,
    label: String,
    problem: String,
    /// The description: texts, of which every second is code.
    description: Vec<&'static str>,
    value: String,
}

struct Row {
    id: String,
    href: String,
    cells: Vec<Cell>,
}

struct List {
    /// The collection of its members.
    members: Cow<'static, Collection>,
    /// The path below the prefix of the service, and below that of the portal.
    below: String,
    heading: String,
    /// Whether it is all of a collection.
    is_whole: bool,
    /// The filters that choose the same samples from all, if there are such filters.
    filters_of_all: Option<Pairs>,
}

/// Answers with a list: a collection, or a related collection of a resource.
pub(crate) fn answer(
    visit: &Visit,
    collection: &str,
    related: Option<(&str, &str)>,
) -> Result<Response, PortalProblem> {
    let contents = visit.catalogue()?.contents();
    let list = List::at(contents, collection, related).ok_or_else(PortalProblem::no_page)?;
    let given = Pairs::parse(visit.query());
    let mut pairs = given.tidied("columns", &["format"]);
    if Columns::are_usual(&list.members, pairs.value("columns")) {
        pairs = pairs.without(&["columns"]);
    }
    if pairs != given {
        return Ok(redirect(&format!("{}/portal{}{}", visit.root(), list.below, pairs.to_query())));
    }
    let asked = pairs.without(&["columns"]).to_query();
    let (status, document, problems) = match visit.document(&list.below, asked.trim_start_matches('?')) {
        Ok(document) => (StatusCode::OK, document, Vec::new()),
        Err(PortalProblem::Parameters(status, problems)) => (status, Document::default(), problems),
        Err(PortalProblem::Refused(status, _)) if !pairs.value("page").is_empty() => {
            let problem = format!("There is no page {}.", shown(pairs.value("page")));
            (status, Document::default(), vec![("page".to_owned(), problem)])
        }
        Err(problem) => return Err(problem),
    };
    Ok((status, page(&list.page(visit, &pairs, document, problems)?)?).into_response())
}

impl List {
    fn at(contents: &CatalogueContents, collection: &str, related: Option<(&str, &str)>) -> Option<Self> {
        let outline = lookup::at_path(collection, contents)?;
        Some(match related {
            None => Self {
                is_whole: true,
                filters_of_all: Some(Pairs::default()),
                below: format!("/{collection}"),
                heading: capitalized(collection),
                members: outline,
            },
            Some((id, relation)) => Self {
                is_whole: false,
                members: lookup::at_path(&lookup::of_members(outline.relation(relation)?)?.path, contents)?,
                below: format!("/{collection}/{}/{relation}", segment(id)),
                heading: format!("{} of {} {id}", capitalized(relation), outline.name.to_lowercase()),
                filters_of_all: (collection == STUDIES).then(|| Pairs::default().with("study_accession", id)),
            },
        })
    }

    fn page(
        &self,
        visit: &Visit,
        pairs: &Pairs,
        document: Document,
        problems: Vec<(String, String)>,
    ) -> Result<ResourcesPage, PortalProblem> {
        let own = format!("{}/portal{}", visit.root(), self.below);
        let pagination = document.pagination();
        let resources = document.resources();
        let columns = Columns::of(&resources, &self.members, pairs.value("columns"));
        if !Permit::take_memory(columns.size_bytes(resources.len())) {
            return Err(Problem::Overloaded.into());
        }
        let rows = resources.iter().map(|resource| Row {
            id: resource.id.clone(),
            href: format!("{}/portal/{}/{}", visit.root(), self.members.path, segment(&resource.id)),
            cells: columns.cells(resource),
        });
        let page_at = |number: u64| format!("{own}{}", pairs.with("page", &number.to_string()).to_query());
        let filters = self.inputs(pairs, &problems);
        let has_field = |name: &str| filters.iter().any(|filter| filter.name == name);
        let problems = problems.into_iter().filter(|(name, _)| !has_field(name)).map(|(_, problem)| problem).collect();
        let orders = self.members.orders.iter().flat_map(|(name, _)| {
            let label = label(name);
            [((*name).to_owned(), label.clone()), (format!("-{name}"), format!("{label}, descending"))]
        });
        // Related collections are counted nowhere.
        let counted = match (self.is_whole, pagination.count) {
            (true, 1..) => counted::count(visit, &self.members, &own, pairs, &OF_PAGES)?,
            _ => Vec::new(),
        };
        Ok(ResourcesPage {
            layout: self.layout(visit, pairs, Number(pagination.count)),
            heading: self.heading.clone(),
            description: self.members.description,
            kept: pairs.filtered(|name| ["columns", "ordering", "page_size"].contains(&name)).into(),
            repeated: pairs.without(&["page", "columns", "ordering"]).into(),
            filters,
            problems,
            counted,
            orders: orders.map(|(name, label)| (name.clone(), label, name == pairs.value("ordering"))).collect(),
            rows: rows.collect(),
            columns,
            count: Number(pagination.count),
            page: Number(pagination.page),
            pages: Number(pagination.pages),
            previous: (pagination.page > 1).then(|| page_at(pagination.page - 1)),
            next: (pagination.page < pagination.pages).then(|| page_at(pagination.page + 1)),
            places: self.places(visit, pairs)?,
            own,
        })
    }

    /// Returns the fields of the filters, with the problems of their values.
    fn inputs(&self, pairs: &Pairs, problems: &[(String, String)]) -> Vec<Input> {
        let own = self.members.filters().map(|filter| (filter.name, filter.description.split('`').collect()));
        let conditions = (WHERE, vec![OF_CONDITIONS, example(&self.members)]);
        let input = |(name, description)| {
            let of_name = problems.iter().filter(|(of, _)| of == name);
            Input {
                name,
                label: if name == WHERE { "Conditions".to_owned() } else { label(name) },
                problem: of_name.map(|(_, problem)| fault_words::of(problem, pairs.value(name))).collect(),
                description,
                value: pairs.value(name).to_owned(),
            }
        };
        std::iter::once(conditions).chain(own).map(input).collect()
    }

    fn layout(&self, visit: &Visit, pairs: &Pairs, count: Number) -> Layout {
        let api = format!("{}{}", paths::CATALOGUE, self.below);
        let whole = pairs.without(&["page", "page_size", "columns"]).to_query();
        let size = format!("{count} {}", self.members.path);
        let layout = visit
            .layout(&*self.heading)
            .section(section(&self.members.path))
            .scripts(if self.members.resource_type == SAMPLES { &["map"] } else { &[] })
            .call("This page", visit.base(), &format!("{api}{}", pairs.without(&["columns"]).to_query()))
            .download("CSV", &format!("{api}.csv{whole}"), &*size)
            .download("NDJSON", &format!("{api}.ndjson{whole}"), &*size);
        if self.members.resource_type != SAMPLES {
            return layout;
        }
        let filters = pairs.without(&["page", "page_size", "columns"]);
        let of_format = |format: &str| format!("{api}{}", filters.with("format", format).to_query());
        let wide = format!("{api}{}", filters.with("metadata", "wide").with("format", "tsv").to_query());
        layout.download("Metadata as columns (TSV)", &wide, &*size).download(
            "GeoJSON",
            &of_format("geojson"),
            "those with coordinates",
        )
    }

    /// Returns the address of the places of the samples of the list. Without any there is no map, unless a box has left out all.
    fn places(&self, visit: &Visit, pairs: &Pairs) -> Result<Option<String>, PortalProblem> {
        let of_all = self.filters_of_all.as_ref().filter(|_| self.members.resource_type == SAMPLES);
        let Some(of_all) = of_all else { return Ok(None) };
        let filters = of_all.iter().fold(pairs.without(&OF_PAGES), |filters, (name, value)| filters.with(name, value));
        let query = filters.to_query();
        let has_places = !pairs.value("bbox").is_empty() || visit.has_places(query.trim_start_matches('?'))?;
        Ok(has_places.then(|| format!("{}/portal/places{query}", visit.root())))
    }
}

/// Returns a condition that shows what can be said of the resources of a collection.
fn example(collection: &Collection) -> &'static str {
    match &*collection.resource_type {
        SAMPLES => "temperature:>10[°C] AND latitude:>60 AND NOT biome:\"root:Engineered\"",
        STUDIES => "last_update:>=2019 AND sample:(pH:<5)",
        RUNS | ANALYSIS_JOBS => "experiment_type:amplicon AND sample:(depth:*)",
        _ => "study:(biome:\"root:Environmental\")",
    }
}

/// Returns the part of the navigation that a collection belongs to.
pub(crate) fn section(path: &str) -> &'static str {
    let sections = ["studies", "samples", "runs", "assemblies", "analyses"];
    sections.into_iter().find(|known| *known == path).unwrap_or_default()
}
