//! Pipelines that are not in the input: one is derived for each version that other resources name.

use std::collections::{BTreeMap, BTreeSet};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use store_catalogue::model::{ANALYSIS_JOBS, PIPELINE_TOOLS, PIPELINES};

use crate::read::Resource;

/// The attribute of an analysis with the version of its pipeline.
const PIPELINE_VERSION: &str = "pipeline-version";

/// The most pipelines that are derived; the real service has six. Links to further versions have no
/// target.
const VERSIONS_MAX: usize = 1000;

/// All characters but those that are safe in a path segment.
const SEGMENT_ESCAPES: AsciiSet = NON_ALPHANUMERIC.remove(b'.').remove(b'-').remove(b'_').remove(b'~');

/// The versions that a resource names.
#[derive(Default)]
pub(crate) struct NamedVersions {
    versions: Vec<String>,
    /// The id of the resource, if it is a tool.
    tool: Option<String>,
}

impl NamedVersions {
    pub(crate) fn from_resource(resource: &Resource) -> Self {
        let named = resource.references().filter(|reference| reference.resource_type == PIPELINES);
        let own = if resource.kind == ANALYSIS_JOBS { resource.text(PIPELINE_VERSION) } else { None };
        let own = own.filter(|version| !version.is_empty() && !version.chars().any(char::is_control));
        Self {
            versions: named.map(|reference| reference.id).chain(own).map(str::to_owned).collect(),
            tool: (resource.kind == PIPELINE_TOOLS).then(|| resource.id.clone()),
        }
    }

    pub(crate) const fn has_any(&self) -> bool {
        !self.versions.is_empty()
    }
}

/// All versions, with the ids of the tools that name them.
#[derive(Default)]
pub(crate) struct Versions(BTreeMap<String, BTreeSet<String>>);

impl Versions {
    pub(crate) fn add(&mut self, NamedVersions { versions, tool }: NamedVersions) {
        for version in versions {
            if self.0.len() < VERSIONS_MAX || self.0.contains_key(&version) {
                self.0.entry(version).or_default().extend(tool.clone());
            }
        }
    }

    /// Returns the pipelines.
    pub(crate) fn into_pipelines(self) -> impl Iterator<Item = Resource> {
        self.0.into_iter().map(|(version, tools)| pipeline(&version, &tools))
    }
}

fn pipeline(version: &str, tools: &BTreeSet<String>) -> Resource {
    let own = format!("{{base_url}}/metagenomics/api/v1/pipelines/{}", utf8_percent_encode(version, &SEGMENT_ESCAPES));
    let related = |relation: &str| json!({"related": format!("{own}/{relation}")});
    let tools: Vec<Value> = tools.iter().map(|id| json!({"type": PIPELINE_TOOLS, "id": id})).collect();
    let pipeline = json!({
        "type": PIPELINES,
        "id": version,
        "attributes": {
            "analyses-count": null,
            "samples-count": null,
            "description": null,
            "changes": null,
            "release-version": version,
            "release-date": null,
        },
        "relationships": {
            "samples": {"links": related("samples")},
            "tools": {"links": related("tools"), "data": tools},
            "analyses": {"links": related("analyses")},
        },
        "links": {"self": own},
    });
    Resource::parse(&pipeline.to_string()).expect("a pipeline is a resource")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> NamedVersions {
        NamedVersions::from_resource(&Resource::parse(text).expect(text))
    }

    #[test]
    fn relationships_and_analyses_name_versions() {
        for (text, expected) in [
            (
                r#"{"type": "runs", "id": "R", "relationships": {"pipelines": {"data": [{"type": "pipelines", "id": "4.1"}, {"type": "pipelines", "id": "5.0"}]}, "study": {"data": {"type": "studies", "id": "S"}}}}"#,
                &["4.1", "5.0"][..],
            ),
            (r#"{"type": "analysis-jobs", "id": "A", "attributes": {"pipeline-version": "5.0"}}"#, &["5.0"]),
            (r#"{"type": "analysis-jobs", "id": "A", "attributes": {"pipeline-version": ""}}"#, &[]),
            (r#"{"type": "analysis-jobs", "id": "A", "attributes": {"pipeline-version": "5\n"}}"#, &[]),
            (r#"{"type": "studies", "id": "S", "attributes": {"pipeline-version": "5.0"}}"#, &[]),
        ] {
            assert_eq!(named(text).versions, expected, "{text}");
        }
    }

    #[test]
    fn number_of_pipelines_is_bounded() {
        let mut versions = Versions::default();
        for number in (0..=VERSIONS_MAX).chain([0]) {
            versions.add(NamedVersions { versions: vec![number.to_string()], tool: Some("a".to_owned()) });
        }
        assert_eq!(versions.into_pipelines().count(), VERSIONS_MAX);
    }
}
