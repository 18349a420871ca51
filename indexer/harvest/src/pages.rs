//! Lists, read until nothing of them lacks.
//!
//! A list without an order is shown in pages that need not fit together: rows come twice, and others not at all. So identifiers are counted, and a list
//! of which some lack is read again in pages of another size. A row that cannot be shown takes its page with it, which is read in smaller ones.

use std::collections::{HashMap, HashSet};

use indexer::Result;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::answers::Answers;
use super::client::Said;
use super::notes::Notes;
use super::objects::hash;

/// The sizes of the pages in which a list is read, one after another as long as some of it lacks. The first is the most that servers give.
const SIZES: [u64; 4] = [100, 96, 80, 64];

/// After so many rows in a row that cannot be shown, the rest of their page is left out; and after so many pages in a row like that, the list.
const NUM_SKIPPED_MAX: u64 = 5;
const NUM_PAGES_MAX: u64 = 3;

/// Servers tell numbers, and estimates add them up.
const COUNT_MAX: u64 = 1 << 40;

/// A page may have so many times the rows that were asked for, unless another number is set.
const PAGES_PER_PAGE_MAX: u64 = 10;

/// After so many pages in a row of nothing but rows that came before, the server shows the same ones again and again.
const NUM_OLD_PAGES_MAX: u64 = 3;

/// A list of a server.
#[derive(Clone, Copy, Debug)]
pub(super) struct List<'a> {
    /// The path below the base.
    pub(super) path: &'a str,
    /// What orders or filters it, as in `order=accession`, or nothing.
    pub(super) query: &'a str,
    /// Returns what tells a row from others, or `None` of a row that is of no use. Without it, the same row may come several times.
    pub(super) id: Option<fn(&str) -> Option<String>>,
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
    /// Takes each row once, and returns whether it is news.
    take: &'a mut dyn FnMut(Row) -> Result<bool>,
    /// The rows that were seen. One without an identifier is known by its text, and how often that has come before.
    ids: HashSet<u64>,
    count: u64,
    num_rows: u64,
    turn: Turn,
    is_missing: bool,
    is_given_up: bool,
}

/// What one reading of a list has come to.
#[derive(Default)]
struct Turn {
    num_skipped: u64,
    /// The skipped ones that no page that could be read has followed yet.
    num_skipped_last: u64,
    /// The rest of a page is left out.
    is_page_given_up: bool,
    /// How often the texts of rows without identifiers have come.
    num_same: HashMap<u64, u64>,
    /// What the rows of the last page hash to, and whether those of the one before did, too.
    last_page: u64,
    is_repeated: bool,
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
        turn: Turn::default(),
        is_missing: false,
        is_given_up: false,
    };
    // The first reading tells how long the list is, whatever the server says.
    let mut end = u64::MAX;
    for mut size in SIZES {
        walk.turn = Turn::default();
        let (mut first, mut num_bad, mut num_old) = (0, 0, 0);
        loop {
            let num_before = walk.num_rows;
            let part = walk.part(first, size)?;
            // Some servers have smaller pages than are asked for.
            if first == 0 && (1..size).contains(&part.num_rows) && part.num_rows < walk.count {
                size = part.num_rows;
            }
            first += size;
            num_old = if walk.num_rows == num_before || walk.turn.is_repeated { num_old + 1 } else { 0 };
            num_bad = if std::mem::take(&mut walk.turn.is_page_given_up) { num_bad + 1 } else { 0 };
            walk.is_given_up = num_bad == NUM_PAGES_MAX;
            let is_at_end =
                part.num_rows == 0 || (first >= walk.count && (list.id.is_none() || walk.num_rows <= walk.count));
            let goes_round = first >= end || (end == u64::MAX && num_old == NUM_OLD_PAGES_MAX);
            let is_known = until_known && !part.has_news;
            if is_at_end || goes_round || is_known || walk.is_missing || walk.is_given_up {
                break;
            }
        }
        end = end.min(first);
        if until_known || walk.is_missing || walk.is_given_up || walk.is_whole() {
            break;
        }
    }
    let is_whole =
        !walk.is_missing && !walk.is_given_up && walk.turn.num_skipped == 0 && (until_known || walk.is_whole());
    let Walk { count, num_rows, is_missing, .. } = walk;
    if !is_whole && !is_missing {
        notes.incomplete(list.path, list.query, count, num_rows);
    }
    Ok(Seen { is_whole, is_missing })
}

impl Walk<'_, '_> {
    /// Tells whether nothing lacks but what cannot be shown.
    fn is_whole(&self) -> bool {
        self.num_rows + self.turn.num_skipped >= self.count
    }

    /// Reads the rows from a place on, a multiple of the size, in one page or in several smaller ones.
    fn part(&mut self, first: u64, size: u64) -> Result<Part> {
        let List { path, query, .. } = self.list;
        let and = if query.is_empty() { "" } else { "&" };
        let asked = format!("{path}?{query}{and}page={}&page_size={size}", first / size + 1);
        let why = match self.answers.ask(&asked)? {
            Said::Json(text) => {
                let max = self.answers.limits.page_objects_max.unwrap_or(PAGES_PER_PAGE_MAX * size);
                // What is ignored takes no memory, however much there is of it.
                let counted = serde_json::from_str(&text).ok();
                let num_rows = counted.map_or(0, |page: Page<IgnoredAny>| page.items.len() as u64);
                if num_rows > max {
                    format!("its page has {num_rows} rows, and {max} are the most")
                } else if let Ok(Page { count, items }) = serde_json::from_str(&text) {
                    return self.page(&asked, count, &items);
                } else {
                    "its answer is not a page of a list".to_owned()
                }
            }
            Said::Missing => {
                self.is_missing = first == 0 && self.num_rows == 0;
                return Ok(Part { num_rows: 0, has_news: false });
            }
            Said::Fault(why) => why,
        };
        let mut part = Part { num_rows: size, has_news: true };
        if size == 1 {
            self.skip(&asked, &why)?;
            self.turn.num_skipped_last += 1;
            if self.turn.num_skipped_last == NUM_SKIPPED_MAX {
                self.turn.is_page_given_up = true;
                self.turn.num_skipped_last = 0;
            }
            return Ok(part);
        }
        let smaller = size / smallest_factor(size);
        for first in (first..first + size).step_by(usize::try_from(smaller).unwrap_or(1)) {
            let rest = self.part(first, smaller)?;
            if self.turn.is_page_given_up {
                break;
            }
            if rest.num_rows == 0 || (self.count > 0 && first + smaller >= self.count) {
                part.num_rows = if self.count > first + smaller { size } else { 0 };
                break;
            }
        }
        Ok(part)
    }

    fn page(&mut self, asked: &str, count: u64, rows: &[&RawValue]) -> Result<Part> {
        self.count = count;
        self.turn.num_skipped_last = 0;
        let texts: Vec<&str> = rows.iter().map(|row| row.get()).collect();
        let page = hash(&texts);
        self.turn.is_repeated = std::mem::replace(&mut self.turn.last_page, page) == page;
        let mut has_news = false;
        if self.list.id.is_none() && self.turn.is_repeated && rows.len() > 1 {
            return Ok(Part { num_rows: rows.len() as u64, has_news });
        }
        for text in texts {
            let (id, key) = if let Some(id) = self.list.id {
                // The last two would lead to other paths.
                let Some(id) = id(text).filter(|id| !["", ".", ".."].contains(&&**id)) else {
                    self.skip(asked, "a row has no identifier")?;
                    continue;
                };
                let key = hash(&id);
                (id, key)
            } else {
                let num_same = self.turn.num_same.entry(hash(text)).or_default();
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

    fn skip(&mut self, asked: &str, why: &str) -> Result<()> {
        self.turn.num_skipped += 1;
        self.notes.skip(asked, why)
    }
}

/// Returns the number of rows of a list, given one of its pages. Nothing has more than can be added up.
pub(super) fn count(page: &str) -> Option<u64> {
    serde_json::from_str(page).ok().map(|page: Page<IgnoredAny>| page.count.min(COUNT_MAX))
}

fn smallest_factor(number: u64) -> u64 {
    (2..number).find(|factor| number.is_multiple_of(*factor)).unwrap_or(number)
}
