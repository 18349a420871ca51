//! Assemblies, runs, their analyses, and the types that belong to these.

use store_catalogue::model::{
    ANALYSIS_JOBS, ASSEMBLIES, COG_CATS, EXPERIMENT_TYPES, PIPELINE_TOOLS, PIPELINES, PUBLICATIONS, RUNS,
};

use super::collection::{Collection, Id, IdForm};
use super::common_filters::{OF_RUNS, OF_SAMPLES, SEARCH, UPDATED_FIRST, UPDATED_LAST};
use super::filter::FilterKind::{AnyIdentifier, Attribute, Choice, Linked, MainIdentifier, Text};
use super::filter::FilterScope::Samples;
use super::filter::{Choices, Filter, filter};

#[expect(clippy::too_many_lines, reason = "it is a table")]
pub(super) fn collections() -> [Collection; 8] {
    [
        Collection {
            description: "Assemblies, by falling accession.",
            id: Id::new("The accession, WGS accession or legacy accession.", "ERZ477906"),
            filters: const {
                &[
                    &[
                        filter(
                            "accession",
                            MainIdentifier,
                            "Accessions (`ERZ…`), separated by commas. An unknown one is refused.",
                        ),
                        filter("run_accession", Linked(RUNS), "Accessions of runs, separated by commas."),
                        SEARCH,
                    ],
                    OF_SAMPLES,
                ]
            },
            includes: &["runs"],
            links_alone: &["extra-annotations"],
            columns: &["experiment-type", "wgs-accession", "legacy-accession"],
            ..Collection::of(ASSEMBLIES)
        },
        Collection {
            description: "Tools of the analysis pipelines, one for each version.",
            id: Id { form: IdForm::WithVersion, ..Id::new("The name of the tool, in any letter case.", "Biopython") },
            ..Collection::of(PIPELINE_TOOLS)
        },
        Collection {
            description: "Functional categories (COG), by falling name.",
            id: Id { form: IdForm::Number, ..Id::new("The id.", "25") },
            ..Collection::of(COG_CATS)
        },
        Collection {
            description: "Runs, by falling accession.",
            id: Id::new("The accession; related collections take no other.", "SRR873599"),
            is_related_by_id_only: true,
            filters: const {
                &[
                    &[
                        filter(
                            "accession",
                            MainIdentifier,
                            "Accessions, separated by commas. An unknown one is refused.",
                        ),
                        Filter { kind: Text(Samples), ..SEARCH },
                    ],
                    OF_RUNS,
                    OF_SAMPLES,
                ]
            },
            includes: &["sample", "assemblies"],
            links_alone: &["analyses", "extra-annotations"],
            columns: &["experiment-type", "instrument-platform", "instrument-model"],
            ..Collection::of(RUNS)
        },
        Collection {
            description: "Analyses of runs and assemblies, those of the newest pipeline first, then by number.",
            id: Id::new("The accession (`MGYA…`) or its number.", "MGYA00135572"),
            filters: const {
                &[
                    &[
                        filter("accession", AnyIdentifier, "Accessions (`MGYA…` or the number), separated by commas."),
                        filter(
                            "pipeline_version",
                            Choice(Choices { listed_in: Some(PIPELINES), ..Choices::of("pipeline_version") }),
                            "Versions of the pipeline, separated by commas. An unknown one is refused.",
                        ),
                        UPDATED_FIRST,
                        UPDATED_LAST,
                        SEARCH,
                    ],
                    OF_RUNS,
                    OF_SAMPLES,
                ]
            },
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
        },
        Collection {
            description: "Publications about studies, by falling PubMed id.",
            id: Id::new("The PubMed id.", "21850055"),
            filters: const {
                &[&[
                    filter("doi", Attribute("doi"), "The DOI, in full."),
                    filter("isbn", Attribute("isbn"), "The ISBN, in full."),
                    filter(
                        "published_year",
                        Choice(Choices::of("published_year")),
                        "Years, separated by commas. One in which nothing was published is refused.",
                    ),
                    SEARCH,
                ]]
            },
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
            description: "Kinds of experiments, by name.",
            id: Id::new("The name.", "amplicon"),
            links_alone: &["samples", "runs", "analyses"],
            ..Collection::of(EXPERIMENT_TYPES)
        },
    ]
}
