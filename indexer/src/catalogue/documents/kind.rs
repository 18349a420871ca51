//! The files of a harvest of version 2, and what their objects are.

use store::model::{
    ANALYSIS_ANNOTATIONS, ANALYSIS_JOBS, ASSEMBLIES, BIOMES, CONTAINED_GENOMES, GENOME_ANNOTATIONS, GENOME_CATALOGUES,
    GENOME_LINKS, GENOMES, PUBLICATION_ANNOTATIONS, PUBLICATIONS, RUNS, SAMPLES, STUDIES, SUPER_STUDIES,
};

/// What the objects of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Resources of a type.
    Resource(&'static str),
    /// What belongs to a resource and is served by itself: a hidden type, and the member that names the resource.
    Part(&'static str, &'static str),
    /// The pipelines for which studies are found.
    StudyFeatures,
    /// All runs of assemblies.
    AssemblyRuns,
}

const EXTENSIONS: [&str; 5] = ["jsonl", "ndjson", "json", "gz", "zst"];

/// The files by name, without what follows the first dot, in the order in which they are read: biomes keep the order of their list, whatever
/// embeds them.
const FILES: [(&str, Kind); 17] = [
    ("biomes", Kind::Resource(BIOMES)),
    ("studies", Kind::Resource(STUDIES)),
    ("samples", Kind::Resource(SAMPLES)),
    ("runs", Kind::Resource(RUNS)),
    ("assemblies", Kind::Resource(ASSEMBLIES)),
    ("analyses", Kind::Resource(ANALYSIS_JOBS)),
    ("publications", Kind::Resource(PUBLICATIONS)),
    ("genome-catalogues", Kind::Resource(GENOME_CATALOGUES)),
    ("genomes", Kind::Resource(GENOMES)),
    ("super-studies", Kind::Resource(SUPER_STUDIES)),
    ("analysis-annotations", Kind::Part(ANALYSIS_ANNOTATIONS, "accession")),
    ("genome-annotations", Kind::Part(GENOME_ANNOTATIONS, "accession")),
    ("publication-annotations", Kind::Part(PUBLICATION_ANNOTATIONS, "pubmed_id")),
    ("assembly-genome-links", Kind::Part(GENOME_LINKS, "assembly")),
    ("assembly-additional-contained-genomes", Kind::Part(CONTAINED_GENOMES, "assembly")),
    ("assembly-runs", Kind::AssemblyRuns),
    ("study-features", Kind::StudyFeatures),
];

impl Kind {
    /// Returns the kind of a file, given by its name, and its position among the kinds. The name has one of the extensions of such files.
    pub(super) fn of_file(name: &str) -> Option<(usize, Self)> {
        let (stem, extensions) = name.split_once('.')?;
        extensions.rsplit('.').next().filter(|last| EXTENSIONS.contains(last))?;
        FILES.iter().enumerate().find(|(_, (known, _))| *known == stem).map(|(position, (_, kind))| (position, *kind))
    }
}

/// The types of parts, each with that of the resources that they belong to.
const PARTS: [(&str, &str); 5] = [
    (ANALYSIS_ANNOTATIONS, ANALYSIS_JOBS),
    (GENOME_ANNOTATIONS, GENOMES),
    (PUBLICATION_ANNOTATIONS, PUBLICATIONS),
    (GENOME_LINKS, ASSEMBLIES),
    (CONTAINED_GENOMES, ASSEMBLIES),
];

/// Returns the type of the resources that parts of a type belong to.
pub(super) fn owner(part: &str) -> Option<&'static str> {
    PARTS.iter().find(|(known, _)| *known == part).map(|(_, owner)| *owner)
}

/// Returns the types of the parts of resources of a type.
pub(in crate::catalogue) fn parts_of(owner: &str) -> impl Iterator<Item = &'static str> {
    PARTS.iter().filter(move |(_, known)| *known == owner).map(|(part, _)| *part)
}

/// Returns the members of the document of a type, in the order in which version 2 serves them.
pub(super) fn members(resource_type: &str) -> &'static [&'static str] {
    match resource_type {
        BIOMES => &["biome_name", "lineage"],
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
