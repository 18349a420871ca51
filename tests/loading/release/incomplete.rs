//! Incomplete releases are reported: files that are missing or empty, tables without rows, and
//! names that are nowhere.

use std::fs;
use std::path::Path;

use indexer::Acceptance;
use indexer_release::ReleasePlan;
use indexer_synth::{SynthLayout, SynthPlan};
use serde_json::Value;

use crate::loading::release::plan::{failure, index, plan};
use crate::loading::release::synthetic::{LAYOUTS, Synthetic, synth_plan};
use crate::loading::release::writer::write_gzip;
use support::TestFolder;
use support::generation::current_folder;
use support::release::runs::Release;

/// The number of proteins that the releases have.
const NUM_FEW: u64 = 1200;

/// Does damage to the release in a folder.
type Damage = fn(&Path);

/// Losses: the layout, the part that is lost, the damage, and a part of the warning.
const LOSSES: [(SynthLayout, &str, Damage, &str); 5] = [
    (
        SynthLayout::Flat,
        "the first part of the occurrences",
        |release| remove(release, "mgy_seq_metadata_1.tsv.gz"),
        "part 1 of mgy_seq_metadata is missing: its rows will not be in the index",
    ),
    (
        SynthLayout::Flat,
        "the last part of the contig names",
        |release| remove(release, "mgy_contig_map_2.tsv.gz"),
        "on contigs that mgy_contig_map does not have",
    ),
    (
        SynthLayout::Flat,
        "all bytes of the biomes",
        |release| fs::write(release.join("mgy_biomes.tsv.gz"), "").expect("writable"),
        "mgy_biomes.tsv.gz is empty",
    ),
    (
        SynthLayout::Flat,
        "all rows of the Pfam hits",
        |release| write_gzip(&release.join("mgy_proteins_pfam.tsv.gz"), ""),
        "mgy_proteins_pfam.tsv.gz has no rows",
    ),
    (
        SynthLayout::Parquet,
        "the biomes",
        |release| remove(release, "mgy_biomes.parquet"),
        "mgy_biomes is missing: proteins will have no biomes",
    ),
];

/// Removes a file of a release.
fn remove(release: &Path, name: &str) {
    fs::remove_file(release.join(name)).expect(name);
}

#[test]
fn whole_releases_pass_a_strict_run_without_warnings() {
    for layout in LAYOUTS {
        for (shuffle, all_proteins) in [(false, false), (true, false), (false, true)] {
            let release = Synthetic::write(&SynthPlan { shuffle, ..synth_plan(layout, NUM_FEW) });
            let folder = TestFolder::empty();
            let acceptance = Acceptance { strict: true, ..Acceptance::default() };
            let plan = ReleasePlan { acceptance, all_proteins, ..plan(&folder, &release.path()) };
            let report = plan.run().unwrap_or_else(|error| panic!("{layout:?}, {shuffle}, {all_proteins}: {error}"));
            assert_eq!(report.report.warnings, [""; 0]);
        }
    }
}

#[test]
fn losses_are_reported_and_fail_a_strict_run() {
    for (layout, lost, damage, message) in LOSSES {
        let release = Synthetic::write(&synth_plan(layout, NUM_FEW));
        damage(&release.path());
        let folder = TestFolder::empty();
        let acceptance = Acceptance { strict: true, ..Acceptance::default() };
        let problem = failure(&folder, &ReleasePlan { acceptance, ..plan(&folder, &release.path()) });
        assert!(problem.contains(message) && problem.contains("--strict"), "{lost}: {problem}");
        let warnings = index(&folder, &release.path()).report.warnings;
        assert!(warnings.iter().any(|warning| warning.contains(message)), "{lost}: {warnings:#?}");
        let text = fs::read_to_string(current_folder(&folder).join("report.json")).expect("a report");
        let report: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(report["warnings"], serde_json::to_value(&warnings).expect("JSON"), "{lost}");
    }
}

#[test]
fn warnings_are_printed_even_with_quiet() {
    let release = Release::write(NUM_FEW, &["--layout", "flat"]);
    remove(&release.path(), "mgy_seq_metadata_1.tsv.gz");
    remove(&release.path(), "mgy_proteins_pfam.tsv.gz");
    let folder = TestFolder::empty();
    // This program is quiet.
    let output = release.index(folder.path()).arg("--strict").output().expect("the program");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), message.lines().count()), (Some(1), 1), "{message}");
    assert!(message.contains("mgy_proteins_pfam is missing") && message.contains("--strict"), "{message}");
    let output = release.index(folder.path()).output().expect("the program");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && message.lines().all(|line| line.contains(" WARN ")), "{message}");
    for part in
        ["mgy_proteins_pfam is missing: proteins will have no Pfam hits", "part 1 of mgy_seq_metadata is missing"]
    {
        assert_eq!(message.matches(part).count(), 1, "{part}: {message}");
    }
}
