//! The members of clusters, compared with a plain scan of the rows.

use std::collections::BTreeMap;
use std::path::Path;

use arrow_array::Int64Array;
use indexer_release::ReleasePlan;
use indexer_synth::{SynthLayout, SynthPlan};
use rand::RngExt;
use rand::seq::SliceRandom;
use store::ProteinAccession;
use store_proteins::{Members, ProteinGeneration};
use support::TestFolder;
use support::generation::current_folder;
use support::machine::{rounds, seeded};

use crate::loading::release::plan::{failure, plan};
use crate::loading::release::rejects::{self, Reject};
use crate::loading::release::rows::Rows;
use crate::loading::release::synthetic::{LAYOUTS, Synthetic, synth_plan};
use crate::loading::release::tiny;
use crate::loading::release::writer::{column, write_parquet};

/// The number of proteins of a release. There are two hundred times as many bytes of members as a
/// page has.
const NUM_PROTEINS: u64 = 4000;

/// So little that members are sorted on the disk.
const TINY_MEMORY_BYTES: usize = 1 << 20;

fn open(folder: &TestFolder) -> ProteinGeneration {
    let generation = ProteinGeneration::open_current(&folder.generations()).expect("whole").expect("published");
    generation.verify().expect("sound");
    generation
}

fn with_members(folder: &TestFolder, release: &Path) -> ReleasePlan {
    ReleasePlan { members: true, ..plan(folder, release) }
}

fn number(number: u64) -> ProteinAccession {
    ProteinAccession::new(number).expect("in range")
}

/// Compares the members of clusters with the representative of each protein.
fn assert_members(members: &Members, representatives: &BTreeMap<u64, u64>, context: &str) {
    let mut clusters: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for (&member, &representative) in representatives {
        clusters.entry(representative).or_default().push(member);
        let expected = (member != representative).then(|| number(representative));
        assert_eq!(members.representative(number(member)).expect("sound"), expected, "{context}: {member}");
    }
    for (representative, expected) in &clusters {
        let found = members.find(number(*representative), None, usize::MAX).expect("sound");
        let found: Vec<u64> = found.into_iter().map(ProteinAccession::number).collect();
        assert_eq!(found, *expected, "{context}: {representative}");
        let count = members.count(number(*representative)).expect("sound");
        assert_eq!(count, expected.len() as u64, "{context}: {representative}");
    }
    assert_eq!(members.num_members(), (representatives.len() - clusters.len()) as u64, "{context}");
}

#[test]
fn members_and_representatives_are_those_of_the_release() {
    for (layout, shuffle, all_proteins) in
        [(SynthLayout::Parquet, false, false), (SynthLayout::Parquet, true, true), (SynthLayout::Flat, true, false)]
    {
        let context = format!("{layout:?}, shuffled: {shuffle}, all proteins: {all_proteins}");
        let release = Synthetic::write(&SynthPlan { shuffle, ..synth_plan(layout, NUM_PROTEINS) });
        let folder = TestFolder::empty();
        let plan =
            ReleasePlan { all_proteins, memory_bytes: TINY_MEMORY_BYTES, ..with_members(&folder, &release.path()) };
        let report = plan.run().expect("a release").report;
        assert!(report.stages.iter().any(|stage| stage.name == "members"), "{context}: {:?}", report.stages);
        rejects::assert_adds_up(&report, &rejects::read(&current_folder(&folder).join("rejects.tsv")), &context);
        let rows = Rows::read(&release.path());
        let generation = open(&folder);
        assert_members(generation.members().expect("wanted"), &rows.representatives, &context);
        let num_members = (rows.representatives.len() - rows.sizes.len()) as u64;
        for (name, num_bytes) in ["members", "representatives"].map(|name| {
            let file = current_folder(&folder).join(format!("members/{name}.pages"));
            (name, file.metadata().expect("written").len())
        }) {
            assert!(num_bytes < 6 * num_members + 3 * 8192, "{context}: {num_bytes} bytes of {num_members} {name}");
        }
    }
}

/// Random clusters in which proteins occur several times, and the cluster of each protein: its own
/// one, or the first one.
struct Repeated {
    clusters: Vec<(i64, Vec<i64>)>,
    representatives: BTreeMap<u64, u64>,
    num_rejected: usize,
}

impl Repeated {
    fn new(random: &mut impl RngExt) -> Self {
        let numbers: Vec<i64> = (1..60).collect();
        let mut heads: Vec<i64> = numbers.iter().copied().filter(|_| random.random_bool(0.3)).collect();
        heads.push(60);
        let mut clusters: Vec<(i64, Vec<i64>)> = heads.iter().map(|head| (*head, vec![*head])).collect();
        for _ in 0..80 {
            let cluster = random.random_range(0..clusters.len());
            let member = numbers[random.random_range(0..numbers.len())];
            let (_, members) = &mut clusters[cluster];
            if !members.contains(&member) {
                members.push(member);
            }
        }
        for (_, members) in &mut clusters {
            members.shuffle(random);
        }
        let (mut representatives, mut num_rows) = (BTreeMap::new(), 0);
        for (head, members) in &clusters {
            num_rows += members.len();
            for member in members {
                let of = if heads.contains(member) { member } else { head };
                representatives.entry(member.unsigned_abs()).or_insert(of.unsigned_abs());
            }
        }
        let num_rejected = num_rows - representatives.len();
        Self { clusters, representatives, num_rejected }
    }

    fn write(&self, folder: &TestFolder, layout: SynthLayout) -> std::path::PathBuf {
        let clusters: Vec<(i64, &[i64])> = self.clusters.iter().map(|(head, members)| (*head, &**members)).collect();
        tiny::write(folder, "release", layout, &clusters)
    }
}

#[test]
fn proteins_of_several_clusters_stay_in_one_and_their_other_rows_are_named() {
    let (mut random, seed) = seeded();
    for round in 0..rounds(3, 30) {
        let made = Repeated::new(&mut random);
        // The sizes of clusters are in a table of their own, or counted.
        for (layout, has_sizes) in
            [(SynthLayout::Parquet, true), (SynthLayout::Parquet, false), (SynthLayout::Flat, false)]
        {
            let context = format!("{layout:?}, sizes: {has_sizes}, round {round}, seed {seed}");
            let folder = TestFolder::empty();
            let release = made.write(&folder, layout);
            if has_sizes {
                let heads = || made.clusters.iter().map(|(head, _)| *head);
                let sizes = made.clusters.iter().map(|(_, members)| i64::try_from(members.len()).expect("few"));
                let columns = [
                    ("cluster_rep", column(Int64Array::from_iter_values(heads()))),
                    ("cluster_size", column(Int64Array::from_iter_values(sizes))),
                ];
                write_parquet(&release.join("mgy_clusters.parquet"), columns);
            }
            let report = with_members(&folder, &release).run().expect("a release").report;
            let listed = rejects::read(&current_folder(&folder).join("rejects.tsv"));
            rejects::assert_adds_up(&report, &listed, &context);
            let of_members: Vec<&Reject> = listed.iter().filter(|row| row.file.contains("cluster_seqs")).collect();
            assert_eq!(of_members.len(), made.num_rejected, "{context}: {listed:?}");
            for row in of_members {
                assert!(row.reason == "duplicate_accession", "{context}: {row:?}");
                assert!(row.detail.starts_with("it is already in the cluster of MGYP"), "{context}: {row:?}");
            }
            assert_members(open(&folder).members().expect("wanted"), &made.representatives, &context);
        }
    }
}

#[test]
fn own_data_do_not_change_members_and_other_releases_have_their_own() {
    let folder = TestFolder::empty();
    let first = tiny::write(&folder, "first", SynthLayout::Flat, &[(5, &[5, 7, 9]), (6, &[6])]);
    with_members(&folder, &first).run().expect("a release");
    folder.add_source("mine", ">a\nMKV\n", "");
    let generation = open(&folder);
    let found = generation.members().expect("shared").find(number(5), None, 9).expect("sound");
    assert_eq!(found, [5, 7, 9].map(number));
    let second = tiny::write(&folder, "second", SynthLayout::Flat, &[(7, &[5, 7])]);
    with_members(&folder, &second).run().expect("a release");
    assert_eq!(open(&folder).representative(number(5)).expect("sound"), Some(number(7)));
    plan(&folder, &first).run().expect("a release");
    assert!(open(&folder).members().is_none());
}

#[test]
fn releases_without_members_say_so() {
    let folder = TestFolder::empty();
    let release = tiny::write(&folder, "release", SynthLayout::Parquet, &[(5, &[5])]);
    let columns = ["cluster_rep", "cluster_size"].map(|name| (name, column(Int64Array::from_iter_values([5]))));
    write_parquet(&release.join("mgy_clusters.parquet"), columns);
    std::fs::remove_file(release.join("mgy_cluster_seqs.parquet")).expect("written");
    let report = with_members(&folder, &release).run().expect("a release").report;
    let warning = "--members has no effect: the release has no members of clusters";
    assert!(report.warnings.iter().any(|found| found == warning), "{:?}", report.warnings);
    assert!(open(&folder).members().is_none());
}

#[test]
fn rejected_members_count_towards_the_limit() {
    for layout in LAYOUTS {
        let folder = TestFolder::empty();
        let release = tiny::write(&folder, "release", layout, &[(5, &[5, 7]), (6, &[6, 7])]);
        let message = failure(&folder, &ReleasePlan { max_rejects: 0, ..with_members(&folder, &release) });
        assert!(message.contains("MGYP000000000005"), "{message}");
        ReleasePlan { max_rejects: 1, ..with_members(&folder, &release) }.run().expect("one is allowed");
    }
}
