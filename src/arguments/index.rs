//! `mgdex index`.

use std::path::PathBuf;

use clap::builder::FalseyValueParser;
use clap::{Args, value_parser};
use indexer::{Acceptance, Input};

use super::{DataFolder, parse_input, parse_memory};
use crate::size::Size;

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
    /// Say what would be indexed, which checks pass, and about how long it takes and how large it becomes, and write nothing
    #[arg(long, env = "MGDEX_DRY_RUN", value_parser = FalseyValueParser::new())]
    pub(crate) dry_run: bool,
    /// What is published although it is suspicious.
    #[command(flatten)]
    pub(crate) acceptance: AcceptanceArguments,
}

impl IndexArguments {
    /// Returns all inputs.
    pub(super) fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.rows.portal.iter().chain([&self.biomes, &self.pfam]).chain(&self.superseded)
    }
}

/// What is published although it is suspicious.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct AcceptanceArguments {
    /// Publish the index even if it has less than half of the proteins of the present one
    #[arg(long, env = "MGDEX_ALLOW_SHRINK", value_parser = FalseyValueParser::new())]
    allow_shrink: bool,
    /// Publish nothing if there is something to warn of: inputs without rows, missing parts or tables of a release, numbers that differ from
    /// those that it gives
    #[arg(long, env = "MGDEX_STRICT", value_parser = FalseyValueParser::new())]
    strict: bool,
}

impl AcceptanceArguments {
    /// Returns them as plans want them.
    pub(crate) fn to_plan(self) -> Acceptance {
        let Self { allow_shrink, strict } = self;
        Acceptance { allow_shrink, strict }
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
