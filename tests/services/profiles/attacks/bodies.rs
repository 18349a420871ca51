//! Bodies that are too large, too deep, or disguised.

use serde_json::json;

use super::soon;
use crate::services::profiles::harness::Role::{Manager, Owner};
use crate::services::profiles::harness::{TEAM, World};

#[tokio::test]
async fn deep_nesting_is_refused_soon() {
    let world = World::new();
    let reference = world.user_profile().await;
    let path = format!("/profiles/{reference}");
    for depth in [10, 1000, 100_000] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")] {
            let close_all = |text: &str| format!("{text}1{}", close.repeat(depth));
            let deep = close_all(&open.repeat(depth));
            let size = deep.len();
            for text in [deep.clone(), open.repeat(depth), format!("{{\"a\":{deep}}}")] {
                let expected = if text.len() > 256 << 10 { 413 } else { 400 };
                let answer = soon("nesting", world.ask("PUT", &path, Owner, &[], &text)).await;
                assert_eq!(answer.status, expected, "{depth} of {open}, {size} bytes");
                let user = Owner.user();
                let body = format!("{{\"user\":{{\"userReference\":\"{user}\"}},\"attributes\":{text}}}");
                let answer = soon("nesting", world.ask("POST", "/profiles", Owner, &[], &body)).await;
                assert_eq!(answer.status, if body.len() > 256 << 10 { 413 } else { 400 }, "{depth} of {open}");
            }
        }
    }
    // Nesting is limited also in values that are ignored.
    let body = format!("{{\"domain\":{{\"domainReference\":\"{TEAM}\",\"x\":{}}}}}", "[".repeat(100_000));
    soon("nesting", world.ask("POST", "/profiles", Manager, &[], &body)).await.is(400);
    assert_eq!(world.get("/my/profile", Owner).await.etag(), "\"1\"");
}

#[tokio::test]
async fn a_hundred_thousand_keys_are_refused_soon() {
    let world = World::new();
    let reference = world.user_profile().await;
    let many: Vec<String> = (0..20_000).map(|number| format!("\"{number}\":\"\"")).collect();
    let body = format!("{{{}}}", many.join(","));
    assert!(body.len() < 256 << 10);
    soon("keys", world.ask("PUT", &format!("/profiles/{reference}"), Owner, &[], &body)).await.is(400);
}

#[tokio::test]
async fn invalid_utf_8_and_json_are_refused() {
    let world = World::new();
    let reference = world.user_profile().await;
    let authorization = format!("Bearer {}", Owner.token());
    let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
    for bytes in [
        &b"{\"a\":\"\xff\"}"[..],
        b"{\"\xc3\":\"a\"}",
        b"{\"a\":\"\xed\xa0\x80\"}",
        b"{\"a\":\"\xc0\x80\"}",
        b"\xff\xfe{\x00}\x00",
        b"{\"a\":\"\\ud800\"}",
        b"{\"a\":\"\\u12\"}",
        b"{\"a\":\"\x00\"}",
        b"{\"a\":\"\n\"}",
        b"{\"a\":\"b\"}\x00",
        b"{\"a\":\"b\"}{\"c\":\"d\"}",
    ] {
        let answer = world.send("PUT", &format!("/profiles/{reference}"), &headers, bytes.to_vec()).await;
        answer.check(&axum::http::Method::PUT, &format!("http://mgdex.test/profiles/{reference}"));
        assert_eq!(answer.status, 400, "{:?}: {answer:?}", String::from_utf8_lossy(bytes));
    }
    assert_eq!(world.get("/my/profile", Owner).await.etag(), "\"1\"");
}

/// Control characters in values: those of plain text are kept. Others could affect programs that
/// print them.
#[tokio::test]
async fn plain_text_is_kept_and_other_control_characters_are_refused() {
    let world = World::new();
    let reference = world.user_profile().await;
    for value in ["a\nb", "a\r\nb", "a\tb", "\u{2028}", "\u{200b}", "\u{fffd}", "\u{10ffff}"] {
        world.put(&reference, Owner, &json!({"a": value})).await.is(200);
        assert_eq!(world.get(&format!("/profiles/{reference}/a"), Owner).await.is(200).text, value);
    }
    for value in ["\u{0}", "a\u{0}b", "\u{1b}[2J", "\u{8}", "\u{7f}"] {
        for answer in [
            world.put(&reference, Owner, &json!({"a": value})).await,
            world.patch(&reference, Owner, &json!({"a": value})).await,
            world.post(Owner, &json!({"user": {"userReference": Owner.user()}, "attributes": {"a": value}})).await,
        ] {
            assert_eq!(answer.status, 400, "{value:?}: {answer:?}");
        }
    }
    assert_eq!(world.get(&format!("/profiles/{reference}/a"), Owner).await.is(200).text, "\u{10ffff}");
}
