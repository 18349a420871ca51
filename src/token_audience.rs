//! The names of a server in tokens.

use std::fmt;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

#[derive(Clone, Debug, Args)]
pub(crate) struct TokenAudience {
    /// Names of this server, one of which tokens must have in `aud` [default: tokens must have no
    /// `aud`]
    #[arg(long = "jwt-audience", env = "MGDEX_JWT_AUDIENCE", value_name = "NAME", num_args = 1.., value_delimiter = ',', value_parser = NonEmptyStringValueParser::new())]
    pub(crate) names: Vec<String>,
}

impl fmt::Display for TokenAudience {
    /// Says which tokens are refused.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.names {
            [] => f.write_str("those with `aud` are refused, since no --jwt-audience is given"),
            names => write!(f, "those without {} in `aud` are refused", names.join(" or ")),
        }
    }
}
