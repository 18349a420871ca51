//! Numbered states of a small index: the content shows the number of the state, and any mixture of
//! states.

use std::fmt::Write;

use store_proteins::{ProteinGeneration, ProteinHit, ProteinQuery};

/// The biome table of all states.
pub const BIOMES: &str = "biome_id\tlineage\n0\troot\n1\troot:Water\n2\troot:Water:Sea\n";

/// The clans table of all states.
pub const CLANS: &str = "PF00001\tCL0192\tGPCR_A\t7tm_1\t7 transmembrane receptor\n\
                         PF00005\tCL0023\tP-loop_NTPase\tABC_tran\tABC transporter\n";

/// The number of proteins that all states have.
pub const NUM_COMMON: u64 = 30;

/// Returns the accessions of a state in ascending order: those of all states, and those of the odd
/// or of the even states.
pub fn accessions(number: u64) -> impl Iterator<Item = u64> {
    let own = if number % 2 == 1 { 101..=115 } else { 201..=210 };
    (1..=NUM_COMMON).chain(own)
}

/// Returns the sequence that all proteins of a state have.
pub fn sequence(number: u64) -> String {
    let letters = number.to_string().bytes().map(|digit| char::from(digit - b'0' + b'A')).collect::<String>();
    format!("MKV{letters}")
}

/// Returns the rows of a state. The cluster size of all of them is its number.
pub fn rows(number: u64) -> String {
    let mut rows = String::from("mgyp,sequence,full_length,cluster_size,metadata\n");
    let sequence = sequence(number);
    for accession in accessions(number) {
        let metadata = r#"{""b"":[[2,1]],""p"":[[""PF00005"",1e-9,40.5,1,5,1,4]]}"#;
        writeln!(rows, "{accession},{sequence},true,{number},\"{metadata}\"").expect("memory");
    }
    rows
}

/// Returns the number of the state that a generation holds, after checking that it holds exactly
/// that state.
pub fn number_of(generation: &ProteinGeneration) -> u64 {
    let query = ProteinQuery::with_biome_id(2, generation.biomes());
    let hits = generation.search(&query, usize::MAX).expect("a readable index");
    let number = hits.first().expect("no state is empty").cluster_size;
    let found: Vec<_> = hits.iter().map(|hit| (hit.accession.number(), hit.cluster_size)).collect();
    let expected: Vec<_> = accessions(number).map(|accession| (accession, number)).collect();
    assert_eq!(found, expected, "state {number}");
    for ProteinHit { accession, .. } in hits {
        let protein = generation.fetch(accession).expect("a readable record").expect("what is found is there");
        assert_eq!((protein.cluster_size, protein.sequence), (number, sequence(number)), "{accession}");
    }
    number
}
