use std::collections::BTreeSet;

use proptest::prelude::*;
use store::seal_folder;

use super::*;

/// Merges parts and publishes the merged segment.
fn publish_merged(generations: &Generations, parts: &[&[u64]]) -> ProteinGeneration {
    let draft = generations.begin().expect("free");
    let path = draft.path().to_owned();
    let mut builder = ProteinsBuilder::new(draft, biomes(), FamilyTable::default(), 64 << 20);
    let parts = write_parts(&path, "part", parts);
    let merged = merge_segments(&path, &parts, "segment-00000").expect("merged");
    for part in parts {
        fs::remove_dir_all(path.join(part.folder)).expect("there");
    }
    let files = seal_folder(&path, &merged.folder).expect("sealed");
    builder.adopt(merged, files).expect("the first");
    builder.finish().expect("sound").publish(origin()).expect("published");
    ProteinGeneration::open_current(generations).expect("whole").expect("published")
}

fn publish_whole(generations: &Generations, numbers: &[u64]) -> ProteinGeneration {
    let table = biomes();
    let draft = generations.begin().expect("free");
    let mut builder = ProteinsBuilder::new(draft, table.clone(), FamilyTable::default(), 64 << 20);
    for &number in numbers {
        builder.add(accession(number), &stored(&table, number)).expect("ascending");
    }
    builder.finish().expect("sound").publish(origin()).expect("published");
    ProteinGeneration::open_current(generations).expect("whole").expect("published")
}

fn assert_same(left: &ProteinGeneration, right: &ProteinGeneration, numbers: &[u64]) {
    let families = (1..=6).map(|number| ProteinQuery::Family(PfamAccession(number)));
    let biomes = (0..).zip(left.biomes().iter());
    let biomes = biomes.flat_map(|(biome, _)| [ProteinQuery::BiomeExact(biome), ProteinQuery::Biome(biome)]);
    for query in families.chain(biomes).chain([ProteinQuery::Everything]) {
        for limit in [1, 7, 200, usize::MAX] {
            let found = left.search(&query, limit).expect("whole");
            assert_eq!(found, right.search(&query, limit).expect("whole"));
            let page = left.page(&query, None, limit, u64::MAX).expect("whole");
            assert_eq!(found, page.hits.into_iter().map(ProteinHit::from).collect::<Vec<_>>(), "{query:?}");
        }
    }
    for &number in numbers {
        let found = left.fetch(accession(number)).expect("whole");
        assert!(found.is_some() && found == right.fetch(accession(number)).expect("whole"), "{number}");
    }
    assert_eq!(left.fetch(accession(999_999_999_999)).expect("whole"), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn merged_parts_are_one_segment(
        numbers in proptest::collection::btree_set(1_u64..1_000_000, 1..600),
        cuts in proptest::collection::vec(any::<proptest::sample::Index>(), 0..6),
    ) {
        let numbers: Vec<u64> = numbers.into_iter().collect();
        let cuts: BTreeSet<usize> = cuts.iter().map(|cut| cut.index(numbers.len())).filter(|&cut| cut > 0).collect();
        let mut parts = Vec::new();
        let mut rest = &*numbers;
        for cut in cuts.into_iter().rev() {
            let (left, part) = rest.split_at(cut);
            parts.insert(0, part);
            rest = left;
        }
        parts.insert(0, rest);
        let folder = TempDir::new().expect("a temporary folder");
        let merged = publish_merged(&Generations::new(folder.path().join("merged")), &parts);
        let whole = publish_whole(&Generations::new(folder.path().join("whole")), &numbers);
        assert_same(&merged, &whole, &numbers);
        merged.verify().expect("sound");
    }
}

#[test]
fn order_is_kept_over_parts_of_all_sizes_and_merged_again() {
    let numbers: Vec<u64> = (1..=6000).map(|number| number * 3).collect();
    // Some are copied document by document, others block by block.
    let (one, rest) = numbers.split_at(1);
    let (many, rest) = rest.split_at(3000);
    let (two, rest) = rest.split_at(2);
    let folder = TempDir::new().expect("a temporary folder");
    let merged = publish_merged(&Generations::new(folder.path().join("merged")), &[one, many, two, rest]);
    let whole = publish_whole(&Generations::new(folder.path().join("whole")), &numbers);
    assert_eq!(merged.manifest().contents.segments, whole.manifest().contents.segments);
    assert_same(&merged, &whole, &numbers);
    assert_eq!(merged.verify().expect("sound").num_records, 6000);

    let path = folder.path();
    let parts = write_parts(path, "part", &[one, many, two, rest]);
    let left = merge_segments(path, &parts[..2], "left").expect("merged");
    let right = merge_segments(path, &parts[2..], "right").expect("merged");
    let again = merge_segments(path, &[left, right], "again").expect("merged");
    assert_eq!(SegmentEntry { folder: "segment-00000".into(), ..again }, merged.manifest().contents.segments[0]);
}

#[test]
fn parts_must_ascend_and_fit() {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path();
    let mut parts = write_parts(path, "part", &[&[1, 5], &[6, 9], &[9, 12]]);
    assert!(matches!(merge_segments(path, &[], "merged"), Err(Error::Merge { .. })));
    assert!(matches!(merge_segments(path, &parts, "merged"), Err(Error::Unordered { previous: 9, found: 9 })));
    parts.swap(0, 1);
    assert!(matches!(merge_segments(path, &parts[..2], "merged"), Err(Error::Unordered { previous: 9, found: 1 })));
    parts[0].num_docs = SEGMENT_DOCS_MAX;
    assert!(matches!(
        merge_segments(path, &[parts[0].clone(), parts[2].clone()], "merged"),
        Err(Error::Unordered { .. })
    ));
    parts.swap(0, 1);
    assert!(matches!(merge_segments(path, &parts[..2], "merged"), Err(Error::Merge { .. })));
    parts[1].num_docs = 3;
    assert!(matches!(merge_segments(path, &parts[..2], "merged"), Err(Error::Altered { .. })));
    assert!(!path.join("merged").try_exists().expect("readable"), "nothing is left of what failed");

    let mut writer = SegmentWriter::create(path, "empty", 1 << 20).expect("new");
    let (unknown, families) = (BiomeTable::default(), FamilyTable::default());
    assert!(writer.add(&unknown, &families, accession(7), &record(&biomes(), 7)).is_err(), "the biome is unknown");
    assert_eq!(writer.finish().expect("removed"), None);
    assert!(!path.join("empty").try_exists().expect("readable"));
}

#[test]
fn a_damaged_part_is_an_error() {
    let numbers: Vec<u64> = (1..=3000).collect();
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path();
    let parts = write_parts(path, "part", &[&numbers[..1500], &numbers[1500..]]);
    let damages: [fn(&Path, &[u8]); 3] = [
        |path, bytes| fs::write(path, &bytes[..bytes.len() / 2]).expect("writable"),
        |path, bytes| fs::write(path, vec![0xff; bytes.len()]).expect("writable"),
        |path, _| fs::remove_file(path).expect("there"),
    ];
    for extension in ["idx", "term", "fast", "store"] {
        let files = fs::read_dir(path.join("part-1")).expect("a folder").map(|entry| entry.expect("a file").path());
        let file = files.into_iter().find(|file| file.extension().is_some_and(|found| found == extension));
        let file = file.expect(extension);
        let bytes = fs::read(&file).expect("readable");
        for damage in damages {
            damage(&file, &bytes);
            let error = merge_segments(path, &parts, "merged").expect_err(extension);
            assert!(matches!(error, Error::Altered { .. } | Error::Index { .. } | Error::Io { .. }), "{error}");
            fs::write(&file, &bytes).expect("writable");
        }
        // The footer and its checksum are not checked; the bytes between are.
        let mut inside = bytes.clone();
        let length = inside.len();
        inside[..length - 200].fill(0xff);
        fs::write(&file, &inside).expect("writable");
        assert!(merge_segments(path, &parts, "merged").is_err(), "{extension}");
        fs::write(&file, &bytes).expect("writable");
    }
    merge_segments(path, &parts, "merged").expect("mended");
}
