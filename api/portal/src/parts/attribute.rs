//! Attributes of resources, with labels.

use api_catalogue::urls::is_url;
use serde_json::Value;

use crate::context::document::as_text;
use crate::parts::words::label;

/// Attributes with the same value in all public data, which neither pages nor tables show.
pub(crate) const HIDDEN: [&str; 1] = ["is-private"];

/// Prefixes of accessions of the European Nucleotide Archive.
const ARCHIVE_PREFIXES: [&str; 14] =
    ["ERP", "SRP", "DRP", "ERS", "SRS", "DRS", "ERR", "SRR", "DRR", "ERZ", "SRZ", "DRZ", "PRJ", "SAM"];

/// An attribute on the page of a resource.
pub(crate) struct Attribute {
    pub(crate) name: String,
    pub(crate) label: String,
    pub(crate) value: String,
    /// The value itself if it is an address, or the address of the resource it names.
    pub(crate) href: Option<String>,
}

impl Attribute {
    /// Returns an attribute of a resource, or `None` if it has nothing to show.
    pub(crate) fn of(name: &str, value: &Value) -> Option<Self> {
        let value = as_text(value);
        let value = as_date(&value).unwrap_or(value);
        let is_shown = !value.is_empty() && !HIDDEN.contains(&name);
        is_shown.then(|| Self::linked(name, address(name, &value), value))
    }

    /// Returns an attribute with a link.
    pub(crate) fn linked(name: &str, href: Option<String>, value: String) -> Self {
        Self { name: name.to_owned(), label: label(name), value, href }
    }
}

/// Returns the link of a value.
fn address(name: &str, value: &str) -> Option<String> {
    if is_url(value) {
        return Some(value.to_owned());
    }
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
    match name {
        "doi" if value.starts_with("10.") => Some(format!("https://doi.org/{value}")),
        "pubmed-id" if is_number => Some(format!("https://pubmed.ncbi.nlm.nih.gov/{value}/")),
        "host-tax-id" if is_number => Some(format!("https://www.ncbi.nlm.nih.gov/datasets/taxonomy/{value}/")),
        "bioproject" | "biosample" | "secondary-accession" => archive_url(value),
        _ => None,
    }
}

/// Returns the address of an accession in the European Nucleotide Archive, or `None` for others.
pub(crate) fn archive_url(accession: &str) -> Option<String> {
    let is_of_archive = ARCHIVE_PREFIXES.iter().any(|prefix| accession.starts_with(prefix))
        && accession.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_of_archive.then(|| format!("https://www.ebi.ac.uk/ena/browser/view/{accession}"))
}

/// Shortens a date and time such as 2017-11-27T14:44:36 to the minute, and midnight to the date.
pub(super) fn as_date(text: &str) -> Option<String> {
    let (date, time) = text.split_once('T')?;
    let is_date = date.len() == 10 && date.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let minute = time.get(..5).filter(|_| !time.starts_with("00:00:00"));
    is_date.then(|| minute.map_or_else(|| date.to_owned(), |minute| format!("{date} {minute}")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_link_to_their_resources() {
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
