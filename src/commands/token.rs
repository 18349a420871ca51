//! Making tokens, for development.

use std::fs;
use std::path::Path;
use std::time::Duration;

use api::tokens::NewToken;

use crate::arguments::TokenArguments;
use crate::failure::Failure;
use crate::output::Output;

/// Prints a token.
pub(crate) fn run(arguments: &TokenArguments) -> Result<(), Failure> {
    let token = NewToken {
        user: arguments.sub,
        name: arguments.name.clone(),
        email: arguments.email.clone(),
        groups: arguments.domains.clone(),
        issuer: arguments.issuer.clone(),
        ttl: Duration::from_secs(arguments.ttl),
    };
    let mut output = Output::new();
    output.line(sign(&token, &arguments.key)?)?;
    output.finish()
}

/// Signs a token with the key in a file.
pub(crate) fn sign(token: &NewToken, key: &Path) -> Result<String, Failure> {
    let name = key.display();
    let pem = fs::read(key).map_err(|error| Failure::Message(format!("cannot read {name}: {error}")))?;
    token.sign(&pem).map_err(|error| Failure::Message(format!("{name} signs no token: {error}")))
}
