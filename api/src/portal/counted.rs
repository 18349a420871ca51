//! What the resources of a list have, counted, with links that narrow the list to those that have it.

use serde::Deserialize;
use serde_json::Value;
use store::model::{ANALYSIS_JOBS, ASSEMBLIES, GENOMES, PUBLICATIONS, RUNS, SAMPLES, STUDIES};

use super::address::Pairs;
use super::document::Resource;
use super::number::Number;
use super::problem::PortalProblem;
use super::visit::Visit;
use crate::catalogue::{Collection, WHERE};

/// The values that are shown of each.
const SHOWN: &str = "8";

/// What the resources of a type are counted by: the name of the facet, the heading, and the beginning of the condition on one value.
type By = (&'static str, &'static str, &'static str);

const BIOME: By = ("biome:3", "Biome", "biome");
const EXPERIMENT: By = ("experiment_type", "Experiment type", "experiment_type");
const PLATFORM: By = ("instrument_platform", "Platform", "instrument_platform");
const COUNTED: [(&str, &[By]); 7] = [
    (STUDIES, &[BIOME, ("centre_name", "Centre", "centre_name")]),
    (
        SAMPLES,
        &[
            BIOME,
            ("country", "Country", "geo_loc_name"),
            ("year", "Year", "collection_date"),
            ("species", "Host species", "species"),
        ],
    ),
    (RUNS, &[EXPERIMENT, PLATFORM, ("instrument_model", "Model", "instrument_model")]),
    (ASSEMBLIES, &[EXPERIMENT]),
    (ANALYSIS_JOBS, &[EXPERIMENT, ("pipeline_version", "Pipeline", "pipeline_version"), PLATFORM]),
    (PUBLICATIONS, &[("published_year", "Year", "published_year")]),
    (GENOMES, &[BIOME, ("type", "Type", "type")]),
];

/// One thing that resources are counted by.
pub(super) struct Counted {
    pub(super) heading: &'static str,
    pub(super) values: Vec<CountedValue>,
    /// The number of further values.
    pub(super) num_others: usize,
}

pub(super) struct CountedValue {
    pub(super) text: String,
    pub(super) count: Number,
    /// The list of those that have it.
    pub(super) href: String,
}

#[derive(Default, Deserialize)]
struct Facet {
    distinct: usize,
    values: Vec<FacetValue>,
}

#[derive(Deserialize)]
struct FacetValue {
    value: String,
    count: u64,
}

/// Counts the resources of a collection that the filters of a page select.
pub(super) fn count(
    visit: &Visit,
    collection: &Collection,
    own: &str,
    pairs: &Pairs,
    not_filters: &[&str],
) -> Result<Vec<Counted>, PortalProblem> {
    let Some((_, counted)) = COUNTED.into_iter().find(|(known, _)| *known == collection.resource_type) else {
        return Ok(Vec::new());
    };
    let filters = pairs.without(not_filters);
    let mut query = filters.clone().with("limit", SHOWN).to_query();
    for (by, ..) in counted {
        query.extend(["&by=", by]);
    }
    let document = visit.document(&format!("/{}/facets", collection.path), query.trim_start_matches('?'))?;
    let facets = document.resources().into_iter().zip(counted).map(|(resource, (_, heading, field))| {
        let Facet { distinct, values } = facet(resource);
        let num_others = distinct.saturating_sub(values.len());
        let value = |FacetValue { value, count }| {
            let condition = condition(field, &value);
            let narrower = match pairs.value(WHERE) {
                "" => condition,
                conditions => format!("({conditions}) AND {condition}"),
            };
            let href = format!("{own}{}", pairs.without(&["page"]).with(WHERE, &narrower).to_query());
            CountedValue { text: value, count: Number(count), href }
        };
        Counted { heading, values: values.into_iter().map(value).collect(), num_others }
    });
    Ok(facets.filter(|counted| !counted.values.is_empty()).collect())
}

fn facet(resource: Resource) -> Facet {
    serde_json::from_value(Value::Object(resource.attributes)).unwrap_or_default()
}

/// Returns the condition that an attribute has a value.
fn condition(field: &str, value: &str) -> String {
    let quoted = |value: &str| format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""));
    match field {
        "collection_date" => format!("{field}:[{value} TO {value}]"),
        // A place may go on behind its country.
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
}
