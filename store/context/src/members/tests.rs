use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use proptest::collection::btree_map;
use proptest::prelude::*;

use super::*;

const FOLDER: &str = "members";

fn number(number: u64) -> ProteinAccession {
    ProteinAccession::new(number).expect("in range")
}

/// Writes the representatives of members.
fn written(representatives: &BTreeMap<u64, u64>) -> (tempfile::TempDir, MembersEntry) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut writer = MembersWriter::create(folder.path(), FOLDER).expect("created");
    let mut members = Vec::new();
    for (&member, &representative) in representatives {
        writer.add_representative(number(member), number(representative)).expect("ascending");
        members.push((representative, member));
    }
    members.sort_unstable();
    for (representative, member) in members {
        writer.add_member(number(representative), number(member)).expect("ascending");
    }
    (folder, writer.finish().expect("read back"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn clusters_are_those_of_a_plain_list(
        members in btree_map(1_u64..400, 1_u64..60, 0..300),
        after in proptest::option::of(1_u64..420),
        limit in 1_usize..20,
    ) {
        let mut members = members;
        members.retain(|member, representative| member != representative);
        let (folder, entry) = written(&members);
        let opened = Members::open(folder.path(), &entry).expect("just written");
        prop_assert_eq!(opened.num_members(), members.len() as u64);
        for protein in 1..60 {
            let mut cluster: Vec<u64> =
                members.iter().filter(|(_, of)| **of == protein).map(|(member, _)| *member).chain([protein]).collect();
            cluster.sort_unstable();
            prop_assert_eq!(opened.count(number(protein)).expect("undamaged"), cluster.len() as u64);
            cluster.retain(|member| after.is_none_or(|after| *member > after));
            cluster.truncate(limit);
            let found = opened.find(number(protein), after.map(number), limit).expect("undamaged");
            prop_assert_eq!(found.into_iter().map(ProteinAccession::number).collect::<Vec<_>>(), cluster);
        }
        for protein in 1..420 {
            let found = opened.representative(number(protein)).expect("undamaged").map(ProteinAccession::number);
            prop_assert_eq!(found, members.get(&protein).copied());
        }
    }
}

#[test]
fn the_first_members_of_any_cluster_need_two_reads() {
    // As dense as the members of the release of July 2026, in clusters of 9 and one of 20,000.
    let members: BTreeMap<u64, u64> = (1..60_000_u64)
        .map(|index| {
            let representative = if index < 20_000 { 3 } else { index / 8 * 25 };
            (11_000_000_000 + index * 3, 9_000_000_000 + representative)
        })
        .collect();
    let (folder, entry) = written(&members);
    let bytes = |file: &PagesEntry| std::fs::metadata(folder.path().join(&file.file)).expect("written").len();
    for file in [&entry.members, &entry.representatives] {
        assert!(bytes(file) < 6 * members.len() as u64, "{} bytes for {} pairs", bytes(file), members.len());
    }
    let opened = Members::open(folder.path(), &entry).expect("just written");
    let num_reads = |pages: &Pages<Pair>| pages.num_reads.swap(0, Ordering::Relaxed);
    num_reads(&opened.members);
    num_reads(&opened.representatives);
    for (&member, &representative) in members.iter().step_by(97) {
        let cluster = opened.find(number(representative), None, 1).expect("undamaged");
        assert_eq!(cluster, [number(representative)]);
        assert_eq!(num_reads(&opened.members), 2);
        let after = opened.find(number(representative), Some(number(member - 1)), 1).expect("undamaged");
        assert_eq!(after, [number(member)]);
        assert_eq!(num_reads(&opened.members), 2);
        assert_eq!(opened.representative(number(member)).expect("undamaged"), Some(number(representative)));
        assert_eq!(num_reads(&opened.representatives), 2);
    }
    assert_eq!(opened.count(number(9_000_000_003)).expect("undamaged"), 20_000);
    assert_eq!(num_reads(&opened.members), 4);
}

#[test]
fn files_that_contradict_each_other_are_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut writer = MembersWriter::create(folder.path(), FOLDER).expect("created");
    writer.add_representative(number(9), number(5)).expect("ascending");
    writer.add_member(number(5), number(8)).expect("ascending");
    let error = writer.finish().expect_err("another member").to_string();
    assert!(error.ends_with("it has other pairs than the representatives"), "{error}");

    let mut writer = MembersWriter::create(folder.path(), FOLDER).expect("created");
    for representative in [5, 6] {
        writer.add_representative(number(9), number(representative)).expect("ascending");
        writer.add_member(number(representative), number(9)).expect("ascending");
    }
    let error = writer.finish().expect_err("two clusters").to_string();
    assert!(error.ends_with("member 9 has several representatives"), "{error}");
}
