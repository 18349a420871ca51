//! The names that files of releases have, without part numbers and endings.

use super::{Form, Format};
use crate::release::table::Table;

/// A known file name, without part number and endings.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stem {
    pub(super) name: &'static str,
    pub(super) format: Format,
    pub(super) form: Form,
    /// The table, or `None` for a file that says nothing that others do not say.
    pub(super) table: Option<Table>,
    /// Sequences are those of all proteins.
    pub(super) covers_all_proteins: bool,
}

const fn parquet(name: &'static str, table: Table) -> Stem {
    Stem { name, format: Format::Parquet, form: Form::Parquet, table: Some(table), covers_all_proteins: true }
}

const fn tsv(name: &'static str, table: Option<Table>) -> Stem {
    Stem { name, format: Format::Tsv, form: Form::Flat, table, covers_all_proteins: true }
}

const fn fasta(name: &'static str, covers_all_proteins: bool) -> Stem {
    Stem { name, format: Format::Fasta, form: Form::Flat, table: Some(Table::Sequences), covers_all_proteins }
}

/// All names. Where several are of one table, the first is the better one.
pub(super) static STEMS: [Stem; 21] = [
    parquet("mgy_clusters", Table::Clusters),
    parquet("mgy_cluster_seqs", Table::ClusterMembers),
    parquet("mgy_protein_sequences", Table::Sequences),
    parquet("mgy_biomes", Table::Biomes),
    parquet("mgy_proteins_pfam", Table::Pfam),
    parquet("mgy_proteins_metadata", Table::Occurrences),
    parquet("mgy_counts", Table::Counts),
    parquet("mgy_biome_counts", Table::BiomeCounts),
    tsv("mgy_clusters", Some(Table::Clusters)),
    tsv("mgy_cluster_seqs", Some(Table::ClusterMembers)),
    fasta("mgy_clusters", false),
    fasta("mgy_proteins", true),
    tsv("mgy_biomes", Some(Table::Biomes)),
    // The first two come from HMMER and may have scores, the last never has.
    tsv("mgy_proteins_pfam", Some(Table::Pfam)),
    tsv("mgy_pfam", Some(Table::Pfam)),
    tsv("mgy_ProtENN_pfam", Some(Table::Pfam)),
    tsv("mgy_seq_metadata", Some(Table::Occurrences)),
    tsv("mgy_contig_map", Some(Table::ContigNames)),
    tsv("mgy_counts", Some(Table::Counts)),
    tsv("mgy_biome_counts", Some(Table::BiomeCounts)),
    // Which assemblies have a protein also stands in its places on contigs.
    tsv("mgy_assemblies", None),
];

/// The list of the MD5 sums of all files of a release.
pub(super) const SUMS: &str = "md5sum.txt";

/// What the name of a file with one MD5 sum ends with.
pub(super) const SUM_ENDING: &str = ".md5";

/// Files that come with releases and hold no table: they are ignored.
pub(super) const COMPANIONS: [&str; 6] = ["readme.md", "readme.txt", "stats.md", "license", SUMS, "mgy30"];

pub(super) fn find(name: &str, format: Format) -> Option<&'static Stem> {
    STEMS.iter().find(|stem| stem.format == format && stem.name.eq_ignore_ascii_case(name))
}
