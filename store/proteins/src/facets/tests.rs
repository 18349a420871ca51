//! Numbers of random queries are compared with a plain scan of the records.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use store::PfamAccession;

use crate::tests::model::{MODEL, genes_beside, matches};
use crate::tests::querying::any_query;
use crate::{Record, known_cluster_size};

use super::estimate::Sample;
use super::*;

/// Returns the values of a record as facets write them, or only `None` if it has none.
fn values(record: &Record, by: FacetKind) -> BTreeSet<Option<String>> {
    let (biomes, families) = (MODEL.generation.biomes(), MODEL.generation.families());
    let bucket = |number: u64| match number {
        0 | 1 => number.to_string(),
        _ => {
            let start = 1_u64 << number.ilog2();
            match (by, number.ilog2()) {
                (FacetKind::ClusterSize, 20..) => "[1048576 TO *]".to_owned(),
                (FacetKind::Length, 15..) => "[32768 TO *]".to_owned(),
                _ => format!("[{start} TO {}]", start * 2 - 1),
            }
        }
    };
    let upper = |texts: Vec<&String>| {
        texts.into_iter().filter(|text| !text.is_empty()).map(|text| text.to_uppercase()).collect()
    };
    let values: BTreeSet<String> = match by {
        FacetKind::Biome => {
            let entries = record.biomes.iter().flat_map(|entry| biomes.self_and_ancestors(entry.biome));
            entries.map(|biome| biomes[biome].lineage.clone()).collect()
        }
        FacetKind::Pfam => record.pfam_hits.iter().map(|hit| hit.family.to_string()).collect(),
        FacetKind::Clan => {
            let clans = record.pfam_hits.iter().filter_map(|hit| families.get(hit.family)?.clan.clone());
            clans.map(|clan| clan.to_string()).collect()
        }
        FacetKind::Architecture => {
            let mut hits = record.pfam_hits.clone();
            hits.sort_by_key(|hit| (hit.env_start, hit.env_end, hit.family));
            let families: Vec<_> = hits.iter().map(|hit| hit.family.to_string()).collect();
            Some(families.join("-")).filter(|text| !text.is_empty()).into_iter().collect()
        }
        FacetKind::Study => upper(record.occurrences.iter().map(|occurrence| &occurrence.study).collect()),
        FacetKind::Assembly => upper(record.occurrences.iter().map(|occurrence| &occurrence.assembly).collect()),
        FacetKind::FullLength => record.full_length.iter().map(ToString::to_string).collect(),
        FacetKind::ClusterSize => known_cluster_size(record.cluster_size).map(bucket).into_iter().collect(),
        FacetKind::Length => [bucket(record.sequence.len() as u64)].into(),
    };
    if values.is_empty() { [None].into() } else { values.into_iter().map(Some).collect() }
}

/// Counts the values of all matches.
fn scan(query: &ProteinQuery, by: FacetKind) -> (u64, BTreeMap<Option<String>, u64>) {
    let (mut num_matches, mut counts) = (0, BTreeMap::new());
    for (_, record) in MODEL.proteins.iter().filter(|(accession, record)| matches(query, *accession, record)) {
        num_matches += 1;
        for value in values(record, by) {
            *counts.entry(value).or_default() += 1;
        }
    }
    (num_matches, counts)
}

fn any_kind() -> impl Strategy<Value = FacetKind> {
    prop::sample::select(FacetKind::ALL)
}

/// Queries of one term. The table has most of their numbers.
fn any_term() -> impl Strategy<Value = ProteinQuery> {
    prop_oneof![
        Just(ProteinQuery::Everything),
        (0_u32..5).prop_map(ProteinQuery::Biome),
        (0_u32..5).prop_map(|biome| ProteinQuery::And(vec![ProteinQuery::Biome(biome)])),
        (0_u64..9).prop_map(|family| ProteinQuery::Family(PfamAccession(family))),
        (0..4).prop_map(|clan| ProteinQuery::Clan(format!("CL{clan:04}"))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 3))]

    #[test]
    fn facets_match_a_scan(
        query in prop_oneof![any_query(), any_term()],
        by in any_kind(),
        top in 1..12_usize,
    ) {
        let (num_matches, expected) = scan(&query, by);
        let found = MODEL.generation.facets(&query, by, top, 1, u64::MAX).expect("sound").expect("unbounded");
        prop_assert_eq!(found.num_sampled, None);
        prop_assert_eq!((found.total.value, found.num_values), (num_matches, expected.len()));
        prop_assert_eq!(found.facets.len(), top.min(expected.len()));
        prop_assert!(found.facets.is_sorted_by(|one, other| one.count.value >= other.count.value));
        let least = found.facets.last().map_or(0, |facet| facet.count.value);
        for facet in &found.facets {
            let FacetCount { value, low, high } = facet.count;
            // Studies and assemblies are in the letter case of their first protein.
            let is_accession = matches!(by, FacetKind::Study | FacetKind::Assembly);
            let text = facet.value.as_ref().map(|text| if is_accession { text.to_uppercase() } else { text.clone() });
            prop_assert_eq!(expected.get(&text), Some(&value), "{:?}", facet);
            prop_assert_eq!([low, high], [value; 2]);
        }
        let num_larger = expected.values().filter(|&&count| count > least).count();
        prop_assert!(num_larger <= found.facets.len(), "none of the largest is missing");
        // A facet has the number of matches of a query with its value.
        if by != FacetKind::Architecture
            && let Some(Facet { value: Some(value), count, .. }) = found.facets.first()
        {
            let field = by.name();
            let quote = if by == FacetKind::Biome { "\"" } else { "" };
            let condition = format!("{field}:{quote}{value}{quote}");
            let condition = ProteinQuery::parse(&condition, MODEL.generation.biomes()).expect(&condition);
            let total = MODEL.generation.total(&ProteinQuery::And(vec![query, condition]), u64::MAX).expect("sound");
            prop_assert_eq!(total.value, count.value);
        }
    }

    #[test]
    fn enrichment_groups_match_a_scan(
        selection in prop_oneof![any_query(), any_term()],
        against in prop_oneof![Just(None), any_query().prop_map(Some), any_term().prop_map(Some)],
        by in prop_oneof![Just(FacetKind::Biome), Just(FacetKind::Pfam), Just(FacetKind::Clan)],
    ) {
        let found = MODEL.generation.enrichment(&selection, against.as_ref(), by, 100, 1, u64::MAX);
        let found = found.expect("sound").expect("unbounded");
        let known = ProteinQuery::Biome(0);
        let others = ProteinQuery::And(vec![
            against.unwrap_or(ProteinQuery::Everything),
            ProteinQuery::Not(Box::new(selection.clone())),
        ]);
        let group = |query: &ProteinQuery| {
            let (num_all, _) = scan(query, by);
            let (num_known, counts) = scan(&ProteinQuery::And(vec![query.clone(), known.clone()]), by);
            (num_known, num_all - num_known, counts)
        };
        let ((num, num_left_out, counts), (other_num, other_left_out, other_counts)) = (group(&selection), group(&others));
        prop_assert_eq!((found.num_selected, found.num_selected_without_biome), (num, num_left_out));
        prop_assert_eq!((found.num_background, found.num_background_without_biome), (other_num, other_left_out));
        let values: BTreeSet<_> = counts.keys().chain(other_counts.keys()).collect();
        prop_assert_eq!(found.values.iter().map(|value| &value.value).collect::<BTreeSet<_>>(), values);
        for value in &found.values {
            let count = |counts: &BTreeMap<_, u64>| counts.get(&value.value).copied().unwrap_or_default();
            prop_assert_eq!((value.count, value.background_count), (count(&counts), count(&other_counts)));
            prop_assert!(value.is_enriched.is_none() || value.count >= 10 || value.expected >= 10.0);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 12))]

    #[test]
    fn genes_beside_matches_are_those_of_a_scan(
        query in prop_oneof![any_query(), any_term()],
        by in prop_oneof![Just(FacetKind::Pfam), Just(FacetKind::Clan)],
        around in (1..8_u64, any::<bool>()),
    ) {
        let found = MODEL.generation.neighbourhood(&query, by, around, 100, 1, u64::MAX);
        let Neighbourhood { enrichment: found, num_places } = found.expect("sound").expect("unbounded");
        let genes = genes_beside(&query, around);
        prop_assert_eq!(found.num_sampled, None);
        prop_assert_eq!(num_places, genes.iter().filter(|(_, is_match, _)| *is_match).count() as u64);
        let group = |is_of: bool| {
            let mut counts: BTreeMap<Option<String>, u64> = BTreeMap::new();
            let records = genes.iter().filter(|(.., is_beside)| *is_beside == is_of);
            records.clone().flat_map(|(record, ..)| values(record, by)).for_each(|value| *counts.entry(value).or_default() += 1);
            (records.count() as u64, counts)
        };
        let ((num, counts), (other_num, other_counts)) = (group(true), group(false));
        prop_assert_eq!((found.num_selected, found.num_background), (num, other_num));
        let all: BTreeSet<_> = counts.keys().chain(other_counts.keys()).collect();
        prop_assert_eq!(found.values.iter().map(|value| &value.value).collect::<BTreeSet<_>>(), all);
        for value in &found.values {
            let count = |counts: &BTreeMap<_, u64>| counts.get(&value.value).copied().unwrap_or_default();
            prop_assert_eq!((value.count, value.background_count), (count(&counts), count(&other_counts)));
        }
    }
}

#[test]
fn neighbourhoods_of_many_matches_are_those_of_some_by_seed() {
    let query = ProteinQuery::parse("near(*, *, 100)", MODEL.generation.biomes()).expect("sound");
    let found = |seed, budget| {
        let found = MODEL.generation.neighbourhood(&query, FacetKind::Pfam, (5, false), 100, seed, budget);
        found.expect("sound").expect("within the budget")
    };
    let all = found(1, u64::MAX);
    let some = found(1, 20_000_000);
    assert_eq!((all.enrichment.num_sampled, some.enrichment.num_sampled), (None, Some(20)));
    assert!(some.num_places > 0 && some.num_places < all.num_places);
    let num_genes = |found: &Neighbourhood| (found.enrichment.num_selected, found.enrichment.num_background);
    let ((num, others), (num_some, others_of_some)) = (num_genes(&all), num_genes(&some));
    assert!(num_some < num && num + others == num_some + others_of_some, "{num_some} {num}");
    assert_eq!(found(1, 20_000_000), some);
    assert_ne!(found(2, 20_000_000), some);
    assert_eq!(MODEL.generation.neighbourhood(&query, FacetKind::Pfam, (5, false), 9, 1, 1000).expect("sound"), None);
}

/// The seeds are fixed, so that the test has one outcome.
#[test]
fn intervals_of_estimates_contain_the_exact_number() {
    const NUM_SEEDS: u64 = 200;
    let mut all_held: Vec<u64> = Vec::new();
    let texts = [
        "*",
        "pfam:PF1",
        "biome:root:Engineered AND NOT full_length:true",
        "cluster_size:[100 TO *]",
        "length:[10 TO 99]",
    ];
    let kinds = [FacetKind::Biome, FacetKind::Pfam, FacetKind::Architecture, FacetKind::Study, FacetKind::ClusterSize]
        .map(|kind| (kind, kind.name()));
    for (text, (by, name)) in texts.into_iter().flat_map(|text| kinds.map(|kind| (text, kind))) {
        let query = ProteinQuery::parse(text, MODEL.generation.biomes()).expect(text);
        let (num_matches, expected) = scan(&query, by);
        let mut num_held: BTreeMap<Option<String>, u64> = BTreeMap::new();
        let mut total_held = 0;
        for seed in 0..NUM_SEEDS {
            let sample = Sample::new(&MODEL.generation, 900, seed);
            let counts = sample.count(&MODEL.generation, &query, by, &mut Work::new(u64::MAX)).expect("sound");
            let facets = MODEL.generation.most_frequent(counts, by, usize::MAX, Some(&sample)).expect("sound");
            assert_eq!(facets.num_sampled, Some(900));
            let holds = |count: FacetCount, truth| {
                assert!(count.low <= count.value && count.value <= count.high, "{count:?}");
                (count.low..=count.high).contains(&truth)
            };
            total_held += u64::from(holds(facets.total, num_matches));
            let mut missing = expected.clone();
            for facet in facets.facets {
                let truth = missing.remove(&facet.value).expect("a value of a match");
                *num_held.entry(facet.value).or_default() += u64::from(holds(facet.count, truth));
            }
            for (value, truth) in missing {
                *num_held.entry(value).or_default() += u64::from(sample.scale(0).1[1] >= truth);
            }
        }
        num_held.insert(None, total_held);
        // By chance slightly fewer of the hundred values are inside their intervals.
        for (value, &num_held) in &num_held {
            assert!(num_held * 100 >= NUM_SEEDS * 92, "{text} {name} {value:?}: {num_held}");
        }
        all_held.extend(num_held.into_values());
    }
    let num_held: u64 = all_held.iter().sum();
    assert!(num_held * 100 >= NUM_SEEDS * all_held.len() as u64 * 95, "{num_held} of {}", all_held.len());
}

#[test]
fn growing_budgets_return_nothing_then_estimates_then_exact_numbers() {
    let query = ProteinQuery::parse("length:[2 TO *] AND NOT biome:root:Mixed", MODEL.generation.biomes());
    let query = query.expect("sound");
    let facets = |by, budget| {
        let facets = MODEL.generation.facets(&query, by, 10, 1, budget).expect("sound");
        facets.map(|facets| facets.num_sampled.is_some())
    };
    let enrichment = |by, budget| {
        let found = MODEL.generation.enrichment(&query, None, by, 10, 1, budget).expect("sound");
        found.map(|found| found.num_sampled.is_some())
    };
    let stages = |is_sampled: &dyn Fn(FacetKind, u64) -> Option<bool>, by| {
        let budgets = (10..28).flat_map(|bits| [4, 5, 6, 7].map(|part| part << bits)).chain([u64::MAX]);
        let mut stages: Vec<_> = budgets.map(|budget| is_sampled(by, budget)).collect();
        stages.dedup();
        stages
    };
    assert_eq!(stages(&facets, FacetKind::Architecture), [None, Some(true), Some(false)]);
    assert_eq!(stages(&enrichment, FacetKind::Architecture), [None, Some(true)]);
    // Reading all terms of few proteins is less work than a sample.
    assert_eq!(stages(&facets, FacetKind::Study), [None, Some(false)]);
    assert_eq!(stages(&enrichment, FacetKind::Study), [None, Some(false)]);
}

#[test]
fn samples_for_architectures_have_a_bounded_number_of_matches() {
    let facets = |text: &str| {
        let query = ProteinQuery::parse(text, MODEL.generation.biomes()).expect(text);
        let found = MODEL.generation.facets(&query, FacetKind::Architecture, 10, 1, 1 << 26).expect("sound");
        let found = found.expect("within the budget");
        let FacetCount { low, high, .. } = found.total;
        assert!((low..=high).contains(&scan(&query, FacetKind::Architecture).0), "{text}");
        found.num_sampled
    };
    // All match.
    assert_eq!(facets("length:[1 TO *]"), Some(count::RECORDS_MAX));
    // The fewer match, the larger the sample.
    let num_sampled = facets("biome:root:Engineered").expect("a sample");
    assert!((count::RECORDS_MAX * 5 / 4..count::RECORDS_MAX * 9).contains(&num_sampled), "{num_sampled}");
    assert_eq!(facets("cluster_size:[100 TO *]"), None);
}

#[test]
fn a_damaged_table_is_an_error() {
    let path = MODEL.generation.path.join(table::FILE);
    let release = MODEL.generation.manifest().contents.release();
    let bytes = std::fs::read(&path).expect("there");
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    for length in 0..bytes.len() {
        std::fs::write(folder.path().join(table::FILE), &bytes[..length]).expect("written");
        if let Ok(table) = FacetTable::open(folder.path(), release) {
            // A truncated file can look like a table; its checksum shows the damage.
            let _ = (table.row(&[0]), table.column(0, table::RowKind::NoFamily..table::RowKind::Biome));
        }
    }
    let mut flipped = bytes;
    let place = flipped.len() / 3;
    flipped[place] ^= 1;
    std::fs::write(folder.path().join(table::FILE), &flipped).expect("written");
    for file in std::fs::read_dir(&MODEL.generation.path).expect("there").map(|file| file.expect("readable")) {
        if file.file_name() != table::FILE {
            std::os::unix::fs::symlink(file.path(), folder.path().join(file.file_name())).expect("linked");
        }
    }
    let (biomes, families) = (MODEL.generation.biomes(), MODEL.generation.families());
    assert!(verify_table(folder.path(), release, biomes, families).is_err());
    assert!(verify_table(&MODEL.generation.path, release, biomes, families).is_ok());
}

#[test]
fn tables_do_not_depend_on_the_memory() {
    let entries = MODEL.generation.manifest().contents.release().segments;
    assert!(entries.len() > 1);
    assert_eq!(build::num_threads(entries, 0), 1);
    assert!((1..=entries.len()).contains(&build::num_threads(entries, usize::MAX)));
    let (biomes, families) = (MODEL.generation.biomes(), MODEL.generation.families());
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let [small, large] = [0, usize::MAX].map(|memory_bytes| {
        let mut table = Vec::new();
        build::write(&MODEL.generation.path, entries, biomes, families, folder.path(), memory_bytes, &mut table)
            .expect("sound");
        table
    });
    assert!(small == large && !small.is_empty());
}
