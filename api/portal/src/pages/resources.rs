//! Lists of catalogue resources, with filters.

use std::borrow::Cow;

use api_catalogue::{Collection, lookup};
use api_http::error::{Problem, shown};
use api_http::limits::Permit;
use api_http::paths;
use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use store_catalogue::CatalogueContents;
use store_catalogue::model::{SAMPLES, STUDIES};

use crate::context::address::{ANY, Pairs, segment};
use crate::context::document::{Document, Resource};
use crate::context::layout::Layout;
use crate::context::page_context::{PageContext, redirect};
use crate::context::problem::PortalProblem;
use crate::pages::resource::kind;
use crate::parts::choices::{Chip, Choice, Conditions, Facet};
use crate::parts::columns::Columns;
use crate::parts::metadata_rows;
use crate::parts::number::Number;
use crate::parts::resource_facets::{self, describe};
use crate::parts::resource_form::ResourceForm;
use crate::parts::resource_query::for_api;
use crate::parts::words::{self, capitalized, label};
use crate::plots;

/// Parameters other than filters.
const PAGE_PARAMETERS: [&str; 4] = ["page", "page_size", "ordering", "columns"];

#[derive(Template)]
#[template(path = "resources.html")]
struct ResourcesPage {
    layout: Layout,
    /// The reason why there is no list; empty if there is one.
    refused: &'static str,
    /// The names of one resource and of several.
    one: String,
    /// The address of the list, without query.
    own: String,
    form: ResourceForm,
    /// The hidden parameters of the filter form, and of the form of columns and order.
    kept: Pairs,
    repeated: Pairs,
    facets: Vec<Facet>,
    chips: Vec<Chip>,
    orders: Vec<&'static str>,
    /// The selected order.
    ordering: String,
    columns: Columns,
    resources: Vec<Resource>,
    count: Number,
    page: Number,
    pages: Number,
    previous: Option<String>,
    next: Option<String>,
    /// The address of the places, for a list of samples.
    places: Option<String>,
    /// The conditions whose removal gives results.
    relaxed: Vec<Choice>,
}

struct List {
    /// The collection of the listed resources.
    members: Cow<'static, Collection>,
    /// The path below the prefix of the service, and below the prefix of the portal.
    below: String,
    heading: String,
    /// `true` if the list is a whole collection.
    is_whole: bool,
    /// The filters that select the same samples from all samples, if they exist.
    filters_of_all: Option<Pairs>,
}

/// Answers with a list: a whole collection, or a related collection of a resource.
pub(crate) fn answer(
    context: &PageContext,
    collection: &str,
    related: Option<(&str, &str)>,
) -> Result<Response, PortalProblem> {
    let contents = context.catalogue()?.contents();
    let list = List::at(contents, collection, related).ok_or_else(PortalProblem::no_page)?;
    let given = Pairs::parse(context.query());
    let mut pairs = given.tidied("columns", &["format"]);
    if Columns::are_usual(&list.members, pairs.value("columns")) {
        pairs = pairs.without(&["columns"]);
    }
    if pairs != given {
        return Ok(redirect(&format!("{}/portal{}{}", context.root(), list.below, pairs.to_query())));
    }
    let query = for_api(&pairs.without(&["columns"])).to_query();
    let (status, document, problems) = match context.document(&list.below, &query) {
        Ok(document) => (StatusCode::OK, document, Vec::new()),
        Err(PortalProblem::Parameters(status, problems)) => (status, Document::default(), problems),
        Err(PortalProblem::Refused(status, _)) if !pairs.value("page").is_empty() => {
            let problem = format!("Page {} does not exist.", shown(pairs.value("page")));
            (status, Document::default(), vec![("page".to_owned(), problem)])
        }
        Err(problem) => return Err(problem),
    };
    let page = list.page(context, &pairs, document, &problems)?;
    let plots = page.facets.iter().filter_map(|facet| facet.plot.as_ref());
    Ok((status, plots::answer(context, &page, plots)?).into_response())
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
        context: &PageContext,
        pairs: &Pairs,
        document: Document,
        problems: &[(String, String)],
    ) -> Result<ResourcesPage, PortalProblem> {
        let own = format!("{}/portal{}", context.root(), self.below);
        let pagination = document.pagination();
        let resources = document.resources();
        let columns = Columns::of(&resources, &self.members, pairs.value("columns"));
        if !Permit::take_memory(columns.size_bytes(resources.len())) {
            return Err(Problem::Overloaded.into());
        }
        let page_at = |number: u64| format!("{own}{}", pairs.with("page", &number.to_string()).to_query());
        let address = |pairs: &Pairs| format!("{own}{}", pairs.without(&["page"]).to_query());
        let conditions =
            Conditions { pairs, page_parameters: &PAGE_PARAMETERS, group: metadata_rows::number, address: &address };
        let refused = match problems {
            [] => "",
            [(name, _)] if name == "page" => "No such page",
            _ => "No search was run",
        };
        // Related collections have no facets.
        let facets = match (self.is_whole, refused) {
            (true, "") => resource_facets::count(context, &self.members, &conditions)?,
            _ => Vec::new(),
        };
        let relaxed = match (pagination.count, refused) {
            (0, "") => self.relaxed(context, &conditions)?,
            _ => Vec::new(),
        };
        let form = ResourceForm::new(context, &self.members, &self.below, pairs, problems)?;
        let mut orders: Vec<_> = self.members.orders.iter().map(|(name, _)| *name).collect();
        words::sort(&mut orders, |name| name);
        Ok(ResourcesPage {
            layout: self.layout(context, pairs, Number(pagination.count)),
            refused,
            one: kind(&self.members).to_lowercase(),
            kept: pairs.filtered(|name| name.starts_with(ANY) || ["columns", "ordering", "page_size"].contains(&name)),
            repeated: pairs.without(&["page", "columns", "ordering"]),
            form,
            facets,
            chips: conditions.chips(|condition| describe(&self.members, condition)),
            orders,
            ordering: pairs.value("ordering").to_owned(),
            resources,
            columns,
            count: Number(pagination.count),
            page: Number(pagination.page),
            pages: Number(pagination.pages),
            previous: (pagination.page > 1).then(|| page_at(pagination.page - 1)),
            next: (pagination.page < pagination.pages).then(|| page_at(pagination.page + 1)),
            places: self.places(context, pairs)?,
            relaxed,
            own,
        })
    }

    /// Returns the conditions of an empty list whose removal gives results.
    fn relaxed(&self, context: &PageContext, conditions: &Conditions) -> Result<Vec<Choice>, PortalProblem> {
        let text = |condition: &Pairs| {
            if let Some(row) = metadata_rows::read(condition).first() {
                return row.condition();
            }
            let (names, values): (Vec<&str>, Vec<&str>) = condition.iter().unzip();
            format!("{}: {}", label(names[0].strip_prefix(ANY).unwrap_or(names[0])), values.join(", "))
        };
        let count = |others: &Pairs| {
            let query = for_api(&others.without(&PAGE_PARAMETERS)).with("page_size", "1").to_query();
            // The work of the page may be used up.
            Ok(context.document(&self.below, &query).map_or(0, |document| document.pagination().count).into())
        };
        conditions.relaxed(text, count)
    }

    fn layout(&self, context: &PageContext, pairs: &Pairs, count: Number) -> Layout {
        let api = format!("{}{}", paths::CATALOGUE, self.below);
        let call = for_api(&pairs.without(&["columns"]));
        let filters = call.without(&["page", "page_size"]);
        let whole = filters.to_query();
        let size = format!("{count} {}", self.members.path);
        let layout = context
            .layout(&*self.heading)
            .section(&self.members.path)
            .scripts(if self.members.resource_type == SAMPLES { &["map"] } else { &[] })
            .call("This page", &format!("{api}{}", call.to_query()))
            .download("CSV", &format!("{api}.csv{whole}"), &*size)
            .download("NDJSON", &format!("{api}.ndjson{whole}"), &*size);
        if self.members.resource_type != SAMPLES {
            return layout;
        }
        let wide = format!("{api}{}", filters.with("metadata", "wide").with("format", "tsv").to_query());
        let places = format!("{api}{}", filters.with("format", "geojson").to_query());
        layout.download("Metadata as columns (TSV)", &wide, &*size).download(
            "GeoJSON",
            &places,
            "those with coordinates",
        )
    }

    /// Returns the address of the places of the listed samples. Lists without places have no map,
    /// unless a box excludes all samples.
    fn places(&self, context: &PageContext, pairs: &Pairs) -> Result<Option<String>, PortalProblem> {
        let of_all = self.filters_of_all.as_ref().filter(|_| self.members.resource_type == SAMPLES);
        let Some(of_all) = of_all else { return Ok(None) };
        let filters =
            of_all.iter().fold(pairs.without(&PAGE_PARAMETERS), |filters, (name, value)| filters.with(name, value));
        let query = for_api(&filters).to_query();
        let has_places = !pairs.value("bbox").is_empty() || context.has_places(&query)?;
        Ok(has_places.then(|| format!("{}/portal/places?{}", context.root(), query.trim_start_matches('?'))))
    }
}
