//! Making tokens, for development.

use std::fs;
use std::path::Path;
use std::time::Duration;

use api::tokens::NewToken;

use crate::arguments::TokenArguments;
use crate::failure::Failure;
use crate::output::print;

pub(crate) fn run(arguments: &TokenArguments) -> Result<(), Failure> {
    let token = NewToken {
        user: arguments.sub,
        name: arguments.name.clone(),
        email: arguments.email.clone(),
        groups: arguments.domains.clone(),
        issuer: arguments.issuer.clone(),
        ttl: Duration::from_secs(arguments.ttl),
    };
    print(sign(&token, &arguments.key)?)
}

pub(crate) fn sign(token: &NewToken, key: &Path) -> Result<String, Failure> {
    let name = key.display();
    let pem = fs::read(key).map_err(|error| Failure::Message(format!("cannot read {name}: {error}")))?;
    token.sign(&pem).map_err(|error| Failure::Message(format!("cannot sign with {name}: {error}")))
}
