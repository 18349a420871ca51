//! The table of types. A type has an entry here, and one among the collections of the API.

use super::SortKey::{Accession, Document, Id, IdNumber, IsBelowRoot, LineagePath, Named, Number, Text, Version};
use super::type_names::{
    ANALYSIS_JOBS, ASSEMBLIES, BIOMES, COG_CATS, EXPERIMENT_TYPES, GENOME_CATALOGUES, GENOME_SETS, GENOMES,
    PIPELINE_TOOLS, PIPELINES, PUBLICATIONS, RUNS, SAMPLES, STUDIES, SUPER_STUDIES,
};
use super::{
    ACCESSION, ANY_OTHER, Identifier, Members, ResourceType, VERSION, attribute, falling, found, genomes, linked,
    rising,
};

/// The order by the last change in version 2.
const UPDATED_AT: (&str, super::SortKey) = ("@updated_at", Document("updated_at"));

/// The types with special rules, in the order of their ordinals: samples precede all types that may
/// name samples.
pub static RESOURCE_TYPES: &[ResourceType] = &[
    ResourceType {
        name: SAMPLES,
        path: "samples",
        singular: "Sample",
        identifiers: &[Identifier::Id, attribute(ACCESSION), attribute("biosample")],
        biome_relation: Some("biome"),
        default_order: &[falling(Text("last-update")), rising(Accession)],
        tie: &[Accession],
        orders: &[("accession", Accession), ("sample_name", Text("sample-name")), ("last_update", Text("last-update"))],
        document_orders: &[
            ("@accession", Document(ACCESSION)),
            ("@sample_title", Document("sample_title")),
            UPDATED_AT,
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
        identifiers: &[Identifier::Id, attribute("lineage")],
        default_order: &[rising(IsBelowRoot)],
        orders: &[
            ("biome_name", Text("biome-name")),
            ("lineage", Text("lineage")),
            ("samples_count", Number("samples-count")),
            ("studies_count", Number("studies-count")),
        ],
        document_orders: &[("@path", LineagePath)],
        document_key: "lineage",
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
            attribute(ACCESSION),
            attribute("secondary-accession"),
            attribute("bioproject"),
        ],
        numbering: Some("MGYS"),
        biome_relation: Some("biomes"),
        default_order: &[falling(Text("last-update")), rising(IdNumber)],
        tie: &[IdNumber],
        orders: &[
            ("study_id", IdNumber),
            ("study_name", Text("study-name")),
            ("last_update", Text("last-update")),
            ("samples_count", Number("samples-count")),
            ("accession", Accession),
        ],
        document_orders: &[UPDATED_AT],
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
        identifiers: &[Identifier::Id, attribute(ACCESSION), attribute("wgs-accession"), attribute("legacy-accession")],
        default_order: &[falling(Accession)],
        orders: &[("accession", Accession)],
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
        default_order: &[rising(Text("tool-name")), rising(Text(VERSION))],
        ..ANY_OTHER
    },
    ResourceType {
        name: COG_CATS,
        path: "cogs",
        singular: "Cog Cat",
        identifiers: &[Identifier::Id],
        default_order: &[falling(Text("name"))],
        orders: &[("name", Text("name"))],
        ..ANY_OTHER
    },
    ResourceType {
        name: RUNS,
        path: "runs",
        singular: "Run",
        default_order: &[falling(Accession)],
        orders: &[("accession", Accession)],
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
        identifiers: &[Identifier::Id, Identifier::Number, attribute(ACCESSION)],
        numbering: Some("MGYA"),
        searched: &["run", "sample", "assembly"],
        default_order: &[falling(Version("pipeline-version")), rising(IdNumber)],
        tie: &[IdNumber],
        orders: &[
            ("job_id", IdNumber),
            ("accession", IdNumber),
            ("pipeline", Version("pipeline-version")),
            ("pipeline__release_version", Text("pipeline-version")),
            ("run__accession", Named("run")),
            ("sample__accession", Named("sample")),
            ("experiment_type__experiment_type", Text("experiment-type")),
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
        default_order: &[falling(IdNumber)],
        tie: &[IdNumber],
        orders: &[
            ("pubmed_id", IdNumber),
            ("published_year", Number("published-year")),
            ("studies_count", Number("studies-count")),
        ],
        document_orders: &[("@published_year", Document("published_year"))],
        document_key: "pubmed_id",
        relations: &[linked("studies", &[STUDIES]), found("samples", &[SAMPLES], Members::OfStudies)],
        ..ANY_OTHER
    },
    ResourceType {
        name: PIPELINES,
        path: "pipelines",
        singular: "Pipeline",
        identifiers: &[Identifier::Id],
        default_order: &[rising(Text("release-version"))],
        orders: &[
            ("release_version", Text("release-version")),
            ("samples_count", Number("samples-count")),
            ("analyses_count", Number("analyses-count")),
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
        orders: &[("experiment_type", Text("experiment-type"))],
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
        identifiers: &[Identifier::Id, attribute("url-slug")],
        biome_relation: Some("biomes"),
        default_order: &[rising(Number("super-study-id"))],
        orders: &[("super_study_id", Number("super-study-id")), ("title", Text("title"))],
        document_orders: &[("@place", Document("@rank"))],
        document_key: "slug",
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
        identifiers: &[Identifier::Id, attribute(ACCESSION)],
        biome_relation: Some("biome"),
        default_order: &[falling(Accession)],
        orders: &[
            ("accession", Accession),
            ("length", Number("length")),
            ("num_contigs", Number("num-contigs")),
            ("completeness", Number("completeness")),
            ("contamination", Number("contamination")),
            ("num_genomes_total", Number("num-genomes-total")),
            ("num_proteins", Number("num-proteins")),
            ("last_update", Text("last-update")),
            ("type", Text("type")),
        ],
        document_orders: &[("@num_genomes_total", Document("num_genomes_total"))],
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
            ("catalogue_id", Id),
            ("name", Text("name")),
            ("last_update", Text("last-update")),
            ("genome_count", Number("genome-count")),
            ("unclustered_genome_count", Number("unclustered-genome-count")),
            ("catalogue_type", Text("catalogue-type")),
            ("catalogue_biome_label", Text("catalogue-biome-label")),
        ],
        document_key: "catalogue_id",
        relations: &[genomes(Members::LinkedOrAll), linked("downloads", &["genome-catalogue-downloads"])],
        ..ANY_OTHER
    },
    ResourceType {
        name: GENOME_SETS,
        path: "genomeset",
        singular: "Genome Set",
        identifiers: &[Identifier::Id],
        default_order: &[falling(Id)],
        orders: &[("name", Id)],
        relations: &[genomes(Members::LinkedOrAll)],
        ..ANY_OTHER
    },
];
