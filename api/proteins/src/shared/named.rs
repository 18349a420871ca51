//! Names of proteins of own data, for people.

use store::ProteinAccession;
use store_proteins::ProteinGeneration;

/// Returns a text that lists the sources with a protein of this name, and shows how to request one.
pub fn list_sources(data: &ProteinGeneration, accessions: &[ProteinAccession], name: &str) -> String {
    let sources = accessions.iter().filter_map(|&accession| data.source_of(accession));
    let sources: Vec<&str> = sources.map(|source| &*source.name).collect();
    let first = sources.first().copied().unwrap_or_default();
    let (count, sources) = (sources.len(), sources.join(", "));
    format!("{count} sources have a protein with this name: {sources}; add the source, as in {first}:{name}")
}
