//! `mgdex search`: searching proteins without a server.

mod pages;

use std::io::{self, Write};
use std::mem;
use std::sync::Arc;

use api_proteins::{FastaHeader, ResultField, ResultFormat, ResultWriter, hits_json};
use clap::{Args, ValueEnum};
use indexer::counted;
use store::{PfamAccession, ProteinAccession, grouped};
use store_proteins::{ProteinGeneration, ProteinHit, ProteinOrder, ProteinQuery, Relation, Total, known_cluster_size};

use super::cite;
use super::query::{parse as parse_query, warn_of_unknown};
use super::table::Table;
use crate::data_folder::DataFolder;
use crate::failure::Failure;
use crate::output::{Output, is_terminal, print};
use pages::{pages, parameters, saturated};

/// The most work for counting the matches below a table.
const TOTAL_WORK: u64 = 1 << 24;

/// The fields in a table.
const TABLE_FIELDS: [ResultField; 6] = [
    ResultField::Accession,
    ResultField::Length,
    ResultField::FullLength,
    ResultField::ClusterSize,
    ResultField::Pfam,
    ResultField::Biomes,
];

#[derive(Debug, Args)]
pub(crate) struct SearchArguments {
    #[command(flatten)]
    data: DataFolder,
    #[command(flatten)]
    filter: FilterArguments,
    /// Maximum number of hits, or `all`
    #[arg(long, env = "MGDEX_LIMIT", value_name = "N", default_value = "50", value_parser = parse_limit)]
    limit: u64,
    /// Output format [default: table on a terminal, otherwise json]
    #[arg(long, env = "MGDEX_FORMAT", value_enum)]
    format: Option<SearchFormat>,
    #[arg(
        help = "Fields of results, separated by commas: accession, length, full_length, cluster_size, sequence, md5, ga4gh, \
        biomes, pfam, pfam_names, clans, studies, assemblies, name, source, description"
    )]
    #[arg(long, env = "MGDEX_FIELDS", value_name = "F,…", value_delimiter = ',')]
    fields: Vec<ResultField>,
    /// Header lines of FASTA: `short`, or `full` with Pfam families and biomes
    #[arg(long, env = "MGDEX_HEADER", value_name = "H")]
    header: Option<FastaHeader>,
    /// Start after this accession, such as the last one of an interrupted output
    #[arg(long, env = "MGDEX_AFTER", value_name = "MGYP")]
    after: Option<ProteinAccession>,
    /// Print a uniform random sample of N matches
    #[arg(long, env = "MGDEX_RANDOM", value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    #[arg(conflicts_with_all = ["after", "order"])]
    random: Option<u64>,
    /// Seed of the sample: the same seed gives the same sample of a release
    #[arg(long, env = "MGDEX_SEED", value_name = "N", default_value = "0", requires = "random")]
    seed: u64,
    #[arg(
        help = "Print the first 10,000 matches in this order: length or cluster_size, or with a hyphen the highest first"
    )]
    #[arg(long, env = "MGDEX_ORDER", value_name = "O", allow_hyphen_values = true)]
    #[arg(conflicts_with = "after")]
    order: Option<ProteinOrder>,
    /// Print only the number of matches
    #[arg(long, env = "MGDEX_COUNT")]
    count: bool,
}

/// The filters of a search, all of which must match.
#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
struct FilterArguments {
    /// Find proteins that a query matches, such as 'pfam:PF00005 AND NOT biome:"root:Engineered"
    /// AND length:[50 TO 300]'
    #[arg(long, env = "MGDEX_QUERY", value_name = "Q")]
    query: Option<String>,
    /// Find proteins of the biome with this id, without those of biomes below it
    #[arg(long, env = "MGDEX_BIOME_ID", value_name = "N", allow_negative_numbers = true)]
    biome_id: Option<i64>,
    /// Find proteins of the biome with this full lineage, and of biomes below it
    #[arg(long, env = "MGDEX_LINEAGE", value_name = "L")]
    lineage: Option<String>,
    /// Find proteins with this Pfam family: PF00005, or just 5
    #[arg(long, value_name = "PF", value_parser = PfamAccession::parse_short)]
    pfam: Option<PfamAccession>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SearchFormat {
    /// Aligned columns for people
    Table,
    /// A JSON array, as the REST service answers
    Json,
    /// One JSON object per line
    Ndjson,
    /// Tab-separated columns with a header line
    Tsv,
    /// Sequences with 60 residues per line
    Fasta,
    /// A Parquet file
    Parquet,
    /// An Arrow stream
    Arrow,
}

pub(crate) fn search(arguments: &SearchArguments) -> Result<(), Failure> {
    let proteins = Arc::new(arguments.data.open_proteins()?);
    let default = if is_terminal() { SearchFormat::Table } else { SearchFormat::Json };
    let format = arguments.format.unwrap_or(default);
    let text = query_text(&arguments.filter, &proteins)?;
    match simple_query(arguments, &proteins) {
        Some(query) if matches!(format, SearchFormat::Json | SearchFormat::Tsv) => {
            warn_of_unknown(&query, &proteins);
            print_hits(&proteins.search(&query, saturated(arguments.limit))?, format)?;
        }
        _ => find(arguments, format, &text, Arc::clone(&proteins))?,
    }
    if matches!(format, SearchFormat::Tsv | SearchFormat::Fasta) && !arguments.count {
        cite::log(&proteins);
    }
    Ok(())
}

/// Returns the query of a single filter with no other options, which is answered like version 1 of
/// the REST service.
fn simple_query(arguments: &SearchArguments, proteins: &ProteinGeneration) -> Option<ProteinQuery> {
    let SearchArguments { filter, fields, header, after, random, order, count, .. } = arguments;
    if !fields.is_empty() || header.is_some() || after.is_some() || random.is_some() || order.is_some() || *count {
        return None;
    }
    match filter {
        FilterArguments { query: None, biome_id: Some(id), lineage: None, pfam: None } => {
            Some(ProteinQuery::with_biome_id(*id, proteins.biomes()))
        }
        FilterArguments { query: None, biome_id: None, lineage: Some(lineage), pfam: None } => {
            proteins.biomes().find_lineage(lineage).map(ProteinQuery::Biome)
        }
        FilterArguments { query: None, biome_id: None, lineage: None, pfam: Some(family) } => {
            Some(ProteinQuery::Family(*family))
        }
        _ => None,
    }
}

/// Combines all filters into one query.
fn query_text(filter: &FilterArguments, proteins: &ProteinGeneration) -> Result<String, Failure> {
    let FilterArguments { query, biome_id, lineage, pfam } = filter;
    if let Some(lineage) = lineage {
        proteins.biomes().resolve(lineage).map_err(|unknown| Failure::Message(unknown.to_string()))?;
    }
    let parts = [
        query.as_ref().map(|query| {
            if biome_id.is_none() && lineage.is_none() && pfam.is_none() { query.clone() } else { format!("({query})") }
        }),
        biome_id.map(|id| format!("biome_exact:{id}")),
        lineage.as_ref().map(|lineage| format!("biome:\"{lineage}\"")),
        pfam.map(|family| format!("pfam:{family}")),
    ];
    Ok(parts.into_iter().flatten().collect::<Vec<_>>().join(" AND "))
}

fn print_hits(hits: &[ProteinHit], format: SearchFormat) -> Result<(), Failure> {
    if let SearchFormat::Json = format {
        return print(String::from_utf8_lossy(&hits_json(hits)));
    }
    let mut output = Output::new();
    output.line("mgyp\tfull_length\tcluster_size")?;
    for ProteinHit { accession, full_length, cluster_size } in hits {
        let full_length = full_length.map(|value| value.to_string()).unwrap_or_default();
        let cluster_size = known_cluster_size(*cluster_size).map(|size| size.to_string()).unwrap_or_default();
        output.line(format_args!("{accession}\t{full_length}\t{cluster_size}"))?;
    }
    output.finish()
}

/// Prints the hits of a query, or their number.
fn find(
    arguments: &SearchArguments,
    search_format: SearchFormat,
    text: &str,
    proteins: Arc<ProteinGeneration>,
) -> Result<(), Failure> {
    let query = parse_query(text, &proteins, &arguments.data)?;
    warn_of_unknown(&query, &proteins);
    if arguments.count {
        return print(proteins.total(&query, u64::MAX)?.value);
    }
    let format = match search_format {
        SearchFormat::Json => ResultFormat::Json,
        SearchFormat::Ndjson => ResultFormat::Ndjson,
        SearchFormat::Table | SearchFormat::Tsv => ResultFormat::Tsv,
        SearchFormat::Fasta => ResultFormat::Fasta,
        SearchFormat::Parquet => ResultFormat::Parquet,
        SearchFormat::Arrow => ResultFormat::Arrow,
    };
    if format == ResultFormat::Fasta && !arguments.fields.is_empty() {
        return Err(Failure::Usage("FASTA has no fields".to_owned()));
    }
    if format != ResultFormat::Fasta && arguments.header.is_some() {
        return Err(Failure::Usage("only FASTA has headers".to_owned()));
    }
    let mut table = matches!(search_format, SearchFormat::Table).then(Table::new);
    let fields = match (&*arguments.fields, &table) {
        ([], Some(_)) => &TABLE_FIELDS[..],
        ([], None) => &ResultField::DEFAULT[..],
        (fields, _) => fields,
    };
    let is_counted = table.is_some() || arguments.order.is_some();
    let total = is_counted.then(|| proteins.total(&query, TOTAL_WORK)).transpose()?;
    let mut writer = ResultWriter::new(format, fields)
        .with_header(arguments.header.unwrap_or_default())
        .begin(Arc::clone(&proteins), parameters(arguments, text))?;
    let mut pages = pages(arguments, query, proteins)?;
    let (mut output, mut text) = (Output::new(), Vec::new());
    writer.write_head(&mut text);
    let mut num_results = 0;
    while let Some(page) = pages.next().transpose()? {
        if format == ResultFormat::Json && !page.hits.is_empty() {
            text.push(if num_results > 0 { b',' } else { b'[' });
        }
        num_results += page.hits.len() as u64;
        writer.write_page(&page, &mut text)?;
        output.bytes(&in_columns(&mut table, &mut text))?;
    }
    if format == ResultFormat::Json {
        text.extend_from_slice(if num_results > 0 { b"]\n" } else { b"[]\n" });
    }
    writer.finish(&mut text)?;
    output.bytes(&in_columns(&mut table, &mut text))?;
    output.finish()?;
    if let Some(total) = total {
        report(arguments, total, num_results, table.is_some());
    }
    Ok(())
}

/// Says if an order ended early, and how many of all matches a table has.
fn report(arguments: &SearchArguments, Total { value, relation }: Total, num_results: u64, is_table: bool) {
    let at_least = if relation == Relation::Gte { "at least " } else { "" };
    let matches = format!("{at_least}{}", counted(value, "protein"));
    if arguments.order.is_some() && num_results < value.min(arguments.limit) {
        tracing::warn!("--order prints only the first {} of {matches}", grouped(num_results));
    }
    if is_table {
        // The table is the result: a failure to write this line does not matter.
        let _ = writeln!(io::stderr(), "{} of {matches}", grouped(num_results));
    }
}

/// Takes a text, and aligns it if the output is a table.
fn in_columns(table: &mut Option<Table>, text: &mut Vec<u8>) -> Vec<u8> {
    let text = mem::take(text);
    match table {
        Some(table) => table.align(&text),
        None => text,
    }
}

pub(crate) fn parse_limit(text: &str) -> Result<u64, String> {
    if text == "all" { Ok(u64::MAX) } else { text.parse().map_err(|_| "a number or `all`".to_owned()) }
}
