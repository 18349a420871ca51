//! An earlier index: its proteins that are now members of a cluster redirect to the representative.

use std::path::PathBuf;

use api::Api;
use axum::http::StatusCode;
use indexer::{Acceptance, Input, Report};
use indexer_release::ReleasePlan;
use indexer_synth::{SynthLayout, SynthPlan};

use crate::loading::release::plan::{failure, index, plan};
use crate::loading::release::rows::Rows;
use crate::loading::release::synthetic::{LAYOUTS, Synthetic, synth_plan};
use crate::loading::release::tiny::{self, Clusters};
use crate::loading::release::truth::accession;
use support::generation::current_folder;
use support::release::contents::Contents;
use support::{PROTEINS, TestFolder, get_protein};

/// Clusters of a first release.
const FIRST: Clusters<'static> =
    &[(10, &[10, 11]), (20, &[20]), (30, &[30, 31]), (40, &[40]), (50, &[50]), (90, &[90])];

/// Clusters of a second release: 10, 40 and 50 are members now, 31 has become a representative, and
/// 90 is missing.
const SECOND: Clusters<'static> = &[(5, &[5, 10, 11]), (20, &[20, 21]), (30, &[30]), (31, &[31, 40]), (60, &[50, 60])];

/// Clusters of a third release: 5, 30 and 60 are members now, and so is 10, which was one before;
/// 40 is still where it was.
const THIRD: Clusters<'static> = &[(20, &[5, 10, 20, 30]), (31, &[31, 40]), (70, &[60, 70])];

/// The answer for a protein.
#[derive(Debug, PartialEq, Eq)]
enum Found {
    /// A record.
    Itself,
    /// A redirect to another protein.
    Instead(u64),
    /// Nothing.
    Nothing,
}

/// Asks for a protein.
async fn ask(router: &Api, number: u64) -> Found {
    let answer = get_protein(router, &format!("/protein/{number}")).await;
    match answer.status {
        StatusCode::OK => Found::Itself,
        StatusCode::NOT_FOUND => Found::Nothing,
        StatusCode::FOUND => {
            let location = answer.header("location");
            let (_, new) = location.split_once(&format!("{PROTEINS}/protein/MGYP")).expect("the path of a protein");
            Found::Instead(new.parse().expect("a number"))
        }
        other => panic!("{number}: {other}"),
    }
}

/// Asks for proteins, and compares the answers.
async fn assert_found(folder: &TestFolder, expected: &[(u64, Found)], context: &str) {
    let router = folder.router();
    for (number, found) in expected {
        assert_eq!(ask(&router, *number).await, *found, "{context}: {number}");
    }
}

/// Indexes clusters in addition to the contents of the folder.
fn index_next(
    folder: &TestFolder,
    name: &str,
    layout: SynthLayout,
    clusters: Clusters<'_>,
    superseded: Option<Input>,
) -> Report {
    let release = tiny::write(folder, name, layout, clusters);
    let previous = Some(folder.path().to_owned());
    ReleasePlan { previous, superseded, ..plan(folder, &release) }.run().expect("a release").report
}

#[tokio::test]
async fn members_redirect_to_their_representative() {
    for layout in LAYOUTS {
        let context = format!("{layout:?}");
        let folder = TestFolder::empty();
        let first = tiny::write(&folder, "first", layout, FIRST);
        index(&folder, &first);
        let expected = [(10, Found::Itself), (90, Found::Itself), (11, Found::Nothing)];
        assert_found(&folder, &expected, &context).await;

        index_next(&folder, "second", layout, SECOND, None);
        let expected = [
            (5, Found::Itself),
            (10, Found::Instead(5)),
            (11, Found::Nothing),
            (20, Found::Itself),
            (21, Found::Nothing),
            (30, Found::Itself),
            (31, Found::Itself),
            (40, Found::Instead(31)),
            (50, Found::Instead(60)),
            (90, Found::Nothing),
        ];
        assert_found(&folder, &expected, &context).await;

        index_next(&folder, "third", layout, THIRD, None);
        let expected = [
            (5, Found::Instead(20)),
            (10, Found::Instead(20)),
            (20, Found::Itself),
            (30, Found::Instead(20)),
            (31, Found::Itself),
            (40, Found::Instead(31)),
            (50, Found::Nothing),
            (60, Found::Instead(70)),
        ];
        assert_found(&folder, &expected, &context).await;
    }
}

#[tokio::test]
async fn the_table_of_replaced_accessions_wins_and_chains_are_resolved() {
    for layout in LAYOUTS {
        let folder = TestFolder::empty();
        let first = tiny::write(&folder, "first", layout, FIRST);
        index(&folder, &first);
        // 7 redirects through 10 to 5, 40 to a cluster other than its own, 50 through 60 to 20; 90
        // was not in any cluster.
        let table = folder.input("superseded.tsv", "7\t10\n40\t20\n60\t20\n8\t7\n90\t30\n");
        let replaced = index_next(&folder, "second", layout, SECOND, Some(table)).replaced.expect("there are some");
        assert_eq!((replaced.num, replaced.to_missing.num), (7, 0), "{layout:?}");
        assert_eq!(replaced.of_indexed.examples, [[60, 20].map(accession)], "{layout:?}");
        let expected = [
            (7, Found::Instead(5)),
            (8, Found::Instead(5)),
            (10, Found::Instead(5)),
            (40, Found::Instead(20)),
            (50, Found::Instead(20)),
            (60, Found::Itself),
            (90, Found::Instead(30)),
        ];
        assert_found(&folder, &expected, &format!("{layout:?}")).await;
    }
}

#[tokio::test]
async fn earlier_indexes_are_found_by_any_of_their_folders() {
    let earlier = TestFolder::empty();
    let first = tiny::write(&earlier, "first", SynthLayout::Parquet, FIRST);
    index(&earlier, &first);
    let folders: [PathBuf; 3] =
        [earlier.path().to_owned(), earlier.generations().root().to_owned(), current_folder(&earlier)];
    for previous in folders {
        let folder = TestFolder::empty();
        let second = tiny::write(&folder, "second", SynthLayout::Parquet, SECOND);
        let context = previous.display().to_string();
        ReleasePlan { previous: Some(previous), ..plan(&folder, &second) }.run().expect("a release");
        assert_found(&folder, &[(10, Found::Instead(5)), (50, Found::Instead(60))], &context).await;
    }
}

#[test]
fn folders_without_an_earlier_index_are_named() {
    let folder = TestFolder::empty();
    let release = tiny::write(&folder, "release", SynthLayout::Parquet, FIRST);
    for previous in [folder.path().to_owned(), folder.path().join("missing"), release.clone()] {
        let message = failure(&folder, &ReleasePlan { previous: Some(previous.clone()), ..plan(&folder, &release) });
        assert!(message.contains(&previous.display().to_string()) && message.contains("not an index"), "{message}");
    }
}

#[tokio::test]
async fn indexed_proteins_do_not_redirect() {
    let folder = TestFolder::empty();
    let first = tiny::write(&folder, "first", SynthLayout::Parquet, FIRST);
    index(&folder, &first);
    let second = tiny::write(&folder, "second", SynthLayout::Parquet, SECOND);
    let previous = Some(folder.path().to_owned());
    ReleasePlan { previous, all_proteins: true, ..plan(&folder, &second) }.run().expect("a release");
    assert_found(&folder, &[(10, Found::Itself), (40, Found::Itself), (90, Found::Nothing)], "all proteins").await;
}

#[tokio::test]
async fn thousands_of_members_redirect_in_any_order() {
    for (layout, shuffle) in [(SynthLayout::Parquet, true), (SynthLayout::Flat, false)] {
        let context = format!("{layout:?}, shuffled: {shuffle}");
        let release = Synthetic::write(&SynthPlan { shuffle, ..synth_plan(layout, 1800) });
        let folder = TestFolder::empty();
        // All proteins were records once.
        ReleasePlan { all_proteins: true, ..plan(&folder, &release.path()) }.run().expect("a release");
        let previous = Some(folder.path().to_owned());
        let acceptance = Acceptance { allow_shrink: true, ..Acceptance::default() };
        ReleasePlan { previous, acceptance, ..plan(&folder, &release.path()) }.run().expect("a release");
        let rows = Rows::read(&release.path());
        let router = folder.router();
        for (member, representative) in rows.representatives.iter().step_by(3) {
            let expected = if member == representative { Found::Itself } else { Found::Instead(*representative) };
            assert_eq!(ask(&router, *member).await, expected, "{context}: {}", accession(*member));
        }
        let num_members = rows.representatives.len() - rows.sizes.len();
        let contents = Contents::of(folder.generations().root());
        assert_eq!(
            (contents.num_proteins(), contents.num_replacements()),
            (rows.sizes.len(), num_members),
            "{context}"
        );
    }
}
