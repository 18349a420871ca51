//! Joining the parts of a protein, from files of any encoding.

use super::*;

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
