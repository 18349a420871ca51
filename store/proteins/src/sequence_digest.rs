//! Digests that identify sequences in other databases.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use md5::Md5;
use sha2::{Digest, Sha512};

/// The bytes of a SHA-512 digest that are kept.
const SHA512T24U_BYTES: usize = 24;

/// The prefix of GA4GH identifiers of sequences.
const SEQUENCE_PREFIX: &str = "SQ.";

/// A function that makes digests of sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DigestAlgorithm {
    /// MD5.
    Md5,
    /// The first 24 bytes of SHA-512, the digest of GA4GH identifiers.
    Sha512t24u,
}

impl DigestAlgorithm {
    /// All algorithms.
    pub const ALL: [Self; 2] = [Self::Md5, Self::Sha512t24u];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Md5 => "md5",
            Self::Sha512t24u => "sha512t24u",
        }
    }

    /// Returns the digest of a sequence, which is not normalized.
    pub fn digest(self, sequence: &str) -> SequenceDigest {
        match self {
            Self::Md5 => SequenceDigest::Md5(Md5::digest(sequence).into()),
            Self::Sha512t24u => {
                let mut bytes = [0; SHA512T24U_BYTES];
                bytes.copy_from_slice(&Sha512::digest(sequence)[..SHA512T24U_BYTES]);
                SequenceDigest::Sha512t24u(bytes)
            }
        }
    }

    /// Reads a digest: 32 hexadecimal digits, or 32 characters of the URL-safe Base64, with or
    /// without `SQ.` before them. The namespace of refget may precede both.
    ///
    /// # Errors
    ///
    /// * The text is not a digest.
    pub fn parse(self, text: &str) -> Result<SequenceDigest, SequenceDigestError> {
        let namespace = text.split_once(':').filter(|(name, _)| self.is_namespace(name));
        let text = namespace.map_or(text, |(_, digest)| digest);
        match self {
            Self::Md5 => {
                let is_hexadecimal = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
                let number = u128::from_str_radix(text, 16).ok().filter(|_| is_hexadecimal);
                Ok(SequenceDigest::Md5(number.ok_or(SequenceDigestError)?.to_be_bytes()))
            }
            Self::Sha512t24u => {
                let text = text.strip_prefix(SEQUENCE_PREFIX).unwrap_or(text);
                let bytes = URL_SAFE_NO_PAD.decode(text).ok().and_then(|bytes| bytes.try_into().ok());
                bytes.map(SequenceDigest::Sha512t24u).ok_or(SequenceDigestError)
            }
        }
    }

    fn is_namespace(self, name: &str) -> bool {
        let names: &[&str] = if self == Self::Md5 { &["md5"] } else { &["ga4gh", "sha512t24u"] };
        names.iter().any(|known| known.eq_ignore_ascii_case(name))
    }
}

/// A digest of a sequence. Its text is 32 hexadecimal digits, or a GA4GH identifier such as
/// `SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2`.
///
/// ```
/// use store_proteins::{DigestAlgorithm, SequenceDigest};
///
/// let digest = DigestAlgorithm::Sha512t24u.digest("ACGT");
/// assert_eq!(digest.to_string(), "SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2");
/// assert_eq!("ga4gh:SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2".parse(), Ok(digest));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SequenceDigest {
    /// See [`DigestAlgorithm::Md5`].
    Md5([u8; 16]),
    /// See [`DigestAlgorithm::Sha512t24u`].
    Sha512t24u([u8; SHA512T24U_BYTES]),
}

/// A text that is not a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a digest is an MD5 of 32 hexadecimal digits, or a GA4GH identifier such as SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2"
)]
pub struct SequenceDigestError;

impl SequenceDigest {
    /// Returns the algorithm of the digest.
    pub const fn algorithm(&self) -> DigestAlgorithm {
        match self {
            Self::Md5(_) => DigestAlgorithm::Md5,
            Self::Sha512t24u(_) => DigestAlgorithm::Sha512t24u,
        }
    }

    /// Returns the first 64 bits.
    pub(crate) fn head(&self) -> u64 {
        let bytes: &[u8] = match self {
            Self::Md5(bytes) => bytes,
            Self::Sha512t24u(bytes) => bytes,
        };
        bytes.first_chunk().map_or(0, |head| u64::from_be_bytes(*head))
    }
}

impl fmt::Display for SequenceDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Md5(bytes) => write!(f, "{:032x}", u128::from_be_bytes(*bytes)),
            Self::Sha512t24u(bytes) => write!(f, "{SEQUENCE_PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes)),
        }
    }
}

impl FromStr for SequenceDigest {
    type Err = SequenceDigestError;

    /// Reads a digest of either algorithm. 32 hexadecimal digits alone are an MD5.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        DigestAlgorithm::Md5.parse(text).or_else(|_| DigestAlgorithm::Sha512t24u.parse(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_match_the_standards() {
        for (algorithm, expected) in DigestAlgorithm::ALL
            .into_iter()
            .zip(["f1f8f4bf413b16ad135722aa4591043e", "SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2"])
        {
            let digest = algorithm.digest("ACGT");
            assert_eq!(digest.to_string(), expected);
            assert_eq!((expected.parse(), algorithm.parse(expected)), (Ok(digest), Ok(digest)));
        }
        let upper = "F1F8F4BF413B16AD135722AA4591043E";
        assert_eq!(format!("md5:{upper}").parse(), Ok(DigestAlgorithm::Md5.digest("ACGT")));
        let digest = DigestAlgorithm::Sha512t24u.digest("ACGT");
        for before in ["", "SQ.", "ga4gh:SQ.", "sha512t24u:", "GA4GH:", "sha512t24u:SQ."] {
            let text = format!("{before}aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2");
            assert_eq!((text.parse(), DigestAlgorithm::Sha512t24u.parse(&text)), (Ok(digest), Ok(digest)), "{text}");
        }
    }

    #[test]
    fn other_texts_are_rejected() {
        for text in [
            "",
            "SQ.",
            "md5:",
            "f1f8f4bf413b16ad135722aa4591043",
            "+1f8f4bf413b16ad135722aa4591043e",
            "SQ.aKF",
            "ga4gh:f1f8f4bf413b16ad135722aa4591043",
            "md5:SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2",
        ] {
            assert_eq!(text.parse::<SequenceDigest>(), Err(SequenceDigestError), "{text}");
        }
        assert!(DigestAlgorithm::Sha512t24u.parse("aKF498dAxcJAqme6QYQ7EZ07+fiw8Kw2").is_err());
    }
}
