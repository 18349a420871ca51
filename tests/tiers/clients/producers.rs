//! Files of common programs: Pyrodigal finds genes, and pyhmmer hits of a profile. The loaded
//! values are those of their objects.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use serde_json::{Value, json};
use store::Generations;
use store_proteins::{ProteinGeneration, ProteinQuery};
use support::{data, needed_python, program, project};
use tempfile::TempDir;

/// Loads the files with some options, and returns the record of each protein.
fn loaded(folder: &TempDir, options: &[&str]) -> BTreeMap<String, Value> {
    let target = TempDir::new().expect("a temporary folder");
    let mut add = program();
    add.current_dir(folder).args(["own", "add", "mine", "--quiet", "--proteins", "proteins.faa"]).args(options);
    let output = add.arg("--data").arg(target.path()).output().expect("the program");
    assert!(output.status.success(), "{options:?}: {}", String::from_utf8_lossy(&output.stderr));
    let generations = Generations::new(target.path().join("proteins"));
    let generation = ProteinGeneration::open_current(&generations).expect("whole").expect("published");
    let hits = generation.search(&ProteinQuery::Everything, usize::MAX).expect("readable");
    let proteins = hits.iter().map(|hit| generation.fetch(hit.accession).expect("readable").expect("found"));
    let rows = proteins.map(|protein| {
        let place = protein.occurrences.first().map(|found| {
            let strand = if found.strand == store_proteins::Strand::Forward { "+" } else { "-" };
            json!([found.contig_name, found.start, found.end, strand])
        });
        let hits = protein.pfam_annotations.iter().map(|found| &found.hit);
        let hits: Vec<_> = hits.map(|hit| [hit.env_start, hit.env_end, hit.hmm_start, hit.hmm_end]).collect();
        let (sequence, full_length) = (protein.sequence, protein.full_length);
        (protein.name, json!({"sequence": sequence, "full_length": full_length, "place": place, "hits": hits}))
    });
    rows.collect()
}

#[test]
fn files_of_pyrodigal_and_pyhmmer_load_as_their_objects() {
    let Some(python) = needed_python("tests/python/requirements.txt") else { return };
    let folder = TempDir::new().expect("a temporary folder");
    let mut produce = Command::new(python);
    produce.arg(project("tests/tiers/clients/scripts/produce.py"));
    produce.args([data("proteins/own/contigs.fna"), data("proteins/own/PF00005.sto")]).arg(folder.path());
    let output = produce.output().expect("Python");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let expected: BTreeMap<String, Value> = serde_json::from_slice(&output.stdout).expect("JSON");
    let has_hits = |protein: &Value| protein["hits"].as_array().is_some_and(|hits| !hits.is_empty());
    assert!(expected.len() > 10 && expected.values().any(has_hits), "{expected:?}");
    // Places are in the headers, too.
    for options in [&["--pfam", "hits.domtblout"][..], &["--pfam", "hits.domtblout", "--gff", "genes.gff"]] {
        assert_eq!(loaded(&folder, options), expected, "{options:?}");
    }
    let residues = fs::read_to_string(folder.path().join("proteins.faa")).expect("readable");
    assert!(residues.contains("*\n"), "Pyrodigal writes stops");
}
