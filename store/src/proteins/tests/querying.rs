//! Random queries of all operators over random proteins, against a plain scan of their records.

use std::sync::{Arc, LazyLock};

use proptest::prelude::*;

use super::*;

const NUM_PROTEINS: u64 = 9000;

/// Accessions have gaps.
const GAP: u64 = 3;

pub(in crate::proteins) struct Model {
    _folder: TempDir,
    pub(in crate::proteins) generation: Arc<ProteinGeneration>,
    pub(in crate::proteins) proteins: Vec<(ProteinAccession, Record)>,
}

fn families() -> FamilyTable {
    let mut families = FamilyTable::default();
    for (family, clan) in [(1, Some("CL0001")), (2, Some("CL0001")), (3, Some("CL0002")), (4, None)] {
        families.insert(PfamAccession(family), "a family", clan);
    }
    families
}

/// Returns a record whose properties are of all frequencies: some are everywhere, some in long runs, some in a few proteins.
fn varied_record(table: &BiomeTable, number: u64) -> Record {
    let mut random = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut below = |limit: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % limit
    };
    let mut record = record(table, number);
    record.full_length =
        [Some(false), Some(false), Some(false), Some(true), None][usize::try_from(below(5)).expect("small")];
    let (size_bits, length_bits) = (below(30), below(4));
    record.cluster_size = match below(40) {
        0 => 100 + below(1 << size_bits),
        1 => 0,
        2..8 => 2 + below(20),
        _ => 1,
    };
    let length = usize::try_from(1 + below(30 << length_bits)).expect("small");
    record.sequence = "ACDEFGHIKL".chars().cycle().take(length).collect();
    let num_hits = below(4).saturating_sub(1);
    let family = |number: u64| if number == 0 { 5 } else { 1 + u64::from(number.ilog2()) };
    record.pfam_hits = (0..num_hits)
        .map(|_| PfamHit {
            family: PfamAccession(family(below(60))),
            evalue: 0.0,
            bit_score: 1.0,
            hmm_start: 1,
            hmm_end: 2,
            env_start: 1,
            env_end: 2,
        })
        .collect();
    record.biomes =
        (0..below(4)).map(|_| BiomeCount { biome: u32::try_from(below(5)).expect("small"), count: 1 }).collect();
    let run = number / 700;
    record.occurrences = (0..below(3))
        .map(|occurrence| Occurrence {
            study: if below(9) == 0 { String::new() } else { format!("ERP{:06}", run % 3 + occurrence) },
            assembly: format!("erz{run:06}"),
            contig: "MGYC000000000001".into(),
            start: 1,
            end: 9,
            strand: Strand::Forward,
            contig_name: String::new(),
        })
        .collect();
    record
}

pub(in crate::proteins) static MODEL: LazyLock<Model> = LazyLock::new(|| {
    let folder = TempDir::new().expect("a temporary folder");
    let generations = Generations::new(folder.path());
    let draft = generations.begin().expect("free");
    let path = draft.path().to_owned();
    let (table, families) = (biomes(), families());
    let proteins: Vec<_> =
        (1..=NUM_PROTEINS).map(|number| (accession(number * GAP), varied_record(&table, number))).collect();
    let mut builder = ProteinsBuilder::new(draft, table.clone(), families.clone(), 64 << 20);
    // A small segment, one merged of two, and a large one.
    let mut entries = Vec::new();
    for (part, range) in [0..100, 100..1500, 1500..3000, 3000..9000].into_iter().enumerate() {
        let mut writer = SegmentWriter::create(&path, &format!("part-{part}"), 64 << 20).expect("new");
        for (accession, record) in &proteins[range] {
            writer.add(&table, &families, *accession, record).expect("ascending");
        }
        entries.push(writer.finish().expect("written").expect("not empty"));
    }
    let merged = merge_segments(&path, &entries[1..3], "merged").expect("merged");
    for part in entries.splice(1..3, [merged]) {
        fs::remove_dir_all(path.join(part.folder)).expect("there");
    }
    for entry in entries {
        let files = seal_folder(&path, &entry.folder).expect("sealed");
        builder.adopt(entry, files).expect("ascending");
    }
    builder.finish().expect("sound").publish(origin()).expect("published");
    let generation = ProteinGeneration::open_current(&generations).expect("whole").expect("published");
    Model { _folder: folder, generation: Arc::new(generation), proteins }
});

pub(in crate::proteins) fn matches(query: &ProteinQuery, accession: ProteinAccession, record: &Record) -> bool {
    let (table, families) = (MODEL.generation.biomes(), MODEL.generation.families());
    let in_biome = |biome: u32| record.biomes.iter().any(|entry| entry.biome == biome);
    match query {
        ProteinQuery::Everything => true,
        ProteinQuery::And(parts) => parts.iter().all(|part| matches(part, accession, record)),
        ProteinQuery::Or(parts) => parts.iter().any(|part| matches(part, accession, record)),
        ProteinQuery::Not(part) => !matches(part, accession, record),
        ProteinQuery::Biome(biome) => {
            let below = |other: &u32| {
                let (lineage, other) = (&table[*biome].lineage, &table[*other].lineage);
                other == lineage || other.starts_with(&format!("{lineage}:"))
            };
            record.biomes.iter().map(|entry| entry.biome).any(|biome| below(&biome))
        }
        ProteinQuery::BiomeExact(biome) => in_biome(*biome),
        ProteinQuery::Family(family) => record.pfam_hits.iter().any(|hit| hit.family == *family),
        ProteinQuery::AnyFamily => !record.pfam_hits.is_empty(),
        ProteinQuery::Clan(clan) => record
            .pfam_hits
            .iter()
            .any(|hit| families.get(hit.family).and_then(|family| family.clan.as_deref()) == Some(clan)),
        ProteinQuery::Study(study) => record.occurrences.iter().any(|occurrence| occurrence.study == *study),
        ProteinQuery::Assembly(assembly) => {
            record.occurrences.iter().any(|occurrence| occurrence.assembly.eq_ignore_ascii_case(assembly))
        }
        ProteinQuery::FullLength(full_length) => record.full_length == Some(*full_length),
        ProteinQuery::ClusterSize(sizes) => sizes.contains(&record.cluster_size),
        ProteinQuery::Length(lengths) => lengths.contains(&(record.sequence.len() as u64)),
        ProteinQuery::Accession(accessions) => accessions.contains(&accession),
        ProteinQuery::Digest(digest) => digest.algorithm().digest(&record.sequence) == *digest,
    }
}

/// Returns what a plain scan finds.
fn scan(query: &ProteinQuery) -> Vec<FoundProtein> {
    let found = MODEL.proteins.iter().filter(|(accession, record)| matches(query, *accession, record));
    let hit = |(accession, record): &(ProteinAccession, Record)| FoundProtein {
        accession: *accession,
        length: record.sequence.len() as u64,
        full_length: record.full_length,
        cluster_size: record.cluster_size,
    };
    found.map(hit).collect()
}

/// Returns the hits of all pages behind a cursor.
fn pages(query: &ProteinQuery, mut after: Option<ProteinAccession>, limit: usize, budget: u64) -> Vec<FoundProtein> {
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

pub(in crate::proteins) fn any_query() -> impl Strategy<Value = ProteinQuery> {
    let leaf = prop_oneof![
        1 => Just(ProteinQuery::Everything),
        3 => (0_u32..5).prop_map(ProteinQuery::Biome),
        2 => (0_u32..5).prop_map(ProteinQuery::BiomeExact),
        3 => (1_u64..9).prop_map(|family| ProteinQuery::Family(PfamAccession(family))),
        1 => Just(ProteinQuery::AnyFamily),
        2 => (1..4).prop_map(|clan| ProteinQuery::Clan(format!("CL{clan:04}"))),
        2 => (0..5).prop_map(|study| ProteinQuery::Study(format!("ERP{study:06}"))),
        2 => (0..15).prop_map(|assembly| ProteinQuery::Assembly(format!("ERZ{assembly:06}"))),
        2 => any::<bool>().prop_map(ProteinQuery::FullLength),
        3 => any_range(300).prop_map(ProteinQuery::ClusterSize),
        3 => any_range(300).prop_map(ProteinQuery::Length),
        2 => (1..NUM_PROTEINS * GAP, 1..NUM_PROTEINS * GAP).prop_map(|(one, other)| {
            ProteinQuery::Accession(accession(one.min(other))..=accession(one.max(other)))
        }),
    ];
    leaf.prop_recursive(5, 40, 6, |part| {
        prop_oneof![
            3 => proptest::collection::vec(part.clone(), 0..6).prop_map(ProteinQuery::And),
            3 => proptest::collection::vec(part.clone(), 0..40).prop_map(ProteinQuery::Or),
            2 => part.prop_map(|part| ProteinQuery::Not(Box::new(part))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn queries_find_what_a_scan_finds(
        query in any_query(),
        limit in prop_oneof![Just(1_usize), 2..50_usize, Just(1000), Just(100_000)],
        budget in prop_oneof![Just(0_u64), 1..5000_u64, Just(PAGE_BUDGET)],
        after in prop_oneof![Just(0), 1..NUM_PROTEINS * GAP + 9, Just(NUM_PROTEINS * GAP)],
    ) {
        let expected = scan(&query);
        // Small pages of the whole would take long; they begin near the end.
        let after = if limit < 50 { after.max((NUM_PROTEINS - 300) * GAP) } else { after };
        let after = ProteinAccession::new(after).ok();
        let behind = expected.iter().filter(|hit| after.is_none_or(|after| hit.accession > after)).copied();
        prop_assert_eq!(pages(&query, after, limit, budget), behind.collect::<Vec<_>>());

        let value = expected.len() as u64;
        prop_assert_eq!(MODEL.generation.total(&query, u64::MAX).expect("sound"), Total { value, relation: Relation::Eq });
        let total = MODEL.generation.total(&query, budget).expect("sound");
        let is_exact = total.relation == Relation::Eq;
        prop_assert!(total.value == value || !is_exact && total.value < value);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn orders_and_samples_are_those_of_a_scan(
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

/// Returns by how many of its standard deviations the chi-square statistic of counts is above its mean. Each count is that of the draws,
/// of so many, in which something was drawn that is drawn with a probability of 1/8.
fn deviation(counts: &[u32], num_draws: u32) -> f64 {
    let expected = f64::from(num_draws) / 8.0;
    let squares = counts.iter().map(|&count| (f64::from(count) - expected).powi(2)).sum::<f64>();
    let mean = f64::from(u32::try_from(counts.len()).expect("few"));
    (squares / (expected * 7.0 / 8.0) - mean) / (2.0 * mean).sqrt()
}

/// The seeds are fixed, so that the test has one outcome.
#[test]
fn samples_are_uniform_however_they_are_taken() {
    const NUM_DRAWS: u32 = 400;
    // Many matches, whose proteins are tried, and few, all of which are visited.
    for text in ["*", "NOT full_length:true", "pfam:PF1 AND biome:2", "cluster_size:[100 TO *]"] {
        let query = ProteinQuery::parse(text, MODEL.generation.biomes()).expect(text);
        let matches = scan(&query);
        // So many that an eighth of them can be drawn.
        let matches = &matches[..matches.len() / 8 * 8];
        let last = matches.last().expect("some").accession;
        let query = ProteinQuery::And(vec![query, ProteinQuery::Accession(accession(1)..=last)]);
        let mut counts = vec![0; matches.len()];
        // Neighbours are drawn together as rarely as others.
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
fn streams_go_on_behind_their_cursor_and_read_records_in_order() {
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
    assert_eq!(verification.num_records, NUM_PROTEINS);
}
