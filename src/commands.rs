//! One file for each command.

mod catalogue;
mod demo;
mod directory;
mod generations;
mod index;
mod profiles;
mod proteins;
mod serve;
mod summary;
mod synth;
mod token;
mod verify;

use std::path::PathBuf;

use store::Generations;

use crate::arguments::{Arguments, CatalogueCommand, Command, DataFolder, DirectoryCommand, ProfilesCommand};
use crate::failure::Failure;

// The folders inside the data folder.
const PROTEINS: &str = "proteins";
const CATALOGUE: &str = "catalogue";
const DIRECTORY: &str = "directory";
const PROFILES: &str = "profiles";

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
        Some(Command::Search(arguments)) => proteins::search(&arguments),
        Some(Command::Show(arguments)) => proteins::show(&arguments),
        Some(Command::Synth(arguments)) => synth::run(&arguments),
        Some(Command::Generations(data)) => generations::list(&data),
        Some(Command::Rollback(arguments)) => generations::roll_back(&arguments),
        Some(Command::Verify(data)) => verify::run(&data),
    }
}

fn protein_generations(data: &DataFolder) -> Generations {
    Generations::new(data.path.join(PROTEINS))
}

fn catalogue_generations(data: &DataFolder) -> Generations {
    Generations::new(data.path.join(CATALOGUE))
}

fn directory_generations(data: &DataFolder) -> Generations {
    Generations::private(data.path.join(DIRECTORY))
}

fn profiles_folder(data: &DataFolder) -> PathBuf {
    data.path.join(PROFILES)
}
