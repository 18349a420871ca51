//! Backup of profiles, and the way out: all of them as JSON lines.

mod export_file;
mod import_lines;
mod sound_lines;

use store::{Profiles, ProfilesConfig, ProfilesImport};

use self::sound_lines::SoundLines;
use crate::arguments::{DataFolder, ProfilesExportArguments, ProfilesImportArguments};
use crate::commands::profiles_folder;
use crate::failure::Failure;
use crate::output::Output;

/// Writes all profiles to a file or to standard output: all, or none, unless damaged ones shall be left out.
pub(crate) fn export(arguments: &ProfilesExportArguments) -> Result<(), Failure> {
    let profiles = open(&arguments.data)?;
    let mut lines = SoundLines::new(profiles.snapshot()?, arguments.skip_damaged);
    let (num_written, name) = if arguments.file.as_os_str() == "-" {
        if !arguments.skip_damaged {
            // What was written to standard output cannot be taken back.
            profiles.snapshot()?.try_for_each(|line| line.map(drop))?;
        }
        (print(&mut lines)?, "standard output".to_owned())
    } else {
        (export_file::write(&arguments.file, &mut lines)?, arguments.file.display().to_string())
    };
    tracing::info!("{num_written} profiles exported to {name}");
    // Where the database itself is damaged, nobody can name those that are lost. The store knows how many there were.
    let num_lost = profiles.state().num_profiles.saturating_sub(num_written);
    let num_missing = lines.num_left_out().max(num_lost);
    if arguments.skip_damaged && num_missing > 0 {
        let problem = format!("{num_missing} damaged profiles are missing: {num_written} profiles are in {name}");
        return Err(Failure::Message(problem));
    }
    Ok(())
}

/// Makes a store of the lines of an export: of all, or none.
pub(crate) fn import(arguments: &ProfilesImportArguments) -> Result<(), Failure> {
    let name = arguments.file.name();
    let input = arguments.file.read().map_err(|error| Failure::Message(format!("cannot read {name}: {error}")))?;
    let mut import = ProfilesImport::begin(&profiles_folder(&arguments.data))?;
    let mut num_bad: u64 = 0;
    for line in import_lines::read(input) {
        let line = line.map_err(|error| Failure::Message(format!("cannot read {name}: {error}")))?;
        let problem = match line.profile {
            Ok(profile) => import.add(&profile)?.err().map(|problem| problem.to_string()),
            Err(problem) => Some(problem),
        };
        if let Some(problem) = problem {
            num_bad += 1;
            tracing::error!("{name}, line {}: {problem}", line.number);
        }
    }
    if num_bad > 0 {
        return Err(Failure::Message(format!("{name} has {num_bad} bad lines: nothing was imported")));
    }
    let num_profiles = import.finish()?;
    let mut output = Output::new();
    output.line(format_args!("{num_profiles} profiles imported"))?;
    output.finish()
}

/// Opens the store of a data folder. None is made: a backup of nothing is mostly one of the wrong folder.
fn open(data: &DataFolder) -> Result<Profiles, Failure> {
    // Nothing is written, hence no limit matters.
    let config = ProfilesConfig { attributes_max: usize::MAX };
    Profiles::open_existing(&profiles_folder(data), config)?.ok_or_else(|| {
        let folder = data.path.display();
        let advice = "name the folder of a server with --data, or read an export with `mgdex profiles import` first";
        Failure::Message(format!("there are no profiles in {folder}: {advice}"))
    })
}

/// Writes lines to standard output, and returns how many there were.
fn print(lines: impl Iterator<Item = store::Result<Vec<u8>>>) -> Result<u64, Failure> {
    let mut output = Output::new();
    let mut num_lines = 0;
    for line in lines {
        output.line(String::from_utf8_lossy(&line?))?;
        num_lines += 1;
    }
    output.finish()?;
    Ok(num_lines)
}
