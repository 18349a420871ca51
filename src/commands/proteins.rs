//! `mgdex search`: searching proteins without a server.

use std::sync::Arc;

use api::proteins::{ResultField, ResultFormat, ResultWriter, hits_json};
use clap::{Args, ValueEnum};
use store::{
    PfamAccession, ProteinAccession, ProteinChoice, ProteinGeneration, ProteinHit, ProteinOrder, ProteinPages,
    ProteinQuery,
};

use super::query::parse as parse_query;
use crate::data_folder::{DataFolder, Kind};
use crate::failure::Failure;
use crate::output::{Output, print};

/// The filters beside queries. What is for queries alone conflicts with them.
const SIMPLE_FILTERS: [&str; 3] = ["biome_id", "lineage", "pfam"];

#[derive(Debug, Args)]
pub(crate) struct SearchArguments {
    #[command(flatten)]
    data: DataFolder,
    #[command(flatten)]
    filter: FilterArguments,
    /// Maximum number of hits; with a query, `all` is possible
    #[arg(long, env = "MGDEX_LIMIT", value_name = "N", default_value = "50", value_parser = parse_limit)]
    limit: u64,
    /// Output format
    #[arg(long, env = "MGDEX_FORMAT", value_enum, default_value = "json")]
    format: SearchFormat,
    #[arg(
        help = "Fields of results of a query, separated by commas: accession, length, full_length, cluster_size, sequence, md5, ga4gh, \
        biomes, pfam, clans, studies, assemblies, name, source, description"
    )]
    #[arg(long, env = "MGDEX_FIELDS", value_name = "F,…", value_delimiter = ',', conflicts_with_all = SIMPLE_FILTERS)]
    fields: Vec<ResultField>,
    /// Begin after this accession: the last one of an output that broke off
    #[arg(long, env = "MGDEX_AFTER", value_name = "MGYP", conflicts_with_all = SIMPLE_FILTERS)]
    after: Option<ProteinAccession>,
    /// Print a random sample of so many matches of the query, all of them equally likely
    #[arg(long, env = "MGDEX_RANDOM", value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    #[arg(conflicts_with_all = SIMPLE_FILTERS, conflicts_with_all = ["after", "order"])]
    random: Option<u64>,
    /// Seed of the sample: the same seed gives the same sample of a release
    #[arg(long, env = "MGDEX_SEED", value_name = "N", default_value = "0", requires = "random")]
    seed: u64,
    #[arg(
        help = "Print the first 10,000 matches of the query in this order: length or cluster_size, or with a hyphen the highest first"
    )]
    #[arg(long, env = "MGDEX_ORDER", value_name = "O", allow_hyphen_values = true)]
    #[arg(conflicts_with_all = SIMPLE_FILTERS, conflicts_with = "after")]
    order: Option<ProteinOrder>,
    /// Print only how many proteins match the query
    #[arg(long, env = "MGDEX_COUNT", conflicts_with_all = SIMPLE_FILTERS)]
    count: bool,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct FilterArguments {
    /// Find proteins that a query matches, such as 'pfam:PF00005 AND NOT biome:"root:Engineered" AND length:[50 TO 300]'
    #[arg(long, env = "MGDEX_QUERY", value_name = "Q")]
    query: Option<String>,
    /// Find proteins of the biome with this id, but not of biomes below it
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
pub(crate) enum SearchFormat {
    /// A JSON array, as the REST service answers
    Json,
    /// A JSON object a line, for a query
    Ndjson,
    /// Tab-separated columns with a header line
    Tsv,
    /// Sequences with 60 residues a line, for a query
    Fasta,
    /// A Parquet file, for a query
    Parquet,
    /// An Arrow stream, for a query
    Arrow,
}

pub(crate) fn search(arguments: &SearchArguments) -> Result<(), Failure> {
    let proteins = open_proteins(&arguments.data)?;
    let biomes = proteins.biomes();
    let query = match &arguments.filter {
        FilterArguments { query: Some(query), .. } => return find(arguments, query, proteins),
        FilterArguments { biome_id: Some(id), .. } => ProteinQuery::with_biome_id(*id, biomes),
        FilterArguments { lineage: Some(lineage), .. } => {
            let biome = biomes.resolve(lineage).map_err(|unknown| Failure::Message(unknown.to_string()))?;
            ProteinQuery::Biome(biome)
        }
        FilterArguments { pfam: Some(family), .. } => ProteinQuery::Family(*family),
        _ => return Err(Failure::Message("no filter was given".to_owned())),
    };
    let hits = proteins.search(&query, saturated(arguments.limit))?;
    let mut output = Output::new();
    match arguments.format {
        SearchFormat::Ndjson | SearchFormat::Fasta | SearchFormat::Parquet | SearchFormat::Arrow => {
            return Err(Failure::Message("this format needs --query".to_owned()));
        }
        SearchFormat::Json => output.line(String::from_utf8_lossy(&hits_json(&hits)))?,
        SearchFormat::Tsv => {
            output.line("mgyp\tfull_length\tcluster_size")?;
            for ProteinHit { accession, full_length, cluster_size } in hits {
                let full_length = full_length.map(|value| value.to_string()).unwrap_or_default();
                output.line(format_args!("{accession}\t{full_length}\t{cluster_size}"))?;
            }
        }
    }
    output.finish()
}

/// Prints the hits of a query, or their number.
fn find(arguments: &SearchArguments, text: &str, proteins: ProteinGeneration) -> Result<(), Failure> {
    let proteins = Arc::new(proteins);
    let query = parse_query(text, &proteins, &arguments.data)?;
    if arguments.count {
        return print(proteins.total(&query, u64::MAX)?.value);
    }
    let format = match arguments.format {
        SearchFormat::Json => ResultFormat::Json,
        SearchFormat::Ndjson => ResultFormat::Ndjson,
        SearchFormat::Tsv => ResultFormat::Tsv,
        SearchFormat::Fasta => ResultFormat::Fasta,
        SearchFormat::Parquet => ResultFormat::Parquet,
        SearchFormat::Arrow => ResultFormat::Arrow,
    };
    if format == ResultFormat::Fasta && !arguments.fields.is_empty() {
        return Err(Failure::Message("FASTA has no fields".to_owned()));
    }
    let fields = if arguments.fields.is_empty() { &ResultField::DEFAULT[..] } else { &arguments.fields };
    let mut writer = ResultWriter::new(format, fields).begin(Arc::clone(&proteins), parameters(arguments, text))?;
    let mut pages = pages(arguments, query, proteins)?;
    let (mut output, mut text) = (Output::new(), Vec::new());
    writer.write_head(&mut text);
    let mut has_results = false;
    while let Some(page) = pages.next().transpose()? {
        if format == ResultFormat::Json && !page.hits.is_empty() {
            text.push(if has_results { b',' } else { b'[' });
            has_results = true;
        }
        writer.write_page(&page, &mut text)?;
        output.bytes(&text)?;
        text.clear();
    }
    if format == ResultFormat::Json {
        text.extend_from_slice(if has_results { b"]\n" } else { b"[]\n" });
    }
    writer.finish(&mut text)?;
    output.bytes(&text)?;
    output.finish()
}

/// Returns the parameters by which the service would find the same.
fn parameters(arguments: &SearchArguments, query: &str) -> String {
    let SearchArguments { after, order, random, seed, limit, .. } = arguments;
    let mut text = form_urlencoded::Serializer::new(String::new());
    text.append_pair("q", query);
    text.extend_pairs(after.map(|after| ("after", after.to_string())));
    text.extend_pairs(order.map(|order| ("order", order.to_string())));
    match random {
        Some(random) => drop(text.append_pair("random", &random.to_string()).append_pair("seed", &seed.to_string())),
        None if *limit < u64::MAX => drop(text.append_pair("limit", &limit.to_string())),
        None => {}
    }
    text.finish()
}

/// Returns the pages of the matches that are wanted. A choice takes as long as it takes.
fn pages(
    arguments: &SearchArguments,
    query: ProteinQuery,
    proteins: Arc<ProteinGeneration>,
) -> Result<ProteinPages, Failure> {
    let SearchArguments { random, seed, order, limit, after, .. } = arguments;
    let (choice, num_wanted) = match (random, order) {
        (Some(num_wanted), _) => {
            (ProteinChoice::Random { num_wanted: saturated(*num_wanted), seed: *seed }, usize::MAX)
        }
        (None, Some(order)) => (ProteinChoice::First(*order), saturated(*limit)),
        (None, None) => return Ok(ProteinPages::new(proteins, query, *after, Some(*limit))),
    };
    let mut hits = proteins.choose(&query, choice, u64::MAX)?.unwrap_or_default();
    hits.truncate(num_wanted);
    Ok(ProteinPages::of_hits(proteins, hits))
}

fn saturated(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

pub(crate) fn open_proteins(data: &DataFolder) -> Result<ProteinGeneration, Failure> {
    if let Some(proteins) = ProteinGeneration::open_current(&data.generations(Kind::Proteins))? {
        return Ok(proteins);
    }
    let folder = data.path.display();
    let none = || format!("no proteins are loaded in {folder}: run `mgdex index --data {folder} …` first");
    Err(Failure::Message(data.lost_current(Kind::Proteins)?.unwrap_or_else(none)))
}

pub(crate) fn parse_limit(text: &str) -> Result<u64, String> {
    if text == "all" { Ok(u64::MAX) } else { text.parse().map_err(|_| "a number or `all`".to_owned()) }
}
