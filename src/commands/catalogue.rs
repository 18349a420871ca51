//! `mgdex catalogue`: harvesting and loading a catalogue, and changing the current one.

use std::path::PathBuf;

use clap::builder::FalseyValueParser;
use clap::{Args, Subcommand, value_parser};
use indexer::Input;
use indexer_catalogue::{CatalogueChange, CataloguePlan, Removal, TableType};

use crate::commands::harvest::{self, HarvestArguments};
use crate::commands::index::{self, print_survey};
use crate::commands::load::CheckArguments;
use crate::commands::summary;
use crate::data_folder::{DataFolder, Kind};
use crate::failure::Failure;
use crate::files::Files;
use crate::output::print;
use crate::size::{Size, parse_memory};

#[derive(Debug, Subcommand)]
pub(crate) enum CatalogueCommand {
    /// Harvest the catalogue of a server, MGnify or another mgdex, into a folder
    Harvest(HarvestArguments),
    /// Load JSON:API resources and make them the current catalogue
    Load(LoadArguments),
    /// Add JSON:API resources to the current catalogue, as if they had been loaded after its own
    Add(AddArguments),
    /// Remove resources from the current catalogue. Resources that refer to them stay
    Remove(RemoveArguments),
}

#[derive(Debug, Args)]
pub(crate) struct LoadArguments {
    /// Files with one resource or document per line, files that are one document, or folders of
    /// such files
    #[arg(value_name = "FILE", required_unless_present = "v2")]
    files: Vec<Input>,
    /// Folder with documents of MGnify's API version 2, such as studies.jsonl.gz: they are merged
    /// into the resources of the other files
    #[arg(long, env = "MGDEX_V2", value_name = "DIR")]
    v2: Option<PathBuf>,
    /// Files of partial resources, whose attributes and relationships are merged into the resources
    /// of the other files
    #[arg(long, env = "MGDEX_LINKS", value_name = "FILE", num_args = 1..)]
    links: Vec<Files>,
    #[command(flatten)]
    run: RunArguments,
}

#[derive(Debug, Args)]
pub(crate) struct AddArguments {
    /// Files with one resource or document per line, files that are one document, or folders of
    /// such files
    #[arg(value_name = "FILE", required_unless_present_any = ["links", "table"])]
    files: Vec<Input>,
    #[command(flatten)]
    table: TableArguments,
    /// Files of partial resources, whose attributes and relationships are merged into the resources
    /// of the catalogue and of the other files
    #[arg(long, env = "MGDEX_LINKS", value_name = "FILE", num_args = 1..)]
    links: Vec<Files>,
    #[command(flatten)]
    run: RunArguments,
}

#[derive(Debug, Args)]
pub(crate) struct RemoveArguments {
    /// Files with the resources to remove, identified by type and id, such as those added
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present_any = ["accession", "table"])]
    from: Vec<Files>,
    #[command(flatten)]
    table: TableArguments,
    /// Accessions or other identifiers of resources
    #[arg(long, value_name = "ACCESSION", value_delimiter = ',', num_args = 1..)]
    accession: Vec<String>,
    #[command(flatten)]
    run: RunArguments,
}

#[derive(Debug, Args)]
struct TableArguments {
    /// Tables of your own samples or studies, with a header: tabs or commas between columns
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "resource_type")]
    table: Vec<Files>,
    /// Type of the resources of the tables, `samples` or `studies`, or of those that --accession
    /// names, if resources of two types have the same accession
    #[arg(long = "type", value_name = "TYPE")]
    resource_type: Option<String>,
}

impl TableArguments {
    /// Returns the type of tables, if there are any.
    fn table_type(&self) -> Result<TableType, Failure> {
        match self.resource_type.as_deref() {
            Some("studies") => Ok(TableType::Studies),
            Some("samples") => Ok(TableType::Samples),
            _ if self.table.is_empty() => Ok(TableType::Samples),
            _ => Err(Failure::Usage("the --type of a table is samples or studies".to_owned())),
        }
    }
}

#[derive(Debug, Args)]
struct RunArguments {
    #[command(flatten)]
    data: DataFolder,
    /// Memory for reading, sorting and indexing, at least 64M; larger data are sorted on disk
    #[arg(long, env = "MGDEX_MEMORY", value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    memory: Size,
    /// Number of threads that read resources [default: all cores]
    #[arg(long, short = 't', env = "MGDEX_THREADS", value_name = "N", value_parser = value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Number of bad rows that are skipped and listed in the rejects file before the run fails
    /// [default: unlimited; with --strict 0]
    #[arg(long, env = "MGDEX_MAX_REJECTS", value_name = "N")]
    max_rejects: Option<u64>,
    /// Keep a sealed copy of the database, which `mgdex publish` needs. It takes the same space
    /// again
    #[arg(long, env = "MGDEX_KEEP_SEALED", value_parser = FalseyValueParser::new())]
    keep_sealed: bool,
    #[command(flatten)]
    checks: CheckArguments,
}

impl CatalogueCommand {
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Input> {
        let (files, tables, links) = match self {
            Self::Harvest(_) => (&[][..], &[][..], &[][..]),
            Self::Load(load) => (&load.files[..], &[][..], &load.links[..]),
            Self::Add(add) => (&add.files[..], &add.table.table[..], &add.links[..]),
            Self::Remove(remove) => (&[][..], &remove.table.table[..], &remove.from[..]),
        };
        files.iter().chain(Files::all(tables)).chain(Files::all(links))
    }
}

pub(crate) fn run(command: &CatalogueCommand) -> Result<(), Failure> {
    let (run, inputs, table, links, change) = match command {
        CatalogueCommand::Harvest(arguments) => return harvest::run(arguments),
        CatalogueCommand::Load(load) => {
            (&load.run, load.files.clone(), None, &load.links[..], CatalogueChange::Replace)
        }
        CatalogueCommand::Add(add) => {
            (&add.run, add.files.clone(), Some(&add.table), &add.links[..], CatalogueChange::Add)
        }
        CatalogueCommand::Remove(RemoveArguments { from, accession, table, run }) => {
            let removal = Removal { accessions: accession.clone(), resource_type: table.resource_type.clone() };
            (run, Files::all(from).cloned().collect(), Some(table), &[][..], CatalogueChange::Remove(removal))
        }
    };
    let harvest = if let CatalogueCommand::Load(load) = command { load.v2.clone() } else { None };
    let table_type = table.map_or(Ok(TableType::Samples), TableArguments::table_type)?;
    let generations = run.data.generations(Kind::Catalogue);
    let plan = CataloguePlan {
        generations: generations.root().to_owned(),
        inputs,
        tables: table.into_iter().flat_map(|table| Files::all(&table.table)).cloned().collect(),
        table_type,
        links: Files::all(links).cloned().collect(),
        harvest,
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
