//! `If-Match` and `If-None-Match`. The tag of a profile is its version: `"3"`.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use store::Precondition;

/// How many tags the headers of a request may have together.
const TAGS_MAX: usize = 100;

/// Why headers cannot be used: a sentence for the client.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum TagsFault {
    /// A header is no list of tags.
    #[error("The header {0} is no list of tags such as \"3\".")]
    Malformed(HeaderName),
    /// There are too many tags.
    #[error("The headers if-match and if-none-match have more than {TAGS_MAX} tags.")]
    TooMany,
}

/// What a header names.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Tags {
    /// `*`: any version.
    Any,
    /// These tags.
    List(Vec<Tag>),
}

/// A tag.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Tag {
    /// It begins with `W/`.
    is_weak: bool,
    /// The version, if it is the tag of one.
    version: Option<u64>,
}

/// Returns the tag of a version.
pub(super) fn tag(version: u64) -> HeaderValue {
    // Digits between quotes are always a value.
    HeaderValue::from_str(&format!("\"{version}\"")).unwrap_or(HeaderValue::from_static("\"0\""))
}

/// Returns the precondition of a request to change something.
///
/// # Errors
///
/// * A header is no list of tags, or there are too many: a change whose condition is unknown must not be made.
pub(super) fn of_change(headers: &HeaderMap) -> Result<Precondition, TagsFault> {
    let mut num_left = TAGS_MAX;
    let wanted = Tags::of(headers, &header::IF_MATCH, &mut num_left)?;
    let unwanted = Tags::of(headers, &header::IF_NONE_MATCH, &mut num_left)?;
    // What is changed is there, so that any tag is that of a version that it could have.
    Ok(match (wanted, unwanted) {
        (None | Some(Tags::Any), None) => Precondition::None,
        (_, Some(Tags::Any)) => Precondition::IsOneOf(Vec::new()),
        (None | Some(Tags::Any), Some(Tags::List(unwanted))) => Precondition::IsNoneOf(versions(&unwanted, true)),
        (Some(Tags::List(wanted)), None) => Precondition::IsOneOf(versions(&wanted, false)),
        (Some(Tags::List(wanted)), Some(Tags::List(unwanted))) => {
            let unwanted = versions(&unwanted, true);
            let mut wanted = versions(&wanted, false);
            wanted.retain(|version| !unwanted.contains(version));
            Precondition::IsOneOf(wanted)
        }
    })
}

/// Tells whether the client of a request to read has a version already. A header that cannot be read is passed over: the whole answer is
/// never wrong.
pub(super) fn is_known(headers: &HeaderMap, version: u64) -> bool {
    let mut num_left = TAGS_MAX;
    match Tags::of(headers, &header::IF_NONE_MATCH, &mut num_left) {
        Ok(Some(Tags::Any)) => true,
        Ok(Some(Tags::List(tags))) => versions(&tags, true).contains(&version),
        Ok(None) | Err(_) => false,
    }
}

/// Returns the versions that tags stand for. Where the comparison is strong, weak tags stand for none.
fn versions(tags: &[Tag], with_weak: bool) -> Vec<u64> {
    tags.iter().filter(|tag| with_weak || !tag.is_weak).filter_map(|tag| tag.version).collect()
}

impl Tags {
    /// Reads a header, which may be there several times. `num_left` is how many tags it may have, and then how many others may.
    fn of(headers: &HeaderMap, name: &HeaderName, num_left: &mut usize) -> Result<Option<Self>, TagsFault> {
        let values: Vec<&[u8]> = headers.get_all(name).iter().map(HeaderValue::as_bytes).collect();
        if values.is_empty() {
            return Ok(None);
        }
        Self::parse(&values.join(&b','), name, num_left).map(Some)
    }

    /// Reads `*`, or tags with commas between them.
    fn parse(mut text: &[u8], name: &HeaderName, num_left: &mut usize) -> Result<Self, TagsFault> {
        if text.trim_ascii() == b"*" {
            return Ok(Self::Any);
        }
        let malformed = || TagsFault::Malformed(name.clone());
        let mut tags = Vec::new();
        loop {
            text = text.trim_ascii_start();
            if !text.is_empty() && !text.starts_with(b",") {
                let (tag, rest) = Tag::parse(text).ok_or_else(malformed)?;
                *num_left = num_left.checked_sub(1).ok_or(TagsFault::TooMany)?;
                tags.push(tag);
                text = rest.trim_ascii_start();
            }
            // Lists may have empty entries.
            match text.split_first() {
                Some((b',', rest)) => text = rest,
                Some(_) => return Err(malformed()),
                None => break,
            }
        }
        if tags.is_empty() { Err(malformed()) } else { Ok(Self::List(tags)) }
    }
}

impl Tag {
    /// Reads a tag at the beginning of a text, and returns the rest.
    fn parse(text: &[u8]) -> Option<(Self, &[u8])> {
        let (is_weak, text) = text.strip_prefix(b"W/").map_or((false, text), |text| (true, text));
        let text = text.strip_prefix(b"\"")?;
        let end = text.iter().position(|byte| *byte == b'"')?;
        let (opaque, rest) = (&text[..end], &text[end + 1..]);
        let is_allowed = |byte: &u8| matches!(byte, 0x21..=0x7e | 0x80..);
        opaque.iter().all(is_allowed).then(|| (Self { is_weak, version: version_of(opaque) }, rest))
    }
}

/// Returns the version whose tag this is.
fn version_of(opaque: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(opaque).ok()?;
    text.parse().ok().filter(|version: &u64| version.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(wanted: &[&'static str], unwanted: &[&'static str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, values) in [(header::IF_MATCH, wanted), (header::IF_NONE_MATCH, unwanted)] {
            for value in values {
                headers.append(&name, HeaderValue::from_static(value));
            }
        }
        headers
    }

    fn wanted(values: &[&'static str]) -> Result<Precondition, TagsFault> {
        of_change(&headers(values, &[]))
    }

    #[test]
    fn versions_that_are_wanted_are_compared_strongly() {
        for (values, expected) in [
            (&[][..], Precondition::None),
            (&["*"], Precondition::None),
            (&[" * "], Precondition::None),
            (&["\"3\""], Precondition::IsOneOf(vec![3])),
            (&["\"3\" ,\"5\"", ", \"18446744073709551615\""], Precondition::IsOneOf(vec![3, 5, u64::MAX])),
            (&["W/\"3\""], Precondition::IsOneOf(vec![])),
            (&["\"03\", \"+3\", \"x,y\", \"\", \"18446744073709551616\""], Precondition::IsOneOf(vec![])),
        ] {
            assert_eq!(wanted(values), Ok(expected), "{values:?}");
        }
    }

    #[test]
    fn versions_that_are_not_wanted_are_compared_weakly() {
        let of = |wanted: &[&'static str], unwanted: &[&'static str]| of_change(&headers(wanted, unwanted));
        assert_eq!(of(&[], &["W/\"3\", \"4\""]), Ok(Precondition::IsNoneOf(vec![3, 4])));
        assert_eq!(of(&["*"], &["\"3\""]), Ok(Precondition::IsNoneOf(vec![3])));
        assert_eq!(of(&["\"3\",\"4\""], &["W/\"3\""]), Ok(Precondition::IsOneOf(vec![4])));
        for wanted in [&[][..], &["*"], &["\"3\""]] {
            assert_eq!(of(wanted, &["*"]), Ok(Precondition::IsOneOf(vec![])));
        }
    }

    #[test]
    fn what_is_no_list_of_tags_is_refused() {
        for value in ["", ",", "3", "\"3", "3\"", "\"3\" \"4\"", "\"3\", *", "*, *", "w/\"3\"", "W/ \"3\"", "\"a b\""] {
            assert_eq!(wanted(&[value]), Err(TagsFault::Malformed(header::IF_MATCH)), "{value}");
        }
        let unwanted = of_change(&headers(&[], &["3"]));
        assert_eq!(unwanted, Err(TagsFault::Malformed(header::IF_NONE_MATCH)));
    }

    #[test]
    fn a_hundred_tags_are_read_and_no_more() {
        let list = |count: usize| {
            let tags: Vec<String> = (0..count).map(|version| format!("\"{version}\"")).collect();
            HeaderValue::from_str(&tags.join(",")).expect("a value")
        };
        for (num_wanted, num_unwanted, is_good) in [(100, 0, true), (60, 40, true), (101, 0, false), (60, 41, false)] {
            let mut headers = HeaderMap::from_iter([(header::IF_MATCH, list(num_wanted))]);
            if num_unwanted > 0 {
                headers.insert(header::IF_NONE_MATCH, list(num_unwanted));
            }
            let read = of_change(&headers);
            assert_eq!(read.is_ok(), is_good, "{num_wanted} and {num_unwanted}");
            assert!(is_good || read == Err(TagsFault::TooMany));
        }
        let headers = HeaderMap::from_iter([(header::IF_NONE_MATCH, list(101))]);
        assert!(!is_known(&headers, 3), "the whole answer is never wrong");
    }

    #[test]
    fn a_client_that_shows_the_version_has_it() {
        for (value, expected) in
            [("\"3\"", true), ("W/\"3\"", true), ("\"1\", \"3\"", true), ("*", true), ("\"4\"", false), ("3", false)]
        {
            assert_eq!(is_known(&headers(&[], &[value]), 3), expected, "{value}");
        }
        assert!(!is_known(&HeaderMap::new(), 3));
        assert_eq!(tag(3), "\"3\"");
    }
}
