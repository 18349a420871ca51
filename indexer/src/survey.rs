//! What a run would do, found out without doing it.

use std::path::Path;
use std::time::Duration;

use store::{BiomeTable, FamilyTable};

use crate::input::Input;
use crate::words::counted;
use crate::{Result, preflight};

/// What is known of a run before it is started.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// What was looked at, in order: what was found, or what is wrong with it.
    pub checks: Vec<Check>,
    /// What is not wrong, but may not be meant either, a sentence each.
    pub warnings: Vec<String>,
    /// How many bytes the inputs have on disk, streams excepted.
    pub input_bytes: u64,
    /// How many bytes the index will have, about.
    pub index_bytes: u64,
    /// How long the run will take, about: by the rates at which synthetic inputs were indexed.
    pub duration: Duration,
}

/// Something that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What it is.
    pub what: String,
    /// What was found, or what is wrong.
    pub found: std::result::Result<String, String>,
}

impl Survey {
    /// Adds what was found out about something, and returns it.
    pub(crate) fn add<T>(&mut self, what: &str, found: Result<T>, tell: impl FnOnce(&T) -> String) -> Option<T> {
        let told = found.as_ref().map(tell).map_err(ToString::to_string);
        self.checks.push(Check { what: what.to_owned(), found: told });
        found.ok()
    }

    /// Adds what the biomes and the families are.
    pub(crate) fn add_tables(&mut self, biomes: Result<BiomeTable>, families: Result<FamilyTable>) {
        self.add("biome table", biomes, |table| counted(table.iter().len() as u64, "biome"));
        self.add("Pfam table", families, |table| format!("{} families", table.iter().count()));
    }

    /// Adds whether other inputs can be read.
    pub(crate) fn add_inputs<'a>(&mut self, what: &str, inputs: impl IntoIterator<Item = &'a Input>) {
        let sizes = preflight::input_sizes(inputs);
        let sizes = self.add(what, sizes, |sizes| {
            let num_bytes = sizes.iter().map(|size| size.size_bytes).sum();
            format!("{}, {}", counted(sizes.len() as u64, "file"), counted(num_bytes, "byte"))
        });
        self.input_bytes += sizes.into_iter().flatten().map(|size| size.size_bytes).sum::<u64>();
    }

    /// Adds whether there is room in a folder, or where it will be made.
    pub(crate) fn add_room(&mut self, folder: &Path, check: impl FnOnce(&Path) -> Result<()>) {
        let there = folder.ancestors().find(|folder| folder.is_dir()).unwrap_or(Path::new("."));
        self.add("room on the disk", check(there), |()| "there is enough".to_owned());
    }

    /// Sets how long the run will take if a core reads so many bytes a second.
    pub(crate) fn estimate_duration(&mut self, bytes: u64, bytes_per_core_second: u64, num_threads: usize) {
        self.duration = Duration::from_secs(bytes / (bytes_per_core_second * num_threads.max(1) as u64) + 1);
    }

    /// Returns whether nothing is wrong.
    pub fn is_good(&self) -> bool {
        self.checks.iter().all(|check| check.found.is_ok())
    }
}
