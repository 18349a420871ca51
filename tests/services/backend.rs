//! The store of the profiles of these tests, which is the embedded one. The tier `postgres`
//! replaces this file with its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use store_profiles::{ProfileSource, ProfilesConfig};
use support::embedded;

/// The settings of a server of a test. The embedded store has none.
#[derive(Clone, Default)]
pub(crate) struct BackendSetup {}

/// A store of profiles that can be opened again, and moved.
pub(crate) struct Backend {
    folder: PathBuf,
    num_moves: usize,
}

impl Backend {
    /// Names a store in a folder.
    pub(crate) fn new(folder: &Path, _: &BackendSetup) -> Self {
        Self { folder: folder.to_owned(), num_moves: 0 }
    }

    fn path(&self) -> PathBuf {
        self.folder.join(format!("profiles-{}", self.num_moves))
    }

    pub(crate) fn open(&mut self, config: ProfilesConfig) -> Arc<dyn ProfileSource> {
        embedded::open(&self.path(), config)
    }

    #[expect(clippy::unused_self, reason = "a database has connections to close")]
    pub(crate) fn close(&mut self) {}

    /// Checks that the store answers.
    #[expect(clippy::unused_async, reason = "a database is asked")]
    pub(crate) async fn check(&self) {}

    /// Moves the profiles of an export to a new store, which is opened next, and returns their
    /// number.
    #[expect(clippy::unused_async, reason = "a database is asked")]
    pub(crate) async fn move_to_next(&mut self, export: &str) -> u64 {
        self.num_moves += 1;
        embedded::import(&self.path(), export)
    }
}
