//! Signing tokens, for development.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde::Serialize;
use store::UserReference;

use super::KeyError;

/// A token to be signed.
#[derive(Clone, Debug)]
pub struct NewToken {
    /// The user who bears it.
    pub user: UserReference,
    /// Their full name.
    pub name: Option<String>,
    /// Their address.
    pub email: Option<String>,
    /// The names of the groups that they belong to.
    pub groups: Vec<String>,
    /// The issuer.
    pub issuer: Option<String>,
    /// The server that accepts it.
    pub audience: Option<String>,
    /// The time for which it is valid.
    pub ttl: Duration,
}

/// The claims in the order of real tokens.
#[derive(Serialize)]
struct SignedClaims<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    iss: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    aud: Option<&'a str>,
    exp: u64,
    iat: u64,
    sub: UserReference,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    /// A client fails without this claim.
    domains: &'a [String],
}

impl NewToken {
    /// Signs the token with a private RSA key in PEM.
    ///
    /// # Errors
    ///
    /// * The key is not a private RSA key.
    /// * The clock is before 1970.
    pub fn sign(&self, private_key_pem: &[u8]) -> Result<String, KeyError> {
        // Real tokens name only the algorithm.
        let header = Header { typ: None, ..Header::new(Algorithm::RS256) };
        let now = timestamp(SystemTime::now())?;
        let claims = SignedClaims {
            iss: self.issuer.as_deref(),
            aud: self.audience.as_deref(),
            exp: now.saturating_add(self.ttl.as_secs()),
            iat: now,
            sub: self.user,
            email: self.email.as_deref(),
            name: self.name.as_deref(),
            domains: &self.groups,
        };
        EncodingKey::from_rsa_pem(private_key_pem).and_then(|key| encode(&header, &claims, &key)).map_err(|_| {
            KeyError {
                problem: "expected a private RSA key of at least 2048 bits, in PEM and not encrypted".to_owned(),
            }
        })
    }
}

/// Returns the seconds since 1970, the first year that a token can name.
fn timestamp(now: SystemTime) -> Result<u64, KeyError> {
    let since = now.duration_since(UNIX_EPOCH);
    let since = since.map_err(|_| KeyError { problem: "the clock of this machine is before 1970".to_owned() })?;
    Ok(since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_before_1970_is_named() {
        assert_eq!(timestamp(UNIX_EPOCH + Duration::from_secs(5)).ok(), Some(5));
        let error = timestamp(UNIX_EPOCH - Duration::from_secs(1)).expect_err("no time of a token").to_string();
        assert!(error.contains("before 1970"), "{error}");
    }
}
