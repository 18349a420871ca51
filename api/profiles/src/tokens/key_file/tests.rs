use std::fs;

use proptest::prelude::*;
use serde_json::json;

use super::super::tests::keys::{KEY, OTHER_KEY, pem};
use super::*;

/// A key of 1024 bits.
const WEAK: &str = "-----BEGIN PUBLIC KEY-----
MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCX23EdG5zoQ2Vfh+JtVwnu4ZTF
k3wi0ezGffo2+VXRWWrz8FIIHgyboQNOx/spIyR9FVMuXcgHSzsyNp1fnL/BlK29
Qk7ZYxFewDAcSr+400lRR0LSWCaJGk6PtyejlAEigvObH4GPMyADJfkBgEydp/z6
NQ2Ftoga7U5bw8TGuQIDAQAB
-----END PUBLIC KEY-----
";

/// Returns the numbers of a key.
fn numbers(key: &DecodingKey) -> (Vec<u8>, Vec<u8>) {
    match key.kind() {
        jsonwebtoken::DecodingKeyKind::RsaModulusExponent { n, e } => (n.clone(), e.clone()),
        jsonwebtoken::DecodingKeyKind::SecretOrDer(_) => panic!("no numbers"),
    }
}

/// Returns the keys in a file with this content.
fn keys(content: impl AsRef<[u8]>) -> Vec<(Vec<u8>, Vec<u8>)> {
    parse(content.as_ref()).expect("keys").iter().map(numbers).collect()
}

#[test]
fn all_forms_of_a_key_give_the_same_key() {
    let key = keys(KEY.public_pem());
    assert_eq!((key.len(), key[0].0.len(), &*key[0].1), (1, 256, &[1, 0, 1][..]));
    for content in [
        pem("RSA PUBLIC KEY", &KEY.pkcs1_der()).into_bytes(),
        KEY.certificate_pem().into_bytes(),
        KEY.jwk().to_string().into_bytes(),
        json!({"keys": [KEY.jwk()]}).to_string().into_bytes(),
        format!("\u{feff} \r\n{}", KEY.public_pem()).into_bytes(),
        KEY.public_pem().replace('\n', "\r\n").into_bytes(),
        format!("what openssl prints\n{}", KEY.certificate_pem()).into_bytes(),
    ] {
        assert_eq!(keys(&content), key, "{}", String::from_utf8_lossy(&content));
    }
}

#[test]
fn a_file_may_hold_several_keys() {
    let both = [keys(KEY.public_pem()), keys(OTHER_KEY.public_pem())].concat();
    assert_ne!(both[0], both[1]);
    assert_eq!(keys(KEY.certificate_pem() + &OTHER_KEY.public_pem()), both);
    assert_eq!(keys(json!({"keys": [KEY.jwk(), OTHER_KEY.jwk()]}).to_string()), both);
}

#[test]
fn only_rs256_keys_of_a_set_are_read() {
    let with = |name: &str, value: &str| {
        let mut key = OTHER_KEY.jwk();
        key[name] = value.into();
        key
    };
    let others = [
        with("use", "enc"),
        with("alg", "RS512"),
        with("alg", "RSA-OAEP"),
        json!({"kty": "EC", "crv": "P-256", "x": "", "y": ""}),
        json!({"kty": "oct", "k": "c2VjcmV0"}),
        json!({"kty": "of the future"}),
    ];
    let set: Vec<_> = others.iter().cloned().chain([KEY.jwk()]).collect();
    assert_eq!(keys(json!({"keys": set}).to_string()), keys(KEY.public_pem()));
    assert!(parse(json!({"keys": others}).to_string().as_bytes()).is_err());
    let mut plain = KEY.jwk();
    for name in ["use", "alg", "kid"] {
        plain.as_object_mut().expect("an object").remove(name);
    }
    assert_eq!(keys(plain.to_string()), keys(KEY.public_pem()), "neither use nor alg is needed");
}

#[test]
fn errors_describe_unusable_keys() {
    let ec = rcgen::KeyPair::generate().expect("a key");
    let certificate = rcgen::CertificateParams::default().self_signed(&ec).expect("signed");
    let mut private = KEY.jwk();
    private["d"] = "AQAB".into();
    let mut without_modulus = KEY.jwk();
    without_modulus.as_object_mut().expect("an object").remove("n");
    let mut not_base64 = KEY.jwk();
    not_base64["n"] = "*".into();
    let key = KEY.jwk().to_string();
    let twice = key.replace(r#""kty":"RSA""#, r#""kty":"RSA","kty":"RSA""#);
    assert_ne!(key, twice);
    for (content, expected) in [
        (Vec::new(), "nothing"),
        (b" \n".to_vec(), "nothing"),
        (b"garbage".to_vec(), "something else"),
        (KEY.public_der(), "openssl x509 -inform der"),
        (KEY.certificate_der(), "openssl x509 -inform der"),
        (KEY.private_pem().into_bytes(), "private key"),
        (pem("RSA PRIVATE KEY", &[]).into_bytes(), "private key"),
        (pem("ENCRYPTED PRIVATE KEY", &[]).into_bytes(), "encrypted private key"),
        ((KEY.public_pem() + &KEY.private_pem()).into_bytes(), "private key"),
        (ec.public_key_pem().into_bytes(), "not RSA"),
        (certificate.pem().into_bytes(), "not RSA"),
        (WEAK.as_bytes().to_vec(), "1024 bits"),
        ((KEY.public_pem() + WEAK).into_bytes(), "1024 bits"),
        (KEY.public_pem().replace("-----END", "").into_bytes(), "PEM"),
        (pem("PUBLIC KEY", &KEY.pkcs1_der()).into_bytes(), "a broken block PUBLIC KEY"),
        (pem("PUBLIC KEY", &[KEY.public_der(), vec![0]].concat()).into_bytes(), "a broken block PUBLIC KEY"),
        (pem("DH PARAMETERS", &[]).into_bytes(), "DH PARAMETERS"),
        (b"{}".to_vec(), "JWK"),
        (b"{".to_vec(), "JWK"),
        (br#"{"keys":[]}"#.to_vec(), "JWK"),
        (private.to_string().into_bytes(), "private JWK"),
        (without_modulus.to_string().into_bytes(), "without n or e"),
        (not_base64.to_string().into_bytes(), "base64url"),
        (json!({"kty": "RSA", "n": "AQAB", "e": "AQAB"}).to_string().into_bytes(), "17 bits"),
        (twice.into_bytes(), "JWK"),
    ] {
        match parse(&content) {
            Err(problem) => assert!(problem.contains(expected), "{problem}: {expected}"),
            Ok(_) => panic!("{}", String::from_utf8_lossy(&content)),
        }
    }
}

#[test]
fn errors_name_the_file_and_what_is_expected() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("key.pem");
    let missing = read(&path).expect_err("missing").to_string();
    assert!(missing.contains("key.pem"), "{missing}");
    for content in [Vec::new(), vec![b' '; (1 << 20) + 1]] {
        fs::write(&path, content).expect("writable");
        let problem = read(&path).expect_err("no key").to_string();
        assert!(problem.contains("key.pem") && problem.contains("X.509 certificate in PEM"), "{problem}");
    }
}

proptest! {
    /// Reading any file ends, and returns usable keys or an error.
    #[test]
    fn damaged_files_give_usable_keys_or_an_error(
        form in 0_usize..6,
        place in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        length in any::<prop::sample::Index>(),
    ) {
        let mut content = match form {
            0 => KEY.public_der(),
            1 => KEY.pkcs1_der(),
            2 => KEY.certificate_der(),
            3 => KEY.certificate_pem().into_bytes(),
            4 => KEY.public_pem().into_bytes(),
            _ => KEY.jwk().to_string().into_bytes(),
        };
        let place = place.index(content.len());
        content[place] = byte;
        for content in [&content[..], &content[..length.index(content.len())]] {
            for key in parse(content).into_iter().flatten() {
                prop_assert!(numbers(&key).0.len() >= 256);
            }
        }
    }
}
