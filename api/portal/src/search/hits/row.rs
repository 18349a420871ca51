//! The headings and cells of the table of hits.

use api_proteins::ResultField;
use serde_json::{Map, Value};
use store_proteins::ProteinOrder;

use crate::context::address::{Pairs, segment};
use crate::context::document::as_text;
use crate::context::page_context::PageContext;
use crate::parts::lineage::{as_levels, last_first};
use crate::parts::number::Number;
use crate::parts::own::Mark;
use crate::parts::words::capitalized;
use crate::search;

/// The maximum number of biomes in a cell, and of other values.
const BIOMES_MAX: usize = 2;
const VALUES_MAX: usize = 3;

/// The heading of a column.
pub(in crate::search) struct Heading {
    pub(in crate::search) field: ResultField,
    pub(in crate::search) is_number: bool,
    /// The address of the search sorted by the column, or in reverse if it already is.
    pub(in crate::search) order: Option<String>,
    /// `ascending`, `descending`, or empty.
    pub(in crate::search) ordered: &'static str,
}

pub(in crate::search) struct Row {
    pub(in crate::search) accession: String,
    pub(in crate::search) cells: Vec<Cell>,
}

/// A cell of one or two lines.
pub(in crate::search) struct Cell {
    pub(in crate::search) values: Vec<Shown>,
    /// The number of further values.
    pub(in crate::search) num_others: usize,
    /// The mark of the protein, in the column of accessions.
    pub(in crate::search) mark: Option<Mark>,
    /// Its class in the style sheet: may be empty; values of `lines` have a line each.
    pub(in crate::search) class: &'static str,
}

/// A value in a cell.
pub(in crate::search) struct Shown {
    pub(in crate::search) text: String,
    /// The whole value if the text is shorter; may be empty.
    pub(in crate::search) title: String,
    pub(in crate::search) link: Option<String>,
}

impl Heading {
    pub(super) fn new(field: ResultField, context: &PageContext, pairs: &Pairs) -> Self {
        let (name, given) = (field.name(), pairs.value("order"));
        let ordered = match given.strip_prefix('-').unwrap_or(given) == name {
            true if given.starts_with('-') => "descending",
            true => "ascending",
            false => "",
        };
        // The first click sorts the longest first.
        let other = if ordered == "descending" { name.to_owned() } else { format!("-{name}") };
        let order = format!("-{name}").parse::<ProteinOrder>().is_ok();
        let order = order.then(|| search::address(context, &pairs.with("order", &other)));
        Self { field, is_number: is_number(field), order, ordered }
    }

    pub(in crate::search) fn is_accession(&self) -> bool {
        self.field == ResultField::Accession
    }

    pub(in crate::search) fn label(&self) -> String {
        label(self.field)
    }
}

/// Returns the heading of a column.
pub(in crate::search) fn label(field: ResultField) -> String {
    match field {
        ResultField::Md5 | ResultField::Ga4gh => field.name().to_uppercase(),
        ResultField::Length => "Length (residues)".to_owned(),
        ResultField::Pfam => "Pfam families".to_owned(),
        ResultField::PfamNames => "Names of families".to_owned(),
        field => capitalized(&field.name().replace('_', " ")),
    }
}

/// Returns the cells of a hit, with links to pages.
pub(super) fn cells(row: &Map<String, Value>, mark: Option<&Mark>, fields: &[ResultField], root: &str) -> Vec<Cell> {
    let cell = |&field: &ResultField| {
        let page = match field {
            ResultField::Accession => Some("proteins"),
            ResultField::Pfam => Some("families"),
            ResultField::Clans => Some("clans"),
            ResultField::Biomes => Some("biomes"),
            _ => None,
        };
        let shown = |value: &Value| {
            let text = value.as_u64().map_or_else(|| as_text(value), |number| Number(number).to_string());
            let link = page.map(|page| format!("{root}/portal/{page}/{}", segment(&text)));
            match field {
                ResultField::Biomes => Shown { title: as_levels(&text), text: last_first(&text), link },
                ResultField::Sequence => Shown { title: text.clone(), text, link },
                _ => Shown { text, title: String::new(), link },
            }
        };
        let (values, num_others) = match row.get(field.name()).unwrap_or(&Value::Null) {
            Value::Null if field == ResultField::FullLength => (vec![shown(&"not known".into())], 0),
            Value::Array(values) => {
                let most = if field == ResultField::Biomes { BIOMES_MAX } else { VALUES_MAX };
                (values.iter().take(most).map(shown).collect(), values.len().saturating_sub(most))
            }
            value => (vec![shown(value)], 0),
        };
        let class = match field {
            field if is_number(field) => "number",
            ResultField::Accession | ResultField::FullLength => "whole",
            ResultField::Biomes | ResultField::PfamNames | ResultField::Sequence => "lines",
            ResultField::Pfam | ResultField::Clans | ResultField::Studies | ResultField::Assemblies => "values",
            _ => "",
        };
        let mark = mark.filter(|_| field == ResultField::Accession).cloned();
        Cell { values, num_others, mark, class }
    };
    fields.iter().map(cell).collect()
}

fn is_number(field: ResultField) -> bool {
    matches!(field, ResultField::Length | ResultField::ClusterSize)
}
