//! Bearer tokens: JWTs signed by RS256.

mod jwk;
mod key_file;
mod new_token;
mod public_key;

use std::collections::HashMap;
use std::path::PathBuf;

use arc_swap::ArcSwap;
use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde::Deserialize;
use serde_json::Value;
use store::{UserReference, shortened};

pub use new_token::NewToken;

/// Real tokens have about a kilobyte.
const TOKEN_BYTES_MAX: usize = 16 << 10;

/// The largest difference between the clocks of token issuers and of this machine.
const LEEWAY_S: u64 = 30;

/// The reason why a file holds no usable keys, or why a key cannot sign.
#[derive(Debug, thiserror::Error)]
#[error("{problem}")]
pub struct KeyError {
    problem: String,
}

/// Checks tokens.
pub struct TokenVerifier {
    files: Vec<PathBuf>,
    /// Any of these may have signed a token.
    keys: ArcSwap<Vec<DecodingKey>>,
    issuer: Option<String>,
    /// The names of this server.
    audience: Vec<String>,
    validation: Validation,
}

/// The claims of a token about its bearer.
#[derive(Clone, Debug)]
pub(crate) struct Claims {
    /// `sub`.
    pub(crate) user: UserReference,
    pub(crate) name: Option<String>,
    pub(crate) email: Option<String>,
    /// `domains`.
    pub(crate) groups: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenProblem {
    Expired,
    /// It was signed by another key, or is for another server.
    Foreign,
    /// It is not a token, or its kind is not accepted.
    NoToken,
}

/// The claims as written in a token. A duplicate claim is an error.
#[derive(Debug, Deserialize)]
struct WrittenClaims {
    sub: String,
    iss: Option<Value>,
    aud: Option<Value>,
    name: Option<Value>,
    email: Option<Value>,
    domains: Option<Value>,
    /// All other claims, which must be JSON, too: otherwise, their bytes could be any.
    #[serde(flatten)]
    _others: HashMap<String, Value>,
}

impl TokenVerifier {
    /// Reads public keys: keys and X.509 certificates in PEM, and JWK sets. Without files no token
    /// is accepted. If an issuer is given, tokens must name it. The expiry of certificates is
    /// ignored: a certificate that is named here is trusted.
    ///
    /// # Errors
    ///
    /// * A file cannot be read, or holds no RSA key, a private key, or one of less than 2048 bits.
    pub fn load(files: Vec<PathBuf>, issuer: Option<String>) -> Result<Self, KeyError> {
        let keys = key_file::read_all(&files)?;
        Ok(Self::new(files, keys, issuer))
    }

    /// Gives this server names, one of which tokens must have in `aud`. Without names, a token with
    /// `aud` is for another server.
    #[must_use]
    pub fn with_audience(self, audience: Vec<String>) -> Self {
        Self { audience, ..self }
    }

    fn new(files: Vec<PathBuf>, keys: Vec<DecodingKey>, issuer: Option<String>) -> Self {
        let mut validation = Validation::new(Algorithm::RS256);
        validation.leeway = LEEWAY_S;
        validation.validate_nbf = true;
        validation.set_required_spec_claims(&["exp", "sub"]);
        // The library accepts an audience that is not a string, and an issuer that is one of
        // several: both are checked below.
        validation.validate_aud = false;
        Self { files, keys: ArcSwap::from_pointee(keys), issuer, audience: Vec::new(), validation }
    }

    /// Reads the files again, and returns the number of keys.
    ///
    /// # Errors
    ///
    /// * See [`TokenVerifier::load`]. The previous keys stay in use.
    pub fn reload(&self) -> Result<usize, KeyError> {
        let keys = key_file::read_all(&self.files)?;
        let num_keys = keys.len();
        self.keys.store(keys.into());
        Ok(num_keys)
    }

    /// Returns the number of keys.
    pub fn num_keys(&self) -> usize {
        self.keys.load().len()
    }

    pub(crate) fn verify(&self, token: &str) -> Result<Claims, TokenProblem> {
        if token.len() > TOKEN_BYTES_MAX {
            return Err(TokenProblem::NoToken);
        }
        let header = decode_header(token).map_err(|_| TokenProblem::NoToken)?;
        // Critical extensions must be understood, and this server understands none.
        if header.alg != Algorithm::RS256 || header.crit.is_some() {
            return Err(TokenProblem::NoToken);
        }
        let written = self.verify_signed(token)?;
        if self.issuer.is_some() && written.iss.as_ref().and_then(Value::as_str) != self.issuer.as_deref() {
            return Err(TokenProblem::Foreign);
        }
        if !self.is_audience(written.aud.as_ref()) {
            self.log_audience(written.aud.as_ref());
            return Err(TokenProblem::Foreign);
        }
        written.read()
    }

    /// Returns whether a token with this `aud`, a text or a list of texts, is for this server.
    fn is_audience(&self, claim: Option<&Value>) -> bool {
        let is_named = |value: &Value| value.as_str().is_some_and(|name| self.audience.iter().any(|own| own == name));
        match claim {
            None => self.audience.is_empty(),
            Some(Value::Array(names)) => names.iter().any(is_named),
            Some(name) => is_named(name),
        }
    }

    /// Logs why a token is rejected although a known key has signed it.
    fn log_audience(&self, claim: Option<&Value>) {
        let claim = claim.map_or_else(|| "no `aud`".to_owned(), |claim| shortened(&format!("`aud` {claim}")));
        let is_nameless = self.audience.is_empty();
        let needed = if is_nameless { "no `aud`, as --jwt-audience is not set" } else { "a name from --jwt-audience" };
        tracing::warn!("a token with {claim} is rejected: it must have {needed}");
    }

    /// Checks signature and times.
    fn verify_signed(&self, token: &str) -> Result<WrittenClaims, TokenProblem> {
        for key in self.keys.load().iter() {
            match decode::<WrittenClaims>(token, key, &self.validation) {
                Ok(token) => return Ok(token.claims),
                Err(error) if matches!(error.kind(), ErrorKind::InvalidSignature) => {}
                Err(error) => return Err(problem(&error)),
            }
        }
        Err(TokenProblem::Foreign)
    }
}

fn problem(error: &Error) -> TokenProblem {
    match error.kind() {
        ErrorKind::ExpiredSignature => TokenProblem::Expired,
        ErrorKind::ImmatureSignature => TokenProblem::Foreign,
        _ => TokenProblem::NoToken,
    }
}

impl WrittenClaims {
    /// Reads the claims. A claim that is not a string counts as missing.
    fn read(self) -> Result<Claims, TokenProblem> {
        let text = |value: Value| match value {
            Value::String(text) => Some(text),
            _ => None,
        };
        let groups = match self.domains {
            Some(Value::Array(groups)) => groups.into_iter().filter_map(text).collect(),
            _ => Vec::new(),
        };
        let user = self.sub.parse().map_err(|_| TokenProblem::NoToken)?;
        Ok(Claims { user, name: self.name.and_then(text), email: self.email.and_then(text), groups })
    }
}

#[cfg(test)]
mod tests;
