//! `mgdex catalogue load` and `mgdex directory load`.

use clap::builder::FalseyValueParser;
use clap::{Args, Subcommand};
use indexer::{Acceptance, Input};
use indexer_directory::DirectoryPlan;

use crate::commands::index::print_survey;
use crate::commands::summary;
use crate::data_folder::{DataFolder, Kind};
use crate::failure::Failure;
use crate::output::print;
use crate::size::{Size, parse_memory};

#[derive(Debug, Subcommand)]
pub(crate) enum DirectoryCommand {
    /// Load users and domains and make them the current directory
    Load(DirectoryLoadArguments),
}

#[derive(Debug, Args)]
pub(crate) struct DirectoryLoadArguments {
    #[command(flatten)]
    data: DataFolder,
    /// A file with one user or domain per line, as JSON
    #[arg(value_name = "FILE")]
    pub(crate) file: Input,
    /// Memory for sorting, at least 64M; larger data are sorted on disk
    #[arg(long, env = "MGDEX_MEMORY", value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    memory: Size,
    /// Number of bad rows that are skipped and listed in the rejects file before the load fails
    #[arg(long, env = "MGDEX_MAX_REJECTS", value_name = "N", default_value_t = 0)]
    max_rejects: u64,
    #[command(flatten)]
    checks: CheckArguments,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// Report which checks pass and how the numbers compare with the current ones, and publish
    /// nothing. The data are built in a temporary folder (TMPDIR), which is removed
    #[arg(long, env = "MGDEX_DRY_RUN", value_parser = FalseyValueParser::new())]
    pub(crate) dry_run: bool,
    /// Publish even if there are less than half as many users, domains or resources of a type as
    /// there are now, or if more than half of the locked users are missing
    #[arg(long, env = "MGDEX_ALLOW_SHRINK", value_parser = FalseyValueParser::new())]
    allow_shrink: bool,
    /// Publish nothing if there are warnings: inputs without rows, locked users who are missing, or
    /// types of few resources that shrink
    #[arg(long, env = "MGDEX_STRICT", value_parser = FalseyValueParser::new())]
    strict: bool,
}

impl CheckArguments {
    pub(crate) const fn acceptance(&self) -> Acceptance {
        Acceptance { allow_shrink: self.allow_shrink, strict: self.strict }
    }
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
