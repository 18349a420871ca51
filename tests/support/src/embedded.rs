//! The embedded store of profiles.

use std::path::Path;
use std::sync::Arc;

use api_profiles::LocalProfiles;
use store_profiles::{ProfileSource, Profiles, ProfilesConfig, ProfilesImport};

/// Opens the store of a folder, which is made if it is missing.
pub fn open(folder: &Path, config: ProfilesConfig) -> Arc<dyn ProfileSource> {
    let profiles = Profiles::open(folder, config).expect("a sound store");
    Arc::new(LocalProfiles::new(Arc::new(profiles)))
}

/// Makes a store from the lines of an export, and returns the number of its profiles.
pub fn import(folder: &Path, export: &str) -> u64 {
    let mut import = ProfilesImport::begin(folder).expect("an empty folder");
    let refuse = |line, problem: &str| panic!("{line}: {problem}");
    import.add_lines("an export", export.as_bytes(), refuse).expect("room");
    import.finish().expect("room")
}
