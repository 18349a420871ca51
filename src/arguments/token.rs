//! `mgdex token`.

use std::path::PathBuf;

use clap::{Args, value_parser};
use store::UserReference;

/// What a token says.
#[derive(Debug, Args)]
pub(crate) struct TokenArguments {
    /// The private RSA key that signs, in PEM
    #[arg(long, env = "MGDEX_KEY", value_name = "PEM")]
    pub(crate) key: PathBuf,
    /// The user that the token stands for: `usr-<uuid>`
    #[arg(long, env = "MGDEX_SUB", value_name = "USER")]
    pub(crate) sub: UserReference,
    /// The full name of the user
    #[arg(long, env = "MGDEX_NAME")]
    pub(crate) name: Option<String>,
    /// The address of the user
    #[arg(long, env = "MGDEX_EMAIL")]
    pub(crate) email: Option<String>,
    /// The names of the groups that the user belongs to
    #[arg(long, env = "MGDEX_DOMAINS", value_name = "GROUPS", value_delimiter = ',')]
    pub(crate) domains: Vec<String>,
    /// Who issues the token, for servers with --jwt-issuer
    #[arg(long, env = "MGDEX_ISSUER", value_name = "ISS")]
    pub(crate) issuer: Option<String>,
    /// How long the token is good for
    #[arg(long, env = "MGDEX_TTL", value_name = "SECONDS", default_value_t = 3600, value_parser = value_parser!(u64).range(1..))]
    pub(crate) ttl: u64,
}
