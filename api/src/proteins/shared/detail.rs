//! The record of a protein.

use axum::response::Response;
use percent_encoding::percent_decode_str;
use store::{Protein, ProteinAccession, ProteinGeneration};

use super::wire;
use crate::http::json::json_answer;
use crate::paths;
use crate::proteins::problem::{Missing, ProteinProblem};

/// Answers with the record of the protein that a segment of the path names. `base` is the base URL of links.
pub(crate) fn answer(data: &ProteinGeneration, segment: &str, base: &str) -> Result<Response, ProteinProblem> {
    let protein = find(data, segment, |replacement| format!("{base}{}", paths::protein_detail(replacement)))?;
    Ok(json_answer(wire::record(protein)?))
}

/// Finds the protein that a segment of a path names: in any letter case, unpadded, or a bare number. `address` makes the
/// address of the replacement of one that was replaced.
pub(crate) fn find(
    data: &ProteinGeneration,
    segment: &str,
    address: impl FnOnce(ProteinAccession) -> String,
) -> Result<Protein, ProteinProblem> {
    // A segment that is no UTF-8 is named as it stands in the URI.
    let asked = percent_decode_str(segment).decode_utf8().unwrap_or(segment.into());
    let not_found = || ProteinProblem::Missing(Missing::Unknown { asked: asked.to_string() });
    let accession: ProteinAccession = asked.parse().map_err(|_| not_found())?;
    if let Some(protein) = data.fetch(accession)? {
        return Ok(protein);
    }
    let replacement = data.replacement(accession).ok_or_else(not_found)?;
    let (asked, by) = (asked.to_string(), replacement.to_string());
    Err(match data.fetch(replacement)? {
        Some(_) => ProteinProblem::Replaced { asked, by, location: address(replacement) },
        None => ProteinProblem::Missing(Missing::Replacement { asked, by }),
    })
}
