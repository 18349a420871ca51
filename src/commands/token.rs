//! `mgdex token`: making tokens, for development.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use api_profiles::tokens::NewToken;
use clap::{Args, value_parser};
use store::UserReference;

use crate::failure::Failure;
use crate::output::print;

#[derive(Debug, Args)]
pub(crate) struct TokenArguments {
    /// Private RSA key that signs the token, in PEM
    #[arg(long, env = "MGDEX_KEY", value_name = "PEM")]
    key: PathBuf,
    /// User that the token is for: `usr-<uuid>`
    #[arg(long, env = "MGDEX_SUB", value_name = "USER")]
    sub: UserReference,
    /// Full name of the user
    #[arg(long, env = "MGDEX_NAME")]
    name: Option<String>,
    /// Email address of the user
    #[arg(long, env = "MGDEX_EMAIL")]
    email: Option<String>,
    /// Names of the groups that the user belongs to
    #[arg(long, env = "MGDEX_DOMAINS", value_name = "GROUPS", value_delimiter = ',')]
    domains: Vec<String>,
    /// Issuer of the token, for servers with --jwt-issuer
    #[arg(long, env = "MGDEX_ISSUER", value_name = "ISS")]
    issuer: Option<String>,
    /// Audience of the token, for servers with --jwt-audience
    #[arg(long, env = "MGDEX_AUDIENCE", value_name = "NAME")]
    audience: Option<String>,
    /// Lifetime of the token
    #[arg(long, env = "MGDEX_TTL", value_name = "SECONDS", default_value_t = 3600, value_parser = value_parser!(u64).range(1..))]
    ttl: u64,
}

pub(crate) fn run(arguments: &TokenArguments) -> Result<(), Failure> {
    let token = NewToken {
        user: arguments.sub,
        name: arguments.name.clone(),
        email: arguments.email.clone(),
        groups: arguments.domains.clone(),
        issuer: arguments.issuer.clone(),
        audience: arguments.audience.clone(),
        ttl: Duration::from_secs(arguments.ttl),
    };
    print(sign(&token, &arguments.key)?)
}

pub(crate) fn sign(token: &NewToken, key: &Path) -> Result<String, Failure> {
    let name = key.display();
    let pem = fs::read(key).map_err(|error| Failure::Message(format!("cannot read {name}: {error}")))?;
    token.sign(&pem).map_err(|error| Failure::Message(format!("cannot sign with {name}: {error}")))
}
