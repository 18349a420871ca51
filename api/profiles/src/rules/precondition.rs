//! Preconditions of requests. The tag of a profile is its version: `"3"`.

use api_http::entity_tags::{EntityTags, MalformedTags, Tag};
use axum::http::{HeaderMap, HeaderValue, header};
use store_profiles::Precondition;

/// The most tags that both headers of a request may have together.
const TAGS_MAX: usize = 100;

pub(crate) fn tag(version: u64) -> HeaderValue {
    // Digits in quotes are always valid.
    HeaderValue::from_str(&format!("\"{version}\"")).unwrap_or(HeaderValue::from_static("\"0\""))
}

/// Returns the precondition of a change. A change with a condition that cannot be read must not be
/// made; the error is a sentence for the client.
pub(crate) fn parse(headers: &HeaderMap) -> Result<Precondition, String> {
    let read = |name| {
        let malformed = |MalformedTags| format!("The header {name} is not a list of tags such as \"3\".");
        EntityTags::parse(headers, &name).map_err(malformed)
    };
    let (wanted, unwanted) = (read(header::IF_MATCH)?, read(header::IF_NONE_MATCH)?);
    if num_tags(wanted.as_ref()) + num_tags(unwanted.as_ref()) > TAGS_MAX {
        return Err(format!("The headers if-match and if-none-match have more than {TAGS_MAX} tags."));
    }
    // `*`, like a missing `If-Match`, stands for any version of an existing profile.
    let unwanted = match unwanted {
        Some(EntityTags::Any) => return Ok(Precondition::IsOneOf(Vec::new())),
        Some(EntityTags::List(tags)) => Some(versions(&tags)),
        None => None,
    };
    Ok(match (wanted, unwanted) {
        (None | Some(EntityTags::Any), None) => Precondition::None,
        (None | Some(EntityTags::Any), Some(unwanted)) => Precondition::IsNoneOf(unwanted),
        (Some(EntityTags::List(mut wanted)), unwanted) => {
            // `If-Match` compares strongly.
            wanted.retain(|tag| !tag.is_weak);
            let mut wanted = versions(&wanted);
            wanted.retain(|version| !unwanted.as_ref().is_some_and(|unwanted| unwanted.contains(version)));
            Precondition::IsOneOf(wanted)
        }
    })
}

/// Returns whether the client of a read already has a version. An unusable header is ignored: the
/// whole answer is always correct.
pub(crate) fn is_known(headers: &HeaderMap, version: u64) -> bool {
    match EntityTags::parse(headers, &header::IF_NONE_MATCH) {
        Ok(Some(tags)) => num_tags(Some(&tags)) <= TAGS_MAX && tags.matches_weakly(version.to_string().as_bytes()),
        Ok(None) | Err(MalformedTags) => false,
    }
}

fn num_tags(tags: Option<&EntityTags<'_>>) -> usize {
    match tags {
        Some(EntityTags::List(tags)) => tags.len(),
        Some(EntityTags::Any) | None => 0,
    }
}

fn versions(tags: &[Tag<'_>]) -> Vec<u64> {
    let version = |tag: &Tag<'_>| {
        let text = std::str::from_utf8(tag.opaque).ok()?;
        text.parse().ok().filter(|version: &u64| version.to_string() == text)
    };
    tags.iter().filter_map(version).collect()
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

    fn wanted(values: &[&'static str]) -> Result<Precondition, String> {
        parse(&headers(values, &[]))
    }

    #[test]
    fn wanted_versions_are_compared_strongly() {
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
    fn unwanted_versions_are_compared_weakly() {
        let of = |wanted: &[&'static str], unwanted: &[&'static str]| parse(&headers(wanted, unwanted));
        assert_eq!(of(&[], &["W/\"3\", \"4\""]), Ok(Precondition::IsNoneOf(vec![3, 4])));
        assert_eq!(of(&["*"], &["\"3\""]), Ok(Precondition::IsNoneOf(vec![3])));
        assert_eq!(of(&["\"3\",\"4\""], &["W/\"3\""]), Ok(Precondition::IsOneOf(vec![4])));
        for wanted in [&[][..], &["*"], &["\"3\""]] {
            assert_eq!(of(wanted, &["*"]), Ok(Precondition::IsOneOf(vec![])));
        }
    }

    #[test]
    fn malformed_tag_lists_are_rejected() {
        for value in ["", ",", "3", "\"3", "3\"", "\"3\" \"4\"", "\"3\", *", "*, *", "w/\"3\"", "W/ \"3\"", "\"a b\""] {
            assert!(wanted(&[value]).is_err_and(|problem| problem.contains("header if-match is not")), "{value}");
        }
        let unwanted = parse(&headers(&[], &["3"]));
        assert!(unwanted.is_err_and(|problem| problem.contains("header if-none-match is not")));
    }

    #[test]
    fn at_most_a_hundred_tags_are_read() {
        let list = |count: usize| {
            let tags: Vec<String> = (0..count).map(|version| format!("\"{version}\"")).collect();
            HeaderValue::from_str(&tags.join(",")).expect("a value")
        };
        for (num_wanted, num_unwanted, is_good) in [(100, 0, true), (60, 40, true), (101, 0, false), (60, 41, false)] {
            let mut headers = HeaderMap::from_iter([(header::IF_MATCH, list(num_wanted))]);
            if num_unwanted > 0 {
                headers.insert(header::IF_NONE_MATCH, list(num_unwanted));
            }
            let read = parse(&headers);
            assert_eq!(read.is_ok(), is_good, "{num_wanted} and {num_unwanted}");
            assert!(is_good || read.is_err_and(|problem| problem.contains("more than 100 tags")));
        }
        let headers = HeaderMap::from_iter([(header::IF_NONE_MATCH, list(101))]);
        assert!(!is_known(&headers, 3), "the whole answer is never wrong");
    }

    #[test]
    fn sent_versions_are_known() {
        for (value, expected) in
            [("\"3\"", true), ("W/\"3\"", true), ("\"1\", \"3\"", true), ("*", true), ("\"4\"", false), ("3", false)]
        {
            assert_eq!(is_known(&headers(&[], &[value]), 3), expected, "{value}");
        }
        assert!(!is_known(&HeaderMap::new(), 3));
        assert_eq!(tag(3), "\"3\"");
    }
}
