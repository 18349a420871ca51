//! One file for each command.

mod catalogue;
mod demo;
mod index;
mod search;
mod serve;
mod show;
mod synth;
mod verify;

use store::{Generations, ProteinGeneration};

use crate::arguments::{Arguments, CatalogueCommand, Command, DataFolder};
use crate::failure::Failure;

/// The folder of the protein generations inside the data folder.
const PROTEINS: &str = "proteins";

/// The folder of the catalogue generations inside the data folder.
const CATALOGUE: &str = "catalogue";

/// Does what the command line says.
pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    match arguments.command {
        None => demo::run(&arguments.demo),
        Some(Command::Index(arguments)) => index::run(&arguments),
        Some(Command::Catalogue(CatalogueCommand::Load(arguments))) => catalogue::run(&arguments),
        Some(Command::Serve(arguments)) => serve::run(&arguments),
        Some(Command::Search(arguments)) => search::run(&arguments),
        Some(Command::Show(arguments)) => show::run(&arguments),
        Some(Command::Synth(arguments)) => synth::run(&arguments),
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

/// Opens the proteins of a data folder.
fn open_proteins(data: &DataFolder) -> Result<ProteinGeneration, Failure> {
    ProteinGeneration::open_current(&protein_generations(data))?.ok_or_else(|| {
        let folder = data.path.display();
        Failure::Message(format!("no proteins are loaded in {folder}: run `mgdex index --data {folder} …` first"))
    })
}
