//! The members of documents.

use super::{
    ANALYSIS_JOBS, ASSEMBLIES, BIOME_REPEATS, BIOMES, GENOME_CATALOGUES, GENOMES, PUBLICATIONS, RUNS, SAMPLES, STUDIES,
    SUPER_STUDIES,
};

/// Returns the members of the document of a type, in the order in which version 2 serves them. The
/// list is empty for types that version 2 does not have.
pub fn document_members(resource_type: &str) -> &'static [&'static str] {
    match resource_type {
        BIOMES | BIOME_REPEATS => &["biome_name", "lineage"],
        STUDIES => {
            &["accession", "ena_accessions", "title", "biome", "updated_at", "metadata", "first_accession", "downloads"]
        }
        SAMPLES => &["accession", "ena_accessions", "sample_title", "biome", "updated_at", "metadata"],
        RUNS => &[
            "experiment_type",
            "accession",
            "sample_accession",
            "study_accession",
            "instrument_model",
            "instrument_platform",
        ],
        ASSEMBLIES => &[
            "accession",
            "updated_at",
            "run_accession",
            "sample_accession",
            "reads_study_accession",
            "assembly_study_accession",
            "assembler_name",
            "assembler_version",
            "metadata",
            "status",
        ],
        ANALYSIS_JOBS => &[
            "experiment_type",
            "study_accession",
            "accession",
            "run",
            "sample",
            "assembly",
            "pipeline_version",
            "downloads",
            "read_run",
            "quality_control_summary",
            "results_dir",
            "metadata",
        ],
        PUBLICATIONS => &["pubmed_id", "title", "published_year", "metadata"],
        SUPER_STUDIES => {
            &["slug", "title", "description", "logo_url", "flagship_studies", "related_studies", "genome_catalogues"]
        }
        GENOMES => &GENOME,
        GENOME_CATALOGUES => &CATALOGUE,
        _ => &[],
    }
}

/// Returns the number of these members that lists show; details show all.
pub fn num_listed_members(resource_type: &str) -> usize {
    match resource_type {
        STUDIES => 6,
        SAMPLES => 5,
        ASSEMBLIES => 2,
        ANALYSIS_JOBS => 7,
        SUPER_STUDIES => 4,
        GENOMES => 22,
        _ => document_members(resource_type).len(),
    }
}

const GENOME: [&str; 37] = [
    "accession",
    "ena_genome_accession",
    "ena_sample_accession",
    "ena_study_accession",
    "ncbi_genome_accession",
    "ncbi_study_accession",
    "img_genome_accession",
    "patric_genome_accession",
    "length",
    "num_contigs",
    "num_genomes_total",
    "n_50",
    "gc_content",
    "type",
    "completeness",
    "contamination",
    "catalogue_id",
    "taxon_lineage",
    "updated_at",
    "geographic_origin",
    "geographic_range",
    "biome",
    "rna_5s",
    "rna_5_8s",
    "rna_16s",
    "rna_18s",
    "rna_23s",
    "rna_28s",
    "trnas",
    "nc_rnas",
    "eggnog_coverage",
    "ipr_coverage",
    "num_proteins",
    "pangenome_size",
    "pangenome_core_size",
    "pangenome_accessory_size",
    "downloads",
];

const CATALOGUE: [&str; 18] = [
    "catalogue_id",
    "version",
    "name",
    "status",
    "description",
    "protein_catalogue_name",
    "protein_catalogue_description",
    "updated_at",
    "result_directory",
    "genome_count",
    "unclustered_genome_count",
    "ftp_url",
    "pipeline_version_tag",
    "catalogue_biome_label",
    "catalogue_type",
    "other_stats",
    "biome",
    "downloads",
];
