//! The contigs of a part of a generation, with the genes on them in order. Each gene has its
//! protein and the representative of the protein's cluster.

mod gene;
mod gene_counts;
mod name;
mod places;
mod reader;
mod verify;
mod writer;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::pages::PagesEntry;

pub use gene::{ContigKey, Gene};
pub use gene_counts::GeneCounts;
pub use name::CONTIG_NAME_BYTES_MAX;
pub use places::{Around, Place, Places};
pub use reader::{Contig, Contigs};
pub use writer::{AddedGene, ContigsWriter, GeneRow};

/// The contigs of a part in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContigsEntry {
    /// The folder inside the generation.
    pub folder: String,
    /// The number of contigs.
    pub num_contigs: u64,
    /// Set if members of clusters have places of their own, and not only those of their cluster.
    #[serde(default)]
    pub has_all_proteins: bool,
    /// The genes by assembly, contig and start.
    pub genes: PagesEntry,
    /// The pages with the genes of each protein.
    pub places: PagesEntry,
    /// The accessions of the assemblies.
    pub assemblies: PagesEntry,
    /// The assembly of each contig, by the number of the contig.
    pub runs: PagesEntry,
    /// The file of the numbers of genes by family.
    pub gene_counts: String,
    /// The names of the contigs, unless they were left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub names: Option<NamesEntry>,
}

/// The names of contigs in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamesEntry {
    /// Names and lengths, in the order of the contigs.
    pub names: PagesEntry,
    /// Pages of names by hash.
    pub hashes: PagesEntry,
    /// The number of first bits of a hash that are stored.
    pub hash_bits: u32,
}
