//! The embedded store of profiles, and the services over it.

use std::path::Path;
use std::sync::Arc;

use api_profiles::tokens::TokenVerifier;
use api_profiles::{
    AuditLimits, AuditLog, LocalDirectory, LocalProfiles, ProfileConfig, ProfileServices, SchemaSource,
};
use store::Generations;
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

/// Returns the services over the profiles of a data folder, for tokens that a key verifies.
pub fn services(data: &Path, public_key: &Path) -> ProfileServices {
    let config = ProfileConfig::default();
    ProfileServices {
        profiles: open(&data.join("profiles"), ProfilesConfig { attributes_max: config.attributes_max }),
        directory: Arc::new(LocalDirectory::open(Generations::new(data.join("directory"))).expect("none")),
        tokens: Arc::new(TokenVerifier::load(vec![public_key.to_owned()], None).expect("a key")),
        schemas: Arc::new(SchemaSource::new(Vec::new()).expect("roots of trust")),
        audit: Arc::new(AuditLog::to_file(data.join("audit.log"), AuditLimits::default()).expect("writable")),
        config,
    }
}
