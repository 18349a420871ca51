//! The plan of a server, and the faults that depend on it alone.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

use super::Reply;
use crate::harvest::documents::Source;

/// The faults of a server.
#[derive(Default)]
pub(in crate::harvest) struct Plan {
    pub(in crate::harvest) seed: u64,
    /// One in this many requests fails at first, up to three times; none if it is 0.
    pub(in crate::harvest) passing: u64,
    pub(in crate::harvest) losing: Loss,
    /// Lists and items that are counted but on no page.
    pub(in crate::harvest) never_shown: Vec<(&'static str, String)>,
    /// Items that make pages and details fail, unless the server is repaired.
    pub(in crate::harvest) broken: BTreeSet<String>,
    /// The first request from which the server sends only pages of a proxy, unless it is repaired.
    pub(in crate::harvest) away_from: Option<usize>,
    /// Items that have no detail, since they are hidden while the lists are read.
    pub(in crate::harvest) hidden: BTreeSet<String>,
    /// Paths below the prefix that are answered with redirects.
    pub(in crate::harvest) redirected: BTreeMap<String, String>,
    /// Requests, by their number, from which on the server has other documents.
    pub(in crate::harvest) changes: Vec<(usize, Source)>,
    /// Answers to the first requests of a path below the prefix.
    pub(in crate::harvest) scripted: Vec<(String, Vec<Reply>)>,
}

/// The items that pages of unordered lists lose, if there is more than one page.
#[derive(Clone, Copy, Default, PartialEq)]
pub(in crate::harvest) enum Loss {
    #[default]
    Nothing,
    /// Other items for each page size.
    BySize,
    /// Less for each further page size that a list is asked for with; nothing for the fourth.
    ByTurn,
}

impl Plan {
    /// Returns a fault that does not depend on the request.
    pub(super) fn fault(&self, get: &str, attempt: u64) -> Option<Reply> {
        let path = get.split('?').next().unwrap_or_default();
        let scripted = self.scripted.iter().find(|(other, _)| other == path);
        if let Some(reply) = scripted.and_then(|(_, replies)| replies.get(usize::try_from(attempt).ok()?)) {
            return Some(reply.clone());
        }
        if let Some(location) = self.redirected.get(path) {
            return Some(
                Reply::new(if location.starts_with('/') { 301 } else { 302 }, "text/html", "")
                    .with("location", location),
            );
        }
        let drawn = hash(&(self.seed, get));
        if self.passing == 0 || !drawn.is_multiple_of(self.passing) || attempt > (drawn >> 8) % 3 {
            return None;
        }
        let cut = |num_bytes| Reply {
            cut: Some(num_bytes),
            ..Reply::new(200, "application/json", r#"{"count": 1, "items": ["#.repeat(9))
        };
        Some(match (drawn >> 16).wrapping_add(attempt) % 10 {
            0 => Reply::page(500),
            1 => Reply::page(502),
            2 => Reply::page(503).with("retry-after", "0"),
            3 => Reply::page(504),
            4 => Reply::new(429, "application/json", r#"{"detail": "Request was throttled."}"#),
            5 => cut(0),
            6 => cut(99),
            7 => Reply::page(200),
            8 => Reply::new(200, "application/json; charset=utf-8", r#"{"count": 7, "items": [{"#),
            _ => Reply::new(200, "application/json; charset=utf-8", ""),
        })
    }
}

pub(super) fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
