//! Loading a catalogue.

use indexer::CataloguePlan;

use crate::arguments::CatalogueLoadArguments;
use crate::commands::{catalogue_generations, index, summary};
use crate::failure::Failure;

/// Loads the catalogue and prints the folder of its generation.
pub(crate) fn run(arguments: &CatalogueLoadArguments) -> Result<(), Failure> {
    let generations = catalogue_generations(&arguments.data);
    let plan = CataloguePlan {
        generations: generations.root().to_owned(),
        inputs: arguments.files.clone(),
        memory_bytes: arguments.memory.0,
        num_threads: arguments.threads.map_or_else(index::num_cores, usize::from),
        max_rejects: arguments.max_rejects,
    };
    let published = plan.run()?;
    summary::log_catalogue(&published);
    summary::print_folder(&published, &generations)
}
