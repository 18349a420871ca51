//! Bearer tokens: JWTs signed by RS256, and nothing else.

mod jwk;
mod key_file;
mod new_token;
mod public_key;
#[cfg(test)]
mod test_keys;

use std::path::PathBuf;

use arc_swap::ArcSwap;
use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde::Deserialize;
use serde_json::Value;
use store::UserReference;

pub use new_token::NewToken;

/// The longest token that is looked at. Real ones have about a kilobyte.
const TOKEN_BYTES_MAX: usize = 16 << 10;

/// How far the clocks of those who make tokens and of this machine may be apart.
const LEEWAY_S: u64 = 30;

/// Why a file gives no keys, or a key signs nothing; the text names the file.
#[derive(Debug, thiserror::Error)]
#[error("{problem}")]
pub struct KeyError {
    /// What is wrong.
    problem: String,
}

/// Checks tokens.
pub struct TokenVerifier {
    /// Where the keys come from.
    files: Vec<PathBuf>,
    /// The keys, any of which may have signed.
    keys: ArcSwap<Vec<DecodingKey>>,
    /// Who must have made a token.
    issuer: Option<String>,
    /// What a token must be like.
    validation: Validation,
}

/// What a token says of its bearer.
#[derive(Clone, Debug)]
pub(crate) struct Claims {
    /// Who it is: `sub`.
    pub(crate) user: UserReference,
    /// Their full name, as far as the token tells.
    pub(crate) name: Option<String>,
    /// Their address, as far as the token tells.
    pub(crate) email: Option<String>,
    /// The names of the groups that they belong to: `domains`.
    pub(crate) groups: Vec<String>,
}

/// Why a token is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenProblem {
    /// It was good once.
    Expired,
    /// It was not signed by one of the keys, or is not meant for this server.
    Foreign,
    /// It is no token of the kind that is accepted.
    NoToken,
}

/// The claims as they stand in a token. One that is there twice makes it no token.
#[derive(Debug, Deserialize)]
struct WrittenClaims {
    /// Who it is.
    sub: String,
    /// Who made the token.
    iss: Option<Value>,
    /// Whom the token is meant for.
    aud: Option<Value>,
    /// Their full name.
    name: Option<Value>,
    /// Their address.
    email: Option<Value>,
    /// The names of their groups.
    domains: Option<Value>,
}

impl TokenVerifier {
    /// Accepts no token at all.
    pub fn without_keys() -> Self {
        Self::new(Vec::new(), Vec::new(), None)
    }

    /// Reads public keys: PEM, DER, X.509 certificates and JWK sets. If an issuer is named, tokens must name it too. When certificates
    /// expire is not looked at: whoever names one trusts it.
    ///
    /// # Errors
    ///
    /// * A file cannot be read, holds no RSA key, one of less than 2048 bits, or a private one.
    pub fn load(files: Vec<PathBuf>, issuer: Option<String>) -> Result<Self, KeyError> {
        let keys = key_file::read_all(&files)?;
        Ok(Self::new(files, keys, issuer))
    }

    /// Checks with these keys.
    fn new(files: Vec<PathBuf>, keys: Vec<DecodingKey>, issuer: Option<String>) -> Self {
        let mut validation = Validation::new(Algorithm::RS256);
        validation.leeway = LEEWAY_S;
        validation.validate_nbf = true;
        validation.set_required_spec_claims(&["exp", "sub"]);
        // The library lets an audience pass that is no text, and an issuer that is one of several: both are looked at below.
        validation.validate_aud = false;
        Self { files, keys: ArcSwap::from_pointee(keys), issuer, validation }
    }

    /// Reads the files again, and returns how many keys there are now.
    ///
    /// # Errors
    ///
    /// * See [`TokenVerifier::load`]. The keys of before stay.
    pub fn reload(&self) -> Result<usize, KeyError> {
        let keys = key_file::read_all(&self.files)?;
        let num_keys = keys.len();
        self.keys.store(keys.into());
        Ok(num_keys)
    }

    /// Returns how many keys there are.
    pub fn num_keys(&self) -> usize {
        self.keys.load().len()
    }

    /// Checks a token.
    pub(crate) fn verify(&self, token: &str) -> Result<Claims, TokenProblem> {
        if token.len() > TOKEN_BYTES_MAX {
            return Err(TokenProblem::NoToken);
        }
        let header = decode_header(token).map_err(|_| TokenProblem::NoToken)?;
        // What is critical must be understood, and nothing of that kind is.
        if header.alg != Algorithm::RS256 || header.crit.is_some() {
            return Err(TokenProblem::NoToken);
        }
        let written = self.verify_signed(token)?;
        if self.issuer.is_some() && written.iss.as_ref().and_then(Value::as_str) != self.issuer.as_deref() {
            return Err(TokenProblem::Foreign);
        }
        // This server has no name, so that a token for somebody in particular is for somebody else.
        if written.aud.is_some() {
            return Err(TokenProblem::Foreign);
        }
        written.read()
    }

    /// Returns the claims of a token whose signature and times are right.
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

/// Returns what is wrong with a token that is not signed by another key.
fn problem(error: &Error) -> TokenProblem {
    match error.kind() {
        ErrorKind::ExpiredSignature => TokenProblem::Expired,
        ErrorKind::ImmatureSignature => TokenProblem::Foreign,
        _ => TokenProblem::NoToken,
    }
}

impl WrittenClaims {
    /// Reads what they say of the bearer. What is no text is not there.
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
