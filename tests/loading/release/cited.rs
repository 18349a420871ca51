//! A generation keeps the names of its release and of its files.

use std::fs::{self, FileTimes};
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use indexer_release::ReleasePlan;
use indexer_synth::SynthLayout;
use store_proteins::{CitedRelease, ProteinGeneration, ReleaseContent};
use support::TestFolder;

use crate::loading::release::plan::plan;
use crate::loading::release::synthetic::{Synthetic, file_names, synth_plan};

const SUM: &str = "d41d8cd98f00b204e9800998ecf8427e";

fn current(folder: &TestFolder) -> ProteinGeneration {
    ProteinGeneration::open_current(&folder.generations()).expect("whole").expect("published")
}

/// Returns the name of a release whose files are in a folder.
fn cited(release: &Path, all_proteins: bool) -> CitedRelease {
    let folder = TestFolder::empty();
    let pfam_version = Some("37.0".to_owned());
    let published = ReleasePlan { all_proteins, pfam_version, ..plan(&folder, release) }.run();
    published.unwrap_or_else(|error| panic!("{}: {error}", release.display()));
    current(&folder).manifest().contents.cited.clone().expect("a release")
}

#[test]
fn releases_have_the_month_of_their_folder_or_files() {
    let release = Synthetic::write(&synth_plan(SynthLayout::Flat, 300));
    let of =
        |name: &str, content| CitedRelease { name: name.to_owned(), content, pfam_version: Some("37.0".to_owned()) };
    assert_eq!(cited(&release.path(), false), of("release", ReleaseContent::Representatives));
    assert_eq!(cited(&release.path(), true), of("release", ReleaseContent::AllProteins));
    let above = release.path().with_file_name("2026_07");
    fs::create_dir(&above).expect("new");
    let inside = above.join("flat");
    fs::rename(release.path(), &inside).expect("room");
    assert_eq!(cited(&inside, false), of("2026_07", ReleaseContent::Representatives));
    fs::rename(&inside, release.path()).expect("room");
    for name in file_names(&release.path()).iter().filter(|name| name.starts_with("mgy_clusters.fa")) {
        let dated = name.replace("mgy_clusters", "mgy_clusters_2022_05");
        fs::rename(release.path().join(name), release.path().join(dated)).expect("room");
    }
    assert_eq!(cited(&release.path(), false), of("2022_05", ReleaseContent::Representatives));
}

#[test]
fn files_have_their_last_change_and_listed_sum_and_own_data_change_nothing() {
    let release = Synthetic::write(&synth_plan(SynthLayout::Parquet, 300));
    // The members of clusters are not read, so that their sum is not compared.
    let file = release.path().join("mgy_cluster_seqs.parquet");
    fs::write(release.path().join("md5sum.txt"), format!("{SUM}  mgy_cluster_seqs.parquet\n")).expect("writable");
    let time = FileTimes::new().set_modified(UNIX_EPOCH + Duration::from_secs(1_700_000_000));
    fs::File::options().write(true).open(&file).and_then(|file| file.set_times(time)).expect("ours");
    let folder = TestFolder::empty();
    plan(&folder, &release.path()).run().expect("a release");
    let before = current(&folder).manifest().clone();
    let input = before.origin.inputs.iter().find(|input| input.name.ends_with("cluster_seqs.parquet")).expect("used");
    assert_eq!((input.modified_unix_s, input.md5.as_deref()), (Some(1_700_000_000), Some(SUM)));
    let biomes = &before.origin.inputs[0];
    assert!(biomes.name.ends_with("biomes_id_lineage.tsv") && biomes.md5.is_none());
    assert!(biomes.modified_unix_s.is_some());

    folder.add_source("mine", ">k1\nMKVL\n", "name\n");
    let after = current(&folder).manifest().clone();
    assert_eq!((&after.contents.cited, after.origin.inputs), (&before.contents.cited, before.origin.inputs));
}
