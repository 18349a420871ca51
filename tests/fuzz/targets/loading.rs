//! Files that are loaded: releases, one's own proteins, catalogues, directories.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use indexer::{Acceptance, Error, Input, Result};
use indexer_catalogue::CataloguePlan;
use indexer_directory::DirectoryPlan;
use indexer_own::OwnAddPlan;
use indexer_release::{PortalPlan, ReleasePlan};
use store::{FastaReader, GenerationName, Generations};
use store_catalogue::CatalogueGeneration;
use store_profiles::DirectoryGeneration;
use store_proteins::ProteinGeneration;
use support::states::{BIOMES, CLANS};
use tempfile::TempDir;

use super::parts;

/// Small, so that sorting uses files.
const MEMORY_BYTES: usize = 64 << 10;

const ACCEPTANCE: Acceptance = Acceptance { allow_shrink: true, strict: false };

/// Part of an input as a file.
struct Files<'a> {
    folder: &'a Path,
    num: usize,
}

thread_local! {
    /// Each load replaces what the previous one has published, as users do.
    static FOLDER: TempDir = TempDir::new().expect("a temporary folder");
}

impl Files<'_> {
    fn write(&mut self, name: &str, content: &[u8]) -> Input {
        self.num += 1;
        let path = self.folder.join(format!("{}-{name}", self.num));
        fs::write(&path, content).expect("room");
        Input::Path(path)
    }
}

/// Loads from files in a new folder. What is published must pass the full check; what is refused
/// must be so because of the input, and leaves what was published before.
fn load<T>(
    service: &str,
    verify: impl FnOnce(&Generations, GenerationName) -> store::Result<T>,
    run: impl FnOnce(PathBuf, Files<'_>) -> Result<GenerationName>,
) {
    let inputs = TempDir::new().expect("a temporary folder");
    FOLDER.with(|folder| {
        let generations = Generations::new(folder.path().join(service));
        let before = generations.current().expect("readable");
        match run(generations.root().to_owned(), Files { folder: inputs.path(), num: 0 }) {
            Ok(name) => {
                verify(&generations, name).unwrap_or_else(|error| panic!("published, but {error}"));
            }
            Err(error) => {
                assert!(is_of_input(&error), "{error:?}");
                assert_eq!(generations.current().expect("readable"), before);
            }
        }
    });
}

/// Returns whether a load failed because of what it read.
fn is_of_input(error: &Error) -> bool {
    match error {
        Error::Store(error) => !error.is_damage() && !matches!(error, store::Error::Io { .. }),
        Error::Unbalanced { .. }
        | Error::CorruptSpill
        | Error::Internal(_)
        | Error::Thread { .. }
        | Error::Io { .. } => false,
        _ => true,
    }
}

pub(super) fn own(input: &[u8]) {
    load("own", ProteinGeneration::verify_published, |generations, mut files| {
        let mut plan = OwnAddPlan {
            generations,
            name: "mine".to_owned(),
            allow_new_biomes: true,
            replace: true,
            memory_bytes: MEMORY_BYTES,
            max_rejects: u64::MAX,
            acceptance: ACCEPTANCE,
            ..OwnAddPlan::default()
        };
        for (name, content) in parts(input) {
            let kind = match name {
                "proteins" => &mut plan.proteins,
                "annotations" => &mut plan.annotations,
                "pfam" => &mut plan.pfam,
                _ => &mut plan.gff,
            };
            kind.push(files.write("own", content));
        }
        Ok(plan.run()?.generation)
    });
}

pub(super) fn rows(input: &[u8]) {
    load("rows", ProteinGeneration::verify_published, |generations, mut files| {
        let mut plan = PortalPlan {
            generations,
            portal: Vec::new(),
            biomes: files.write("biomes", BIOMES.as_bytes()),
            pfam: files.write("pfam", CLANS.as_bytes()),
            pfam_version: None,
            superseded: None,
            contigs: true,
            checksums: true,
            memory_bytes: MEMORY_BYTES,
            num_threads: 1,
            max_rejects: u64::MAX,
            without_own: false,
            acceptance: ACCEPTANCE,
        };
        for (name, content) in parts(input) {
            match name {
                "biomes" => plan.biomes = files.write(name, content),
                "pfam" => plan.pfam = files.write(name, content),
                "superseded" => plan.superseded = Some(files.write(name, content)),
                _ => plan.portal.push(files.write("rows", content)),
            }
        }
        Ok(plan.run()?.generation)
    });
}

/// The parts are named as the files of a release.
pub(super) fn release(input: &[u8]) {
    load("release", ProteinGeneration::verify_published, |generations, mut files| {
        let (biomes, pfam) = (files.write("biomes", BIOMES.as_bytes()), files.write("pfam", CLANS.as_bytes()));
        let plan = ReleasePlan {
            generations,
            release: written(files.folder, input),
            biomes,
            pfam,
            pfam_version: None,
            superseded: None,
            previous: None,
            all_proteins: true,
            members: true,
            contigs: true,
            contig_names: true,
            checksums: false,
            memory_bytes: 4 << 20,
            num_threads: 1,
            max_rejects: u64::MAX,
            fresh: true,
            without_own: false,
            acceptance: ACCEPTANCE,
        };
        Ok(plan.run()?.generation)
    });
}

/// Writes a folder of the parts of an input. Names that lead out of the folder are left out.
fn written(folder: &Path, input: &[u8]) -> PathBuf {
    let folder = folder.join("folder");
    fs::create_dir(&folder).expect("new");
    let is_plain = |name: &str| {
        (1..100).contains(&name.len())
            && !name.starts_with('.')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
    };
    for (name, content) in parts(input).into_iter().filter(|(name, _)| is_plain(name)) {
        fs::write(folder.join(name), content).expect("room");
    }
    folder
}

fn load_catalogue(fill: impl FnOnce(&mut CataloguePlan, Files<'_>)) {
    load("catalogue", CatalogueGeneration::verify_published, |generations, files| {
        let mut plan = CataloguePlan {
            generations,
            memory_bytes: 4 << 20,
            num_threads: 1,
            acceptance: ACCEPTANCE,
            ..CataloguePlan::default()
        };
        fill(&mut plan, files);
        Ok(plan.run()?.generation)
    });
}

pub(super) fn catalogue(input: &[u8]) {
    load_catalogue(|plan, mut files| {
        for (name, content) in parts(input) {
            let kind = match name {
                "tables" => &mut plan.tables,
                "links" => &mut plan.links,
                _ => &mut plan.inputs,
            };
            kind.push(files.write("resources", content));
        }
    });
}

/// The parts are named as the files of a harvest.
pub(super) fn documents(input: &[u8]) {
    load_catalogue(|plan, files| plan.harvest = Some(written(files.folder, input)));
}

pub(super) fn directory(input: &[u8]) {
    load("directory", DirectoryGeneration::verify_published, |generations, mut files| {
        let input = files.write("directory", input);
        let plan = DirectoryPlan {
            generations,
            input,
            memory_bytes: MEMORY_BYTES,
            max_rejects: u64::MAX,
            acceptance: ACCEPTANCE,
        };
        Ok(plan.run()?.generation)
    });
}

pub(super) fn fasta(input: &[u8]) {
    let whole = sequences(input);
    let in_pieces = sequences(BufReader::with_capacity(3, input));
    assert_eq!(whole, in_pieces);
    for (_, sequence) in &whole {
        assert!(sequence.as_ref().is_none_or(|sequence| !sequence.is_empty()), "{whole:?}");
    }
}

/// Returns the names and sequences that `lookup` reads, without those that are faulty.
fn sequences(input: impl BufRead) -> Vec<(String, Option<String>)> {
    let mut reader = FastaReader::new(input);
    std::iter::from_fn(|| reader.next_sequence().expect("in memory"))
        .map(|read| (read.name, read.sequence.ok()))
        .collect()
}
