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
    Contigs,
    Contigs2,
    Assemblies,
}

pub(crate) const NUM_TABLES: usize = Table::Assemblies as usize + 1;

pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) data_type: DataType,
    /// True if it has few distinct values, and therefore a dictionary.
    pub(crate) is_repetitive: bool,
}

/// Returns the tables of a layout with the names of their files, and with their columns if these
/// are Parquet.
pub(crate) fn tables(layout: SynthLayout) -> Vec<(Table, &'static str, Option<Vec<Column>>)> {
    match layout {
        SynthLayout::Parquet => PARQUET.iter().map(|&(table, name, list)| (table, name, Some(columns(list)))).collect(),
        SynthLayout::Flat => FLAT.iter().map(|&(table, name)| (table, name, None)).collect(),
    }
}

fn columns(list: &'static str) -> Vec<Column> {
    let column = |column: &'static str| {
        let (name, kind) = column.split_once(':').expect("a name and a type");
        let data_type = match kind.trim_end_matches('*') {
            "long" => DataType::Int64,
            "int" => DataType::Int32,
            "double" => DataType::Float64,
            "boolean" => DataType::Boolean,
            _ => DataType::Utf8,
        };
        Column { name, data_type, is_repetitive: kind.ends_with('*') }
    };
    list.split_whitespace().map(column).collect()
}

/// The Parquet files, as of July 2026. Types with an asterisk are those of repetitive columns.
const PARQUET: [(Table, &str, &str); 8] = [
    (Table::Sequences, "mgy_protein_sequences.parquet", "protein_id:long full_length:boolean sequence:text"),
    (Table::Members, "mgy_cluster_seqs.parquet", "cluster_rep:long cluster_member:long"),
    (
        Table::Clusters,
        "mgy_clusters.parquet",
        "cluster_rep:long cluster_size:int* cluster_assembly_count:int* cluster_rep_biomes:text* \
         cluster_members_biomes:text*",
    ),
    (Table::Biomes, "mgy_biomes.parquet", "protein_id:long lineage_count:int* biome:text*"),
    (Table::BiomeCounts, "mgy_biome_counts.parquet", "mgyp_count:long lineage_prefix:text"),
    (
        Table::Hits,
        "mgy_proteins_pfam.parquet",
        "protein_id:long pfam_accession:int* i_evalue:double score:double hmm_from:int* hmm_to:int* \
         env_from:int* env_to:int*",
    ),
    (Table::Counts, "mgy_counts.parquet", "mgyp:long mgyp_count:int*"),
    (
        Table::Loci,
        "mgy_proteins_metadata.parquet",
        "occurrence_id:long study_id:int* assembly_id:int* contig_id:long protein_id:long \
         study_accession:text* assembly_accession:text* contig_name:text contig_length:int \
         kmer_coverage:double start_position:int end_position:int strand:int* biome:text* \
         pipeline_version:text* truncation:text* gene_caller_id:int* cluster_rep:long \
         is_cluster_rep:boolean*",
    ),
];

/// The flat files, as of April 2024.
const FLAT: [(Table, &str); 14] = [
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
