//! The stored text of a resource: its JSON, with marks where links depend on who asks.

use std::io::Write;

/// Stands where the prefix of a link goes.
const PREFIX: u8 = 1;

/// Stands where the suffix goes if the request had one, then `?format=…` likewise.
const FIRST_PARAMETER: u8 = 2;

/// Stands where `&format=…` goes likewise, in a link that has a query.
const NEXT_PARAMETER: u8 = 3;

/// How links are written for a request.
#[derive(Clone, Copy, Debug)]
pub struct LinkStyle<'a> {
    /// What all links of this server begin with, such as `http://127.0.0.1:8080/metagenomics/api/v1`.
    pub prefix: &'a str,
    /// The ending of paths that chooses a format, such as `csv`, if the request had one. Links that have a query carry none.
    pub suffix: Option<&'a str>,
    /// The value of `format` that links carry, as the request had it.
    pub format: Option<&'a str>,
}

impl LinkStyle<'_> {
    /// The style of links that are paths and nothing more.
    pub const PLAIN: LinkStyle<'static> = LinkStyle { prefix: "", suffix: None, format: None };
}

/// A resource as it is stored: compact JSON of a resource object, in which a link to this server is written without its prefix and
/// `format`. Control characters mark where they go; JSON has none of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceBody(Vec<u8>);

impl ResourceBody {
    /// Takes stored bytes.
    pub(super) fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// Returns the bytes to store.
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the type and the id; `None` if the text does not begin with them, as that of every published resource does.
    pub fn key(&self) -> Option<(String, String)> {
        let (resource_type, rest) = leading_string(self.0.strip_prefix(b"{\"type\":")?)?;
        let (id, _) = leading_string(rest.strip_prefix(b",\"id\":")?)?;
        Some((resource_type, id))
    }

    /// Appends the JSON of the resource, with its links as the request wants them.
    pub fn render(&self, style: LinkStyle<'_>, json: &mut Vec<u8>) {
        let mut prefix = Vec::new();
        push_escaped(style.prefix, &mut prefix);
        let mut first_parameter = Vec::new();
        if let Some(suffix) = style.suffix {
            first_parameter.push(b'.');
            push_escaped(suffix, &mut first_parameter);
        }
        // Form encoding leaves nothing that JSON would escape.
        let parameter = |start: char| style.format.map(|format| format!("{start}format={}", encode_form(format)));
        first_parameter.extend_from_slice(parameter('?').unwrap_or_default().as_bytes());
        let next_parameter = parameter('&').unwrap_or_default();
        json.reserve(self.0.len() + self.0.len() / 2);
        let mut start = 0;
        for mark in memchr::memchr3_iter(PREFIX, FIRST_PARAMETER, NEXT_PARAMETER, &self.0) {
            json.extend_from_slice(&self.0[start..mark]);
            start = mark + 1;
            match self.0[mark] {
                PREFIX => json.extend_from_slice(&prefix),
                FIRST_PARAMETER => json.extend_from_slice(&first_parameter),
                _ => json.extend_from_slice(next_parameter.as_bytes()),
            }
        }
        json.extend_from_slice(&self.0[start..]);
    }
}

/// Writes the text of a resource piece by piece.
#[derive(Debug, Default)]
pub struct ResourceBodyWriter {
    /// What was written.
    text: Vec<u8>,
}

impl ResourceBodyWriter {
    /// Appends JSON text that has no links of this server, such as `{"type":"samples","attributes":{},"links":{"self":`.
    pub fn json(&mut self, text: &[u8]) -> &mut Self {
        debug_assert!(memchr::memchr3(PREFIX, FIRST_PARAMETER, NEXT_PARAMETER, text).is_none(), "JSON has no marks");
        self.text.extend_from_slice(text);
        self
    }

    /// Appends a link, with its quotes: a path below the service's prefix that begins with a slash and is percent-encoded already,
    /// with a query or without.
    pub fn link(&mut self, path: &str) -> &mut Self {
        self.text.extend_from_slice(&[b'"', PREFIX]);
        push_escaped(path, &mut self.text);
        self.text.extend_from_slice(&[if path.contains('?') { NEXT_PARAMETER } else { FIRST_PARAMETER }, b'"']);
        self
    }

    /// Ends the text.
    pub fn finish(self) -> ResourceBody {
        ResourceBody(self.text)
    }
}

/// Splits a JSON string off the front of a text, and decodes it.
fn leading_string(json: &[u8]) -> Option<(String, &[u8])> {
    let mut values = serde_json::Deserializer::from_slice(json).into_iter();
    let text = values.next()?.ok()?;
    Some((text, &json[values.byte_offset()..]))
}

/// Appends a text as it stands between the quotes of a JSON string.
fn push_escaped(text: &str, json: &mut Vec<u8>) {
    let is_plain = |byte: u8| byte >= 0x20 && byte != b'"' && byte != b'\\';
    if text.bytes().all(is_plain) {
        json.extend_from_slice(text.as_bytes());
        return;
    }
    for character in text.chars() {
        match character {
            '"' | '\\' => json.extend_from_slice(&[b'\\', character as u8]),
            '\0'..='\x1f' => {
                write!(json, "\\u{:04x}", u32::from(character)).expect("writing into memory does not fail");
            }
            _ => json.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

/// Returns a value as it stands in a query.
fn encode_form(value: &str) -> String {
    form_urlencoded::byte_serialize(value.as_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn render(body: &ResourceBody, prefix: &str, format: Option<&str>) -> Value {
        let mut text = b"[".to_vec();
        body.render(LinkStyle { prefix, suffix: None, format }, &mut text);
        text.push(b']');
        let mut values: Vec<Value> =
            serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&text)));
        values.remove(0)
    }

    #[test]
    fn links_are_as_the_request_wants_them() {
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
    fn a_suffix_stands_before_the_format_of_links_without_a_query() {
        let mut writer = ResourceBodyWriter::default();
        writer.json(b"[").link("/samples/1").json(b",").link("/samples?study=2").json(b"]");
        let body = writer.finish();
        for (format, expected) in [
            (None, r#"["/samples/1.csv","/samples?study=2"]"#),
            (Some("json"), r#"["/samples/1.csv?format=json","/samples?study=2&format=json"]"#),
        ] {
            let mut text = Vec::new();
            body.render(LinkStyle { prefix: "", suffix: Some("csv"), format }, &mut text);
            assert_eq!(String::from_utf8(text).expect("text"), expected);
        }
    }

    #[test]
    fn weird_characters_stay_themselves() {
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
        assert_eq!(ResourceBody::from_bytes(body.as_bytes().to_vec()), body);
    }

    #[test]
    fn texts_without_links_are_copied() {
        let mut writer = ResourceBodyWriter::default();
        writer.json(b"{\n\t\"a\": 1}");
        assert_eq!(render(&writer.finish(), "x", Some("json")), json!({"a": 1}));
    }
}
