use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::*;

fn accession(number: u64) -> ProteinAccession {
    ProteinAccession::new(number).expect("in range")
}

fn any_hit() -> impl Strategy<Value = PfamHit> {
    (any::<u64>(), any::<f32>(), any::<u32>(), any::<[u32; 4]>()).prop_map(|(family, evalue, bits, positions)| {
        PfamHit {
            family: PfamAccession(family),
            evalue: if evalue.is_nan() { 0.0 } else { evalue.into() },
            bit_score: f64::from(bits) / 10.0,
            hmm_start: positions[0],
            hmm_end: positions[1],
            env_start: positions[2],
            env_end: positions[3],
        }
    })
}

fn any_occurrence() -> impl Strategy<Value = Occurrence> {
    let study = prop_oneof![Just(String::new()), "ERP[0-9]{6}"];
    let assembly = prop_oneof!["ERZ[0-9]{5,8}", "[a-z]{0,3}"];
    (study, assembly, "MGYC[0-9]{12}", option::of("\\PC{0,20}"), any::<bool>(), any::<[u32; 2]>(), any::<bool>())
        .prop_map(|(study, assembly, contig, name, prefixed, [start, end], reverse)| {
            let contig_name = match name {
                None => contig.clone(),
                Some(name) if prefixed => format!("{assembly}{name}"),
                Some(name) => name,
            };
            let strand = if reverse { Strand::Reverse } else { Strand::Forward };
            Occurrence { study, assembly, contig, start, end, strand, contig_name }
        })
}

prop_compose! {
    fn any_record()(
        texts in prop_oneof![Just([String::new(), String::new()]), ["\\PC{0,20}", "\\PC{0,300}"]],
        sequence in "[A-Z*-]{0,300}",
        full_length: Option<bool>,
        cluster_size in 0..=Record::CLUSTER_SIZE_MAX,
        biomes in vec((any::<u32>(), any::<u64>()), 0..5),
        pfam_hits in vec(any_hit(), 0..5),
        occurrences in vec(any_occurrence(), 0..5),
    ) -> Record {
        let biomes = biomes.into_iter().map(|(biome, count)| BiomeCount { biome, count }).collect();
        let [name, description] = texts;
        Record { name, description, sequence, full_length, cluster_size, biomes, pfam_hits, occurrences }
    }
}

proptest! {
    #[test]
    fn records_round_trip(record in any_record(), number in 1_u64..1_000_000_000_000) {
        let mut stored = Vec::new();
        record.encode(accession(number), &mut stored);
        prop_assert_eq!(Record::decode(accession(number), &stored), Ok(record.clone()));
        for parts in 0..1 << 5 {
            let wants = |part: u8| parts & 1 << part != 0;
            let mut expected = record.clone();
            let mut wanted = RecordParts::NONE;
            if wants(0) { wanted = wanted | RecordParts::BIOMES } else { expected.biomes.clear() }
            if wants(1) { wanted = wanted | RecordParts::PFAM_HITS } else { expected.pfam_hits.clear() }
            if wants(2) { wanted = wanted | RecordParts::SEQUENCE } else { expected.sequence.clear() }
            if wants(3) { wanted = wanted | RecordParts::OCCURRENCES } else { expected.occurrences.clear() }
            if wants(4) {
                wanted = wanted | RecordParts::NAME;
            } else {
                expected.name.clear();
                expected.description.clear();
            }
            prop_assert_eq!(Record::decode_parts(accession(number), &stored, wanted), Ok(expected));
        }
    }

    #[test]
    fn damage_is_found(record in any_record(), number in 1_u64..1_000_000, position: prop::sample::Index, flip in 1_u8..) {
        let mut stored = Vec::new();
        record.encode(accession(number), &mut stored);
        prop_assert_eq!(Record::decode(accession(number + 1), &stored), Err(RecordError::Checksum));
        let position = position.index(stored.len());
        stored[position] ^= flip;
        prop_assert!(Record::decode(accession(number), &stored).is_err());
    }

    #[test]
    fn arbitrary_bytes_with_a_valid_checksum_are_rejected_or_read(
        version in VERSION..=NAMED_VERSION,
        mut bytes in vec(any::<u8>(), 0..200),
    ) {
        bytes.insert(0, version);
        let sum = checksum(accession(7), &bytes);
        bytes.extend(sum.to_le_bytes());
        // Neither a panic nor an allocation beyond the input's size.
        let _ = Record::decode(accession(7), &bytes);
    }
}

#[test]
fn other_versions_are_rejected() {
    let mut stored = Vec::new();
    Record::default().encode(accession(7), &mut stored);
    stored.truncate(stored.len() - CHECKSUM_BYTES);
    stored[0] = VERSION - 1;
    let sum = checksum(accession(7), &stored);
    stored.extend(sum.to_le_bytes());
    assert_eq!(Record::decode(accession(7), &stored), Err(RecordError::Version(VERSION - 1)));
}

#[test]
fn a_documented_record_is_compact() {
    let record = Record {
        sequence:
            "EESGVTRAVQGAGDEVPGEVFFEKGVVEETLRGGPAGEAAAGDTEAATAETDDGHLGSVGRNEKTSFAELKAEYESGDLEWVDDEDRETGPDTGESEHSK"
                .into(),
        full_length: Some(false),
        cluster_size: 1,
        biomes: vec![BiomeCount { biome: 132, count: 1 }],
        pfam_hits: vec![PfamHit {
            family: PfamAccession(4659),
            evalue: 1.130_179_013_931_611_7e-22,
            bit_score: 87.552_055_358_886_72,
            hmm_start: 2,
            hmm_end: 95,
            env_start: 325,
            env_end: 412,
        }],
        occurrences: vec![Occurrence {
            study: "ERP108403".into(),
            assembly: "ERZ534239".into(),
            contig: "MGYC000564781877".into(),
            start: 931,
            end: 2196,
            strand: Strand::Reverse,
            contig_name: "MGYC000564781877".into(),
        }],
        ..Record::default()
    };
    let mut stored = Vec::new();
    record.encode(accession(261_684_433), &mut stored);
    assert_eq!(stored.len(), 103, "100 residues, a hit and an occurrence");
}
