//! The genes around each place of a protein.

use api_http::paths;
use serde::Serialize;
use store::ProteinAccession;
use store_proteins::{Around, Contigs, ProteinGeneration};
use utoipa::ToSchema;

use super::genes::{ContigItem, GeneItem, GeneReader};
use super::given::{Given, number, truth};
use super::listing::{linked_page, next_page};
use crate::problem::{Missing, ProteinProblem};
use crate::question::{Answer, Question};
use crate::shared::detail;

/// The most genes on each side of a place.
pub const GENES_MAX: u64 = 100;

/// The most nucleotides on each side of a place.
pub(super) const BASES_MAX: u32 = 1_000_000;

/// The genes on each side by default.
pub const GENES_DEFAULT: u64 = 5;

/// The places of a page by default, and at most.
pub(super) const PLACES_DEFAULT: usize = 10;
pub(super) const PLACES_MAX: usize = 100;

/// The number of genes after which a page ends early.
const PAGE_GENES: usize = 2000;

/// A page of the places of a protein.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct NeighbourPage {
    /// The places by assembly, contig and start; those of other members of the cluster come last.
    results: Vec<PlaceItem>,
    /// The address of the next page; null after the last one.
    #[schema(required)]
    next: Option<String>,
}

/// A place of a protein.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlaceItem {
    /// The contig.
    pub contig: ContigItem,
    /// The genes around the place in their order, with the gene of the place.
    pub genes: Vec<NeighbourItem>,
}

/// A gene at or near a place.
#[derive(Debug, Serialize, ToSchema)]
pub struct NeighbourItem {
    /// The number of genes from the place: negative before it, 0 for the gene of the place.
    pub offset: i64,
    /// The gene.
    #[serde(flatten)]
    pub gene: GeneItem,
}

/// The requested places and genes.
#[derive(Clone, Copy, Debug)]
pub struct NeighbourParameters {
    /// The genes around each place.
    pub around: Around,
    /// Set if the places of the other members of the cluster are requested, too.
    pub members: bool,
    /// The cursor.
    pub after: Option<u64>,
    /// The most places.
    pub limit: usize,
}

impl NeighbourParameters {
    fn read(question: &Question) -> Result<Self, ProteinProblem> {
        let mut given = Given::new(question.query(), &["after", "bases", "genes", "limit", "members", "same_strand"])?;
        let genes = given.value("genes", |text| number(text, 0, GENES_MAX));
        let bases = given.value("bases", |text| number(text, 0, BASES_MAX));
        let default = if bases.is_some() { GENES_MAX } else { GENES_DEFAULT };
        let same_strand = given.value("same_strand", truth).unwrap_or_default();
        let around = Around { genes: genes.or(Some(default)), bases, same_strand };
        let members = given.value("members", truth).unwrap_or_default();
        let after = given.value("after", |text| number(text, 0, u64::MAX));
        let limit = given.value("limit", |text| number(text, 1, PLACES_MAX)).unwrap_or(PLACES_DEFAULT);
        given.check()?;
        Ok(Self { around, members, after, limit })
    }
}

/// Answers with the places of a protein, and the genes around each.
pub(crate) fn answer(question: &Question) -> Answer {
    let parameters = NeighbourParameters::read(question)?;
    let data = &question.release.data;
    let address = |other| format!("{}{}", question.base, paths::protein_neighbours(other));
    let protein = detail::find(data, &detail::decoded(&question.segment), address)?.accession;
    let missing = if protein.is_own() { Missing::OwnContigs } else { Missing::Contigs };
    let contigs = data.contigs_of(protein).ok_or(ProteinProblem::Missing(missing))?;
    let (results, next) = places_around(data, contigs, protein, parameters)?;
    let page = NeighbourPage { results, next: next.map(|next| next_page(question, next)) };
    linked_page(&page, page.next.as_deref())
}

/// Returns places of an indexed protein with the genes around each, and the cursor of the next
/// ones. The contigs are those of the protein.
///
/// # Errors
///
/// * The index cannot be read.
pub fn places_around(
    data: &ProteinGeneration,
    contigs: &Contigs,
    protein: ProteinAccession,
    parameters: NeighbourParameters,
) -> store::Result<(Vec<PlaceItem>, Option<u64>)> {
    let NeighbourParameters { around, members, after, limit } = parameters;
    let source = data.source_of(protein);
    let (mut reader, mut results, mut num_genes, mut last) = (GeneReader::new(data), Vec::new(), 0, None);
    let mut places = contigs.places();
    for place in places.find(protein, members, after, limit + 1)? {
        if results.len() == limit || num_genes >= PAGE_GENES {
            return Ok((results, last));
        }
        let mut genes = Vec::new();
        for gene in places.around(&place, around)? {
            let offset = gene.index.cast_signed() - place.gene.index.cast_signed();
            genes.push(NeighbourItem { offset, gene: reader.read(&gene)? });
        }
        num_genes += genes.len();
        results.push(PlaceItem { contig: ContigItem::new(source, contigs.describe(place.gene.contig)?), genes });
        last = Some(place.cursor);
    }
    Ok((results, None))
}
