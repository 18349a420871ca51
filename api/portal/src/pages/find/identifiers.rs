//! Identifiers of publications, and of databases that this server does not index.

use store::ProteinAccession;
use store_catalogue::model::PUBLICATIONS;

use crate::context::address::{encoded, segment};
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::words::cells;

/// The prefixes with which people write a DOI or a PubMed id.
const DOI_PREFIXES: [&str; 5] =
    ["https://doi.org/", "http://doi.org/", "https://dx.doi.org/", "http://dx.doi.org/", "doi:"];
const PUBMED_PREFIX: &str = "pmid:";

/// The other databases, with patterns of their identifiers: `#` stands for a digit, `@` for a
/// letter, and `*` for either. Those of `UniProt` follow
/// <https://www.uniprot.org/help/accession_numbers>.
const DATABASES: &str = include_str!("databases.tsv");

/// An identifier that only another site can look up.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct OutsideIdentifier {
    pub(super) identifier: String,
    pub(super) database: &'static str,
    pub(super) url: String,
    /// `false` if the identifier is of a publication that the catalogue does not have.
    pub(super) is_annotation: bool,
}

impl OutsideIdentifier {
    pub(super) fn of(text: &str) -> Option<Self> {
        if let Some(doi) = doi(text) {
            let url = format!("https://doi.org/{doi}");
            return Some(Self { identifier: doi.to_owned(), database: "doi.org", url, is_annotation: false });
        }
        if let Some(id) = without_prefix(text, PUBMED_PREFIX) {
            let url = format!("https://pubmed.ncbi.nlm.nih.gov/{}/", segment(id));
            return Some(Self { identifier: id.to_owned(), database: "PubMed", url, is_annotation: false });
        }
        let identifier = text.to_uppercase();
        let mut databases = DATABASES.lines().skip(1).map(cells);
        let [database, _, entries] = databases.find(|[_, pattern, _]| fits(pattern, &identifier))?;
        Some(Self { url: format!("{entries}{}", segment(&identifier)), identifier, database, is_annotation: true })
    }
}

/// Returns the path of the publication with a DOI or a PubMed id. A plain number is a PubMed id if
/// no protein has it as its number.
pub(super) fn publication_page(context: &PageContext, text: &str) -> Result<Option<String>, PortalProblem> {
    let Some(catalogue) = context.catalogue.as_ref() else { return Ok(None) };
    let id = match doi(text) {
        Some(doi) => publication_with(context, doi)?,
        None => Some(without_prefix(text, PUBMED_PREFIX).unwrap_or(text).to_owned()),
    };
    let Some(id) = id.filter(|id| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit())) else {
        return Ok(None);
    };
    if id == text
        && let Some(data) = context.proteins.as_ref()
        && let Ok(accession) = ProteinAccession::parse_as_written(text)
        && data.find(accession)?.is_some()
    {
        return Ok(None);
    }
    Ok(catalogue.find(PUBLICATIONS, &id)?.map(|_| format!("{PUBLICATIONS}/{id}")))
}

/// Returns the PubMed id of the publication with a DOI, in any letter case.
fn publication_with(context: &PageContext, doi: &str) -> Result<Option<String>, PortalProblem> {
    for spelling in [doi, &doi.to_lowercase(), &doi.to_uppercase()] {
        let document = context.document("/publications", &format!("doi={}&page_size=1", encoded(spelling)))?;
        if let Some(publication) = document.resources().into_iter().next() {
            return Ok(Some(publication.id));
        }
    }
    Ok(None)
}

fn doi(text: &str) -> Option<&str> {
    let doi = DOI_PREFIXES.into_iter().find_map(|prefix| without_prefix(text, prefix)).unwrap_or(text);
    let (registrant, suffix) = doi.strip_prefix("10.")?.split_once('/')?;
    let is_number = registrant.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    (registrant.len() >= 4 && is_number && !suffix.is_empty() && !doi.contains(char::is_whitespace)).then_some(doi)
}

/// Returns the text after a prefix in any letter case, without the space between them.
fn without_prefix<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (start, rest) = text.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then(|| rest.trim_start())
}

/// Returns whether a text in capitals fits a pattern of [`DATABASES`].
fn fits(pattern: &str, text: &str) -> bool {
    let fits = |(wanted, byte): (u8, u8)| match wanted {
        b'#' => byte.is_ascii_digit(),
        b'@' => byte.is_ascii_uppercase(),
        b'*' => byte.is_ascii_alphanumeric(),
        wanted => byte == wanted,
    };
    pattern.len() == text.len() && pattern.bytes().zip(text.bytes()).all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_of_other_databases_are_recognised() {
        for (text, expected) in [
            ("IPR003439", Some("https://www.ebi.ac.uk/interpro/entry/InterPro/IPR003439")),
            ("go:0005524", Some("https://www.ebi.ac.uk/QuickGO/term/GO%3A0005524")),
            ("K02003", Some("https://www.kegg.jp/entry/K02003")),
            ("cog1136", Some("https://www.ncbi.nlm.nih.gov/research/cog/cog/COG1136")),
            ("P12345", Some("https://www.uniprot.org/uniprotkb/P12345")),
            ("A0A022YWF9", Some("https://www.uniprot.org/uniprotkb/A0A022YWF9")),
            ("WP_000123456", Some("https://www.ncbi.nlm.nih.gov/protein/WP_000123456")),
            ("doi:10.3389/fmicb.2017.02499", Some("https://doi.org/10.3389/fmicb.2017.02499")),
            ("PMID: 29312205", Some("https://pubmed.ncbi.nlm.nih.gov/29312205/")),
            ("PF00005", None),
            ("IPR00343", None),
            ("K0200X", None),
            ("marine", None),
            ("10.3389", None),
            ("A12345", None),
            ("", None),
        ] {
            assert_eq!(OutsideIdentifier::of(text).map(|found| found.url).as_deref(), expected, "{text}");
        }
    }
}
