//! Rows "Bad / expired token" and "Verification": tokens that are not good.

use axum::http::Method;
use jsonwebtoken::Algorithm;
use serde_json::{Value, json};

use super::soon;
use crate::profiles::answer::Answer;
use crate::profiles::harness::Role::Owner;
use crate::profiles::harness::{Setup, World};
use crate::profiles::signing::{KEY, NEXT_KEY, base64, claims, in_seconds, signed, signed_under, signed_with_secret};
use crate::profiles::trap::Trap;

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

#[tokio::test]
async fn tokens_of_every_usual_form_are_accepted() {
    let world = World::new();
    let user = json!(Owner.user());
    for token in [
        Owner.token().to_owned(),
        token(&json!({})),
        token(&json!({"iat": null, "jti": "a", "nickname": "b", "iss": "https://anybody.test"})),
        token(&json!({"domains": ["svc.admin"], "nbf": in_seconds(-60)})),
        // Clocks may differ by half a minute.
        token(&json!({"exp": in_seconds(-10)})),
        token(&json!({"nbf": in_seconds(10)})),
        // The header of the real service.
        signed_under(&json!({"alg": "RS256"}), &KEY, &of(&json!({}))),
        signed_under(&json!({"alg": "RS256", "typ": "JWT"}), &KEY, &of(&json!({}))),
    ] {
        assert_eq!(with(&world, &token).await.is(200).json()["user"]["userReference"], user, "{token}");
    }
}

#[tokio::test]
async fn times_count() {
    let world = World::new();
    refused(&world, &token(&json!({"exp": in_seconds(-120)})), "TOKEN_EXPIRED").await;
    refused(&world, &token(&json!({"exp": 0})), "TOKEN_EXPIRED").await;
    for changes in [
        json!({"exp": null}),
        json!({"exp": "tomorrow"}),
        json!({"exp": in_seconds(600).to_string()}),
        json!({"exp": [in_seconds(600)]}),
        json!({"nbf": in_seconds(120)}),
        json!({"nbf": in_seconds(1 << 40)}),
    ] {
        refused(&world, &token(&changes), "INVALID_JWT").await;
    }
}

#[tokio::test]
async fn a_token_names_a_user() {
    let world = World::new();
    let user = Owner.user().to_string();
    for sub in [
        json!(null),
        json!(""),
        json!("ajay"),
        json!("usr-"),
        json!(user.to_uppercase()),
        json!(user.replace("usr-", "prf-")),
        json!(format!("{user}\u{0}")),
        json!(format!("{user} ")),
        json!([user]),
        json!({"usr": user}),
        json!(7),
    ] {
        refused(&world, &token(&json!({"sub": sub})), "INVALID_JWT").await;
    }
}

#[tokio::test]
async fn a_token_for_another_service_is_refused() {
    let world = World::new();
    for aud in [json!("elsewhere"), json!(["elsewhere", "mgdex.test"]), json!("http://mgdex.test")] {
        refused(&world, &token(&json!({"aud": aud})), "INVALID_JWT").await;
    }
}

#[tokio::test]
async fn only_the_configured_issuer_is_believed() {
    let world = World::with(Setup { issuer: Some("https://issuer.test/sp"), ..Setup::default() });
    with(&world, &token(&json!({"iss": "https://issuer.test/sp"}))).await.is(200);
    for iss in [
        json!(null),
        json!("https://issuer.test/sp/"),
        json!("https://ISSUER.test/sp"),
        json!("x"),
        json!(""),
        json!(["https://other.test"]),
    ] {
        refused(&world, &token(&json!({"iss": iss})), "INVALID_JWT").await;
    }
    // One that is expired and of another issuer is not told that it was good once.
    let changes = json!({"iss": "https://other.test", "exp": in_seconds(-120)});
    let code = with(&world, &token(&changes)).await.is(401).error().1;
    assert!(["INVALID_JWT", "TOKEN_EXPIRED"].contains(&code.as_str()), "{code}");
}

#[tokio::test]
async fn a_token_without_a_signature_is_refused() {
    let world = World::new();
    let body = base64(of(&json!({})).to_string().as_bytes());
    let [_, _, signature] = Owner.token().split('.').collect::<Vec<_>>()[..] else { panic!("three parts") };
    for header in [
        r#"{"alg":"none"}"#,
        r#"{"alg":"None","typ":"JWT"}"#,
        r#"{"alg":"nOnE"}"#,
        r#"{"alg":""}"#,
        r#"{"alg":null}"#,
        "{}",
        "[]",
        "null",
    ] {
        let header = base64(header.as_bytes());
        for token in [format!("{header}.{body}."), format!("{header}.{body}"), format!("{header}.{body}.{signature}")] {
            refused(&world, &token, "INVALID_JWT").await;
        }
    }
}

#[tokio::test]
async fn the_public_key_is_no_secret_to_sign_with() {
    let world = World::new();
    let pem = KEY.public_pem.as_bytes();
    let lines: String = KEY.public_pem.lines().filter(|line| !line.starts_with('-')).collect();
    let trimmed = KEY.public_pem.trim_end().as_bytes();
    for secret in [pem, trimmed, lines.as_bytes(), b"", b"secret"] {
        refused(&world, &signed_with_secret(secret, &of(&json!({}))), "INVALID_JWT").await;
    }
    // The same, with the name of the right algorithm.
    let token = signed_with_secret(pem, &of(&json!({})));
    let (_, rest) = token.split_once('.').expect("three parts");
    refused(&world, &format!("{}.{rest}", base64(br#"{"alg":"RS256"}"#)), "INVALID_JWT").await;
}

#[tokio::test]
async fn one_algorithm_is_accepted() {
    let world = World::new();
    for algorithm in [Algorithm::RS384, Algorithm::RS512, Algorithm::PS256, Algorithm::PS384, Algorithm::PS512] {
        refused(&world, &signed(algorithm, &KEY, &of(&json!({}))), "INVALID_JWT").await;
    }
    for name in ["RS384", "HS256", "ES256", "EdDSA", "rs256", "RS256 ", "XX"] {
        refused(&world, &signed_under(&json!({"alg": name}), &KEY, &of(&json!({}))), "INVALID_JWT").await;
    }
}

#[tokio::test]
async fn a_token_brings_no_key_of_its_own() {
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
async fn a_changed_token_is_refused() {
    let world = World::new();
    let token = Owner.token();
    let [header, body, signature] = token.split('.').collect::<Vec<_>>()[..] else { panic!("three parts") };
    let other = base64(
        of(&json!({"sub": crate::profiles::harness::Role::Admin.user(), "domains": ["svc.admin"]}))
            .to_string()
            .as_bytes(),
    );
    let flipped = if signature.starts_with('A') { "B" } else { "A" };
    for token in [
        format!("{header}.{other}.{signature}"),
        format!("{header}.{body}.{flipped}{}", &signature[1..]),
        format!("{header}.{body}.{}", &signature[..signature.len() - 4]),
        format!("{header}.{body}.{signature}A"),
        format!("{header}.{body}.{signature}=="),
        format!("{header}.{body}.{signature}.{signature}"),
        format!("{header}.{body}"),
        format!("{header}.{body}."),
        format!("{header}..{signature}"),
        format!(".{body}.{signature}"),
        format!("{header}.{body}.{}", "A".repeat(342)),
        "..".to_owned(),
        ".".to_owned(),
        "a.b.c".to_owned(),
        "eyJhb...h7HgQ".to_owned(),
        token.replace('.', "%2E"),
        format!("\"{token}\""),
    ] {
        refused(&world, &token, "INVALID_JWT").await;
    }
    with(&world, token).await.is(200);
}

#[tokio::test]
async fn a_huge_token_is_refused_soon() {
    let world = World::new();
    for token in [
        "a".repeat(1 << 20),
        format!("{}.{}.{}", "a".repeat(1 << 18), "b".repeat(1 << 18), "c".repeat(1 << 18)),
        ".".repeat(1 << 20),
        format!("{}.e30.e30", base64("{".repeat(100_000).as_bytes())),
        format!("{}.{}.AAAA", base64(br#"{"alg":"RS256"}"#), base64("[".repeat(100_000).as_bytes())),
    ] {
        refused(&world, &token, "INVALID_JWT").await;
    }
    // Whoever signs may be trusted not to name a million groups, but must not be able to break anything by it.
    let groups: Vec<String> = (0..20_000).map(|number| format!("group{number}")).collect();
    let status = soon("many groups", with(&world, &token(&json!({"domains": groups})))).await.status;
    assert!([200, 401].contains(&status), "{status}");
}

/// Claims that are there but of another kind are no fault of the server.
#[tokio::test]
async fn odd_claims_are_refused_or_passed_over() {
    let world = World::new();
    for changes in [
        json!({"domains": "svc.admin"}),
        json!({"domains": {"svc.admin": true}}),
        json!({"domains": [["svc.admin"], 1, null]}),
        json!({"domains": 1}),
        json!({"name": 1, "email": ["a"]}),
        json!({"name": "n".repeat(5000), "email": ""}),
        json!({"name": "a\u{0}b", "email": "\u{1b}[2J"}),
        json!({"name": {"a": "b"}}),
    ] {
        let answer = with(&world, &token(&changes)).await;
        assert!([200, 401].contains(&answer.status), "{changes}: {answer:?}");
        // In no form do they make an administrator.
        let authorization = format!("Bearer {}", token(&changes));
        let export = world.send("GET", "/profiles/export", &[("authorization", &authorization)], "").await;
        assert!([401, 403].contains(&export.status), "{changes}: {export:?}");
    }
}

#[tokio::test]
async fn two_tokens_are_one_too_many() {
    let world = World::new();
    let (good, bad) = (format!("Bearer {}", Owner.token()), "Bearer a.b.c".to_owned());
    for headers in [[good.as_str(), &bad], [&bad, &good], [&good, &good]] {
        let answer = world.send("GET", "/my/profile", &headers.map(|value| ("authorization", value)), "").await;
        assert!([400, 401].contains(&answer.status), "{answer:?}");
    }
}
