//! Random queries of all operators over random proteins are compared with a plain scan of their
//! records.

use std::sync::Arc;

use proptest::prelude::*;

use super::model::{GAP, MODEL, NUM_PROTEINS, NUM_SOURCE, matches};
use super::*;

/// Returns the matches of a plain scan.
pub(super) fn scan(query: &ProteinQuery) -> Vec<FoundProtein> {
    let found = MODEL.proteins.iter().filter(|(accession, record)| matches(query, *accession, record));
    let hit = |(accession, record): &(ProteinAccession, Record)| FoundProtein {
        accession: *accession,
        length: record.sequence.len() as u64,
        full_length: record.full_length,
        cluster_size: record.cluster_size,
    };
    found.map(hit).collect()
}

/// Returns the hits of all pages after a cursor.
pub(super) fn pages(
    query: &ProteinQuery,
    mut after: Option<ProteinAccession>,
    limit: usize,
    budget: u64,
) -> Vec<FoundProtein> {
    let mut hits = Vec::new();
    loop {
        let page = MODEL.generation.page(query, after, limit, budget).expect("sound");
        assert!(page.hits.len() <= limit);
        assert!(after < page.next || page.next.is_none(), "{after:?} {:?}", page.next);
        hits.extend(page.hits);
        match page.next {
            None => return hits,
            next => after = next,
        }
    }
}

fn any_range(max: u64) -> impl Strategy<Value = std::ops::RangeInclusive<u64>> {
    let end = prop_oneof![3 => 0..max, 1 => 0..6_u64, 1 => Just(u64::MAX), 1 => (0..20_u32).prop_map(|bits| 1 << bits)];
    (end.clone(), end).prop_map(|(one, other)| one.min(other)..=one.max(other))
}

fn near(part: impl Strategy<Value = ProteinQuery> + Clone + 'static) -> impl Strategy<Value = ProteinQuery> + Clone {
    let genes = prop_oneof![3 => 1..4_u64, 1 => 1..=NEAR_GENES_MAX];
    (part.clone(), part, genes, any::<bool>()).prop_map(|(of, beside, genes, same_strand)| ProteinQuery::Near {
        of: Box::new(of),
        beside: Box::new(beside),
        genes,
        same_strand,
    })
}

pub(crate) fn any_query() -> impl Strategy<Value = ProteinQuery> {
    let leaf = prop_oneof![
        1 => Just(ProteinQuery::Everything),
        3 => (0_u32..6).prop_map(ProteinQuery::Biome),
        2 => (0_u32..6).prop_map(ProteinQuery::BiomeExact),
        3 => (1_u64..9).prop_map(|family| ProteinQuery::Family(PfamAccession(family))),
        1 => Just(ProteinQuery::AnyFamily),
        2 => (1..4).prop_map(|clan| ProteinQuery::Clan(format!("CL{clan:04}"))),
        2 => (0..5).prop_map(|study| ProteinQuery::Study(format!("ERP{study:06}"))),
        2 => (0..15).prop_map(|assembly| ProteinQuery::Assembly(format!("ERZ{assembly:06}"))),
        2 => any::<bool>().prop_map(ProteinQuery::FullLength),
        3 => any_range(300).prop_map(ProteinQuery::ClusterSize),
        3 => any_range(300).prop_map(ProteinQuery::Length),
        1 => (0..NUM_SOURCE + 9).prop_map(|number| ProteinQuery::Name(format!("protein {number}"))),
        1 => prop_oneof![Just("release"), Just("soil"), Just("Air"), Just("sea")]
            .prop_map(|name| MODEL.generation.find_source(name).map_or(ProteinQuery::Or(vec![]), ProteinQuery::Accession)),
        2 => (1..NUM_PROTEINS * GAP, 1..NUM_PROTEINS * GAP).prop_map(|(one, other)| {
            ProteinQuery::Accession(accession(one.min(other))..=accession(one.max(other)))
        }),
    ]
    .boxed();
    let small = prop_oneof![
        2 => leaf.clone(),
        1 => leaf.clone().prop_map(|part| ProteinQuery::Not(Box::new(part))),
        1 => proptest::collection::vec(leaf.clone(), 0..4).prop_map(ProteinQuery::And),
        1 => proptest::collection::vec(leaf.clone(), 0..4).prop_map(ProteinQuery::Or),
    ]
    .boxed();
    let nested = prop_oneof![2 => small.clone(), 1 => near(small.clone())].boxed();
    prop_oneof![8 => leaf, 1 => near(small), 1 => near(nested)].prop_recursive(5, 40, 6, |part| {
        prop_oneof![
            3 => proptest::collection::vec(part.clone(), 0..6).prop_map(ProteinQuery::And),
            3 => proptest::collection::vec(part.clone(), 0..40).prop_map(ProteinQuery::Or),
            2 => part.prop_map(|part| ProteinQuery::Not(Box::new(part))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 8))]

    #[test]
    fn queries_match_a_scan(
        query in any_query(),
        limit in prop_oneof![Just(1_usize), 2..50_usize, Just(1000), Just(100_000)],
        budget in prop_oneof![Just(0_u64), 1..5000_u64, Just(PAGE_BUDGET)],
        after in prop_oneof![Just(0), 1..NUM_PROTEINS * GAP + 9, Just(NUM_PROTEINS * GAP)],
    ) {
        let expected = scan(&query);
        // The matches are the same if conditions are narrowed.
        let query = if limit % 2 == 0 { MODEL.generation.resolve_lookups(query).expect("sound") } else { query };
        // Small pages of all proteins would take long; they begin near the end.
        let after = if limit < 50 { after.max((NUM_PROTEINS - 300) * GAP) } else { after };
        let after = ProteinAccession::new(after).ok();
        let following = expected.iter().filter(|hit| after.is_none_or(|after| hit.accession > after)).copied();
        prop_assert_eq!(pages(&query, after, limit, budget), following.collect::<Vec<_>>());

        let end = after.unwrap_or(ProteinAccession::MAX);
        let before: Vec<_> = expected.iter().filter(|hit| hit.accession < end).copied().collect();
        let last = &before[before.len().saturating_sub(limit)..];
        prop_assert_eq!(MODEL.generation.hits_before(&query, end, limit, u64::MAX).expect("sound"), last);
        prop_assert!(last.ends_with(&MODEL.generation.hits_before(&query, end, limit, budget).expect("sound")));

        let value = expected.len() as u64;
        prop_assert_eq!(MODEL.generation.total(&query, u64::MAX).expect("sound"), Total { value, relation: Relation::Eq });
        let total = MODEL.generation.total(&query, budget).expect("sound");
        let is_exact = total.relation == Relation::Eq;
        prop_assert!(total.value == value || !is_exact && total.value < value);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 8))]

    #[test]
    fn orders_and_samples_match_a_scan(
        query in any_query(),
        num_wanted in prop_oneof![0..3_usize, 3..200_usize, Just(1000), Just(10_000)],
        seed: u64,
    ) {
        let expected = scan(&query);
        for text in ["length", "-length", "cluster_size", "-cluster_size"] {
            let found = MODEL.generation.first_in_order(&query, text.parse().expect(text), num_wanted, u64::MAX);
            let number = |hit: &FoundProtein| if text.ends_with("length") { hit.length } else { hit.cluster_size };
            let mut expected = expected.clone();
            expected.sort_by_key(|hit| if text.starts_with('-') { !number(hit) } else { number(hit) });
            expected.truncate(num_wanted);
            prop_assert_eq!(found.expect("sound"), Some(expected), "{}", text);
        }

        let sample = MODEL.generation.sample(&query, num_wanted, seed, u64::MAX).expect("sound").expect("unbounded");
        prop_assert_eq!(sample.len(), num_wanted.min(expected.len()));
        prop_assert!(sample.is_sorted_by_key(|hit| hit.accession));
        prop_assert!(sample.iter().all(|hit| expected.binary_search_by_key(&hit.accession, |hit| hit.accession).is_ok()));
        let again = MODEL.generation.sample(&query, num_wanted, seed, u64::MAX).expect("sound");
        prop_assert_eq!(again, Some(sample));
    }
}

/// Returns the distance between the chi-square statistic of counts and its mean, in standard
/// deviations. Each count is the number of draws, of `num_draws`, that contain something with a
/// probability of 1/8.
fn deviation(counts: &[u32], num_draws: u32) -> f64 {
    let expected = f64::from(num_draws) / 8.0;
    let squares = counts.iter().map(|&count| (f64::from(count) - expected).powi(2)).sum::<f64>();
    let mean = f64::from(u32::try_from(counts.len()).expect("few"));
    (squares / (expected * 7.0 / 8.0) - mean) / (2.0 * mean).sqrt()
}

/// The seeds are fixed, so that the test has one outcome.
#[test]
fn samples_are_uniform_by_either_method() {
    const NUM_DRAWS: u32 = 400;
    // Many matches, whose proteins are tried, and few, which are all visited.
    for text in ["*", "NOT full_length:true", "pfam:PF1 AND biome:2", "cluster_size:[100 TO *]"] {
        let query = ProteinQuery::parse(text, MODEL.generation.biomes()).expect(text);
        let matches = scan(&query);
        // Enough matches that an eighth of them can be drawn.
        let matches = &matches[..matches.len() / 8 * 8];
        let last = matches.last().expect("some").accession;
        let query = ProteinQuery::And(vec![query, ProteinQuery::Accession(accession(1)..=last)]);
        let mut counts = vec![0; matches.len()];
        // Neighbours are not drawn together more often than others.
        let mut num_neighbours = 0_u32;
        for seed in 0..NUM_DRAWS {
            let sample = MODEL.generation.sample(&query, matches.len() / 8, seed.into(), u64::MAX).expect("sound");
            let mut previous = usize::MAX - 1;
            for hit in sample.expect("unbounded") {
                let index = matches.binary_search_by_key(&hit.accession, |hit| hit.accession).expect("a match");
                counts[index] += 1;
                num_neighbours += u32::from(index == previous + 1);
                previous = index;
            }
        }
        let by_chance = deviation(&counts, NUM_DRAWS);
        assert!(by_chance.abs() < 4.0, "{text}: {by_chance}");
        let expected = f64::from(NUM_DRAWS * u32::try_from(matches.len()).expect("few")) / 64.0;
        let by_chance = (f64::from(num_neighbours) - expected) / expected.sqrt();
        assert!(by_chance.abs() < 4.0, "{text}: {by_chance}");
    }
}

#[test]
fn orders_and_samples_end_with_their_budgets() {
    let query = ProteinQuery::parse("pfam:PF1 AND biome:2", MODEL.generation.biomes()).expect("sound");
    let order = ProteinOrder::Length { descending: true };
    assert_eq!(MODEL.generation.first_in_order(&query, order, 5000, 1).expect("sound"), None);
    assert_eq!(MODEL.generation.sample(&query, 5000, 1, 1).expect("sound"), None);
    // Trying one protein looks up all families.
    let families = ProteinQuery::Or((0..1000).map(|number| ProteinQuery::Family(PfamAccession(number % 5))).collect());
    assert_eq!(MODEL.generation.sample(&families, 5000, 1, 100_000).expect("sound"), None);
    let all = MODEL.generation.sample(&query, usize::MAX, 1, u64::MAX).expect("sound");
    assert_eq!(all, Some(scan(&query)));
}

#[test]
fn totals_of_single_conditions_are_known_at_once() {
    let parsed = |text| ProteinQuery::parse(text, MODEL.generation.biomes()).expect(text);
    for text in [
        "*",
        "NOT *",
        "biome:root",
        "NOT biome_exact:2",
        "pfam:PF1",
        "pfam:PF9",
        "clan:CL0001",
        "has:pfam",
        "full_length:true",
        "NOT full_length:true",
        "length:[64 TO 127]",
        "cluster_size:1",
        "accession:[30 TO 299]",
    ] {
        let value = scan(&parsed(text)).len() as u64;
        let total = MODEL.generation.total(&parsed(text), 0).expect("sound");
        assert_eq!(total, Total { value, relation: Relation::Eq }, "{text}");
    }
    let unknown = MODEL.generation.total(&parsed("pfam:PF1 AND biome:2"), 0).expect("sound");
    assert_eq!(unknown, Total { value: 0, relation: Relation::Gte });
}

#[test]
fn streams_continue_after_their_cursor_and_read_records_in_order() {
    let query = ProteinQuery::Not(Box::new(ProteinQuery::FullLength(true)));
    let expected = scan(&query);
    let after = expected[10].accession;
    let stream = ProteinPages::new(Arc::clone(&MODEL.generation), query, Some(after), Some(2500));
    let mut found = Vec::new();
    for page in stream {
        found.extend(page.expect("sound").hits);
    }
    assert_eq!(found, expected[11..2511]);
    let mut reader = MODEL.generation.reader(RecordParts::ALL);
    let mut sequences = MODEL.generation.reader(RecordParts::SEQUENCE);
    for hit in found.iter().step_by(7).chain(&found[..3]) {
        let protein = reader.fetch(hit.accession).expect("sound");
        assert_eq!(protein, MODEL.generation.fetch(hit.accession).expect("sound"));
        assert_eq!(protein.as_ref().map(|protein| protein.sequence.len() as u64), Some(hit.length));
        let expected = protein.map(|protein| Protein {
            biomes: Vec::new(),
            pfam_annotations: Vec::new(),
            occurrences: Vec::new(),
            ..protein
        });
        assert_eq!(sequences.fetch(hit.accession).expect("sound"), expected);
    }
    assert_eq!(reader.fetch(accession(1)).expect("sound"), None);
    assert_eq!(reader.fetch(ProteinAccession::MAX).expect("sound"), None);
}

#[test]
fn everything_that_queries_need_is_verified() {
    let verification = MODEL.generation.verify().expect("sound");
    assert_eq!(verification.num_records, MODEL.proteins.len() as u64);
}
