//! Histograms of facets whose values are numbers or years.

use std::collections::BTreeMap;

use api_catalogue::{FacetAnswer, NumberRange};

use super::{METADATA, Source, ranges};
use crate::context::layout::Origin;
use crate::parts::choices::{Chooser, in_words, includes};
use crate::parts::number::Number;
use crate::parts::words::capitalized;
use crate::plots::histogram::{Column, Histogram};
use crate::plots::plot::Plot;

/// The prefix of facets by year.
const YEAR: &str = "year";

/// The maximum distance of a year from the most frequent one. Other years remain in the list.
const YEARS_MAX: i32 = 50;

/// Returns the histogram of the years, or of the numbers with the most frequent unit. Other units
/// remain in the list. Returns `None` for fewer than two columns.
pub(super) fn of(answer: &FacetAnswer, source: &Source, chooser: &Chooser) -> Option<Histogram> {
    let (numbers, has_units) = (answer.numbers.first(), answer.by.starts_with(METADATA));
    let unit = numbers.and_then(|numbers| numbers.unit.clone()).unwrap_or_default();
    // The last of several ranges ends beyond all numbers.
    let close = match numbers {
        None => "]".to_owned(),
        Some(_) if has_units => format!("}}[{unit}]"),
        Some(_) => "}".to_owned(),
    };
    let column = |value: &str, ends: [String; 2], count: u64| {
        let single = chooser.choice(value, None);
        let range = format!("[{} TO {}{close}", ends[0], ends[1]);
        let is_chosen = single.is_chosen || chooser.chosen.iter().any(|chosen| includes(chosen, &range));
        // Empty ranges cannot be chosen.
        let href = if count == 0 && !is_chosen { String::new() } else { single.href };
        let label = in_words(&format!("[{} TO {}]", ends[0], ends[1]));
        Column { label, count: count.into(), href, is_chosen, ends }
    };
    let columns: Vec<Column> = match numbers {
        Some(numbers) => {
            let values = ranges(numbers, has_units).zip(&numbers.ranges);
            let ends = |range: &NumberRange| [range.from, range.to].map(|end| end.to_string());
            values.map(|((value, count), range)| column(&value, ends(range), count)).collect()
        }
        None if answer.by.starts_with(YEAR) => {
            let years = years(answer).into_iter().map(|(year, count)| (format!("{year:04}"), count));
            years.map(|(year, count)| column(&year, [year.clone(), year.clone()], count)).collect()
        }
        None => Vec::new(),
    };
    let counted = || columns.iter().map(|column| column.count.value).sum();
    let counted = Number(numbers.map_or_else(counted, |numbers| numbers.count));
    (columns.len() > 1).then(|| Histogram {
        of: if unit.is_empty() { source.heading.to_owned() } else { format!("{} ({unit})", source.heading) },
        unit,
        counted: capitalized(source.path),
        columns,
        plot: Plot {
            name: source.field,
            origin: Origin::Catalogue,
            note: format!("Shown: {counted} of {}.", Number(answer.total).counted(source.path)),
            range: chooser.only(&format!("[{{from}} TO {{to}}{close}")),
            ..Plot::default()
        },
    })
}

/// Returns the years around the most frequent one, from the first with resources to the last, with
/// their counts.
fn years(answer: &FacetAnswer) -> Vec<(i32, u64)> {
    let year = |text: &str| text.parse::<i16>().ok().map(i32::from);
    let counts = answer.values.iter().filter_map(|value| Some((year(&value.value)?, value.count)));
    let (middle, counts) = (counts.clone().next(), counts.collect::<BTreeMap<_, _>>());
    let middle = middle.map_or(0, |(year, _)| year);
    let mut near = counts.range(middle - YEARS_MAX..=middle + YEARS_MAX).map(|(year, _)| *year);
    let Some(first) = near.next() else { return Vec::new() };
    let last = near.next_back().unwrap_or(first);
    (first..=last).map(|year| (year, counts.get(&year).copied().unwrap_or_default())).collect()
}

#[cfg(test)]
mod tests {
    use api_catalogue::ValueCount;

    use super::*;
    use crate::context::address::Pairs;

    #[test]
    fn years_without_resources_have_a_column_unless_they_are_far_away() {
        let value = |(value, count): (&str, u64)| ValueCount { value: value.to_owned(), count };
        let values = [("0984", 9), ("0981", 4), ("9999", 2), ("2014", 1)].map(value).into();
        let answer =
            FacetAnswer { by: "year".to_owned(), total: 20, without: 4, distinct: 4, values, numbers: Vec::new() };
        let source = Source { path: "samples", by: "year", heading: "Year", field: "collection_date" };
        let address = |pairs: &Pairs| pairs.to_query();
        let chooser = Chooser::new(&Pairs::parse("any_collection_date=[0982 TO 0984]"), source.field, &address);
        let histogram = of(&answer, &source, &chooser).expect("columns");
        let columns: Vec<_> =
            histogram.columns.iter().map(|column| (&*column.label, column.count.value, column.is_chosen)).collect();
        assert_eq!(columns, [("0981", 4, false), ("0982", 0, true), ("0983", 0, true), ("0984", 9, true)]);
        assert_eq!(histogram.columns[0].href, "?any_collection_date=0981");
        assert_eq!(histogram.plot.range, "?any_collection_date=%5B%7Bfrom%7D+TO+%7Bto%7D%5D");
    }
}
