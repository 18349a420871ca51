//! Counts of the resources in a list by their values, with links that narrow the list.

use api_catalogue::{Collection, FacetAnswer, NumberRange, NumbersOfUnit, ValueCount, WHERE};
use serde_json::Value;
use store_catalogue::model::{ANALYSIS_JOBS, ASSEMBLIES, GENOMES, PUBLICATIONS, RUNS, SAMPLES, STUDIES};

use crate::context::address::Pairs;
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::lineage::as_levels;
use crate::parts::number::Number;
use crate::parts::resource_form::for_api;

/// The number of values and ranges shown per facet.
const SHOWN: &str = "8";

/// The prefix of facets by metadata.
const METADATA: &str = "metadata:";

/// A facet of a collection: its name, its heading, and the field of conditions on its values.
type FacetSource = (&'static str, &'static str, &'static str);

const BIOME: FacetSource = ("biome:3", "Biome", "biome");
const EXPERIMENT: FacetSource = ("experiment_type", "Experiment type", "experiment_type");
const PLATFORM: FacetSource = ("instrument_platform", "Platform", "instrument_platform");
const COUNTED: [(&str, &[FacetSource]); 7] = [
    (STUDIES, &[BIOME, ("centre_name", "Centre", "centre_name")]),
    (
        SAMPLES,
        &[
            BIOME,
            ("country", "Country", "geo_loc_name"),
            ("year", "Year", "collection_date"),
            ("species", "Host species", "species"),
            ("metadata:temperature", "Temperature", "temperature"),
            ("metadata:geographic location (depth)", "Depth", "\"geographic location (depth)\""),
        ],
    ),
    (RUNS, &[EXPERIMENT, PLATFORM, ("instrument_model", "Model", "instrument_model")]),
    (ASSEMBLIES, &[EXPERIMENT]),
    (ANALYSIS_JOBS, &[EXPERIMENT, ("pipeline_version", "Pipeline", "pipeline_version"), PLATFORM]),
    (PUBLICATIONS, &[("published_year", "Year", "published_year")]),
    (GENOMES, &[BIOME, ("type", "Type", "type"), ("completeness", "Completeness", "completeness")]),
];

/// A facet with its values.
pub(crate) struct ResourceFacet {
    pub(crate) heading: &'static str,
    pub(crate) values: Vec<FacetLink>,
    /// The number of further values.
    pub(crate) num_others: usize,
}

pub(crate) struct FacetLink {
    pub(crate) text: String,
    pub(crate) count: Number,
    /// The list narrowed to the resources with this value.
    pub(crate) href: String,
}

/// Counts the resources selected by the filters of a page.
pub(crate) fn count(
    context: &PageContext,
    collection: &Collection,
    own: &str,
    pairs: &Pairs,
    not_filters: &[&str],
) -> Result<Vec<ResourceFacet>, PortalProblem> {
    let Some((_, counted)) = COUNTED.into_iter().find(|(known, _)| *known == collection.resource_type) else {
        return Ok(Vec::new());
    };
    let snapshot = context.catalogue()?;
    let mut known: Vec<&FacetSource> = Vec::new();
    for by in counted {
        let key = by.0.strip_prefix(METADATA);
        let is_known = key.map_or(Ok(true), |key| snapshot.known_keys(key).map(|known| !known.is_empty()))?;
        known.extend(is_known.then_some(by));
    }
    let mut query = for_api(&pairs.without(not_filters)).with("limit", SHOWN).to_query();
    for (by, ..) in &known {
        query.extend(["&by=", by]);
    }
    let document = context.document(&format!("/{}/facets", collection.path), query.trim_start_matches('?'))?;
    let resources = document.resources().into_iter();
    let facets = resources.map(|resource| serde_json::from_value(Value::Object(resource.attributes)));
    let facets: Vec<FacetAnswer> = facets.collect::<Result<_, _>>()?;
    let counted = facets.into_iter().zip(known).map(|(facet, (by, heading, field))| {
        let FacetAnswer { distinct, values, numbers, .. } = facet;
        let num_others = distinct.saturating_sub(values.len());
        let narrowed = |text: String, count: u64, condition: String| {
            let narrower = match pairs.value(WHERE) {
                "" => condition,
                conditions => format!("({conditions}) AND {condition}"),
            };
            let href = format!("{own}{}", pairs.without(&["page"]).with(WHERE, &narrower).to_query());
            FacetLink { text, count: Number(count), href }
        };
        let has_units = by.starts_with(METADATA);
        let ranges = numbers.iter().flat_map(ranges).map(|(range, end, unit)| {
            // A range without a unit in brackets would include all units.
            let of_unit = if has_units { format!("[{unit}]") } else { String::new() };
            let condition = format!("{field}:[{} TO {}{end}{of_unit}", range.from, range.to);
            narrowed(text_of(range, unit), range.count, condition)
        });
        let values = values.into_iter().map(|ValueCount { value, count }| {
            let condition = condition(field, &value);
            let text = if *by == BIOME.0 { as_levels(&value) } else { value };
            narrowed(text, count, condition)
        });
        ResourceFacet { heading, values: ranges.chain(values).collect(), num_others }
    });
    Ok(counted.filter(|counted| !counted.values.is_empty()).collect())
}

/// Returns the ranges of a unit that have numbers, the bracket that ends each in a condition, and
/// the unit.
fn ranges(NumbersOfUnit { unit, ranges, .. }: &NumbersOfUnit) -> impl Iterator<Item = (&NumberRange, char, &str)> {
    let end = |place: usize| if place + 1 == ranges.len() { ']' } else { '}' };
    let filled = ranges.iter().enumerate().filter(|(_, range)| range.count > 0);
    filled.map(move |(place, range)| (range, end(place), unit.as_deref().unwrap_or_default()))
}

fn text_of(NumberRange { from, to, .. }: &NumberRange, unit: &str) -> String {
    let numbers = if from.total_cmp(to).is_eq() { from.to_string() } else { format!("{from} to {to}") };
    if unit.is_empty() { numbers } else { format!("{numbers} {unit}") }
}

/// Returns the condition that an attribute has this value.
fn condition(field: &str, value: &str) -> String {
    let quoted = |value: &str| format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""));
    match field {
        "collection_date" => format!("{field}:[{value} TO {value}]"),
        // Places may have more text after the country.
        "geo_loc_name" => format!("{field}:({} OR {})", quoted(value), quoted(&format!("{value}:*"))),
        _ => format!("{field}:{}", quoted(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_become_conditions() {
        for (field, value, expected) in [
            ("collection_date", "2016", "collection_date:[2016 TO 2016]"),
            ("geo_loc_name", "Spain", "geo_loc_name:(\"Spain\" OR \"Spain:*\")"),
            ("species", "a \"b\"\\", "species:\"a \\\"b\\\"\\\\\""),
        ] {
            assert_eq!(condition(field, value), expected);
        }
    }

    #[test]
    fn empty_ranges_are_skipped_and_only_the_last_includes_its_end() {
        let range = |from: f64, to: f64, count: u64| NumberRange { from, to, count };
        let (unit, of_unit) =
            (Some("°C".to_owned()), vec![range(-2.5, 0.0, 1), range(0.0, 2.5, 0), range(2.5, 5.0, 7)]);
        let numbers = NumbersOfUnit { unit, count: 8, distinct: 8, minimum: -2.0, maximum: 5.0, ranges: of_unit };
        let texts: Vec<_> = ranges(&numbers).map(|(range, end, unit)| (text_of(range, unit), end)).collect();
        assert_eq!(texts, [("-2.5 to 0 °C".to_owned(), '}'), ("2.5 to 5 °C".to_owned(), ']')]);
        assert_eq!(text_of(&range(3.0, 3.0, 1), ""), "3");
    }
}
