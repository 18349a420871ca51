//! Real files: two contigs through Pyrodigal, and both searches of HMMER.

use super::*;

const PROTEINS: &[u8] = include_bytes!("../../../../data/proteins/own/assembly.faa");
const FEATURES: &[u8] = include_bytes!("../../../../data/proteins/own/assembly.gff");
const HMMSEARCH: &[u8] = include_bytes!("../../../../data/proteins/own/hmmsearch.domtblout");
const HMMSCAN: &[u8] = include_bytes!("../../../../data/proteins/own/hmmscan.domtblout");

#[test]
fn headers_and_features_agree() {
    let texts = Texts { proteins: vec![PROTEINS.to_vec()], ..Texts::default() };
    let outcome = read_all(&texts);
    let names: Vec<&str> = outcome.proteins.iter().map(|protein| &*protein.name).collect();
    let expected = [("a", 1..=6), ("b", 1..=3)]
        .map(|(contig, genes)| genes.map(|gene| format!("OFHT01000022_{contig}_{gene}")).collect::<Vec<_>>());
    assert_eq!(names, expected.concat());
    let Record { sequence, full_length, occurrences, .. } = &outcome.proteins[8];
    assert!(!sequence.contains('*') && sequence.len() == 149);
    assert_eq!(
        (*full_length, &**occurrences),
        (Some(false), &[occurrence("OFHT01000022_b", 8049, 8498, Strand::Reverse)][..])
    );
    assert_eq!(outcome.proteins[1].full_length, Some(true));

    // The same proteins without the facts in their headers, and with the features instead.
    let bare = String::from_utf8_lossy(PROTEINS)
        .lines()
        .fold(String::new(), |text, line| text + line.split(" # ").next().expect("a name") + "\n");
    let bare = Texts { proteins: vec![bare.into_bytes()], gff: vec![FEATURES.to_vec()], ..Texts::default() };
    let by_features = read_all(&bare);
    assert_eq!(by_features.proteins, outcome.proteins);
    assert_eq!((by_features.files[1].num_read, by_features.files[1].num_accepted), (9, 9));
}

#[test]
fn both_searches_give_the_same_hit() {
    // Without accessions, either side may be the model.
    let other_models = ["OFHT01000022_b_2 or Thioesterase", "Thioesterase or OFHT01000022_b_2"];
    for (hits, other_model) in [HMMSEARCH, HMMSCAN].into_iter().zip(other_models) {
        let texts = Texts { proteins: vec![PROTEINS.to_vec()], pfam: vec![hits.to_vec()], ..Texts::default() };
        let outcome = read_all(&texts);
        assert!(outcome.rejected.is_empty());
        let [hit] = &*outcome.proteins[3].pfam_hits else { panic!("no hit") };
        let envelope = (hit.env_start, hit.env_end);
        assert_eq!((hit.family.0, envelope, hit.hmm_start, hit.hmm_end), (2826, (136, 246), 30, 124));
        assert_eq!(hit.bit_score.to_string(), "29");
        let file = &outcome.files[1];
        assert_eq!((file.num_read, file.num_accepted), (2, 1));
        assert_eq!(passed_over(file), BTreeMap::from([("of a model that is not of Pfam", 1)]));
        let notes = &outcome.notes;
        assert_eq!(notes.other_model_hits, BTreeMap::from([(other_model.to_owned(), 1)]));
        assert_eq!((notes.pfam_hits, notes.unknown_family_hits.len()), (1, 0));
    }
    // The second search finds nothing new.
    let pfam = vec![HMMSEARCH.to_vec(), HMMSCAN.to_vec()];
    let outcome = read_all(&Texts { proteins: vec![PROTEINS.to_vec()], pfam, ..Texts::default() });
    assert_eq!(rejected(&outcome), [("pfam2", 4, "duplicate_annotation")]);
}
