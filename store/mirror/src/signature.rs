//! Signatures of publications, which prove to replicas who has published.

use std::sync::Arc;

use aws_lc_rs::signature::{ED25519, Ed25519KeyPair, KeyPair, ParsedPublicKey};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::layout::{Pointer, pointer_path};
use crate::{Error, Result};

/// A key that signs publications: Ed25519.
#[derive(Clone, Debug)]
pub struct SigningKey(Arc<Ed25519KeyPair>);

/// A key that verifies publications: the public part of a [`SigningKey`].
#[derive(Clone, Debug)]
pub struct VerifyKey(Arc<ParsedPublicKey>);

impl SigningKey {
    /// Reads a private key: PKCS#8 in PEM, as `openssl genpkey -algorithm ed25519` writes it.
    ///
    /// # Errors
    ///
    /// * It is not an Ed25519 key in this form.
    pub fn from_pem(text: &str) -> Result<Self> {
        let expected = || Error::Key { expected: "an Ed25519 private key in PEM (PKCS#8, `PRIVATE KEY`)" };
        let block = pem::parse(text).ok().filter(|block| block.tag() == "PRIVATE KEY").ok_or_else(expected)?;
        let pair = Ed25519KeyPair::from_pkcs8(block.contents()).map_err(|_| expected())?;
        Ok(Self(Arc::new(pair)))
    }

    pub(crate) fn sign(&self, kind: &str, pointer: &Pointer) -> String {
        STANDARD.encode(self.0.sign(&signed(kind, pointer)))
    }

    /// Returns whether a publication was signed with this key.
    pub(crate) fn has_signed(&self, kind: &str, pointer: &Pointer) -> bool {
        let own = ParsedPublicKey::new(&ED25519, self.0.public_key().as_ref());
        own.is_ok_and(|key| check(&[VerifyKey(Arc::new(key))], kind, pointer).is_ok())
    }
}

impl VerifyKey {
    /// Reads public keys: one or more SPKI blocks in PEM, as `openssl pkey -pubout` writes them.
    ///
    /// # Errors
    ///
    /// * The text has no key, or a key that is not an Ed25519 key in this form.
    pub fn from_pem(text: &str) -> Result<Vec<Self>> {
        let expected = || Error::Key { expected: "Ed25519 public keys in PEM (SPKI, `PUBLIC KEY`)" };
        let blocks = pem::parse_many(text).ok().filter(|blocks| !blocks.is_empty()).ok_or_else(expected)?;
        let key = |block: pem::Pem| {
            let der = Some(block.contents()).filter(|_| block.tag() == "PUBLIC KEY")?;
            ParsedPublicKey::new(&ED25519, der).ok().map(|key| Self(Arc::new(key)))
        };
        blocks.into_iter().map(|block| key(block).ok_or_else(expected)).collect()
    }
}

/// Checks that a publication was signed with one of the keys. Without keys, no signature is needed.
pub(crate) fn check(keys: &[VerifyKey], kind: &str, pointer: &Pointer) -> Result<()> {
    let refused = |problem| Error::Signature { object: pointer_path(kind), problem };
    if keys.is_empty() {
        return Ok(());
    }
    let Some(signature) = &pointer.signature else { return Err(refused("it is not signed")) };
    let signature = STANDARD.decode(signature).map_err(|_| refused("its signature cannot be read"))?;
    let text = signed(kind, pointer);
    if keys.iter().any(|VerifyKey(key)| key.verify_sig(&text, &signature).is_ok()) {
        return Ok(());
    }
    Err(refused("it was altered, or signed with another key: none of the keys given verifies it"))
}

/// Returns the bytes that a signature covers: the content of a pointer, and the kind of its data.
/// They include the SHA-256 of the manifest, which has those of all objects.
fn signed(kind: &str, pointer: &Pointer) -> Vec<u8> {
    let Pointer { format, sequence, generation, manifest_sha256, published_unix_s, signature: _ } = pointer;
    format!("mgdex publication\n{format}\n{kind}\n{sequence}\n{generation}\n{manifest_sha256}\n{published_unix_s}\n")
        .into()
}

#[cfg(test)]
pub(crate) mod tests {
    use aws_lc_rs::encoding::{AsDer, PublicKeyX509Der};

    use super::*;

    /// Returns a new key, and the PEM texts of its parts.
    pub(crate) fn new_key() -> (SigningKey, String, String) {
        let pair = Ed25519KeyPair::generate().expect("random numbers");
        let private = pair.to_pkcs8v1().expect("a key");
        let public: PublicKeyX509Der<'_> = pair.public_key().as_der().expect("a key");
        let text = |tag: &str, der: &[u8]| pem::encode(&pem::Pem::new(tag, der));
        let private = text("PRIVATE KEY", private.as_ref());
        (SigningKey::from_pem(&private).expect("a key"), private, text("PUBLIC KEY", public.as_ref()))
    }

    fn pointer() -> Pointer {
        Pointer {
            format: 1,
            sequence: 7,
            generation: "gen-00000000-0000-0000-0000-000000000007".parse().expect("a name"),
            manifest_sha256: "ab".repeat(32),
            published_unix_s: 3,
            signature: None,
        }
    }

    #[test]
    fn a_signature_covers_the_whole_pointer() {
        let (key, _, public) = new_key();
        let (other, _, other_public) = new_key();
        let keys = VerifyKey::from_pem(&public).expect("a key");
        let signed = Pointer { signature: Some(key.sign("words", &pointer())), ..pointer() };
        check(&keys, "words", &signed).expect("signed");
        check(&[], "words", &pointer()).expect("nothing is asked for");
        assert!(key.has_signed("words", &signed) && !other.has_signed("words", &signed));
        // While keys are replaced, there are two.
        for text in [format!("{other_public}{public}"), format!("{public}{other_public}")] {
            check(&VerifyKey::from_pem(&text).expect("keys"), "words", &signed).expect("signed");
        }
        let changes: [fn(&mut Pointer); 8] = [
            |pointer| pointer.format = 2,
            |pointer| pointer.sequence += 1,
            |pointer| pointer.generation = "gen-00000000-0000-0000-0000-000000000008".parse().expect("a name"),
            |pointer| pointer.manifest_sha256 = "ac".repeat(32),
            |pointer| pointer.published_unix_s += 1,
            |pointer| pointer.signature = None,
            |pointer| pointer.signature = Some("?".repeat(88)),
            |pointer| pointer.signature = Some(STANDARD.encode([0; 64])),
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut altered = signed.clone();
            change(&mut altered);
            let error = check(&keys, "words", &altered).expect_err("altered");
            assert!(matches!(error, Error::Signature { .. }), "{number}: {error}");
        }
        assert!(check(&keys, "others", &signed).is_err(), "a pointer of another kind");
        assert!(check(&VerifyKey::from_pem(&other_public).expect("a key"), "words", &signed).is_err());
    }

    #[test]
    fn keys_of_another_form_are_rejected() {
        let (_, private, public) = new_key();
        for text in ["", "x", &public, &private.replace("PRIVATE KEY", "EC PRIVATE KEY")] {
            assert!(matches!(SigningKey::from_pem(text), Err(Error::Key { .. })), "{text}");
        }
        let rsa = pem::encode(&pem::Pem::new("PUBLIC KEY", [0x30; 90]));
        for text in ["", "x", &private, &rsa, &format!("{public}{private}")] {
            assert!(matches!(VerifyKey::from_pem(text), Err(Error::Key { .. })), "{text}");
        }
    }
}
