//! `mgdex facets` and `mgdex enrichment`: counting proteins by value, and comparing them with
//! others, without a server.

use std::sync::Arc;

use api_proteins::{
    ENRICHMENT_COLUMNS, EnrichmentAnswer, FacetAnswer, Formulas, ResultFormat, compared_kind, write_values,
};
use clap::{Args, ValueEnum};
use serde::Serialize;
use store_proteins::{FacetKind, ProteinGeneration, ProteinQuery};

use super::query;
use super::table::Table;
use crate::data_folder::DataFolder;
use crate::failure::Failure;
use crate::output::{Output, is_terminal, print};

/// The columns of TSV. All matches are counted, so no facet has an interval.
const FACET_COLUMNS: &str = "value name count";

/// The columns of a table at a terminal. Texts come last, since lines are cut at its edge.
const SHOWN_FACETS: &str = "count value name";
const SHOWN_ENRICHMENT: &str = "count expected log2_ratio q representation value name";

#[derive(Debug, Args)]
pub(crate) struct FacetsArguments {
    #[command(flatten)]
    data: DataFolder,
    /// Query whose matches are counted, such as 'pfam:PF00005 AND length:[50 TO 300]' [default: all
    /// proteins]
    #[arg(long, env = "MGDEX_QUERY", value_name = "Q")]
    query: Option<String>,
    /// Field to count by: biome, pfam, clan, or for `mgdex facets` architecture, study, assembly,
    /// `full_length`, `cluster_size` or length
    #[arg(long, env = "MGDEX_BY", value_name = "FIELD")]
    by: FacetKind,
    /// Maximum number of values, the most frequent or most different first
    #[arg(long, env = "MGDEX_TOP", value_name = "N", default_value = "50")]
    top: usize,
    /// Output format [default: table on a terminal, otherwise json]
    #[arg(long, env = "MGDEX_FORMAT", value_enum)]
    format: Option<FacetsFormat>,
}

#[derive(Debug, Args)]
pub(crate) struct EnrichmentArguments {
    #[command(flatten)]
    selection: FacetsArguments,
    /// Query for the proteins to compare with, from which matches of --query are left out [default:
    /// all others]
    #[arg(long, env = "MGDEX_AGAINST", value_name = "Q")]
    against: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FacetsFormat {
    /// Aligned columns for people
    Table,
    /// A JSON object, as the REST service answers
    Json,
    /// One JSON object per line
    Ndjson,
    /// Tab-separated columns with a header line
    Tsv,
}

pub(crate) fn count(arguments: &FacetsArguments) -> Result<(), Failure> {
    let (proteins, query) = arguments.open()?;
    let found = proteins.facets(&query, arguments.by, arguments.top, 0, u64::MAX)?;
    let answer = FacetAnswer::from(found.ok_or_else(uncounted)?);
    arguments.print(&answer, &answer.facets, [FACET_COLUMNS, SHOWN_FACETS])
}

pub(crate) fn compare(EnrichmentArguments { selection, against }: &EnrichmentArguments) -> Result<(), Failure> {
    compared_kind(selection.by.name()).map_err(Failure::Usage)?;
    let (proteins, query) = selection.open()?;
    let against = against.as_ref().map(|against| query::parse(against, &proteins, &selection.data)).transpose()?;
    let found = proteins.enrichment(&query, against.as_ref(), selection.by, selection.top, 0, u64::MAX)?;
    let answer = EnrichmentAnswer::from(found.ok_or_else(uncounted)?);
    selection.print(&answer, &answer.enrichment, [ENRICHMENT_COLUMNS, SHOWN_ENRICHMENT])
}

fn uncounted() -> Failure {
    Failure::Message("the query cannot be counted".to_owned())
}

impl FacetsArguments {
    fn open(&self) -> Result<(Arc<ProteinGeneration>, ProteinQuery), Failure> {
        let proteins = Arc::new(self.data.open_proteins()?);
        let query = query::parse(self.query.as_deref().unwrap_or("*"), &proteins, &self.data)?;
        Ok((proteins, query))
    }

    /// Prints an answer, or its values with the columns of TSV or of a table.
    fn print(
        &self,
        answer: &impl Serialize,
        values: &[impl Serialize],
        [columns, shown]: [&str; 2],
    ) -> Result<(), Failure> {
        let default = if is_terminal() { FacetsFormat::Table } else { FacetsFormat::Json };
        let write = |columns, format| write_values(values, columns, format, Formulas::Kept, []);
        let text = match self.format.unwrap_or(default) {
            FacetsFormat::Json => return print(serde_json::to_string(answer)?),
            FacetsFormat::Ndjson => write(columns, ResultFormat::Ndjson)?,
            FacetsFormat::Tsv => write(columns, ResultFormat::Tsv)?,
            FacetsFormat::Table => Table::new().align(&rounded(&write(shown, ResultFormat::Tsv)?)),
        };
        let mut output = Output::new();
        output.bytes(&text)?;
        output.finish()
    }
}

/// Rounds the numbers of TSV that have more than three decimals, to two digits if they are less
/// than these.
fn rounded(text: &[u8]) -> Vec<u8> {
    let cell = |cell: &str| match (cell.split_once('.'), cell.parse::<f64>()) {
        (Some((_, decimals)), Ok(number)) if decimals.len() > 3 && number.abs() < 0.001 => format!("{number:.1e}"),
        (Some((_, decimals)), Ok(number)) if decimals.len() > 3 => format!("{number:.3}"),
        _ => cell.to_owned(),
    };
    let text = String::from_utf8_lossy(text);
    let lines = text.lines().map(|line| line.split('\t').map(cell).collect::<Vec<_>>().join("\t"));
    lines.collect::<Vec<_>>().join("\n").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_decimals_are_rounded() {
        let text = b"12\t-1.23456\t1.250\t0.00012345\tPF00005.12345";
        assert_eq!(rounded(text), b"12\t-1.235\t1.250\t1.2e-4\tPF00005.12345");
    }
}
