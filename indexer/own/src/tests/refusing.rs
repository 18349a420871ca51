//! Rows that are rejected or noted, and files and defaults that are refused.

use indexer::run::Noted;

use super::*;

#[test]
fn duplicate_and_unknown_rows_are_rejected() {
    let hit =
        |name: &str, to: u64| format!("{name} - 9 m PF00005.3 9 1e-5 9 0 1 1 1e-5 1e-5 9 0 1 9 1 9 1 {to} 0.9 -\n");
    let texts = Texts {
        proteins: vec![b">one\nMKV*\n>two\nMkx7\n>One\nMK\n".to_vec(), b">three\nMK\n>one again\nMKKK\n".to_vec()],
        annotations: vec![b"name\tstudy\none\tA\nOne\tA\n".to_vec(), b"study\tname\nB\tone\nB\ttwo\n".to_vec()],
        pfam: vec![[hit("one", 3), hit("one", 3), hit("one", 4), hit("ONE", 1), hit("three", 2)].concat().into_bytes()],
        gff: Vec::new(),
    };
    let outcome = read_all(&texts);
    let names: Vec<&str> = outcome.proteins.iter().map(|protein| &*protein.name).collect();
    assert_eq!(names, ["one", "One", "three"]);
    let mut actual = rejected(&outcome);
    actual.sort_unstable();
    assert_eq!(
        actual,
        [
            ("annotations2", 2, "duplicate_annotation"),
            ("annotations2", 3, "unknown_name"),
            ("pfam1", 2, "duplicate_annotation"),
            ("pfam1", 3, "bad_number"),
            ("pfam1", 4, "unknown_name"),
            ("proteins1", 3, "bad_sequence"),
            ("proteins2", 3, "duplicate_name"),
        ]
    );
    let details: BTreeMap<_, _> =
        outcome.rejected.iter().map(|(file, line, _, detail)| ((&**file, *line), &**detail)).collect();
    assert!(details[&("proteins2", 3)].ends_with("proteins1, line 1"), "{details:?}");
    assert_eq!(details[&("proteins1", 3)], "two: '7' at position 4");
    assert_eq!(details[&("pfam1", 3)], "one: the envelope ends at 4, and the sequence at 3");
    assert_eq!(details[&("annotations2", 3)], "no accepted protein is named \"two\"");
    assert!(details[&("annotations2", 2)].ends_with("annotations1, line 2"), "{details:?}");
    assert_eq!(outcome.notes.unknown_family_hits, BTreeMap::from([("PF00005".to_owned(), 2)]));
}

#[test]
fn unusual_rows_are_noted_and_nucleotides_are_rejected() {
    let dna = "ATGC".repeat(10);
    let faa = format!(
        ">blocks of ten\nMKVLA AGIVG\tLCA\n>gaps\nM-K..V-\n>stop\nMK*V*\n>title \x01\nMK\n>dna\n{dna}\n>12\nMK\n>12.fasta\nM\n"
    );
    let texts = Texts { proteins: vec![faa.into_bytes()], ..Texts::default() };
    let outcome = read_all(&texts);
    let sequences: Vec<_> = outcome.proteins.iter().map(|protein| &*protein.sequence).collect();
    assert_eq!(sequences, ["MKVLAAGIVGLCA", "MKV", "MK*V", "MK", "MK", "M"]);
    assert_eq!(rejected(&outcome), [("proteins1", 9, "bad_sequence")]);
    assert!(outcome.rejected[0].3.contains("--allow-nucleotides"), "{:?}", outcome.rejected);
    let noted: Vec<_> = outcome.files[0].noted.iter().map(|(noted, rows)| (*noted, rows.num, &*rows.lines)).collect();
    assert_eq!(
        noted,
        [
            (Noted::FixedText, 1, &[7][..]),
            (Noted::Gaps, 1, &[3]),
            (Noted::InnerStop, 1, &[5]),
            (Noted::ShadowedName, 2, &[11, 13])
        ]
    );
    let defaults = OwnAddPlan { allow_nucleotides: true, ..OwnAddPlan::default() };
    assert_eq!(read_texts(&texts, &defaults, 1 << 20).expect("readable").proteins[4].sequence, dna);
}

#[test]
fn invalid_utf8_rejects_the_row_and_cut_files_fail() {
    let hit = b"one \xff 9 m PF00005.3 9 1e-5 9 0 1 1 1e-5 1e-5 9 0 1 9 1 9 1 3 0.9 -\n";
    let texts = Texts {
        proteins: vec![b"MK\n>\xff\nMK\n>one\nMK\n>two\nM\xff\n>three\n>four\n*\n".to_vec()],
        annotations: vec![b"name\n\xff\n".to_vec()],
        pfam: vec![hit.to_vec()],
        gff: vec![b"c\tx\tCDS\t1\t9\t.\t+\t0\tID=\xff\n".to_vec()],
    };
    let outcome = read_all(&texts);
    assert_eq!(
        rejected(&outcome),
        [
            ("proteins1", 1, "bad_row"),
            ("proteins1", 2, "bad_row"),
            ("proteins1", 6, "bad_sequence"),
            ("proteins1", 8, "bad_sequence"),
            ("proteins1", 9, "bad_sequence"),
            ("annotations1", 2, "bad_row"),
            ("pfam1", 1, "bad_row"),
            ("gff1", 1, "bad_row"),
        ]
    );
    let cut = |text: &[u8]| {
        let mut bytes = zstd::encode_all(text, 1).expect("in memory");
        bytes.truncate(bytes.len() - 3);
        vec![bytes]
    };
    let proteins = vec![b">one\nMK\n".to_vec()];
    for texts in [
        Texts { proteins: cut(&proteins[0]), ..Texts::default() },
        // Unused sequences are also read to their end.
        Texts { proteins, gff: cut(b"##FASTA\n>c\nACGT\n"), ..Texts::default() },
    ] {
        let error = read_texts(&texts, &OwnAddPlan::default(), 1 << 20).expect_err("cut").to_string();
        assert!(error.contains("it is cut off"), "{error}");
    }
}

#[test]
fn bad_headers_and_bad_defaults_fail_the_run() {
    let proteins = vec![b">one\nMK\n".to_vec()];
    let annotations = vec![b"\nname\tstuddy\none\tx\n".to_vec()];
    let texts = Texts { proteins, annotations, ..Texts::default() };
    let error_of = |texts, defaults| read_texts(texts, &defaults, 1 << 20).expect_err("refused").to_string();
    let error = error_of(&texts, OwnAddPlan::default());
    assert!(error.ends_with("annotations1, line 2: unknown column \"studdy\": did you mean study?"), "{error}");
    let biome = Some("Soil".to_owned());
    let error = error_of(&texts, OwnAddPlan { biome, ..OwnAddPlan::default() });
    assert_eq!(error, "biome \"Soil\" does not begin with root, and is not an id");
    let error = error_of(&texts, OwnAddPlan { study: "a\nb".to_owned(), ..OwnAddPlan::default() });
    assert_eq!(error, "study \"a\\nb\" has control characters");
    let error = error_of(&texts, OwnAddPlan { study: "a\u{202e}b".to_owned(), ..OwnAddPlan::default() });
    assert_eq!(error, "study \"a\\u{202e}b\" has control characters");
}

#[test]
fn number_of_hits_of_a_protein_is_bounded() {
    let hit = |to| format!("one - 9 m PF00005.3 9 1e-5 9 0 1 1 1e-5 1e-5 9 0 1 9 1 9 1 {to} 0.9 -\n");
    let hits: String = (1..=10_001).map(hit).collect();
    let proteins = vec![format!(">one\n{}\n", "M".repeat(10_001)).into_bytes()];
    let outcome = read_all(&Texts { proteins, pfam: vec![hits.into_bytes()], ..Texts::default() });
    assert_eq!(rejected(&outcome), [("pfam1", 10_001, "too_long")]);
    assert_eq!(outcome.proteins[0].pfam_hits.len(), 10_000);
}
