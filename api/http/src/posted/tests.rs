use axum::body::Bytes;
use axum::http::HeaderValue;
use futures_util::stream;

use super::*;

const TYPES: &[&str] = &["application/json"];

#[test]
fn content_types_and_encodings_are_checked() {
    for (value, expected) in [
        (Some("application/json"), true),
        (Some("application/json;charset=UTF-8"), true),
        (Some("Application/JSON ; x=y"), true),
        (Some("application/merge-patch+json"), false),
        (Some("application/jsonx"), false),
        (Some("text/plain"), false),
        (Some(""), false),
        (None, false),
    ] {
        let headers = value.map(|value| (header::CONTENT_TYPE, HeaderValue::from_static(value)));
        let mut headers: HeaderMap = headers.into_iter().collect();
        assert_eq!(is_sent_as(&headers, TYPES, false), expected, "{value:?}");
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        assert!(is_compressed(&headers));
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("Identity"));
        assert!(!is_compressed(&headers));
    }
    assert!(is_sent_as(&HeaderMap::new(), TYPES, true) && is_sent_as(&HeaderMap::new(), &["text/plain", ""], false));
}

#[tokio::test]
async fn reading_stops_at_the_byte_limit() {
    assert_eq!(read(Body::from("12345"), 5).await.expect("short enough"), b"12345");
    let endless = stream::repeat_with(|| Ok::<_, std::io::Error>(Bytes::from_static(b"12")));
    for body in [Body::from_stream(endless), Body::from("123456")] {
        assert!(matches!(read(body, 5).await, Err(BodyFault::TooLarge(5))));
    }
    let broken = stream::iter([Ok(Bytes::from_static(b"1")), Err(std::io::Error::other("gone"))]);
    assert!(matches!(read(Body::from_stream(broken), 5).await, Err(BodyFault::Malformed(_))));
}

#[test]
fn sequences_are_counted_before_they_are_read() {
    for (text, expected) in [("", 0), ("\n \r\n", 0), ("MKV\n", 1), ("\nMKV\n>a\nMKV\n>b", 3), (">a\nMKV>\n>\n", 2)] {
        assert_eq!(num_sequences(text.as_bytes()), expected, "{text:?}");
        let mut reader = FastaReader::new(text.as_bytes());
        let read = std::iter::from_fn(|| reader.next_sequence().expect("memory")).count();
        assert_eq!(read, expected, "{text:?}");
    }
}

const KIND: BodyKind = BodyKind { content_types: &[JSON], bytes_max: 1000, values_max: (4, "values"), copies: 1 };

fn contents(content_type: &str, text: &str) -> Contents {
    Contents { kind: KIND, coding: Coding::of(content_type), bytes: text.into() }
}

fn fields(content_type: &str, text: &str) -> Result<Vec<(String, String)>, BodyFault> {
    let members = contents(content_type, text).members()?;
    let pairs = members
        .into_iter()
        .flat_map(|(name, given)| given.into_texts().expect("texts").into_iter().map(move |text| (name.clone(), text)));
    Ok(pairs.collect())
}

#[test]
fn members_and_fields_are_read_alike() {
    let part =
        |more: &str, value: &str| format!("--x\r\nContent-Disposition: form-data; name=\"a\"{more}\r\n\r\n{value}\r\n");
    let parts = format!("{}{}--x--", part("", "1"), part("; filename=\"f\"", "2 3"));
    let expected = [("a", "1"), ("a", "2 3")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    for (content_type, text) in [
        ("application/json", r#"{"a": [1, "2 3"]}"#),
        ("Application/X-WWW-form-urlencoded; charset=utf-8", "a=1&a=2+3"),
        ("multipart/form-data; boundary=x", &parts),
    ] {
        assert_eq!(fields(content_type, text).expect("readable"), expected, "{content_type}");
    }
    for text in ["[]", "1", "{\"a\": 1, \"a\": 2}", "{\"a\"", "{} {}"] {
        assert!(matches!(fields(JSON, text), Err(BodyFault::Malformed(_))), "{text}");
    }
    for text in ["", "--x", "--y\r\n"] {
        let read = fields("multipart/form-data; boundary=x", text);
        assert!(matches!(read, Err(BodyFault::Malformed(_))), "{text}: {read:?}");
    }
}

#[test]
fn reading_stops_at_the_first_value_beyond_the_limit() {
    // The damage after that is not noticed.
    let part = "--x\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n";
    for (content_type, text) in [
        (JSON, "{\"a\": [1, 2, 3, [".to_owned()),
        (JSON, "{\"a\": 1, \"b\": {\"c\": {\"d\": 1, \"e\": !".to_owned()),
        (FORM, "a=&b=&c=&d=&e=".to_owned()),
        ("multipart/form-data; boundary=x", part.repeat(6)),
    ] {
        assert!(matches!(fields(content_type, &text), Err(BodyFault::TooMany((4, "values")))), "{text}");
    }
}

#[test]
fn items_are_read_from_arrays_and_lines() {
    let items = |content_type, text: &str| {
        let mut items = Vec::new();
        contents(content_type, text).items(|item| items.push(item.to_owned())).map(|()| items)
    };
    assert_eq!(items("text/plain", "\u{feff}a,b \r\n\n c").expect("words"), ["a", "b", "c"]);
    let array = r#" ["a b", 13, {"x": [1]}, "\u0031"] "#;
    assert_eq!(items(JSON, array).expect("items"), ["a b", "13", r#"{"x": [1]}"#, "1"]);
    for text in ["{}", "[1", "[1] 2", "12"] {
        assert!(matches!(items(JSON, text), Err(BodyFault::Malformed(_))), "{text}");
    }
    for (content_type, text) in [("text/plain", "1\n2\n3\n4\n5"), (JSON, "[1,2,3,4,5,!")] {
        assert!(matches!(items(content_type, text), Err(BodyFault::TooMany(_))), "{text}");
    }
}
