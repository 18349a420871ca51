//! The table of types.

use super::{
    ACCESSION, ANALYSIS_JOBS, ASSEMBLIES, BIOMES, COG_CATS, Direction, EXPERIMENT_TYPES, GENOME_CATALOGUES,
    GENOME_SETS, GENOMES, Identifier, Members, PIPELINE_TOOLS, PIPELINES, PUBLICATIONS, RUNS, Relation, ResourceType,
    SAMPLES, STUDIES, SUPER_STUDIES, SortKey, VERSION,
};

/// The types with special rules, in the order of their ordinals: samples come before all types that may name samples.
pub static RESOURCE_TYPES: [ResourceType; 15] = [
    ResourceType {
        name: SAMPLES,
        path: "samples",
        singular: "Sample",
        identifiers: &[Identifier::Id, Identifier::Attribute(ACCESSION), Identifier::Attribute("biosample")],
        biome_relation: Some("biome"),
        default_order: &[
            (SortKey::Text("last-update"), Direction::Descending),
            (SortKey::Accession, Direction::Ascending),
        ],
        tie: &[SortKey::Accession],
        orders: &[
            ("accession", SortKey::Accession),
            ("sample_name", SortKey::Text("sample-name")),
            ("last_update", SortKey::Text("last-update")),
        ],
        relations: &[
            linked("studies", &[STUDIES]),
            linked("runs", &[RUNS]),
            found("metadata", &["sample-anns"], Members::MetadataEntries),
        ],
        ..ANY_OTHER
    },
    ResourceType {
        name: BIOMES,
        path: "biomes",
        singular: "Biome",
        identifiers: &[Identifier::Id, Identifier::Attribute("lineage")],
        default_order: &[(SortKey::IsBelowRoot, Direction::Ascending)],
        orders: &[
            ("biome_name", SortKey::Text("biome-name")),
            ("lineage", SortKey::Text("lineage")),
            ("samples_count", SortKey::Number("samples-count")),
            ("studies_count", SortKey::Number("studies-count")),
        ],
        relations: &[
            found("children", &[BIOMES], Members::Descendants),
            found("studies", &[STUDIES], Members::InLineage),
            found("samples", &[SAMPLES], Members::InLineage),
            genomes(Members::InBiome),
            found("genome-catalogues", &[GENOME_CATALOGUES], Members::InBiome),
        ],
        ..ANY_OTHER
    },
    ResourceType {
        name: STUDIES,
        path: "studies",
        singular: "Study",
        identifiers: &[
            Identifier::Id,
            Identifier::Number,
            Identifier::Attribute(ACCESSION),
            Identifier::Attribute("secondary-accession"),
            Identifier::Attribute("bioproject"),
        ],
        numbering: Some("MGYS"),
        biome_relation: Some("biomes"),
        default_order: &[
            (SortKey::Text("last-update"), Direction::Descending),
            (SortKey::IdNumber, Direction::Ascending),
        ],
        tie: &[SortKey::IdNumber],
        orders: &[
            ("study_id", SortKey::IdNumber),
            ("study_name", SortKey::Text("study-name")),
            ("last_update", SortKey::Text("last-update")),
            ("samples_count", SortKey::Number("samples-count")),
            ("accession", SortKey::Accession),
        ],
        relations: &[
            linked("biomes", &[BIOMES]),
            linked("samples", &[SAMPLES]),
            linked("analyses", &[ANALYSIS_JOBS]),
            linked("publications", &[PUBLICATIONS]),
            found("geocoordinates", &["sample-geo-coordinates"], Members::Places),
            linked("downloads", &["study-downloads", "downloads"]),
            linked("studies", &[STUDIES]),
        ],
        ..ANY_OTHER
    },
    ResourceType {
        name: ASSEMBLIES,
        path: "assemblies",
        singular: "Assembly",
        identifiers: &[
            Identifier::Id,
            Identifier::Attribute(ACCESSION),
            Identifier::Attribute("wgs-accession"),
            Identifier::Attribute("legacy-accession"),
        ],
        default_order: &[(SortKey::Accession, Direction::Descending)],
        orders: &[("accession", SortKey::Accession)],
        relations: &[
            linked("runs", &[RUNS]),
            linked("analyses", &[ANALYSIS_JOBS]),
            linked("extra-annotations", &["extra-annotations", "assembly-extra-annotations"]),
        ],
        ..ANY_OTHER
    },
    ResourceType {
        name: PIPELINE_TOOLS,
        path: "pipeline-tools",
        singular: "Pipeline Tool",
        identifiers: &[Identifier::WithVersion, Identifier::LowercaseWithVersion],
        default_order: &[
            (SortKey::Text("tool-name"), Direction::Ascending),
            (SortKey::Text(VERSION), Direction::Ascending),
        ],
        ..ANY_OTHER
    },
    ResourceType {
        name: COG_CATS,
        path: "cogs",
        singular: "Cog Cat",
        identifiers: &[Identifier::Id],
        default_order: &[(SortKey::Text("name"), Direction::Descending)],
        orders: &[("name", SortKey::Text("name"))],
        ..ANY_OTHER
    },
    ResourceType {
        name: RUNS,
        path: "runs",
        singular: "Run",
        default_order: &[(SortKey::Accession, Direction::Descending)],
        orders: &[("accession", SortKey::Accession)],
        relations: &[
            linked("analyses", &[ANALYSIS_JOBS]),
            linked("assemblies", &[ASSEMBLIES]),
            linked("extra-annotations", &["run-extra-annotations", "extra-annotations"]),
        ],
        ..ANY_OTHER
    },
    ResourceType {
        name: ANALYSIS_JOBS,
        path: "analyses",
        singular: "Analysis Job",
        identifiers: &[Identifier::Id, Identifier::Number, Identifier::Attribute(ACCESSION)],
        numbering: Some("MGYA"),
        searched: &["run", "sample", "assembly"],
        default_order: &[
            (SortKey::Version("pipeline-version"), Direction::Descending),
            (SortKey::IdNumber, Direction::Ascending),
        ],
        tie: &[SortKey::IdNumber],
        orders: &[
            ("job_id", SortKey::IdNumber),
            ("accession", SortKey::IdNumber),
            ("pipeline", SortKey::Version("pipeline-version")),
            ("pipeline__release_version", SortKey::Text("pipeline-version")),
            ("run__accession", SortKey::Named("run")),
            ("sample__accession", SortKey::Named("sample")),
            ("experiment_type__experiment_type", SortKey::Text("experiment-type")),
        ],
        relations: &[
            linked("downloads", &["analysis-job-downloads"]),
            linked("taxonomy", &["organisms"]),
            linked("taxonomy/ssu", &["organisms"]),
            linked("taxonomy/lsu", &["organisms"]),
            linked("taxonomy/itsonedb", &["organisms"]),
            linked("taxonomy/unite", &["organisms"]),
            linked("go-terms", &["go-terms"]),
            linked("go-slim", &["go-terms"]),
            linked("interpro-identifiers", &["interpro-identifiers"]),
            linked("antismash-gene-clusters", &["antismash-gene-clusters"]),
            linked("genome-properties", &["genome-properties"]),
        ],
        ..ANY_OTHER
    },
    ResourceType {
        name: PUBLICATIONS,
        path: "publications",
        singular: "Publication",
        identifiers: &[Identifier::Id],
        numbering: Some(""),
        default_order: &[(SortKey::IdNumber, Direction::Descending)],
        tie: &[SortKey::IdNumber],
        orders: &[
            ("pubmed_id", SortKey::IdNumber),
            ("published_year", SortKey::Number("published-year")),
            ("studies_count", SortKey::Number("studies-count")),
        ],
        relations: &[linked("studies", &[STUDIES]), found("samples", &[SAMPLES], Members::OfStudies)],
        ..ANY_OTHER
    },
    ResourceType {
        name: PIPELINES,
        path: "pipelines",
        singular: "Pipeline",
        identifiers: &[Identifier::Id],
        default_order: &[(SortKey::Text("release-version"), Direction::Ascending)],
        orders: &[
            ("release_version", SortKey::Text("release-version")),
            ("samples_count", SortKey::Number("samples-count")),
            ("analyses_count", SortKey::Number("analyses-count")),
        ],
        relations: &[
            found("tools", &[PIPELINE_TOOLS], Members::Naming),
            found("samples", &[SAMPLES], Members::SamplesHaving(ANALYSIS_JOBS, "pipeline_version")),
            found("analyses", &[ANALYSIS_JOBS], Members::Having("pipeline_version")),
        ],
        ..ANY_OTHER
    },
    ResourceType {
        name: EXPERIMENT_TYPES,
        path: "experiment-types",
        singular: "Experiment Type",
        identifiers: &[Identifier::Id],
        orders: &[("experiment_type", SortKey::Text("experiment-type"))],
        relations: &[
            found("samples", &[SAMPLES], Members::SamplesHaving(RUNS, "experiment_type")),
            found("runs", &[RUNS], Members::Having("experiment_type")),
            found("analyses", &[ANALYSIS_JOBS], Members::Having("experiment_type")),
        ],
        ..ANY_OTHER
    },
    ResourceType {
        name: SUPER_STUDIES,
        path: "super-studies",
        singular: "Super Study",
        identifiers: &[Identifier::Id, Identifier::Attribute("url-slug")],
        biome_relation: Some("biomes"),
        default_order: &[(SortKey::Number("super-study-id"), Direction::Ascending)],
        orders: &[("super_study_id", SortKey::Number("super-study-id")), ("title", SortKey::Text("title"))],
        relations: &[
            linked("biomes", &[BIOMES]),
            linked("flagship-studies", &[STUDIES]),
            linked("related-studies", &[STUDIES]),
            linked("related-genome-catalogues", &[GENOME_CATALOGUES]),
        ],
        ..ANY_OTHER
    },
    ResourceType {
        name: GENOMES,
        path: "genomes",
        singular: "Genome",
        identifiers: &[Identifier::Id, Identifier::Attribute(ACCESSION)],
        biome_relation: Some("biome"),
        default_order: &[(SortKey::Accession, Direction::Descending)],
        orders: &[
            ("accession", SortKey::Accession),
            ("length", SortKey::Number("length")),
            ("num_contigs", SortKey::Number("num-contigs")),
            ("completeness", SortKey::Number("completeness")),
            ("contamination", SortKey::Number("contamination")),
            ("num_genomes_total", SortKey::Number("num-genomes-total")),
            ("num_proteins", SortKey::Number("num-proteins")),
            ("last_update", SortKey::Text("last-update")),
            ("type", SortKey::Text("type")),
        ],
        relations: &[
            linked("downloads", &["genome-downloads"]),
            linked("cogs", &["genome-cog-counts"]),
            linked("kegg-class", &["genome-kegg-class-counts"]),
            linked("kegg-module", &["genome-kegg-module-counts"]),
            linked("antismash-genecluster", &["genome-anti-smash-gc-counts"]),
        ],
        ..ANY_OTHER
    },
    ResourceType {
        name: GENOME_CATALOGUES,
        path: "genome-catalogues",
        singular: "Genome Catalogue",
        identifiers: &[Identifier::Id],
        biome_relation: Some("biome"),
        orders: &[
            ("catalogue_id", SortKey::Id),
            ("name", SortKey::Text("name")),
            ("last_update", SortKey::Text("last-update")),
            ("genome_count", SortKey::Number("genome-count")),
            ("unclustered_genome_count", SortKey::Number("unclustered-genome-count")),
            ("catalogue_type", SortKey::Text("catalogue-type")),
            ("catalogue_biome_label", SortKey::Text("catalogue-biome-label")),
        ],
        relations: &[genomes(Members::LinkedOrAll), linked("downloads", &["genome-catalogue-downloads"])],
        ..ANY_OTHER
    },
    ResourceType {
        name: GENOME_SETS,
        path: "genomeset",
        singular: "Genome Set",
        identifiers: &[Identifier::Id],
        default_order: &[(SortKey::Id, Direction::Descending)],
        orders: &[("name", SortKey::Id)],
        relations: &[genomes(Members::LinkedOrAll)],
        ..ANY_OTHER
    },
];

/// The rules of all other types.
pub(super) const ANY_OTHER: ResourceType = ResourceType {
    name: "",
    path: "",
    singular: "",
    identifiers: &[Identifier::Id, Identifier::Attribute(ACCESSION), Identifier::Attribute("secondary-accession")],
    numbering: None,
    searched: &[],
    biome_relation: None,
    default_order: &[(SortKey::Id, Direction::Ascending)],
    tie: &[],
    orders: &[],
    relations: &[],
};

const fn linked(name: &'static str, member_types: &'static [&'static str]) -> Relation {
    found(name, member_types, Members::Linked)
}

/// The genomes of a resource, which ascend by accession where those of the whole collection fall.
const fn genomes(members: Members) -> Relation {
    Relation { order: Some("accession"), ..found("genomes", &[GENOMES], members) }
}

const fn found(name: &'static str, member_types: &'static [&'static str], members: Members) -> Relation {
    Relation { name, member_types, members, order: None }
}
