//! The release that everyone answers from, and the programs that read it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A synthetic release, which stays for the next time.
pub(crate) struct Release {
    pub(crate) path: PathBuf,
    /// The program of mgdex.
    pub(crate) program: PathBuf,
    /// Python with DuckDB.
    python: PathBuf,
}

impl Release {
    /// Makes the release, unless it is there.
    pub(crate) fn provide(num_proteins: u64) -> Self {
        let program = std::env::var_os("MGDEX_BINARY").map_or_else(|| project("target/release/mgdex"), PathBuf::from);
        let program = program.canonicalize().expect("an optimised mgdex: `cargo build --release`");
        let path = project(&format!("benches/rivals/target/release-{num_proteins}"));
        if !path.try_exists().expect("readable") {
            let number = num_proteins.to_string();
            run(Command::new(&program).args(["synth", "--quiet", "--proteins", &number, "--out"]).arg(&path));
        }
        let environment = run(Command::new(project("tests/python/setup")).arg("benches/search/requirements.txt"));
        let python = project(environment.trim_end()).join("bin/python");
        Self { path, program, python }
    }

    /// Returns the size of its files.
    pub(crate) fn num_bytes(&self) -> u64 {
        num_bytes(&self.path)
    }

    /// Starts to write a table as CSV to standard output.
    pub(crate) fn export(&self, table: &str, temporary: &Path) -> Child {
        let mut export = self.python("release.py");
        export.arg(temporary).arg(table).stdout(Stdio::piped()).spawn().expect("Python")
    }

    /// Returns a command that runs a script of this bench over the release.
    pub(crate) fn python(&self, script: &str) -> Command {
        let mut python = Command::new(&self.python);
        python.arg("-B").arg(project("benches/rivals").join(script)).arg(&self.path).arg(biomes());
        python
    }
}

/// Returns the table of all biomes.
pub(crate) fn biomes() -> PathBuf {
    project("data/proteins/biomes_id_lineage.tsv")
}

/// Returns a path in the project.
pub(crate) fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// Returns the size of all files of a folder.
pub(crate) fn num_bytes(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable"));
    let size = |entry: fs::DirEntry| {
        let metadata = entry.metadata().expect("readable");
        if metadata.is_dir() { num_bytes(&entry.path()) } else { metadata.len() }
    };
    entries.map(size).sum()
}

/// Runs a command, and returns its output.
pub(crate) fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// Waits for the end of an export.
pub(crate) fn finish(mut export: Child) {
    assert!(export.wait().expect("a child").success(), "the release was not read to its end");
}
