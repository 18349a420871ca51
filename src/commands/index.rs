//! Building an index.

use std::num::NonZero;
use std::path::PathBuf;
use std::thread;

use indexer::{
    Check, FileReport, PortalPlan, Published, ReleasePlan, ReleaseReport, ReplacedReport, Replacements, Survey, counted,
};

use crate::arguments::IndexArguments;
use crate::commands::protein_generations;
use crate::failure::Failure;
use crate::interruption;
use crate::output::Output;

/// Bytes of a megabyte.
const MEGABYTE: u64 = 1_000_000;

/// Builds the index and prints the folder of its generation.
pub(crate) fn run(arguments: &IndexArguments) -> Result<(), Failure> {
    if arguments.dry_run {
        let release = arguments.rows.release.clone();
        return tell_survey(&match release {
            Some(release) => release_plan(arguments, release).survey(),
            None => portal_plan(arguments).survey(),
        });
    }
    let generations = protein_generations(&arguments.data);
    let published = if let Some(release) = &arguments.rows.release {
        interruption::announce("what was done is kept, and the same command goes on with it")?;
        release_plan(arguments, release.clone()).run()?
    } else {
        interruption::announce("the same command starts again from the beginning")?;
        portal_plan(arguments).run()?
    };
    summarise(&published);
    let mut output = Output::new();
    output.line(generations.path(published.generation).display())?;
    output.finish()
}

/// Prints what a run would do, and fails if it cannot succeed.
fn tell_survey(survey: &Survey) -> Result<(), Failure> {
    let mut output = Output::new();
    for Check { what, found } in &survey.checks {
        match found {
            Ok(found) => output.line(format_args!("ok      {what}: {found}"))?,
            Err(problem) => output.line(format_args!("BROKEN  {what}: {problem}"))?,
        }
    }
    for warning in &survey.warnings {
        output.line(format_args!("note    {warning}"))?;
    }
    let Survey { input_bytes, index_bytes, duration, .. } = survey;
    if *index_bytes > 0 {
        let (input_mb, index_mb, seconds) = (input_bytes / MEGABYTE, index_bytes / MEGABYTE, duration.as_secs());
        output.line(format_args!("about   {seconds} s for {input_mb} MB, and {index_mb} MB of index"))?;
    }
    output.finish()?;
    if survey.is_good() { Ok(()) } else { Err(Failure::Message("the index cannot be built like this".to_owned())) }
}

/// Returns the plan of a run over portal rows.
fn portal_plan(arguments: &IndexArguments) -> PortalPlan {
    PortalPlan {
        generations: protein_generations(&arguments.data).root().to_owned(),
        portal: arguments.rows.portal.clone(),
        biomes: arguments.biomes.clone(),
        pfam: arguments.pfam.clone(),
        superseded: arguments.superseded.clone(),
        memory_bytes: arguments.memory.0,
        num_threads: num_threads(arguments),
        max_rejects: arguments.max_rejects,
        acceptance: arguments.acceptance.to_plan(),
    }
}

/// Returns the plan of a run over a release.
fn release_plan(arguments: &IndexArguments, release: PathBuf) -> ReleasePlan {
    ReleasePlan {
        generations: protein_generations(&arguments.data).root().to_owned(),
        release,
        biomes: arguments.biomes.clone(),
        pfam: arguments.pfam.clone(),
        superseded: arguments.superseded.clone(),
        previous: arguments.previous.clone(),
        all_proteins: arguments.all_proteins,
        memory_bytes: arguments.memory.0,
        num_threads: num_threads(arguments),
        max_rejects: arguments.max_rejects,
        fresh: arguments.fresh,
        acceptance: arguments.acceptance.to_plan(),
    }
}

/// Returns how many threads a run may use.
fn num_threads(arguments: &IndexArguments) -> usize {
    arguments.threads.map_or_else(num_cores, usize::from)
}

/// Returns the number of cores that this process may use.
pub(crate) fn num_cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Logs what a run has done.
pub(crate) fn summarise(Published { generation, report }: &Published) {
    for file in report.files.iter().filter(|file| report.release.is_none() || file.num_read > 0) {
        tell_file(file);
    }
    let notes = &report.notes;
    let unknown_family_hits: u64 = notes.unknown_family_hits.values().sum();
    let unknown_lineage_proteins: u64 = notes.unknown_lineage_proteins.values().sum();
    for (number, noun, what) in [
        (notes.pfam_hits_without_hmm_positions, "Pfam hit", "without HMM positions, which are 0"),
        (notes.pfam_hits_without_scores, "Pfam hit", "with neither e-value nor score, which are 0"),
        (unknown_lineage_proteins, "protein", "in lineages that the biome table lacks, which have no biome id"),
        (notes.mgnifam_hits_left_out, "MGnifam hit", "not served"),
        (notes.unknown_metadata_keys, "unknown metadata key", "left out"),
        (unknown_family_hits, "Pfam hit", "of families that the clans table lacks"),
    ] {
        if number > 0 {
            tracing::info!("{} {what}", counted(number, noun));
        }
    }
    if let Some(release) = &report.release {
        summarise_release(release);
    }
    if let Some(ReplacedReport { to_missing, of_indexed, .. }) = &report.replaced {
        tell_replacements(to_missing, "leading to no protein of the index");
        tell_replacements(of_indexed, "without effect, as what is replaced is in the index");
    }
    for warning in &report.warnings {
        tracing::warn!("{warning}");
    }
    tracing::info!("published proteins/{generation}");
}

/// Logs that there are replacements that do not do what a table of them is for.
fn tell_replacements(Replacements { num, examples }: &Replacements, what: &str) {
    if *num > 0 {
        let examples: Vec<String> = examples.iter().map(|[old, new]| format!("{old} by {new}")).collect();
        tracing::warn!("{} {what}, such as {}", counted(*num, "replacement"), examples.join(", "));
    }
}

/// Logs what became of the rows of an input. What is left out is worth a line even for whoever wants few.
pub(crate) fn tell_file(file: &FileReport) {
    if file.num_rejected() == 0 { tracing::info!("{file}") } else { tracing::warn!("{file}") }
}

/// Logs what there is to say of a release.
fn summarise_release(release: &ReleaseReport) {
    if let Some(counts) = &release.lineage_counts {
        let (num_compared, num_differing) = (counts.num_compared, counts.differing.len());
        tracing::info!("numbers of proteins by lineage: {num_compared} compared, {num_differing} differ");
    }
    tracing::info!(
        "{} in {}, {:.1} bytes a record, {} MB in all, peak memory {} MB",
        counted(release.num_proteins, "protein"),
        counted(release.num_segments, "segment"),
        release.bytes_per_record,
        release.index_bytes / 1_000_000,
        release.peak_memory_bytes.unwrap_or_default() / 1_000_000
    );
}
