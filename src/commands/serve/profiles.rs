//! Serving profiles: all that is opened for them, and what SIGHUP does.

use std::path::PathBuf;
use std::sync::Arc;

use api::profiles::{
    AuditLimits, AuditLog, LocalDirectory, LocalProfiles, ProfileConfig, ProfileServices, SchemaSource,
};
use api::tokens::TokenVerifier;
use indexer::counted;
use store::{Profiles, ProfilesConfig, SchemaLimits};
use tokio::signal::unix::Signal;

use crate::arguments::{DataFolder, ProfileServiceArguments, ServeArguments};
use crate::commands::{directory_generations, profiles_folder};
use crate::failure::Failure;

/// The audit log inside the data folder.
const AUDIT_LOG: &str = "profiles-audit.jsonl";

/// What profiles are served from.
pub(super) struct OpenedProfiles {
    /// What the router needs.
    pub(super) services: ProfileServices,
    /// The directory, which follows its folder.
    pub(super) directory: Arc<LocalDirectory>,
}

/// Opens what profiles are served from: nothing at all without a key to check tokens with.
pub(super) fn open(arguments: &ServeArguments) -> Result<Option<OpenedProfiles>, Failure> {
    let ServeArguments { data, profiles: settings, .. } = arguments;
    if settings.jwt_key.is_empty() {
        let problem = "every request to the profiles is answered 401, because no --jwt-key was given";
        // Whoever sets up profiles in another way wants them.
        let are_wanted =
            settings.jwt_issuer.is_some() || settings.audit_log.is_some() || !settings.schema_hosts.is_empty();
        if are_wanted {
            tracing::warn!("{problem}");
        } else {
            tracing::info!("{problem}");
        }
        return Ok(None);
    }
    let tokens = TokenVerifier::load(settings.jwt_key.clone(), settings.jwt_issuer.clone())?;
    let schemas = SchemaSource::new(settings.schema_hosts.clone()).map_err(Failure::Message)?;
    let config = config(settings);
    let directory = Arc::new(LocalDirectory::open(directory_generations(data))?);
    let profiles = open_store(data, &config)?;
    // The store has made the data folder, if it was missing.
    let audit = open_audit_log(data, settings)?;
    tracing::info!("tokens are checked with {}", counted(tokens.num_keys() as u64, "key"));
    let services = ProfileServices {
        profiles: Arc::new(profiles),
        directory: Arc::clone(&directory) as _,
        tokens: Arc::new(tokens),
        schemas: Arc::new(schemas),
        audit: Arc::new(audit),
        config,
    };
    Ok(Some(OpenedProfiles { services, directory }))
}

/// Opens the store. Where that fails the other services are served all the same; but of two servers on one store, the second one ends.
fn open_store(data: &DataFolder, config: &ProfileConfig) -> Result<LocalProfiles, Failure> {
    let config = ProfilesConfig { attributes_max: config.attributes_max };
    match Profiles::open(&profiles_folder(data), config) {
        Ok(profiles) => {
            tracing::info!("{}", counted(profiles.state().num_profiles, "profile"));
            Ok(LocalProfiles::new(Arc::new(profiles)))
        }
        Err(error @ store::Error::ProfilesLocked { .. }) => Err(error.into()),
        Err(error) => {
            tracing::error!("profiles are not served: {error}");
            Ok(LocalProfiles::unopened(error.to_string()))
        }
    }
}

/// Returns the settings of the service.
fn config(settings: &ProfileServiceArguments) -> ProfileConfig {
    let defaults = ProfileConfig::default();
    ProfileConfig {
        admin_group: settings.admin_group.clone(),
        search_group: settings.search_group.clone(),
        body_bytes_max: settings.max_body.0,
        attributes_max: settings.max_attributes as usize,
        value_chars_max: settings.max_value as usize,
        schema: SchemaLimits { bytes_max: settings.max_schema.0, ..defaults.schema },
        ..defaults
    }
}

/// Opens the audit log.
fn open_audit_log(data: &DataFolder, settings: &ProfileServiceArguments) -> Result<AuditLog, Failure> {
    let limits = AuditLimits {
        file_bytes_max: settings.audit_size.0 as u64,
        files_kept: settings.audit_files as usize,
        ..AuditLimits::default()
    };
    let path = match settings.audit_log.as_deref() {
        Some(file) if file.as_os_str() == "-" => return Ok(AuditLog::to_stdout()?),
        Some(file) => file.to_owned(),
        None => data.path.join(AUDIT_LOG),
    };
    let failure =
        |error, path: PathBuf| Failure::Message(format!("cannot write the audit log {}: {error}", path.display()));
    AuditLog::to_file(path.clone(), limits).map_err(|error| failure(error, path))
}

/// Rereads keys and reopens the audit log at each SIGHUP.
pub(super) async fn reload_on(mut hangups: Signal, services: Option<ProfileServices>) {
    while hangups.recv().await.is_some() {
        if let Some(services) = &services {
            // Keys are small files, but they may lie on a disk that takes its time.
            tokio::task::block_in_place(|| reload(services));
        } else {
            tracing::info!("SIGHUP: there are neither keys nor an audit log to open again");
        }
    }
}

/// Rereads keys and reopens the audit log. What fails stays as it was.
fn reload(ProfileServices { tokens, audit, .. }: &ProfileServices) {
    match tokens.reload() {
        Ok(num_keys) => tracing::info!("SIGHUP: tokens are checked with {} now", counted(num_keys as u64, "key")),
        Err(error) => tracing::error!("SIGHUP: the keys of before stay: {error}"),
    }
    match audit.reopen() {
        Ok(()) => tracing::info!("SIGHUP: the audit log was opened again"),
        Err(error) => tracing::error!("SIGHUP: the audit log goes on where it was: {error}"),
    }
}
