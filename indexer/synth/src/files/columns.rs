//! The tables of a release, their files and their columns.

use arrow_schema::DataType;

use crate::SynthLayout;

/// A table, or one half of a table that has two files in the flat layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Table {
    Sequences,
    Sequences2,
    /// The sequences of cluster representatives, once more.
    Representatives,
    Members,
    Clusters,
    Biomes,
    /// The number of pairs of protein and biome by lineage prefix.
    BiomeCounts,
    Hits,
    /// The number of loci by protein.
    Counts,
    Loci,
    Loci2,
    /// The names of contigs.
    Contigs,
    Contigs2,
    /// The assemblies of each protein.
    Assemblies,
}

pub(crate) const NUM_TABLES: usize = Table::Assemblies as usize + 1;

/// A column of a Parquet file.
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) data_type: DataType,
    /// Whether it has few distinct values, and so a dictionary.
    pub(crate) is_repetitive: bool,
}

pub(crate) type Columns = &'static [Column];

const fn column(name: &'static str, data_type: DataType) -> Column {
    Column { name, data_type, is_repetitive: false }
}

const fn repetitive(name: &'static str, data_type: DataType) -> Column {
    Column { name, data_type, is_repetitive: true }
}

/// Returns the tables of a layout with the names of their files, and with their columns if these are Parquet.
pub(crate) fn tables(layout: SynthLayout) -> Vec<(Table, &'static str, Option<Columns>)> {
    match layout {
        SynthLayout::Parquet => PARQUET.iter().map(|&(table, name, columns)| (table, name, Some(columns))).collect(),
        SynthLayout::Flat => FLAT.iter().map(|&(table, name)| (table, name, None)).collect(),
    }
}

/// The Parquet files, as of July 2026.
static PARQUET: [(Table, &str, Columns); 8] = {
    use DataType::{Boolean, Float64, Int32, Int64, Utf8};
    [
        (
            Table::Sequences,
            "mgy_protein_sequences.parquet",
            &[column("protein_id", Int64), column("full_length", Boolean), column("sequence", Utf8)],
        ),
        (Table::Members, "mgy_cluster_seqs.parquet", &[column("cluster_rep", Int64), column("cluster_member", Int64)]),
        (
            Table::Clusters,
            "mgy_clusters.parquet",
            &[
                column("cluster_rep", Int64),
                repetitive("cluster_size", Int32),
                repetitive("cluster_assembly_count", Int32),
                repetitive("cluster_rep_biomes", Utf8),
                repetitive("cluster_members_biomes", Utf8),
            ],
        ),
        (
            Table::Biomes,
            "mgy_biomes.parquet",
            &[column("protein_id", Int64), repetitive("lineage_count", Int32), repetitive("biome", Utf8)],
        ),
        (
            Table::BiomeCounts,
            "mgy_biome_counts.parquet",
            &[column("mgyp_count", Int64), column("lineage_prefix", Utf8)],
        ),
        (
            Table::Hits,
            "mgy_proteins_pfam.parquet",
            &[
                column("protein_id", Int64),
                repetitive("pfam_accession", Int32),
                column("i_evalue", Float64),
                column("score", Float64),
                repetitive("hmm_from", Int32),
                repetitive("hmm_to", Int32),
                repetitive("env_from", Int32),
                repetitive("env_to", Int32),
            ],
        ),
        (Table::Counts, "mgy_counts.parquet", &[column("mgyp", Int64), repetitive("mgyp_count", Int32)]),
        (
            Table::Loci,
            "mgy_proteins_metadata.parquet",
            &[
                column("occurrence_id", Int64),
                repetitive("study_id", Int32),
                repetitive("assembly_id", Int32),
                column("contig_id", Int64),
                column("protein_id", Int64),
                repetitive("study_accession", Utf8),
                repetitive("assembly_accession", Utf8),
                column("contig_name", Utf8),
                column("contig_length", Int32),
                column("kmer_coverage", Float64),
                column("start_position", Int32),
                column("end_position", Int32),
                repetitive("strand", Int32),
                repetitive("biome", Utf8),
                repetitive("pipeline_version", Utf8),
                repetitive("truncation", Utf8),
                repetitive("gene_caller_id", Int32),
                column("cluster_rep", Int64),
                repetitive("is_cluster_rep", Boolean),
            ],
        ),
    ]
};

/// The flat files, as of April 2024.
static FLAT: [(Table, &str); 14] = [
    (Table::Representatives, "mgy_clusters.fa.gz"),
    (Table::Sequences, "mgy_proteins_1.fa.gz"),
    (Table::Sequences2, "mgy_proteins_2.fa.gz"),
    (Table::Members, "mgy_cluster_seqs.tsv.gz"),
    (Table::Clusters, "mgy_clusters.tsv.gz"),
    (Table::Biomes, "mgy_biomes.tsv.gz"),
    (Table::Counts, "mgy_counts.tsv.gz"),
    (Table::BiomeCounts, "mgy_biome_counts.tsv.gz"),
    (Table::Assemblies, "mgy_assemblies.tsv.gz"),
    (Table::Loci, "mgy_seq_metadata_1.tsv.gz"),
    (Table::Loci2, "mgy_seq_metadata_2.tsv.gz"),
    (Table::Contigs, "mgy_contig_map_1.tsv.gz"),
    (Table::Contigs2, "mgy_contig_map_2.tsv.gz"),
    (Table::Hits, "mgy_proteins_pfam.tsv.gz"),
];
