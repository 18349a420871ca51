//! `mgdex index`.

use std::path::PathBuf;

use clap::builder::FalseyValueParser;
use clap::{Args, value_parser};
use indexer::{Acceptance, Input};

use super::{DataFolder, parse_input, parse_memory};
use crate::size::Size;

#[derive(Debug, Args)]
pub(crate) struct IndexArguments {
    #[command(flatten)]
    pub(crate) data: DataFolder,
    #[command(flatten)]
    pub(crate) rows: RowArguments,
    /// MGnify's biome table: TSV with the columns `biome_id` and `lineage`
    #[arg(long, env = "MGDEX_BIOMES", value_name = "TSV", value_parser = parse_input)]
    pub(crate) biomes: Input,
    /// Pfam's table of families and clans: Pfam-A.clans.tsv
    #[arg(long, env = "MGDEX_PFAM", value_name = "TSV", value_parser = parse_input)]
    pub(crate) pfam: Input,
    /// Replaced accessions: TSV of old and new accession, with # comments
    #[arg(long, env = "MGDEX_SUPERSEDED", value_name = "TSV", value_parser = parse_input)]
    pub(crate) superseded: Option<Input>,
    /// Index all proteins of a release, not only cluster representatives
    #[arg(long, env = "MGDEX_ALL_PROTEINS", conflicts_with = "portal", value_parser = FalseyValueParser::new())]
    pub(crate) all_proteins: bool,
    /// An earlier index. Its proteins that are cluster members in the release are redirected to their representatives
    #[arg(long, env = "MGDEX_PREVIOUS", value_name = "DIR", conflicts_with = "portal")]
    pub(crate) previous: Option<PathBuf>,
    /// Discard the work of an unfinished run over a release, instead of resuming it
    #[arg(long, env = "MGDEX_FRESH", conflicts_with = "portal", value_parser = FalseyValueParser::new())]
    pub(crate) fresh: bool,
    /// Memory for sorting and indexing, at least 64M; what does not fit is sorted on disk
    #[arg(long, env = "MGDEX_MEMORY", value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    pub(crate) memory: Size,
    /// Number of threads that check or index rows [default: all cores]
    #[arg(long, short = 't', env = "MGDEX_THREADS", value_name = "N", value_parser = value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    /// Number of bad rows that are skipped and listed in the rejects file before the run fails
    #[arg(long, env = "MGDEX_MAX_REJECTS", value_name = "N", default_value_t = 0)]
    pub(crate) max_rejects: u64,
    /// Report which files would be used, which checks pass, and the approximate duration and size of the index, and write nothing
    #[arg(long, env = "MGDEX_DRY_RUN", value_parser = FalseyValueParser::new())]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) acceptance: AcceptanceArguments,
}

impl IndexArguments {
    pub(super) fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.rows.portal.iter().chain([&self.biomes, &self.pfam]).chain(&self.superseded)
    }
}

#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct AcceptanceArguments {
    /// Publish the index even if it has less than half as many proteins as the current one
    #[arg(long, env = "MGDEX_ALLOW_SHRINK", value_parser = FalseyValueParser::new())]
    allow_shrink: bool,
    /// Publish nothing if there are warnings: inputs without rows, missing parts or tables of a release, or numbers that differ from those that the
    /// release states
    #[arg(long, env = "MGDEX_STRICT", value_parser = FalseyValueParser::new())]
    strict: bool,
}

impl AcceptanceArguments {
    pub(crate) fn to_plan(self) -> Acceptance {
        let Self { allow_shrink, strict } = self;
        Acceptance { allow_shrink, strict }
    }
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct RowArguments {
    /// Rows of the protein portal's export, in any order: `mgyp,sequence,full_length,cluster_size,metadata`
    #[arg(long, env = "MGDEX_PORTAL", value_name = "FILE", value_delimiter = ',', num_args = 1.., value_parser = parse_input)]
    pub(crate) portal: Vec<Input>,
    /// Folder of a whole release: Parquet tables (2026) or flat files (2022 to 2024)
    #[arg(long, env = "MGDEX_RELEASE", value_name = "DIR")]
    pub(crate) release: Option<PathBuf>,
}
