//! Labels for attributes and filters.

/// Labels of attributes whose names are not clear enough.
const LABELS: [(&str, &str); 38] = [
    ("analysis-completed", "Analysed"),
    ("analysis-status", "Status"),
    ("bbox", "Box of coordinates"),
    ("bioproject", "BioProject"),
    ("biosample", "BioSample"),
    ("centre-name", "Centre"),
    ("collection-date", "Collected"),
    ("complete-time", "Completed"),
    ("data-origination", "Data origin"),
    ("doi", "DOI"),
    ("environment-biome", "Environment"),
    ("environment-feature", "Environmental feature"),
    ("environment-material", "Environmental material"),
    ("exe-command", "Command"),
    ("geo-loc-name", "Country or sea"),
    ("host-tax-id", "Host taxon"),
    ("instrument-model", "Instrument"),
    ("instrument-platform", "Platform"),
    // The original service stores the ISSN of the journal here.
    ("isbn", "ISSN"),
    ("iso-journal", "Journal"),
    ("last-update", "Updated"),
    ("legacy-accession", "GenBank assembly"),
    ("near", "Distance from a point"),
    ("pub-title", "Title"),
    ("pub-type", "Type"),
    ("public-release-date", "Released"),
    ("pubmed-central-id", "PubMed Central"),
    ("pubmed-id", "PubMed"),
    ("raw-pages", "Pages"),
    ("sample-alias", "Alias"),
    ("sample-desc", "Description"),
    ("sample-name", "Name"),
    ("samples-count", "Number of samples"),
    ("species", "Host species"),
    ("study-abstract", "Abstract"),
    ("study-id", "Study number"),
    ("study-name", "Name"),
    ("wgs-accession", "WGS accession"),
];

/// Suffixes of filters for bounds, and their labels.
const BOUNDS: [(&str, &str); 2] = [("-gte", ", from"), ("-lte", ", to")];

/// Returns the label of an attribute or a filter: `Alias` for `sample-alias`, `Latitude, from` for
/// `latitude_gte`.
pub(crate) fn label(name: &str) -> String {
    let name = name.replace('_', "-");
    let bound = BOUNDS.iter().find_map(|(end, words)| Some((name.strip_suffix(end)?, *words)));
    let (name, bound) = bound.unwrap_or((&name, ""));
    let known = LABELS.iter().find(|(known, _)| *known == name);
    known.map_or_else(|| in_words(name), |(_, label)| (*label).to_owned()) + bound
}

/// Returns a name as words: `Sample alias` for `sample-alias`.
pub(crate) fn in_words(name: &str) -> String {
    capitalized(&name.replace(['-', '_'], " "))
}

pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_readable() {
        for (name, expected) in [
            ("sample-alias", "Alias"),
            ("geo_loc_name", "Country or sea"),
            ("latitude_gte", "Latitude, from"),
            ("collection_date_lte", "Collected, to"),
            ("metadata_value_gte", "Metadata value, from"),
            ("samples-count", "Number of samples"),
        ] {
            assert_eq!(label(name), expected);
        }
        assert!(LABELS.is_sorted(), "in the order of the names");
    }
}
