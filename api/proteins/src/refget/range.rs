//! The part of a sequence that a request wants.

use std::ops::Range;

use axum::http::request::Parts;
use axum::http::{StatusCode, header};

use crate::ProteinProblem;

/// The requested part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RequestedRange {
    /// Both ends as parameters, 0-based; the end is excluded.
    Positions { start: Option<u32>, end: Option<u32> },
    /// The header `Range` with the first and the last byte; both are included.
    Bytes { first: u64, last: Option<u64> },
    /// The header `Range` with a number of bytes at the end.
    LastBytes(u64),
}

impl RequestedRange {
    /// Reads the parameters and the header. Other parameters are ignored.
    ///
    /// # Errors
    ///
    /// * They cannot be read, or both are present.
    pub(super) fn read(parts: &Parts) -> Result<Self, ProteinProblem> {
        let (mut start, mut end) = (None, None);
        for (name, value) in form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes()) {
            let position = match &*name {
                "start" => &mut start,
                "end" => &mut end,
                _ => continue,
            };
            let number = digits(&value).and_then(|number| u32::try_from(number).ok());
            let problem = || bad_request("`start` and `end` must be whole numbers below 2^32.");
            *position = Some(number.ok_or_else(problem)?);
        }
        let mut ranges = parts.headers.get_all(header::RANGE).into_iter();
        // Tags of answers are weak, so they never meet the condition of a range.
        let range = ranges.next().filter(|_| !parts.headers.contains_key(header::IF_RANGE));
        let Some(range) = range else { return Ok(Self::Positions { start, end }) };
        if start.is_some() || end.is_some() {
            return Err(bad_request("Use either `start` and `end` or the header `Range`, not both."));
        }
        let range = range.to_str().ok().filter(|_| ranges.next().is_none()).and_then(Self::parse_header);
        range.ok_or_else(|| {
            bad_request("The header `Range` must have exactly one range of bytes, such as `bytes=5-14`.")
        })
    }

    fn parse_header(text: &str) -> Option<Self> {
        let (first, last) = text.strip_prefix("bytes=")?.trim().split_once('-')?;
        match (first, last) {
            ("", last) => digits(last).map(Self::LastBytes),
            (first, "") => Some(Self::Bytes { first: digits(first)?, last: None }),
            (first, last) => Some(Self::Bytes { first: digits(first)?, last: Some(digits(last)?) }),
        }
    }

    pub(super) const fn is_byte_range(&self) -> bool {
        !matches!(self, Self::Positions { .. })
    }

    /// Returns the part of a sequence with `length` residues, or `None` for the whole sequence.
    ///
    /// # Errors
    ///
    /// * The sequence has no such part.
    pub(super) fn within(&self, length: usize) -> Result<Option<Range<usize>>, ProteinProblem> {
        let outside = || ProteinProblem::OutsideSequence(length);
        let residues = length as u64;
        let range = match *self {
            Self::Positions { start: None, end: None } => return Ok(None),
            Self::Positions { start, end } => {
                let (first, end) = (start.map_or(0, u64::from), end.map_or(residues, u64::from));
                if first >= residues || end > residues {
                    return Err(outside());
                }
                if first > end {
                    let detail = "`start` must not be above `end`: proteins are not circular.".to_owned();
                    return Err(ProteinProblem::Refused { status: StatusCode::NOT_IMPLEMENTED, detail });
                }
                first..end
            }
            Self::Bytes { first, last } => first..last.map_or(residues, |last| residues.min(last.saturating_add(1))),
            Self::LastBytes(number) => residues.saturating_sub(number)..residues,
        };
        if self.is_byte_range() && range.is_empty() {
            return Err(outside());
        }
        let [start, end] = [range.start, range.end].map(|end| usize::try_from(end).unwrap_or(length));
        Ok(Some(start..end))
    }
}

fn digits(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

fn bad_request(detail: &str) -> ProteinProblem {
    ProteinProblem::Refused { status: StatusCode::BAD_REQUEST, detail: detail.to_owned() }
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    const LENGTH: usize = 5386;

    /// Returns the part, or the status of the error.
    fn part(query: &str, range: Option<&str>) -> Result<Option<Range<usize>>, u16> {
        let mut request = Request::get(format!("/x{query}"));
        if let Some(range) = range {
            request = request.header("range", range);
        }
        let parts = request.body(()).expect("a request").into_parts().0;
        RequestedRange::read(&parts).and_then(|wanted| wanted.within(LENGTH)).map_err(|problem| match problem {
            ProteinProblem::Refused { status, .. } => status.as_u16(),
            ProteinProblem::OutsideSequence(LENGTH) => 416,
            other => panic!("{other:?}"),
        })
    }

    /// The cases of GA4GH's compliance suite.
    #[test]
    fn parts_and_refusals_are_those_of_the_specification() {
        for (query, expected) in [
            ("", Ok(None)),
            ("?start=10&end=20", Ok(Some(10..20))),
            ("?start=10&end=10", Ok(Some(10..10))),
            ("?start=0&end=0&other=x", Ok(Some(0..0))),
            ("?start=5", Ok(Some(5..5386))),
            ("?end=5", Ok(Some(0..5))),
            ("?start=5385&end=5386", Ok(Some(5385..5386))),
            ("?start=abc&end=20", Err(400)),
            ("?start=-10&end=-29", Err(400)),
            ("?start=%2B1", Err(400)),
            ("?start=4294967296", Err(400)),
            ("?end=", Err(400)),
            ("?start=67&end=5387", Err(416)),
            ("?start=5386&end=5375", Err(416)),
            ("?start=5386&end=5386", Err(416)),
            ("?start=5386&end=5", Err(416)),
            ("?start=5386", Err(416)),
            ("?start=20&end=4", Err(501)),
        ] {
            assert_eq!(part(query, None), expected, "{query}");
        }
        for (range, expected) in [
            ("bytes=10-19", Ok(Some(10..20))),
            ("bytes=10-5385", Ok(Some(10..5386))),
            ("bytes=10-999999", Ok(Some(10..5386))),
            ("bytes=10-", Ok(Some(10..5386))),
            ("bytes=-10", Ok(Some(5376..5386))),
            ("bytes=-999999", Ok(Some(0..5386))),
            ("bytes=0-0", Ok(Some(0..1))),
            ("bytes=0-18446744073709551615", Ok(Some(0..5386))),
            ("units=20-30", Err(400)),
            ("bytes=ab-19", Err(400)),
            ("bytes=-10--19", Err(400)),
            ("bytes=10--19", Err(400)),
            ("bytes=-10-", Err(400)),
            ("bytes==10-19", Err(400)),
            ("bytes=-", Err(400)),
            ("bytes=1-2,4-5", Err(400)),
            ("bytes=59-50", Err(416)),
            ("bytes=5386-5387", Err(416)),
            ("bytes=9999-99999", Err(416)),
            ("bytes=-0", Err(416)),
        ] {
            assert_eq!(part("", Some(range)), expected, "{range}");
        }
        assert_eq!(part("?start=1&end=2", Some("bytes=1-2")), Err(400));
    }
}
