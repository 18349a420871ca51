//! `mgdex profiles import`

use clap::Args;
use indexer::Input;
use store_profiles::{Imported, ProfilesImport, export_lines};

use crate::data_folder::DataFolder;
use crate::distributed::{DatabaseArguments, ReachedDatabase};
use crate::failure::Failure;
use crate::output::print;

#[derive(Debug, Args)]
pub(crate) struct ProfilesImportArguments {
    #[command(flatten)]
    data: DataFolder,
    #[command(flatten)]
    database: DatabaseArguments,
    /// The file, with one profile per line
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) file: Input,
}

/// Creates a store from the lines of an export, or none if a line is bad.
pub(super) fn run(ProfilesImportArguments { data, database, file }: &ProfilesImportArguments) -> Result<(), Failure> {
    let name = file.name();
    let unreadable = |error| Failure::Message(format!("cannot read {name}: {error}"));
    let refuse = |line: u64, problem: &str| tracing::error!("{name}, line {line}: {problem}");
    let imported = if let Some(reached) = ReachedDatabase::reach(database)? {
        let lines = export_lines(file.read().map_err(unreadable)?);
        let lines = lines.map(|line| line.map_err(store::Error::io("cannot read", name.as_ref())));
        reached.import(lines, refuse)?
    } else {
        let input = file.read().map_err(unreadable)?;
        let mut import = ProfilesImport::begin(&data.profiles())?;
        match import.add_lines(&name, input, refuse)? {
            0 => Imported::All(import.finish()?),
            num_refused => Imported::Refused(num_refused),
        }
    };
    match imported {
        Imported::All(num_profiles) => print(format_args!("{num_profiles} profiles imported")),
        Imported::Refused(num_lines) => {
            Err(Failure::Message(format!("{name} has {num_lines} bad lines: nothing was imported")))
        }
    }
}
