//! Pages of a list.

use std::ops::Range;

use super::query::Query;
use crate::problem::CatalogueProblem;

pub(crate) const PAGE_SIZE_DEFAULT: usize = 25;

pub(crate) const PAGE_SIZE_MAX: usize = 250;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Page {
    /// The number of the page, 1-based.
    pub(crate) number: usize,
    /// The number of pages; 1 for an empty list.
    pub(crate) num_pages: usize,
    pub(crate) count: usize,
    size: usize,
}

/// A page of a list whose length is not yet known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageRequest {
    /// `None` for the last page.
    number: Option<usize>,
    size: usize,
}

impl PageRequest {
    /// Reads the number and the size of a page. An invalid size is ignored.
    pub(crate) fn parse(query: &Query) -> Result<Self, CatalogueProblem> {
        let either = |old, standard| query.last(old).or_else(|| query.last(standard));
        let size = either("page_size", "page[size]").and_then(positive).unwrap_or(PAGE_SIZE_DEFAULT);
        let number = match either("page", "page[number]").unwrap_or("1") {
            "last" => None,
            text => Some(positive(text).ok_or(CatalogueProblem::InvalidPage)?),
        };
        Ok(Self { number, size: size.min(PAGE_SIZE_MAX) })
    }

    pub(crate) fn of(self, count: usize) -> Result<Page, CatalogueProblem> {
        let num_pages = count.div_ceil(self.size).max(1);
        let number = self.number.unwrap_or(num_pages);
        if number > num_pages {
            return Err(CatalogueProblem::InvalidPage);
        }
        Ok(Page { number, num_pages, count, size: self.size })
    }
}

impl Page {
    /// Returns the 0-based positions of the page's resources in the list.
    pub(crate) fn positions(&self) -> Range<usize> {
        let start = (self.number - 1) * self.size;
        start..(start + self.size).min(self.count)
    }

    pub(crate) fn next(&self) -> Option<usize> {
        (self.number < self.num_pages).then_some(self.number + 1)
    }

    pub(crate) fn prev(&self) -> Option<usize> {
        (self.number > 1).then(|| self.number - 1)
    }
}

/// Reads a number above 0. Like the real service, it accepts white space around it, a sign and
/// leading zeros.
fn positive(text: &str) -> Option<usize> {
    let text = text.trim();
    let digits = text.strip_prefix('+').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // A number that does not fit is greater than the length of any list.
    Some(digits.parse().unwrap_or(usize::MAX)).filter(|number| *number > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(query: &str, count: usize) -> Result<Page, CatalogueProblem> {
        PageRequest::parse(&Query::parse(query))?.of(count)
    }

    fn page(query: &str, count: usize) -> Option<(usize, usize, Range<usize>)> {
        let page = at(query, count).ok()?;
        Some((page.number, page.num_pages, page.positions()))
    }

    #[test]
    fn pages_are_found() {
        for (query, count, expected) in [
            ("", 0, (1, 1, 0..0)),
            ("page=last", 0, (1, 1, 0..0)),
            ("", 26, (1, 2, 0..25)),
            ("page=2", 26, (2, 2, 25..26)),
            ("page=last", 26, (2, 2, 25..26)),
            ("page=02", 26, (2, 2, 25..26)),
            ("page=%2B2", 26, (2, 2, 25..26)),
            ("page=+2+", 26, (2, 2, 25..26)),
            ("page=9&page=1", 26, (1, 2, 0..25)),
            ("page_size=10&page=3", 26, (3, 3, 20..26)),
            ("page_size=250", 300, (1, 2, 0..250)),
            ("page_size=251", 300, (1, 2, 0..250)),
            ("page_size=99999999999999999999999", 300, (1, 2, 0..250)),
            ("page_size=0", 26, (1, 2, 0..25)),
            ("page_size=-5", 26, (1, 2, 0..25)),
            ("page_size=abc", 26, (1, 2, 0..25)),
            ("page_size=", 26, (1, 2, 0..25)),
            ("page[size]=10&page[number]=3", 26, (3, 3, 20..26)),
            ("page[size]=10&page_size=5&page[number]=3&page=last", 26, (6, 6, 25..26)),
        ] {
            assert_eq!(page(query, count), Some(expected), "{query} of {count}");
        }
    }

    #[test]
    fn other_pages_are_refused() {
        for query in ["3", "0", "-1", "abc", "1.0", "", "LAST", "1e0", "99999999999999999999999", "%2B", "--1"] {
            assert_eq!(page(&format!("page={query}"), 26), None, "{query}");
        }
        assert_eq!(page("page=2", 0), None);
    }
}
