//! Attributes of resources, and their names for people.

use api_catalogue::urls::is_url;
use serde_json::Value;

use crate::context::document::as_text;
use crate::parts::columns::as_date;
use crate::parts::words::label;

/// Attributes that are the same for all public data.
const OF_ALL: [&str; 1] = ["is-private"];

/// The beginnings of accessions of the European Nucleotide Archive.
const OF_ARCHIVE: [&str; 14] =
    ["ERP", "SRP", "DRP", "ERS", "SRS", "DRS", "ERR", "SRR", "DRR", "ERZ", "SRZ", "DRZ", "PRJ", "SAM"];

/// An attribute on the page of a resource.
pub(crate) struct Attribute {
    pub(crate) name: String,
    pub(crate) value: String,
    /// The address that the value is, or that of the resource which it names.
    pub(crate) href: Option<String>,
}

impl Attribute {
    /// Returns an attribute of a resource, or `None` if it has no value that people are shown.
    pub(crate) fn of(name: &str, value: &Value) -> Option<Self> {
        let value = as_text(value);
        let value = as_date(&value).unwrap_or(value);
        let is_shown = !value.is_empty() && !OF_ALL.contains(&name);
        is_shown.then(|| Self { name: label(name), href: address(name, &value), value })
    }
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

/// Returns the address of an accession in the European Nucleotide Archive, if it is one of that archive.
pub(crate) fn in_archive(accession: &str) -> Option<String> {
    let is_of_archive = OF_ARCHIVE.iter().any(|prefix| accession.starts_with(prefix))
        && accession.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_of_archive.then(|| format!("https://www.ebi.ac.uk/ena/browser/view/{accession}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

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
