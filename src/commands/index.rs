//! Building an index.

use std::num::NonZero;
use std::path::PathBuf;
use std::thread;

use indexer::{Check, PortalPlan, ReleasePlan, Survey};

use crate::arguments::IndexArguments;
use crate::commands::{protein_generations, summary};
use crate::failure::Failure;
use crate::interruption;
use crate::output::Output;

/// Bytes of a megabyte.
const MEGABYTE: u64 = 1_000_000;

/// Builds the index and prints the folder of its generation.
pub(crate) fn run(arguments: &IndexArguments) -> Result<(), Failure> {
    if arguments.dry_run {
        let release = arguments.rows.release.clone();
        return print_survey(&match release {
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
    summary::log_proteins(&published);
    summary::print_folder(&published, &generations)
}

/// Prints what a run would do, and fails if it cannot succeed.
fn print_survey(survey: &Survey) -> Result<(), Failure> {
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
