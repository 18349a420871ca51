//! Proteins of own data, and the marks that pages show for them.

use store::ProteinAccession;
use store_proteins::{Protein, ProteinGeneration, RecordParts};

use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;

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

/// Returns the proteins with this name, with their marks.
pub(crate) fn named(context: &PageContext, text: &str) -> Result<Vec<(ProteinAccession, Option<Mark>)>, PortalProblem> {
    let Some(data) = &context.proteins else { return Ok(Vec::new()) };
    let found = data.find_name(text)?;
    let marks = Mark::of_all(data, found.iter().copied())?;
    Ok(found.into_iter().zip(marks).collect())
}
