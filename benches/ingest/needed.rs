//! The columns of a Parquet release that an index needs.

/// The tables that are read, with their columns.
pub(crate) const NEEDED: [(&str, &[&str]); 5] = [
    ("mgy_clusters", &["cluster_rep", "cluster_size"]),
    ("mgy_protein_sequences", &["protein_id", "full_length", "sequence"]),
    ("mgy_biomes", &["protein_id", "lineage_count", "biome"]),
    (
        "mgy_proteins_pfam",
        &["protein_id", "pfam_accession", "i_evalue", "score", "hmm_from", "hmm_to", "env_from", "env_to"],
    ),
    (
        "mgy_proteins_metadata",
        &[
            "protein_id",
            "study_accession",
            "assembly_accession",
            "contig_id",
            "contig_name",
            "start_position",
            "end_position",
            "strand",
        ],
    ),
];
