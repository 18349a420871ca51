//! Loci of genes: start, end and strand.

use indexer::run::{Reason, Rejection};
use indexer::values::{self, quoted};

/// Parses a strand.
pub(super) fn is_reverse(text: &str) -> Option<bool> {
    match text {
        "+" | "1" => Some(false),
        "-" | "-1" => Some(true),
        _ => None,
    }
}

/// Parses a whole number, which spreadsheets may have written with decimals.
pub(super) fn whole(name: &str, text: &str) -> Result<u64, Rejection> {
    let bad = || Rejection::new(Reason::BadNumber, format!("{name} {} is not a whole number", quoted(text)));
    let digits = text.split_once('.').filter(|(_, zeros)| !zeros.is_empty() && zeros.bytes().all(|zero| zero == b'0'));
    values::whole(digits.map_or(text, |(digits, _)| digits)).ok_or_else(bad)
}

/// Checks the start and the end of `what`, 1-based and inclusive.
pub(super) fn range(what: &str, start: u64, end: u64) -> Result<(u32, u32), Rejection> {
    if start == 0 {
        return Err(Rejection::new(Reason::BadNumber, format!("{what}: start 0, but positions begin at 1")));
    }
    if start > end {
        return Err(Rejection::new(Reason::BadNumber, format!("{what}: start {start} is above end {end}")));
    }
    Ok((values::position(what, start)?, values::position(what, end)?))
}
