//! Digests of sequences, by which other databases know them.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use md5::Md5;
use sha2::{Digest, Sha512};

/// The bytes of the SHA-512 digest that are kept.
const GA4GH_BYTES: usize = 24;

/// Returns the MD5 digest of a sequence in hexadecimal digits.
pub(crate) fn md5(sequence: &str) -> String {
    format!("{:032x}", u128::from_be_bytes(Md5::digest(sequence).into()))
}

/// Returns the GA4GH identifier of a sequence: `SQ.` and a truncated SHA-512 digest in Base64 (refget 2.0).
pub(crate) fn ga4gh(sequence: &str) -> String {
    format!("SQ.{}", URL_SAFE_NO_PAD.encode(&Sha512::digest(sequence)[..GA4GH_BYTES]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_the_standards() {
        assert_eq!(md5("ACGT"), "f1f8f4bf413b16ad135722aa4591043e");
        assert_eq!(ga4gh("ACGT"), "SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2");
    }
}
