//! The facets of a list of resources, and its conditions as chips.

use api_catalogue::{Collection, FacetAnswer, NumberRange, NumbersOfUnit, ValueCount, WHERE};
use serde_json::Value;

use crate::context::address::Pairs;
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::choices::{self, COUNTED, Chip, Choice, Chooser, Facet, in_words};
use crate::parts::countries;
use crate::parts::metadata_rows;
use crate::parts::number::Count;
use crate::parts::resource_query::{COUNTRY, METADATA, for_api, sources};
use crate::parts::words::label;

/// Counts the resources of a list by the values of each facet, without the values chosen of the
/// facet itself.
pub(crate) fn count(
    context: &PageContext,
    collection: &Collection,
    pairs: &Pairs,
    not_filters: &[&str],
    address: &dyn Fn(&Pairs) -> String,
) -> Result<Vec<Facet>, PortalProblem> {
    let snapshot = context.catalogue()?;
    let mut choosers = Vec::new();
    for &(by, heading, field) in sources(collection) {
        let key = by.strip_prefix(METADATA);
        if key.map_or(Ok(true), |key| snapshot.known_keys(key).map(|known| !known.is_empty()))? {
            choosers.push((by, heading, Chooser::new(pairs, field, address)));
        }
    }
    let count = |pairs: &Pairs, by: &[&str]| -> Result<Vec<FacetAnswer>, PortalProblem> {
        let query = for_api(collection, &pairs.without(not_filters)).with("limit", &COUNTED.to_string());
        let query = by.iter().fold(query, |query, by| query.and("by", by)).to_query();
        let document = context.document(&format!("/{}/facets", collection.path), query.trim_start_matches('?'))?;
        let facets = document.resources().into_iter();
        Ok(facets.map(|facet| serde_json::from_value(Value::Object(facet.attributes))).collect::<Result<_, _>>()?)
    };
    let (chosen, others): (Vec<_>, Vec<_>) = choosers.iter().partition(|(.., chooser)| !chooser.chosen.is_empty());
    let others: Vec<&str> = others.into_iter().map(|(by, ..)| *by).collect();
    let mut answers = if others.is_empty() { Vec::new() } else { count(pairs, &others)? };
    for (by, _, chooser) in chosen {
        answers.extend(count(&chooser.others, &[by])?);
    }
    let facets = choosers.iter().filter_map(|(by, heading, chooser)| {
        let answer = answers.iter().find(|answer| answer.by == *by)?;
        Some(facet(answer, heading, chooser))
    });
    Ok(facets.filter(|facet| !facet.shown.is_empty()).collect())
}

/// Returns the conditions of a list.
pub(crate) fn chips(
    collection: &Collection,
    pairs: &Pairs,
    not_filters: &[&str],
    address: &dyn Fn(&Pairs) -> String,
) -> Vec<Chip> {
    let describe = |name: &str, value: &str| {
        let found = sources(collection).iter().find(|(.., field)| name == *field);
        let label = if name == WHERE { "Conditions".to_owned() } else { label(name) };
        (found.map_or(label, |(_, heading, _)| (*heading).to_owned()), in_words(value))
    };
    let is_filter = |name: &str| !not_filters.contains(&name) && !metadata_rows::is_of_row(name);
    let mut chips = choices::chips(pairs, is_filter, describe, address);
    chips.extend(metadata_rows::read(pairs).iter().map(|row| Chip {
        label: "Metadata".to_owned(),
        text: row.condition(),
        href: address(&pairs.filtered(|name| !row.has(name))),
    }));
    chips
}

fn facet(answer: &FacetAnswer, heading: &'static str, chooser: &Chooser) -> Facet {
    let has_units = answer.by.starts_with(METADATA);
    let ranges = answer.numbers.iter().flat_map(|numbers| {
        // A range without a unit in brackets would include all units.
        let unit = if has_units { format!("[{}]", numbers.unit.as_deref().unwrap_or_default()) } else { String::new() };
        let range = |(range, end): (&NumberRange, char)| {
            let value = format!("[{} TO {}{end}{unit}", range.from, range.to);
            chooser.choice(&value, Some(range.count.into()))
        };
        ranges(numbers).map(range).collect::<Vec<_>>()
    });
    let mut values: Vec<(&str, u64)> = Vec::new();
    for ValueCount { value, count } in &answer.values {
        let value = if answer.by == COUNTRY { countries::spellings(value)[0] } else { value };
        match values.iter_mut().find(|(known, _)| *known == value) {
            Some((_, sum)) => *sum += count,
            None => values.push((value, *count)),
        }
    }
    let values = values.into_iter().map(|(value, count)| chooser.choice(value, Some(Count::from(count))));
    let choices: Vec<Choice> = ranges.chain(values).collect();
    let num_values = choices.len() + answer.distinct - answer.values.len();
    chooser.facet(heading, choices, num_values)
}

/// Returns the ranges of a unit that have numbers, and the bracket that ends each in a condition.
fn ranges(NumbersOfUnit { ranges, .. }: &NumbersOfUnit) -> impl Iterator<Item = (&NumberRange, char)> {
    let end = |place: usize| if place + 1 == ranges.len() { ']' } else { '}' };
    ranges.iter().enumerate().filter(|(_, range)| range.count > 0).map(move |(place, range)| (range, end(place)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_ranges_are_skipped_and_only_the_last_includes_its_end() {
        let range = |from: f64, to: f64, count: u64| NumberRange { from, to, count };
        let (unit, of_unit) =
            (Some("°C".to_owned()), vec![range(-2.5, 0.0, 1), range(0.0, 2.5, 0), range(2.5, 5.0, 7)]);
        let numbers = NumbersOfUnit { unit, count: 8, distinct: 8, minimum: -2.0, maximum: 5.0, ranges: of_unit };
        let found: Vec<_> = ranges(&numbers).map(|(range, end)| (range.from, end)).collect();
        assert_eq!(found, [(-2.5, '}'), (2.5, ']')]);
    }
}
