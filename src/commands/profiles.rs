//! `mgdex profiles`: export and import of all profiles as JSON lines, and erasing one.

mod erase;
mod export;
mod export_file;
mod import;
mod undamaged_lines;

use clap::Subcommand;
use store_profiles::{Profiles, ProfilesConfig};

pub(crate) use self::import::ProfilesImportArguments;
use crate::data_folder::DataFolder;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum ProfilesCommand {
    /// Export all profiles as JSON lines, while no server has the data folder open
    Export(export::ProfilesExportArguments),
    /// Import exported profiles into a store without profiles, while no server has the data folder
    /// open
    Import(ProfilesImportArguments),
    /// Erase a profile and its search entries, while no server has the data folder open
    Erase(erase::ProfilesEraseArguments),
}

pub(crate) fn run(command: &ProfilesCommand) -> Result<(), Failure> {
    match command {
        ProfilesCommand::Export(arguments) => export::run(arguments),
        ProfilesCommand::Import(arguments) => import::run(arguments),
        ProfilesCommand::Erase(arguments) => erase::run(arguments),
    }
}

/// Opens the store of a data folder. None is created: specifying an empty folder is usually a
/// mistake.
fn open(data: &DataFolder) -> Result<Profiles, Failure> {
    // No attributes are written, so limits do not matter.
    let config = ProfilesConfig { attributes_max: usize::MAX };
    Profiles::open_existing(&data.profiles(), config)?.ok_or_else(|| {
        let folder = data.path.display();
        let advice = "name the folder of a server with --data, or read an export with `mgdex profiles import` first";
        Failure::Message(format!("there are no profiles in {folder}: {advice}"))
    })
}
