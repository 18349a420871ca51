//! Opening what profiles are served from, and reloading it at SIGHUP.

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

/// Inside the data folder.
const AUDIT_LOG: &str = "profiles-audit.jsonl";

pub(super) struct OpenedProfiles {
    pub(super) services: ProfileServices,
    /// Follows new generations of the directory.
    pub(super) directory: Arc<LocalDirectory>,
}

/// Opens everything that profiles are served from, or returns `None` if there is no key to check tokens with.
pub(super) fn open(arguments: &ServeArguments) -> Result<Option<OpenedProfiles>, Failure> {
    let ServeArguments { data, profiles: settings, .. } = arguments;
    if settings.jwt_key.is_empty() {
        let problem = "every request for profiles is answered 401, because no --jwt-key was given";
        // Other settings show that profiles are meant to be served.
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
    // By now, the store has made the data folder if it was missing.
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

/// Opens the store. If that fails, the other services are still served, unless another server has the store open.
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
    AuditLog::to_file(path.clone(), limits)
        .map_err(|error| Failure::Message(format!("cannot write the audit log {}: {error}", path.display())))
}

/// Rereads keys and reopens the audit log at each SIGHUP.
pub(super) async fn reload_on(mut hangups: Signal, services: Option<ProfileServices>) {
    while hangups.recv().await.is_some() {
        if let Some(services) = &services {
            // Reading the keys blocks, and their disk may be slow.
            tokio::task::block_in_place(|| reload(services));
        } else {
            tracing::info!("SIGHUP: there are no keys and no audit log to open again");
        }
    }
}

/// Rereads keys and reopens the audit log. If one fails, it stays as it was.
fn reload(ProfileServices { tokens, audit, .. }: &ProfileServices) {
    match tokens.reload() {
        Ok(num_keys) => tracing::info!("SIGHUP: tokens are now checked with {}", counted(num_keys as u64, "key")),
        Err(error) => tracing::error!("SIGHUP: the previous keys stay in use: {error}"),
    }
    match audit.reopen() {
        Ok(()) => tracing::info!("SIGHUP: the audit log was opened again"),
        Err(error) => tracing::error!("SIGHUP: the audit log stays in the previous file: {error}"),
    }
}
