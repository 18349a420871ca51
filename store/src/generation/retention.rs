//! The generations and drafts to keep.

use std::cmp::Reverse;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use uuid::Uuid;

use super::{GenerationName, Generations};
use crate::{Error, Result, durable};

/// The prefix of folders that are leftovers once nobody holds the lock.
pub(super) const DRAFT_PREFIX: &str = "building-";

/// The prefix of drafts that can be resumed. They are never removed as leftovers.
const UNFINISHED_PREFIX: &str = "unfinished-";

/// The prefix of a generation that is being received. Those of other generations are leftovers.
const RECEIVING_PREFIX: &str = "receiving-";

/// Unpublished files of a run with a resumable draft. Without the draft, the folder is a leftover.
const WORK_PREFIX: &str = "work-";

pub(super) fn work_name(run: Uuid) -> String {
    format!("{WORK_PREFIX}{run}")
}

pub(super) fn receiving_name(name: GenerationName) -> String {
    format!("{RECEIVING_PREFIX}{name}")
}

pub(super) fn unfinished_name(run: Uuid) -> String {
    format!("{UNFINISHED_PREFIX}{run}")
}

/// Returns the runs whose drafts can be resumed, the youngest last.
pub(super) fn unfinished(generations: &Generations) -> Result<Vec<Uuid>> {
    let entries = generations.entries()?;
    let mut runs: Vec<Uuid> =
        entries.iter().filter_map(|entry| entry.strip_prefix(UNFINISHED_PREFIX)?.parse().ok()).collect();
    runs.sort_by_cached_key(|&run| (changed(&generations.root.join(unfinished_name(run))), run));
    Ok(runs)
}

/// Removes the leftovers of earlier builds: drafts that cannot be resumed, received parts of
/// generations except one, and all generations except the current and the previous one. A retired
/// generation is never the previous one. The caller holds the lock.
pub(super) fn remove_leftovers(generations: &Generations, received: Option<GenerationName>) -> Result<()> {
    let received = received.map(receiving_name);
    let unfinished = unfinished(generations)?;
    let is_leftover = |entry: &str| match entry.strip_prefix(WORK_PREFIX) {
        Some(run) => run.parse().is_ok_and(|run| !unfinished.contains(&run)),
        None => {
            entry.starts_with(DRAFT_PREFIX) || entry.starts_with(RECEIVING_PREFIX) && received.as_deref() != Some(entry)
        }
    };
    for entry in generations.entries()?.iter().filter(|entry| is_leftover(entry)) {
        durable::remove_folder(&generations.root.join(entry))?;
    }
    // A build that was killed between its last two renames leaves a generation that never became
    // current. If `CURRENT` is damaged, nothing is removed before an inspection.
    if let Ok(Some(current)) = generations.current() {
        let previous = previous(generations, Some(current))?;
        keep_only(generations, |name| name == current || Some(name) == previous)?;
    }
    Ok(())
}

/// Returns the youngest generation that is neither current nor retired.
pub(super) fn previous(generations: &Generations, current: Option<GenerationName>) -> Result<Option<GenerationName>> {
    Ok(others(generations, current)?.first().copied())
}

/// Returns the generations that are neither current nor retired, the youngest first.
pub(super) fn others(generations: &Generations, current: Option<GenerationName>) -> Result<Vec<GenerationName>> {
    let retired = generations.retired()?;
    let mut others = generations.names()?;
    others.retain(|&name| Some(name) != current && Some(name) != retired);
    others.sort_by_cached_key(|&name| Reverse(changed(&generations.path(name))));
    Ok(others)
}

pub(super) fn keep_only(generations: &Generations, keep: impl Fn(GenerationName) -> bool) -> Result<()> {
    for old in generations.names()?.into_iter().filter(|&name| !keep(name)) {
        remove(generations, &generations.path(old))?;
    }
    Ok(())
}

/// Removes a folder. It is renamed first, so that nobody sees a part of it. If this process is
/// killed, the next build removes the rest.
pub(super) fn remove(generations: &Generations, path: &Path) -> Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let leftover = generations.root.join(format!("{DRAFT_PREFIX}{name}"));
    fs::rename(path, &leftover).map_err(Error::io("cannot rename", path))?;
    durable::remove_folder(&leftover)
}

/// Returns the time at which an entry was last added to a folder or removed from it, if the file
/// system knows it.
fn changed(folder: &Path) -> Option<SystemTime> {
    fs::metadata(folder).and_then(|metadata| metadata.modified()).ok()
}
