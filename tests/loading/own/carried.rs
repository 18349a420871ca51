//! Own data that is kept in the index of another release.

use std::fmt::Write as _;
use std::fs::OpenOptions;

use indexer::Acceptance;
use indexer_release::{PortalPlan, ReleasePlan};
use support::{TestFolder, data_text};

use super::beside::{FIRST, index, indexed, remove, roll_back, write_release};
use super::plain::Tables;
use super::scans::assert_answers;
use super::source::Source;
use crate::loading::release::plan::plan;
use crate::loading::release::synthetic::Synthetic;

/// The difference between the ids of biomes of the second release and those of the first.
const IDS_ABOVE: i64 = 1000;

/// The rows of an index of rows.
const NUM_ROWS: usize = 1000;

/// Indexes a release with a table of other ids, backwards.
fn index_with_other_ids(folder: &TestFolder, release: &Synthetic) -> indexer::Report {
    let text = data_text("proteins/biomes_id_lineage.tsv");
    let mut lines = text.lines();
    let mut table = format!("{}\n", lines.next().expect("a header"));
    for line in lines.collect::<Vec<_>>().into_iter().rev() {
        let (id, lineage) = line.split_once('\t').expect("two columns");
        writeln!(table, "{}\t{lineage}", id.parse::<i64>().expect("a number") + IDS_ABOVE).expect("memory");
    }
    let biomes = folder.input("biomes.tsv", table);
    ReleasePlan { checksums: true, biomes, ..plan(folder, &release.path()) }.run().expect("a release").report
}

#[test]
fn new_releases_keep_own_data_by_default() {
    let (tables, (folder, first)) = (Tables::read(), indexed(7));
    let sources = |tables: &Tables| {
        [("soil", 0..300), ("Sea.2", 240..400)].map(|(name, rows)| Source::of_sample(name, rows, tables))
    };
    let [soil, sea] = sources(&tables);
    let own = [soil.add_to(&folder, FIRST, false), sea.add_to(&folder, FIRST + 300, false)].concat();

    let (second, other_tables) = (write_release(8), Tables::read().with_ids_above(IDS_ABOVE));
    index_with_other_ids(&folder, &second);
    let [soil, sea] = sources(&other_tables);
    let carried = [soil.numbered(FIRST), sea.numbered(FIRST + 300)].concat();
    assert_answers(&folder, &[other_tables.release(&second.path()), carried].concat(), "taken over");
    roll_back(&folder);
    assert_answers(&folder, &[tables.release(&first.path()), own.clone()].concat(), "rolled back");
    // An index of rows keeps own data as well.
    let text = data_text(support::SAMPLE);
    let sample: String = text.split_inclusive('\n').take(1 + NUM_ROWS).collect();
    let rows = folder.plan(vec![folder.input("rows.csv", sample)]);
    PortalPlan { checksums: true, ..rows }.run().expect("rows of the sample");
    let generation =
        store_proteins::ProteinGeneration::open_current(&folder.generations()).expect("whole").expect("published");
    generation.verify().expect("sound");
    assert_eq!(generation.statistics().num_proteins, (NUM_ROWS + own.len()) as u64);
    for protein in &own {
        assert_eq!(generation.fetch(protein.accession).expect("sound").as_ref(), Some(protein));
    }

    let acceptance = Acceptance { allow_shrink: true, strict: false };
    ReleasePlan { checksums: true, without_own: true, acceptance, ..plan(&folder, &first.path()) }
        .run()
        .expect("a release");
    assert_answers(&folder, &tables.release(&first.path()), "without own data");
    let again = Source::of_sample("new", 0..100, &tables).add_to(&folder, FIRST + 460, false);
    assert_answers(&folder, &[tables.release(&first.path()), again].concat(), "numbers are given once");
}

#[test]
fn damaged_indexes_with_own_data_are_replaced_only_without_it() {
    let (tables, (folder, release)) = (Tables::read(), indexed(7));
    let soil = Source::of_sample("soil", 0..100, &tables);
    soil.add_to(&folder, FIRST, false);
    let manifest = support::generation::current_folder(&folder).join("manifest.json");
    OpenOptions::new().write(true).open(manifest).and_then(|file| file.set_len(100)).expect("writable");
    let replacement = ReleasePlan { checksums: true, ..plan(&folder, &release.path()) };
    let message = replacement.run().expect_err("own data would be lost").to_string();
    assert!(
        message.contains("own data") && message.contains("--without-own") && message.contains("rollback"),
        "{message}"
    );

    ReleasePlan { without_own: true, fresh: true, ..replacement }.run().expect("--without-own");
    assert_answers(&folder, &tables.release(&release.path()), "without");
    let again = soil.add_to(&folder, FIRST + 100, false);
    assert_answers(&folder, &[tables.release(&release.path()), again].concat(), "numbers are given once");
    remove(&folder, "soil");
    index(&folder, &release);
    assert_answers(&folder, &tables.release(&release.path()), "none to take over");
}
