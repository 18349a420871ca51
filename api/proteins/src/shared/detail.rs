//! The record of a protein.

use std::borrow::Cow;

use api_http::json::json_answer;
use api_http::paths;
use axum::response::Response;
use percent_encoding::percent_decode_str;
use store::ProteinAccession;
use store_proteins::{Protein, ProteinGeneration};

use super::named::list_sources;
use super::wire;
use crate::problem::{Missing, ProteinProblem};

/// Answers with the record of the protein whose accession is a segment of the path. `base` is the
/// base URL of links.
pub(crate) fn answer(data: &ProteinGeneration, segment: &str, base: &str) -> Result<Response, ProteinProblem> {
    let address = |other| format!("{base}{}", paths::protein_detail(other));
    let protein = find_accession(data, &decoded(segment), address)?;
    Ok(json_answer(wire::record(protein)?))
}

/// Returns the text of a segment of a path. If it is not UTF-8, the segment stays as in the URI.
pub(crate) fn decoded(segment: &str) -> Cow<'_, str> {
    percent_decode_str(segment).decode_utf8().unwrap_or(segment.into())
}

/// Finds a protein by its accession or by its name, with or without the name of its source.
/// `address` returns the address of another protein that answers for it.
pub fn find(
    data: &ProteinGeneration,
    requested: &str,
    address: impl FnOnce(ProteinAccession) -> String,
) -> Result<Protein, ProteinProblem> {
    if let Ok(accession) = ProteinAccession::parse_as_written(requested) {
        let canonical = accession.to_string();
        let is_plain = requested.parse::<ProteinAccession>().is_ok();
        return find_accession(data, if is_plain { requested } else { &canonical }, address);
    }
    match data.find_name(requested)?[..] {
        [] if data.sources().is_empty() => find_accession(data, requested, address),
        [] => Err(ProteinProblem::Missing(Missing::Unnamed { requested: requested.to_owned() })),
        [accession] => find_accession(data, &accession.to_string(), address),
        ref several => {
            let sources = list_sources(data, several, requested);
            Err(ProteinProblem::SeveralSources { requested: requested.to_owned(), sources })
        }
    }
}

/// Finds a protein by its accession: in any letter case, unpadded, or as a bare number.
pub(crate) fn find_accession(
    data: &ProteinGeneration,
    requested: &str,
    address: impl FnOnce(ProteinAccession) -> String,
) -> Result<Protein, ProteinProblem> {
    let not_found = || ProteinProblem::Missing(Missing::Unknown { requested: requested.to_owned() });
    let accession: ProteinAccession = requested.parse().map_err(|_| not_found())?;
    if let Some(protein) = data.fetch(accession)? {
        return Ok(protein);
    }
    let successor = data.successor(accession)?.ok_or_else(not_found)?;
    let (requested, other) = (requested.to_owned(), successor.accession());
    Err(match data.fetch(other)? {
        Some(_) => ProteinProblem::Elsewhere { requested, successor, location: address(other) },
        None => ProteinProblem::Missing(Missing::Successor { requested, successor }),
    })
}
