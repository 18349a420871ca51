//! The search for proteins: a form over all that version 2 of the interface can be asked.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value};
use store::{PAGE_BUDGET, ProteinAccession, ProteinGeneration, ProteinPage, Relation, Total};

use super::address::{Pairs, segment};
use super::document::as_text;
use super::layout::Layout;
use super::lead_to;
use super::number::{Bytes, Number};
use super::problem::PortalProblem;
use super::visit::{Visit, page};
use crate::SourceError;
use crate::paths;
use crate::proteins::{ParameterProblem, ProteinProblem, QueryParameters, ResultField, ResultFormat, ResultWriter};

/// The parameters of the form that are one text each, with what they ask for and an example.
const INPUTS: [(&str, &str, &str); 9] = [
    ("biome", "Biome, with all below it", "root:Environmental:Aquatic"),
    ("pfam", "Pfam family", "PF00005"),
    ("clan", "Clan", "CL0023"),
    ("study", "Study", "ERP108403"),
    ("assembly", "Assembly", "ERZ534239"),
    ("min_length", "Residues, at least", "100"),
    ("max_length", "Residues, at most", "500"),
    ("min_cluster_size", "Cluster size, at least", "2"),
    ("max_cluster_size", "Cluster size, at most", "1000"),
];

/// Parameters that choose a page or what is shown of it, and not proteins.
const OF_PAGES: [&str; 5] = ["limit", "after", "fields", "count", "format"];

/// Columns that are numbers.
const NUMBERS: [&str; 2] = ["length", "cluster_size"];

#[derive(Template)]
#[template(path = "search.html")]
struct SearchPage {
    layout: Layout,
    /// The text of the query.
    text: String,
    inputs: Vec<Input>,
    full_length: String,
    columns: Vec<Column>,
    problems: Vec<String>,
    /// All conditions as the text of one query.
    whole: String,
    whole_path: String,
    found: Option<Found>,
}

/// A field of the form.
struct Input {
    name: &'static str,
    label: &'static str,
    example: &'static str,
    value: String,
    problem: String,
}

/// A column that can be chosen.
struct Column {
    name: &'static str,
    is_chosen: bool,
}

/// What was found.
struct Found {
    total: Number,
    is_at_least: bool,
    /// Whether the page ended before it was full, for lack of time.
    is_cut_short: bool,
    /// The names of the columns, and whether they are of numbers.
    headings: Vec<(&'static str, bool)>,
    rows: Vec<Vec<Cell>>,
    accessions: Vec<String>,
    /// The address of the next page.
    next: Option<String>,
    first: Option<String>,
}

/// A cell: values, each of which may lead somewhere.
struct Cell {
    values: Vec<(String, Option<String>)>,
    is_number: bool,
}

/// A page of hits with what the downloads would be.
struct Answer {
    page: ProteinPage,
    total: Total,
    rows: Vec<Map<String, Value>>,
    /// The mean bytes of a hit as TSV, NDJSON and FASTA.
    mean_bytes: [u64; 3],
}

pub(super) async fn answer(visit: &Visit<'_>) -> Result<Response, PortalProblem> {
    let given = Pairs::parse(visit.query());
    let mut pairs = given.tidied("fields", &["format", "count"]);
    if pairs.value("fields") == ResultField::DEFAULT.map(ResultField::name).join(",") {
        pairs = pairs.without(&["fields"]);
    }
    if pairs != given {
        return Ok(lead_to(&format!("{}/portal/search{}", visit.root(), pairs.to_query())));
    }
    let query = pairs.to_query();
    let asked = {
        let query = query.clone();
        visit.read_proteins(move |data| Ok(ask(data, query.trim_start_matches('?'))))
    };
    let (parameters, answered) = match asked.await? {
        Ok(found) => found,
        Err(ProteinProblem::Parameters(problems)) => return of_problems(visit, &pairs, &problems),
        Err(ProteinProblem::Source(error)) => return Err(error.into()),
        Err(_) => return Err(PortalProblem::no_page()),
    };
    let fields = parameters.writer.fields();
    let Answer { page: hits, total, rows, mean_bytes } = answered;
    let mut layout = layout(visit, &pairs);
    let size = |mean: u64| {
        let about = if total.relation == Relation::Eq { "" } else { "at least " };
        format!("{about}{} proteins, about {}", Number(total.value), Bytes(mean * total.value))
    };
    let chosen = pairs.without(&["limit", "after"]);
    let formats = [("FASTA", "fasta"), ("TSV", "tsv"), ("NDJSON", "ndjson")];
    for ((format, name), mean) in formats.into_iter().zip(mean_bytes) {
        // FASTA has no fields.
        let of_download = if name == "fasta" { chosen.without(&["fields"]) } else { chosen.clone() };
        let path = format!("{}/proteins{}", paths::PROTEINS_V2, of_download.with("format", name).to_query());
        layout = layout.download(format, &path, size(mean));
    }
    let address = |pairs: &Pairs| format!("{}/portal/search{}", visit.root(), pairs.to_query());
    let first = pairs.without(&["after"]);
    let next = hits.next.map(|after: ProteinAccession| address(&first.with("after", &after.to_string())));
    let found = Found {
        total: Number(total.value),
        is_at_least: total.relation == Relation::Gte,
        is_cut_short: hits.next.is_some() && hits.hits.len() < parameters.page_limit().unwrap_or_default(),
        headings: fields.iter().map(|field| (field.name(), NUMBERS.contains(&field.name()))).collect(),
        rows: rows.iter().map(|row| cells(row, fields, visit.root())).collect(),
        accessions: hits.hits.iter().map(|hit| hit.accession.to_string()).collect(),
        next,
        first: (pairs != first).then(|| address(&first)),
    };
    let mut search = form(visit, &pairs, layout, &[]);
    for column in &mut search.columns {
        column.is_chosen = fields.iter().any(|field| field.name() == column.name);
    }
    search.found = Some(found);
    page(&search)
}

/// Finds a page of proteins.
fn ask(data: &Arc<ProteinGeneration>, query: &str) -> Result<(QueryParameters, Answer), ProteinProblem> {
    let parameters = QueryParameters::parse(query, Some(ResultFormat::Json), data.biomes())?;
    let limit = parameters.page_limit().unwrap_or_default();
    let page = data.page(&parameters.query, parameters.after, limit, PAGE_BUDGET)?;
    let is_all = parameters.after.is_none() && page.next.is_none();
    let total = if is_all {
        Total { value: page.hits.len() as u64, relation: Relation::Eq }
    } else {
        let mut total = data.total(&parameters.query, PAGE_BUDGET)?;
        total.value = total.value.max(page.hits.len() as u64);
        total
    };
    let mut json = b"[".to_vec();
    parameters.writer.write_page(data, &page, &mut json)?;
    json.push(b']');
    let rows = serde_json::from_slice(&json).map_err(|error| SourceError::Fault(Box::new(error)))?;
    let mut mean_bytes = [0; 3];
    for (mean, format) in mean_bytes.iter_mut().zip([ResultFormat::Tsv, ResultFormat::Ndjson, ResultFormat::Fasta]) {
        let mut text = Vec::new();
        ResultWriter::new(format, parameters.writer.fields()).write_page(data, &page, &mut text)?;
        *mean = text.len() as u64 / (page.hits.len() as u64).max(1);
    }
    let [tsv, ndjson, fasta] = mean_bytes;
    Ok((parameters, Answer { page, total, rows, mean_bytes: [fasta, tsv, ndjson] }))
}

/// Answers with the form and what is wrong with it.
fn of_problems(visit: &Visit<'_>, pairs: &Pairs, problems: &[ParameterProblem]) -> Result<Response, PortalProblem> {
    let search = form(visit, pairs, layout(visit, pairs), problems);
    Ok((StatusCode::UNPROCESSABLE_ENTITY, page(&search)?).into_response())
}

fn layout(visit: &Visit<'_>, pairs: &Pairs) -> Layout {
    let layout = visit.layout("Search for proteins").section("search");
    layout.call("This search", visit.base(), &format!("{}/proteins{}", paths::PROTEINS_V2, pairs.to_query()))
}

/// Returns the form with the values that were given.
fn form(visit: &Visit<'_>, pairs: &Pairs, layout: Layout, problems: &[ParameterProblem]) -> SearchPage {
    let of = |wanted: &str| {
        let told = problems.iter().filter(|problem| problem.loc.get(1).is_some_and(|name| name == wanted));
        told.map(|problem| problem.msg.to_string()).collect::<Vec<_>>().join(" ")
    };
    let inputs = INPUTS.map(|(name, label, example)| Input {
        name,
        label,
        example,
        value: pairs.value(name).to_owned(),
        problem: of(name),
    });
    let is_of_input = |problem: &&ParameterProblem| {
        problem.loc.get(1).is_some_and(|name| INPUTS.iter().any(|(input, ..)| name == input))
    };
    let others = problems.iter().filter(|problem| !is_of_input(problem));
    let problems = others.map(|problem| match problem.loc.get(1) {
        Some(name) => format!("{name}: {}", problem.msg),
        None => problem.msg.to_string(),
    });
    let chosen = pairs.value("fields");
    let columns = ResultField::ALL
        .map(|field| Column { name: field.name(), is_chosen: chosen.split(',').any(|name| name == field.name()) });
    let whole = whole(pairs);
    let mut of_text = Pairs::default().with("q", &whole);
    for name in ["limit", "fields"].into_iter().filter(|name| !pairs.value(name).is_empty()) {
        of_text = of_text.with(name, pairs.value(name));
    }
    SearchPage {
        layout,
        text: pairs.value("q").to_owned(),
        inputs: inputs.into(),
        full_length: pairs.value("full_length").to_owned(),
        columns: columns.into(),
        problems: problems.collect(),
        whole_path: format!("{}/portal/search{}", visit.root(), of_text.to_query()),
        whole,
        found: None,
    }
}

/// Returns all conditions as the text of one query.
fn whole(pairs: &Pairs) -> String {
    let mut conditions = Vec::new();
    for (name, value) in pairs.iter() {
        match name {
            "q" => conditions.push(value.to_owned()),
            name if OF_PAGES.contains(&name) || name.starts_with("min_") || name.starts_with("max_") => {}
            name => conditions.push(format!("{name}:{}", quoted(value))),
        }
    }
    for field in ["length", "cluster_size"] {
        let bounds = ["min", "max"].map(|bound| pairs.value(&format!("{bound}_{field}")));
        if bounds != ["", ""] {
            let [min, max] = bounds.map(|bound| if bound.is_empty() { "*" } else { bound });
            conditions.push(format!("{field}:[{min} TO {max}]"));
        }
    }
    match conditions.as_slice() {
        [] => "*".to_owned(),
        [one] => one.clone(),
        several => {
            let is_compound = |condition: &&String| pairs.value("q") == **condition && condition.contains(' ');
            let parenthesized = |condition: &String| {
                if is_compound(&condition) { format!("({condition})") } else { condition.clone() }
            };
            several.iter().map(parenthesized).collect::<Vec<_>>().join(" AND ")
        }
    }
}

/// Returns a value in quotes where it needs them.
fn quoted(value: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'*');
    if value.bytes().all(is_plain) {
        value.to_owned()
    } else {
        format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
    }
}

/// Returns the cells of a hit. What has a page of its own leads there.
fn cells(row: &Map<String, Value>, fields: &[ResultField], root: &str) -> Vec<Cell> {
    let cell = |field: &ResultField| {
        let (name, value) = (field.name(), row.get(field.name()).unwrap_or(&Value::Null));
        let page = match field {
            ResultField::Accession => Some("proteins"),
            ResultField::Pfam => Some("families"),
            ResultField::Clans => Some("clans"),
            ResultField::Biomes => Some("biomes"),
            _ => None,
        };
        let linked = |value: &Value| {
            let text = as_text(value);
            let link = page.map(|page| format!("{root}/portal/{page}/{}", segment(&text)));
            (text, link)
        };
        let values = match value {
            Value::Array(values) => values.iter().map(linked).collect(),
            Value::Number(number) => {
                vec![(number.as_u64().map(|number| Number(number).to_string()).unwrap_or_default(), None)]
            }
            value => vec![linked(value)],
        };
        Cell { values, is_number: NUMBERS.contains(&name) }
    };
    fields.iter().map(cell).collect()
}

#[cfg(test)]
mod tests {
    use store::{BiomeTable, ProteinQuery};

    use super::*;

    #[test]
    fn the_whole_query_means_what_the_form_asks() {
        let mut biomes = BiomeTable::default();
        biomes.insert(Some(7), "root:A (b)").expect("a lineage");
        for (given, expected) in [
            ("", "*"),
            ("pfam=5", "pfam:5"),
            ("biome=root:A (b)&clan=CL0023", "biome:\"root:A (b)\" AND clan:CL0023"),
            ("q=pfam:5 OR pfam:6&full_length=true&limit=7", "(pfam:5 OR pfam:6) AND full_length:true"),
            ("min_length=5&max_length=9&min_cluster_size=2", "length:[5 TO 9] AND cluster_size:[2 TO *]"),
        ] {
            let text = whole(&Pairs::parse(given));
            assert_eq!(text, expected);
            assert!(ProteinQuery::parse(&text, &biomes).is_ok(), "{text}");
        }
    }
}
