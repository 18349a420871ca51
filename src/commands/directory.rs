//! Loading a directory.

use indexer::DirectoryPlan;

use crate::arguments::DirectoryLoadArguments;
use crate::commands::{directory_generations, summary};
use crate::failure::Failure;

/// Loads the directory and prints the folder of its generation.
pub(crate) fn run(arguments: &DirectoryLoadArguments) -> Result<(), Failure> {
    let generations = directory_generations(&arguments.data);
    let plan = DirectoryPlan {
        generations: generations.root().to_owned(),
        input: arguments.file.clone(),
        memory_bytes: arguments.memory.0,
        max_rejects: arguments.max_rejects,
    };
    let published = plan.run()?;
    summary::log_directory(&published);
    summary::print_folder(&published, &generations)
}
