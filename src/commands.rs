//! One file for each command.

mod catalogue;
mod demo;
mod directory;
mod generations;
mod index;
mod profiles;
mod search;
mod serve;
mod show;
mod summary;
mod synth;
mod token;
mod verify;

use std::path::PathBuf;

use store::{Generations, ProteinGeneration};

use crate::arguments::{Arguments, CatalogueCommand, Command, DataFolder, DirectoryCommand, ProfilesCommand};
use crate::failure::Failure;

/// The folder of the protein generations inside the data folder.
const PROTEINS: &str = "proteins";

/// The folder of the catalogue generations inside the data folder.
const CATALOGUE: &str = "catalogue";

/// The folder of the directory generations inside the data folder.
const DIRECTORY: &str = "directory";

/// The folder of the store of profiles inside the data folder.
const PROFILES: &str = "profiles";

/// Does what the command line says.
pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    match arguments.command {
        None => demo::run(&arguments.demo),
        Some(Command::Index(arguments)) => index::run(&arguments),
        Some(Command::Catalogue(CatalogueCommand::Load(arguments))) => catalogue::run(&arguments),
        Some(Command::Directory(DirectoryCommand::Load(arguments))) => directory::run(&arguments),
        Some(Command::Profiles(ProfilesCommand::Export(arguments))) => profiles::export(&arguments),
        Some(Command::Profiles(ProfilesCommand::Import(arguments))) => profiles::import(&arguments),
        Some(Command::Token(arguments)) => token::run(&arguments),
        Some(Command::Serve(arguments)) => serve::run(&arguments),
        Some(Command::Search(arguments)) => search::run(&arguments),
        Some(Command::Show(arguments)) => show::run(&arguments),
        Some(Command::Synth(arguments)) => synth::run(&arguments),
        Some(Command::Generations(data)) => generations::list(&data),
        Some(Command::Rollback(arguments)) => generations::roll_back(&arguments),
        Some(Command::Verify(data)) => verify::run(&data),
    }
}

/// Returns the protein generations of a data folder.
fn protein_generations(data: &DataFolder) -> Generations {
    Generations::new(data.path.join(PROTEINS))
}

/// Returns the catalogue generations of a data folder.
fn catalogue_generations(data: &DataFolder) -> Generations {
    Generations::new(data.path.join(CATALOGUE))
}

/// Returns the directory generations of a data folder.
fn directory_generations(data: &DataFolder) -> Generations {
    Generations::private(data.path.join(DIRECTORY))
}

/// Returns the folder of the store of profiles of a data folder.
fn profiles_folder(data: &DataFolder) -> PathBuf {
    data.path.join(PROFILES)
}

/// Opens the proteins of a data folder.
fn open_proteins(data: &DataFolder) -> Result<ProteinGeneration, Failure> {
    ProteinGeneration::open_current(&protein_generations(data))?.ok_or_else(|| {
        let folder = data.path.display();
        Failure::Message(format!("no proteins are loaded in {folder}: run `mgdex index --data {folder} …` first"))
    })
}
