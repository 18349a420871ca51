//! Documents of a server that is harvested: the bundled ones, some of them, and changes of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use api::Api;
use serde_json::Value;
use support::{TestFolder, data_text};

/// The kinds of documents.
const KINDS: &str = "biomes studies samples runs assemblies analyses publications genome-catalogues genomes super-studies study-features \
    analysis-annotations genome-annotations publication-annotations assembly-genome-links assembly-additional-contained-genomes assembly-runs";

/// Studies of all sorts: without children, without runs, with assemblies, with publications, and
/// with samples that others have, too.
#[rustfmt::skip]
pub(super) const SMALL: [&str; 14] = [
    "MGYS00000257", "MGYS00000274", "MGYS00000275", "MGYS00000551", "MGYS00000552", "MGYS00000558", "MGYS00000560",
    "MGYS00000561", "MGYS00001271", "MGYS00001379", "MGYS00002008", "MGYS00002011", "MGYS00002062", "MGYS00002217",
];

/// Studies with more children than a page has.
pub(super) const LARGE: [&str; 4] = ["MGYS00000562", "MGYS00000692", "MGYS00001323", "MGYS00002072"];

/// A router, and the folder that it is over.
#[derive(Clone)]
pub(super) struct Source {
    pub(super) router: Api,
    _folder: Arc<TestFolder>,
}

/// The documents of a server by their kinds.
#[derive(Clone)]
pub(super) struct Documents(BTreeMap<&'static str, Vec<Value>>);

impl Documents {
    pub(super) fn bundled() -> Self {
        static BUNDLED: OnceLock<Documents> = OnceLock::new();
        let read = |kind: &'static str| {
            let text = data_text(&format!("catalogue-v2/documents/{kind}.jsonl.gz"));
            (kind, text.lines().map(|line| serde_json::from_str(line).expect("a document")).collect())
        };
        BUNDLED.get_or_init(|| Self(KINDS.split_whitespace().map(read).collect())).clone()
    }

    /// Returns the documents of some studies. Other studies are not named in them.
    pub(super) fn of_studies<'a>(studies: impl IntoIterator<Item = &'a &'a str>) -> Self {
        let mut documents = Self::bundled();
        let studies: BTreeSet<&str> = studies.into_iter().copied().collect();
        documents.retain_studies(|study| studies.contains(study));
        documents
    }

    /// Removes studies, and with them all that has no study any more.
    pub(super) fn retain_studies(&mut self, is_kept: impl Fn(&str) -> bool) {
        let is_kept = |study: &Value| study.as_str().is_none_or(&is_kept);
        let keep = |document: &Value, members: &[&str]| members.iter().all(|member| is_kept(&document[*member]));
        self.of("studies").retain(|study| is_kept(&study["accession"]));
        self.of("runs").retain(|run| keep(run, &["study_accession"]));
        self.of("assemblies").retain(|one| keep(one, &["reads_study_accession", "assembly_study_accession"]));
        self.of("analyses").retain(|analysis| keep(analysis, &["study_accession"]));
        for (kind, member) in [
            ("samples", "studies"),
            ("publications", "studies"),
            ("super-studies", "flagship_studies"),
            ("super-studies", "related_studies"),
        ] {
            self.of(kind).retain_mut(|document| {
                let studies = document[member].as_array_mut().expect("a list");
                studies.retain(|study| is_kept(&study["accession"]));
                kind == "super-studies" || !studies.is_empty()
            });
        }
        let assemblies = self.keys("assemblies");
        for (kind, member, of) in [
            ("study-features", "accession", self.keys("studies")),
            ("analysis-annotations", "accession", self.keys("analyses")),
            ("publication-annotations", "pubmed_id", self.keys("publications")),
            ("assembly-genome-links", "assembly", assemblies.clone()),
            ("assembly-additional-contained-genomes", "assembly", assemblies.clone()),
            ("assembly-runs", "assembly", assemblies),
        ] {
            self.of(kind).retain(|document| of.contains(&text(&document[member])));
        }
    }

    /// Adds documents of one kind.
    pub(super) fn add(&mut self, kind: &'static str, documents: impl IntoIterator<Item = Value>) {
        self.of(kind).extend(documents);
    }

    /// Returns the documents of a kind, to change them.
    pub(super) fn of(&mut self, kind: &'static str) -> &mut Vec<Value> {
        self.0.get_mut(kind).expect(kind)
    }

    pub(super) fn all(&self, kind: &str) -> &[Value] {
        &self.0[kind]
    }

    /// Returns a document, to change it.
    pub(super) fn find(&mut self, kind: &'static str, key: &str) -> &mut Value {
        self.of(kind).iter_mut().find(|document| key_of(document) == key).expect(key)
    }

    pub(super) fn keys(&self, kind: &str) -> BTreeSet<String> {
        self.all(kind).iter().map(key_of).collect()
    }

    /// Returns all documents in which one text stands in place of another, of the kinds that belong
    /// to studies.
    pub(super) fn renamed(&self, names: &[(&str, &str)]) -> Self {
        let rename = |document: &Value| {
            let text = names.iter().fold(document.to_string(), |text, (from, to)| text.replace(from, to));
            serde_json::from_str(&text).expect("JSON")
        };
        Self(self.0.iter().map(|(kind, documents)| (*kind, documents.iter().map(rename).collect())).collect())
    }

    /// Publishes a catalogue of them.
    pub(super) fn publish(&self) -> Source {
        let folder = TestFolder::empty();
        let harvest = folder.path().join("documents");
        std::fs::create_dir(&harvest).expect("a new folder");
        for (kind, documents) in &self.0 {
            let lines: Vec<String> = documents.iter().map(Value::to_string).collect();
            std::fs::write(harvest.join(format!("{kind}.jsonl")), lines.join("\n")).expect("writable");
        }
        folder.publish_harvest(Vec::new(), Some(harvest));
        Source::over(folder)
    }
}

impl Source {
    pub(super) fn over(folder: TestFolder) -> Self {
        Self { router: folder.router(), _folder: Arc::new(folder) }
    }
}

/// Returns the key of a document.
pub(super) fn key_of(document: &Value) -> String {
    let members = ["accession", "pubmed_id", "slug", "catalogue_id", "lineage", "assembly", "study"];
    let key = members.iter().map(|member| &document[*member]).find(|key| !key.is_null());
    text(key.unwrap_or(&document["genome"]["accession"]))
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
