//! A page of hits, and downloads of all of them.

use serde_json::{Map, Value};
use store::{PAGE_BUDGET, ProteinAccession, ProteinPage, Relation, Total};

use crate::SourceError;
use crate::portal::address::{Pairs, segment};
use crate::portal::document::as_text;
use crate::portal::number::{Bytes, Number};
use crate::portal::own::Mark;
use crate::portal::visit::Visit;
use crate::proteins::{ProteinProblem, QueryParameters, Release, ResultField, ResultFormat, ResultWriter};

/// The formats of downloads by their names, here and in the interface.
const FORMATS: [(&str, &str, ResultFormat); 3] = [
    ("FASTA", "fasta", ResultFormat::Fasta),
    ("TSV", "tsv", ResultFormat::Tsv),
    ("NDJSON", "ndjson", ResultFormat::Ndjson),
];

pub(super) struct Found {
    parameters: QueryParameters,
    page: ProteinPage,
    total: Total,
    rows: Vec<Map<String, Value>>,
    /// What marks the hits of own data.
    marks: Vec<Option<Mark>>,
    /// The mean bytes of a hit in each of [`FORMATS`].
    mean_bytes: [u64; 3],
}

/// The hits as a page shows them.
pub(super) struct Hits {
    pub(super) total: Number,
    pub(super) is_at_least: bool,
    /// The page ended before it was full, since its budget was spent.
    pub(super) is_cut_short: bool,
    /// The names of the columns, and whether they are of numbers.
    pub(super) headings: Vec<(&'static str, bool)>,
    pub(super) rows: Vec<Vec<Cell>>,
    pub(super) accessions: Vec<String>,
    /// The addresses of the next and the first page.
    pub(super) next: Option<String>,
    pub(super) first: Option<String>,
}

/// A cell: values, each of which may lead somewhere.
pub(super) struct Cell {
    pub(super) values: Vec<(String, Option<String>)>,
    /// What marks the protein whose accession this is.
    pub(super) mark: Option<Mark>,
    pub(super) is_number: bool,
}

pub(super) fn find(release: &Release, query: &str) -> Result<Found, ProteinProblem> {
    let data = &*release.data;
    let parameters = QueryParameters::parse_in(release, query, Some(ResultFormat::Json))?;
    let limit = parameters.page_limit().unwrap_or_default();
    // The results are written in each format, and read again.
    if !parameters.writer.take_memory(data, limit.saturating_mul(FORMATS.len() + 1)) {
        return Err(SourceError::Overloaded.into());
    }
    let page = data.page(&parameters.query, parameters.after, limit, PAGE_BUDGET)?;
    let num_hits = page.hits.len() as u64;
    let total = if parameters.after.is_none() && page.next.is_none() {
        Total { value: num_hits, relation: Relation::Eq }
    } else {
        let Total { value, relation } = data.total(&parameters.query, PAGE_BUDGET)?;
        Total { value: value.max(num_hits), relation }
    };
    let written = |format| -> Result<Vec<u8>, ProteinProblem> {
        let mut text = Vec::new();
        ResultWriter::new(format, parameters.writer.fields()).write_page(data, &page, &mut text)?;
        Ok(text)
    };
    let json = [b"[", &*written(ResultFormat::Json)?, b"]"].concat();
    let rows = serde_json::from_slice(&json)?;
    let mut mean_bytes = [0; FORMATS.len()];
    for (mean, (.., format)) in mean_bytes.iter_mut().zip(FORMATS) {
        *mean = written(format)?.len() as u64 / num_hits.max(1);
    }
    let marks = Mark::of_all(data, page.hits.iter().map(|hit| hit.accession))?;
    Ok(Found { parameters, page, total, rows, marks, mean_bytes })
}

impl Found {
    pub(super) fn fields(&self) -> &[ResultField] {
        self.parameters.writer.fields()
    }

    /// Returns the formats of downloads, and how large they would be.
    pub(super) fn downloads(&self) -> [(&'static str, &'static str, String); 3] {
        let Total { value, relation } = self.total;
        let at_least = if relation == Relation::Eq { "" } else { "at least " };
        let mut means = self.mean_bytes.into_iter();
        FORMATS.map(|(format, name, _)| {
            let bytes = Bytes(means.next().unwrap_or_default() * value);
            (format, name, format!("{at_least}{} proteins, about {bytes}", Number(value)))
        })
    }
}

impl Hits {
    pub(super) fn new(found: &Found, visit: &Visit, pairs: &Pairs) -> Self {
        let Found { page, total, rows, .. } = found;
        let first = pairs.without(&["after"]);
        let address = |pairs: &Pairs| super::address(visit, pairs);
        let next = |after: ProteinAccession| address(&first.with("after", &after.to_string()));
        Self {
            total: Number(total.value),
            is_at_least: total.relation == Relation::Gte,
            is_cut_short: page.next.is_some() && Some(page.hits.len()) < found.parameters.page_limit(),
            headings: found.fields().iter().map(|&field| (field.name(), is_number(field))).collect(),
            rows: rows
                .iter()
                .zip(&found.marks)
                .map(|(row, mark)| cells(row, mark.as_ref(), found.fields(), visit.root()))
                .collect(),
            accessions: page.hits.iter().map(|hit| hit.accession.to_string()).collect(),
            next: page.next.map(next),
            first: (*pairs != first).then(|| address(&first)),
        }
    }
}

/// Returns the cells of a hit, with links to pages of the portal.
fn cells(row: &Map<String, Value>, mark: Option<&Mark>, fields: &[ResultField], root: &str) -> Vec<Cell> {
    let cell = |&field: &ResultField| {
        let page = match field {
            ResultField::Accession => Some("proteins"),
            ResultField::Pfam => Some("families"),
            ResultField::Clans => Some("clans"),
            ResultField::Biomes => Some("biomes"),
            _ => None,
        };
        let linked = |value: &Value| {
            let text = value.as_u64().map_or_else(|| as_text(value), |number| Number(number).to_string());
            let link = page.map(|page| format!("{root}/portal/{page}/{}", segment(&text)));
            (text, link)
        };
        let values = match row.get(field.name()).unwrap_or(&Value::Null) {
            Value::Array(values) => values.iter().map(linked).collect(),
            value => vec![linked(value)],
        };
        let mark = mark.filter(|_| field == ResultField::Accession).cloned();
        Cell { values, mark, is_number: is_number(field) }
    };
    fields.iter().map(cell).collect()
}

fn is_number(field: ResultField) -> bool {
    matches!(field, ResultField::Length | ResultField::ClusterSize)
}
