//! The text of a resource: its JSON, and the places at which its links depend on the request.

use std::ops::Range;

use super::{Document, ResourceOrigin};

/// The prefix of a link. In the database the parts are these control characters in the text, which
/// JSON does not contain.
const PREFIX: u8 = 1;

/// `.suffix` and `?format=…`, if the request has them.
const FIRST_PARAMETER: u8 = 2;

/// `&format=…` in a link with a query, if the request has it.
const NEXT_PARAMETER: u8 = 3;

const MARKS: [u8; 3] = [PREFIX, FIRST_PARAMETER, NEXT_PARAMETER];

/// The last byte of a stored text whose JSON is followed by an origin: the JSON of the origin, its
/// length in four bytes, and this byte.
const WITH_ORIGIN: u8 = 4;

/// Likewise for a document of version 2 after that. The document was derived from the text, or
/// loaded.
const WITH_DERIVED: u8 = 5;
const WITH_DOCUMENT: u8 = 6;

/// The member of exports with the origin, which the text does not show. JSON:API lets clients
/// ignore members that begin with `@`.
pub const ORIGIN_MEMBER: &str = "@origin";

/// The member of exports with the document of version 2, if one was loaded.
pub const DOCUMENT_MEMBER: &str = "@document";

/// The form of links for a request. The default is bare paths.
#[derive(Clone, Debug, Default)]
pub struct LinkStyle {
    prefix: String,
    /// The part after the path.
    first_parameter: String,
    /// The text for each mark, with the escapes of JSON.
    escaped: [Vec<u8>; 3],
}

impl LinkStyle {
    /// Makes a style from the prefix of all links to this server, such as
    /// `http://127.0.0.1:8080/metagenomics/api/v1`, the suffix of the path that selects a format,
    /// such as `csv`, and the value of `format`, if the request has them. Links with a query get no
    /// suffix.
    pub fn new(prefix: &str, suffix: Option<&str>, format: Option<&str>) -> Self {
        let parameter = |start: char| {
            let value = |format: &str| form_urlencoded::byte_serialize(format.as_bytes()).collect::<String>();
            format.map_or_else(String::new, |format| format!("{start}format={}", value(format)))
        };
        let suffix = suffix.map_or_else(String::new, |suffix| format!(".{suffix}"));
        let first_parameter = suffix + &parameter('?');
        let escaped = [prefix, &first_parameter, &parameter('&')].map(escaped);
        Self { prefix: prefix.to_owned(), first_parameter, escaped }
    }

    /// Returns the prefix of all links.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Returns the link to a percent-encoded path below the prefix, which begins with a slash and
    /// has no query.
    pub fn link(&self, path: &str) -> String {
        [&self.prefix, path, &self.first_parameter].concat()
    }
}

/// The text of a resource: compact JSON of a resource object. Its links to this server lack their
/// prefix and `format`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceBody {
    json: Vec<u8>,
    /// The missing parts, each with its offset.
    marks: Vec<(u32, u8)>,
    /// The origin as JSON, unless it is empty.
    origin: Option<Box<[u8]>>,
    document: Option<Document>,
}

impl ResourceBody {
    /// Reads a text with control characters as marks, and its origin.
    pub(super) fn from_stored(stored: &[u8]) -> Self {
        let came = split_trailer(stored, WITH_DOCUMENT);
        let document = came.or_else(|| split_trailer(stored, WITH_DERIVED));
        let (stored, document) =
            document.map_or((stored, None), |(text, document)| (text, Document::from_stored(document, came.is_some())));
        let origin = split_trailer(stored, WITH_ORIGIN);
        let (stored, origin) = origin.map_or((stored, None), |(text, origin)| (text, Some(origin.into())));
        // Counting the marks first is quicker than growing the memory.
        let marks = || memchr::memchr3_iter(PREFIX, FIRST_PARAMETER, NEXT_PARAMETER, stored);
        let num_marks = marks().count();
        let (json, room) = (Vec::with_capacity(stored.len() - num_marks), Vec::with_capacity(num_marks));
        let mut body = Self { json, marks: room, origin, document };
        let mut start = 0;
        for end in marks() {
            body.json.extend_from_slice(&stored[start..end]);
            body.push_mark(stored[end]);
            start = end + 1;
        }
        body.json.extend_from_slice(&stored[start..]);
        body
    }

    /// Appends the text with control characters as marks, and the origin.
    pub(super) fn store(&self, stored: &mut Vec<u8>) {
        self.write(stored, MARKS.each_ref().map(std::slice::from_ref));
        let mut push = |part: &[u8], kind| {
            stored.extend_from_slice(part);
            stored.extend_from_slice(&offset_of(part.len()).to_be_bytes());
            stored.push(kind);
        };
        if let Some(origin) = &self.origin {
            push(origin, WITH_ORIGIN);
        }
        if let Some(document) = &self.document {
            push(&document.store(), if document.is_loaded() { WITH_DOCUMENT } else { WITH_DERIVED });
        }
    }

    /// Adds the resource in the form of MGnify's version 2.
    #[must_use]
    pub fn with_document(self, document: Document) -> Self {
        Self { document: Some(document), ..self }
    }

    /// Returns the resource in the form of MGnify's version 2, if it has one.
    pub fn document(&self) -> Option<&Document> {
        self.document.as_ref()
    }

    /// Adds an origin.
    #[must_use]
    pub fn with_origin(mut self, origin: &ResourceOrigin) -> Self {
        self.origin = (*origin != ResourceOrigin::default()).then(|| origin.to_json().into());
        self
    }

    /// Returns the origin, or `None` if it cannot be read.
    pub fn origin(&self) -> Option<ResourceOrigin> {
        self.origin.as_ref().map_or_else(|| Some(ResourceOrigin::default()), |json| serde_json::from_slice(json).ok())
    }

    /// Returns the JSON with bare paths as links.
    pub fn json(&self) -> &[u8] {
        &self.json
    }

    /// Returns the type and the id, or `None` if the text does not begin with them. The texts of
    /// all published resources do.
    pub fn key(&self) -> Option<(String, String)> {
        let (resource_type, rest) = leading_string(self.json.strip_prefix(b"{\"type\":")?)?;
        let (id, _) = leading_string(rest.strip_prefix(b",\"id\":")?)?;
        Some((resource_type, id))
    }

    /// Returns the length of the JSON with links in the style of the request, or slightly more.
    pub fn rendered_len(&self, style: &LinkStyle) -> usize {
        let [prefix, parameters @ ..] = style.escaped.each_ref().map(Vec::len);
        self.json.len() + self.marks.len().div_ceil(2) * (prefix + parameters[0].max(parameters[1]))
    }

    /// Appends the JSON, with links in the style of the request.
    pub fn render(&self, style: &LinkStyle, json: &mut Vec<u8>) {
        self.write(json, style.escaped.each_ref().map(Vec::as_slice));
    }

    /// Appends the JSON like [`ResourceBody::render`], with the members `@origin` and `@document`,
    /// so that it can be loaded again.
    pub fn render_whole(&self, style: &LinkStyle, json: &mut Vec<u8>) {
        self.render(style, json);
        if let Some(document) = self.document.as_ref().filter(|document| document.is_loaded()) {
            push_member(json, DOCUMENT_MEMBER, document.json());
        }
        let shown =
            self.origin().map(ResourceOrigin::of_any_load).filter(|origin| *origin != ResourceOrigin::default());
        if let Some(origin) = shown {
            push_member(json, ORIGIN_MEMBER, &origin.to_json());
        }
    }

    /// Appends the text with a part in place of each mark.
    fn write(&self, json: &mut Vec<u8>, parts: [&[u8]; 3]) {
        let mut start = 0;
        for &(end, mark) in &self.marks {
            let (part, end) = (parts[usize::from(mark - 1)], end as usize);
            if !part.is_empty() {
                json.extend_from_slice(&self.json[start..end]);
                json.extend_from_slice(part);
                start = end;
            }
        }
        json.extend_from_slice(&self.json[start..]);
    }

    fn push_mark(&mut self, mark: u8) {
        self.marks.push((offset_of(self.json.len()), mark));
    }

    /// Returns the text with a range of its JSON replaced by another text.
    #[must_use]
    pub fn replaced(&self, range: Range<usize>, by: &Self) -> Self {
        let mut replaced = Self::default();
        replaced.append(self, 0..range.start);
        replaced.append(by, 0..by.json.len());
        replaced.append(self, range.end..self.json.len());
        replaced
    }

    fn append(&mut self, other: &Self, range: Range<usize>) {
        for &(offset, mark) in other.marks.iter().filter(|(offset, _)| range.contains(&(*offset as usize))) {
            self.marks.push((offset_of(self.json.len() + offset as usize - range.start), mark));
        }
        self.json.extend_from_slice(&other.json[range]);
    }

    /// Returns the approximate memory.
    pub(super) fn size_bytes(&self) -> usize {
        let origin = self.origin.as_ref().map_or(0, |origin| origin.len());
        let document = self.document().map_or(0, |document| document.json().len());
        size_of::<Self>() + self.json.capacity() + size_of_val::<[_]>(&self.marks) + origin + document
    }
}

/// Writes the text of a resource piece by piece.
#[derive(Debug, Default)]
pub struct ResourceBodyWriter(ResourceBody);

impl ResourceBodyWriter {
    /// Appends JSON without links to this server, such as
    /// `{"type":"samples","attributes":{},"links":{"self":`.
    pub fn json(&mut self, text: &[u8]) -> &mut Self {
        debug_assert!(!text.iter().any(|byte| MARKS.contains(byte)), "JSON has no marks");
        self.0.json.extend_from_slice(text);
        self
    }

    /// Appends a link with its quotes: a percent-encoded path below the prefix of the service that
    /// begins with a slash, with or without a query.
    pub fn link(&mut self, path: &str) -> &mut Self {
        self.0.json.push(b'"');
        self.0.push_mark(PREFIX);
        self.0.json.extend_from_slice(&escaped(path));
        self.0.push_mark(if path.contains('?') { NEXT_PARAMETER } else { FIRST_PARAMETER });
        self.0.json.push(b'"');
        self
    }

    /// Returns the text.
    pub fn finish(self) -> ResourceBody {
        self.0
    }
}

/// Splits a part of some kind off the end of a stored text. The JSON of a resource ends with a
/// brace.
fn split_trailer(stored: &[u8], kind: u8) -> Option<(&[u8], &[u8])> {
    let (rest, length) = stored.strip_suffix(&[kind])?.split_last_chunk()?;
    rest.split_at_checked(rest.len().checked_sub(u32::from_be_bytes(*length) as usize)?)
}

/// Adds a member to the JSON of an object that has some.
fn push_member(json: &mut Vec<u8>, name: &str, value: &[u8]) {
    if json.pop_if(|last| *last == b'}').is_some() {
        json.extend_from_slice(format!(",\"{name}\":").as_bytes());
        json.extend_from_slice(value);
        json.push(b'}');
    }
}

fn offset_of(length: usize) -> u32 {
    u32::try_from(length).expect("a resource is far below 4 GiB")
}

/// Splits a JSON string off the front of a text, and decodes it.
fn leading_string(json: &[u8]) -> Option<(String, &[u8])> {
    let mut values = serde_json::Deserializer::from_slice(json).into_iter();
    let text = values.next()?.ok()?;
    Some((text, &json[values.byte_offset()..]))
}

/// Returns a text escaped for a JSON string, without the quotes.
fn escaped(text: &str) -> Vec<u8> {
    let mut json = serde_json::to_vec(text).expect("a text is JSON");
    json.pop();
    json.remove(0);
    json
}

#[cfg(test)]
mod tests;
