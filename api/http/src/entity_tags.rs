//! The entity tags of `If-Match` and `If-None-Match`.

use axum::http::{HeaderMap, HeaderName, HeaderValue};

/// The tags that a header names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntityTags<'a> {
    /// `*`.
    Any,
    /// These tags.
    List(Vec<Tag<'a>>),
}

/// A tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag<'a> {
    /// If set, the tag begins with `W/`.
    pub is_weak: bool,
    /// The bytes between the quotes.
    pub opaque: &'a [u8],
}

/// The header is not a list of tags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MalformedTags;

impl<'a> EntityTags<'a> {
    /// Reads a header, which may occur several times. Returns `None` if it is missing.
    pub fn parse(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<Self>, MalformedTags> {
        let values: Vec<&[u8]> = headers.get_all(name).iter().map(HeaderValue::as_bytes).collect();
        match &values[..] {
            [] => return Ok(None),
            [value] if value.trim_ascii() == b"*" => return Ok(Some(Self::Any)),
            _ => {}
        }
        let mut tags = Vec::new();
        for value in values {
            read_list(value, &mut tags)?;
        }
        if tags.is_empty() { Err(MalformedTags) } else { Ok(Some(Self::List(tags))) }
    }

    /// Compares with a tag regardless of weakness.
    pub fn matches_weakly(&self, opaque: &[u8]) -> bool {
        match self {
            Self::Any => true,
            Self::List(tags) => tags.iter().any(|tag| tag.opaque == opaque),
        }
    }
}

/// Reads tags separated by commas. Elements may be empty.
fn read_list<'a>(mut text: &'a [u8], tags: &mut Vec<Tag<'a>>) -> Result<(), MalformedTags> {
    loop {
        text = text.trim_ascii_start();
        if !text.is_empty() && !text.starts_with(b",") {
            let (tag, rest) = Tag::read(text).ok_or(MalformedTags)?;
            tags.push(tag);
            text = rest.trim_ascii_start();
        }
        match text.split_first() {
            Some((b',', rest)) => text = rest,
            Some(_) => return Err(MalformedTags),
            None => return Ok(()),
        }
    }
}

impl<'a> Tag<'a> {
    /// Reads a tag at the beginning of a text, and returns the rest.
    fn read(text: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let (is_weak, text) = text.strip_prefix(b"W/").map_or((false, text), |text| (true, text));
        let text = text.strip_prefix(b"\"")?;
        let end = text.iter().position(|byte| *byte == b'"')?;
        let (opaque, rest) = (&text[..end], &text[end + 1..]);
        let is_allowed = |byte: &u8| matches!(byte, 0x21..=0x7e | 0x80..);
        opaque.iter().all(is_allowed).then_some((Self { is_weak, opaque }, rest))
    }
}
