//! Clients are told when the engine takes a commit no more.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::committer::Shared;
use super::watch::Watch;
use crate::Result;

/// How long a commit may take. A disk that is asked to sync and does not answer for so long is as good as gone.
const PATIENCE: Duration = Duration::from_mins(1);

/// Starts to watch. The engine writes in threads of its own: where one of them has ended, the committer waits for it for ever, and all clients
/// would with it.
pub(super) fn start(shared: Arc<Shared>) -> Result<Watch> {
    let folder = shared.folder.root().to_owned();
    let mut stalled: Option<(u64, Instant)> = None;
    Watch::start("profiles-watch", &folder, move || {
        stalled = shared.durability.under_way().map(|commit| match stalled {
            Some((same, since)) if same == commit => (commit, since),
            _ => (commit, Instant::now()),
        });
        if stalled.is_some_and(|(_, since)| since.elapsed() > PATIENCE) {
            shared.durability.fail(format!("the disk has not taken a commit for {} s", PATIENCE.as_secs()));
        }
    })
}
