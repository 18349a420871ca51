use serde_json::{Value, json};

use super::*;

fn render(body: &ResourceBody, prefix: &str, format: Option<&str>) -> Value {
    let mut text = b"[".to_vec();
    body.render(&LinkStyle::new(prefix, None, format), &mut text);
    text.push(b']');
    let mut values: Vec<Value> =
        serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&text)));
    values.remove(0)
}

#[test]
fn links_follow_the_style_of_the_request() {
    let mut writer = ResourceBodyWriter::default();
    writer.json(br#"{"name":"a\u0001b","self":"#).link("/samples/1");
    writer.json(br#","more":"#).link("/samples?study=2&x=%22").json(b"}");
    let body = writer.finish();
    assert_eq!(
        render(&body, "http://host/v1", None),
        json!({"name": "a\u{1}b", "self": "http://host/v1/samples/1", "more": "http://host/v1/samples?study=2&x=%22"})
    );
    assert_eq!(
        render(&body, "", Some("json")),
        json!({"name": "a\u{1}b", "self": "/samples/1?format=json", "more": "/samples?study=2&x=%22&format=json"})
    );
}

#[test]
fn a_suffix_precedes_the_format_in_links_without_a_query() {
    let mut writer = ResourceBodyWriter::default();
    writer.json(b"[").link("/samples/1").json(b",").link("/samples?study=2").json(b"]");
    let body = writer.finish();
    for (format, expected) in [
        (None, r#"["/samples/1.csv","/samples?study=2"]"#),
        (Some("json"), r#"["/samples/1.csv?format=json","/samples?study=2&format=json"]"#),
    ] {
        let mut text = Vec::new();
        body.render(&LinkStyle::new("", Some("csv"), format), &mut text);
        assert_eq!(String::from_utf8(text).expect("text"), expected);
    }
}

#[test]
fn special_characters_stay_unchanged() {
    let path = "/a\"b\\c\u{1}\u{2}\u{3}\n\u{7f}é😀";
    let mut writer = ResourceBodyWriter::default();
    writer.link(path);
    let prefix = "http://ho\"st\\\u{2}ü";
    let format = "a&b=\"\u{1}\\ é+%";
    let body = writer.finish();
    assert_eq!(
        render(&body, prefix, Some(format)),
        json!(format!("{prefix}{path}?format=a%26b%3D%22%01%5C+%C3%A9%2B%25"))
    );
    assert_eq!(render(&body, prefix, None), json!(format!("{prefix}{path}")));
    let mut stored = Vec::new();
    body.store(&mut stored);
    assert_eq!(ResourceBody::from_stored(&stored), body);
}

#[test]
fn a_part_is_replaced_with_its_links() {
    let mut writer = ResourceBodyWriter::default();
    writer.json(b"[").link("/a").json(b",").link("/old").json(b",").link("/z?y").json(b"]");
    let mut by = ResourceBodyWriter::default();
    by.json(b"{\"x\":").link("/new").json(b"}");
    let replaced = writer.finish().replaced(6..12, &by.finish());
    assert_eq!(
        render(&replaced, "http://h", Some("json")),
        json!(["http://h/a?format=json", {"x": "http://h/new?format=json"}, "http://h/z?y&format=json"])
    );
    let mut by = ResourceBodyWriter::default();
    by.json(b"0");
    let shorter = replaced.replaced(1..replaced.json().len() - 8, &by.finish());
    assert_eq!(render(&shorter, "http://h", None), json!([0, "http://h/z?y"]));
}

#[test]
fn exports_have_the_origin_and_the_document() {
    let found_in = vec![("studies".to_owned(), "MGYS1".to_owned(), "publications".to_owned())];
    let origin = ResourceOrigin { found_in, is_included: true, ..ResourceOrigin::default() };
    let mut writer = ResourceBodyWriter::default();
    writer.json(b"{\"self\":").link("/a").json(b"}");
    let body = writer.finish().with_origin(&origin);
    let mut stored = Vec::new();
    body.store(&mut stored);
    let read = ResourceBody::from_stored(&stored);
    assert_eq!((&read, read.origin()), (&body, Some(origin)));
    let (mut shown, mut whole) = (Vec::new(), Vec::new());
    read.render(&LinkStyle::default(), &mut shown);
    read.render_whole(&LinkStyle::default(), &mut whole);
    assert_eq!(String::from_utf8(shown).expect("text"), r#"{"self":"/a"}"#);
    let expected = r#"{"self":"/a","@origin":{"found-in":[["studies","MGYS1","publications"]]}}"#;
    assert_eq!(String::from_utf8(whole).expect("text"), expected);
}

#[test]
fn texts_without_links_are_copied() {
    let mut writer = ResourceBodyWriter::default();
    writer.json(b"{\n\t\"a\": 1}");
    assert_eq!(render(&writer.finish(), "x", Some("json")), json!({"a": 1}));
}
