//! Opening the parts of the service of profiles, and reloading them at SIGHUP.

use std::path::PathBuf;
use std::sync::Arc;

use api::DataOrigin;
use api_profiles::tokens::TokenVerifier;
use api_profiles::{
    AuditLimits, LocalDirectory, LocalProfiles, ProfileConfig, ProfileServices, SchemaHost, SchemaSource,
};
use clap::builder::{FalseyValueParser, NonEmptyStringValueParser};
use clap::{Args, value_parser};
use indexer::counted;
use store_profiles::{PROFILES_FREE_BYTES_MIN, ProfileSource, ProfilesConfig, SchemaLimits};
use tokio::runtime::Runtime;
use tokio::signal::unix::Signal;

use super::ServeArguments;
use super::replica::Service;
use crate::audit_log;
use crate::data_folder::Kind;
use crate::distributed::{DatabaseArguments, open_database};
use crate::failure::Failure;
use crate::size::Size;
use crate::token_audience::TokenAudience;

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Profiles")]
pub(crate) struct ProfileServiceArguments {
    #[command(flatten)]
    database: DatabaseArguments,
    /// Maximum number of connections to the database, in addition to one for its health and four
    /// for exports
    #[arg(long = "profiles-connections", env = "MGDEX_PROFILES_CONNECTIONS", value_name = "N", default_value_t = 16, value_parser = value_parser!(u32).range(1..))]
    database_connections: u32,
    /// Number of days to keep lines of the audit log in the database
    #[arg(long = "profiles-audit-days", env = "MGDEX_PROFILES_AUDIT_DAYS", value_name = "DAYS", default_value_t = 365, value_parser = value_parser!(u16).range(1..))]
    audit_days: u16,
    /// Refuse writes of profiles with 503, while they are moved to another store
    #[arg(long = "profiles-read-only", env = "MGDEX_PROFILES_READ_ONLY", value_parser = FalseyValueParser::new())]
    are_read_only: bool,
    /// Public RSA keys or X.509 certificates in PEM, or JWK sets, that verify the tokens for
    /// profiles; without any, every request to them is 401. SIGHUP rereads them
    #[arg(long, env = "MGDEX_JWT_KEY", value_name = "FILE", num_args = 1.., value_delimiter = ',')]
    pub(crate) jwt_key: Vec<PathBuf>,
    /// The issuer that tokens must name [default: any or none]
    #[arg(long, env = "MGDEX_JWT_ISSUER", value_name = "ISS", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) jwt_issuer: Option<String>,
    #[command(flatten)]
    pub(crate) audience: TokenAudience,
    /// Tokens with this group may read, change and export every profile
    #[arg(long, env = "MGDEX_ADMIN_GROUP", value_name = "GROUP", default_value = "svc.admin", value_parser = NonEmptyStringValueParser::new())]
    admin_group: String,
    /// Tokens with this group may search users by their attributes
    #[arg(long, env = "MGDEX_SEARCH_GROUP", value_name = "GROUP", default_value = "svc.profile.search", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) search_group: String,
    /// Hosts that schemas may be fetched from, `[https://|http://]host[:port]`; those given by name
    /// must have public addresses, those given by address are used as they are [default: none]
    #[arg(long, env = "MGDEX_SCHEMA_HOSTS", value_name = "HOST", num_args = 1.., value_delimiter = ',')]
    schema_hosts: Vec<SchemaHost>,
    /// File that records each write, search and export of profiles; `-` is standard output.
    /// SIGHUP reopens it [default: DIR/profiles-audit.jsonl]
    #[arg(long, env = "MGDEX_AUDIT_LOG", value_name = "FILE")]
    audit_log: Option<PathBuf>,
    /// The size at which the audit log is rotated: it is renamed to end in .1, the file before it
    /// in .2, and so on
    #[arg(long, env = "MGDEX_AUDIT_SIZE", value_name = "SIZE", default_value = "64M")]
    audit_size: Size,
    /// Number of rotated audit logs to keep
    #[arg(long, env = "MGDEX_AUDIT_FILES", value_name = "N", default_value_t = 10)]
    audit_files: u32,
    /// Maximum size of the body of a request to the profiles
    #[arg(long, env = "MGDEX_MAX_BODY", value_name = "SIZE", default_value = "256K")]
    max_body: Size,
    /// Maximum number of attributes of a profile
    #[arg(long, env = "MGDEX_MAX_ATTRIBUTES", value_name = "N", default_value_t = 200, value_parser = value_parser!(u32).range(1..))]
    max_attributes: u32,
    /// Maximum number of characters of an attribute's value
    #[arg(long, env = "MGDEX_MAX_VALUE", value_name = "N", default_value_t = 4096, value_parser = value_parser!(u32).range(1..))]
    max_value: u32,
    /// Maximum size of the schema of a profile
    #[arg(long, env = "MGDEX_MAX_SCHEMA", value_name = "SIZE", default_value = "32K")]
    max_schema: Size,
}

/// Returns the files and folders that are written while profiles are served, and the free space
/// that each needs on its disk.
pub(super) fn needed_room(arguments: &ServeArguments) -> Vec<(PathBuf, u64)> {
    let ServeArguments { data, profiles: settings, replica, .. } = arguments;
    if !replica.serves(Service::Profiles) || settings.jwt_key.is_empty() {
        return Vec::new();
    }
    let is_embedded = settings.database.address.is_none();
    let profiles = is_embedded.then(|| (data.profiles(), PROFILES_FREE_BYTES_MIN));
    let audit = audit_log::path(data, settings.audit_log.as_deref());
    profiles.into_iter().chain(audit.map(|path| (path, AuditLimits::default().free_bytes_min))).collect()
}

/// Opens all parts of the service of profiles. Returns `None` if no key to check tokens with
/// was given, or if profiles are not served here.
pub(super) fn open(
    runtime: &Runtime,
    arguments: &ServeArguments,
    directory: DataOrigin,
) -> Result<Option<ProfileServices>, Failure> {
    let ServeArguments { data, profiles: settings, replica, .. } = arguments;
    if !replica.serves(Service::Profiles) {
        return Ok(None);
    }
    if settings.jwt_key.is_empty() {
        let problem = "every request for profiles is answered 401, because no --jwt-key was given";
        // Other settings show that profiles should be served.
        let ProfileServiceArguments { jwt_issuer, audience, audit_log, schema_hosts, .. } = settings;
        let has_lists = !audience.names.is_empty() || !schema_hosts.is_empty();
        let are_wanted = has_lists || jwt_issuer.is_some() || audit_log.is_some();
        if are_wanted {
            tracing::warn!("{problem}");
        } else {
            tracing::info!("{problem}");
        }
        return Ok(None);
    }
    let tokens = TokenVerifier::load(settings.jwt_key.clone(), settings.jwt_issuer.clone())?
        .with_audience(settings.audience.names.clone());
    let schemas = SchemaSource::new(settings.schema_hosts.clone()).map_err(Failure::Message)?;
    let config = config(settings);
    let directory = Arc::new(LocalDirectory::open_from(data.generations(Kind::Directory), directory)?);
    let limits = ProfilesConfig { attributes_max: config.attributes_max };
    let (connections, audit_days) = (settings.database_connections as usize, settings.audit_days);
    let opened = open_database(&settings.database, runtime, connections, audit_days, limits)?;
    let profiles: Arc<dyn ProfileSource> = match opened {
        Some(profiles) => profiles,
        // If this fails, the other services are still served, unless another server has the store
        // open.
        None => Arc::new(LocalProfiles::open(&data.profiles(), limits)?),
    };
    tracing::info!("{}", counted(profiles.state().num_profiles, "profile"));
    // If the data folder was missing, the embedded store has created it by now.
    std::fs::create_dir_all(&data.path)?;
    let audit_limits = AuditLimits {
        file_bytes_max: settings.audit_size.0 as u64,
        files_kept: settings.audit_files as usize,
        ..AuditLimits::default()
    };
    let audit = audit_log::open(data, settings.audit_log.as_deref(), audit_limits)?;
    let num_keys = counted(tokens.num_keys() as u64, "key");
    tracing::info!("tokens are checked with {num_keys}: {}", settings.audience);
    Ok(Some(ProfileServices {
        profiles,
        directory,
        tokens: Arc::new(tokens),
        schemas: Arc::new(schemas),
        audit: Arc::new(audit),
        config,
    }))
}

fn config(settings: &ProfileServiceArguments) -> ProfileConfig {
    let defaults = ProfileConfig::default();
    ProfileConfig {
        admin_group: settings.admin_group.clone(),
        search_group: settings.search_group.clone(),
        is_read_only: settings.are_read_only,
        body_bytes_max: settings.max_body.0,
        attributes_max: settings.max_attributes as usize,
        value_chars_max: settings.max_value as usize,
        schema: SchemaLimits { bytes_max: settings.max_schema.0, ..defaults.schema },
        ..defaults
    }
}

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

/// Rereads keys and reopens the audit log. If one of them fails, the previous one stays.
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
