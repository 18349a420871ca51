//! The command that searches a data folder, and the contents of a folder.

use std::path::Path;
use std::process::Command;

use crate::{TestFolder, program};
use serde_json::Value;
use store::FastaReader;
use store_proteins::{ProteinGeneration, ProteinQuery};

/// Returns the command that searches a data folder.
pub fn similar(data: &Path, fasta: &Path, more: &[&str]) -> Command {
    let mut command = program();
    command.args(["similar", "--quiet", "--data"]).arg(data).arg(fasta).args(more);
    command
}

/// Runs a command that must succeed, and returns its output.
pub fn printed(command: &mut Command) -> String {
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

pub fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Returns all sequences of a data folder with their accessions, ascending.
pub fn sequences(folder: &TestFolder) -> Vec<(String, String)> {
    sequences_of(folder, "length:[1 TO *]")
}

/// Returns the sequences that a query matches.
pub fn sequences_of(folder: &TestFolder, query: &str) -> Vec<(String, String)> {
    let text = printed(
        program()
            .args(["search", "--query", query, "--limit", "all", "--format", "fasta"])
            .arg("--data")
            .arg(folder.path()),
    );
    let mut reader = FastaReader::new(text.as_bytes());
    let mut sequences = Vec::new();
    while let Some(found) = reader.next_sequence().expect("memory") {
        sequences.push((found.name, found.sequence.expect("residues")));
    }
    sequences
}

/// Opens the proteins of a data folder, all of which are selected.
pub fn selection(folder: &TestFolder) -> similarity::Selection {
    let generation = ProteinGeneration::open_current(&folder.generations()).expect("readable").expect("proteins");
    similarity::Selection { generation: generation.into(), query: ProteinQuery::Everything }
}
