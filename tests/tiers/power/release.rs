//! Runs over a release.

mod clans;
#[path = "../../loading/release/contents.rs"]
mod contents;
#[path = "../../loading/release/expected.rs"]
mod expected;
mod full_disk;
#[path = "../../loading/release/runs.rs"]
mod runs;
