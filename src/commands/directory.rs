//! Loading a directory.

use indexer::{DirectoryPlan, DirectoryReport, PublishedDirectory, counted};

use crate::arguments::DirectoryLoadArguments;
use crate::commands::{DIRECTORY, directory_generations, index};
use crate::failure::Failure;
use crate::output::Output;

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
    summarise(&published);
    let mut output = Output::new();
    output.line(generations.path(published.generation).display())?;
    output.finish()
}

/// Logs what a load has done.
pub(crate) fn summarise(PublishedDirectory { generation, report }: &PublishedDirectory) {
    for file in &report.files {
        index::tell_file(file);
    }
    let DirectoryReport { num_replaced, .. } = report;
    if *num_replaced > 0 {
        tracing::info!("{} replaced by later ones of the same user or domain", counted(*num_replaced, "line"));
    }
    let DirectoryReport { num_users, num_locked, num_domains, num_memberships, .. } = report;
    tracing::info!(
        "stored: {}, {num_locked} of them locked, {}, {}",
        counted(*num_users, "user"),
        counted(*num_domains, "domain"),
        counted(*num_memberships, "membership")
    );
    tracing::info!("published {DIRECTORY}/{generation}");
}
