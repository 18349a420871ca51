//! Beginning a run, or continuing one that was killed.

use std::fs;
use std::path::Path;

use indexer::{Error, Result};
use store::{Draft, FileEntry, Generations, durable};

use crate::join::rejects::{keep_lists, range_part};

use super::fingerprint::Fingerprint;
use super::journal::{Done, Event, Journal, VERSION};

pub(crate) struct StartedRun {
    pub(crate) draft: Draft,
    pub(crate) journal: Journal,
    pub(crate) done: Done,
}

/// Begins a run over some inputs, or continues the unfinished one. With `fresh`, the work of the
/// unfinished run is discarded.
pub(crate) fn begin(
    generations: &Generations,
    inputs: &Fingerprint,
    range_proteins: usize,
    fresh: bool,
) -> Result<StartedRun> {
    let mut draft = generations.resume_or_begin()?;
    if draft.is_resumed() {
        let (journal, mut done) = Journal::open(draft.work_path())?;
        let difference = done.started.as_ref().map(|(known, _)| known.difference(inputs));
        match difference {
            // A run without any work, or one that was refused, is removed without asking.
            Some(Some(difference)) if !fresh && (done.num_ranges() > 0 || !done.sorted.is_empty()) => {
                let release = done.started.as_ref().map(|(known, _)| known.folder.display().to_string());
                let (draft, release) = (draft.path().display(), release.unwrap_or_default());
                if !done.is_refused {
                    let problem = format!(
                        "{draft} has an unfinished run over other inputs, those of {release} ({difference}): start that run again to \
                         finish it, or add --fresh to discard it"
                    );
                    return Err(Error::Refused { problem });
                }
                tracing::warn!("removing {draft}: a run over {release} refused to publish it");
            }
            Some(None) if !fresh && keeps_its_segments(draft.path(), &mut done) => {
                done.sorted.retain(|_, sorted| sorted.runs.iter().all(|run| draft.work_path().join(run).is_file()));
                return Ok(StartedRun { draft, journal, done });
            }
            // Killed before it had begun, damaged, or no longer wanted.
            _ => {}
        }
        if fresh || done.started.is_some() {
            tracing::info!("an unfinished run is not continued: starting from the beginning");
        }
        draft.discard()?;
        draft = generations.resume_or_begin()?;
    }
    let (journal, _) = Journal::open(draft.work_path())?;
    journal.write(&Event::Started { version: VERSION, inputs: inputs.clone(), range_proteins })?;
    let done = Done { started: Some((inputs.clone(), range_proteins)), ..Done::default() };
    Ok(StartedRun { draft, journal, done })
}

/// Removes segments and lists of bad rows that do not belong to finished work. When that work is
/// repeated, its bad rows may not be found again: if its table was sorted meanwhile, they were
/// listed then.
pub(crate) fn clean(draft: &Draft, done: &Done) -> Result<()> {
    let ranges = (0..done.first_unmerged()).chain(done.ranges.keys().copied()).map(range_part);
    keep_lists(draft.work_path(), &ranges.chain(done.sorted.keys().cloned()).collect::<Vec<_>>())?;
    let draft = draft.path();
    let unmerged = done.ranges.values().filter_map(|range| range.segment.as_ref());
    let merged = done.merged.iter().map(|merged| &merged.segment);
    let known: Vec<&str> = unmerged.chain(merged).map(|segment| &*segment.folder).collect();
    for entry in durable::entries(draft)? {
        let path = entry.path();
        if path.is_dir() && !known.contains(&&*entry.file_name().to_string_lossy()) {
            durable::remove_folder(&path)?;
        }
    }
    Ok(())
}

/// Drops ranges whose segments are incomplete, as after a power cut. Returns false if a merged
/// segment is missing, since its ranges cannot be indexed again separately.
fn keeps_its_segments(draft: &Path, done: &mut Done) -> bool {
    let has_length =
        |file: &FileEntry| fs::metadata(draft.join(&file.path)).is_ok_and(|metadata| metadata.len() == file.size_bytes);
    if !done.merged.iter().flat_map(|merged| &merged.files).all(has_length) {
        return false;
    }
    done.ranges.retain(|_, range| range.files.iter().all(|file| store::verify_file(draft, file).is_ok()));
    true
}
