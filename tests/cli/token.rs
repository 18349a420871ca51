//! `mgdex token` prints a token that a server with the public key accepts.

use std::fs;
use std::path::PathBuf;

use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, get_current_timestamp};
use rcgen::{KeyPair, PKCS_RSA_SHA256};
use serde_json::{Value, json};

use crate::cli::{Done, run};
use support::TestFolder;
use support::program;

pub(crate) const USER: &str = "usr-d8749acf-6a22-4438-accc-cc8d1877ba36";

/// A key pair in files of a folder.
pub(crate) struct Keys {
    pub(crate) private: PathBuf,
    pub(crate) public: PathBuf,
    pair: KeyPair,
}

impl Keys {
    /// Makes a pair, and writes it into files that begin with a name.
    pub(crate) fn new(folder: &TestFolder, name: &str) -> Self {
        let pair = KeyPair::generate_for(&PKCS_RSA_SHA256).expect("a key");
        let path = |end: &str| folder.path().join(format!("{name}-{end}.pem"));
        let keys = Self { private: path("private"), public: path("public"), pair };
        fs::write(&keys.private, keys.pair.serialize_pem()).expect("writable");
        fs::write(&keys.public, keys.pair.public_key_pem()).expect("writable");
        keys
    }

    /// Prints a token.
    pub(crate) fn token(&self, arguments: &[&str]) -> Done {
        run(program().arg("token").arg("--key").arg(&self.private).args(arguments))
    }

    /// Returns a token of the user, an administrator.
    pub(crate) fn good_token(&self) -> String {
        let done = self.token(&["--sub", USER, "--name", "Karo", "--email", "k@example.org", "--domains", "svc.admin"]);
        assert_eq!((done.code, &*done.stderr), (Some(0), ""), "{done:?}");
        done.stdout.trim_end().to_owned()
    }

    /// Returns the claims of a token, if it is signed with this key.
    fn claims(&self, token: &str) -> Value {
        let key = DecodingKey::from_rsa_pem(self.pair.public_key_pem().as_bytes()).expect("a key");
        let mut validation = Validation::new(Algorithm::RS256);
        validation.validate_aud = false;
        decode::<Value>(token, &key, &validation).expect("a good token").claims
    }
}

#[test]
fn tokens_have_the_requested_claims() {
    let folder = TestFolder::empty();
    let keys = Keys::new(&folder, "a");
    let done = keys.token(&[
        "--sub",
        USER,
        "--name",
        "Karo Testing",
        "--email",
        "k@example.org",
        "--domains",
        "svc.admin,b",
        "--issuer",
        "https://i",
        "--audience",
        "account",
        "--ttl",
        "60",
    ]);
    assert_eq!((done.code, &*done.stderr, done.stdout.lines().count()), (Some(0), "", 1), "{done:?}");
    let mut claims = keys.claims(done.stdout.trim_end());
    let [exp, iat] = ["exp", "iat"].map(|name| claims[name].take().as_u64().expect("a time"));
    assert_eq!(exp, iat + 60);
    assert!(iat.abs_diff(get_current_timestamp()) < 60);
    let expected = json!({
        "iss": "https://i", "aud": "account", "exp": null, "iat": null, "sub": USER, "email": "k@example.org", "name": "Karo Testing", "domains": ["svc.admin", "b"]
    });
    assert_eq!(claims, expected);

    let mut command = program();
    command.arg("token").env("MGDEX_KEY", &keys.private).env("MGDEX_SUB", USER).env("MGDEX_DOMAINS", "a,b");
    let done = run(&mut command);
    let claims = keys.claims(done.stdout.trim_end());
    assert_eq!(
        (&claims["domains"], &claims["name"], &claims["iss"], &claims["aud"]),
        (&json!(["a", "b"]), &Value::Null, &Value::Null, &Value::Null)
    );
    assert_eq!(claims["exp"].as_u64(), claims["iat"].as_u64().map(|iat| iat + 3600), "an hour unless it is said");
}

#[test]
fn invalid_token_requests_are_refused() {
    let folder = TestFolder::empty();
    let keys = Keys::new(&folder, "a");
    for arguments in [&[][..], &["--sub", "karo"], &["--sub", USER, "--ttl", "0"], &["--sub", USER, "--ttl", "1h"]] {
        let done = keys.token(arguments);
        assert_eq!((done.code, &*done.stdout), (Some(2), ""), "{done:?}");
    }
    for (key, expected) in [
        (keys.public.clone(), "private RSA key"),
        (folder.path().join("missing.pem"), "cannot read"),
        (folder.path().to_owned(), "cannot read"),
    ] {
        let done = run(program().args(["token", "--sub", USER, "--key"]).arg(&key));
        assert_eq!((done.code, &*done.stdout), (Some(1), ""), "{done:?}");
        assert!(done.stderr.contains(expected) && done.stderr.contains(key.to_str().expect("text")), "{done:?}");
    }
}
