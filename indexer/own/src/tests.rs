//! Own proteins from files of all formats.

mod model;
mod real;

use std::collections::BTreeMap;
use std::fs;

use indexer::input::Input;
use indexer::run::{FileReport, Noted};
use store_proteins::{Occurrence, Strand};

use super::*;

/// The texts of the files of each kind.
#[derive(Clone, Debug, Default)]
struct Texts {
    proteins: Vec<Vec<u8>>,
    annotations: Vec<Vec<u8>>,
    pfam: Vec<Vec<u8>>,
    gff: Vec<Vec<u8>>,
}

/// The result of a run over some files.
#[derive(Debug)]
struct Outcome {
    proteins: Vec<Record>,
    notes: Notes,
    new_lineages: Vec<String>,
    files: Vec<FileReport>,
    /// File, line, reason and detail of each rejected row.
    rejected: Vec<(String, u64, String, String)>,
    biomes: BiomeTable,
}

fn tables() -> (BiomeTable, FamilyTable) {
    let mut biomes = BiomeTable::default();
    for (id, lineage) in [(0, "root"), (120, "root:Soil"), (158, "root:Air")] {
        biomes.insert(Some(id), lineage).expect("new");
    }
    let mut families = FamilyTable::default();
    families.insert("PF02826".parse().expect("a family"), "D-isomer specific 2-hydroxyacid dehydrogenase", None);
    (biomes, families)
}

/// Reads texts. Their files are named by kind and position, such as `proteins1`.
fn read_texts(texts: &Texts, defaults: &OwnAddPlan, memory_bytes: usize) -> Result<Outcome> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |kind: &str, texts: &[Vec<u8>]| -> Vec<Input> {
        let paths = (1..=texts.len()).map(|number| folder.path().join(format!("{kind}{number}")));
        let written = paths.zip(texts).map(|(path, text)| {
            fs::write(&path, text).expect("writable");
            Input::Path(path)
        });
        written.collect()
    };
    let plan = OwnAddPlan {
        proteins: write("proteins", &texts.proteins),
        annotations: write("annotations", &texts.annotations),
        pfam: write("pfam", &texts.pfam),
        gff: write("gff", &texts.gff),
        ..defaults.clone()
    };
    let names = plan.inputs().map(Input::name).collect();
    let mut rows = Rows::create(folder.path(), folder.path(), names, u64::MAX)?;
    let (mut biomes, families) = tables();
    let space = SortSpace { folder: folder.path(), memory_bytes };
    let mut proteins = Vec::new();
    let read = super::read(&plan, &mut biomes, space, &mut rows)?;
    let new_lineages = read.new_lineages.clone();
    let put = |protein| {
        proteins.push(protein);
        Ok(())
    };
    let (notes, _) = read.put(&biomes, &families, &mut rows, put)?;
    rows.finish(plan.inputs().count())?;
    for FileReport { name, num_read, num_accepted, passed_over, rejected, .. } in &rows.files {
        let num_left_out = passed_over.values().sum::<u64>() + rejected.values().sum::<u64>();
        assert_eq!(*num_read, num_accepted + num_left_out, "{name}");
    }
    let listed = fs::read_to_string(folder.path().join(indexer::run::REJECTS)).expect("written");
    let prefix = format!("{}/", folder.path().display());
    let rejected = listed.lines().skip(1).map(|line| {
        let line = line.replace(&prefix, "");
        let cells: Vec<&str> = line.split('\t').collect();
        (cells[0].to_owned(), cells[1].parse().expect("a line"), cells[2].to_owned(), cells[3].to_owned())
    });
    Ok(Outcome { proteins, notes, new_lineages, files: rows.files, rejected: rejected.collect(), biomes })
}

fn read_all(texts: &Texts) -> Outcome {
    read_texts(texts, &OwnAddPlan::default(), 1 << 20).expect("readable")
}

fn passed_over(file: &FileReport) -> BTreeMap<&'static str, u64> {
    file.passed_over.iter().map(|(why, &number)| (why.name(), number)).collect()
}

/// Returns rejected rows as file, line and reason.
fn rejected(outcome: &Outcome) -> Vec<(&str, u64, &str)> {
    outcome.rejected.iter().map(|(file, line, reason, _)| (&**file, *line, &**reason)).collect()
}

fn occurrence(contig: &str, start: u32, end: u32, strand: Strand) -> Occurrence {
    let (contig, contig_name) = (contig.to_owned(), contig.to_owned());
    Occurrence { study: String::new(), assembly: String::new(), contig, start, end, strand, contig_name }
}

#[test]
fn annotations_override_features_and_headers_and_defaults() {
    let texts = Texts {
        proteins: vec![
            b">c_1 # 1 # 9 # -1 # partial=00\nMK\n>c_2 # 1 # 9 # 1 # partial=00\nMK\n>three of mine\nMK\n>four\nMK"
                .to_vec(),
        ],
        gff: vec![b"d\tx\tCDS\t2\t10\t.\t+\t0\tID=c_1;partial=01\nd\tx\tCDS\t3\t11\t.\t-\t0\tID=three".to_vec()],
        annotations: vec![
            b"name\tstart\tend\tbiome\tdescription\nc_1\t4\t12\t158\tanother\nthree\t\t\t\t\n".to_vec(),
            b"name\tstudy\tfull_length\tcluster_size\nc_2\tmine\tfalse\t3\n".to_vec(),
        ],
        pfam: Vec::new(),
    };
    let defaults = OwnAddPlan {
        biome: Some("root:Mine".to_owned()),
        study: "S".to_owned(),
        assembly: "A".to_owned(),
        ..OwnAddPlan::default()
    };
    let outcome = read_texts(&texts, &defaults, 1 << 20).expect("readable");
    let actual: Vec<_> = outcome
        .proteins
        .iter()
        .map(|protein| {
            let Record { biomes, full_length, cluster_size, occurrences, .. } = protein;
            let [Occurrence { study, assembly, contig, start, end, strand, contig_name }] = &**occurrences else {
                panic!("{protein:?}")
            };
            assert_eq!(contig, contig_name);
            let [biome] = &**biomes else { panic!("{protein:?}") };
            assert_eq!(biome.count, 1);
            let (lineage, description) = (&*outcome.biomes[biome.biome].lineage, &*protein.description);
            let locus = (&**contig, *start, *end, *strand);
            (&**study, &**assembly, locus, *full_length, *cluster_size, lineage, description)
        })
        .collect();
    let (mine, air) = ("root:Mine", "root:Air");
    assert_eq!(
        actual,
        [
            ("S", "A", ("d", 4, 12, Strand::Forward), Some(false), 1, air, "another"),
            ("mine", "A", ("c", 1, 9, Strand::Forward), Some(false), 3, mine, ""),
            ("S", "A", ("d", 3, 11, Strand::Reverse), None, 1, mine, "of mine"),
            ("S", "A", ("", 0, 0, Strand::Forward), None, 1, mine, ""),
        ]
    );
    assert_eq!(outcome.new_lineages, [mine]);
}

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
fn parts_of_a_gene_are_joined_and_second_genes_are_passed_over() {
    let line = |contig: &str, kind: &str, range: &str, attributes: &str| {
        format!("{contig}\tx\t{kind}\t{range}\t.\t-\t0\t{attributes}\n")
    };
    let gff = [
        "##gff-version 3\n".to_owned(),
        line("c", "gene", "1\t90", "ID=gene1"),
        line("c", "CDS", "50\t90", "ID=cds-1;protein_id=one"),
        line("c", "CDS", "10\t40", "ID=cds-1;protein_id=one"),
        line("c", "CDS", "200\t240", "ID=cds-2;protein_id=one"),
        line("d", "CDS", "10\t40", "ID=cds-1;protein_id=one"),
        line("c", "CDS", "1\t9", "ID=cds-3;locus_tag=two;protein_id=unknown"),
        line("c", "CDS", "2\t9", "ID=one;locus_tag=two"),
        line("c", "CDS", "2\t9", "ID=cds-4;protein_id=nobody"),
        "##FASTA\n>c\nACGT\n".to_owned(),
    ];
    let texts = Texts {
        proteins: vec![b">one\nMK\n>two\nMK".to_vec()],
        gff: vec![gff.concat().into_bytes()],
        ..Texts::default()
    };
    let outcome = read_all(&texts);
    let loci: Vec<_> = outcome.proteins.iter().map(|protein| protein.occurrences.clone()).collect();
    assert_eq!(loci, [vec![occurrence("c", 10, 90, Strand::Reverse)], vec![occurrence("c", 1, 9, Strand::Reverse)]]);
    let file = &outcome.files[1];
    assert_eq!((file.num_read, file.num_accepted), (8, 3));
    let why = [("of another kind than CDS", 1), ("of no protein", 1), ("of another gene of a protein", 3)];
    assert_eq!(passed_over(file), BTreeMap::from(why));
}

#[test]
fn genes_over_the_origin_have_two_ranges_and_exons_one() {
    let gff = |strand: &str, ranges: &[(u32, u32)]| -> String {
        let line = |(number, (start, end)): (usize, &(u32, u32))| {
            format!("c\tx\tCDS\t{start}\t{end}\t.\t{strand}\t0\tID=g.t1.CDS{number};Parent=g.t1\n")
        };
        ranges.iter().enumerate().map(line).collect()
    };
    let two = |places: [(u32, u32); 2], strand| places.map(|(start, end)| occurrence("c", start, end, strand)).to_vec();
    let (forward, reverse) = (Strand::Forward, Strand::Reverse);
    for (strand, ranges, expected) in [
        ("+", &[(900, 1000), (1, 73)][..], two([(1, 73), (900, 1000)], forward)),
        ("-", &[(1, 73), (900, 1000)], two([(1, 73), (900, 1000)], reverse)),
        ("+", &[(700, 800), (900, 1000), (1, 73), (80, 90)], two([(1, 90), (700, 1000)], forward)),
        ("+", &[(1, 73), (900, 1000)], vec![occurrence("c", 1, 1000, forward)]),
        ("-", &[(900, 1000), (500, 600), (1, 73)], vec![occurrence("c", 1, 1000, reverse)]),
        ("+", &[(900, 1000), (2, 73)], vec![occurrence("c", 2, 1000, forward)]),
    ] {
        let texts = Texts {
            proteins: vec![b">g.t1\nMK\n".to_vec()],
            gff: vec![gff(strand, ranges).into_bytes()],
            ..Texts::default()
        };
        let outcome = read_all(&texts);
        assert_eq!(outcome.proteins[0].occurrences, expected, "{strand} {ranges:?}");
        assert_eq!(outcome.files[1].num_accepted, ranges.len() as u64);
    }
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
fn marks_carriage_returns_and_compression_are_removed() {
    let lines = |text: &str| [b"\xef\xbb\xbf", text.replace('\n', "\r\n").as_bytes()].concat();
    let texts = Texts {
        proteins: vec![lines(">one x\nMK\nV*\n\n")],
        annotations: vec![lines("Name\tstudy\n\none\tA\n")],
        pfam: vec![lines("# x\n\none - 9 m PF00005.3 9 1e-5 9 0 1 1 1e-5 1e-5 9 0 1 9 1 9 1 3 0.9 -\n")],
        gff: vec![lines("##gff-version 3\nc\tx\tCDS\t1\t9\t.\t+\t0\tID=one\n")],
    };
    let outcome = read_all(&texts);
    assert!(outcome.rejected.is_empty(), "{:?}", outcome.rejected);
    let [record] = &*outcome.proteins else { panic!("one protein") };
    assert_eq!(
        (&*record.name, &*record.description, &*record.sequence, record.pfam_hits.len()),
        ("one", "x", "MKV", 1)
    );
    assert_eq!(record.occurrences, [Occurrence { study: "A".to_owned(), ..occurrence("c", 1, 9, Strand::Forward) }]);
    assert!(outcome.files.iter().all(|file| (file.num_read, file.num_accepted) == (1, 1)));

    let zstd = |text: &Vec<u8>| zstd::encode_all(&**text, 1).expect("in memory");
    let all = |texts: &[Vec<u8>]| texts.iter().map(zstd).collect();
    let Texts { proteins, annotations, pfam, gff } = &texts;
    let packed = Texts { proteins: all(proteins), annotations: all(annotations), pfam: all(pfam), gff: all(gff) };
    assert_eq!(read_all(&packed).proteins, outcome.proteins);
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
