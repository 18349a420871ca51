//! Keys, and tokens: those of the service's issuer, and forged ones.

use std::sync::LazyLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use api_profiles::tokens::NewToken;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};
use store::UserReference;

/// A key pair in PEM.
pub(crate) struct Key {
    pub(crate) private: String,
    pub(crate) public: String,
}

impl Key {
    fn new() -> Self {
        let pair = rcgen::KeyPair::generate_rsa_for(&rcgen::PKCS_RSA_SHA256, rcgen::RsaKeySize::_2048).expect("a key");
        Self { private: pair.serialize_pem(), public: pair.public_key_pem() }
    }
}

/// The key that the servers of these tests use.
pub(crate) static KEY: LazyLock<Key> = LazyLock::new(Key::new);

/// A key that they use only after a rotation.
pub(crate) static NEXT_KEY: LazyLock<Key> = LazyLock::new(Key::new);

/// Returns a token for a user.
pub(crate) fn token(user: UserReference, name: &str, email: &str, groups: &[&str]) -> String {
    NewToken {
        user,
        name: Some(name.to_owned()),
        email: Some(email.to_owned()),
        groups: groups.iter().map(|&group| group.to_owned()).collect(),
        issuer: None,
        audience: None,
        ttl: Duration::from_hours(1),
    }
    .sign(KEY.private.as_bytes())
    .expect("a private key")
}

/// Returns the time `seconds` from now.
pub(crate) fn in_seconds(seconds: i64) -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs();
    i64::try_from(now).expect("not that late") + seconds
}

/// Returns valid claims with some changes; `null` removes one.
pub(crate) fn claims(user: UserReference, changes: &Value) -> Value {
    let mut claims = json!({"sub": user, "iat": in_seconds(-1), "exp": in_seconds(600)});
    for (name, value) in changes.as_object().expect("an object") {
        if value.is_null() {
            claims.as_object_mut().expect("an object").remove(name);
        } else {
            claims[name] = value.clone();
        }
    }
    claims
}

/// Signs claims with a private key.
pub(crate) fn signed(algorithm: Algorithm, key: &Key, claims: &Value) -> String {
    let key = EncodingKey::from_rsa_pem(key.private.as_bytes()).expect("a private key");
    encode(&Header::new(algorithm), claims, &key).expect("signed")
}

/// Signs claims with the real key under a header of any content.
pub(crate) fn signed_under(header: &Value, key: &Key, claims: &Value) -> String {
    let signing = EncodingKey::from_rsa_pem(key.private.as_bytes()).expect("a private key");
    let message = format!("{}.{}", base64(header.to_string().as_bytes()), base64(claims.to_string().as_bytes()));
    let signature = jsonwebtoken::crypto::sign(message.as_bytes(), &signing, Algorithm::RS256).expect("signed");
    format!("{message}.{signature}")
}

/// Signs claims with a text that is not secret.
pub(crate) fn signed_with_secret(secret: &[u8], claims: &Value) -> String {
    encode(&Header::new(Algorithm::HS256), claims, &EncodingKey::from_secret(secret)).expect("signed")
}

/// Encodes a part of a token: base64 for URLs, without padding.
pub(crate) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0, |bits, &byte| bits << 8 | usize::from(byte)) << (8 * (3 - chunk.len()));
        text.extend((0..=chunk.len()).map(|digit| char::from(DIGITS[bits >> (18 - 6 * digit) & 63])));
    }
    text
}
