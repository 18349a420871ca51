//! Look-ups of sequences are compared with a plain scan.

use proptest::prelude::*;
use store::QUERY_TERMS_MAX;

use super::*;

/// Publishes proteins with some sequences, whose accessions have gaps, and an index of their
/// digests.
fn publish(generations: &Generations, sequences: &[String]) -> ProteinGeneration {
    let draft = generations.begin().expect("free");
    let mut builder = ProteinsBuilder::new(draft, biomes(), FamilyTable::default(), 64 << 20);
    for (number, sequence) in (1..).zip(sequences) {
        let mut stored = Vec::new();
        Record { sequence: sequence.clone(), ..Record::default() }.encode(accession(number * 3), &mut stored);
        builder.add(accession(number * 3), &stored).expect("ascending");
    }
    let mut built = builder.finish().expect("sound");
    let release = built.contents().release();
    let writer = built.begin_checksums(release).expect("a new folder");
    let mut entries = [Vec::new(), Vec::new()];
    let visited = built.for_each_sequence(release, |accession, sequence| {
        for (algorithm, entries) in DigestAlgorithm::ALL.into_iter().zip(&mut entries) {
            entries.extend(writer.entry().keys(algorithm, sequence).map(|key| (key, accession)));
        }
        Ok::<_, Error>(())
    });
    visited.expect("readable");
    for (algorithm, mut entries) in DigestAlgorithm::ALL.into_iter().zip(entries) {
        entries.sort_unstable();
        let mut digests = writer.digests(algorithm).expect("new files");
        for (key, accession) in entries {
            digests.add(key, accession).expect("ascending");
        }
        digests.finish().expect("sound");
    }
    built.add_checksums(vec![writer.entry().clone()]);
    built.publish(origin()).expect("published");
    ProteinGeneration::open_current(generations).expect("whole").expect("published")
}

fn scan(sequences: &[String], is_match: impl Fn(&str) -> bool) -> Vec<ProteinAccession> {
    let matching = (1..).zip(sequences).filter(|(_, sequence)| is_match(sequence));
    matching.map(|(number, _)| accession(number * 3)).collect()
}

fn check(generation: &ProteinGeneration, sequences: &[String], wanted: &str) {
    let checksums = generation.checksums().expect("an index");
    // A stop at the end of one of them makes no difference.
    let bare = wanted.strip_suffix('*').unwrap_or(wanted);
    let expected = scan(sequences, |sequence| sequence == bare || sequence.strip_suffix('*') == Some(bare));
    assert_eq!(checksums.find_sequence(wanted, None, usize::MAX).expect("sound"), expected, "{wanted}");
    // In pages.
    let (mut paged, mut after) = (Vec::<ProteinAccession>::new(), None);
    loop {
        let page = checksums.find_sequence(wanted, after, 3).expect("sound");
        paged.extend(&page);
        after = page.last().copied();
        if page.len() < 3 {
            break;
        }
    }
    assert_eq!(paged, expected, "{wanted}");
    // A digest is that of a sequence with or without its stop.
    let expected = scan(sequences, |sequence| sequence == wanted || sequence.strip_suffix('*') == Some(wanted));
    for algorithm in DigestAlgorithm::ALL {
        let digest = algorithm.digest(wanted);
        assert_eq!(checksums.find(&digest, None, usize::MAX).expect("sound"), expected, "{wanted} {digest}");
        let text = format!("{}:{digest}", algorithm.name());
        let query = ProteinQuery::parse(&text, generation.biomes()).expect(&text);
        let query = generation.resolve_lookups(query).expect("sound");
        if query.num_terms() <= QUERY_TERMS_MAX {
            let found = generation.search(&query, usize::MAX).expect("sound");
            assert_eq!(found.into_iter().map(|hit| hit.accession).collect::<Vec<_>>(), expected, "{text}");
        } else {
            assert!(expected.len() > QUERY_TERMS_MAX);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn look_ups_match_a_scan(
        sequences in proptest::collection::vec("[MK]{1,4}[*]?|[A-Z*-]{5,40}", 0..700),
        others in proptest::collection::vec("[MK]{1,5}[*]?|[A-Z*-]{5,40}", 20),
    ) {
        let folder = TempDir::new().expect("a temporary folder");
        let generation = publish(&Generations::new(folder.path()), &sequences);
        for wanted in sequences.iter().step_by(sequences.len().div_ceil(60).max(1)).chain(&others) {
            check(&generation, &sequences, wanted);
            check(&generation, &sequences, &format!("{wanted}*"));
        }
        generation.verify().expect("sound");
    }
}

#[test]
fn many_proteins_may_have_one_sequence() {
    let many = |text: &str, count| std::iter::repeat_n(text.to_owned(), count);
    let sequences: Vec<String> = many("MKV", 700).chain(many("MKVLA", 2000)).chain(many("MKV*", 400)).collect();
    let folder = TempDir::new().expect("a temporary folder");
    let generation = publish(&Generations::new(folder.path()), &sequences);
    for wanted in ["MKV", "MKV*", "MKVLA", "MKVL"] {
        check(&generation, &sequences, wanted);
    }
    generation.verify().expect("sound");
}

#[test]
fn damaged_digests_are_found() {
    let folder = TempDir::new().expect("a temporary folder");
    let generations = Generations::new(folder.path());
    let sequences: Vec<String> = (0..300).map(|number| format!("MKV{}", "A".repeat(number))).collect();
    let generation = publish(&generations, &sequences);
    let path = generations.path(generation.name()).join("checksums/sha512t24u.buckets");
    let mut bytes = fs::read(&path).expect("readable");
    let last = bytes.len() - 8;
    bytes[last] ^= 1;
    fs::write(&path, bytes).expect("writable");
    assert!(generation.verify().is_err());
}

#[test]
fn without_an_index_digests_match_nothing() {
    let folder = TempDir::new().expect("a temporary folder");
    let generations = Generations::new(folder.path());
    let builder = ProteinsBuilder::new(generations.begin().expect("free"), biomes(), FamilyTable::default(), 64 << 20);
    builder.finish().expect("sound").publish(origin()).expect("published");
    let generation = ProteinGeneration::open_current(&generations).expect("whole").expect("published");
    assert!(generation.checksums().is_none());
    let query = ProteinQuery::Digest(DigestAlgorithm::Md5.digest("MKV"));
    assert!(query.has_digest() && ProteinQuery::Not(Box::new(query.clone())).has_digest());
    assert_eq!(generation.resolve_lookups(query).expect("sound"), ProteinQuery::Or(Vec::new()));
}
