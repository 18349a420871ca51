//! The claims of tokens.

use super::*;

#[test]
fn claims_that_are_not_strings_count_as_missing() {
    let claims = verifier(None)
        .verify(&token(json!({"name": 5, "email": ["a"], "domains": ["a", 1, null, {"b": 2}, "c"]})))
        .expect("accepted");
    assert_eq!((claims.name, claims.email), (None, None));
    assert_eq!(claims.groups, ["a", "c"]);
    for domains in [json!("a"), json!({"a": "b"}), json!(7)] {
        assert!(verifier(None).verify(&token(json!({"domains": domains}))).expect("accepted").groups.is_empty());
    }
    assert!(verifier(None).verify(&token(json!({"domains": null}))).expect("accepted").groups.is_empty());
}

#[test]
fn times_are_checked_with_a_leeway_of_half_a_minute() {
    let now = get_current_timestamp();
    let verifier = verifier(None);
    let problem = |claims| verifier.verify(&token(claims)).err();
    for (claims, expected) in [
        (json!({"exp": now - 20}), None),
        (json!({"exp": now - 40}), Some(TokenProblem::Expired)),
        (json!({"exp": 0}), Some(TokenProblem::Expired)),
        (json!({"exp": u64::MAX}), None),
        (json!({"exp": 1e300}), Some(TokenProblem::NoToken)),
        (json!({"exp": -1}), Some(TokenProblem::NoToken)),
        (json!({"exp": (now + 60).to_string()}), Some(TokenProblem::NoToken)),
        (json!({"exp": null}), Some(TokenProblem::NoToken)),
        (json!({"nbf": now + 20}), None),
        (json!({"nbf": now + 40}), Some(TokenProblem::Foreign)),
        (json!({"nbf": "soon"}), Some(TokenProblem::NoToken)),
        (json!({"iat": now + 1000}), None),
    ] {
        assert_eq!(problem(claims.clone()), expected, "{claims}");
    }
}

#[test]
fn tokens_count_as_expired_only_if_otherwise_valid() {
    let expired = json!({"exp": 1, "sub": USER}).to_string();
    let verifier = verifier(None);
    let header = r#"{"alg":"RS256"}"#;
    assert_eq!(verifier.verify(&signed(header, &expired)).err(), Some(TokenProblem::Expired));
    assert_eq!(verifier.verify(&signed_by(&OTHER_KEY, header, &expired)).err(), Some(TokenProblem::Foreign));
    let no_user = json!({"exp": 1}).to_string();
    assert_eq!(verifier.verify(&signed(header, &no_user)).err(), Some(TokenProblem::NoToken));
}

#[test]
fn the_issuer_counts_only_if_one_is_configured() {
    let open = verifier(None);
    let strict = verifier(Some("https://a"));
    for issuer in [json!(null), json!("https://b"), json!("https://a/"), json!(["https://a"]), json!(1), json!("")] {
        let token = token(json!({"iss": issuer}));
        assert!(open.verify(&token).is_ok(), "{issuer}");
        assert_eq!(strict.verify(&token).err(), Some(TokenProblem::Foreign), "{issuer}");
    }
    assert!(strict.verify(&token(json!({"iss": "https://a"}))).is_ok());
}

#[test]
fn tokens_for_other_servers_are_foreign() {
    for audience in [json!("me"), json!(["me"]), json!([]), json!(""), json!(7), json!({"a": 1})] {
        assert_eq!(verifier(None).verify(&token(json!({"aud": audience}))).err(), Some(TokenProblem::Foreign));
    }
}

#[test]
fn a_named_server_accepts_only_tokens_with_its_names() {
    let named = verifier(None).with_audience(vec!["account".to_owned(), "https://mgdex.test".to_owned()]);
    for audience in [
        json!("account"),
        json!("https://mgdex.test"),
        json!(["account"]),
        json!(["realm-management", "account"]),
        json!([7, null, "account"]),
    ] {
        let token = token(json!({"aud": audience}));
        assert!(named.verify(&token).is_ok(), "{audience}");
        assert_eq!(verifier(None).verify(&token).err(), Some(TokenProblem::Foreign), "{audience}");
    }
    for audience in [
        json!("Account"),
        json!("accounts"),
        json!("https://mgdex.test/"),
        json!(""),
        json!([]),
        json!([[]]),
        json!([["account"]]),
        json!(["other", 7]),
        json!(7),
        json!({"account": "account"}),
    ] {
        assert_eq!(named.verify(&token(json!({"aud": audience}))).err(), Some(TokenProblem::Foreign), "{audience}");
    }
    // A token without `aud` is not for this server either.
    assert_eq!(named.verify(&token(json!({}))).err(), Some(TokenProblem::Foreign));
    let written =
        |aud: &str| signed(r#"{"alg":"RS256"}"#, &format!(r#"{{"exp":4102444800,"sub":"{USER}","aud":{aud}}}"#));
    assert_eq!(named.verify(&written("null")).err(), Some(TokenProblem::Foreign));
    assert!(verifier(None).verify(&written("null")).is_ok());
    let made = NewToken { audience: Some("account".to_owned()), ..new_token() };
    assert!(named.verify(&made.sign(KEY.private_pem().as_bytes()).expect("signed")).is_ok());
}

#[test]
fn the_subject_must_be_a_user() {
    for subject in [
        json!(null),
        json!(""),
        json!("karo"),
        json!(7),
        json!([USER]),
        json!("prf-d8749acf-6a22-4438-accc-cc8d1877ba36"),
        json!("d8749acf-6a22-4438-accc-cc8d1877ba36"),
        json!(format!(" {USER}")),
        json!(format!("{USER} ")),
        json!(format!("{USER}\u{0}")),
        json!({"usr": USER}),
        json!(USER.to_ascii_uppercase()),
    ] {
        let problem = verifier(None).verify(&token(json!({"sub": subject}))).err();
        assert_eq!(problem, Some(TokenProblem::NoToken), "{subject}");
    }
}

#[test]
fn duplicate_claims_are_rejected() {
    let exp = get_current_timestamp() + 60;
    let other = "usr-00000000-0000-4000-8000-000000000000";
    let good = format!(r#""exp":{exp},"sub":"{USER}""#);
    for twice in [
        format!(r#"{{{good},"sub":"{other}"}}"#),
        format!(r#"{{{good},"\u0073ub":"{other}"}}"#),
        format!(r#"{{{good},"exp":1}}"#),
        format!(r#"{{{good},"domains":[],"domains":["svc.admin"]}}"#),
        format!(r#"{{{good},"email":"a","email":"b"}}"#),
        format!(r#"{{{good},"name":"a","name":"b"}}"#),
        format!(r#"{{{good},"iss":"a","iss":"b"}}"#),
        format!(r#"{{{good},"aud":null,"aud":"b"}}"#),
        format!(r#"{{{good},"nbf":1,"nbf":2}}"#),
    ] {
        let problem = verifier(None).verify(&signed(r#"{"alg":"RS256"}"#, &twice)).err();
        assert_eq!(problem, Some(TokenProblem::NoToken), "{twice}");
    }
}
