//! The stored text of a resource: its JSON, with marks where its links depend on the request.

/// Marks the prefix of a link.
const PREFIX: u8 = 1;

/// Marks `.suffix` and `?format=…`, if the request has them.
const FIRST_PARAMETER: u8 = 2;

/// Marks `&format=…` in a link with a query, if the request has it.
const NEXT_PARAMETER: u8 = 3;

/// How links are written for a request.
#[derive(Clone, Copy, Debug)]
pub struct LinkStyle<'a> {
    /// The beginning of all links to this server, such as `http://127.0.0.1:8080/metagenomics/api/v1`.
    pub prefix: &'a str,
    /// The suffix of the path that selects a format, such as `csv`, if the request has one. Links with a query get none.
    pub suffix: Option<&'a str>,
    /// The value of `format` for links, if the request has one.
    pub format: Option<&'a str>,
}

impl LinkStyle<'_> {
    /// Links that are bare paths.
    pub const PLAIN: LinkStyle<'static> = LinkStyle { prefix: "", suffix: None, format: None };
}

/// The stored text of a resource: compact JSON of a resource object. Links to this server lack their prefix and `format`; control
/// characters, which JSON does not contain, mark where these go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceBody(Vec<u8>);

impl ResourceBody {
    pub(super) fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns type and id, or `None` if the text does not begin with them. The texts of all published resources do.
    pub fn key(&self) -> Option<(String, String)> {
        let (resource_type, rest) = leading_string(self.0.strip_prefix(b"{\"type\":")?)?;
        let (id, _) = leading_string(rest.strip_prefix(b",\"id\":")?)?;
        Some((resource_type, id))
    }

    /// Appends the JSON of the resource, with links in the style of the request.
    pub fn render(&self, style: LinkStyle<'_>, json: &mut Vec<u8>) {
        let mut prefix = Vec::new();
        push_escaped(style.prefix, &mut prefix);
        let mut first_parameter = Vec::new();
        if let Some(suffix) = style.suffix {
            first_parameter.push(b'.');
            push_escaped(suffix, &mut first_parameter);
        }
        let parameter = |start: char| {
            // Form encoding leaves nothing that JSON would escape.
            let value = |format: &str| form_urlencoded::byte_serialize(format.as_bytes()).collect::<String>();
            style.format.map(|format| format!("{start}format={}", value(format)))
        };
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

/// Writes the stored text of a resource piece by piece.
#[derive(Debug, Default)]
pub struct ResourceBodyWriter(Vec<u8>);

impl ResourceBodyWriter {
    /// Appends JSON without links to this server, such as `{"type":"samples","attributes":{},"links":{"self":`.
    pub fn json(&mut self, text: &[u8]) -> &mut Self {
        debug_assert!(memchr::memchr3(PREFIX, FIRST_PARAMETER, NEXT_PARAMETER, text).is_none(), "JSON has no marks");
        self.0.extend_from_slice(text);
        self
    }

    /// Appends a link with its quotes: a percent-encoded path below the prefix of the service that begins with a slash, with or
    /// without a query.
    pub fn link(&mut self, path: &str) -> &mut Self {
        self.0.extend_from_slice(&[b'"', PREFIX]);
        push_escaped(path, &mut self.0);
        self.0.extend_from_slice(&[if path.contains('?') { NEXT_PARAMETER } else { FIRST_PARAMETER }, b'"']);
        self
    }

    /// Returns the text.
    pub fn finish(self) -> ResourceBody {
        ResourceBody(self.0)
    }
}

/// Splits a JSON string off the front of a text, and decodes it.
fn leading_string(json: &[u8]) -> Option<(String, &[u8])> {
    let mut values = serde_json::Deserializer::from_slice(json).into_iter();
    let text = values.next()?.ok()?;
    Some((text, &json[values.byte_offset()..]))
}

/// Appends a text as it is written between the quotes of a JSON string.
fn push_escaped(text: &str, json: &mut Vec<u8>) {
    let start = json.len();
    json.reserve(text.len() + 2);
    serde_json::to_writer(&mut *json, text).expect("writing into memory does not fail");
    json.pop();
    json.remove(start);
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
