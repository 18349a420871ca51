//! Export and import of all profiles as JSON lines.

mod export_file;
mod sound_lines;

use store::{Profiles, ProfilesConfig, ProfilesImport};

use self::sound_lines::SoundLines;
use crate::arguments::{DataFolder, ProfilesExportArguments, ProfilesImportArguments};
use crate::commands::profiles_folder;
use crate::failure::Failure;
use crate::output::Output;

/// Writes all profiles to a file or to standard output, or none if one is damaged and damaged ones are not to be skipped.
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
    let mut import = ProfilesImport::begin(&profiles_folder(&arguments.data))?;
    let num_refused =
        import.add_lines(&name, input, |line, problem| tracing::error!("{name}, line {line}: {problem}"))?;
    if num_refused > 0 {
        return Err(Failure::Message(format!("{name} has {num_refused} bad lines: nothing was imported")));
    }
    let num_profiles = import.finish()?;
    let mut output = Output::new();
    output.line(format_args!("{num_profiles} profiles imported"))?;
    output.finish()
}

/// Opens the store of a data folder. None is created: exporting an empty folder is usually a mistake.
fn open(data: &DataFolder) -> Result<Profiles, Failure> {
    // Nothing is written, so that limits do not matter.
    let config = ProfilesConfig { attributes_max: usize::MAX };
    Profiles::open_existing(&profiles_folder(data), config)?.ok_or_else(|| {
        let folder = data.path.display();
        let advice = "name the folder of a server with --data, or read an export with `mgdex profiles import` first";
        Failure::Message(format!("there are no profiles in {folder}: {advice}"))
    })
}

/// Writes lines to standard output, and returns their number.
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
