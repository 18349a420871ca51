//! Facts about a resource that its document lacks.

use serde_json::Value;
use store_catalogue::model::RUNS;

use crate::read::objects::{is_ena, texts};
use crate::read::{Members, Resource};

/// What other documents tell of a resource.
#[derive(Debug, Default)]
pub(super) struct Context {
    /// Of a run or an analysis: its study; of a sample: one of its studies.
    pub(super) study: StudyFacts,
    /// Of a run or an analysis: its sample.
    pub(super) sample: Option<String>,
    /// Of a sample or a publication: the studies that it is of.
    pub(super) studies: Vec<String>,
    /// Of an assembly: its samples and runs.
    pub(super) samples: Vec<String>,
    pub(super) runs: Vec<String>,
    /// Of a run: its assemblies.
    pub(super) assemblies: Vec<String>,
    /// Of a run or an assembly: the versions of pipelines that have analysed it.
    pub(super) versions: Vec<String>,
    /// Of a study, a publication or a biome: its samples.
    pub(super) num_samples: u64,
    /// Of a super-study: its place among them by slug, 1-based.
    pub(super) rank: u64,
}

/// What a study tells of what hangs on it.
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
