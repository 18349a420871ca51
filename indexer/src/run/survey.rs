//! What a run would do, without doing it.

use std::path::Path;
use std::time::Duration;

use store::{BiomeTable, FamilyTable, Generations};

use super::estimate::Estimate;
use super::{Acceptance, preflight};
use crate::Result;
use crate::input::Input;
use crate::words::counted;

/// What is known of a run before it is started.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// What was checked, in order.
    pub checks: Vec<Check>,
    /// What the user should know, a sentence each.
    pub notes: Vec<String>,
    /// What is suspicious though not wrong, a sentence each.
    pub warnings: Vec<String>,
    /// How many bytes the inputs have on disk, streams excepted.
    pub input_bytes: u64,
    /// How many bytes the index will have, about: by records that were made of a sample of the inputs, without what leads to them from
    /// replaced accessions.
    pub index_bytes: u64,
    /// How long the run will take, about: as quickly as a sample was read and encoded now, and with 5 µs of one core for indexing a protein.
    pub duration: Duration,
    /// How many rows were read for `index_bytes` and `duration`.
    pub num_rows_sampled: u64,
}

/// Something that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What was checked, such as `biome table`.
    pub what: String,
    /// What was found, or the problem.
    pub found: std::result::Result<String, String>,
}

impl Survey {
    pub(crate) fn add<T>(&mut self, what: &str, found: Result<T>, describe: impl FnOnce(&T) -> String) -> Option<T> {
        let described = found.as_ref().map(describe).map_err(ToString::to_string);
        self.checks.push(Check { what: what.to_owned(), found: described });
        found.ok()
    }

    pub(crate) fn add_tables(
        &mut self,
        biomes: Result<BiomeTable>,
        families: Result<FamilyTable>,
    ) -> Option<(BiomeTable, FamilyTable)> {
        let biomes = self.add("biome table", biomes, |table| counted(table.iter().len() as u64, "biome"));
        let families = self.add("Pfam table", families, |table| format!("{} families", table.iter().count()));
        biomes.zip(families)
    }

    /// Adds whether an index of so many proteins may replace the present one. Where their number is only about right, it is a warning.
    pub(crate) fn add_size(&mut self, acceptance: Acceptance, generations: &Path, estimate: Estimate) {
        match acceptance.check_size(&Generations::new(generations), estimate.num_proteins) {
            Err(problem) if estimate.is_exact => {
                self.add::<()>("size beside the present index", Err(problem), |()| String::new());
            }
            Err(problem) => self.warnings.push(format!("by a sample of the rows, {problem}")),
            Ok(()) => {}
        }
    }

    /// Adds whether `--strict` publishes nothing because of the warnings. All others must be known.
    pub(crate) fn add_strict(&mut self, acceptance: Acceptance) {
        if let Err(error) = acceptance.check_warnings(&self.warnings) {
            self.add::<()>("--strict", Err(error), |()| String::new());
        }
    }

    pub(crate) fn add_inputs<'a>(&mut self, what: &str, inputs: impl IntoIterator<Item = &'a Input>) {
        let sizes = preflight::input_sizes(inputs);
        let sizes = self.add(what, sizes, |sizes| {
            let num_bytes = preflight::total_bytes(sizes);
            format!("{}, {}", counted(sizes.len() as u64, "file"), counted(num_bytes, "byte"))
        });
        self.input_bytes += preflight::total_bytes(&sizes.unwrap_or_default());
    }

    /// Adds whether there is room in a folder, or where it will be made.
    pub(crate) fn add_room(&mut self, folder: &Path, needed_bytes: u64) {
        let existing = folder.ancestors().find(|folder| folder.is_dir()).unwrap_or(Path::new("."));
        let checked = preflight::check_room(existing, needed_bytes);
        self.add("room on the disk", checked, |()| "there is enough".to_owned());
    }

    /// Tells whether nothing is wrong.
    pub fn is_good(&self) -> bool {
        self.checks.iter().all(|check| check.found.is_ok())
    }
}
