//! Files with public keys.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use jsonwebtoken::DecodingKey;
use store::BYTE_ORDER_MARK;
use x509_parser::certificate::X509Certificate;
use x509_parser::der_parser::der::parse_der;
use x509_parser::pem::Pem;
use x509_parser::prelude::FromDer;
use x509_parser::public_key::RSAPublicKey;
use x509_parser::x509::SubjectPublicKeyInfo;

use super::{KeyError, jwk, public_key};

/// A longer file holds something else.
const FILE_BYTES_MAX: u64 = 1 << 20;

const EXPECTED: &str = "an RSA public key or an X.509 certificate in PEM or DER, or a JWK set";

pub(super) fn read_all(files: &[PathBuf]) -> Result<Vec<DecodingKey>, KeyError> {
    let keys: Result<Vec<_>, _> = files.iter().map(|file| read(file)).collect();
    Ok(keys?.into_iter().flatten().collect())
}

fn read(path: &Path) -> Result<Vec<DecodingKey>, KeyError> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes));
    match read {
        Ok(_) => parse(&bytes)
            .map_err(|found| KeyError { problem: format!("{} holds {found}; expected is {EXPECTED}", path.display()) }),
        Err(error) => Err(KeyError { problem: format!("cannot read {}: {error}", path.display()) }),
    }
}

/// Reads keys in any form. Errors say what was found instead.
fn parse(bytes: &[u8]) -> Result<Vec<DecodingKey>, String> {
    if bytes.len() as u64 > FILE_BYTES_MAX {
        return Err(format!("more than {FILE_BYTES_MAX} bytes"));
    }
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes).trim_ascii();
    if text.is_empty() {
        Err("nothing".to_owned())
    } else if text.starts_with(b"{") {
        jwk::read(text)
    } else if text.windows(PEM_START.len()).any(|window| window == PEM_START) {
        parse_pem(text)
    } else {
        parse_der_key(bytes).map(|key| vec![key])
    }
}

const PEM_START: &[u8] = b"-----BEGIN ";

fn parse_pem(text: &[u8]) -> Result<Vec<DecodingKey>, String> {
    let mut keys = Vec::new();
    for block in Pem::iter_from_buffer(text) {
        let Pem { label, contents } = block.map_err(|error| format!("broken PEM ({error})"))?;
        let broken = || format!("a broken block {label}");
        keys.push(match &*label {
            "PUBLIC KEY" => public_key::from_info(&whole(&contents).ok_or_else(broken)?)?,
            "RSA PUBLIC KEY" => public_key::from_pkcs1(&whole(&contents).ok_or_else(broken)?)?,
            "CERTIFICATE" | "X509 CERTIFICATE" => {
                public_key::from_info(whole::<X509Certificate<'_>>(&contents).ok_or_else(broken)?.public_key())?
            }
            "ENCRYPTED PRIVATE KEY" => return Err("an encrypted private key, which must not be given away".to_owned()),
            private if private.ends_with("PRIVATE KEY") => return Err(PRIVATE_KEY.to_owned()),
            other => return Err(format!("a block {other}")),
        });
    }
    if keys.is_empty() { Err("no whole block of PEM".to_owned()) } else { Ok(keys) }
}

const PRIVATE_KEY: &str = "a private key, which must not be given away";

fn parse_der_key(bytes: &[u8]) -> Result<DecodingKey, String> {
    if is_private(bytes) {
        Err(PRIVATE_KEY.to_owned())
    } else if let Some(certificate) = whole::<X509Certificate<'_>>(bytes) {
        public_key::from_info(certificate.public_key())
    } else if let Some(info) = whole::<SubjectPublicKeyInfo<'_>>(bytes) {
        public_key::from_info(&info)
    } else if let Some(key) = whole::<RSAPublicKey<'_>>(bytes) {
        public_key::from_pkcs1(&key)
    } else {
        Err("something else".to_owned())
    }
}

/// Returns whether DER begins like private keys do: with a version number.
fn is_private(bytes: &[u8]) -> bool {
    let Ok((_, object)) = parse_der(bytes) else { return false };
    let version = object.as_sequence().ok().and_then(|elements| elements.first()?.as_u32().ok());
    matches!(version, Some(0 | 1))
}

/// Reads DER without trailing bytes.
fn whole<'a, T: FromDer<'a, x509_parser::error::X509Error>>(bytes: &'a [u8]) -> Option<T> {
    match T::from_der(bytes) {
        Ok(([], value)) => Some(value),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
