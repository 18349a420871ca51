//! The files of a harvest of version 2, and the kinds of their objects.

use store_catalogue::model::{
    ANALYSIS_ANNOTATIONS, ANALYSIS_JOBS, ASSEMBLIES, BIOMES, CONTAINED_GENOMES, GENOME_ANNOTATIONS, GENOME_CATALOGUES,
    GENOME_LINKS, GENOMES, PUBLICATION_ANNOTATIONS, PUBLICATIONS, RUNS, SAMPLES, STUDIES, SUPER_STUDIES,
};

/// The kind of the objects of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Resources of a type.
    Resource(&'static str),
    /// Parts of a resource that are served separately: a hidden type, and the member that names the
    /// resource.
    Part(&'static str, &'static str),
    /// The pipelines by which studies can be found.
    StudyFeatures,
    /// All runs of assemblies.
    AssemblyRuns,
    /// Samples and publications of studies.
    StudyMembers,
}

const EXTENSIONS: [&str; 5] = ["jsonl", "ndjson", "json", "gz", "zst"];

/// The files by name, up to the first dot, in the order in which they are read. Biomes keep the
/// order of their list, whatever embeds them, and all possible members of studies are known before
/// the lists of members.
const FILES: [(&str, Kind); 18] = [
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
    ("study-members", Kind::StudyMembers),
];

impl Kind {
    /// Returns the kind of a file, given by its name, and its position among the kinds. The name
    /// has one of the extensions of such files.
    pub(super) fn of_file(name: &str) -> Option<(usize, Self)> {
        let (stem, extensions) = name.split_once('.')?;
        extensions.rsplit('.').next().filter(|last| EXTENSIONS.contains(last))?;
        FILES.iter().enumerate().find(|(_, (known, _))| *known == stem).map(|(position, (_, kind))| (position, *kind))
    }
}

/// The types of parts, each with the type of the resources that they belong to.
const PARTS: [(&str, &str); 5] = [
    (ANALYSIS_ANNOTATIONS, ANALYSIS_JOBS),
    (GENOME_ANNOTATIONS, GENOMES),
    (PUBLICATION_ANNOTATIONS, PUBLICATIONS),
    (GENOME_LINKS, ASSEMBLIES),
    (CONTAINED_GENOMES, ASSEMBLIES),
];

/// Returns the type of the resources that parts of a type belong to.
pub(crate) fn owner(part: &str) -> Option<&'static str> {
    PARTS.iter().find(|(known, _)| *known == part).map(|(_, owner)| *owner)
}

/// Returns the types of the parts of resources of a type.
pub(crate) fn parts_of(owner: &str) -> impl Iterator<Item = &'static str> {
    PARTS.iter().filter(move |(_, known)| *known == owner).map(|(part, _)| *part)
}
