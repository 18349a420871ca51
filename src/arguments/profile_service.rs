//! The settings of the service of profiles.

use std::path::PathBuf;

use api::profiles::SchemaHost;
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, value_parser};

use crate::size::Size;

/// How profiles are served.
#[derive(Clone, Debug, Args)]
pub(crate) struct ProfileServiceArguments {
    /// Public RSA keys or X.509 certificates in PEM or DER, or JWK sets, that tokens for the profiles are checked with; without any, every request
    /// to them is 401. SIGHUP rereads them
    #[arg(long, env = "MGDEX_JWT_KEY", value_name = "FILE", num_args = 1.., value_delimiter = ',')]
    pub(crate) jwt_key: Vec<PathBuf>,
    /// The issuer that tokens must name [default: any or none]
    #[arg(long, env = "MGDEX_JWT_ISSUER", value_name = "ISS", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) jwt_issuer: Option<String>,
    /// Tokens with this group may read, change and export every profile
    #[arg(long, env = "MGDEX_ADMIN_GROUP", value_name = "GROUP", default_value = "svc.admin", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) admin_group: String,
    /// Tokens with this group may search users by their attributes
    #[arg(long, env = "MGDEX_SEARCH_GROUP", value_name = "GROUP", default_value = "svc.profile.search", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) search_group: String,
    /// Hosts that schemas may be fetched from, `[https://|http://]host[:port]`; those given by name must have public addresses, those given by address
    /// are used as they are [default: none]
    #[arg(long, env = "MGDEX_SCHEMA_HOSTS", value_name = "HOST", num_args = 1.., value_delimiter = ',')]
    pub(crate) schema_hosts: Vec<SchemaHost>,
    /// Where a line goes for each write, search and export of profiles; `-` is standard output. SIGHUP reopens it [default: DIR/profiles-audit.jsonl]
    #[arg(long, env = "MGDEX_AUDIT_LOG", value_name = "FILE")]
    pub(crate) audit_log: Option<PathBuf>,
    /// The size at which the audit log is rotated: it is renamed to end in .1, the file before it in .2, and so on
    #[arg(long, env = "MGDEX_AUDIT_SIZE", value_name = "SIZE", default_value = "64M")]
    pub(crate) audit_size: Size,
    /// How many rotated audit logs are kept
    #[arg(long, env = "MGDEX_AUDIT_FILES", value_name = "N", default_value_t = 10)]
    pub(crate) audit_files: u32,
    /// The longest body of a request to the profiles
    #[arg(long, env = "MGDEX_MAX_BODY", value_name = "SIZE", default_value = "256K")]
    pub(crate) max_body: Size,
    /// The most attributes of a profile
    #[arg(long, env = "MGDEX_MAX_ATTRIBUTES", value_name = "N", default_value_t = 200, value_parser = value_parser!(u32).range(1..))]
    pub(crate) max_attributes: u32,
    /// The most characters of an attribute's value
    #[arg(long, env = "MGDEX_MAX_VALUE", value_name = "N", default_value_t = 4096, value_parser = value_parser!(u32).range(1..))]
    pub(crate) max_value: u32,
    /// The longest schema of a profile
    #[arg(long, env = "MGDEX_MAX_SCHEMA", value_name = "SIZE", default_value = "32K")]
    pub(crate) max_schema: Size,
}
