//! Building an index.

use std::num::NonZero;
use std::thread;

use indexer::{PortalPlan, Published};

use crate::arguments::IndexArguments;
use crate::commands::protein_generations;
use crate::failure::Failure;
use crate::output::Output;

/// Builds the index and prints the folder of its generation.
pub(crate) fn run(arguments: &IndexArguments) -> Result<(), Failure> {
    let generations = protein_generations(&arguments.data);
    let plan = PortalPlan {
        generations: generations.root().to_owned(),
        portal: arguments.portal.clone(),
        biomes: arguments.biomes.clone(),
        pfam: arguments.pfam.clone(),
        superseded: arguments.superseded.clone(),
        memory_bytes: arguments.memory.0,
        num_threads: arguments.threads.map_or_else(num_cores, usize::from),
        max_rejects: arguments.max_rejects,
    };
    let published = plan.run()?;
    summarise(&published);
    let mut output = Output::new();
    output.line(generations.path(published.generation).display())?;
    output.finish()
}

/// Returns the number of cores that this process may use.
pub(crate) fn num_cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Logs what a run has done.
pub(crate) fn summarise(Published { generation, report }: &Published) {
    for file in &report.files {
        tracing::info!(
            "{}: {} rows read, {} accepted, {} rejected {:?}",
            file.name,
            file.num_read,
            file.num_accepted,
            file.num_rejected(),
            file.rejected
        );
    }
    let notes = &report.notes;
    let unknown_family_hits: u64 = notes.unknown_family_hits.values().sum();
    for (number, what) in [
        (notes.pfam_hits_without_hmm_positions, "Pfam hits have no HMM positions, which are 0"),
        (notes.mgnifam_hits_left_out, "MGnifam hits are not served"),
        (notes.unknown_metadata_keys, "metadata keys are unknown and left out"),
        (unknown_family_hits, "Pfam hits are of families that the clans table lacks"),
    ] {
        if number > 0 {
            tracing::info!("{number} {what}");
        }
    }
    tracing::info!("published proteins/{generation}");
}
