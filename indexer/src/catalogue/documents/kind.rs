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

/// The files by name, without what follows the first dot.
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
    /// Returns the kind of a file, given by its name.
    pub(super) fn of_file(name: &str) -> Option<Self> {
        let stem = name.split('.').next()?;
        FILES.iter().find(|(known, _)| *known == stem).map(|(_, kind)| *kind)
    }
}
