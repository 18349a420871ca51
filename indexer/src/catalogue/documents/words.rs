//! Words that the two versions spell differently.

/// Experiment types: those of version 1, and the labels of version 2.
const EXPERIMENT_TYPES: [(&str, &str); 8] = [
    ("metatranscriptomic", "Metatranscriptomic"),
    ("metagenomic", "Metagenomic"),
    ("amplicon", "Amplicon"),
    ("assembly", "Assembly"),
    ("hybrid_assembly", "Hybrid assembly"),
    ("long_reads_assembly", "Long-read assembly"),
    ("metabarcoding", "Metabarcoding"),
    ("unknown", "Unknown"),
];

/// Returns the experiment type of version 1 for a label; one of a later version is kept in the spelling of the others.
pub(super) fn experiment_type(label: &str) -> String {
    let known = EXPERIMENT_TYPES.iter().find(|(_, known)| *known == label);
    known.map_or_else(|| label.to_lowercase().replace([' ', '-'], "_"), |(name, _)| (*name).to_owned())
}

/// Returns the label of version 2 for an experiment type of version 1.
pub(super) fn experiment_label(name: &str) -> String {
    let known = EXPERIMENT_TYPES.iter().find(|(known, _)| *known == name);
    known.map_or_else(|| name.to_owned(), |(_, label)| (*label).to_owned())
}

/// Returns the version of a pipeline in version 1: `4.1` for `V4.1`, `5.0` for `V5`.
pub(super) fn pipeline(version: &str) -> String {
    let number = version.strip_prefix('V').unwrap_or(version);
    let is_whole = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    if is_whole { format!("{number}.0") } else { number.to_owned() }
}

/// Returns the version of a pipeline in version 2: `V4.1` for `4.1`, `V5` for `5.0`.
pub(super) fn pipeline_label(version: &str) -> String {
    format!("V{}", version.strip_suffix(".0").unwrap_or(version))
}

/// Returns a time of version 1, which has no zone and microseconds if any: `2019-10-03T09:03:04.832000` for `2019-10-03T09:03:04.832Z`.
pub(super) fn naive_time(time: &str) -> String {
    let naive = time.strip_suffix('Z').unwrap_or(time);
    match naive.split_once('.') {
        Some((seconds, fraction)) => format!("{seconds}.{fraction:0<6}"),
        None => naive.to_owned(),
    }
}

/// Returns a time of version 2, with milliseconds if there are any parts of a second.
pub(super) fn zoned_time(time: &str) -> String {
    match time.split_once('.') {
        Some((seconds, fraction)) => format!("{seconds}.{:0<3}Z", fraction.get(..3).unwrap_or(fraction)),
        None => format!("{time}Z"),
    }
}

/// Tells whether a text is an accession of the European Nucleotide Archive or its partners: one of three letters, two others, and digits.
pub(super) fn is_ena(text: &str, letters: &str, num_digits_min: usize) -> bool {
    let Some(rest) = text.strip_prefix(['E', 'D', 'S']) else { return false };
    let digits = rest.strip_prefix(letters).unwrap_or_default();
    digits.len() >= num_digits_min && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_go_there_and_back() {
        for (name, label) in EXPERIMENT_TYPES {
            assert_eq!((experiment_type(label), experiment_label(name)), (name.to_owned(), label.to_owned()));
        }
        for (label, version) in [("V1", "1.0"), ("V4.1", "4.1"), ("V6.1", "6.1"), ("V10", "10.0")] {
            assert_eq!((pipeline(label), pipeline_label(version)), (version.to_owned(), label.to_owned()));
        }
        assert_eq!((experiment_type("Single-cell RNA"), pipeline("next")), ("single_cell_rna".into(), "next".into()));
    }

    #[test]
    fn times_have_the_form_of_each_version() {
        for (naive, zoned) in [
            ("2019-10-03T09:03:04", "2019-10-03T09:03:04Z"),
            ("2019-10-03T09:03:04.832000", "2019-10-03T09:03:04.832Z"),
            ("2019-10-03T09:03:04.000000", "2019-10-03T09:03:04.000Z"),
        ] {
            assert_eq!((naive_time(zoned), zoned_time(naive)), (naive.to_owned(), zoned.to_owned()));
        }
        assert_eq!(zoned_time("2019-10-03T09:03:04.832999"), "2019-10-03T09:03:04.832Z");
    }

    #[test]
    fn accessions_are_told_from_other_texts() {
        assert!(is_ena("ERS1", "RS", 1) && is_ena("SRP123456", "RP", 6) && is_ena("DRS01", "RS", 1));
        assert!(!is_ena("SRP12345", "RP", 6) && !is_ena("XRS1", "RS", 1) && !is_ena("ERS", "RS", 0));
        assert!(!is_ena("SAMEA1", "RS", 1) && !is_ena("ERSx", "RS", 1));
    }
}
