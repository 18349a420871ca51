//! Contigs and genes in answers.

use std::collections::BTreeSet;

use serde::Serialize;
use store_proteins::{Contig, Gene, ProteinGeneration, ProteinReader, RecordParts, SourceEntry};
use utoipa::ToSchema;

use crate::shared::result_field::ResultField;

/// A contig.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ContigItem {
    /// The accession; null for own data.
    #[schema(required, example = "MGYC000564781877")]
    pub accession: Option<String>,
    /// The name in its assembly; null if it is unknown, or if the index was built without names.
    #[schema(required)]
    pub name: Option<String>,
    /// The accession of the assembly, which is empty in own data without one.
    #[schema(example = "ERZ534239")]
    pub assembly: String,
    /// The source of own data; null for the release.
    #[schema(required)]
    pub source: Option<String>,
    /// The number of nucleotides; null if it is unknown.
    #[schema(required)]
    pub length: Option<u32>,
}

impl ContigItem {
    pub(super) fn new(source: Option<&SourceEntry>, contig: Contig) -> Self {
        let accession = source.is_none().then(|| format!("MGYC{:012}", contig.key.number()));
        let Contig { assembly, name, length, .. } = contig;
        Self { accession, name, assembly, source: source.map(|source| source.name.clone()), length }
    }

    /// Returns the name, or the accession of a contig without one.
    pub fn label(&self) -> &str {
        self.name.as_deref().or(self.accession.as_deref()).unwrap_or_default()
    }
}

/// A gene on a contig.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GeneItem {
    /// The accession of the protein.
    #[schema(example = "MGYP000261684433")]
    pub accession: String,
    /// The name of a protein of own data; null for the release.
    #[schema(required)]
    pub name: Option<String>,
    /// The representative of its cluster, which can be itself.
    #[schema(example = "MGYP000261684433")]
    pub representative: String,
    /// The start of the gene, in nucleotides.
    pub start: u32,
    /// The end of the gene, in nucleotides. It is below the start if the gene crosses the origin of
    /// a circular contig.
    pub end: u32,
    /// The strand: `+` or `-`.
    #[schema(example = "-", pattern = "^[+-]$")]
    pub strand: &'static str,
    /// The accessions of the Pfam families of the protein, or of the representative if only that
    /// has a record.
    pub pfam: BTreeSet<String>,
}

/// Reads the proteins of genes.
pub(super) struct GeneReader<'a>(ProteinReader<'a>);

impl<'a> GeneReader<'a> {
    pub(super) fn new(data: &'a ProteinGeneration) -> Self {
        Self(data.reader(RecordParts::PFAM_HITS | RecordParts::NAME))
    }

    pub(super) fn read(&mut self, gene: &Gene) -> store::Result<GeneItem> {
        let mut protein = self.0.fetch(gene.protein)?;
        if protein.is_none() && gene.is_member() {
            protein = self.0.fetch(gene.representative)?;
        }
        let pfam = protein.as_ref().map(|protein| ResultField::Pfam.texts(protein)).unwrap_or_default();
        Ok(GeneItem {
            accession: gene.protein.to_string(),
            name: protein.map(|protein| protein.name).filter(|name| !name.is_empty()),
            representative: gene.representative.to_string(),
            start: gene.start,
            end: gene.end,
            strand: if gene.is_reverse { "-" } else { "+" },
            pfam,
        })
    }
}
