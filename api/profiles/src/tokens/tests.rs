mod claims;
pub(super) mod keys;

use std::fs;
use std::time::Duration;

use jsonwebtoken::{EncodingKey, Header, encode, get_current_timestamp};
use proptest::prelude::*;
use serde_json::json;

use self::keys::{KEY, OTHER_KEY, TestKey, base64url};
use super::*;

const USER: &str = "usr-d8749acf-6a22-4438-accc-cc8d1877ba36";

/// Returns a verifier with the key in a new file.
fn verifier(issuer: Option<&str>) -> TokenVerifier {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("key.pem");
    fs::write(&file, KEY.public_pem()).expect("writable");
    TokenVerifier::load(vec![file], issuer.map(str::to_owned)).expect("a key")
}

/// Returns a correctly signed token with any header and claims.
fn signed(header: &str, claims: &str) -> String {
    signed_by(&KEY, header, claims)
}

fn signed_by(key: &TestKey, header: &str, claims: &str) -> String {
    let message = format!("{}.{}", base64url(header.as_bytes()), base64url(claims.as_bytes()));
    let key = EncodingKey::from_rsa_pem(key.private_pem().as_bytes()).expect("a private key");
    let signature = jsonwebtoken::crypto::sign(message.as_bytes(), &key, Algorithm::RS256).expect("signed");
    format!("{message}.{signature}")
}

/// Returns a signed token with valid claims, except those that are replaced, or left out if they
/// are null.
fn token(changes: Value) -> String {
    let mut claims = json!({"exp": get_current_timestamp() + 60, "sub": USER, "domains": ["a.b"]});
    let Value::Object(changes) = changes else { panic!("changes are an object") };
    for (name, value) in changes {
        if value.is_null() {
            claims.as_object_mut().expect("an object").remove(&name);
        } else {
            claims[name] = value;
        }
    }
    signed(r#"{"alg":"RS256"}"#, &claims.to_string())
}

fn new_token() -> NewToken {
    NewToken {
        user: USER.parse().expect("a reference"),
        name: Some("Karo Testing".into()),
        email: Some("karo@example.org".into()),
        groups: vec!["svc.admin".into(), "self.domain".into()],
        issuer: Some("https://tokens.example.org".into()),
        audience: None,
        ttl: Duration::from_mins(1),
    }
}

#[test]
fn minted_tokens_are_accepted_and_identify_their_user() {
    let token = new_token().sign(KEY.private_pem().as_bytes()).expect("signed");
    assert!(token.starts_with(&format!("{}.", base64url(br#"{"alg":"RS256"}"#))), "{token}");
    for issuer in [None, Some("https://tokens.example.org")] {
        let claims = verifier(issuer).verify(&token).expect("accepted");
        assert_eq!(claims.user.to_string(), USER);
        assert_eq!(claims.name.as_deref(), Some("Karo Testing"));
        assert_eq!(claims.email.as_deref(), Some("karo@example.org"));
        assert_eq!(claims.groups, ["svc.admin", "self.domain"]);
    }
}

#[test]
fn only_a_private_rsa_key_signs() {
    let ec = rcgen::KeyPair::generate().expect("a key").serialize_pem();
    for key in ["", "garbage", &KEY.public_pem(), &KEY.certificate_pem(), &ec] {
        let problem = new_token().sign(key.as_bytes()).expect_err(key).to_string();
        assert!(problem.contains("private RSA key"), "{problem}");
    }
}

#[test]
fn other_algorithms_are_rejected() {
    let claims = json!({"exp": get_current_timestamp() + 60, "sub": USER}).to_string();
    let body = base64url(claims.as_bytes());
    let verifier = verifier(None);
    for algorithm in
        ["none", "None", "NONE", "", "HS256", "HS512", "RS384", "RS512", "PS256", "ES256", "EdDSA", "rs256"]
    {
        let header = json!({"alg": algorithm}).to_string();
        let unsigned = format!("{}.{body}.", base64url(header.as_bytes()));
        assert_eq!(verifier.verify(&unsigned).err(), Some(TokenProblem::NoToken), "{algorithm}");
        assert_eq!(verifier.verify(&signed(&header, &claims)).err(), Some(TokenProblem::NoToken), "{algorithm}");
    }
    let encoded = |algorithm, key: &EncodingKey| {
        let claims: Value = serde_json::from_str(&claims).expect("JSON");
        encode(&Header::new(algorithm), &claims, key).expect("signed")
    };
    let private = EncodingKey::from_rsa_pem(KEY.private_pem().as_bytes()).expect("a private key");
    for algorithm in [Algorithm::RS384, Algorithm::RS512, Algorithm::PS256, Algorithm::PS384, Algorithm::PS512] {
        assert_eq!(verifier.verify(&encoded(algorithm, &private)).err(), Some(TokenProblem::NoToken), "{algorithm:?}");
    }
    let pem = KEY.public_pem();
    let lines: String = pem.lines().filter(|line| !line.starts_with('-')).collect();
    for secret in
        [pem.as_bytes(), pem.trim_end().as_bytes(), lines.as_bytes(), &KEY.public_der(), &KEY.pkcs1_der(), b""]
    {
        let token = encoded(Algorithm::HS256, &EncodingKey::from_secret(secret));
        assert_eq!(verifier.verify(&token).err(), Some(TokenProblem::NoToken));
        // The same header and claims, with the name of the right algorithm.
        let (_, rest) = token.split_once('.').expect("three parts");
        let renamed = format!("{}.{rest}", base64url(br#"{"alg":"RS256"}"#));
        assert_eq!(verifier.verify(&renamed).err(), Some(TokenProblem::Foreign));
    }
}

#[test]
fn headers_may_have_further_members_but_not_critical_ones() {
    let claims = json!({"exp": get_current_timestamp() + 60, "sub": USER}).to_string();
    let verifier = verifier(None);
    assert!(verifier.verify(&signed(r#"{"alg":"RS256","typ":"at+jwt","kid":"7","x":1}"#, &claims)).is_ok());
    for header in [
        r#"{"alg":"RS256","crit":["b64"],"b64":false}"#,
        r#"{"alg":"RS256","crit":["x"],"x":1}"#,
        r#"{"alg":"RS256","alg":"RS256"}"#,
        r#"{"alg":"none","alg":"RS256"}"#,
        r#"{"typ":"JWT"}"#,
        r#"{"alg":null}"#,
        "null",
        "[]",
        "",
    ] {
        assert_eq!(verifier.verify(&signed(header, &claims)).err(), Some(TokenProblem::NoToken), "{header}");
    }
}

#[test]
fn garbage_and_long_tokens_are_rejected() {
    let verifier = verifier(None);
    let good = token(json!({}));
    let (message, signature) = good.rsplit_once('.').expect("three parts");
    let huge = token(json!({"name": "a".repeat(20_000)}));
    let almost = token(json!({"name": "a".repeat(11_000)}));
    assert!(almost.len() < 16 << 10 && verifier.verify(&almost).is_ok());
    let deep = format!(r#"{{"sub":"{USER}","exp":{},"x":{}"#, u64::MAX, "[".repeat(5000));
    let deep = signed(r#"{"alg":"RS256"}"#, &deep);
    for text in
        ["", ".", "..", "...", "a.b.c", message, "ä.ö.ü", &huge, &format!("{good}."), &format!(".{good}"), &deep]
    {
        assert_eq!(verifier.verify(text).err(), Some(TokenProblem::NoToken), "{text}");
    }
    assert_eq!(verifier.verify(&format!("{message}.")).err(), Some(TokenProblem::Foreign));
    assert_eq!(verifier.verify(&format!("{message}.{}", &signature[4..])).err(), Some(TokenProblem::Foreign));
    assert_eq!(verifier.verify(&format!("{good}=")).err(), Some(TokenProblem::NoToken));
}

#[test]
fn without_keys_every_token_is_rejected() {
    let verifier = TokenVerifier::load(Vec::new(), None).expect("no file");
    assert_eq!(verifier.verify(&token(json!({}))).err(), Some(TokenProblem::Foreign));
    assert_eq!(verifier.verify("garbage").err(), Some(TokenProblem::NoToken));
    assert_eq!(verifier.reload().expect("nothing to read"), 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A token with an altered byte is always refused, and no text causes another failure.
    #[test]
    fn altered_tokens_are_refused(position in any::<prop::sample::Index>(), letter in "[A-Za-z0-9_.-]", text in ".{0,200}") {
        let verifier = verifier(None);
        let good = new_token().sign(KEY.private_pem().as_bytes()).expect("signed");
        let position = position.index(good.len());
        let mut altered = good.clone();
        altered.replace_range(position..=position, &letter);
        prop_assert_eq!(verifier.verify(&altered).is_ok(), altered == good);
        prop_assert!(verifier.verify(&text).is_err());
    }
}
