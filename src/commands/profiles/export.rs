//! `mgdex profiles export`

use std::path::{Path, PathBuf};

use clap::Args;
use futures_util::StreamExt;

use super::export_file::{self, Lines};
use super::undamaged_lines::UndamagedLines;
use crate::data_folder::DataFolder;
use crate::distributed::{DatabaseArguments, ReachedDatabase};
use crate::failure::Failure;
use crate::output::Output;

#[derive(Debug, Args)]
pub(crate) struct ProfilesExportArguments {
    #[command(flatten)]
    data: DataFolder,
    #[command(flatten)]
    database: DatabaseArguments,
    /// The file, compressed if its name ends in .gz or .zst; `-` is standard output
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    /// List damaged profiles and export the others; the exit code is still 1
    #[arg(long, conflicts_with = "address")]
    skip_damaged: bool,
}

/// Writes all profiles to a file or to standard output. If one is damaged and damaged ones are not
/// skipped, writes none.
pub(super) fn run(arguments: &ProfilesExportArguments) -> Result<(), Failure> {
    match ReachedDatabase::reach(&arguments.database)? {
        Some(database) => export_database(&database, &arguments.file),
        None => export_folder(arguments),
    }
}

fn export_database(database: &ReachedDatabase, file: &Path) -> Result<(), Failure> {
    let mut pieces = database.block_on(database.profiles().export())?;
    let pieces = std::iter::from_fn(|| database.block_on(pieces.next()));
    let mut lines = pieces.flat_map(|piece| match piece {
        Ok(piece) => {
            piece.split_inclusive(|byte| *byte == b'\n').map(|line| Ok(line.trim_ascii_end().to_vec())).collect()
        }
        Err(fault) => vec![Err(fault.into())],
    });
    write(file, &mut lines).map(drop)
}

fn export_folder(
    ProfilesExportArguments { data, file, skip_damaged, .. }: &ProfilesExportArguments,
) -> Result<(), Failure> {
    let profiles = super::open(data)?;
    let mut lines = UndamagedLines::new(profiles.snapshot()?, *skip_damaged);
    if file.as_os_str() == "-" && !skip_damaged {
        // Lines that were printed cannot be withdrawn.
        profiles.snapshot()?.try_for_each(|line| line.map(drop))?;
    }
    let num_written = write(file, &mut lines.by_ref().map(|line| Ok(line?)))?;
    // If the database itself is damaged, lost profiles cannot be named, but the store knows their
    // number.
    let num_lost = profiles.state().num_profiles.saturating_sub(num_written);
    let num_missing = lines.num_skipped().max(num_lost);
    if *skip_damaged && num_missing > 0 {
        let name = name(file);
        let problem = format!("{num_missing} damaged profiles are missing: {num_written} profiles are in {name}");
        return Err(Failure::Message(problem));
    }
    Ok(())
}

/// Writes lines to a file or to standard output, and returns their number.
fn write(file: &Path, lines: Lines<'_>) -> Result<u64, Failure> {
    let num_written = if file.as_os_str() == "-" { print_all(lines)? } else { export_file::write(file, lines)? };
    tracing::info!("{num_written} profiles exported to {}", name(file));
    Ok(num_written)
}

fn name(file: &Path) -> String {
    if file.as_os_str() == "-" { "standard output".to_owned() } else { file.display().to_string() }
}

fn print_all(lines: Lines<'_>) -> Result<u64, Failure> {
    let mut output = Output::new();
    let mut num_lines = 0;
    for line in lines {
        output.line(String::from_utf8_lossy(&line?))?;
        num_lines += 1;
    }
    output.finish()?;
    Ok(num_lines)
}
