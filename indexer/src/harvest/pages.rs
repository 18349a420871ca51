//! Lists, read until nothing of them lacks.
//!
//! A list without an order is shown in pages that need not fit together: rows come twice, and others not at all. So identifiers are counted, and a list
//! of which some lack is read again in pages of another size. A row that cannot be shown takes its page with it, which is read in smaller ones.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::answers::Answers;
use super::client::Said;
use super::notes::Notes;
use super::objects::hash;
use crate::Result;

/// The sizes of the pages in which a list is read, one after another as long as some of it lacks. The first is the most that servers give.
const SIZES: [u64; 4] = [100, 96, 80, 64];

/// After so many rows in a row that cannot be shown, it is the list that cannot.
const NUM_SKIPPED_MAX: u64 = 5;

/// A list of a server.
#[derive(Clone, Copy, Debug)]
pub(super) struct List<'a> {
    /// The path below the base.
    pub(super) path: &'a str,
    /// What orders or filters it, as in `order=accession`, or nothing.
    pub(super) query: &'a str,
    /// Returns what tells a row from others. Where it returns `None`, rows may repeat, and only their number is looked at.
    pub(super) id: fn(&str) -> Option<String>,
}

/// A row of a list.
pub(super) struct Row<'a> {
    /// Its identifier, or nothing where it has none.
    pub(super) id: String,
    /// It as JSON, in one line.
    pub(super) text: &'a str,
}

/// What was seen of a list.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Whether all of them were seen.
    pub(super) is_whole: bool,
    /// There is no such list.
    pub(super) is_missing: bool,
}

/// A page of either version.
#[derive(Deserialize)]
struct Page<'a> {
    count: Option<u64>,
    #[serde(borrow)]
    items: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    data: Option<Vec<&'a RawValue>>,
    meta: Option<Meta>,
}

#[derive(Deserialize)]
struct Meta {
    pagination: Option<Pagination>,
}

#[derive(Deserialize)]
struct Pagination {
    count: u64,
}

/// A walk through a list.
struct Walk<'a, 'b> {
    answers: &'a mut Answers,
    notes: &'a mut Notes,
    list: List<'b>,
    /// Takes each row once, and returns whether it is news.
    take: &'a mut dyn FnMut(Row) -> Result<bool>,
    ids: HashSet<u64>,
    count: u64,
    num_rows: u64,
    num_skipped: u64,
    /// The skipped ones that no page that could be read has followed yet.
    num_skipped_last: u64,
    is_missing: bool,
    is_given_up: bool,
}

/// What a part of a list was.
struct Part {
    num_rows: u64,
    has_news: bool,
}

/// Reads a list, and hands each row on once. With `until_known`, it stops behind a page of which nothing was news.
pub(super) fn read(
    answers: &mut Answers,
    notes: &mut Notes,
    list: List,
    until_known: bool,
    take: &mut dyn FnMut(Row) -> Result<bool>,
) -> Result<Seen> {
    let mut walk = Walk {
        answers,
        notes,
        list,
        take,
        ids: HashSet::new(),
        count: 0,
        num_rows: 0,
        num_skipped: 0,
        num_skipped_last: 0,
        is_missing: false,
        is_given_up: false,
    };
    for size in SIZES {
        walk.num_skipped = 0;
        let mut first = 0;
        loop {
            let part = walk.part(first, size)?;
            first += size;
            let is_end = part.num_rows == 0 || first >= walk.count;
            if is_end || walk.is_missing || walk.is_given_up || (until_known && !part.has_news) {
                break;
            }
        }
        if until_known || walk.is_missing || walk.is_given_up || walk.is_whole() {
            break;
        }
    }
    let is_whole = !walk.is_given_up && walk.num_skipped == 0 && (until_known || walk.is_whole());
    let Walk { count, num_rows, is_missing, .. } = walk;
    if !is_whole && !is_missing {
        notes.incomplete(list.path, list.query, count, num_rows);
    }
    Ok(Seen { is_whole, is_missing })
}

impl Walk<'_, '_> {
    /// Tells whether nothing lacks but what cannot be shown.
    fn is_whole(&self) -> bool {
        self.num_rows + self.num_skipped >= self.count
    }

    /// Reads the rows from a place on, a multiple of the size, in one page or in several smaller ones.
    fn part(&mut self, first: u64, size: u64) -> Result<Part> {
        let List { path, query, .. } = self.list;
        let and = if query.is_empty() { "" } else { "&" };
        let asked = format!("{path}?{query}{and}page={}&page_size={size}", first / size + 1);
        let why = match self.answers.ask(&asked)? {
            Said::Json(text) => match serde_json::from_str(&text).ok().and_then(rows) {
                Some((count, rows)) => return self.page(count, &rows),
                None => "its answer is not a page of a list".to_owned(),
            },
            Said::Missing => {
                self.is_missing = first == 0;
                return Ok(Part { num_rows: 0, has_news: false });
            }
            Said::Fault(why) => why,
        };
        let mut part = Part { num_rows: size, has_news: true };
        if size == 1 {
            self.notes.skip(&asked, &why)?;
            self.num_skipped += 1;
            self.num_skipped_last += 1;
            self.is_given_up = self.num_skipped_last == NUM_SKIPPED_MAX;
            return Ok(part);
        }
        let smaller = size / smallest_factor(size);
        for first in (first..first + size).step_by(usize::try_from(smaller).unwrap_or(1)) {
            let rest = self.part(first, smaller)?;
            if rest.num_rows == 0 || self.is_given_up || (self.count > 0 && first + smaller >= self.count) {
                part.num_rows = if self.count > first + smaller { size } else { 0 };
                break;
            }
        }
        Ok(part)
    }

    fn page(&mut self, count: u64, rows: &[&RawValue]) -> Result<Part> {
        self.count = count;
        self.num_skipped_last = 0;
        let mut has_news = false;
        for text in rows.iter().map(|row| row.get()) {
            let id = (self.list.id)(text);
            if id.as_deref().is_none_or(|id| self.ids.insert(hash(id))) {
                self.num_rows += 1;
                has_news |= (self.take)(Row { id: id.unwrap_or_default(), text })?;
            }
        }
        Ok(Part { num_rows: rows.len() as u64, has_news })
    }
}

/// Returns the number of rows of a list, given one of its pages.
pub(super) fn count(page: &str) -> Option<u64> {
    rows(serde_json::from_str(page).ok()?).map(|(count, _)| count)
}

/// Returns the rows of a page, and the number of all rows of its list.
fn rows(page: Page<'_>) -> Option<(u64, Vec<&RawValue>)> {
    let count = page.count.or_else(|| Some(page.meta?.pagination?.count))?;
    Some((count, page.items.or(page.data)?))
}

fn smallest_factor(number: u64) -> u64 {
    (2..number).find(|factor| number.is_multiple_of(*factor)).unwrap_or(number)
}
