//! Which generations stay.

use std::fs;
use std::time::SystemTime;

use super::{GenerationName, Generations};
use crate::{Error, Result};

/// What the folder name of an unpublished generation starts with. Whatever has such a name is rubbish once nobody holds the lock.
pub(super) const DRAFT_PREFIX: &str = "building-";

/// Removes what earlier builds left behind: drafts, and generations beyond the current one and the youngest other one. Only
/// whoever holds the lock may call this.
pub(super) fn clean(generations: &Generations) -> Result<()> {
    for entry in generations.entries()?.iter().filter(|entry| entry.starts_with(DRAFT_PREFIX)) {
        let path = generations.root().join(entry);
        fs::remove_dir_all(&path).map_err(Error::io("cannot remove", &path))?;
    }
    // A build that was killed between its last two renames leaves a generation that never became current. Where `CURRENT` is
    // damaged, nothing is removed: somebody has to look.
    if let Ok(Some(current)) = generations.current() {
        let others = generations.names()?.into_iter().filter(|&name| name != current);
        let youngest = others.max_by_key(|&name| changed(generations, name));
        keep_only(generations, |name| name == current || Some(name) == youngest)?;
    }
    Ok(())
}

/// Removes all other generations. They lose their names first, so that nobody ever sees half of one.
pub(super) fn keep_only(generations: &Generations, keep: impl Fn(GenerationName) -> bool) -> Result<()> {
    for old in generations.names()?.into_iter().filter(|&name| !keep(name)) {
        let path = generations.path(old);
        let retired = generations.root().join(format!("{DRAFT_PREFIX}{old}"));
        fs::rename(&path, &retired).map_err(Error::io("cannot rename", &path))?;
        fs::remove_dir_all(&retired).map_err(Error::io("cannot remove", &retired))?;
    }
    Ok(())
}

/// Returns when a generation was published, as far as the file system knows.
fn changed(generations: &Generations, name: GenerationName) -> Option<SystemTime> {
    fs::metadata(generations.path(name)).and_then(|metadata| metadata.modified()).ok()
}
