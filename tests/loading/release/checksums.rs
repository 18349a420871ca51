//! Indexes of the digests of sequences, of releases and of rows.

use std::collections::HashMap;

use indexer_release::ReleasePlan;
use indexer_synth::SynthLayout;
use store::ProteinAccession;
use store_proteins::{DigestAlgorithm, ProteinGeneration, ProteinQuery, RecordParts};

use crate::loading::release::plan::plan;
use crate::loading::release::synthetic::{Synthetic, synth_plan};
use support::TestFolder;

/// The number of proteins that a release has, with all members of clusters.
const NUM_PROTEINS: u64 = 4000;

/// So little that digests are sorted on the disk.
const TINY_MEMORY_BYTES: usize = 1 << 20;

/// Looks up the sequences of all proteins, whose number is given.
fn assert_found(folder: &TestFolder, num_proteins: u64) {
    let generation = ProteinGeneration::open_current(&folder.generations()).expect("whole").expect("published");
    generation.verify().expect("sound");
    let mut records = generation.reader(RecordParts::SEQUENCE);
    let mut expected: HashMap<String, Vec<ProteinAccession>> = HashMap::new();
    for hit in generation.search(&ProteinQuery::Everything, usize::MAX).expect("sound") {
        let protein = records.fetch(hit.accession).expect("sound").expect("there");
        expected.entry(protein.sequence).or_default().push(hit.accession);
    }
    assert_eq!(expected.values().map(Vec::len).sum::<usize>() as u64, num_proteins);
    let checksums = generation.checksums().expect("wanted");
    for (sequence, accessions) in expected.iter().step_by(11) {
        assert_eq!(checksums.find_sequence(sequence, None, usize::MAX).expect("sound"), *accessions, "{sequence}");
        for algorithm in DigestAlgorithm::ALL {
            let found = checksums.find(&algorithm.digest(sequence), None, 1).expect("sound");
            assert_eq!(found, accessions[..1], "{sequence}");
        }
        assert!(checksums.find_sequence(&format!("{sequence}WW"), None, 1).expect("sound").is_empty());
    }
}

#[test]
fn all_sequences_of_a_release_are_found() {
    let release = Synthetic::write(&synth_plan(SynthLayout::Parquet, NUM_PROTEINS));
    let folder = TestFolder::empty();
    let plan = ReleasePlan {
        all_proteins: true,
        checksums: true,
        memory_bytes: TINY_MEMORY_BYTES,
        ..plan(&folder, &release.path())
    };
    let published = plan.run().expect("a release");
    assert!(published.report.stages.iter().any(|stage| stage.name == "digesting"), "{:?}", published.report.stages);
    assert_found(&folder, published.report.release.expect("a run over a release").num_proteins);
}
