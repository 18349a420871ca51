//! Backup of profiles, and the way out: all of them as JSON lines.

mod export_file;
mod import_lines;

use store::{Profiles, ProfilesConfig, ProfilesImport};

use crate::arguments::{ProfilesExportArguments, ProfilesImportArguments};
use crate::commands::profiles_folder;
use crate::failure::Failure;
use crate::output::Output;

/// So many bad lines are told one by one.
const BAD_LINES_TOLD_MAX: u64 = 20;

/// Writes all profiles to a file or to standard output.
pub(crate) fn export(arguments: &ProfilesExportArguments) -> Result<(), Failure> {
    let folder = profiles_folder(&arguments.data);
    // Opening would make a store where there is none, and a backup of nothing is mostly one of the wrong folder.
    if !folder.try_exists()? {
        return Err(Failure::Message(format!("there are no profiles in {}", arguments.data.path.display())));
    }
    // Nothing is written, hence no limit matters.
    let profiles = Profiles::open(&folder, ProfilesConfig { attributes_max: usize::MAX })?;
    let lines = profiles.snapshot()?;
    if arguments.file.as_os_str() == "-" {
        let mut output = Output::new();
        for line in lines {
            output.line(String::from_utf8_lossy(&line?))?;
        }
        return output.finish();
    }
    let num_profiles = export_file::write(&arguments.file, lines)?;
    tracing::info!("{num_profiles} profiles exported to {}", arguments.file.display());
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
            if num_bad <= BAD_LINES_TOLD_MAX {
                tracing::error!("{name}, line {}: {problem}", line.number);
            }
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
