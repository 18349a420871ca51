//! Keys as JSON: a JWK or a JWK set.

use jsonwebtoken::jwk::{AlgorithmParameters, Jwk, KeyAlgorithm, PublicKeyUse};
use jsonwebtoken::{DecodingKey, DecodingKeyKind};
use serde::Deserialize;
use serde_json::Value;
use store_profiles::UniqueJson;

use super::public_key;

/// Reads the keys that check RS256 signatures; others are skipped. An error describes what was
/// found instead.
pub(super) fn read(text: &[u8]) -> Result<Vec<DecodingKey>, String> {
    let not_jwk = || "JSON that is neither a JWK nor a JWK set".to_owned();
    let UniqueJson(value) = serde_json::from_slice(text).map_err(|_| not_jwk())?;
    let keys = value.get("keys").and_then(Value::as_array).map_or(std::slice::from_ref(&value), Vec::as_slice);
    let mut found = Vec::new();
    for key in keys {
        let jwk = Jwk::deserialize(key).map_err(|_| not_jwk())?;
        let is_for_rs256 = key["kty"] == "RSA"
            && matches!(jwk.common.public_key_use, None | Some(PublicKeyUse::Signature))
            && matches!(jwk.common.key_algorithm, None | Some(KeyAlgorithm::RS256));
        if is_for_rs256 {
            if !key["d"].is_null() {
                return Err("a private JWK, which must be kept secret".to_owned());
            }
            found.push(rsa_key(&jwk)?);
        }
    }
    if found.is_empty() {
        return Err("JSON without a JWK of kty RSA for signatures by RS256".to_owned());
    }
    Ok(found)
}

fn rsa_key(jwk: &Jwk) -> Result<DecodingKey, String> {
    // Incomplete keys are of the kind `Other`.
    if !matches!(jwk.algorithm, AlgorithmParameters::RSA(_)) {
        return Err("a JWK of kty RSA without n or e".to_owned());
    }
    let key = DecodingKey::from_jwk(jwk).map_err(|_| "a JWK whose n or e is not in base64url".to_owned())?;
    match key.kind() {
        DecodingKeyKind::RsaModulusExponent { n, e } => public_key::from_numbers(n, e),
        DecodingKeyKind::SecretOrDer(_) => Err("a JWK that is not an RSA key".to_owned()),
    }
}
