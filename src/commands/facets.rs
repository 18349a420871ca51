//! `mgdex facets`: counting proteins by value without a server.

use std::sync::Arc;

use api_proteins::{FacetAnswer, push_tsv_text};
use clap::{Args, ValueEnum};
use store_proteins::{FacetKind, ProteinQuery};

use super::proteins::open_proteins;
use super::query;
use crate::data_folder::DataFolder;
use crate::failure::Failure;
use crate::output::{Output, print};

#[derive(Debug, Args)]
pub(crate) struct FacetsArguments {
    #[command(flatten)]
    data: DataFolder,
    /// Query whose matches are counted, such as 'pfam:PF00005 AND length:[50 TO 300]' [default: all
    /// proteins]
    #[arg(long, env = "MGDEX_QUERY", value_name = "Q")]
    query: Option<String>,
    /// Field to count by: biome, pfam, clan, study, assembly, `full_length`, `cluster_size` or
    /// length
    #[arg(long, env = "MGDEX_BY", value_name = "FIELD")]
    by: FacetKind,
    /// Maximum number of values, the most frequent first
    #[arg(long, env = "MGDEX_TOP", value_name = "N", default_value = "50")]
    top: usize,
    /// Output format
    #[arg(long, env = "MGDEX_FORMAT", value_enum, default_value = "json")]
    format: FacetsFormat,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum FacetsFormat {
    /// A JSON object, as the REST service answers
    Json,
    /// Tab-separated columns with a header line
    Tsv,
}

pub(crate) fn run(arguments: &FacetsArguments) -> Result<(), Failure> {
    let proteins = Arc::new(open_proteins(&arguments.data)?);
    let query = arguments.query.as_deref().map(|query| query::parse(query, &proteins, &arguments.data)).transpose()?;
    let query = query.unwrap_or(ProteinQuery::Everything);
    let found = proteins.facets(&query, arguments.by, arguments.top, 0, u64::MAX)?;
    let answer = FacetAnswer::from(found.ok_or_else(|| Failure::Message("the query cannot be counted".to_owned()))?);
    if let FacetsFormat::Json = arguments.format {
        return print(serde_json::to_string(&answer)?);
    }
    let mut output = Output::new();
    output.line("value\tname\tcount")?;
    for facet in answer.facets {
        let value = facet.value.unwrap_or_default();
        let mut row = Vec::new();
        push_tsv_text(&value, &mut row);
        row.push(b'\t');
        push_tsv_text(&facet.name, &mut row);
        row.extend(format!("\t{}\n", facet.count).into_bytes());
        output.bytes(&row)?;
    }
    output.finish()
}
