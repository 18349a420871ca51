//! The command line.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::builder::FalseyValueParser;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum, value_parser};
use indexer::Input;
use store::{PfamAccession, ProteinAccession};

use crate::logging::LogFormat;
use crate::size::Size;

/// The least memory that a run works with.
const MEMORY_MIN: Size = Size(64 << 20);

/// The most proteins of a synthetic release: accessions have twelve digits.
const PROTEINS_MAX: u64 = 100_000_000_000;

/// Examples below the help.
const EXAMPLES: &str = "\
Examples:
  mgdex                                         index the bundled sample into ./mgdex-data and serve it
  mgdex index --portal rows.csv.gz --biomes biomes.tsv --pfam Pfam-A.clans.tsv.gz
  mgdex index --release 2026_07 --biomes biomes.tsv --pfam Pfam-A.clans.tsv.gz --memory 8G
  mgdex catalogue load studies.jsonl.gz samples.jsonl.gz harvested-pages/
  mgdex serve --listen 0.0.0.0:8080
  mgdex search --lineage root:Environmental:Aquatic:Marine --limit 10 --format tsv
  mgdex show MGYP004580619181 --format fasta

Results go to standard output, everything else to standard error. Exit codes: 0 done, 1 failed, 2 wrong usage.
Inputs may be plain, gzip or zstd; `-` is standard input.";

/// A metagenomics index on one machine: loads public MGnify data and serves them by REST.
///
/// Without a command: loads the bundled sample of real data where the data folder has none, and serves it.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES, max_term_width = 110)]
pub(crate) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// The settings of the demo.
    #[command(flatten)]
    pub(crate) demo: ServeArguments,
    /// The form of log lines.
    #[arg(long, global = true, env = "MGDEX_LOG", value_enum, default_value = "text")]
    pub(crate) log: LogFormat,
    /// Say only what needs attention.
    #[arg(long, short, global = true, env = "MGDEX_QUIET", value_parser = FalseyValueParser::new())]
    pub(crate) quiet: bool,
}

impl Arguments {
    /// Reads the command line, and exits where it is wrong or asks for help.
    pub(crate) fn read() -> Self {
        let matches = Self::command().get_matches();
        // Settings of the demo before a command would do nothing, so that whoever gives them means something else.
        if let Some(command) = matches.subcommand_name()
            && let Some(setting) = ServeArguments::augment_args(clap::Command::new("demo"))
                .get_arguments()
                .find(|setting| matches.value_source(setting.get_id().as_str()) == Some(ValueSource::CommandLine))
        {
            let problem = format!("{setting} stands before the command {command}: put it behind");
            Self::command().error(ErrorKind::ArgumentConflict, problem).exit();
        }
        let arguments = Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
        let num_stdin = arguments.command.as_ref().map_or(0, Command::num_stdin);
        if num_stdin > 1 {
            let problem = "only one input can be `-`: standard input is read once";
            Self::command().error(ErrorKind::ArgumentConflict, problem).exit();
        }
        arguments
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Build an index of proteins and make it the current one
    Index(IndexArguments),
    /// Load the catalogue of studies, samples and all that belongs to them
    #[command(subcommand)]
    Catalogue(CatalogueCommand),
    /// Serve what the data folder has; new data are taken over as they are published
    Serve(ServeArguments),
    /// Search proteins by biome or Pfam family, without a server
    Search(SearchArguments),
    /// Show full records of proteins, without a server
    Show(ShowArguments),
    /// Write a synthetic release of any size, for tests and measurements
    Synth(SynthArguments),
    /// Check every generation in the data folder in full, checksums included
    Verify(DataFolder),
}

impl Command {
    /// Returns how many inputs are standard input.
    fn num_stdin(&self) -> usize {
        let is_stdin = |input: &&Input| **input == Input::Stdin;
        match self {
            Self::Index(index) => index.inputs().filter(is_stdin).count(),
            Self::Catalogue(CatalogueCommand::Load(load)) => load.files.iter().filter(is_stdin).count(),
            _ => 0,
        }
    }
}

/// What to do with the catalogue.
#[derive(Debug, Subcommand)]
pub(crate) enum CatalogueCommand {
    /// Load resources of JSON:API and make them the current catalogue
    Load(CatalogueLoadArguments),
}

/// Where the data are.
#[derive(Debug, Args)]
pub(crate) struct DataFolder {
    /// The folder that holds all data of mgdex
    #[arg(long = "data", env = "MGDEX_DATA", value_name = "DIR", default_value = "mgdex-data")]
    pub(crate) path: PathBuf,
}

/// What an index is built of.
#[derive(Debug, Args)]
pub(crate) struct IndexArguments {
    /// Where the index goes.
    #[command(flatten)]
    pub(crate) data: DataFolder,
    /// What is indexed.
    #[command(flatten)]
    pub(crate) rows: RowArguments,
    /// MGnify's biome table: TSV whose header has `biome_id` and `lineage`
    #[arg(long, env = "MGDEX_BIOMES", value_name = "TSV", value_parser = parse_input)]
    pub(crate) biomes: Input,
    /// Pfam's table of families and clans: Pfam-A.clans.tsv
    #[arg(long, env = "MGDEX_PFAM", value_name = "TSV", value_parser = parse_input)]
    pub(crate) pfam: Input,
    /// Replaced accessions: TSV of old and new accession, with # comments
    #[arg(long, env = "MGDEX_SUPERSEDED", value_name = "TSV", value_parser = parse_input)]
    pub(crate) superseded: Option<Input>,
    /// Of a release: index every protein, and not only cluster representatives
    #[arg(long, env = "MGDEX_ALL_PROTEINS", conflicts_with = "portal", value_parser = FalseyValueParser::new())]
    pub(crate) all_proteins: bool,
    /// Of a release: an earlier index, whose proteins that are members of a cluster now lead to its representative
    #[arg(long, env = "MGDEX_PREVIOUS", value_name = "DIR", conflicts_with = "portal")]
    pub(crate) previous: Option<PathBuf>,
    /// Of a release: throw away what an unfinished run has done, instead of going on with it
    #[arg(long, env = "MGDEX_FRESH", conflicts_with = "portal", value_parser = FalseyValueParser::new())]
    pub(crate) fresh: bool,
    /// Memory for sorting and indexing, 64M at least; larger inputs go through the disk
    #[arg(long, env = "MGDEX_MEMORY", value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    pub(crate) memory: Size,
    /// Threads that check rows, or index them [default: all cores]
    #[arg(long, short = 't', env = "MGDEX_THREADS", value_name = "N", value_parser = value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    /// How many bad rows are left out, listed in the rejects file, before the run fails
    #[arg(long, env = "MGDEX_MAX_REJECTS", value_name = "N", default_value_t = 0)]
    pub(crate) max_rejects: u64,
}

impl IndexArguments {
    /// Returns all inputs.
    fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.rows.portal.iter().chain([&self.biomes, &self.pfam]).chain(&self.superseded)
    }
}

/// Exactly one of these is needed.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct RowArguments {
    /// Rows of the protein portal's export: `mgyp,sequence,full_length,cluster_size,metadata`. They need no order
    #[arg(long, env = "MGDEX_PORTAL", value_name = "FILE", value_delimiter = ',', num_args = 1.., value_parser = parse_input)]
    pub(crate) portal: Vec<Input>,
    /// The folder of a whole release: Parquet tables (2026) or flat files (2022 to 2024)
    #[arg(long, env = "MGDEX_RELEASE", value_name = "DIR")]
    pub(crate) release: Option<PathBuf>,
}

/// What a catalogue is loaded from.
#[derive(Debug, Args)]
pub(crate) struct CatalogueLoadArguments {
    /// Where the catalogue goes.
    #[command(flatten)]
    pub(crate) data: DataFolder,
    /// Files with one resource or document a line, files that are one document, or folders of such files
    #[arg(value_name = "FILE", required = true, value_parser = parse_input)]
    pub(crate) files: Vec<Input>,
    /// Memory for reading, sorting and indexing, 64M at least; larger inputs go through the disk
    #[arg(long, env = "MGDEX_MEMORY", value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    pub(crate) memory: Size,
    /// Threads that read resources [default: all cores]
    #[arg(long, short = 't', env = "MGDEX_THREADS", value_name = "N", value_parser = value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    /// How many bad rows are left out, listed in the rejects file, before the load fails [default: any number]
    #[arg(long, env = "MGDEX_MAX_REJECTS", value_name = "N")]
    pub(crate) max_rejects: Option<u64>,
}

/// How to serve.
#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// Where the data are.
    #[command(flatten)]
    pub(crate) data: DataFolder,
    /// The address to serve on; port 0 takes any free one
    #[arg(long, env = "MGDEX_LISTEN", value_name = "ADDR", default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,
    /// The address to serve measurements for Prometheus on [default: none]
    #[arg(long, env = "MGDEX_METRICS", value_name = "ADDR")]
    pub(crate) metrics: Option<SocketAddr>,
    /// The public address in links [default: scheme and host of each request]
    #[arg(long, env = "MGDEX_BASE_URL", value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// Believe X-Forwarded-Proto and X-Forwarded-Host: only behind a proxy that sets them
    #[arg(long, env = "MGDEX_TRUST_PROXY", value_parser = FalseyValueParser::new())]
    pub(crate) trust_proxy: bool,
    /// The longest URI that is accepted
    #[arg(long, env = "MGDEX_MAX_URI", value_name = "SIZE", default_value = "8K")]
    pub(crate) max_uri: Size,
    /// How many requests may be under way before more are refused with 503
    #[arg(long, env = "MGDEX_MAX_REQUESTS", value_name = "N", default_value_t = 512, value_parser = value_parser!(u32).range(1..))]
    pub(crate) max_requests: u32,
}

/// What to search for.
#[derive(Debug, Args)]
pub(crate) struct SearchArguments {
    /// Where the data are.
    #[command(flatten)]
    pub(crate) data: DataFolder,
    /// What to search for.
    #[command(flatten)]
    pub(crate) filter: FilterArguments,
    /// The most hits that are printed
    #[arg(long, env = "MGDEX_LIMIT", value_name = "N", default_value_t = 50)]
    pub(crate) limit: usize,
    /// The form of the output
    #[arg(long, env = "MGDEX_FORMAT", value_enum, default_value = "json")]
    pub(crate) format: SearchFormat,
}

/// Exactly one of these is needed.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct FilterArguments {
    /// The biome with this id, without the biomes below it
    #[arg(long, env = "MGDEX_BIOME_ID", value_name = "N", allow_negative_numbers = true)]
    pub(crate) biome_id: Option<i64>,
    /// The biome with this full lineage, and all biomes below it
    #[arg(long, env = "MGDEX_LINEAGE", value_name = "L")]
    pub(crate) lineage: Option<String>,
    /// The Pfam family: PF00005, or just 5
    #[arg(long, value_name = "PF", value_parser = parse_family)]
    pub(crate) pfam: Option<PfamAccession>,
}

/// What to show.
#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    /// Where the data are.
    #[command(flatten)]
    pub(crate) data: DataFolder,
    /// Accessions: MGYP000261684433, or just 261684433
    #[arg(value_name = "MGYP", required = true)]
    pub(crate) accessions: Vec<ProteinAccession>,
    /// The form of the output: JSON, one record a line, or FASTA
    #[arg(long, env = "MGDEX_FORMAT", value_enum, default_value = "json")]
    pub(crate) format: ShowFormat,
}

/// What a synthetic release is like.
#[derive(Debug, Args)]
pub(crate) struct SynthArguments {
    /// The number of proteins, representatives and other members of clusters together
    #[arg(long, env = "MGDEX_PROTEINS", value_name = "N", value_parser = value_parser!(u64).range(1..=PROTEINS_MAX))]
    pub(crate) proteins: u64,
    /// The folder for the files, which must be missing or empty
    #[arg(long, env = "MGDEX_OUT", value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// The form of the files
    #[arg(long, env = "MGDEX_LAYOUT", value_enum, default_value = "parquet")]
    pub(crate) layout: ReleaseLayout,
    /// Another seed gives other proteins; the same gives the same bytes
    #[arg(long, env = "MGDEX_SEED", value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Bring the rows of every table out of order
    #[arg(long, env = "MGDEX_SHUFFLE", value_parser = FalseyValueParser::new())]
    pub(crate) shuffle: bool,
    /// Add bad rows, and list them in faults.tsv
    #[arg(long, env = "MGDEX_FAULTS", value_parser = FalseyValueParser::new())]
    pub(crate) faults: bool,
    /// Make all proteins representatives, without the other members of their clusters
    #[arg(long, env = "MGDEX_ONLY_REPRESENTATIVES", value_parser = FalseyValueParser::new())]
    pub(crate) only_representatives: bool,
}

/// The form of a release.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ReleaseLayout {
    /// Parquet files, as of July 2026
    Parquet,
    /// Gzip files of lines, as of April 2024
    Flat,
}

/// The form of hits.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SearchFormat {
    /// A JSON array, as the service answers
    Json,
    /// Tab-separated columns under a header line
    Tsv,
}

/// The form of records.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ShowFormat {
    /// JSON, one record a line, as the service answers
    Json,
    /// The sequence only, 60 residues a line
    Fasta,
}

/// Reads an input.
#[expect(clippy::unnecessary_wraps, reason = "the signature of a value parser")]
fn parse_input(text: &str) -> Result<Input, String> {
    Ok(Input::from_argument(PathBuf::from(text)))
}

/// Reads an amount of memory that a run works with.
fn parse_memory(text: &str) -> Result<Size, String> {
    let size: Size = text.parse()?;
    if size.0 < MEMORY_MIN.0 { Err("64M at least is needed".to_owned()) } else { Ok(size) }
}

/// Reads a family, with or without `PF`.
fn parse_family(text: &str) -> Result<PfamAccession, String> {
    let with_prefix =
        if text.bytes().all(|byte| byte.is_ascii_digit()) { format!("PF{text}") } else { text.to_owned() };
    with_prefix.parse().map_err(|error: store::PfamAccessionError| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn families_are_read_with_and_without_prefix() {
        for text in ["5", "PF00005", "pf5"] {
            assert_eq!(parse_family(text), Ok(PfamAccession(5)), "{text}");
        }
        assert!(parse_family("0").is_err() && parse_family("").is_err() && parse_family("CL5").is_err());
    }
}
