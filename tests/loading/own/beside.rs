//! Sources that are added, replaced and removed beside a release.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use indexer_own::{OwnAddPlan, OwnRemovePlan};
use indexer_release::{PortalPlan, ReleasePlan};
use indexer_synth::SynthLayout;
use store::GenerationKind;
use store_proteins::{Protein, ProteinContents, ProteinGeneration};
use support::TestFolder;

use super::plain::Tables;
use super::scans::assert_answers;
use super::source::Source;
use crate::loading::release::documented;
use crate::loading::release::plan::plan;
use crate::loading::release::synthetic::{Synthetic, synth_plan};
use support::families;

/// The number of proteins of a release, of which a third are representatives.
const NUM_PROTEINS: u64 = 1500;

/// The number of the first protein of own data.
pub(crate) const FIRST: u64 = 900_000_000_000;

/// Returns a release and an index of it, with digests.
pub(crate) fn indexed(seed: u64) -> (TestFolder, Synthetic) {
    let (folder, release) = (TestFolder::empty(), write_release(seed));
    index(&folder, &release);
    (folder, release)
}

pub(crate) fn write_release(seed: u64) -> Synthetic {
    let release =
        Synthetic::write(&indexer_synth::SynthPlan { seed, ..synth_plan(SynthLayout::Parquet, NUM_PROTEINS) });
    families::add_sample_families(&release.path());
    release
}

pub(crate) fn index(folder: &TestFolder, release: &Synthetic) {
    ReleasePlan { checksums: true, ..plan(folder, &release.path()) }.run().expect("a release");
}

pub(crate) fn remove(folder: &TestFolder, name: &str) {
    let plan = OwnRemovePlan { generations: folder.generations().root().to_owned(), name: name.to_owned() };
    plan.run().expect("there is one");
}

/// Restores the generation before the current one.
pub(crate) fn roll_back(folder: &TestFolder) {
    let generations = folder.generations();
    let check = |name| ProteinGeneration::verify_published(&generations, name).map(drop);
    generations.roll_back(&GenerationKind::of::<ProteinContents>(), None, check).expect("there is one");
}

/// Returns the numbers of the files of the current generation on the disk, except the manifest and
/// tables that each generation has for itself.
fn inodes(folder: &TestFolder) -> BTreeSet<u64> {
    fn collect(folder: &Path, found: &mut BTreeSet<u64>) {
        for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable")) {
            if entry.file_type().expect("readable").is_dir() {
                collect(&entry.path(), found);
            } else {
                found.insert(entry.metadata().expect("readable").ino());
            }
        }
    }
    let (generations, mut found) = (folder.generations(), BTreeSet::new());
    collect(&generations.path(generations.current().expect("readable").expect("published")), &mut found);
    found
}

#[test]
fn queries_cover_the_release_and_its_sources() {
    let (tables, (folder, release)) = (Tables::read(), indexed(7));
    let release = tables.release(&release.path());
    // They have 60 names in common.
    let [soil, sea, other] = [("soil", 0..300), ("Sea.2", 240..400), ("sea.2", 700..800)]
        .map(|(name, rows)| Source::of_sample(name, rows, &tables));
    let all = |own: &[&[Protein]]| [&release, own.concat().as_slice()].concat();
    assert_answers(&folder, &release, "the release");
    let files_of_release = inodes(&folder);

    let soil_added = soil.add_to(&folder, FIRST, false);
    assert_answers(&folder, &all(&[&soil_added]), "one source");
    let sea_added = sea.add_to(&folder, FIRST + 300, false);
    assert_answers(&folder, &all(&[&soil_added, &sea_added]), "two sources");
    let num_copied = files_of_release.difference(&inodes(&folder)).count();
    assert!(num_copied <= 4 && files_of_release.len() > 12, "{num_copied} of {}", files_of_release.len());

    let message = sea.plan(&folder).run().expect_err("there is one").to_string();
    assert!(message.contains("--replace"), "{message}");
    // The name of a source is the same in any letter case.
    let replaced = other.add_to(&folder, FIRST + 460, true);
    assert_answers(&folder, &all(&[&soil_added, &replaced]), "one replaced");
    roll_back(&folder);
    assert_answers(&folder, &all(&[&soil_added, &sea_added]), "rolled back");

    remove(&folder, "SOIL");
    assert_answers(&folder, &all(&[&sea_added]), "the first one removed");
    let again = soil.add_to(&folder, FIRST + 560, false);
    assert_answers(&folder, &all(&[&sea_added, &again]), "added again, after all that were there");
    remove(&folder, "sea.2");
    remove(&folder, "soil");
    assert_answers(&folder, &release, "none left");
}

#[test]
fn own_data_can_be_indexed_before_a_release() {
    let (tables, folder) = (Tables::empty(), TestFolder::empty());
    let soil = Source::of_sample("soil", 0..200, &tables);
    let added = soil.add_to(&folder, FIRST, false);
    assert_answers(&folder, &added, "own data alone");

    // Ids of biomes and names of families are in the tables of the release.
    let (tables, release) = (Tables::read(), write_release(7));
    index(&folder, &release);
    let soil = Source::of_sample("soil", 0..200, &tables);
    let all = [tables.release(&release.path()), soil.numbered(FIRST)].concat();
    assert_answers(&folder, &all, "with a release");
}

#[test]
fn refused_sources_change_nothing() {
    let (tables, folder) = (Tables::read(), TestFolder::of_sample_with(true));
    let source = Source::of_sample("soil", 0..50, &tables);
    let before = folder.generations().current().expect("readable");
    let bad = folder.input("bad.tsv", "name\tbiome\nk141_1_1\t158\nk141_7_1\t99999\nnobody\t158\nk141_1_1\t158\n");
    let strict =
        OwnAddPlan { acceptance: indexer::Acceptance { strict: true, ..Default::default() }, ..source.plan(&folder) };
    let plans = [
        (OwnAddPlan { annotations: vec![bad.clone()], ..source.plan(&folder) }, "--max-rejects allows 0"),
        (
            OwnAddPlan { annotations: vec![bad.clone()], max_rejects: 2, ..source.plan(&folder) },
            "--max-rejects allows 2",
        ),
        (strict, "Meadow"),
        (OwnAddPlan { name: "release".into(), ..source.plan(&folder) }, "not release"),
        (OwnAddPlan { biome: Some("99999".into()), ..source.plan(&folder) }, "99999"),
    ];
    for (plan, expected) in plans {
        let message = plan.run().expect_err(expected).to_string();
        assert!(message.contains(expected), "{message}");
        assert_eq!(folder.generations().current().expect("readable"), before, "{message}");
    }
    let accepted =
        OwnAddPlan { annotations: vec![bad], max_rejects: 3, ..source.plan(&folder) }.run().expect("allowed");
    let report = accepted.report;
    let numbers =
        |file: usize| (report.files[file].num_read, report.files[file].num_accepted, report.files[file].num_rejected());
    assert_eq!(numbers(1), (4, 1, 3));
    let generation = ProteinGeneration::open_current(&folder.generations()).expect("whole").expect("published");
    let first = generation.sources()[0].first;
    assert_eq!(first.number(), FIRST, "what failed has used no numbers");
    assert_eq!(generation.sources()[0].num_proteins, 50);
}

#[test]
fn releases_and_rows_reject_accessions_of_own_data() {
    let folder = TestFolder::empty();
    let rows = folder.input("rows.csv", "899999999999,MK,,1,{}\n900000000000,MK,,1,{}\nMGYP999999999999,MK,,1,{}\n");
    let plan = PortalPlan { max_rejects: 2, ..folder.plan(vec![rows]) };
    assert_eq!(plan.run().expect("two are allowed").report.num_rejected, 2);
    let rejects = fs::read_to_string(support::generation::current_folder(&folder).join("rejects.tsv")).expect("listed");
    assert_eq!(rejects.matches("from MGYP900000000000 on, accessions are for own data").count(), 2, "{rejects}");

    let more = [
        ("mgy_protein_sequences", "900000000000\ttrue\tMKV"),
        ("mgy_clusters", "2\t2\t1\tx\tx"),
        ("mgy_clusters", "900000000000\t1\t1\tx\tx"),
    ];
    let report = documented::index(&TestFolder::empty(), false, &more);
    for (table, num_rejected) in [("mgy_protein_sequences", 1), ("mgy_clusters", 6)] {
        assert_eq!(documented::rows_of(&report, table).2, num_rejected, "{table}");
    }
}
