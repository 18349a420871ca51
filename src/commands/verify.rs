//! Checking all data.

use std::collections::BTreeSet;

use store::{ProteinGeneration, Verification};

use crate::arguments::DataFolder;
use crate::commands::{PROTEINS, protein_generations};
use crate::failure::Failure;
use crate::output::Output;

/// Checks every generation, prints a line for each, and fails if one is not what was published.
pub(crate) fn run(data: &DataFolder) -> Result<(), Failure> {
    let generations = protein_generations(data);
    let mut output = Output::new();
    let mut num_bad = 0;
    // Whoever has to mend a damaged `CURRENT` wants to know which generations are whole.
    let current = generations.current().or_else(|error| {
        num_bad += 1;
        output.line(format_args!("BROKEN  {error}")).map(|()| None)
    })?;
    // A current generation whose folder is gone is as broken as one can be.
    let names: BTreeSet<_> = generations.names()?.into_iter().chain(current).collect();
    for &name in &names {
        let is_current = if Some(name) == current { " (current)" } else { "" };
        match ProteinGeneration::verify_published(&generations, name) {
            Ok(Verification { num_records, num_replacements, num_terms }) => output.line(format_args!(
                "ok      {PROTEINS}/{name}{is_current}: {num_records} records, {num_terms} terms, {num_replacements} replaced"
            ))?,
            // A build that ended meanwhile may have removed the oldest one.
            Err(_) if Some(name) != current && !generations.names()?.contains(&name) => {}
            Err(error) => {
                num_bad += 1;
                output.line(format_args!("BROKEN  {PROTEINS}/{name}{is_current}: {error}"))?;
            }
        }
    }
    output.finish()?;
    match (num_bad, names.len()) {
        (0, 0) => Err(Failure::Message(format!("there is nothing to check in {}", data.path.display()))),
        (0, _) => Ok(()),
        _ => Err(Failure::Message(format!("missing or broken: {num_bad}, with {} generations looked at", names.len()))),
    }
}
