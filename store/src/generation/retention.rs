//! Which generations stay.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use uuid::Uuid;

use super::{GenerationName, Generations};
use crate::{Error, Result};

/// What the folder name of an unpublished generation starts with. Whatever has such a name is rubbish once nobody holds the lock.
pub(super) const DRAFT_PREFIX: &str = "building-";

/// What the folder name of a draft starts with that a later run may continue. It is no rubbish.
const UNFINISHED_PREFIX: &str = "unfinished-";

/// What the folder name starts with in which such a run keeps what it does not publish. Without the draft it is rubbish.
const WORK_PREFIX: &str = "work-";

/// Returns the name of the folder in which a run keeps what it does not publish.
pub(super) fn work_name(run: Uuid) -> String {
    format!("{WORK_PREFIX}{run}")
}

/// Returns the folder name of the draft of a run that a later one may continue.
pub(super) fn unfinished_name(run: Uuid) -> String {
    format!("{UNFINISHED_PREFIX}{run}")
}

/// Returns the runs whose drafts can be continued, the youngest last.
pub(super) fn unfinished(generations: &Generations) -> Result<Vec<Uuid>> {
    let entries = generations.entries()?;
    let mut runs: Vec<Uuid> =
        entries.iter().filter_map(|entry| entry.strip_prefix(UNFINISHED_PREFIX)?.parse().ok()).collect();
    runs.sort_by_cached_key(|&run| (changed(&generations.root().join(unfinished_name(run))), run));
    Ok(runs)
}

/// Removes what earlier builds left behind: drafts that nobody can continue, and generations beyond the current one and the one
/// before, first of all one that was left by going back. Only whoever holds the lock may call this.
pub(super) fn clean(generations: &Generations) -> Result<()> {
    let unfinished = unfinished(generations)?;
    let is_rubbish = |entry: &str| match entry.strip_prefix(WORK_PREFIX) {
        Some(run) => run.parse().is_ok_and(|run| !unfinished.contains(&run)),
        None => entry.starts_with(DRAFT_PREFIX),
    };
    for entry in generations.entries()?.iter().filter(|entry| is_rubbish(entry)) {
        let path = generations.root().join(entry);
        fs::remove_dir_all(&path).map_err(Error::io("cannot remove", &path))?;
    }
    // A build that was killed between its last two renames leaves a generation that never became current. Where `CURRENT` is
    // damaged, nothing is removed: somebody has to look.
    if let Ok(Some(current)) = generations.current() {
        let previous = previous(generations, Some(current))?;
        keep_only(generations, |name| name == current || Some(name) == previous)?;
    }
    Ok(())
}

/// Returns the youngest generation beside the current one that was not left by going back.
pub(super) fn previous(generations: &Generations, current: Option<GenerationName>) -> Result<Option<GenerationName>> {
    let retired = generations.retired()?;
    let others = generations.names()?.into_iter().filter(|&name| Some(name) != current && Some(name) != retired);
    Ok(others.max_by_key(|&name| changed(&generations.path(name))))
}

/// Removes all other generations. They lose their names first, so that nobody ever sees half of one.
pub(super) fn keep_only(generations: &Generations, keep: impl Fn(GenerationName) -> bool) -> Result<()> {
    for old in generations.names()?.into_iter().filter(|&name| !keep(name)) {
        remove(generations, &generations.path(old))?;
    }
    Ok(())
}

/// Removes a folder. It becomes rubbish first, which the next build removes if this one is killed meanwhile.
pub(super) fn remove(generations: &Generations, path: &Path) -> Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let retired = generations.root().join(format!("{DRAFT_PREFIX}{name}"));
    fs::rename(path, &retired).map_err(Error::io("cannot rename", path))?;
    fs::remove_dir_all(&retired).map_err(Error::io("cannot remove", &retired))
}

/// Returns when something was last added to a folder or removed from it, as far as the file system knows.
fn changed(folder: &Path) -> Option<SystemTime> {
    fs::metadata(folder).and_then(|metadata| metadata.modified()).ok()
}
