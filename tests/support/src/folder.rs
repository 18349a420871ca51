//! A data folder of a test, and the real router over it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use api::Api;
use api::{ServiceConfig, Services};
use api_catalogue::LocalCatalogue;
use api_proteins::LocalProteins;
use indexer::{Acceptance, Input, Published};
use indexer_catalogue::CataloguePlan;
use indexer_own::OwnAddPlan;
use indexer_release::PortalPlan;
use serde_json::Value;
use store::Generations;
use tempfile::TempDir;

use crate::bundled::{SAMPLE, data};
use crate::families;

/// Indexes of the bundled sample, without and with digests, each built once a process.
static SAMPLES: [LazyLock<Snapshot>; 2] =
    [LazyLock::new(|| Snapshot::of_sample(false)), LazyLock::new(|| Snapshot::of_sample(true))];

/// The files of a data folder, by their paths in it.
struct Snapshot(Vec<(PathBuf, Vec<u8>)>);

impl Snapshot {
    fn of_sample(checksums: bool) -> Self {
        let folder = TestFolder::empty();
        let plan = PortalPlan { checksums, ..folder.plan(vec![Input::Path(data(SAMPLE))]) };
        plan.run().expect("the sample is well formed");
        let mut snapshot = Self(Vec::new());
        snapshot.add(folder.path(), folder.path());
        snapshot
    }

    /// Reads the files below a path.
    fn add(&mut self, root: &Path, path: &Path) {
        for entry in fs::read_dir(path).expect("readable") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                self.add(root, &path);
            } else {
                self.0.push((path.strip_prefix(root).expect("below").to_owned(), fs::read(&path).expect("readable")));
            }
        }
    }

    fn copy(&self) -> TestFolder {
        let folder = TestFolder::empty();
        for (path, content) in &self.0 {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).and_then(|()| fs::write(path, content)).expect("room");
        }
        folder
    }
}

/// A data folder that is removed when it is dropped.
pub struct TestFolder {
    folder: TempDir,
}

/// Returns services without profiles and without searches for similar proteins.
pub fn services(proteins: Arc<LocalProteins>, catalogue: Arc<LocalCatalogue>) -> Services {
    Services { proteins, catalogue, profiles: None, similarity: Arc::default() }
}

impl TestFolder {
    /// Makes an empty folder.
    pub fn empty() -> Self {
        Self { folder: TempDir::new().expect("a temporary folder") }
    }

    /// Makes a folder with an index of rows.
    pub fn of_rows(rows: &str) -> Self {
        let folder = Self::empty();
        folder.publish_rows(rows);
        folder
    }

    /// Makes a folder with an index of rows, and of the digests of their sequences.
    pub fn with_checksums(rows: &str) -> Self {
        let folder = Self::empty();
        let plan = PortalPlan { checksums: true, ..folder.plan_of_rows(rows) };
        plan.run().expect("well formed");
        folder
    }

    /// Makes a folder with an index of rows, and of the contigs that they name.
    pub fn with_contigs(rows: &str) -> Self {
        let folder = Self::empty();
        let plan = PortalPlan { contigs: true, ..folder.plan_of_rows(rows) };
        plan.run().expect("well formed");
        folder
    }

    /// Makes a folder with an index of the bundled sample.
    pub fn of_sample() -> Self {
        Self::of_sample_with(false)
    }

    /// Makes a folder with an index of the bundled sample, with or without the digests of its
    /// sequences.
    pub fn of_sample_with(checksums: bool) -> Self {
        SAMPLES[usize::from(checksums)].copy()
    }

    /// Makes a folder with a source `mine` of proteins `p0`, `p1` and so on, whose descriptions are
    /// [`TEXTS`](crate::TEXTS).
    pub fn of_quoted_texts() -> Self {
        let folder = Self::of_rows("12,MKVL,true,1,\n");
        let fasta = (0..crate::TEXTS.len()).map(|number| format!(">p{number}\nMKVL{}", "A".repeat(number)));
        let fasta = fasta.collect::<Vec<_>>().join("\n");
        // As a program with quotes writes them.
        let row = |(number, text): (usize, &&str)| format!("p{number}\t\"{}\"", text.replace('"', "\"\""));
        let rows = crate::TEXTS.iter().enumerate().map(row).collect::<Vec<_>>().join("\n");
        folder.add_source("mine", &fasta, &format!("name\tdescription\n{rows}"));
        folder
    }

    /// Publishes another index, of rows.
    pub fn publish_rows(&self, rows: &str) -> Published {
        self.plan_of_rows(rows).run().expect("well-formed rows")
    }

    /// Returns a plan over rows, and over the families that they name.
    fn plan_of_rows(&self, rows: &str) -> PortalPlan {
        let pfam = self.input("families.tsv", families::named_in(rows));
        PortalPlan { pfam, ..self.plan(vec![self.input("rows.csv", rows)]) }
    }

    /// Adds a source of own data from sequences and a table of annotations.
    pub fn add_source(&self, name: &str, proteins: &str, annotations: &str) {
        let plan = OwnAddPlan {
            generations: self.generations().root().to_owned(),
            name: name.to_owned(),
            proteins: vec![self.input(&format!("{name}.faa"), proteins)],
            annotations: vec![self.input(&format!("{name}.tsv"), annotations)],
            allow_new_biomes: true,
            memory_bytes: 64 << 20,
            ..OwnAddPlan::default()
        };
        plan.run().expect("well-formed proteins");
    }

    /// Returns a plan over the bundled tables that allows no bad row.
    pub fn plan(&self, portal: Vec<Input>) -> PortalPlan {
        PortalPlan {
            generations: self.generations().root().to_owned(),
            portal,
            biomes: Input::Path(data("proteins/biomes_id_lineage.tsv")),
            pfam: Input::Path(data("proteins/Pfam-A.clans.tsv.gz")),
            pfam_version: None,
            superseded: None,
            contigs: false,
            checksums: false,
            memory_bytes: 64 << 20,
            num_threads: 2,
            max_rejects: 0,
            without_own: false,
            acceptance: Acceptance::default(),
        }
    }

    /// Writes an input file.
    pub fn input(&self, name: &str, content: impl AsRef<[u8]>) -> Input {
        let path = self.path().join(name);
        fs::File::create(&path).and_then(|mut file| file.write_all(content.as_ref())).expect("writable");
        Input::Path(path)
    }

    /// Publishes a catalogue.
    pub fn publish_catalogue(&self, inputs: Vec<Input>) {
        self.publish_harvest(inputs, None);
    }

    /// Publishes a catalogue of resources.
    pub fn publish_resources(&self, resources: impl IntoIterator<Item = Value>) {
        let lines: Vec<String> = resources.into_iter().map(|resource| resource.to_string()).collect();
        self.publish_catalogue(vec![self.input("resources.jsonl", lines.join("\n"))]);
    }

    /// Publishes a catalogue of the bundled documents of version 2, and of rows.
    pub fn publish_documents(&self, inputs: Vec<Input>) {
        self.publish_harvest(inputs, Some(data("catalogue-v2/documents")));
    }

    /// Publishes a catalogue of rows and of the documents in a folder.
    pub fn publish_harvest(&self, inputs: Vec<Input>, harvest: Option<PathBuf>) {
        let plan = CataloguePlan {
            generations: self.path().join("catalogue"),
            inputs,
            harvest,
            memory_bytes: 64 << 20,
            num_threads: 2,
            max_rejects: Some(0),
            ..CataloguePlan::default()
        };
        plan.run().expect("well-formed resources");
    }

    /// Returns the data folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the folder of the protein generations.
    pub fn generations(&self) -> Generations {
        Generations::new(self.path().join("proteins"))
    }

    /// Opens the proteins as a server does.
    pub fn proteins(&self) -> Arc<LocalProteins> {
        Arc::new(LocalProteins::open(self.generations()).expect("a whole generation or none"))
    }

    /// Opens the catalogue as a server does.
    pub fn catalogue(&self) -> Arc<LocalCatalogue> {
        let generations = Generations::new(self.path().join("catalogue"));
        Arc::new(LocalCatalogue::open(generations).expect("a whole generation or none"))
    }

    /// Returns the services over this folder.
    pub fn services(&self) -> Services {
        services(self.proteins(), self.catalogue())
    }

    /// Returns the router of a server over this folder.
    pub fn router(&self) -> Api {
        self.router_with(&ServiceConfig::default())
    }

    /// Returns the router of a server over this folder with other settings.
    pub fn router_with(&self, config: &ServiceConfig) -> Api {
        Api::new(&self.services(), config)
    }
}
