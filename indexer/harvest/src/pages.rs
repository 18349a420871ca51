//! Lists, read until they are complete.
//!
//! Pages of a list without an order may overlap: some rows are repeated, others are missing.
//! Therefore identifiers are counted, and an incomplete list is read again in pages of another
//! size. If the server fails on a row, it fails on the whole page, which is then read in smaller
//! ones.

use std::collections::{HashMap, HashSet};

use indexer::Result;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::answers::Answers;
use super::client::Answer;
use super::notes::Notes;
use super::objects::hash;

/// The sizes of the pages in which a list is read, one after another while it is incomplete. The
/// first is the most that servers allow.
const SIZES: [u64; 4] = [100, 96, 80, 64];

/// After this number of consecutive rows that the server fails on, the rest of their page is left
/// out; after this number of such pages, the list.
const NUM_SKIPPED_MAX: u64 = 5;
const NUM_PAGES_MAX: u64 = 3;

/// The limit for counts from servers, since estimates add them up.
const COUNT_MAX: u64 = 1 << 40;

/// The most rows of a page, as a multiple of the requested number, unless another number is set.
const PAGES_PER_PAGE_MAX: u64 = 10;

/// After this number of consecutive pages without a new row, the server counts as repeating itself.
const NUM_OLD_PAGES_MAX: u64 = 3;

/// A list of a server.
#[derive(Clone, Copy, Debug)]
pub(super) struct List<'a> {
    /// The path below the base.
    pub(super) path: &'a str,
    /// The order or filter, as in `order=accession`, or an empty text.
    pub(super) query: &'a str,
    /// Returns the identifier of a row, or `None` for a useless row. If unset, rows may be
    /// repeated.
    pub(super) id: Option<fn(&str) -> Option<String>>,
}

/// A row of a list.
pub(super) struct Row<'a> {
    /// The identifier, or an empty text.
    pub(super) id: String,
    /// The row as JSON, in one line.
    pub(super) text: &'a str,
}

/// The part of a list that was seen.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Set if all rows were seen.
    pub(super) is_whole: bool,
    /// Set if the list does not exist.
    pub(super) is_missing: bool,
}

/// A page of a list.
#[derive(Deserialize)]
struct Page<R> {
    /// The number of all rows of the list.
    count: u64,
    items: Vec<R>,
}

/// A walk through a list.
struct Walk<'a, 'b> {
    answers: &'a mut Answers,
    notes: &'a mut Notes,
    list: List<'b>,
    /// Receives each row once, and returns whether it is new.
    take: &'a mut dyn FnMut(Row) -> Result<bool>,
    /// The rows that were seen. A row without an identifier is known by its text and the number of
    /// its earlier copies.
    ids: HashSet<u64>,
    count: u64,
    num_rows: u64,
    reading: Reading,
    is_missing: bool,
    is_given_up: bool,
}

/// The result of reading a list once.
#[derive(Default)]
struct Reading {
    num_skipped: u64,
    /// The rows skipped since the last readable page.
    num_skipped_last: u64,
    /// Set if the rest of a page is left out.
    is_page_given_up: bool,
    /// The number of copies of each row without an identifier, by the hash of its text.
    num_same: HashMap<u64, u64>,
    /// The hash of the rows of the last page, and whether the page before had the same hash.
    last_page: u64,
    is_repeated: bool,
}

/// The result of reading a part of a list.
struct Part {
    num_rows: u64,
    has_news: bool,
}

/// Reads a list, and passes each row on once. With `until_known`, it stops after a page without new
/// rows.
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
        reading: Reading::default(),
        is_missing: false,
        is_given_up: false,
    };
    // The first reading determines the length of the list, whatever count the server gives.
    let mut end = u64::MAX;
    for mut size in SIZES {
        walk.reading = Reading::default();
        let (mut first, mut num_bad, mut num_old) = (0, 0, 0);
        loop {
            let num_before = walk.num_rows;
            let part = walk.part(first, size)?;
            // Some servers have smaller pages than requested.
            if first == 0 && (1..size).contains(&part.num_rows) && part.num_rows < walk.count {
                size = part.num_rows;
            }
            first += size;
            num_old = if walk.num_rows == num_before || walk.reading.is_repeated { num_old + 1 } else { 0 };
            num_bad = if std::mem::take(&mut walk.reading.is_page_given_up) { num_bad + 1 } else { 0 };
            walk.is_given_up = num_bad == NUM_PAGES_MAX;
            let is_at_end =
                part.num_rows == 0 || (first >= walk.count && (list.id.is_none() || walk.num_rows <= walk.count));
            let is_repeating = first >= end || (end == u64::MAX && num_old == NUM_OLD_PAGES_MAX);
            let is_known = until_known && !part.has_news;
            if is_at_end || is_repeating || is_known || walk.is_missing || walk.is_given_up {
                break;
            }
        }
        end = end.min(first);
        if until_known || walk.is_missing || walk.is_given_up || walk.is_whole() {
            break;
        }
    }
    let is_whole =
        !walk.is_missing && !walk.is_given_up && walk.reading.num_skipped == 0 && (until_known || walk.is_whole());
    let Walk { count, num_rows, is_missing, .. } = walk;
    if !is_whole && !is_missing {
        notes.incomplete(list.path, list.query, count, num_rows);
    }
    Ok(Seen { is_whole, is_missing })
}

impl Walk<'_, '_> {
    /// Returns whether only rows are missing that the server fails on.
    fn is_whole(&self) -> bool {
        self.num_rows + self.reading.num_skipped >= self.count
    }

    /// Reads the rows from an offset, a multiple of the size, in one page or in several smaller
    /// ones.
    fn part(&mut self, first: u64, size: u64) -> Result<Part> {
        let List { path, query, .. } = self.list;
        let and = if query.is_empty() { "" } else { "&" };
        let request = format!("{path}?{query}{and}page={}&page_size={size}", first / size + 1);
        let why = match self.answers.ask(&request)? {
            Answer::Json(text) => {
                let max = self.answers.limits.page_objects_max.unwrap_or(PAGES_PER_PAGE_MAX * size);
                // Ignored members use no memory, whatever their size.
                let counted = serde_json::from_str(&text).ok();
                let num_rows = counted.map_or(0, |page: Page<IgnoredAny>| page.items.len() as u64);
                if num_rows > max {
                    format!("its page has {num_rows} rows, more than {max}")
                } else if let Ok(Page { count, items }) = serde_json::from_str(&text) {
                    return self.page(&request, count, &items);
                } else {
                    "its answer is not a page of a list".to_owned()
                }
            }
            Answer::Missing => {
                self.is_missing = first == 0 && self.num_rows == 0;
                return Ok(Part { num_rows: 0, has_news: false });
            }
            Answer::Fault(why) => why,
        };
        let mut part = Part { num_rows: size, has_news: true };
        if size == 1 {
            self.skip(&request, &why)?;
            self.reading.num_skipped_last += 1;
            if self.reading.num_skipped_last == NUM_SKIPPED_MAX {
                self.reading.is_page_given_up = true;
                self.reading.num_skipped_last = 0;
            }
            return Ok(part);
        }
        let smaller = size / smallest_factor(size);
        for first in (first..first + size).step_by(usize::try_from(smaller).unwrap_or(1)) {
            let rest = self.part(first, smaller)?;
            if self.reading.is_page_given_up {
                break;
            }
            if rest.num_rows == 0 || (self.count > 0 && first + smaller >= self.count) {
                part.num_rows = if self.count > first + smaller { size } else { 0 };
                break;
            }
        }
        Ok(part)
    }

    fn page(&mut self, request: &str, count: u64, rows: &[&RawValue]) -> Result<Part> {
        self.count = count;
        self.reading.num_skipped_last = 0;
        let texts: Vec<&str> = rows.iter().map(|row| row.get()).collect();
        let page = hash(&texts);
        self.reading.is_repeated = std::mem::replace(&mut self.reading.last_page, page) == page;
        let mut has_news = false;
        if self.list.id.is_none() && self.reading.is_repeated && rows.len() > 1 {
            return Ok(Part { num_rows: rows.len() as u64, has_news });
        }
        for text in texts {
            let (id, key) = if let Some(id) = self.list.id {
                // The last two would change the path.
                let Some(id) = id(text).filter(|id| !["", ".", ".."].contains(&&**id)) else {
                    self.skip(request, "a row has no identifier")?;
                    continue;
                };
                let key = hash(&id);
                (id, key)
            } else {
                let num_same = self.reading.num_same.entry(hash(text)).or_default();
                *num_same += 1;
                (String::new(), hash((text, *num_same)))
            };
            if self.ids.insert(key) {
                self.num_rows += 1;
                self.answers.limits.check(self.list.path, self.num_rows)?;
                has_news |= (self.take)(Row { id, text })?;
            }
        }
        Ok(Part { num_rows: rows.len() as u64, has_news })
    }

    fn skip(&mut self, request: &str, why: &str) -> Result<()> {
        self.reading.num_skipped += 1;
        self.notes.skip(request, why)
    }
}

/// Returns the number of rows of a list, given one of its pages, limited to a number that can be
/// added up.
pub(super) fn count(page: &str) -> Option<u64> {
    serde_json::from_str(page).ok().map(|page: Page<IgnoredAny>| page.count.min(COUNT_MAX))
}

fn smallest_factor(number: u64) -> u64 {
    (2..number).find(|factor| number.is_multiple_of(*factor)).unwrap_or(number)
}
