//! Checking all data in the data folder.

use std::collections::BTreeSet;
use std::env;

use store::{GenerationName, Generations};
use store_catalogue::{CatalogueGeneration, CatalogueVerification, CheckedDatabases};
use store_profiles::{DirectoryContents, DirectoryGeneration, Profiles};
use store_proteins::{ProteinGeneration, Verification};

use crate::commands::summary;
use crate::data_folder::{DataFolder, Kind};
use crate::failure::Failure;
use crate::output::Output;

/// Checks every generation and the profiles, prints a line for each, and fails if one differs from
/// what was published.
pub(crate) fn run(data: &DataFolder) -> Result<(), Failure> {
    let mut check = Check { output: Output::new(), num_checked: 0, num_bad: 0 };
    for kind in Kind::ALL {
        check.all(data, kind)?;
    }
    check.profiles(data)?;
    let Check { output, num_checked, num_bad } = check;
    output.finish()?;
    match (num_bad, num_checked) {
        (0, 0) => Err(Failure::Message(format!("nothing to check in {}", data.path.display()))),
        (0, _) => Ok(()),
        _ => Err(Failure::Message(format!("missing or broken: {num_bad}; checked: {num_checked}"))),
    }
}

/// Checks a generation completely, and describes its contents.
pub(crate) fn verified(kind: Kind, generations: &Generations, name: GenerationName) -> store::Result<String> {
    match kind {
        Kind::Proteins => {
            let Verification { num_records, num_replacements, num_terms } =
                ProteinGeneration::verify_published(generations, name)?;
            Ok(format!("{num_records} records, {num_terms} terms, {num_replacements} replaced"))
        }
        Kind::Catalogue => {
            let CatalogueVerification { num_resources, num_types, missing, databases } =
                CatalogueGeneration::verify_published(generations, name)?;
            let databases = match databases {
                CheckedDatabases::Served => "the database, which has no sealed copy",
                CheckedDatabases::ServedAndSealed => "the database and its sealed copy",
                CheckedDatabases::Sealed => "the sealed copy, as the database is made from it when it is opened",
            };
            let missing = summary::missing(&missing).map(|missing| format!(", {missing}")).unwrap_or_default();
            Ok(format!("{num_resources} resources, {num_types} types{missing}; checked {databases}"))
        }
        Kind::Directory => {
            let DirectoryContents { num_users, num_domains, num_memberships, .. } =
                DirectoryGeneration::verify_published(generations, name)?;
            Ok(format!("{num_users} users, {num_domains} domains, {num_memberships} memberships"))
        }
    }
}

/// Returns whether an error is not about a generation, but about copying its database to read it.
fn is_about_copies(error: &store::Error) -> bool {
    error.is_no_room() || matches!(error, store::Error::Io { path, .. } if *path == env::temp_dir())
}

struct Check {
    output: Output,
    /// The number of generations, plus one for the profiles.
    num_checked: usize,
    num_bad: usize,
}

impl Check {
    /// Checks all generations of a kind.
    fn all(&mut self, data: &DataFolder, kind: Kind) -> Result<(), Failure> {
        let generations = &data.generations(kind);
        // Fixing a damaged `CURRENT` requires the names of the intact generations.
        let current = generations.current().or_else(|error| {
            self.num_bad += 1;
            self.output.line(format_args!("BROKEN  {error}")).map(|()| None)
        })?;
        if let Ok(Some(lost)) = data.lost_current(kind) {
            self.num_bad += 1;
            self.output.line(format_args!("BROKEN  {lost}"))?;
        }
        // The folder of the current generation may be missing, which is reported as broken.
        let names: BTreeSet<_> = generations.names()?.into_iter().chain(current).collect();
        for &name in &names {
            let is_current = if Some(name) == current { " (current)" } else { "" };
            let path = format!("{}/{name}", kind.name());
            match verified(kind, generations, name) {
                Ok(contents) => self.output.line(format_args!("ok      {path}{is_current}: {contents}"))?,
                // A build may have removed the oldest generation meanwhile.
                Err(_) if Some(name) != current && !generations.names()?.contains(&name) => {}
                Err(error) if is_about_copies(&error) => {
                    return Err(Failure::Message(format!(
                        "{path} was not checked: {error}: set TMPDIR to a folder with room for a copy"
                    )));
                }
                Err(error) => {
                    self.num_bad += 1;
                    self.output.line(format_args!("BROKEN  {path}{is_current}: {error}"))?;
                }
            }
        }
        self.num_checked += names.len();
        Ok(())
    }

    /// Checks the profiles, if there are any. If a server has them open, this is not a failure.
    fn profiles(&mut self, data: &DataFolder) -> Result<(), Failure> {
        let folder = data.profiles();
        if !folder.try_exists()? {
            return Ok(());
        }
        self.num_checked += 1;
        match Profiles::verify(&folder) {
            Ok(num_profiles) => self.output.line(format_args!("ok      profiles: {num_profiles} profiles")),
            Err(error @ store::Error::ProfilesLocked { .. }) => {
                self.output.line(format_args!("in use  profiles: not checked, {error}"))
            }
            Err(error) => {
                self.num_bad += 1;
                self.output.line(format_args!("BROKEN  profiles: {error}"))
            }
        }
    }
}
