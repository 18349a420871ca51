//! The parts of the service, and its settings.

use std::sync::Arc;

use store_profiles::{ProfileSource, SchemaLimits};

use super::audit::AuditLog;
use super::sources::directory::LocalDirectory;
use super::sources::schema_source::SchemaSource;
use crate::tokens::TokenVerifier;

/// The parts of the service of profiles.
#[derive(Clone)]
pub struct ProfileServices {
    /// The profiles.
    pub profiles: Arc<dyn ProfileSource>,
    /// The users, the domains and their members.
    pub directory: Arc<LocalDirectory>,
    /// Checks the tokens of requests.
    pub tokens: Arc<TokenVerifier>,
    /// Fetches schemas that are given by URL.
    pub schemas: Arc<SchemaSource>,
    /// The log of writes, searches and exports.
    pub audit: Arc<AuditLog>,
    /// The settings.
    pub config: ProfileConfig,
}

/// The settings of the service of profiles.
#[derive(Clone, Debug)]
pub struct ProfileConfig {
    /// Tokens with this group may read and change every profile.
    pub admin_group: String,
    /// Tokens with this group may search.
    pub search_group: String,
    /// Refuse all writes, while profiles are moved to another store.
    pub is_read_only: bool,
    /// The most bytes of a request's body.
    pub body_bytes_max: usize,
    /// The most attributes of a profile.
    pub attributes_max: usize,
    /// The most characters of a key.
    pub key_chars_max: usize,
    /// The most characters of a value.
    pub value_chars_max: usize,
    /// The limits of a schema.
    pub schema: SchemaLimits,
}

impl Default for ProfileConfig {
    fn default() -> Self {
        Self {
            admin_group: "svc.admin".to_owned(),
            search_group: "svc.profile.search".to_owned(),
            is_read_only: false,
            body_bytes_max: 256 << 10,
            attributes_max: 200,
            key_chars_max: 255,
            value_chars_max: 4096,
            schema: SchemaLimits { bytes_max: 32 << 10, properties_max: 200 },
        }
    }
}
