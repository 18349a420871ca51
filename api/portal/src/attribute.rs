//! Attributes of resources, and their names for people.

use api_catalogue::urls::is_url;
use serde_json::Value;

use super::accession::in_archive;
use super::columns::as_date;
use super::document::as_text;

/// What attributes are called whose own names would not say it well.
const LABELS: [(&str, &str); 33] = [
    ("analysis-completed", "Analysed"),
    ("analysis-status", "Status"),
    ("bioproject", "BioProject"),
    ("biosample", "BioSample"),
    ("centre-name", "Centre"),
    ("collection-date", "Collected"),
    ("complete-time", "Completed"),
    ("data-origination", "Origin of the data"),
    ("doi", "DOI"),
    ("environment-biome", "Environment"),
    ("environment-feature", "Environmental feature"),
    ("environment-material", "Environmental material"),
    ("exe-command", "Command"),
    ("geo-loc-name", "Country or sea"),
    ("host-tax-id", "Taxon of the host"),
    ("instrument-model", "Instrument"),
    ("instrument-platform", "Platform"),
    // The real service has the ISSN of the journal here.
    ("isbn", "ISSN"),
    ("iso-journal", "Journal"),
    ("last-update", "Updated"),
    ("legacy-accession", "GenBank assembly"),
    ("pub-title", "Title"),
    ("pub-type", "Kind"),
    ("public-release-date", "Released"),
    ("pubmed-central-id", "PubMed Central"),
    ("pubmed-id", "PubMed"),
    ("raw-pages", "Pages"),
    ("sample-alias", "Alias"),
    ("sample-desc", "Description"),
    ("sample-name", "Name"),
    ("species", "Host species"),
    ("study-abstract", "Abstract"),
    ("study-name", "Name"),
];

/// Attributes that are the same for all public data.
const OF_ALL: [&str; 1] = ["is-private"];

/// The ends of names of filters that are bounds, and what is said in their place.
const BOUNDS: [(&str, &str); 2] = [("-gte", ", at least"), ("-lte", ", at most")];

/// An attribute on the page of a resource.
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) value: String,
    /// Where the value leads: it is an address, or the name of a resource.
    pub(super) href: Option<String>,
}

impl Attribute {
    /// Returns an attribute of a resource, or `None` if it has no value that people are shown.
    pub(super) fn of(name: &str, value: &Value) -> Option<Self> {
        let value = as_text(value);
        let value = as_date(&value).unwrap_or(value);
        let is_shown = !value.is_empty() && !OF_ALL.contains(&name);
        is_shown.then(|| Self { name: label(name), href: address(name, &value), value })
    }
}

/// Returns what an attribute, or a filter by it, is called: `Alias` for `sample-alias`, `Latitude, at least` for `latitude_gte`.
pub(super) fn label(name: &str) -> String {
    let name = name.replace('_', "-");
    let bound = BOUNDS.iter().find_map(|(end, words)| Some((name.strip_suffix(end)?, *words)));
    let (name, bound) = bound.unwrap_or((&name, ""));
    let known = LABELS.iter().find(|(known, _)| *known == name);
    known.map_or_else(|| in_words(name), |(_, label)| (*label).to_owned()) + bound
}

/// Returns the name of an attribute in words: `Sample alias` for `sample-alias`.
pub(super) fn in_words(name: &str) -> String {
    capitalized(&name.replace(['-', '_'], " "))
}

pub(super) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Returns where the value of an attribute leads.
fn address(name: &str, value: &str) -> Option<String> {
    if is_url(value) {
        return Some(value.to_owned());
    }
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
    match name {
        "doi" if value.starts_with("10.") => Some(format!("https://doi.org/{value}")),
        "pubmed-id" if is_number => Some(format!("https://pubmed.ncbi.nlm.nih.gov/{value}/")),
        "host-tax-id" if is_number => Some(format!("https://www.ncbi.nlm.nih.gov/datasets/taxonomy/{value}/")),
        "bioproject" | "biosample" | "secondary-accession" => in_archive(value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_are_those_that_people_use() {
        for (name, expected) in [
            ("sample-alias", "Alias"),
            ("geo_loc_name", "Country or sea"),
            ("latitude_gte", "Latitude, at least"),
            ("collection_date_lte", "Collected, at most"),
            ("metadata_value_gte", "Metadata value, at least"),
            ("samples-count", "Samples count"),
        ] {
            assert_eq!(label(name), expected);
        }
        assert!(LABELS.is_sorted(), "in the order of the names");
    }

    #[test]
    fn values_lead_to_what_they_name() {
        for (name, value, expected) in [
            ("doi", "10.3389/fmicb.2017.02499", Some("https://doi.org/10.3389/fmicb.2017.02499")),
            ("doi", "javascript:alert(1)", None),
            ("pubmed-id", "29312205", Some("https://pubmed.ncbi.nlm.nih.gov/29312205/")),
            ("biosample", "SAMEA2619376", Some("https://www.ebi.ac.uk/ena/browser/view/SAMEA2619376")),
            ("sample-name", "SAMEA2619376", None),
            ("web-link", "http://www.biopython.org/", Some("http://www.biopython.org/")),
        ] {
            assert_eq!(address(name, value).as_deref(), expected, "{name} {value}");
        }
        assert!(Attribute::of("is-private", &json!(false)).is_none() && Attribute::of("x", &json!(null)).is_none());
    }
}
