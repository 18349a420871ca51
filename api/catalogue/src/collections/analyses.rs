//! Assemblies, runs, their analyses, and the types that belong to these.

use store_catalogue::model::{
    ANALYSIS_JOBS, ASSEMBLIES, COG_CATS, EXPERIMENT_TYPES, PIPELINE_TOOLS, PIPELINES, PUBLICATIONS, RUNS,
};

use super::collection::{Collection, Id, IdForm};
use super::common_filters::{OF_RUNS, OF_SAMPLES, SEARCH, UPDATED_FIRST, UPDATED_LAST};
use super::filter::FilterKind::{AnyIdentifier, Attribute, Choice, Linked, MainIdentifier, Text};
use super::filter::FilterScope::Samples;
use super::filter::{Choices, Filter, filter};

const ASSEMBLY_FILTERS: &[Filter] = &[
    filter("accession", MainIdentifier, "Accessions (`ERZ…`), separated by commas. Unknown ones are rejected."),
    filter("run_accession", Linked(RUNS), "Accessions of runs, separated by commas."),
    SEARCH,
];

const RUN_FILTERS: &[Filter] = &[
    filter("accession", MainIdentifier, "Accessions, separated by commas. Unknown ones are rejected."),
    Filter { kind: Text(Samples), ..SEARCH },
];

const ANALYSIS_FILTERS: &[Filter] = &[
    filter("accession", AnyIdentifier, "Accessions (`MGYA…` or the number), separated by commas."),
    filter(
        "pipeline_version",
        Choice(Choices { listed_in: Some(PIPELINES), ..Choices::of("pipeline_version") }),
        "Versions of the pipeline, separated by commas. Unknown ones are rejected.",
    ),
    UPDATED_FIRST,
    UPDATED_LAST,
    SEARCH,
];

const PUBLICATION_FILTERS: &[Filter] = &[
    filter("doi", Attribute("doi"), "The full DOI."),
    filter("isbn", Attribute("isbn"), "The full ISSN of the journal."),
    filter(
        "published_year",
        Choice(Choices::of("published_year")),
        "Years, separated by commas. A year without publications is rejected.",
    ),
    SEARCH,
];

pub(super) fn collections() -> [Collection; 8] {
    [
        Collection {
            description: "Assemblies, in descending order of accession.",
            id: Id::new("The accession, WGS accession or legacy accession.", "ERZ477906"),
            filters: &[ASSEMBLY_FILTERS, OF_SAMPLES],
            includes: &["runs"],
            links_alone: &["extra-annotations"],
            columns: &["experiment-type", "wgs-accession", "legacy-accession"],
            ..Collection::of(ASSEMBLIES)
        },
        Collection {
            description: "Tools of the analysis pipelines, with a separate entry for each version.",
            id: Id { form: IdForm::WithVersion, ..Id::new("The name of the tool, in any letter case.", "Biopython") },
            ..Collection::of(PIPELINE_TOOLS)
        },
        Collection {
            description: "Functional categories (COG), in descending order of name.",
            id: Id { form: IdForm::Number, ..Id::new("The id.", "25") },
            ..Collection::of(COG_CATS)
        },
        Collection {
            description: "Runs, in descending order of accession.",
            id: Id::new("The accession. Related collections accept no other identifier.", "SRR873599"),
            is_related_by_id_only: true,
            filters: &[RUN_FILTERS, OF_RUNS, OF_SAMPLES],
            includes: &["sample", "assemblies"],
            links_alone: &["analyses", "extra-annotations"],
            columns: &["experiment-type", "instrument-platform", "instrument-model"],
            ..Collection::of(RUNS)
        },
        analyses(),
        Collection {
            description: "Publications about studies, in descending order of PubMed id.",
            id: Id::new("The PubMed id.", "21850055"),
            filters: &[PUBLICATION_FILTERS],
            links_alone: &["studies", "samples"],
            columns: &["pub-title", "iso-journal", "published-year", "studies-count"],
            ..Collection::of(PUBLICATIONS)
        },
        Collection {
            description: "Versions of the analysis pipeline, with their tools.",
            id: Id::new("The version.", "4.1"),
            includes: &["tools"],
            always_included: &["tools"],
            links_alone: &["samples", "analyses"],
            ..Collection::of(PIPELINES)
        },
        Collection {
            description: "Types of experiments, sorted by name.",
            id: Id::new("The name.", "amplicon"),
            links_alone: &["samples", "runs", "analyses"],
            ..Collection::of(EXPERIMENT_TYPES)
        },
    ]
}

fn analyses() -> Collection {
    Collection {
        description: "Analyses of runs and assemblies, the newest pipeline version first, then by number.",
        id: Id::new("The accession (`MGYA…`) or its number.", "MGYA00135572"),
        filters: &[ANALYSIS_FILTERS, OF_RUNS, OF_SAMPLES],
        includes: &["sample", "downloads", "assembly"],
        links_alone: &[
            "taxonomy",
            "taxonomy-ssu",
            "taxonomy-lsu",
            "taxonomy-itsonedb",
            "taxonomy-itsunite",
            "go-terms",
            "go-slim",
            "interpro-identifiers",
            "antismash-gene-clusters",
            "genome-properties",
        ],
        columns: &["experiment-type", "pipeline-version", "analysis-status", "complete-time"],
        ..Collection::of(ANALYSIS_JOBS)
    }
}
