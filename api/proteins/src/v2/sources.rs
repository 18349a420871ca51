//! The sources of own data.

use api_http::json::json_answer;
use api_http::readiness::time_at;
use serde::Serialize;
use store_proteins::SourceEntry;
use time::format_description::well_known::Rfc3339;
use utoipa::ToSchema;

use super::parameters::refuse_parameters;
use crate::question::{Answer, Question};

/// The sources of own data.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Sources {
    /// At most 256, ascending by accession; none if there is a release alone.
    sources: Vec<Source>,
}

/// A source of own data.
#[derive(Debug, Serialize, ToSchema)]
struct Source {
    /// The name, by which a query finds its proteins.
    #[schema(example = "soil_2024")]
    name: String,
    /// The number of its proteins.
    num_proteins: u64,
    /// The first accession.
    #[schema(example = "MGYP900000000000")]
    first: String,
    /// The last accession. All between them are those of the source.
    #[schema(example = "MGYP900000000049")]
    last: String,
    /// When it was added, in UTC.
    #[schema(format = DateTime, example = "2026-11-24T02:00:40Z")]
    added: String,
}

impl From<&SourceEntry> for Source {
    fn from(source: &SourceEntry) -> Self {
        Self {
            name: source.name.clone(),
            num_proteins: source.num_proteins,
            first: source.first.to_string(),
            last: source.last.to_string(),
            added: time_at(source.added_unix_s).and_then(|at| at.format(&Rfc3339).ok()).unwrap_or_default(),
        }
    }
}

/// Answers with all sources.
pub(crate) fn answer(question: &Question) -> Answer {
    refuse_parameters(question.query(), "")?;
    let sources = question.release.data.sources().iter().map(Source::from).collect();
    Ok(json_answer(serde_json::to_vec(&Sources { sources })?))
}
