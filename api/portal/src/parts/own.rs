//! Proteins of own data, and the marks that pages show for them.

use store::ProteinAccession;
use store_proteins::{Protein, ProteinGeneration, RecordParts};

use crate::context::address::encoded;
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::number::Number;

/// The source and the name of a protein of own data.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    pub(crate) source: String,
    pub(crate) name: String,
}

impl Mark {
    pub(crate) fn of(protein: &Protein) -> Option<Self> {
        protein.source.clone().map(|source| Self { source, name: protein.name.clone() })
    }

    /// Returns the marks of proteins. Proteins of the release have none, and their records are not
    /// read.
    pub(crate) fn of_all(
        data: &ProteinGeneration,
        accessions: impl Iterator<Item = ProteinAccession>,
    ) -> store::Result<Vec<Option<Self>>> {
        let mut records = data.reader(RecordParts::NAME);
        let mut mark = |accession: ProteinAccession| {
            let own = if accession.is_own() { records.fetch(accession)? } else { None };
            Ok(own.as_ref().and_then(Self::of))
        };
        accessions.map(&mut mark).collect()
    }
}

/// A source of own data in a list.
pub(crate) struct SourceRow {
    pub(crate) name: String,
    pub(crate) num_proteins: Number,
    /// The page of its proteins.
    pub(crate) path: String,
}

/// Returns the sources of own data that are loaded.
pub(crate) fn sources(context: &PageContext) -> Vec<SourceRow> {
    let sources = context.proteins.iter().flat_map(|data| data.sources());
    let row = |source: &store_proteins::SourceEntry| SourceRow {
        name: source.name.clone(),
        num_proteins: Number(source.num_proteins),
        path: format!("search?source={}", encoded(&source.name)),
    };
    sources.map(row).collect()
}

/// Returns the proteins with this name, with their marks.
pub(crate) fn named(context: &PageContext, text: &str) -> Result<Vec<(ProteinAccession, Option<Mark>)>, PortalProblem> {
    let Some(data) = &context.proteins else { return Ok(Vec::new()) };
    let found = data.find_name(text)?;
    let marks = Mark::of_all(data, found.iter().copied())?;
    Ok(found.into_iter().zip(marks).collect())
}
