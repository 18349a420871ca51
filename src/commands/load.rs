//! `mgdex catalogue load` and `mgdex directory load`.

use clap::builder::FalseyValueParser;
use clap::{Args, Subcommand, value_parser};
use indexer::{Acceptance, CataloguePlan, DirectoryPlan, Input};

use crate::commands::index::{self, print_survey};
use crate::commands::summary;
use crate::data_folder::{DataFolder, Kind};
use crate::failure::Failure;
use crate::output::print;
use crate::size::{Size, parse_memory};

#[derive(Debug, Subcommand)]
pub(crate) enum CatalogueCommand {
    /// Load JSON:API resources and make them the current catalogue
    Load(CatalogueLoadArguments),
}

#[derive(Debug, Args)]
pub(crate) struct CatalogueLoadArguments {
    #[command(flatten)]
    data: DataFolder,
    /// Files with one resource or document a line, files that are one document, or folders of such files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<Input>,
    /// The same of partial resources: their attributes and relationships are merged into the resources of the other files
    #[arg(long, env = "MGDEX_LINKS", value_name = "FILE", value_delimiter = ',', num_args = 1..)]
    links: Vec<Input>,
    /// Memory for reading, sorting and indexing, at least 64M; what does not fit is sorted on disk
    #[arg(long, env = "MGDEX_MEMORY", value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    memory: Size,
    /// Number of threads that read resources [default: all cores]
    #[arg(long, short = 't', env = "MGDEX_THREADS", value_name = "N", value_parser = value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Number of bad rows that are skipped and listed in the rejects file before the load fails [default: unlimited; with --strict 0]
    #[arg(long, env = "MGDEX_MAX_REJECTS", value_name = "N")]
    max_rejects: Option<u64>,
    /// Keep a sealed copy of the database, without which `mgdex publish` refuses the catalogue. It takes the same room again
    #[arg(long, env = "MGDEX_KEEP_SEALED", value_parser = FalseyValueParser::new())]
    keep_sealed: bool,
    #[command(flatten)]
    checks: CheckArguments,
}

impl CatalogueLoadArguments {
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.files.iter().chain(&self.links)
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum DirectoryCommand {
    /// Load users and domains and make them the current directory
    Load(DirectoryLoadArguments),
}

#[derive(Debug, Args)]
pub(crate) struct DirectoryLoadArguments {
    #[command(flatten)]
    data: DataFolder,
    /// A file with one user or domain a line, as JSON
    #[arg(value_name = "FILE")]
    pub(crate) file: Input,
    /// Memory for sorting, at least 64M; what does not fit is sorted on disk
    #[arg(long, env = "MGDEX_MEMORY", value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    memory: Size,
    /// Number of bad rows that are skipped and listed in the rejects file before the load fails
    #[arg(long, env = "MGDEX_MAX_REJECTS", value_name = "N", default_value_t = 0)]
    max_rejects: u64,
    #[command(flatten)]
    checks: CheckArguments,
}

#[derive(Debug, Args)]
struct CheckArguments {
    /// Report which checks pass and how the numbers compare with the current ones, and publish nothing. All is read, and written to a folder
    /// for temporary files (TMPDIR), which is removed
    #[arg(long, env = "MGDEX_DRY_RUN", value_parser = FalseyValueParser::new())]
    dry_run: bool,
    /// Publish even if there are less than half as many users, domains or resources of a type as there are now, or if more than half of the
    /// locked users are missing
    #[arg(long, env = "MGDEX_ALLOW_SHRINK", value_parser = FalseyValueParser::new())]
    allow_shrink: bool,
    /// Publish nothing if there are warnings: inputs without rows, locked users who are missing, or types of few resources that shrink
    #[arg(long, env = "MGDEX_STRICT", value_parser = FalseyValueParser::new())]
    strict: bool,
}

impl CheckArguments {
    const fn acceptance(&self) -> Acceptance {
        Acceptance { allow_shrink: self.allow_shrink, strict: self.strict }
    }
}

pub(crate) fn catalogue(arguments: &CatalogueLoadArguments) -> Result<(), Failure> {
    let generations = arguments.data.generations(Kind::Catalogue);
    let plan = CataloguePlan {
        generations: generations.root().to_owned(),
        inputs: arguments.files.clone(),
        links: arguments.links.clone(),
        memory_bytes: arguments.memory.0,
        num_threads: arguments.threads.map_or_else(index::num_cores, usize::from),
        max_rejects: arguments.max_rejects,
        keep_sealed: arguments.keep_sealed,
        acceptance: arguments.checks.acceptance(),
    };
    if arguments.checks.dry_run {
        return print_survey(&plan.survey());
    }
    let published = plan.run()?;
    summary::log_catalogue(&published);
    print(generations.path(published.generation).display())
}

pub(crate) fn directory(arguments: &DirectoryLoadArguments) -> Result<(), Failure> {
    let generations = arguments.data.generations(Kind::Directory);
    let plan = DirectoryPlan {
        generations: generations.root().to_owned(),
        input: arguments.file.clone(),
        memory_bytes: arguments.memory.0,
        max_rejects: arguments.max_rejects,
        acceptance: arguments.checks.acceptance(),
    };
    if arguments.checks.dry_run {
        return print_survey(&plan.survey());
    }
    let published = plan.run()?;
    summary::log_directory(&published);
    print(generations.path(published.generation).display())
}
