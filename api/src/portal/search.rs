//! The search for proteins: a form over all that version 2 of the interface can be asked.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value};
use store::{PAGE_BUDGET, ProteinAccession, ProteinGeneration, ProteinPage, Relation, Total};

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
    let given: Vec<_> = form_urlencoded::parse(visit.query().as_bytes()).into_owned().collect();
    let pairs = canonical(given.clone());
    if pairs != given {
        return Ok(lead_to(&format!("{}/portal/search{}", visit.root(), query_of(&pairs))));
    }
    let query = query_of(&pairs);
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
    let chosen: Vec<_> =
        pairs.iter().filter(|(name, _)| !["limit", "after", "count"].contains(&&**name)).cloned().collect();
    for ((format, name), mean) in [("FASTA", "fasta"), ("TSV", "tsv"), ("NDJSON", "ndjson")].into_iter().zip(mean_bytes)
    {
        let without_fields = |pair: &&(String, String)| name != "fasta" || pair.0 != "fields";
        let mut of_download: Vec<_> = chosen.iter().filter(without_fields).cloned().collect();
        of_download.push(("format".to_owned(), name.to_owned()));
        layout =
            layout.download(format, &format!("{}/proteins{}", paths::PROTEINS_V2, query_of(&of_download)), size(mean));
    }
    let address = |pairs: &[(String, String)]| format!("{}/portal/search{}", visit.root(), query_of(pairs));
    let without_cursor: Vec<_> = pairs.iter().filter(|(name, _)| name != "after").cloned().collect();
    let next = hits.next.map(|after: ProteinAccession| {
        let mut next = without_cursor.clone();
        next.push(("after".to_owned(), after.to_string()));
        address(&next)
    });
    let found = Found {
        total: Number(total.value),
        is_at_least: total.relation == Relation::Gte,
        is_cut_short: hits.next.is_some() && hits.hits.len() < parameters.page_limit().unwrap_or_default(),
        headings: fields.iter().map(|field| (field.name(), NUMBERS.contains(&field.name()))).collect(),
        rows: rows.iter().map(|row| cells(row, fields, visit.root())).collect(),
        accessions: hits.hits.iter().map(|hit| hit.accession.to_string()).collect(),
        next,
        first: (pairs.len() != without_cursor.len()).then(|| address(&without_cursor)),
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
fn of_problems(
    visit: &Visit<'_>,
    pairs: &[(String, String)],
    problems: &[ParameterProblem],
) -> Result<Response, PortalProblem> {
    let search = form(visit, pairs, layout(visit, pairs), problems);
    Ok((StatusCode::UNPROCESSABLE_ENTITY, page(&search)?).into_response())
}

fn layout(visit: &Visit<'_>, pairs: &[(String, String)]) -> Layout {
    let layout = visit.layout("Search for proteins").section("search");
    layout.call("This search", visit.base(), &format!("{}/proteins{}", paths::PROTEINS_V2, query_of(pairs)))
}

/// Returns the form with the values that were given.
fn form(visit: &Visit<'_>, pairs: &[(String, String)], layout: Layout, problems: &[ParameterProblem]) -> SearchPage {
    let value = |wanted: &str| pairs.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone());
    let of = |wanted: &str| {
        let told = problems.iter().filter(|problem| problem.loc.get(1).is_some_and(|name| name == wanted));
        told.map(|problem| problem.msg.to_string()).collect::<Vec<_>>().join(" ")
    };
    let inputs = INPUTS.map(|(name, label, example)| Input {
        name,
        label,
        example,
        value: value(name).unwrap_or_default(),
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
    let chosen = value("fields").unwrap_or_default();
    let columns = ResultField::ALL
        .map(|field| Column { name: field.name(), is_chosen: chosen.split(',').any(|name| name == field.name()) });
    let whole = whole(pairs);
    let of_page: Vec<_> = pairs.iter().filter(|(name, _)| ["limit", "fields"].contains(&&**name)).cloned().collect();
    let of_text = [vec![("q".to_owned(), whole.clone())], of_page].concat();
    SearchPage {
        layout,
        text: value("q").unwrap_or_default(),
        inputs: inputs.into(),
        full_length: value("full_length").unwrap_or_default(),
        columns: columns.into(),
        problems: problems.collect(),
        whole_path: format!("{}/portal/search{}", visit.root(), query_of(&of_text)),
        whole,
        found: None,
    }
}

/// Returns the parameters of a form without those that were left empty, columns as one list, and without those of the interface that a page
/// does not have.
fn canonical(pairs: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut kept: Vec<(String, String)> = Vec::new();
    for (name, value) in pairs {
        let value = value.trim();
        if value.is_empty() || ["format", "count"].contains(&&*name) {
            continue;
        }
        match kept.iter_mut().find(|(before, _)| *before == name && name == "fields") {
            Some((_, fields)) => fields.extend([",", value]),
            None => kept.push((name, value.to_owned())),
        }
    }
    kept
}

/// Returns all conditions as the text of one query.
fn whole(pairs: &[(String, String)]) -> String {
    let value = |wanted: &str| pairs.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str());
    let mut conditions = Vec::new();
    for (name, value) in pairs {
        match &**name {
            "q" => conditions.push(value.clone()),
            name if OF_PAGES.contains(&name) || name.starts_with("min_") || name.starts_with("max_") => {}
            name => conditions.push(format!("{name}:{}", quoted(value))),
        }
    }
    for field in ["length", "cluster_size"] {
        let [min, max] = ["min", "max"].map(|bound| value(&format!("{bound}_{field}")));
        if min.is_some() || max.is_some() {
            conditions.push(format!("{field}:[{} TO {}]", min.unwrap_or("*"), max.unwrap_or("*")));
        }
    }
    match conditions.as_slice() {
        [] => "*".to_owned(),
        [one] => one.clone(),
        several => {
            let is_compound = |condition: &&String| value("q") == Some(condition) && condition.contains(' ');
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

fn query_of(pairs: &[(String, String)]) -> String {
    if pairs.is_empty() {
        return String::new();
    }
    let mut text = form_urlencoded::Serializer::for_suffix("?".to_owned(), 1);
    text.extend_pairs(pairs);
    text.finish()
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
            let encoded: String = form_urlencoded::byte_serialize(text.as_bytes()).collect();
            let link = page.map(|page| format!("{root}/portal/{page}/{}", encoded.replace('+', "%20")));
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

    fn pairs(text: &str) -> Vec<(String, String)> {
        canonical(form_urlencoded::parse(text.as_bytes()).into_owned().collect())
    }

    #[test]
    fn forms_lead_to_short_addresses() {
        for (given, expected) in [
            ("", ""),
            ("q=&biome=&pfam=PF00005&min_length=", "?pfam=PF00005"),
            ("pfam=+5+&fields=accession&fields=pfam", "?pfam=5&fields=accession%2Cpfam"),
            ("q=a&format=tsv&count=exact&after=MGYP000000000012", "?q=a&after=MGYP000000000012"),
        ] {
            assert_eq!(query_of(&pairs(given)), expected, "{given}");
        }
    }

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
            let text = whole(&pairs(given));
            assert_eq!(text, expected);
            assert!(ProteinQuery::parse(&text, &biomes).is_ok(), "{text}");
        }
    }
}
