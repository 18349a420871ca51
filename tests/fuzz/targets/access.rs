//! Tokens and keys, which decide who may do something, and the schemas of attributes.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use api_profiles::tokens::TokenVerifier;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use store::UserReference;
use store_profiles::{AttributeSchema, Attributes, SchemaError, SchemaLimits, UniqueJson};
use tempfile::TempDir;

use super::parts;
use super::site::with_site;

/// Parts that are a header and claims are signed; anything else is a token of its own. A token is
/// accepted only if all that it must claim is so.
pub(super) fn tokens(input: &[u8]) {
    let given = parts(input);
    with_site(|site| {
        let (token, is_good) = match given[..] {
            [("header", header), ("claims", claims)] => (site.token(header, claims), is_good(header, claims)),
            _ => match str::from_utf8(input) {
                Ok(token) => (token.trim_end().to_owned(), false),
                Err(_) => return,
            },
        };
        let authorization = format!("Bearer {token}");
        let answer = site.answer(Method::GET, "/profiles/info", &[("authorization", &authorization)], b"");
        let Some(answer) = answer else { return };
        assert!(matches!(answer.status.as_u16(), 200 | 400 | 401), "{}", answer.text());
        assert!(is_good || answer.status != StatusCode::OK, "{}", String::from_utf8_lossy(input));
    });
}

/// Returns whether a signed token may be accepted.
fn is_good(header: &[u8], claims: &[u8]) -> bool {
    let (Ok(header), Ok(claims)) = (serde_json::from_slice::<Value>(header), serde_json::from_slice::<Value>(claims))
    else {
        return false;
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs_f64();
    let is_number =
        |claim: &Value, is_in: fn(f64, f64) -> bool| claim.as_f64().is_some_and(|number| is_in(number, now));
    header["alg"] == "RS256"
        && header["crit"].is_null()
        && claims["aud"].is_null()
        && claims["sub"].as_str().is_some_and(|user| user.parse::<UserReference>().is_ok())
        && is_number(&claims["exp"], |expiry, now| expiry > now - 31.0)
        && (claims["nbf"].is_null() || is_number(&claims["nbf"], |begin, now| begin < now + 31.0))
}

thread_local! {
    static FOLDER: TempDir = TempDir::new().expect("a temporary folder");
}

/// A file of keys has at least one key, and none that is private.
pub(super) fn keys(input: &[u8]) {
    FOLDER.with(|folder| {
        let path = folder.path().join("key");
        fs::write(&path, input).expect("room");
        match TokenVerifier::load(vec![path], None) {
            Ok(verifier) => {
                assert!(verifier.num_keys() > 0 && verifier.reload().is_ok_and(|num| num == verifier.num_keys()));
                let text = String::from_utf8_lossy(input);
                assert!(!text.contains("-----BEGIN PRIVATE KEY-----\n"), "{text}");
            }
            Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
        }
    });
}

const LIMITS: SchemaLimits = SchemaLimits { bytes_max: 32 << 10, properties_max: 200 };

fn compiled(schema: &str) -> Option<AttributeSchema> {
    match AttributeSchema::parse(schema, LIMITS) {
        Ok(schema) => Some(schema),
        Err(SchemaError::Defects(defects)) => {
            assert!(!defects.details.is_empty() && defects.details.iter().all(|detail| detail.starts_with('$')));
            None
        }
        Err(SchemaError::TooLarge(problem)) => {
            assert!(!problem.is_empty());
            None
        }
    }
}

/// The parts are a schema and attributes. The order of attributes does not matter.
pub(super) fn schemas(input: &[u8]) {
    let [(_, schema), (_, attributes)] = parts(input)[..] else { return };
    let Some(schema) = str::from_utf8(schema).ok().and_then(compiled) else { return };
    let Ok(UniqueJson(Value::Object(members))) = serde_json::from_slice(attributes) else { return };
    let attributes: Attributes =
        members.iter().filter_map(|(key, value)| Some((key.as_str(), value.as_str()?))).collect();
    let reversed: Vec<_> = attributes.iter().collect();
    let reversed: Attributes = reversed.into_iter().rev().collect();
    let num = |attributes: &Attributes| schema.check(attributes).map_or_else(|found| found.num_violations(), |()| 0);
    assert_eq!(num(&attributes), num(&reversed));
}

/// The first line is a pattern, the rest a value. A group of the same pattern matches the same, and
/// so do alternatives, unless they refer to groups by number.
pub(super) fn patterns(input: &[u8]) {
    let Some((pattern, value)) = str::from_utf8(input).ok().and_then(|text| text.split_once('\n')) else { return };
    let attributes: Attributes = [("a", value)].into_iter().collect();
    let check = |pattern: &str| {
        let schema = compiled(&json!({"properties": {"a": {"pattern": pattern}}}).to_string())?;
        Some(schema.check(&attributes).is_ok())
    };
    let Some(is_matched) = check(pattern) else { return };
    let has_references = pattern.contains('\\');
    let alternatives = if has_references { format!("(?:(?:{pattern}))") } else { format!("{pattern}|{pattern}") };
    for same in [format!("(?:{pattern})"), format!("(?={pattern})"), alternatives] {
        if let Some(found) = check(&same) {
            assert_eq!(found, is_matched, "{pattern} and {same} on {value:?}");
        }
    }
}
