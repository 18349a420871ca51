//! `mgdex token`.

use std::path::PathBuf;

use clap::{Args, value_parser};
use store::UserReference;

#[derive(Debug, Args)]
pub(crate) struct TokenArguments {
    /// Private RSA key that signs the token, in PEM
    #[arg(long, env = "MGDEX_KEY", value_name = "PEM")]
    pub(crate) key: PathBuf,
    /// User that the token is for: `usr-<uuid>`
    #[arg(long, env = "MGDEX_SUB", value_name = "USER")]
    pub(crate) sub: UserReference,
    /// Full name of the user
    #[arg(long, env = "MGDEX_NAME")]
    pub(crate) name: Option<String>,
    /// Email address of the user
    #[arg(long, env = "MGDEX_EMAIL")]
    pub(crate) email: Option<String>,
    /// Names of the groups that the user belongs to
    #[arg(long, env = "MGDEX_DOMAINS", value_name = "GROUPS", value_delimiter = ',')]
    pub(crate) domains: Vec<String>,
    /// Issuer of the token, for servers with --jwt-issuer
    #[arg(long, env = "MGDEX_ISSUER", value_name = "ISS")]
    pub(crate) issuer: Option<String>,
    /// Lifetime of the token
    #[arg(long, env = "MGDEX_TTL", value_name = "SECONDS", default_value_t = 3600, value_parser = value_parser!(u64).range(1..))]
    pub(crate) ttl: u64,
}
