//! Links: the style of those in resources, and the encoding of those to pages.

use std::collections::BTreeMap;

use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};
use store::LinkStyle;

use super::query::Query;

/// What is not itself in a query.
const IN_QUERY: &AsciiSet = &NON_ALPHANUMERIC.remove(b'_').remove(b'.').remove(b'-').remove(b'~');

/// What is not itself in a segment of a path.
const IN_SEGMENT: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'/')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

const PAGE: &str = "page";

/// How the links of an answer are written; see [`LinkStyle`].
#[derive(Clone, Debug)]
pub(super) struct OwnedLinkStyle {
    pub(super) prefix: String,
    pub(super) suffix: Option<&'static str>,
    /// The value of `format` that links carry, as the request had it.
    pub(super) format: Option<String>,
}

impl OwnedLinkStyle {
    pub(super) fn style(&self) -> LinkStyle<'_> {
        LinkStyle { prefix: &self.prefix, suffix: self.suffix, format: self.format.as_deref() }
    }

    /// Returns a link to a resource or collection, given by the decoded segments of its path.
    pub(super) fn link(&self, segments: &[&str]) -> String {
        let mut link = self.prefix.clone();
        for segment in segments {
            link.push('/');
            link.extend(utf8_percent_encode(segment, IN_SEGMENT));
        }
        if let Some(suffix) = self.suffix {
            link.push('.');
            link.push_str(suffix);
        }
        if let Some(format) = &self.format {
            link.push_str("?format=");
            link.push_str(&encode(format));
        }
        link
    }
}

/// The links to the pages of a list: the request's own with another `page`. Parameters are sorted by name, the values of one in the
/// order in which they came.
#[derive(Clone, Debug)]
pub(super) struct PageLinks {
    /// What stands before the number of the page.
    before: String,
    after: String,
}

impl PageLinks {
    /// Takes the prefix of all links, the path of the list below it as requested, and the request's parameters.
    pub(super) fn new(prefix: &str, path: &str, query: &Query) -> Self {
        let mut parameters: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, value) in query.pairs().filter(|(name, _)| *name != PAGE) {
            parameters.entry(name).or_default().push(value);
        }
        let (mut before, mut after) = (format!("{prefix}{path}?"), String::new());
        for (name, values) in parameters {
            for value in values {
                let pair = format!("{}={}", encode(name), encode(value));
                if name < PAGE {
                    before += &pair;
                    before.push('&');
                } else {
                    after.push('&');
                    after += &pair;
                }
            }
        }
        before += "page=";
        Self { before, after }
    }

    pub(super) fn to(&self, page: usize) -> String {
        format!("{}{page}{}", self.before, self.after)
    }
}

fn encode(text: &str) -> String {
    // What was a plus is `%2B` by now, so that every `%20` was a space.
    utf8_percent_encode(text, IN_QUERY).to_string().replace("%20", "+")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_keep_the_request_and_sort_its_parameters() {
        for (query, expected) in [
            ("", "?page=7"),
            ("format=api", "?format=api&page=7"),
            ("page=1&page=2", "?page=7"),
            ("format=", "?format=&page=7"),
            ("x", "?page=7&x="),
            (
                "page_size=5&page=3&format=json&zzz=1&aaa=b%20c&aaa=d",
                "?aaa=b+c&aaa=d&format=json&page=7&page_size=5&zzz=1",
            ),
            ("filter[depth]=3&a=x:y,z&b=~*%2B%C3%A9", "?a=x%3Ay%2Cz&b=~%2A%2B%C3%A9&filter%5Bdepth%5D=3&page=7"),
            ("pag=1&pagf=2&Z=3", "?Z=3&pag=1&page=7&pagf=2"),
        ] {
            let links = PageLinks::new("http://h/v1", "/cogs.json", &Query::parse(query));
            assert_eq!(links.to(7), format!("http://h/v1/cogs.json{expected}"), "{query}");
        }
    }

    #[test]
    fn links_to_resources_encode_what_is_unsafe() {
        let style = |format: Option<&str>| OwnedLinkStyle {
            prefix: "/v1".into(),
            suffix: None,
            format: format.map(str::to_owned),
        };
        let lineage = "root:Environmental:Aquatic:Thermal springs:Near-boiling (>90C)";
        assert_eq!(
            style(None).link(&["biomes", lineage]),
            "/v1/biomes/root:Environmental:Aquatic:Thermal%20springs:Near-boiling%20(%3E90C)"
        );
        assert_eq!(style(Some("")).link(&["a/b"]), "/v1/a%2Fb?format=");
        assert_eq!(style(Some("json")).link(&["cogs"]), "/v1/cogs?format=json");
        let with_suffix = OwnedLinkStyle { suffix: Some("api"), ..style(Some("json")) };
        assert_eq!(with_suffix.link(&["cogs", "1"]), "/v1/cogs/1.api?format=json");
    }
}
