//! The files of a release and their columns.

use crate::SynthLayout;

/// A file of a release. The sequences, the occurrences and the contigs of the flat layout are in two files each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Table {
    /// Sequences.
    Sequences,
    /// Sequences, second half.
    Sequences2,
    /// Sequences of representatives, again.
    Representatives,
    /// Members of clusters.
    Members,
    /// Clusters.
    Clusters,
    /// Biomes of proteins.
    Biomes,
    /// Numbers of pairs of protein and biome.
    BiomeCounts,
    /// Pfam hits.
    Hits,
    /// Numbers of occurrences.
    Counts,
    /// Occurrences.
    Places,
    /// Occurrences, second half.
    Places2,
    /// Names of contigs.
    Contigs,
    /// Names of contigs, second half.
    Contigs2,
    /// Assemblies of proteins.
    Assemblies,
}

/// The number of [`Table`]s.
pub(crate) const NUM_TABLES: usize = Table::Assemblies as usize + 1;

/// The type of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// 64-bit number.
    Long,
    /// 32-bit number.
    Int,
    /// Floating-point number.
    Real,
    /// Truth value.
    Flag,
    /// Text.
    Text,
}

/// A column of a Parquet file.
#[derive(Debug)]
pub(crate) struct Column {
    /// The name.
    pub(crate) name: &'static str,
    /// The type.
    pub(crate) kind: Kind,
    /// Whether few values come again and again.
    pub(crate) is_repetitive: bool,
}

/// Returns a column.
const fn column(name: &'static str, kind: Kind) -> Column {
    Column { name, kind, is_repetitive: false }
}

/// Returns a column of few values.
const fn few(name: &'static str, kind: Kind) -> Column {
    Column { name, kind, is_repetitive: true }
}

/// Returns the files of a layout; those of the flat one have no columns with names.
pub(crate) fn tables(layout: SynthLayout) -> &'static [(Table, &'static str, &'static [Column])] {
    match layout {
        SynthLayout::Parquet => &PARQUET,
        SynthLayout::Flat => &FLAT,
    }
}

/// The Parquet files, as of July 2026.
const PARQUET: [(Table, &str, &[Column]); 8] = {
    use Kind::{Flag, Int, Long, Real, Text};
    [
        (
            Table::Sequences,
            "mgy_protein_sequences.parquet",
            &[column("protein_id", Long), column("full_length", Flag), column("sequence", Text)],
        ),
        (Table::Members, "mgy_cluster_seqs.parquet", &[column("cluster_rep", Long), column("cluster_member", Long)]),
        (
            Table::Clusters,
            "mgy_clusters.parquet",
            &[
                column("cluster_rep", Long),
                few("cluster_size", Int),
                few("cluster_assembly_count", Int),
                few("cluster_rep_biomes", Text),
                few("cluster_members_biomes", Text),
            ],
        ),
        (
            Table::Biomes,
            "mgy_biomes.parquet",
            &[column("protein_id", Long), few("lineage_count", Int), few("biome", Text)],
        ),
        (Table::BiomeCounts, "mgy_biome_counts.parquet", &[column("mgyp_count", Long), column("lineage_prefix", Text)]),
        (
            Table::Hits,
            "mgy_proteins_pfam.parquet",
            &[
                column("protein_id", Long),
                few("pfam_accession", Int),
                column("i_evalue", Real),
                column("score", Real),
                few("hmm_from", Int),
                few("hmm_to", Int),
                few("env_from", Int),
                few("env_to", Int),
            ],
        ),
        (Table::Counts, "mgy_counts.parquet", &[column("mgyp", Long), few("mgyp_count", Int)]),
        (
            Table::Places,
            "mgy_proteins_metadata.parquet",
            &[
                column("occurrence_id", Long),
                few("study_id", Int),
                few("assembly_id", Int),
                column("contig_id", Long),
                column("protein_id", Long),
                few("study_accession", Text),
                few("assembly_accession", Text),
                column("contig_name", Text),
                column("contig_length", Int),
                column("kmer_coverage", Real),
                column("start_position", Int),
                column("end_position", Int),
                few("strand", Int),
                few("biome", Text),
                few("pipeline_version", Text),
                few("truncation", Text),
                few("gene_caller_id", Int),
                column("cluster_rep", Long),
                few("is_cluster_rep", Flag),
            ],
        ),
    ]
};

/// The flat files, as of April 2024.
const FLAT: [(Table, &str, &[Column]); 14] = [
    (Table::Representatives, "mgy_clusters.fa.gz", &[]),
    (Table::Sequences, "mgy_proteins_1.fa.gz", &[]),
    (Table::Sequences2, "mgy_proteins_2.fa.gz", &[]),
    (Table::Members, "mgy_cluster_seqs.tsv.gz", &[]),
    (Table::Clusters, "mgy_clusters.tsv.gz", &[]),
    (Table::Biomes, "mgy_biomes.tsv.gz", &[]),
    (Table::Counts, "mgy_counts.tsv.gz", &[]),
    (Table::BiomeCounts, "mgy_biome_counts.tsv.gz", &[]),
    (Table::Assemblies, "mgy_assemblies.tsv.gz", &[]),
    (Table::Places, "mgy_seq_metadata_1.tsv.gz", &[]),
    (Table::Places2, "mgy_seq_metadata_2.tsv.gz", &[]),
    (Table::Contigs, "mgy_contig_map_1.tsv.gz", &[]),
    (Table::Contigs2, "mgy_contig_map_2.tsv.gz", &[]),
    (Table::Hits, "mgy_proteins_pfam.tsv.gz", &[]),
];
