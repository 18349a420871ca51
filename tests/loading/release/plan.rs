//! Runs over a release.

use std::collections::BTreeSet;
use std::path::Path;

use crate::loading::release::synthetic::file_names;
use indexer::{Acceptance, Input, Published};
use indexer_release::ReleasePlan;
use support::families;
use support::{TestFolder, data};

/// The memory of a run, the minimum that the command line accepts.
pub(crate) const MEMORY_BYTES: usize = 64 << 20;

/// Returns a plan over a release, the bundled biomes and the families of the release that allows
/// any number of bad rows.
pub(crate) fn plan(folder: &TestFolder, release: &Path) -> ReleasePlan {
    let clans = Some(families::table_path(release)).filter(|path| path.is_file());
    ReleasePlan {
        generations: folder.generations().root().to_owned(),
        release: release.to_owned(),
        biomes: Input::Path(data("proteins/biomes_id_lineage.tsv")),
        pfam: Input::Path(clans.unwrap_or_else(|| data("proteins/Pfam-A.clans.tsv.gz"))),
        pfam_version: None,
        superseded: None,
        previous: None,
        all_proteins: false,
        members: false,
        contigs: false,
        contig_names: true,
        checksums: false,
        memory_bytes: MEMORY_BYTES,
        num_threads: 2,
        max_rejects: u64::MAX,
        without_own: false,
        fresh: false,
        acceptance: Acceptance::default(),
    }
}

/// Indexes a release.
pub(crate) fn index(folder: &TestFolder, release: &Path) -> Published {
    plan(folder, release).run().expect("a release")
}

/// Runs a plan that must fail, checks that the index that was there before is untouched, and
/// returns the message.
pub(crate) fn failure(folder: &TestFolder, plan: &ReleasePlan) -> String {
    let published = |folder: &TestFolder| -> BTreeSet<String> {
        if !folder.generations().root().try_exists().expect("readable") {
            return BTreeSet::new();
        }
        let names = file_names(folder.generations().root());
        names.into_iter().filter(|name| name.starts_with("gen-") || name == "CURRENT").collect()
    };
    let current = |folder: &TestFolder| folder.generations().current().expect("readable");
    let before = (published(folder), current(folder));
    let message = plan.run().expect_err("the run must fail").to_string();
    assert_eq!((published(folder), current(folder)), before, "{message}");
    message
}
