//! Rows "Bad / expired token" and "Verification": invalid tokens.

use axum::http::Method;
use jsonwebtoken::Algorithm;
use serde_json::{Value, json};

use super::soon;
use crate::services::profiles::answer::Answer;
use crate::services::profiles::harness::Role::{Admin, Owner};
use crate::services::profiles::harness::{Setup, World};
use crate::services::profiles::signing::{
    KEY, NEXT_KEY, base64, claims, in_seconds, signed, signed_under, signed_with_secret,
};
use crate::services::profiles::trap::Trap;

/// Asks with a token.
async fn with(world: &World, token: &str) -> Answer {
    let authorization = format!("Bearer {token}");
    let answer = world.send("GET", "/my/profile", &[("authorization", &authorization)], "").await;
    answer.check(&Method::GET, "http://mgdex.test/my/profile");
    answer
}

/// Asks with a token that must be refused for a reason.
async fn refused(world: &World, token: &str, code: &str) {
    let shown: String = token.chars().take(200).collect();
    let answer = soon(&shown, with(world, token)).await;
    assert_eq!(answer.error(), (401, code.to_owned()), "{shown}");
    assert_eq!(answer.header("www-authenticate"), "Bearer realm=\"profile\", error=\"invalid_token\"", "{shown}");
}

/// Returns claims of the owner with changes.
fn of(changes: &Value) -> Value {
    claims(Owner.user(), changes)
}

/// Returns a token of the owner with changed claims, properly signed.
fn token(changes: &Value) -> String {
    signed(Algorithm::RS256, &KEY, &of(changes))
}

/// The tests of the verifier have each defect in all its forms.
#[tokio::test]
async fn defects_of_tokens_have_their_own_codes() {
    let world = World::new();
    let [header, body, signature] = Owner.token().split('.').collect::<Vec<_>>()[..] else { panic!("three parts") };
    let admin = base64(of(&json!({"sub": Admin.user(), "domains": ["svc.admin"]})).to_string().as_bytes());
    for (token, code) in [
        (token(&json!({"exp": in_seconds(-120)})), "TOKEN_EXPIRED"),
        (token(&json!({"exp": null})), "INVALID_JWT"),
        (token(&json!({"nbf": in_seconds(120)})), "INVALID_JWT"),
        (token(&json!({"sub": "ajay"})), "INVALID_JWT"),
        (token(&json!({"aud": "http://mgdex.test"})), "INVALID_JWT"),
        (signed(Algorithm::PS256, &KEY, &of(&json!({}))), "INVALID_JWT"),
        (signed_with_secret(KEY.public.as_bytes(), &of(&json!({}))), "INVALID_JWT"),
        (format!("{}.{body}.", base64(br#"{"alg":"none"}"#)), "INVALID_JWT"),
        (format!("{header}.{admin}.{signature}"), "INVALID_JWT"),
        (Owner.token().replace('.', "%2E"), "INVALID_JWT"),
        (format!("\"{}\"", Owner.token()), "INVALID_JWT"),
    ] {
        refused(&world, &token, code).await;
    }
    let world = World::with(Setup { issuer: Some("https://issuer.test/sp"), ..Setup::default() });
    with(&world, &token(&json!({"iss": "https://issuer.test/sp"}))).await.is(200);
    // An expired token of another issuer is reported as invalid, because it was never valid.
    let changes = json!({"iss": "https://other.test", "exp": in_seconds(-120)});
    let code = with(&world, &token(&changes)).await.is(401).error().1;
    assert!(["INVALID_JWT", "TOKEN_EXPIRED"].contains(&code.as_str()), "{code}");
    refused(&world, &token(&json!({"iss": "https://ISSUER.test/sp"})), "INVALID_JWT").await;
}

#[tokio::test]
async fn keys_in_tokens_are_ignored() {
    let world = World::new();
    let trap = Trap::new();
    let url = format!("http://{}/keys", trap.address());
    let jwk = json!({"kty": "RSA", "alg": "RS256", "n": "sXchDaQebHnPiGvyDOAT4saGEUetSyo9MKLOoWFsueri23bOdgWp4Dy1Wl", "e": "AQAB"});
    for header in [
        json!({"alg": "RS256"}),
        json!({"alg": "RS256", "jku": url, "kid": "1"}),
        json!({"alg": "RS256", "x5u": url}),
        json!({"alg": "RS256", "jwk": jwk}),
        json!({"alg": "RS256", "kid": "../../../../dev/null"}),
        json!({"alg": "RS256", "kid": url}),
    ] {
        refused(&world, &signed_under(&header, &NEXT_KEY, &of(&json!({}))), "INVALID_JWT").await;
    }
    trap.expect_nobody().await;
}

#[tokio::test]
async fn requests_with_two_tokens_are_refused() {
    let world = World::new();
    let (good, bad) = (format!("Bearer {}", Owner.token()), "Bearer a.b.c".to_owned());
    for headers in [[good.as_str(), &bad], [&bad, &good], [&good, &good]] {
        let answer = world.send("GET", "/my/profile", &headers.map(|value| ("authorization", value)), "").await;
        assert!([400, 401].contains(&answer.status), "{answer:?}");
    }
}
