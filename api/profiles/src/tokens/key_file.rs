//! Files with public keys.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use jsonwebtoken::DecodingKey;
use store::BYTE_ORDER_MARK;
use x509_parser::certificate::X509Certificate;
use x509_parser::pem::Pem;
use x509_parser::prelude::FromDer;

use super::{KeyError, jwk, public_key};

/// A longer file holds something else.
const FILE_BYTES_MAX: u64 = 1 << 20;

const EXPECTED: &str = "an RSA public key or an X.509 certificate in PEM, or a JWK set";

pub(super) fn read_all(files: &[PathBuf]) -> Result<Vec<DecodingKey>, KeyError> {
    let keys: Result<Vec<_>, _> = files.iter().map(|file| read(file)).collect();
    Ok(keys?.into_iter().flatten().collect())
}

fn read(path: &Path) -> Result<Vec<DecodingKey>, KeyError> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes));
    match read {
        Ok(_) => parse(&bytes)
            .map_err(|found| KeyError { problem: format!("{} contains {found}; expected {EXPECTED}", path.display()) }),
        Err(error) => Err(KeyError { problem: format!("cannot read {}: {error}", path.display()) }),
    }
}

/// Reads keys in any form. Errors describe what was found instead.
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
    } else if let [SEQUENCE, 0x80..=0xff, ..] = bytes {
        Err("DER, which `openssl x509 -inform der` turns into PEM".to_owned())
    } else {
        Err("something else".to_owned())
    }
}

const PEM_START: &[u8] = b"-----BEGIN ";

/// The first byte of keys and certificates in DER. A length of more than 127 bytes follows.
const SEQUENCE: u8 = 0x30;

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
            "ENCRYPTED PRIVATE KEY" => return Err("an encrypted private key, which must be kept secret".to_owned()),
            private if private.ends_with("PRIVATE KEY") => return Err(PRIVATE_KEY.to_owned()),
            other => return Err(format!("a block {other}")),
        });
    }
    if keys.is_empty() { Err("no whole block of PEM".to_owned()) } else { Ok(keys) }
}

const PRIVATE_KEY: &str = "a private key, which must be kept secret";

/// Reads DER without trailing bytes.
fn whole<'a, T: FromDer<'a, x509_parser::error::X509Error>>(bytes: &'a [u8]) -> Option<T> {
    match T::from_der(bytes) {
        Ok(([], value)) => Some(value),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
