//! Paths of links to resources and pages.

use std::collections::BTreeMap;

use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::request::query::Query;

/// Characters that are encoded in a query.
const IN_QUERY: &AsciiSet = &NON_ALPHANUMERIC.remove(b'_').remove(b'.').remove(b'-').remove(b'~');

/// Characters that are encoded in a segment of a path.
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

/// The parameter for the number of a page, and the one that JSON:API recommends.
const PAGE: [&str; 2] = ["page", "page[number]"];

const PAGE_SIZE: [&str; 2] = ["page_size", "page[size]"];

/// Returns the path of a resource or collection below the prefix of all links. `segments` are
/// decoded.
pub(crate) fn path(segments: &[&str]) -> String {
    segments.iter().flat_map(|segment| ["/"].into_iter().chain(utf8_percent_encode(segment, IN_SEGMENT))).collect()
}

/// The links to the pages of a list. They are that of the request with another `page`, or with
/// another `page[number]` if the request only has `page[…]`. Parameters are sorted by name; the
/// values of a parameter stay in their order.
#[derive(Clone, Debug)]
pub(crate) struct PageAddresses {
    /// The address up to the number of the page.
    before: String,
    after: String,
}

impl PageAddresses {
    /// Reads the prefix of all links, the requested path of the list below it, and the parameters
    /// of the request.
    pub(crate) fn new(prefix: &str, path: &str, query: &Query) -> Self {
        let says = |position: usize| [PAGE, PAGE_SIZE].iter().any(|names| query.last(names[position]).is_some());
        let page = PAGE[usize::from(says(1) && !says(0))];
        let mut parameters: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, value) in query.pairs_of_uri().filter(|(name, _)| *name != page) {
            parameters.entry(name).or_default().push(value);
        }
        let (mut before, mut after) = (format!("{prefix}{path}?"), String::new());
        for (name, values) in parameters {
            for value in values {
                let pair = format!("{}={}", encode(name), encode(value));
                if name < page {
                    before += &pair;
                    before.push('&');
                } else {
                    after.push('&');
                    after += &pair;
                }
            }
        }
        before += &encode(page);
        before.push('=');
        Self { before, after }
    }

    pub(crate) fn to(&self, page: usize) -> String {
        format!("{}{page}{}", self.before, self.after)
    }
}

fn encode(text: &str) -> String {
    // A plus is `%2B` here, so every `%20` was a space.
    utf8_percent_encode(text, IN_QUERY).to_string().replace("%20", "+")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_links_keep_the_parameters_sorted() {
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
            ("page[number]=2&page[size]=5", "?page%5Bnumber%5D=7&page%5Bsize%5D=5"),
            ("page[size]=5&sort=a", "?page%5Bnumber%5D=7&page%5Bsize%5D=5&sort=a"),
            ("page[size]=5&page=2", "?page=7&page%5Bsize%5D=5"),
        ] {
            let links = PageAddresses::new("http://h/v1", "/cogs.json", &Query::parse(query));
            assert_eq!(links.to(7), format!("http://h/v1/cogs.json{expected}"), "{query}");
        }
    }

    #[test]
    fn paths_encode_what_is_unsafe() {
        let lineage = "root:Environmental:Aquatic:Thermal springs:Near-boiling (>90C)";
        assert_eq!(
            path(&["biomes", lineage]),
            "/biomes/root:Environmental:Aquatic:Thermal%20springs:Near-boiling%20(%3E90C)"
        );
        assert_eq!([path(&["a/b"]), path(&["cogs", "1"])], ["/a%2Fb", "/cogs/1"]);
    }
}
