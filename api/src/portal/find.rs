//! The search box: accessions, families, biomes, lists, sequences, and words.

use askama::Template;
use axum::response::Response;
use store::{CatalogueGeneration, PfamAccession, ProteinAccession, ProteinGeneration};

use super::address::{encoded, segment};
use super::completion::{Completion, completions};
use super::layout::Layout;
use super::lead_to;
use super::number::Number;
use super::problem::PortalProblem;
use super::visit::{Visit, page};
use crate::catalogue::lookup;
use crate::http::error::shown;
use crate::proteins::shared::suggestions::Kind;

/// Collections whose accessions are looked up.
const COLLECTIONS: [&str; 5] = ["studies", "samples", "runs", "assemblies", "analyses"];

/// Collections whose texts are searched for words.
const WITH_TEXTS: [&str; 2] = ["studies", "samples"];

/// So many letters without another one are taken for a sequence.
const RESIDUES_MIN: usize = 20;

#[derive(Template)]
#[template(path = "find.html")]
struct FindPage {
    layout: Layout,
    typed: String,
    /// The typed text, shortened.
    text: String,
    /// Set if a sequence was typed.
    num_residues: Option<Number>,
    near: Vec<Completion>,
    /// The collections with resources that have the words: how many, and the address of their list.
    with_words: Vec<(Number, &'static str, String)>,
}

/// Leads to the page that the text names, or shows suggestions.
pub(super) fn answer(visit: &Visit) -> Result<Response, PortalProblem> {
    let text = visit.parameter("text");
    if text.is_empty() {
        return Ok(lead_to(&format!("{}/portal/", visit.root())));
    }
    if let Some(path) = meant(visit, &text)? {
        return Ok(lead_to(&format!("{}/portal/{path}", visit.root())));
    }
    let is_sequence = text.len() >= RESIDUES_MIN && residues(&text).is_some();
    let num_residues = residues(&text).filter(|_| is_sequence).map(Number::of);
    let (mut near, mut with_words) = (Vec::new(), Vec::new());
    if !is_sequence {
        near = completions(visit, &[Kind::Biome, Kind::Family, Kind::Clan], &text)?;
        let encoded = encoded(&text);
        if visit.catalogue.is_some() {
            for path in WITH_TEXTS {
                let query = format!("search={encoded}&page_size=1");
                // A text that cannot be searched for is in none.
                let Ok(document) = visit.document(&format!("/{path}"), &query) else { continue };
                let count = document.pagination().count;
                if count > 0 {
                    let address = format!("{}/portal/{path}?search={encoded}", visit.root());
                    with_words.push((Number(count), path, address));
                }
            }
        }
    }
    let layout = visit.layout("Find").section("home");
    page(&FindPage { layout, text: shown(&text).into_owned(), typed: text, num_residues, near, with_words })
}

/// Returns the path of the page that a text names unambiguously.
fn meant(visit: &Visit, text: &str) -> Result<Option<String>, PortalProblem> {
    let words: Vec<&str> = text.split([' ', ',', ';', '\t', '\r', '\n']).filter(|word| !word.is_empty()).collect();
    if words.len() > 1 && words.iter().all(|word| word.parse::<ProteinAccession>().is_ok()) {
        let list = encoded(&words.join(" "));
        return Ok(Some(format!("compare?proteins={list}")));
    }
    if let Some(data) = visit.proteins.as_ref()
        && let Some(page) = of_proteins(data, text)
    {
        return Ok(Some(page.unwrap_or_else(|directory| format!("{directory}/{}", segment(text)))));
    }
    match visit.catalogue.as_ref() {
        Some(data) => of_catalogue(data, text),
        None => Ok(None),
    }
}

/// Returns the page of a protein, family, clan or biome: its whole path, or what stands before the text itself.
fn of_proteins(data: &ProteinGeneration, text: &str) -> Option<Result<String, &'static str>> {
    if let Ok(accession) = text.parse::<ProteinAccession>() {
        return Some(Ok(format!("proteins/{accession}")));
    }
    if let Ok(family) = text.parse::<PfamAccession>() {
        return Some(Ok(format!("families/{family}")));
    }
    let clan = text.to_uppercase();
    if data.families().iter().any(|(_, family)| family.clan.as_deref() == Some(&clan)) {
        return Some(Ok(format!("clans/{clan}")));
    }
    if data.biomes().find_lineage(text).is_some() {
        return Some(Err("biomes"));
    }
    let mut named = data.families().iter().filter(|(_, family)| family.name.eq_ignore_ascii_case(text));
    match (named.next(), named.next()) {
        (Some((family, _)), None) => Some(Ok(format!("families/{family}"))),
        _ => None,
    }
}

fn of_catalogue(data: &CatalogueGeneration, text: &str) -> Result<Option<String>, PortalProblem> {
    // A bare number is an accession of many things.
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(None);
    }
    for path in COLLECTIONS {
        let Some(collection) = lookup::at_path(path, data.contents()) else { continue };
        for identifier in [text, &text.to_uppercase()] {
            if data.find(&collection.resource_type, identifier)?.is_some() {
                return Ok(Some(format!("{path}/{}", segment(identifier))));
            }
        }
    }
    Ok(None)
}

/// Returns the number of residues of a text that may be a sequence, with or without a header as in FASTA.
fn residues(text: &str) -> Option<usize> {
    let body = text.strip_prefix('>').map_or(text, |rest| rest.split_once(['\n', ' ']).map_or("", |(_, body)| body));
    let letters = body.bytes().filter(|byte| !byte.is_ascii_whitespace());
    let is_sequence = letters.clone().all(|byte| byte.is_ascii_uppercase() || matches!(byte, b'*' | b'-'));
    is_sequence.then(|| letters.count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_are_known_by_their_letters() {
        for (text, expected) in [
            ("MKVLAAGIVGLCAKVLAAGIV", Some(21)),
            ("MKVLA AGIVG*", Some(11)),
            (">x\nMKV\nLAA", Some(6)),
            ("marine", None),
            ("MGYP000000000012", None),
        ] {
            assert_eq!(residues(text), expected, "{text}");
        }
    }
}
