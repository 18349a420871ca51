//! `mgdex files`: writing the example files of the manual.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use crate::bundled;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Debug, Args)]
pub(crate) struct FilesArguments {
    /// Folder for the files, such as `data`; existing files are not overwritten
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Writes the files, and prints their paths.
pub(crate) fn run(FilesArguments { folder }: &FilesArguments) -> Result<(), Failure> {
    let mut output = Output::new();
    for (name, bytes) in bundled::example_files() {
        let path = folder.join(name);
        let write = || -> io::Result<()> {
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            File::create_new(&path)?.write_all(bytes)
        };
        write().map_err(|error| Failure::Message(format!("cannot write {}: {error}", path.display())))?;
        output.line(path.display())?;
    }
    output.finish()
}
