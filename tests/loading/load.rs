//! Runs of `mgdex catalogue load` and `mgdex directory load` by the real program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use store::Generations;
use tempfile::TempDir;

/// A data folder for loads of one kind, with a folder for inputs beside it.
pub(crate) struct LoadFolder {
    folder: TempDir,
    kind: &'static str,
}

impl LoadFolder {
    /// Makes an empty folder for loads of a kind: `catalogue` or `directory`.
    pub(crate) fn new(kind: &'static str) -> Self {
        Self { folder: TempDir::new().expect("a temporary folder"), kind }
    }

    /// Returns the data folder.
    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Returns the generations of the kind.
    pub(crate) fn generations(&self) -> Generations {
        Generations::new(self.data().join(self.kind))
    }

    /// Returns the folder of the inputs.
    pub(crate) fn inputs(&self) -> PathBuf {
        self.folder.path().join("inputs")
    }

    /// Writes an input, with the folders above it.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.inputs().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        fs::write(&path, content).expect("writable");
        path
    }

    /// Returns the command that loads inputs.
    pub(crate) fn load<P: AsRef<Path>>(&self, inputs: impl IntoIterator<Item = P>) -> Command {
        self.change("load", inputs)
    }

    /// Returns a command that changes the loaded data by inputs.
    pub(crate) fn change<P: AsRef<Path>>(&self, name: &str, inputs: impl IntoIterator<Item = P>) -> Command {
        let mut command = support::program();
        command.args([self.kind, name, "--memory", "64M", "--data"]).arg(self.data());
        command.args(inputs.into_iter().map(|input| input.as_ref().to_owned()));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Returns the folder of the generation that a load has published, and its report.
    pub(crate) fn published(&self, output: &Output) -> (PathBuf, Value) {
        let folder = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim_end());
        let current = self.generations().current().expect("readable").expect("published");
        assert_eq!(folder, self.generations().path(current));
        let bytes = fs::read(folder.join("report.json")).expect("a report");
        let report: Value = serde_json::from_slice(&bytes).expect("JSON");
        let number = |name: &str| report[name].as_u64().expect(name);
        assert_eq!(number("num_read"), number("num_accepted") + number("num_rejected"), "{report}");
        (folder, report)
    }

    /// Returns the leftovers of interrupted loads.
    pub(crate) fn leftovers(&self) -> Vec<String> {
        let entries = fs::read_dir(self.generations().root()).into_iter().flatten();
        let names = entries.map(|entry| entry.expect("readable").file_name().into_string().expect("text"));
        names.filter(|name| name.starts_with("building-")).collect()
    }
}

/// Runs a load that must succeed.
pub(crate) fn acknowledged(command: &mut Command) -> Output {
    let output = command.output().expect("the program");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    output
}

/// Runs a load that must fail, and returns its error message.
pub(crate) fn refused(command: &mut Command) -> String {
    let output = command.output().expect("the program");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{output:?}");
    String::from_utf8(output.stderr).expect("text")
}
