//! Words whose spelling differs between the two versions of the interface.

use std::borrow::Cow;

use super::{METADATA_ATTRIBUTES, PUBLICATIONS, SAMPLES, STUDIES};

/// Experiment types: those of version 1, the labels of version 2, and their names in its filters.
pub const EXPERIMENT_TYPE_WORDS: [(&str, &str, &str); 8] = [
    ("metatranscriptomic", "Metatranscriptomic", "METAT"),
    ("metagenomic", "Metagenomic", "METAG"),
    ("amplicon", "Amplicon", "AMPLI"),
    ("assembly", "Assembly", "ASSEM"),
    ("hybrid_assembly", "Hybrid assembly", "HYASS"),
    ("long_reads_assembly", "Long-read assembly", "LRASS"),
    ("metabarcoding", "Metabarcoding", "METAB"),
    ("unknown", "Unknown", "UNKNO"),
];

/// Returns the experiment type of version 1 for a label. Labels of later versions are spelled like
/// the others.
pub fn experiment_type(label: &str) -> String {
    let known = EXPERIMENT_TYPE_WORDS.iter().find(|(_, known, _)| *known == label);
    known.map_or_else(|| label.to_lowercase().replace([' ', '-'], "_"), |(name, ..)| (*name).to_owned())
}

/// Returns the label of version 2 for an experiment type of version 1.
pub fn experiment_label(name: &str) -> String {
    let known = EXPERIMENT_TYPE_WORDS.iter().find(|(known, ..)| *known == name);
    known.map_or_else(|| name.to_owned(), |(_, label, _)| (*label).to_owned())
}

/// Returns the version of a pipeline in version 1: `4.1` for `V4.1`, `5.0` for `V5`.
pub fn pipeline(version: &str) -> String {
    let number = version.strip_prefix('V').unwrap_or(version);
    let is_whole = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    if is_whole { format!("{number}.0") } else { number.to_owned() }
}

/// Returns the version of a pipeline in version 2: `V4.1` for `4.1`, `V5` for `5.0`.
pub fn pipeline_label(version: &str) -> String {
    format!("V{}", version.strip_suffix(".0").unwrap_or(version))
}

/// Returns the value of an attribute in version 1, given the value of either version: `amplicon`
/// for `Amplicon`, `5.0` for `V5`, `mag` for `MAG`.
pub fn value_of_version_1<'a>(attribute: &str, value: &'a str) -> Cow<'a, str> {
    match attribute {
        "experiment_type" => experiment_type(value).into(),
        "pipeline_version" if value.starts_with('V') => pipeline(value).into(),
        "type" => value.to_lowercase().into(),
        _ => value.into(),
    }
}

/// Returns the name of an attribute of a type in version 1, with underscores, given the name in
/// version 2.
pub fn name_of_version_1(resource_type: &str, name: &str) -> Option<String> {
    let of_sample =
        || METADATA_ATTRIBUTES.iter().find(|(known, _)| *known == name).map(|(_, name)| name.replace('-', "_"));
    match (resource_type, name) {
        (_, "updated_at") => Some("last_update".to_owned()),
        (STUDIES, "title") => Some("study_name".to_owned()),
        (PUBLICATIONS, "title") => Some("pub_title".to_owned()),
        (SAMPLES, _) => of_sample(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_round_trip_between_versions() {
        for (name, label, _) in EXPERIMENT_TYPE_WORDS {
            assert_eq!((experiment_type(label), experiment_label(name)), (name.to_owned(), label.to_owned()));
        }
        for (label, version) in [("V1", "1.0"), ("V4.1", "4.1"), ("V6.1", "6.1"), ("V10", "10.0")] {
            assert_eq!((pipeline(label), pipeline_label(version)), (version.to_owned(), label.to_owned()));
        }
        assert_eq!((experiment_type("Single-cell RNA"), pipeline("next")), ("single_cell_rna".into(), "next".into()));
    }

    #[test]
    fn names_and_values_of_version_2_are_known() {
        for (attribute, value, expected) in [
            ("experiment_type", "Long-read assembly", "long_reads_assembly"),
            ("experiment_type", "amplicon", "amplicon"),
            ("pipeline_version", "V5", "5.0"),
            ("pipeline_version", "4.1", "4.1"),
            ("type", "MAG", "mag"),
            ("species", "MAG", "MAG"),
        ] {
            assert_eq!(value_of_version_1(attribute, value), expected);
        }
        assert_eq!(name_of_version_1(SAMPLES, "sample_title").as_deref(), Some("sample_name"));
        assert_eq!(name_of_version_1(STUDIES, "title").as_deref(), Some("study_name"));
        assert_eq!(name_of_version_1(STUDIES, "sample_title"), None);
    }
}
