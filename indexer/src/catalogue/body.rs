//! The stored text of a resource.

use serde::Serialize;
use serde_json::Value;
use store::{ResourceBody, ResourceBodyWriter};

use super::own_link::own_path;
use super::resource::{Members, Resource};

/// Writes JSON, and links of this server as such.
#[derive(Default)]
struct BodyText {
    /// Takes what is written.
    writer: ResourceBodyWriter,
    /// JSON since the last link.
    json: Vec<u8>,
}

/// Returns the text of a resource: compact, its members in the order of JSON:API, and the members of these as they came.
pub(super) fn body(resource: &Resource) -> ResourceBody {
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
        text.object(relationships, |text, _, relationship| text.relationship(relationship));
    }
    if let Some(links) = &resource.links {
        text.raw(b",\"links\":");
        text.links(links);
    }
    for (name, value) in &resource.others {
        text.raw(b",");
        text.json(name);
        text.raw(b":");
        text.json(value);
    }
    text.raw(b"}");
    text.finish()
}

impl BodyText {
    /// Writes bytes of JSON.
    fn raw(&mut self, bytes: &[u8]) {
        self.json.extend(bytes);
    }

    /// Writes a value without links.
    fn json(&mut self, value: &(impl Serialize + ?Sized)) {
        serde_json::to_writer(&mut self.json, value)
            .expect("memory takes all, and JSON values have no other keys than texts");
    }

    /// Writes a path of this server.
    fn link(&mut self, path: &str) {
        self.writer.json(&self.json).link(path);
        self.json.clear();
    }

    /// Ends the text.
    fn finish(mut self) -> ResourceBody {
        self.writer.json(&self.json);
        self.writer.finish()
    }

    /// Writes an object whose values have links.
    fn object(&mut self, members: &Members, write: impl Fn(&mut Self, &str, &Value)) {
        self.raw(b"{");
        for (rank, (name, value)) in members.iter().enumerate() {
            self.raw(if rank == 0 { b"" } else { b"," });
            self.json(name);
            self.raw(b":");
            write(self, name, value);
        }
        self.raw(b"}");
    }

    /// Writes an object that may have links, or whatever else it is.
    fn with_links(&mut self, value: &Value) {
        let Value::Object(members) = value else { return self.json(value) };
        self.object(members, |text, name, value| match value {
            Value::Object(links) if name == "links" => text.links(links),
            other => text.json(other),
        });
    }

    /// Writes a relationship.
    fn relationship(&mut self, relationship: &Value) {
        let Value::Object(members) = relationship else { return self.json(relationship) };
        self.object(members, |text, name, value| match value {
            Value::Object(links) if name == "links" => text.links(links),
            Value::Object(_) if name == "data" => text.with_links(value),
            Value::Array(entries) if name == "data" => {
                text.raw(b"[");
                for (rank, entry) in entries.iter().enumerate() {
                    text.raw(if rank == 0 { b"" } else { b"," });
                    text.with_links(entry);
                }
                text.raw(b"]");
            }
            other => text.json(other),
        });
    }

    /// Writes links: each a text, an object with `href`, or null.
    fn links(&mut self, links: &Members) {
        self.object(links, |text, _, link| match link {
            Value::Object(members) => text
                .object(members, |text, name, value| if name == "href" { text.url(value) } else { text.json(value) }),
            url => text.url(url),
        });
    }

    /// Writes a URL, or whatever else stands in its place.
    fn url(&mut self, url: &Value) {
        match url.as_str().and_then(own_path) {
            Some(path) => self.link(&path),
            None => self.json(url),
        }
    }
}

#[cfg(test)]
mod tests {
    use store::LinkStyle;

    use super::*;

    #[test]
    fn own_links_are_written_as_requests_want_them_and_nothing_else_changes() {
        let text = r#"{"meta": {"url": "https://a/metagenomics/api/v1/x"}, "links": {"self": "https://a/metagenomics/api/v1/samples/1?format=json", "next": null, "ena": "https://ena/1"},
            "relationships": {
                "r": {"meta": 1, "data": [{"type": "x", "id": "1", "links": {"self": {"href": "{base_url}/metagenomics/api/v1/x/1?a=b", "meta": {}}}}, {"type": "x", "id": "2"}], "links": {"related": "{base_url}/metagenomics/api/v1/samples/1/r"}},
                "s": {"data": {"type": "y", "id": "3", "links": {"self": "{base_url}/metagenomics/api/v1/y/3"}}},
                "n": {"data": null}},
            "id": "1", "attributes": {"b": "{base_url}/metagenomics/api/v1/x", "a": [1.0, "é\u0001"]}, "type": "samples"}"#;
        let resource = Resource::parse(text).expect("a resource");
        let mut rendered = Vec::new();
        body(&resource).render(LinkStyle { prefix: "http://me/v1", suffix: None, format: None }, &mut rendered);
        let expected = concat!(
            r#"{"type":"samples","id":"1","attributes":{"b":"{base_url}/metagenomics/api/v1/x","a":[1.0,"é\u0001"]},"relationships":{"#,
            r#""r":{"meta":1,"data":[{"type":"x","id":"1","links":{"self":{"href":"http://me/v1/x/1?a=b","meta":{}}}},{"type":"x","id":"2"}],"links":{"related":"http://me/v1/samples/1/r"}},"#,
            r#""s":{"data":{"type":"y","id":"3","links":{"self":"http://me/v1/y/3"}}},"n":{"data":null}},"#,
            r#""links":{"self":"http://me/v1/samples/1","next":null,"ena":"https://ena/1"},"meta":{"url":"https://a/metagenomics/api/v1/x"}}"#,
        );
        assert_eq!(String::from_utf8(rendered).expect("text"), expected);
    }
}
