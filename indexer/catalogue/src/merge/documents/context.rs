//! Facts about a resource that its document lacks.

use serde_json::Value;
use store_catalogue::model::RUNS;

use crate::read::objects::{is_ena, texts};
use crate::read::{Members, Resource};

/// Facts about a resource from other documents.
#[derive(Debug, Default)]
pub(super) struct Context {
    /// The study of a run or an analysis, or one of the studies of a sample.
    pub(super) study: StudyFacts,
    /// The sample of a run or an analysis.
    pub(super) sample: Option<String>,
    /// The studies that contain a sample or a publication.
    pub(super) studies: Vec<String>,
    /// The samples and runs of an assembly.
    pub(super) samples: Vec<String>,
    pub(super) runs: Vec<String>,
    /// The assemblies of a run.
    pub(super) assemblies: Vec<String>,
    /// The versions of the pipelines that have analysed a run or an assembly.
    pub(super) versions: Vec<String>,
    /// The number of samples of a study, a publication or a biome.
    pub(super) num_samples: u64,
    /// The 1-based rank of a super-study by slug.
    pub(super) rank: u64,
}

/// Facts from a study about its samples, runs and analyses.
#[derive(Clone, Debug, Default)]
pub(super) struct StudyFacts {
    pub(super) updated_at: Option<String>,
    pub(super) ena_accession: Option<String>,
    pub(super) lineage: Option<String>,
}

impl StudyFacts {
    pub(super) fn of(study: &Members) -> Self {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
        Self {
            updated_at: text(study.get("updated_at")),
            ena_accession: texts(study.get("ena_accessions")).into_iter().find(|it| is_ena(it, "RP", 1)),
            lineage: text(study.get("biome").and_then(|biome| biome.get("lineage"))),
        }
    }
}

impl Context {
    /// Returns the context that a resource of the present generation was made with.
    pub(super) fn of(resource: &Resource) -> Self {
        let all = |relation: &str| -> Vec<String> {
            let named = resource.references().filter(|reference| reference.relation == relation);
            named.map(|reference| reference.id.to_owned()).collect()
        };
        let one = |relation: &str| all(relation).pop();
        let linked = resource.origin.linked.iter().filter(|(relation, ..)| relation == "studies");
        let number = |name: &str| resource.attribute(name).and_then(Value::as_u64).unwrap_or_default();
        let text = |name: &str| resource.text(name).map(str::to_owned);
        Self {
            study: StudyFacts {
                updated_at: text("last-update"),
                ena_accession: text("ena-study-accession").filter(|_| resource.kind == RUNS),
                lineage: one("biome"),
            },
            sample: one("sample"),
            studies: all("studies").into_iter().chain(linked.map(|(.., id)| id.clone())).collect(),
            samples: all("samples"),
            runs: all("runs"),
            assemblies: all("assemblies"),
            versions: all("pipelines"),
            num_samples: number("samples-count"),
            rank: number("super-study-id"),
        }
    }
}
