//! Counting the resources of a listing by the values of a column.

use std::cmp::Reverse;

use super::column::FacetColumn;
use super::ranges::round_ends;
use super::{FacetCounts, NumberCounts, RangeCount};
use crate::{Effort, Listing, Ordinal};

/// The number of resources between two checks whether somebody still waits.
const RESOURCES_AT_ONCE: usize = 1 << 14;

/// The place of a value that is not in a range.
const NO_RANGE: u32 = u32::MAX;

/// Counts the resources of a listing by value: the `num_texts` most frequent texts, and numbers in
/// at most `num_ranges` ranges for each unit. Returns `None` if it was cancelled.
pub(crate) fn count(
    column: &FacetColumn,
    listing: &Listing,
    first: Ordinal,
    num_texts: usize,
    num_ranges: usize,
    effort: &Effort,
) -> Option<FacetCounts> {
    let dictionary = &column.dictionary;
    let (mut counts, mut num_without) = (vec![0_u32; dictionary.len()], 0);
    for_each_row(listing, first, effort, |row| {
        let numbers = column.of(row);
        num_without += u64::from(numbers.is_empty());
        for &number in numbers {
            counts[number as usize] += 1;
        }
    })?;
    let texts = &counts[..dictionary.num_texts()];
    let mut most: Vec<usize> = (0..texts.len()).filter(|&number| texts[number] > 0).collect();
    let num_found = most.len();
    // By count, then by text, since the numbers of texts ascend.
    let rank = |number: &usize| (Reverse(texts[*number]), *number);
    if num_texts < num_found {
        most.select_nth_unstable_by_key(num_texts, rank);
        most.truncate(num_texts);
    }
    most.sort_unstable_by_key(rank);
    let text = |number: usize| Some((dictionary.text(number)?.to_owned(), texts[number].into()));
    Some(FacetCounts {
        num_resources: listing.len() as u64,
        num_without,
        num_texts: num_found,
        texts: most.into_iter().filter_map(text).collect(),
        numbers: count_numbers(column, listing, first, &counts, num_ranges, effort)?,
    })
}

/// Counts by ranges of the existing numbers.
fn count_numbers(
    column: &FacetColumn,
    listing: &Listing,
    first: Ordinal,
    counts: &[u32],
    num_ranges: usize,
    effort: &Effort,
) -> Option<Vec<NumberCounts>> {
    let dictionary = &column.dictionary;
    let mut groups: Vec<NumberCounts> = Vec::new();
    let mut ranges: Vec<(usize, RangeCount)> = Vec::new();
    let mut range_of = vec![NO_RANGE; counts.len()];
    for (unit, places) in dictionary.units() {
        let found: Vec<usize> = places.filter(|&place| counts[place] > 0).collect();
        let value = |place: Option<&usize>| dictionary.number(*place?);
        let (Some(min), Some(max)) = (value(found.first()), value(found.last())) else { continue };
        let ends = round_ends(min, max, num_ranges);
        let before = ranges.len();
        ranges.extend(ends.windows(2).map(|ends| {
            let range = RangeCount { from: ends[0], to: ends[1], num_resources: 0 };
            (groups.len(), range)
        }));
        for &place in &found {
            let number = dictionary.number(place)?;
            let range = ends.partition_point(|end| *end <= number).clamp(1, ends.len() - 1) - 1;
            range_of[place] = u32::try_from(before + range).ok()?;
        }
        let (unit, num_values) = (unit.to_owned(), found.len());
        groups.push(NumberCounts { unit, num_resources: 0, num_values, min, max, ranges: Vec::new() });
    }
    if groups.is_empty() {
        return Some(groups);
    }
    for_each_row(listing, first, effort, |row| {
        let (mut last_range, mut last_group) = (NO_RANGE, usize::MAX);
        // They ascend by unit and number, so that equal ranges are neighbours.
        for &number in column.of(row) {
            let range = range_of[number as usize];
            if range == NO_RANGE || range == last_range {
                continue;
            }
            last_range = range;
            let (group, counted) = &mut ranges[range as usize];
            counted.num_resources += 1;
            if *group != last_group {
                last_group = *group;
                groups[*group].num_resources += 1;
            }
        }
    })?;
    for (group, range) in ranges {
        groups[group].ranges.push(range);
    }
    groups.sort_by(|left, right| (right.num_resources, &left.unit).cmp(&(left.num_resources, &right.unit)));
    Some(groups)
}

/// Returns `None` if it was cancelled.
fn for_each_row(listing: &Listing, first: Ordinal, effort: &Effort, mut take: impl FnMut(usize)) -> Option<()> {
    for start in (0..listing.len()).step_by(RESOURCES_AT_ONCE) {
        if !effort.may_continue() {
            return None;
        }
        for ordinal in listing.ordinals(start..start + RESOURCES_AT_ONCE) {
            take((ordinal - first) as usize);
        }
    }
    Some(())
}
