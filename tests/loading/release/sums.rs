//! Files of a release are compared with its MD5 sums.

use std::fs;
use std::path::Path;

use indexer::Acceptance;
use indexer_release::ReleasePlan;
use indexer_synth::SynthLayout;
use md5::{Digest, Md5};

use crate::loading::release::plan::{failure, plan};
use crate::loading::release::synthetic::{LAYOUTS, Synthetic, file_names, synth_plan};
use support::TestFolder;

/// The number of proteins that the releases have.
const NUM_FEW: u64 = 300;

/// A sum that no file has.
const OTHER_SUM: &str = "00112233445566778899aabbccddeeff";

/// Files that are not read, in either layout.
const UNREAD: [&str; 9] = [
    "mgy_assemblies.tsv.gz",
    "mgy_clusters.tsv.gz",
    "mgy_proteins_1.fa.gz",
    "mgy_proteins_2.fa.gz",
    "mgy_cluster_seqs.parquet",
    "mgy_counts.parquet",
    "mgy_counts.tsv.gz",
    "mgy_biome_counts.parquet",
    "mgy_biome_counts.tsv.gz",
];

/// Returns the sum of a file.
fn sum(path: &Path) -> String {
    format!("{:032x}", u128::from_be_bytes(Md5::digest(fs::read(path).expect("readable")).into()))
}

/// Writes the list of a release, in which `name` has another sum.
fn write_list(release: &Path, names: &[String], name: &str) {
    let of = |file: &String| if file == name { OTHER_SUM.to_owned() } else { sum(&release.join(file)) };
    let lines: Vec<String> = names.iter().map(|file| format!("{}  ./{file}\n", of(file))).collect();
    fs::write(release.join("md5sum.txt"), lines.concat()).expect("writable");
}

#[test]
fn files_with_wrong_sums_are_named_with_both_sums() {
    for layout in LAYOUTS {
        let release = Synthetic::write(&synth_plan(layout, NUM_FEW));
        let path = release.path();
        let names = file_names(&path);
        for name in &names {
            write_list(&path, &names, name);
            let folder = TestFolder::empty();
            if UNREAD.contains(&&**name) {
                plan(&folder, &path).run().unwrap_or_else(|error| panic!("{name} is not read: {error}"));
                continue;
            }
            let message = failure(&folder, &plan(&folder, &path));
            let file = path.join(name).display().to_string();
            for part in [&file, &sum(&path.join(name)), OTHER_SUM, "md5sum.txt"] {
                assert!(message.contains(part), "{part}: {message}");
            }
        }
    }
}

#[test]
fn matching_files_are_summed_once_and_published() {
    for layout in LAYOUTS {
        let release = Synthetic::write(&synth_plan(layout, NUM_FEW));
        write_list(&release.path(), &file_names(&release.path()), "");
        let rows: Vec<String> = (1..900).map(|number| format!("{number},MK,,1,{{}}\n")).collect();
        let folder = TestFolder::of_rows(&rows.concat());
        // Files that were checked before a run ended early are not checked again.
        let plan = plan(&folder, &release.path());
        failure(&folder, &plan);
        let acceptance = Acceptance { allow_shrink: true, strict: true };
        let stages = |plan: &ReleasePlan| plan.run().expect("whole").report.stages;
        let is_checking = |stage: &indexer::StageReport| stage.name == "checking";
        assert!(!stages(&ReleasePlan { acceptance, ..plan.clone() }).iter().any(is_checking), "{layout:?}");
        // Files of text are summed while they are read.
        let is_checked = stages(&ReleasePlan { acceptance, ..plan }).iter().any(is_checking);
        assert_eq!(is_checked, layout == SynthLayout::Parquet, "{layout:?}");
    }
}

#[test]
fn replaced_files_need_no_fresh_start() {
    let release = Synthetic::write(&synth_plan(SynthLayout::Parquet, NUM_FEW));
    let biomes = release.path().join("mgy_biomes.parquet");
    write_list(&release.path(), &file_names(&release.path()), "");
    let (folder, whole) = (TestFolder::empty(), fs::read(&biomes).expect("readable"));
    let damaged = [&whole[..], b"PAR1"].concat();
    fs::write(&biomes, damaged).expect("writable");
    let message = failure(&folder, &plan(&folder, &release.path()));
    assert!(message.contains("get the file again"), "{message}");
    fs::write(&biomes, whole).expect("writable");
    plan(&folder, &release.path()).run().expect("nothing was done that would not fit");
}

#[test]
fn sums_are_read_from_files_beside_the_data() {
    let release = Synthetic::write(&synth_plan(SynthLayout::Flat, NUM_FEW));
    let biomes = release.path().join("mgy_biomes.tsv.gz");
    let beside = release.path().join("mgy_biomes.tsv.gz.md5");
    let folder = TestFolder::empty();
    fs::write(&beside, format!("{OTHER_SUM}  mgy_biomes.tsv.gz\n")).expect("writable");
    let message = failure(&folder, &plan(&folder, &release.path()));
    assert!(message.contains(&beside.display().to_string()) && message.contains(OTHER_SUM), "{message}");
    fs::write(&beside, "what is this?").expect("writable");
    let message = failure(&folder, &plan(&folder, &release.path()));
    assert!(message.contains(&beside.display().to_string()) && message.contains("no MD5 sum"), "{message}");
    fs::write(&beside, sum(&biomes).to_uppercase()).expect("writable");
    let report = plan(&folder, &release.path()).run().expect("whole").report;
    assert_eq!(report.warnings, [""; 0]);
    let notes = report.release.expect("a run over a release").notes;
    assert!(!notes.iter().any(|note| note.contains("md5")), "{notes:?}");
}

#[test]
fn parts_missing_from_the_folder_are_reported() {
    let release = Synthetic::write(&synth_plan(SynthLayout::Flat, NUM_FEW));
    write_list(&release.path(), &file_names(&release.path()), "");
    fs::remove_file(release.path().join("mgy_contig_map_2.tsv.gz")).expect("writable");
    let folder = TestFolder::empty();
    let warnings = plan(&folder, &release.path()).run().expect("a release").report.warnings;
    let [listed, lacking] = &*warnings else { panic!("{warnings:?}") };
    assert_eq!(listed, "md5sum.txt lists mgy_contig_map_2.tsv.gz, which is missing: its rows will not be in the index");
    assert!(lacking.contains("places on contigs that mgy_contig_map does not have"), "{lacking}");
}

#[test]
fn sum_lists_of_other_files_are_a_warning() {
    let release = Synthetic::write(&synth_plan(SynthLayout::Parquet, NUM_FEW));
    fs::write(release.path().join("md5sum.txt"), format!("{OTHER_SUM}  other.parquet\n")).expect("writable");
    let folder = TestFolder::empty();
    let message = "md5sum.txt lists none of the files that are read: none of its sums is compared";
    let acceptance = Acceptance { strict: true, ..Acceptance::default() };
    let problem = failure(&folder, &ReleasePlan { acceptance, ..plan(&folder, &release.path()) });
    assert!(problem.starts_with(message), "{problem}");
    assert_eq!(plan(&folder, &release.path()).run().expect("a release").report.warnings, [message]);
}
