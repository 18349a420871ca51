//! The stored text of a resource.

use serde::Serialize;
use serde_json::Value;
use store_catalogue::{ResourceBody, ResourceBodyWriter};

use crate::read::{Members, Resource, own_path};

/// A part of a resource that may have links.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Relationships,
    Relationship,
    /// An entry of the `data` of a relationship, or a list of them.
    Data,
    Links,
    /// A URL, or an object with `href`.
    Link,
    Href,
    /// Has no links.
    Other,
}

impl Part {
    /// Returns the part that a member of this part is.
    fn member(self, name: &str) -> Self {
        match (self, name) {
            (Self::Relationships, _) => Self::Relationship,
            (Self::Relationship, "data") => Self::Data,
            (Self::Relationship | Self::Data, "links") => Self::Links,
            (Self::Links, _) => Self::Link,
            (Self::Link, "href") => Self::Href,
            _ => Self::Other,
        }
    }
}

/// Writes JSON, and marks links to this server.
#[derive(Default)]
struct BodyText {
    writer: ResourceBodyWriter,
    /// The JSON since the last link.
    json: Vec<u8>,
}

/// Returns the text of a resource as compact JSON: its members in the order of JSON:API, and their
/// members in the order of the input.
pub(crate) fn body(resource: &Resource) -> ResourceBody {
    let mut text = BodyText::default();
    text.raw(b"{\"type\":");
    text.json(&resource.kind);
    text.raw(b",\"id\":");
    text.json(&resource.id);
    if let Some(attributes) = &resource.attributes {
        text.raw(b",\"attributes\":");
        text.json(attributes);
    }
    if let Some(relationships) = &resource.relationships {
        text.raw(b",\"relationships\":");
        text.object(relationships, Part::Relationships);
    }
    if let Some(links) = &resource.links {
        text.raw(b",\"links\":");
        text.object(links, Part::Links);
    }
    for (name, value) in &resource.others {
        text.raw(b",");
        text.json(name);
        text.raw(b":");
        text.json(value);
    }
    text.raw(b"}");
    text.writer.json(&text.json);
    text.writer.finish()
}

impl BodyText {
    fn raw(&mut self, bytes: &[u8]) {
        self.json.extend(bytes);
    }

    fn json(&mut self, value: &(impl Serialize + ?Sized)) {
        serde_json::to_writer(&mut self.json, value)
            .expect("memory takes all, and JSON values have no other keys than strings");
    }

    fn value(&mut self, value: &Value, part: Part) {
        match (value, part) {
            (_, Part::Other) => self.json(value),
            (Value::Object(members), _) => self.object(members, part),
            (Value::Array(entries), Part::Data) => {
                self.raw(b"[");
                for (rank, entry) in entries.iter().enumerate() {
                    self.raw(if rank == 0 { b"" } else { b"," });
                    self.value(entry, if entry.is_object() { part } else { Part::Other });
                }
                self.raw(b"]");
            }
            (Value::String(url), Part::Link | Part::Href) => match own_path(url) {
                Some(path) => {
                    self.writer.json(&self.json).link(&path);
                    self.json.clear();
                }
                None => self.json(value),
            },
            _ => self.json(value),
        }
    }

    fn object(&mut self, members: &Members, part: Part) {
        self.raw(b"{");
        for (rank, (name, value)) in members.iter().enumerate() {
            self.raw(if rank == 0 { b"" } else { b"," });
            self.json(name);
            self.raw(b":");
            self.value(value, part.member(name));
        }
        self.raw(b"}");
    }
}

#[cfg(test)]
mod tests {
    use store_catalogue::LinkStyle;

    use super::*;

    #[test]
    fn only_own_links_are_rewritten() {
        let text = r#"{"meta": {"url": "https://a/metagenomics/api/v1/x"}, "links": {"self": "https://a/metagenomics/api/v1/samples/1?format=json", "next": null, "ena": "https://ena/1"},
            "relationships": {
                "r": {"meta": 1, "data": [{"type": "x", "id": "1", "links": {"self": {"href": "{base_url}/metagenomics/api/v1/x/1?a=b", "meta": {}}}}, {"type": "x", "id": "2"}], "links": {"related": "{base_url}/metagenomics/api/v1/samples/1/r"}},
                "s": {"data": {"type": "y", "id": "3", "links": {"self": "{base_url}/metagenomics/api/v1/y/3"}}},
                "n": {"data": null}},
            "id": "1", "attributes": {"b": "{base_url}/metagenomics/api/v1/x", "a": [1.0, "é\u0001"]}, "type": "samples"}"#;
        let resource = Resource::parse(text).expect("a resource");
        let mut rendered = Vec::new();
        body(&resource).render(&LinkStyle::new("http://me/v1", None, None), &mut rendered);
        let expected = concat!(
            r#"{"type":"samples","id":"1","attributes":{"b":"{base_url}/metagenomics/api/v1/x","a":[1.0,"é\u0001"]},"relationships":{"#,
            r#""r":{"meta":1,"data":[{"type":"x","id":"1","links":{"self":{"href":"http://me/v1/x/1?a=b","meta":{}}}},{"type":"x","id":"2"}],"links":{"related":"http://me/v1/samples/1/r"}},"#,
            r#""s":{"data":{"type":"y","id":"3","links":{"self":"http://me/v1/y/3"}}},"n":{"data":null}},"#,
            r#""links":{"self":"http://me/v1/samples/1","next":null,"ena":"https://ena/1"},"meta":{"url":"https://a/metagenomics/api/v1/x"}}"#,
        );
        assert_eq!(String::from_utf8(rendered).expect("text"), expected);
    }
}
