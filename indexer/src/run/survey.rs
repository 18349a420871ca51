//! Dry runs.

use std::env;
use std::path::Path;
use std::time::Duration;

use store::{BiomeTable, FamilyTable, Generations};

use super::{Acceptance, Built, REJECTS_OF_FAILED_RUN, preflight};
use crate::input::{Input, InputSize};
use crate::words::counted;
use crate::{Error, Result};

/// The findings of a dry run.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// The checks, in order.
    pub checks: Vec<Check>,
    /// Sentences that the user should know.
    pub notes: Vec<String>,
    /// Sentences about suspicious properties that are not errors.
    pub warnings: Vec<String>,
    /// The bytes of the inputs on disk, without streams.
    pub input_bytes: u64,
    /// The approximate bytes of the index by a rule of thumb; 0 without one.
    pub index_bytes: u64,
    /// The approximate duration of the run by a rule of thumb.
    pub duration: Duration,
}

/// A check of a dry run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The thing that was checked, such as `biome table`.
    pub what: String,
    /// The finding, or the problem.
    pub found: std::result::Result<String, String>,
}

impl Survey {
    /// Adds a finding, and returns the value found.
    pub fn add<T>(&mut self, what: &str, found: Result<T>, describe: impl FnOnce(&T) -> String) -> Option<T> {
        let described = found.as_ref().map(describe).map_err(ToString::to_string);
        self.checks.push(Check { what: what.to_owned(), found: described });
        found.ok()
    }

    /// Adds the findings about the small tables.
    pub fn add_tables(&mut self, biomes: Result<BiomeTable>, families: Result<FamilyTable>) {
        self.add("biome table", biomes, |table| counted(table.iter().len() as u64, "biome"));
        self.add("Pfam table", families, |table| format!("{} families", table.iter().count()));
    }

    /// Adds whether an index of `num_proteins` proteins may replace the present one.
    pub fn add_size(&mut self, acceptance: Acceptance, generations: &Path, num_proteins: u64) {
        if let Err(problem) = acceptance.check_size(&Generations::new(generations), num_proteins) {
            self.add::<()>("size compared with the present index", Err(problem), |()| String::new());
        }
    }

    /// Adds whether `--strict` prevents publishing because of the warnings. All other warnings must
    /// have been added.
    pub fn add_strict(&mut self, acceptance: Acceptance) {
        if let Err(error) = acceptance.check_warnings(&self.warnings) {
            self.add::<()>("--strict", Err(error), |()| String::new());
        }
    }

    /// Adds the sizes of the inputs, if all can be opened.
    pub fn add_inputs<'a>(
        &mut self,
        what: &str,
        inputs: impl IntoIterator<Item = &'a Input>,
    ) -> Option<Vec<InputSize>> {
        let sizes = preflight::input_sizes(inputs);
        let sizes = self.add(what, sizes, |sizes| {
            let num_bytes = preflight::total_bytes(sizes);
            format!("{}, {}", counted(sizes.len() as u64, "file"), counted(num_bytes, "byte"))
        });
        self.input_bytes += preflight::total_bytes(sizes.as_deref().unwrap_or_default());
        sizes
    }

    /// Adds whether there is space in a folder, or in the place where it will be created.
    pub fn add_room(&mut self, folder: &Path, needed_bytes: u64) {
        let existing = folder.ancestors().find(|folder| folder.is_dir()).unwrap_or(Path::new("."));
        let checked = preflight::check_room(existing, needed_bytes);
        self.add("room on the disk", checked, |()| "enough".to_owned());
    }

    /// Adds the findings of a load that does everything except publish. `build` works in the folder
    /// that it is passed, for temporary files. Does nothing if there are problems already.
    pub fn add_load<S, C>(&mut self, acceptance: Acceptance, build: impl FnOnce(&Path) -> Result<Built<S, C>>) {
        if !self.is_good() {
            return;
        }
        let done = in_scratch_folder(|folder| build(folder).map(|built| built.report));
        let Some(report) = self.add("rows", done, |report| {
            format!("{} read, {} accepted, {} rejected", report.num_read, report.num_accepted, report.num_rejected)
        }) else {
            return;
        };
        for change in &report.changes.numbers {
            let counts = change.counts();
            let found = if acceptance.refuses(change) {
                Err(format!("{counts}: such a loss is published only with --allow-shrink"))
            } else {
                Ok(counts)
            };
            self.checks.push(Check { what: change.name(), found });
        }
        for file in report.files.iter().filter(|file| file.num_rejected() > 0) {
            self.checks.push(Check { what: "bad rows".to_owned(), found: Ok(file.to_string()) });
        }
        self.warnings.extend(report.warnings);
        self.add_strict(acceptance);
    }

    /// Returns whether there are no problems.
    pub fn is_good(&self) -> bool {
        self.checks.iter().all(|check| check.found.is_ok())
    }
}

/// Runs a function in a folder for temporary files, which is then removed. Only the list of the
/// rejected rows of a failed load is kept.
fn in_scratch_folder<T>(run: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
    let scratch = tempfile::Builder::new().prefix("mgdex-dry-run-").tempdir();
    let scratch = scratch.map_err(Error::io("cannot create a folder in", &env::temp_dir()))?;
    let done = run(scratch.path());
    if done.is_err() && scratch.path().join(REJECTS_OF_FAILED_RUN).is_file() {
        let _kept = scratch.keep();
    }
    done
}
