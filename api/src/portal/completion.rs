//! Suggestions for what is being typed.

use axum::response::Response;
use serde::Serialize;
use store::ProteinGeneration;

use super::address::segment;
use super::problem::PortalProblem;
use super::visit::Visit;
use crate::http::json::json_answer;

const SUGGESTED: usize = 12;

/// The shortest text that is completed.
const LETTERS_MIN: usize = 2;

#[derive(Clone, Debug, Serialize)]
pub(super) struct Suggestion {
    /// The text for the box.
    pub(super) text: String,
    pub(super) what: String,
    pub(super) href: String,
}

pub(super) fn answer(visit: &Visit) -> Result<Response, PortalProblem> {
    let found = suggestions(visit, &visit.parameter("text"));
    Ok(json_answer(serde_json::to_vec(&found)?))
}

/// Returns biomes and families that a text is part of, those that begin with it first.
pub(super) fn suggestions(visit: &Visit, text: &str) -> Vec<Suggestion> {
    match visit.proteins.as_ref() {
        Some(data) if text.chars().count() >= LETTERS_MIN => of_proteins(data, &text.to_lowercase(), visit.root()),
        _ => Vec::new(),
    }
}

fn of_proteins(data: &ProteinGeneration, text: &str, root: &str) -> Vec<Suggestion> {
    let mut found: Vec<(usize, Suggestion)> = Vec::new();
    for biome in data.biomes().iter() {
        let lineage = biome.lineage.to_lowercase();
        let Some(start) = lineage.rfind(text) else { continue };
        // A biome is found by its own level rather than by those above it.
        let is_of_last_level = lineage.rfind(':').is_none_or(|end| start + text.len() > end);
        if is_of_last_level {
            let rank = lineage.matches(':').count() + usize::from(!lineage[..start].ends_with(':'));
            let href = format!("{root}/portal/biomes/{}", segment(&biome.lineage));
            found.push((rank, Suggestion { text: biome.lineage.clone(), what: "biome".to_owned(), href }));
        }
    }
    for (accession, family) in data.families().iter() {
        let accession = accession.to_string();
        let name = family.name.to_lowercase();
        let rank = match (accession.to_lowercase().starts_with(text), name.find(text)) {
            (true, _) | (_, Some(0)) => 0,
            (_, Some(start)) if name[..start].ends_with(' ') => 4,
            (_, Some(_)) => 8,
            _ => continue,
        };
        let href = format!("{root}/portal/families/{accession}");
        found.push((rank, Suggestion { what: format!("Pfam family: {}", family.name), text: accession, href }));
    }
    found.sort_by(|(a, left), (b, right)| a.cmp(b).then_with(|| left.text.len().cmp(&right.text.len())));
    found.into_iter().take(SUGGESTED).map(|(_, suggestion)| suggestion).collect()
}
