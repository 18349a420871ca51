//! The bundled resources, multiplied.

use std::fs::{self, File};
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::Value;

/// The collections that are used unchanged.
const UNCHANGED: [&str; 7] =
    ["biomes", "studies", "pipeline-tools", "cogs", "publications", "pipelines", "experiment-types"];

/// The number of the first new accession, larger than all bundled ones.
const FIRST_ACCESSION: u64 = 90_000_000;

/// The number of accessions in a request.
const NUM_ASKED: usize = 200;

/// JSON lines on disk, which stay for the next time.
pub(crate) struct Corpus {
    pub(crate) path: PathBuf,
    /// The number of samples.
    pub(crate) num_samples: u64,
}

impl Corpus {
    /// Makes the files, unless they are there.
    pub(crate) fn provide(num_samples: u64, num_assemblies: u64) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("catalogue-corpus-{num_samples}"));
        if !path.try_exists().expect("readable") {
            let unfinished = path.with_extension("unfinished");
            // Removes the remains of a run that was stopped.
            let _ = fs::remove_dir_all(&unfinished);
            fs::create_dir_all(&unfinished).expect("writable");
            write(&unfinished, num_samples, num_assemblies);
            fs::rename(&unfinished, &path).expect("writable");
        }
        Self { path, num_samples }
    }

    /// Returns the number of its bytes.
    pub(crate) fn num_bytes(&self) -> u64 {
        let entries = fs::read_dir(&self.path).expect("a folder").map(|entry| entry.expect("readable"));
        entries.map(|entry| entry.metadata().expect("a file").len()).sum()
    }

    /// Returns accessions of samples.
    pub(crate) fn some_accessions(&self) -> Vec<String> {
        let mut random = StdRng::seed_from_u64(1);
        (0..NUM_ASKED).map(|_| accession("ERS", random.random_range(0..self.num_samples))).collect()
    }
}

/// Returns the new accession of a number.
fn accession(prefix: &str, number: u64) -> String {
    format!("{prefix}{}", FIRST_ACCESSION + number)
}

/// Returns the lines of a bundled file.
fn lines(collection: &str) -> Vec<String> {
    let name = format!("data/catalogue/collections/{collection}.jsonl.gz");
    let file = File::open(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("bundled");
    let mut text = String::new();
    MultiGzDecoder::new(file).read_to_string(&mut text).expect("bundled");
    text.lines().map(str::to_owned).collect()
}

fn write(folder: &Path, num_samples: u64, num_assemblies: u64) {
    for collection in UNCHANGED {
        fs::write(folder.join(format!("{collection}.jsonl")), lines(collection).join("\n")).expect("room on the disk");
    }
    let mut random = StdRng::seed_from_u64(0);
    multiply(folder, "samples", num_samples, |line, number| {
        let sample: Value = serde_json::from_str(line).expect("a resource");
        let line = line.replace(text(&sample["id"]), &accession("ERS", number));
        let biosample = text(&sample["attributes"]["biosample"]);
        if biosample.is_empty() { line } else { line.replace(biosample, &accession("SAMEA", number)) }
    });
    multiply(folder, "runs", num_samples, |line, number| {
        let run: Value = serde_json::from_str(line).expect("a resource");
        let line = line.replace(text(&run["id"]), &accession("ERR", number));
        replace_named(&line, &run, "sample", &accession("ERS", number))
    });
    multiply(folder, "analyses", num_samples, |line, number| {
        let analysis: Value = serde_json::from_str(line).expect("a resource");
        let line = line.replace(text(&analysis["id"]), &accession("MGYA", number));
        let line = replace_named(&line, &analysis, "run", &accession("ERR", number));
        replace_named(&line, &analysis, "sample", &accession("ERS", number))
    });
    multiply(folder, "assemblies", num_assemblies, |line, number| {
        let assembly: Value = serde_json::from_str(line).expect("a resource");
        let sample = text(&assembly["relationships"]["samples"]["data"][0]["id"]);
        let wgs_accession = text(&assembly["attributes"]["wgs-accession"]);
        let legacy_accession = text(&assembly["attributes"]["legacy-accession"]);
        line.replace(text(&assembly["id"]), &accession("ERZ", number))
            .replace(sample, &accession("ERS", random.random_range(0..num_samples)))
            .replace(wgs_accession, &format!("W{number}"))
            .replace(legacy_accession, &format!("GCA_{number}"))
    });
}

/// Replaces the one resource that a relationship names, if it names one.
fn replace_named(line: &str, resource: &Value, relation: &str, by: &str) -> String {
    let named = text(&resource["relationships"][relation]["data"]["id"]);
    if named.is_empty() { line.to_owned() } else { line.replace(named, by) }
}

/// Writes lines of a collection, each made of one of the bundled ones and a number.
fn multiply(folder: &Path, collection: &str, num_lines: u64, mut make: impl FnMut(&str, u64) -> String) {
    let lines = lines(collection);
    let file = File::create(folder.join(format!("{collection}.jsonl"))).expect("writable");
    let mut writer = BufWriter::new(file);
    for (number, line) in (0..num_lines).zip(lines.iter().cycle()) {
        writeln!(writer, "{}", make(line, number)).expect("room on the disk");
    }
    writer.flush().expect("room on the disk");
}

/// Returns a text, which may be null.
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
