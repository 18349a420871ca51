//! The names of the types of resources.

/// The type of biomes.
pub const BIOMES: &str = "biomes";
/// The type of studies.
pub const STUDIES: &str = "studies";
/// The type of samples, which resources of other types can name.
pub const SAMPLES: &str = "samples";
/// The type of assemblies.
pub const ASSEMBLIES: &str = "assemblies";
/// The type of tools of the analysis pipelines. Several versions of a tool have the same id.
pub const PIPELINE_TOOLS: &str = "pipeline-tools";
/// The type of functional categories.
pub const COG_CATS: &str = "cog-cats";
/// The type of runs.
pub const RUNS: &str = "runs";
/// The type of analyses of runs and assemblies.
pub const ANALYSIS_JOBS: &str = "analysis-jobs";
/// The type of publications about studies.
pub const PUBLICATIONS: &str = "publications";
/// The type of versions of the analysis pipeline.
pub const PIPELINES: &str = "pipelines";
/// The type of experiment types, such as `amplicon`.
pub const EXPERIMENT_TYPES: &str = "experiment-types";
/// The type of collections of studies under one name, such as Tara Oceans.
pub const SUPER_STUDIES: &str = "super-studies";
/// The type of genomes, assembled from metagenomes or isolated.
pub const GENOMES: &str = "genomes";
/// The type of catalogues of genomes, one for a biome.
pub const GENOME_CATALOGUES: &str = "genome-catalogues";
/// The type of sets of genomes by origin.
pub const GENOME_SETS: &str = "genome-sets";

/// The hidden type of the annotations of analyses, by accession.
pub const ANALYSIS_ANNOTATIONS: &str = "@analysis-annotations";
/// The hidden type of the annotations of genomes, by accession.
pub const GENOME_ANNOTATIONS: &str = "@genome-annotations";
/// The hidden type of the annotations of publications, by PubMed id.
pub const PUBLICATION_ANNOTATIONS: &str = "@publication-annotations";
/// The hidden type of the links from assemblies to genomes, by the accession of the assembly.
pub const GENOME_LINKS: &str = "@genome-links";
/// The hidden type of the other genomes that an assembly contains, by the accession of the
/// assembly.
pub const CONTAINED_GENOMES: &str = "@contained-genomes";

/// The hidden type of biomes that a harvest repeats under the lineage of another one, by their
/// place in its list.
pub const BIOME_REPEATS: &str = "@biome-repeats";
