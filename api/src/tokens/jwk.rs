//! Keys as JSON: a JWK, or a set of them.

use jsonwebtoken::{DecodingKey, DecodingKeyKind};
use serde::Deserialize;

use super::public_key;

/// A set of keys.
#[derive(Deserialize)]
struct JwkSet {
    /// The keys.
    keys: Vec<Jwk>,
}

/// A key of any kind, as far as it matters here.
#[derive(Deserialize)]
struct Jwk {
    /// Its kind.
    kty: String,
    /// What it is used for, if it says so.
    r#use: Option<String>,
    /// The algorithm that it is used with, if it says so.
    alg: Option<String>,
    /// The modulus, in base64url.
    n: Option<String>,
    /// The exponent, in base64url.
    e: Option<String>,
    /// The private exponent, which has no place here.
    d: Option<String>,
}

/// Reads the keys that check signatures by RS256. Others are passed over.
///
/// # Errors
///
/// * The text is neither a JWK nor a set of them.
/// * None of the keys fits, or one that does is private or unfit for use.
pub(super) fn read(text: &[u8]) -> Result<Vec<DecodingKey>, String> {
    let keys = match serde_json::from_slice::<JwkSet>(text) {
        Ok(set) => set.keys,
        Err(_) => match serde_json::from_slice::<Jwk>(text) {
            Ok(key) => vec![key],
            Err(_) => return Err("JSON that is neither a JWK nor a JWK set".to_owned()),
        },
    };
    let keys: Vec<_> = keys.iter().filter(|key| key.is_for_us()).map(Jwk::key).collect::<Result<_, _>>()?;
    if keys.is_empty() {
        return Err("JSON without a JWK of kty RSA for signatures by RS256".to_owned());
    }
    Ok(keys)
}

impl Jwk {
    /// Tells whether signatures by RS256 are checked with it.
    fn is_for_us(&self) -> bool {
        self.kty == "RSA"
            && self.r#use.as_deref().is_none_or(|usage| usage == "sig")
            && self.alg.as_deref().is_none_or(|algorithm| algorithm == "RS256")
    }

    /// Returns the key.
    fn key(&self) -> Result<DecodingKey, String> {
        if self.d.is_some() {
            return Err("a private JWK, which must not be given away".to_owned());
        }
        let (Some(modulus), Some(exponent)) = (&self.n, &self.e) else {
            return Err("a JWK of kty RSA without n or e".to_owned());
        };
        let key = DecodingKey::from_rsa_components(modulus, exponent)
            .map_err(|_| "a JWK whose n or e is not in base64url".to_owned())?;
        match key.kind() {
            DecodingKeyKind::RsaModulusExponent { n, e } => public_key::from_numbers(n, e),
            DecodingKeyKind::SecretOrDer(_) => Err("a JWK that is no RSA key".to_owned()),
        }
    }
}
