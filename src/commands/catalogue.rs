//! Loading a catalogue.

use indexer::{CataloguePlan, CatalogueReport, FileReport, PublishedCatalogue, counted};

use crate::arguments::CatalogueLoadArguments;
use crate::commands::{CATALOGUE, catalogue_generations, index};
use crate::failure::Failure;
use crate::output::Output;

/// So many inputs are told one by one; of more, only those with bad rows.
const FILES_TOLD_MAX: usize = 20;

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
    summarise(&published);
    let mut output = Output::new();
    output.line(generations.path(published.generation).display())?;
    output.finish()
}

/// Logs what a load has done.
pub(crate) fn summarise(PublishedCatalogue { generation, report }: &PublishedCatalogue) {
    let is_told = |file: &&FileReport| report.files.len() <= FILES_TOLD_MAX || file.num_rejected() > 0;
    for file in report.files.iter().filter(is_told) {
        index::tell_file(file);
    }
    let CatalogueReport { num_read, num_accepted, num_rejected, num_stored, stored, .. } = report;
    let (files, rows) = (counted(report.files.len() as u64, "file"), counted(*num_read, "row"));
    tracing::info!("{files}: {rows} read, {num_accepted} accepted, {num_rejected} rejected");
    for (number, what) in [
        (report.num_replaced, "replaced by later ones of the same type and id"),
        (report.num_included_passed_over, "passed over, as included forms of others"),
        (report.num_private, "private and left out"),
        (report.num_derived, "derived: the root of the biomes"),
    ] {
        if number > 0 {
            tracing::info!("{} {what}", counted(number, "resource"));
        }
    }
    let types: Vec<String> = stored.iter().map(|(name, number)| format!("{number} {name}")).collect();
    tracing::info!("{} stored: {}", counted(*num_stored, "resource"), types.join(", "));
    tracing::info!("published {CATALOGUE}/{generation}");
}
