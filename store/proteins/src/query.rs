//! Queries of proteins: trees of conditions, built by hand or parsed from a text.

mod field;
mod names;
mod resolve;
#[cfg(test)]
mod tests;
mod value;

use std::convert::Infallible;
use std::ops::RangeInclusive;
use std::sync::Arc;

use store::{
    BiomeOrdinal, BiomeTable, PfamAccession, ProteinAccession, QueryFault, QueryFields, QueryPlace, Resolved,
    lone_value, read_query,
};

pub use field::QueryField;
pub use names::{NO_ACCESSION, QueryNames, is_accession};

use crate::SequenceDigest;

use resolve::ProteinFields;

use super::segments::bucket::{LENGTH_RANGES, SIZE_RANGES};

/// A condition on proteins.
///
/// # Examples
///
/// ```
/// use store::{BiomeTable, PfamAccession};
/// use store_proteins::ProteinQuery;
///
/// let biomes = BiomeTable::default();
/// let query = ProteinQuery::parse("pfam:5 AND NOT length:[50 TO 300]", &biomes);
/// let without = ProteinQuery::Not(Box::new(ProteinQuery::Length(50..=300)));
/// assert_eq!(query, Ok(ProteinQuery::And(vec![ProteinQuery::Family(PfamAccession(5)), without])));
///
/// let faults = ProteinQuery::parse("pfam:x OR pfram:PF00005", &biomes).expect_err("both are faulty");
/// assert_eq!(faults[1].to_string(), "byte 10, \"pfram\": no field has this name; did you mean \"pfam\"?");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProteinQuery {
    /// Matches all proteins.
    Everything,
    /// Proteins that match all of these. An empty list matches all proteins.
    And(Vec<ProteinQuery>),
    /// Proteins that match any of these. An empty list matches none.
    Or(Vec<ProteinQuery>),
    /// Proteins that do not match the condition.
    Not(Box<ProteinQuery>),
    /// Proteins found in the biome or in any biome below it.
    Biome(BiomeOrdinal),
    /// Proteins found in the biome itself.
    BiomeExact(BiomeOrdinal),
    /// Proteins with a match of the family.
    Family(PfamAccession),
    /// Proteins with a match of any family.
    AnyFamily,
    /// Proteins with a match of a family of the clan, by its accession.
    Clan(String),
    /// Proteins that occur in the study. Letter case does not matter.
    Study(String),
    /// Proteins that occur in the assembly. Letter case does not matter.
    Assembly(String),
    /// Proteins that are known to be complete, or known not to be.
    FullLength(bool),
    /// Proteins that represent a cluster whose size is in the range.
    ClusterSize(RangeInclusive<u64>),
    /// Proteins whose number of residues is in the range.
    Length(RangeInclusive<u64>),
    /// Proteins of own data with a name. Letter case matters.
    Name(String),
    /// Proteins whose accession is in the range.
    Accession(RangeInclusive<ProteinAccession>),
    /// Proteins whose sequence has a digest. [`crate::ProteinGeneration::resolve_lookups`] replaces
    /// it with their accessions; an unresolved digest matches none.
    Digest(SequenceDigest),
    /// Proteins of the cluster of a protein, which is its representative or a member. It is
    /// replaced likewise.
    Cluster(ProteinAccession),
    /// Proteins that match a condition, with a protein near them that matches another one: on the
    /// same contig, `genes` genes away or less. Each gene counts for its protein, or for the
    /// representative of its cluster if the release has only these. A gene is not near itself, but
    /// near another gene of the same protein. Of a protein with more than a thousand genes, the
    /// first thousand are examined: its own, then those of the other members of its cluster.
    Near {
        /// The condition on the proteins.
        of: Box<ProteinQuery>,
        /// The condition on a protein near them.
        beside: Box<ProteinQuery>,
        /// The most genes from one to the other, 1 to [`NEAR_GENES_MAX`].
        genes: u64,
        /// Set if both genes are on the same strand.
        same_strand: bool,
    },
    /// Proteins with any of these accessions, which ascend.
    Among(Arc<[ProteinAccession]>),
}

/// The most genes from a protein to one that is near it.
pub const NEAR_GENES_MAX: u64 = 100;

impl ProteinQuery {
    /// Parses a query in the syntax of Lucene and `UniProt`. The names in its values are looked up:
    /// biomes in the table of the queried generation.
    ///
    /// ```text
    /// biome:"root:Environmental:Aquatic" AND pfam:(PF00005 OR PF00664) AND NOT clan:CL0023 AND cluster_size:[10 TO *]
    /// ```
    ///
    /// * `AND` binds more tightly than `OR`, `NOT` more tightly than both; `&&`, `||`, `!` and
    ///   lower case are understood. Two conditions without an operator between them are a fault.
    /// * A value with spaces or parentheses is in double quotes; elsewhere a backslash can precede
    ///   them. `field:(…)` is for several values.
    /// * Ranges are `[1 TO 9]`, with a curly bracket where the bound itself is excluded and `*` for
    ///   an open end, and `>=1`, `<10`.
    /// * `near(A, B, 5)` is [`ProteinQuery::Near`], and `near(A, B, 5, same)` that on the same
    ///   strand.
    /// * `*` is everything, `has:pfam` and `pfam:*` are [`ProteinQuery::AnyFamily`]. See
    ///   [`QueryField`] for the fields.
    ///
    /// # Errors
    ///
    /// * All faults of the text, up to a hundred, in the order of their places.
    pub fn parse(text: &str, names: &impl QueryNames<Failure = Infallible>) -> Result<Self, Vec<QueryFault>> {
        let Ok(read) = Self::read(QueryPlace::whole(text), names);
        read
    }

    /// Reads a query, or a query inside a longer text: it is parsed, and then its names are looked
    /// up, which may fail.
    ///
    /// # Errors
    ///
    /// * A name cannot be looked up. The faults of the text are in the inner result, with their
    ///   places in the whole text.
    pub fn read<N: QueryNames>(place: QueryPlace<'_>, names: &N) -> Resolved<Self, N::Failure> {
        read_query(place, &ProteinFields { names })
    }

    /// Reads the value of a single field, such as `PF00005`, `[10 TO *]` or a lineage. Spaces need
    /// no quotes.
    ///
    /// # Errors
    ///
    /// * A name cannot be looked up. The faults of the value are in the inner result, with their
    ///   places in `value`.
    pub fn read_value<N: QueryNames>(field: QueryField, value: &str, names: &N) -> Resolved<Self, N::Failure> {
        let (value, place) = lone_value(value, field.has_ranges());
        ProteinFields { names }.condition(&field, value, place)
    }

    /// Returns the query for the biome with a numeric id, without the biomes below it. If no biome
    /// has the id, nothing matches.
    pub fn with_biome_id(id: i64, biomes: &BiomeTable) -> Self {
        biomes.find_id(id).map_or(Self::Or(Vec::new()), Self::BiomeExact)
    }

    /// Returns whether the query has digests of sequences, which only an index of digests can
    /// resolve.
    pub fn has_digest(&self) -> bool {
        self.has(|part| matches!(part, Self::Digest(_)))
    }

    /// Returns whether the query has clusters, which only members of clusters can resolve.
    pub fn has_cluster(&self) -> bool {
        self.has(|part| matches!(part, Self::Cluster(_)))
    }

    /// Returns whether the query has conditions on near proteins, which need contigs.
    pub fn has_near(&self) -> bool {
        self.has(|part| matches!(part, Self::Near { .. }))
    }

    /// Returns whether [`crate::ProteinGeneration::resolve_lookups`] changes the query.
    pub fn has_lookup(&self) -> bool {
        self.has_digest() || self.has_cluster() || self.has_near()
    }

    fn has(&self, is_sought: fn(&Self) -> bool) -> bool {
        if is_sought(self) {
            return true;
        }
        match self {
            Self::Near { of, beside, .. } => of.has(is_sought) || beside.has(is_sought),
            Self::And(parts) | Self::Or(parts) => parts.iter().any(|part| part.has(is_sought)),
            Self::Not(part) => part.has(is_sought),
            _ => false,
        }
    }

    /// Returns the number of conditions. A range of numbers counts once for each power of two.
    /// Combined queries must keep to [`store::QUERY_TERMS_MAX`].
    pub fn num_terms(&self) -> usize {
        match self {
            Self::And(parts) | Self::Or(parts) => parts.iter().map(Self::num_terms).sum(),
            Self::Not(part) => part.num_terms(),
            Self::Near { of, beside, .. } => of.num_terms() + beside.num_terms(),
            Self::ClusterSize(sizes) => SIZE_RANGES.touched(sizes).count(),
            Self::Length(lengths) => LENGTH_RANGES.touched(lengths).count(),
            _ => 1,
        }
    }
}
