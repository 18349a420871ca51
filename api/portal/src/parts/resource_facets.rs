//! The facets of a list of resources, and its conditions in words.

mod histogram;

use std::sync::LazyLock;

use api_catalogue::{Collection, FacetAnswer, NumbersOfUnit, ValueCount};
use serde_json::Value;

use crate::context::address::{ANY, Pairs};
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::choices::{COUNTED, Choice, Chooser, Conditions, Facet, in_words};
use crate::parts::countries::spellings;
use crate::parts::metadata_rows;
use crate::parts::resource_query::{COUNTRY, for_api};
use crate::parts::words::{cells, label};
use crate::plots;

/// The prefix of facets by metadata.
const METADATA: &str = "metadata:";

/// A facet of a collection.
struct Source {
    /// The path of the collection.
    path: &'static str,
    /// The name of the facet in the API.
    by: &'static str,
    heading: &'static str,
    /// The field of conditions on its values, which also names them in addresses.
    field: &'static str,
}

static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(|| {
    let source = |row| {
        let [path, by, heading, field] = cells(row);
        Source { path, by, heading, field }
    };
    include_str!("resource_facets.tsv").lines().map(source).collect()
});

/// Counts the resources of a list by the values of each facet, without the values chosen of the
/// facet itself.
pub(crate) fn count(
    context: &PageContext,
    collection: &Collection,
    conditions: &Conditions,
) -> Result<Vec<Facet>, PortalProblem> {
    let Conditions { pairs, page_parameters, address, .. } = *conditions;
    let snapshot = context.catalogue()?;
    let mut choosers = Vec::new();
    for source in sources(collection) {
        let key = source.by.strip_prefix(METADATA);
        if key.map_or(Ok(true), |key| snapshot.known_keys(key).map(|known| !known.is_empty()))? {
            choosers.push((source, Chooser::new(pairs, source.field, address)));
        }
    }
    let count = |pairs: &Pairs, by: &[&str]| -> Result<Vec<FacetAnswer>, PortalProblem> {
        let query = for_api(&pairs.without(page_parameters)).with("limit", &COUNTED.to_string());
        let query = by.iter().fold(query, |query, by| query.and("by", by));
        let document = context.document(&format!("/{}/facets", collection.path), &query.to_query())?;
        let facets = document.resources().into_iter();
        Ok(facets.map(|facet| serde_json::from_value(Value::Object(facet.attributes))).collect::<Result<_, _>>()?)
    };
    let (chosen, others): (Vec<_>, Vec<_>) = choosers.iter().partition(|(_, chooser)| !chooser.chosen.is_empty());
    let others: Vec<&str> = others.into_iter().map(|(source, _)| source.by).collect();
    let mut answers = if others.is_empty() { Vec::new() } else { count(pairs, &others)? };
    for (source, chooser) in chosen {
        answers.extend(count(&chooser.others, &[source.by])?);
    }
    let facets = choosers.iter().filter_map(|(source, chooser)| {
        let answer = answers.iter().find(|answer| answer.by == source.by)?;
        Some(facet(answer, source, chooser, plots::narrow(context)))
    });
    Ok(facets.filter(|facet| facet.plot.is_some() || !facet.shown.is_empty()).collect())
}

/// Returns the label and the text of a condition.
pub(crate) fn describe(collection: &Collection, condition: &Pairs) -> Option<(String, String)> {
    let (name, value) = condition.iter().next()?;
    if metadata_rows::number(name).is_some() {
        return Some(("Metadata".to_owned(), metadata_rows::read(condition).first()?.condition()));
    }
    let name = name.strip_prefix(ANY).unwrap_or(name);
    let source = sources(collection).find(|source| source.field == name);
    let label = source.map_or_else(|| label(name), |source| source.heading.to_owned());
    Some((label, in_words(value)))
}

fn sources(collection: &Collection) -> impl Iterator<Item = &'static Source> {
    SOURCES.iter().filter(|source| source.path == collection.path)
}

fn facet(answer: &FacetAnswer, source: &Source, chooser: &Chooser, width: f64) -> Facet {
    let has_units = answer.by.starts_with(METADATA);
    let counts = answer.numbers.iter().flat_map(|numbers| ranges(numbers, has_units));
    let mut counts: Vec<(String, u64)> = counts.filter(|(_, count)| *count > 0).collect();
    for ValueCount { value, count } in &answer.values {
        let value = if source.field == COUNTRY { spellings(value)[0] } else { value };
        match counts.iter_mut().find(|(known, _)| known == value) {
            Some((_, sum)) => *sum += count,
            None => counts.push((value.to_owned(), *count)),
        }
    }
    let num_values = counts.len() + answer.distinct - answer.values.len();
    let histogram = histogram::of(answer, source, chooser);
    let has_unit = histogram.as_ref().is_some_and(|histogram| !histogram.unit.is_empty());
    let choice = |(value, count): (String, u64)| {
        let choice = chooser.choice(&value, Some(count.into()));
        let name = if has_unit && value.ends_with("[]") { format!("{} (no unit)", choice.name) } else { choice.name };
        Choice { name, ..choice }
    };
    let mut choices: Vec<Choice> = counts.into_iter().map(choice).collect();
    for column in histogram.iter().flat_map(|histogram| &histogram.columns) {
        choices.retain(|choice| choice.is_chosen || choice.href != column.href);
    }
    let plot = histogram.map(|histogram| histogram.draw(format!("{} of {}", source.heading, source.path), width));
    Facet { plot, ..chooser.facet(source.heading, choices, num_values) }
}

/// Returns the ranges of a unit in the language of queries, and their counts.
fn ranges(numbers: &NumbersOfUnit, has_units: bool) -> impl Iterator<Item = (String, u64)> {
    // A range without a unit in brackets would include all units.
    let unit = if has_units { format!("[{}]", numbers.unit.as_deref().unwrap_or_default()) } else { String::new() };
    numbers.ranges.iter().enumerate().map(move |(place, range)| {
        let end = if place + 1 == numbers.ranges.len() { ']' } else { '}' };
        (format!("[{} TO {}{end}{unit}", range.from, range.to), range.count)
    })
}

#[cfg(test)]
mod tests {
    use api_catalogue::NumberRange;

    use super::*;

    #[test]
    fn only_the_last_range_includes_its_end() {
        let range = |from: f64, to: f64, count: u64| NumberRange { from, to, count };
        let (unit, of_unit) =
            (Some("°C".to_owned()), vec![range(-2.5, 0.0, 1), range(0.0, 2.5, 0), range(2.5, 5.0, 7)]);
        let numbers = NumbersOfUnit { unit, count: 8, distinct: 8, minimum: -2.0, maximum: 5.0, ranges: of_unit };
        let found: Vec<_> = ranges(&numbers, true).collect();
        let expected = [("[-2.5 TO 0}[°C]", 1), ("[0 TO 2.5}[°C]", 0), ("[2.5 TO 5][°C]", 7)];
        assert_eq!(found, expected.map(|(value, count)| (value.to_owned(), count)));
    }
}
