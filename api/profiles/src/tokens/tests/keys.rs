//! Keys for tests, and their encodings.

use std::sync::LazyLock;

use rcgen::{CertificateParams, KeyPair, PKCS_RSA_SHA256, PublicKeyData};
use serde_json::{Value, json};
use x509_parser::prelude::FromDer;
use x509_parser::public_key::RSAPublicKey;

/// An RSA key pair in all its forms.
pub(in crate::tokens) struct TestKey(KeyPair);

/// The key that signs.
pub(in crate::tokens) static KEY: LazyLock<TestKey> = LazyLock::new(TestKey::generate);

/// Another one.
pub(in crate::tokens) static OTHER_KEY: LazyLock<TestKey> = LazyLock::new(TestKey::generate);

impl TestKey {
    fn generate() -> Self {
        Self(KeyPair::generate_for(&PKCS_RSA_SHA256).expect("RSA keys are made"))
    }

    pub(in crate::tokens) fn private_pem(&self) -> String {
        self.0.serialize_pem()
    }

    pub(in crate::tokens) fn public_pem(&self) -> String {
        self.0.public_key_pem()
    }

    pub(in crate::tokens) fn public_der(&self) -> Vec<u8> {
        self.0.subject_public_key_info()
    }

    pub(in crate::tokens) fn pkcs1_der(&self) -> Vec<u8> {
        self.0.public_key_raw().to_vec()
    }

    pub(in crate::tokens) fn certificate_der(&self) -> Vec<u8> {
        self.certificate().der().to_vec()
    }

    pub(in crate::tokens) fn certificate_pem(&self) -> String {
        self.certificate().pem()
    }

    pub(in crate::tokens) fn jwk(&self) -> Value {
        let der = self.pkcs1_der();
        let (_, RSAPublicKey { modulus, exponent }) = RSAPublicKey::from_der(&der).expect("PKCS#1");
        let modulus = modulus.strip_prefix(&[0]).unwrap_or(modulus);
        json!({"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "1", "n": base64url(modulus), "e": base64url(exponent)})
    }

    fn certificate(&self) -> rcgen::Certificate {
        let params = CertificateParams::new(["mgdex.test".to_owned()]).expect("a name");
        params.self_signed(&self.0).expect("signed")
    }
}

/// Encodes bytes like the parts of tokens.
pub(in crate::tokens) fn base64url(bytes: &[u8]) -> String {
    encode(bytes, b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
}

/// Encodes a block of PEM.
pub(in crate::tokens) fn pem(label: &str, der: &[u8]) -> String {
    let mut text = encode(der, b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
    while !text.len().is_multiple_of(4) {
        text.push('=');
    }
    let lines: Vec<&str> = text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).expect("ASCII")).collect();
    format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", lines.join("\n"))
}

fn encode(bytes: &[u8], letters: &[u8; 64]) -> String {
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..=chunk.len() {
            text.push(char::from(letters[(bits >> (18 - 6 * place)) as usize & 63]));
        }
    }
    text
}
