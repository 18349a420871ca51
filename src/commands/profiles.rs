//! `mgdex profiles`: export and import of all profiles as JSON lines.

mod export_file;
mod sound_lines;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use indexer::Input;
use store::{Profiles, ProfilesConfig, ProfilesImport};

use self::sound_lines::SoundLines;
use crate::data_folder::DataFolder;
use crate::failure::Failure;
use crate::output::{Output, print};

#[derive(Debug, Subcommand)]
pub(crate) enum ProfilesCommand {
    /// Write all profiles as JSON lines, while no server runs
    Export(ProfilesExportArguments),
    /// Read what was exported into a store without profiles, while no server runs
    Import(ProfilesImportArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ProfilesExportArguments {
    #[command(flatten)]
    data: DataFolder,
    /// The file, compressed if its name ends in .gz or .zst; `-` is standard output
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    /// Name damaged profiles and write the others; the exit code is 1 all the same
    #[arg(long)]
    skip_damaged: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ProfilesImportArguments {
    #[command(flatten)]
    data: DataFolder,
    /// The file, with one profile a line
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) file: Input,
}

/// Writes all profiles to a file or to standard output, or none if one is damaged and damaged ones are not to be skipped.
pub(crate) fn export(arguments: &ProfilesExportArguments) -> Result<(), Failure> {
    let profiles = open(&arguments.data)?;
    let mut lines = SoundLines::new(profiles.snapshot()?, arguments.skip_damaged);
    let (num_written, name) = if arguments.file.as_os_str() == "-" {
        if !arguments.skip_damaged {
            // What was written to standard output cannot be taken back.
            profiles.snapshot()?.try_for_each(|line| line.map(drop))?;
        }
        (print_all(&mut lines)?, "standard output".to_owned())
    } else {
        (export_file::write(&arguments.file, &mut lines)?, arguments.file.display().to_string())
    };
    tracing::info!("{num_written} profiles exported to {name}");
    // If the database itself is damaged, lost profiles cannot be named, but the store knows how many there were.
    let num_lost = profiles.state().num_profiles.saturating_sub(num_written);
    let num_missing = lines.num_skipped().max(num_lost);
    if arguments.skip_damaged && num_missing > 0 {
        let problem = format!("{num_missing} damaged profiles are missing: {num_written} profiles are in {name}");
        return Err(Failure::Message(problem));
    }
    Ok(())
}

/// Creates a store from the lines of an export, or none if a line is bad.
pub(crate) fn import(arguments: &ProfilesImportArguments) -> Result<(), Failure> {
    let name = arguments.file.name();
    let input = arguments.file.read().map_err(|error| Failure::Message(format!("cannot read {name}: {error}")))?;
    let mut import = ProfilesImport::begin(&arguments.data.profiles())?;
    let num_refused =
        import.add_lines(&name, input, |line, problem| tracing::error!("{name}, line {line}: {problem}"))?;
    if num_refused > 0 {
        return Err(Failure::Message(format!("{name} has {num_refused} bad lines: nothing was imported")));
    }
    print(format_args!("{} profiles imported", import.finish()?))
}

/// Opens the store of a data folder. None is created: exporting an empty folder is usually a mistake.
fn open(data: &DataFolder) -> Result<Profiles, Failure> {
    // Nothing is written, so that limits do not matter.
    let config = ProfilesConfig { attributes_max: usize::MAX };
    Profiles::open_existing(&data.profiles(), config)?.ok_or_else(|| {
        let folder = data.path.display();
        let advice = "name the folder of a server with --data, or read an export with `mgdex profiles import` first";
        Failure::Message(format!("there are no profiles in {folder}: {advice}"))
    })
}

fn print_all(lines: impl Iterator<Item = store::Result<Vec<u8>>>) -> Result<u64, Failure> {
    let mut output = Output::new();
    let mut num_lines = 0;
    for line in lines {
        output.line(String::from_utf8_lossy(&line?))?;
        num_lines += 1;
    }
    output.finish()?;
    Ok(num_lines)
}
