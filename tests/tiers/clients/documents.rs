//! A server over the documents of a harvest of version 2, for clients of the catalogue.

use support::machine::Server;
use support::{data, program};
use tempfile::TempDir;

/// A running server. Its data folder is removed after it has ended.
pub(super) struct Documents {
    pub(super) server: Server,
    _folder: TempDir,
}

impl Documents {
    /// Loads the bundled documents alone, and starts a server.
    pub(super) fn serve() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let mut load = program();
        load.args(["catalogue", "load", "--quiet", "--data"]).arg(folder.path());
        load.arg("--v2").arg(data("catalogue-v2/documents"));
        let output = load.output().expect("the binary");
        assert!(output.status.success(), "{output:?}");
        Self { server: Server::start(folder.path()), _folder: folder }
    }
}
