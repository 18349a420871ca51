//! The embedded store of profiles.

use std::path::Path;
use std::sync::Arc;

use api::profiles::LocalProfiles;
use store::{ProfileSource, Profiles, ProfilesConfig, ProfilesImport};

use crate::machine::wait_for;

/// Opens the store of a folder, which is made if it is missing.
pub fn open(folder: &Path, config: ProfilesConfig) -> Arc<dyn ProfileSource> {
    // A process that another test starts has the lock, too, until it becomes another program.
    let profiles = wait_for("the store to be free", || match Profiles::open(folder, config) {
        Err(store::Error::ProfilesLocked { .. }) => None,
        opened => Some(opened.expect("a sound store")),
    });
    Arc::new(LocalProfiles::new(Arc::new(profiles)))
}

/// Makes a store of the lines of an export, and returns how many profiles it has.
pub fn import(folder: &Path, export: &str) -> u64 {
    let mut import = ProfilesImport::begin(folder).expect("an empty folder");
    let refuse = |line, problem: &str| panic!("{line}: {problem}");
    import.add_lines("an export", export.as_bytes(), refuse).expect("room");
    import.finish().expect("room")
}
