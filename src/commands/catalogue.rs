//! `mgdex catalogue`: loading a catalogue, and changing the present one.

use clap::builder::FalseyValueParser;
use clap::{Args, Subcommand, value_parser};
use indexer::{CatalogueChange, CataloguePlan, Input, Removal};

use crate::commands::index::{self, print_survey};
use crate::commands::load::CheckArguments;
use crate::commands::summary;
use crate::data_folder::{DataFolder, Kind};
use crate::failure::Failure;
use crate::output::print;
use crate::size::{Size, parse_memory};

#[derive(Debug, Subcommand)]
pub(crate) enum CatalogueCommand {
    /// Load JSON:API resources and make them the current catalogue
    Load(LoadArguments),
    /// Add JSON:API resources to the current catalogue, as if they had been loaded after its own
    Add(AddArguments),
    /// Remove resources from the current catalogue. What still refers to them stays
    Remove(RemoveArguments),
}

#[derive(Debug, Args)]
pub(crate) struct LoadArguments {
    /// Files with one resource or document a line, files that are one document, or folders of such files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<Input>,
    /// The same of partial resources: their attributes and relationships are merged into the resources of the other files
    #[arg(long, env = "MGDEX_LINKS", value_name = "FILE", value_delimiter = ',', num_args = 1..)]
    links: Vec<Input>,
    #[command(flatten)]
    run: RunArguments,
}

#[derive(Debug, Args)]
pub(crate) struct AddArguments {
    /// Files with one resource or document a line, files that are one document, or folders of such files
    #[arg(value_name = "FILE", required_unless_present = "links")]
    files: Vec<Input>,
    /// The same of partial resources: their attributes and relationships are merged into the resources of the catalogue and of the other
    /// files
    #[arg(long, env = "MGDEX_LINKS", value_name = "FILE", value_delimiter = ',', num_args = 1..)]
    links: Vec<Input>,
    #[command(flatten)]
    run: RunArguments,
}

#[derive(Debug, Args)]
pub(crate) struct RemoveArguments {
    /// Files with resources, of which type and id matter, such as those that were added
    #[arg(long, value_name = "FILE", value_delimiter = ',', num_args = 1.., required_unless_present = "accession")]
    from: Vec<Input>,
    /// Accessions or other identifiers of resources
    #[arg(long, value_name = "ACCESSION", value_delimiter = ',', num_args = 1..)]
    accession: Vec<String>,
    /// Type of the resources that --accession names, such as `samples`. Needed where resources of two types have an accession
    #[arg(long = "type", value_name = "TYPE", requires = "accession")]
    resource_type: Option<String>,
    #[command(flatten)]
    run: RunArguments,
}

#[derive(Debug, Args)]
struct RunArguments {
    #[command(flatten)]
    data: DataFolder,
    /// Memory for reading, sorting and indexing, at least 64M; what does not fit is sorted on disk
    #[arg(long, env = "MGDEX_MEMORY", value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    memory: Size,
    /// Number of threads that read resources [default: all cores]
    #[arg(long, short = 't', env = "MGDEX_THREADS", value_name = "N", value_parser = value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Number of bad rows that are skipped and listed in the rejects file before the run fails [default: unlimited; with --strict 0]
    #[arg(long, env = "MGDEX_MAX_REJECTS", value_name = "N")]
    max_rejects: Option<u64>,
    /// Keep a sealed copy of the database, without which `mgdex publish` refuses the catalogue. It takes the same room again
    #[arg(long, env = "MGDEX_KEEP_SEALED", value_parser = FalseyValueParser::new())]
    keep_sealed: bool,
    #[command(flatten)]
    checks: CheckArguments,
}

impl CatalogueCommand {
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Input> {
        let (files, links) = match self {
            Self::Load(LoadArguments { files, links, .. }) | Self::Add(AddArguments { files, links, .. }) => {
                (files, &**links)
            }
            Self::Remove(remove) => (&remove.from, &[][..]),
        };
        files.iter().chain(links)
    }
}

pub(crate) fn run(command: &CatalogueCommand) -> Result<(), Failure> {
    let (run, inputs, links, change) = match command {
        CatalogueCommand::Load(load) => (&load.run, &load.files, &load.links[..], CatalogueChange::Replace),
        CatalogueCommand::Add(add) => (&add.run, &add.files, &add.links[..], CatalogueChange::Add),
        CatalogueCommand::Remove(RemoveArguments { from, accession, resource_type, run }) => {
            let removal = Removal { accessions: accession.clone(), resource_type: resource_type.clone() };
            (run, from, &[][..], CatalogueChange::Remove(removal))
        }
    };
    let generations = run.data.generations(Kind::Catalogue);
    let plan = CataloguePlan {
        generations: generations.root().to_owned(),
        inputs: inputs.clone(),
        links: links.to_owned(),
        memory_bytes: run.memory.0,
        num_threads: run.threads.map_or_else(index::num_cores, usize::from),
        max_rejects: run.max_rejects,
        keep_sealed: run.keep_sealed,
        acceptance: run.checks.acceptance(),
        change,
    };
    if run.checks.dry_run {
        return print_survey(&plan.survey());
    }
    let published = plan.run()?;
    summary::log_catalogue(&published);
    print(generations.path(published.generation).display())
}
