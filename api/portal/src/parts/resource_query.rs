//! The query that a list of resources sends to the API: its rows of metadata and the chosen values
//! of its facets as conditions.

use api_catalogue::{Collection, WHERE};
use store_catalogue::model::{ANALYSIS_JOBS, ASSEMBLIES, GENOMES, PUBLICATIONS, RUNS, SAMPLES, STUDIES};

use crate::context::address::{ANY, Pairs, quoted};
use crate::parts::choices::is_range;
use crate::parts::{countries, metadata_rows};

/// The prefix of facets by metadata.
pub(crate) const METADATA: &str = "metadata:";

/// The facet by country, and the field of conditions on countries. A country stands for all its
/// spellings.
pub(crate) const COUNTRY: &str = "country";
const COUNTRY_FIELD: &str = "geo_loc_name";

/// A facet of a collection: its name, its heading, and the field of conditions on its values, which
/// also names them in addresses.
pub(crate) type FacetSource = (&'static str, &'static str, &'static str);

const BIOME: FacetSource = ("biome:3", "Biome", "biome");
const EXPERIMENT: FacetSource = ("experiment_type", "Experiment type", "experiment_type");
const PLATFORM: FacetSource = ("instrument_platform", "Platform", "instrument_platform");
const COUNTED_BY: [(&str, &[FacetSource]); 7] = [
    (STUDIES, &[BIOME, ("centre_name", "Centre", "centre_name")]),
    (
        SAMPLES,
        &[
            BIOME,
            (COUNTRY, "Country", COUNTRY_FIELD),
            ("year", "Year", "collection_date"),
            ("species", "Host species", "species"),
            ("metadata:temperature", "Temperature", "temperature"),
            ("metadata:geographic location (depth)", "Depth", "depth"),
        ],
    ),
    (RUNS, &[EXPERIMENT, PLATFORM, ("instrument_model", "Model", "instrument_model")]),
    (ASSEMBLIES, &[EXPERIMENT]),
    (ANALYSIS_JOBS, &[EXPERIMENT, ("pipeline_version", "Pipeline", "pipeline_version"), PLATFORM]),
    (PUBLICATIONS, &[("published_year", "Year", "published_year")]),
    (GENOMES, &[BIOME, ("type", "Type", "type"), ("completeness", "Completeness", "completeness")]),
];

/// Returns the parameters of a list for the API, in which rows of metadata and the chosen values of
/// each facet are conditions.
pub(crate) fn for_api(collection: &Collection, pairs: &Pairs) -> Pairs {
    let pairs = metadata_rows::for_api(pairs);
    let pairs = match countries::pattern(pairs.value(COUNTRY_FIELD)) {
        Some(pattern) => pairs.with(COUNTRY_FIELD, &pattern),
        None => pairs,
    };
    sources(collection).iter().fold(pairs, |pairs, (.., field)| {
        let parameter = format!("{ANY}{field}");
        let values: Vec<String> = pairs.values(&parameter).map(|value| written(field, value)).collect();
        let others = pairs.without(&[&parameter]);
        match &*values {
            [] => others,
            [value] => others.and(WHERE, &format!("{field}:{value}")),
            values => others.and(WHERE, &format!("{field}:({})", values.join(" OR "))),
        }
    })
}

/// Returns the facets of a collection.
pub(crate) fn sources(collection: &Collection) -> &'static [FacetSource] {
    let found = COUNTED_BY.into_iter().find(|(known, _)| *known == collection.resource_type);
    found.map_or(&[], |(_, sources)| sources)
}

/// Returns a value of a field as in conditions. Stars in a typed value stand for any text.
fn written(field: &str, value: &str) -> String {
    match field {
        _ if is_range(value) => value.to_owned(),
        "collection_date" => format!("[{value} TO {value}]"),
        // The country may be followed by a place.
        COUNTRY_FIELD => {
            let starts =
                countries::spellings(value).into_iter().flat_map(|name| [name.to_owned(), format!("GAZ:{name}")]);
            let forms = starts.flat_map(|start| ["", ":*", ";*"].map(|end| pattern(&format!("{start}{end}"))));
            let texts: Vec<_> = forms.collect();
            format!("({})", texts.join(" OR "))
        }
        _ if value.contains('*') => pattern(value),
        _ => quoted(value),
    }
}

/// Returns a text without quotes, in which all characters except stars stand for themselves.
fn pattern(text: &str) -> String {
    let escaped = |letter: char| {
        let is_plain = letter.is_alphanumeric() || letter == '*';
        (!is_plain).then_some('\\').into_iter().chain([letter])
    };
    text.chars().flat_map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use api_catalogue::lookup;

    use super::*;

    #[test]
    fn values_become_conditions() {
        let samples = lookup::of_type(SAMPLES);
        for (given, expected) in [
            ("page=2&where=x", &[][..]),
            ("any_collection_date=2016&where=x", &["collection_date:[2016 TO 2016]"]),
            ("any_species=a \"b\"\\", &["species:\"a \\\"b\\\"\\\\\""]),
            ("any_species=a&any_species=b c*", &["species:(\"a\" OR b\\ c*)"]),
            ("any_depth=[0 TO 5}[m]&any_biome=root:A", &["biome:\"root:A\"", "depth:[0 TO 5}[m]"]),
            (
                "any_geo_loc_name=South Africa",
                &["geo_loc_name:(South\\ Africa OR South\\ Africa\\:* OR South\\ Africa\\;* OR \
                   GAZ\\:South\\ Africa OR GAZ\\:South\\ Africa\\:* OR GAZ\\:South\\ Africa\\;*)"],
            ),
        ] {
            let given = Pairs::parse(given);
            let api = for_api(&samples, &given);
            assert_eq!(api.values(WHERE).filter(|text| *text != "x").collect::<Vec<_>>(), expected);
            assert!(api.iter().all(|(name, _)| !name.starts_with(ANY)));
        }
    }
}
