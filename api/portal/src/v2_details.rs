//! Details of resources that only version 2 of the API has.

mod annotations;
mod files;
mod genomes;

pub(crate) use files::answer as urls;

use api_catalogue::urls::is_url;
use api_http::paths;
use serde_json::Value;

use crate::context::address::segment;
use crate::context::document::as_text;
use crate::context::layout::Layout;
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::attribute::Attribute;
use crate::parts::number::Number;
use crate::parts::table::{Cell, Table};
use crate::parts::words::in_words;

/// Members shown as attributes: names, and the collections they refer to.
const ATTRIBUTES: [(&str, &str); 9] = [
    ("study_accession", "studies"),
    ("reads_study_accession", "studies"),
    ("assembly_study_accession", "studies"),
    ("sample", "samples"),
    ("assembly", "assemblies"),
    ("catalogue_id", "genome-catalogues"),
    ("assembler_name", ""),
    ("assembler_version", ""),
    ("results_dir", ""),
];

/// The results directory of analyses without results.
const NO_DIRECTORY: &str = "/mgnify_results/";

/// The maximum number of shown runs of an analysis, and of values of its quality control.
const ROWS_MAX: usize = 100;

/// Additions to the page of a resource.
#[derive(Default)]
pub(crate) struct V2Details {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) files: Option<Table>,
    pub(crate) tables: Vec<Table>,
    pub(crate) url_lists: Vec<files::UrlList>,
    /// The API calls with these details.
    calls: Vec<(&'static str, String)>,
}

impl V2Details {
    /// Collects the details for the page of a resource.
    pub(crate) fn of(context: &PageContext, collection: &str, id: &str) -> Result<Self, PortalProblem> {
        let Some(path) = path(collection, id) else { return Ok(Self::default()) };
        let Some(document) = context.document_v2(&path)? else { return Ok(Self::default()) };
        let mut details = Self { attributes: attributes(context, collection, &document)?, ..Self::default() };
        details.calls.push(("This page, version 2", path.clone()));
        details.files = files::table(&document, format!("{}{path}", root(context)));
        details.url_lists = files::lists(context, collection, id, &document)?;
        details.tables.extend(runs(context, &document)?);
        details.tables.extend(quality_control(&document));
        match collection {
            "analyses" | "genomes" => details.add_annotations(context, &path)?,
            "assemblies" => details.add_genomes(context, &path)?,
            _ => {}
        }
        Ok(details)
    }

    /// Adds the API calls to those of the page.
    pub(crate) fn add_calls(&self, layout: Layout) -> Layout {
        let add = |layout: Layout, (what, path): &(&str, String)| {
            layout.call(*what, &format!("{}{path}", paths::CATALOGUE_V2))
        };
        self.calls.iter().fold(layout, add)
    }

    fn add_annotations(&mut self, context: &PageContext, path: &str) -> Result<(), PortalProblem> {
        let path = format!("{path}/annotations");
        let document = context.document_v2(&path)?.unwrap_or_default();
        let tables = annotations::tables(&document["annotations"], &format!("{}{path}", root(context)));
        if !tables.is_empty() {
            self.calls.push(("Annotations, version 2", path));
        }
        self.tables.extend(tables);
        Ok(())
    }

    fn add_genomes(&mut self, context: &PageContext, path: &str) -> Result<(), PortalProblem> {
        for list in &genomes::GENOME_LISTS {
            let path = format!("{path}/{}?page_size={ROWS_MAX}", list.name);
            let document = context.document_v2(&path)?.unwrap_or_default();
            if let Some(table) = list.table(context, &document, format!("{}{path}", root(context)))? {
                self.tables.push(table);
                self.calls.push((list.heading, path));
            }
        }
        Ok(())
    }
}

/// Returns the path of a resource below the prefix of version 2, if version 2 has more details of
/// such resources.
fn path(collection: &str, id: &str) -> Option<String> {
    let path = match collection {
        "studies" | "runs" | "assemblies" | "analyses" | "genomes" => collection,
        "genome-catalogues" => "genomes/catalogues",
        _ => return None,
    };
    Some(format!("/{path}/{}", segment(id)))
}

/// Returns the prefix of the addresses of version 2 on this server.
fn root(context: &PageContext) -> String {
    format!("{}{}", context.root(), paths::CATALOGUE_V2)
}

fn attributes(context: &PageContext, collection: &str, document: &Value) -> Result<Vec<Attribute>, PortalProblem> {
    let mut attributes = Vec::new();
    for (member, of) in ATTRIBUTES {
        let value = document[member].get("accession").unwrap_or(&document[member]);
        let value = as_text(value);
        if value.is_empty() || of == collection || value.ends_with(NO_DIRECTORY) {
            continue;
        }
        let href = if of.is_empty() { is_url(&value).then(|| value.clone()) } else { context.page_of(of, &value)? };
        attributes.push(Attribute::linked(member, href, value));
    }
    Ok(attributes)
}

/// Returns the runs of an analysis or an assembly.
fn runs(context: &PageContext, document: &Value) -> Result<Option<Table>, PortalProblem> {
    let mut rows = Vec::new();
    for run in document["read_run"].as_array().into_iter().flatten().take(ROWS_MAX) {
        let [id, sample] = ["accession", "sample_accession"].map(|member| as_text(&run[member]));
        rows.push(vec![
            Cell::text(&*id).linked(context.page_of("runs", &id)?),
            Cell::text(as_text(&run["experiment_type"])),
            Cell::text(&*sample).linked(context.page_of("samples", &sample)?),
        ]);
    }
    Ok(Table::new("Runs", &[("Run", ""), ("Experiment type", ""), ("Sample", "short")], rows).non_empty())
}

fn quality_control(document: &Value) -> Option<Table> {
    let mut rows = Vec::new();
    add_values("", &document["quality_control_summary"], &mut rows);
    Table::new("Quality control", &[("Measured", "long"), ("Value", "number")], rows).non_empty()
}

/// Adds a row for each value in an object, labelled by its path.
fn add_values(name: &str, value: &Value, rows: &mut Vec<Vec<Cell>>) {
    let Some(members) = value.as_object() else {
        if !value.is_null() && rows.len() < ROWS_MAX {
            rows.push(vec![Cell::text(name), Cell::text(number(value))]);
        }
        return;
    };
    for (member, value) in members {
        let member = in_words(member);
        let name = if name.is_empty() { member } else { format!("{name}: {}", member.to_lowercase()) };
        add_values(&name, value, rows);
    }
}

/// Returns a value as text; whole numbers have thousands separators.
fn number(value: &Value) -> String {
    value.as_u64().map_or_else(|| as_text(value), |number| Number(number).to_string())
}
