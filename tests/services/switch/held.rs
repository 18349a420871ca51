//! Requests that hold a generation while it is replaced and removed.

use std::fs;
use std::sync::Arc;

use store::{GenerationName, ProteinAccession};
use store_proteins::ProteinQuery;
use support::TestFolder;
use support::machine::wait_for;

use super::{publish, served};

/// Returns whether this process has a file of a generation mapped into its memory, removed or not.
fn is_mapped(generation: GenerationName) -> bool {
    fs::read_to_string("/proc/self/maps").is_ok_and(|maps| maps.contains(&generation.to_string()))
}

#[tokio::test]
async fn held_snapshots_answer_from_removed_generations_until_dropped() {
    let folder = TestFolder::empty();
    let first = publish(&folder, 1);
    let proteins = folder.proteins();
    let held = proteins.current().expect("loaded");
    for number in 2..=3 {
        let name = publish(&folder, number);
        assert_eq!(proteins.refresh().expect("whole"), Some(name));
    }
    assert!(!folder.generations().path(first).try_exists().expect("readable"), "only the one before is kept");

    assert_eq!(held.name(), first);
    let hits = held.search(&ProteinQuery::Everything, 1000).expect("still open");
    let found: Vec<_> = hits.iter().map(|hit| (hit.accession.number(), hit.cluster_size)).collect();
    assert_eq!(found, support::states::accessions(1).map(|accession| (accession, 1)).collect::<Vec<_>>());
    for accession in support::states::accessions(1) {
        let accession = ProteinAccession::new(accession).expect("in range");
        let protein = held.fetch(accession).expect("still open").expect("was found");
        assert_eq!(protein.sequence, support::states::sequence(1));
    }
    assert_eq!(served(&proteins), folder.generations().current().expect("readable").map(|name| name.to_string()));

    assert!(is_mapped(first));
    let weak = Arc::downgrade(&held);
    drop(held);
    assert!(weak.upgrade().is_none(), "nothing else keeps the old generation");
    wait_for("the files to be closed", || (!is_mapped(first)).then_some(()));
}
