//! A load, from the input to a published generation.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use store::{DirectoryBuilder, GenerationName, Generations, InputEntry};

use super::gather::gather;
use super::report::DirectoryReport;
use super::write::write;
use crate::input::Input;
use crate::peak_memory::peak_memory_bytes;
use crate::portal_run::origin;
use crate::preflight;
use crate::rejects::Rejects;
use crate::report::{FileReport, StageReport, write_report};
use crate::{Error, Result};

/// The folder for sorted runs, inside the draft.
const SPILL: &str = "spill";

/// Which part of the memory sorting takes. The lists of entries grow by doubling, so that they take up to twice their share.
const SORTING_SHARE: usize = 2;

/// What a load reads, and what it may take.
#[derive(Clone, Debug)]
pub struct DirectoryPlan {
    /// The folder of the directory generations.
    pub generations: PathBuf,
    /// Users and domains, one a line.
    pub input: Input,
    /// The memory for sorting. The peak of the process is within 200 MB of it, whatever the size of the input and of its lines.
    pub memory_bytes: usize,
    /// How many bad lines are left out before the load fails. The line of a locked user that is left out leaves the account open.
    pub max_rejects: u64,
}

/// A published directory.
#[derive(Clone, Debug)]
pub struct PublishedDirectory {
    /// The name of its generation.
    pub generation: GenerationName,
    /// The report of the load that built it.
    pub report: DirectoryReport,
}

impl DirectoryPlan {
    /// Loads the users and domains and makes them the current generation.
    ///
    /// # Errors
    ///
    /// * See [`Error`]. Nothing is published then, and the current generation is as it was.
    pub fn run(&self) -> Result<PublishedDirectory> {
        let generations = Generations::private(&self.generations);
        let sizes = preflight::input_sizes([&self.input])?;
        // This makes the folder and removes rubbish, which makes room.
        let draft = generations.begin()?;
        preflight::check_room(generations.root(), sizes.iter())?;
        let spill = draft.path().join(SPILL);
        fs::create_dir(&spill).map_err(Error::io("cannot create", &spill))?;
        let mut rejects = Rejects::create(generations.root(), draft.path(), vec![self.input.name()], self.max_rejects)?;

        let total_bytes = sizes.iter().map(|size| size.size_bytes).sum();
        let gathered = gather(&self.input, total_bytes, (&spill, self.memory_bytes / SORTING_SHARE), &mut rejects)?;
        let mut report = DirectoryReport::of_file(FileReport {
            name: self.input.name(),
            num_read: gathered.num_read,
            num_accepted: gathered.num_accepted,
            passed_over: BTreeMap::new(),
            rejected: rejects.counts(0),
        })?;
        // An empty directory would unlock whoever is locked, and is most likely a wrong file.
        if report.num_accepted == 0 {
            return Err(rejects.nothing_accepted(report.num_rejected)?);
        }
        rejects.finish()?;

        let mut builder = DirectoryBuilder::create(&draft)?;
        let written = write(gathered.facts, gathered.num_facts, &mut builder)?;
        let finishing_started = Instant::now();
        let contents = builder.finish()?;
        fs::remove_dir_all(&spill).map_err(Error::io("cannot remove", &spill))?;
        report.account(&contents, written.num_replaced)?;
        let finishing = StageReport::new("finishing", finishing_started.elapsed());
        report.stages = vec![gathered.stage, written.stage, finishing];
        report.peak_memory_bytes = peak_memory_bytes();
        write_report(&report, draft.path())?;
        let inputs = vec![InputEntry { name: self.input.name(), size_bytes: gathered.size_bytes }];
        let generation = draft.publish(origin(inputs, &report), contents, Vec::new())?;
        Ok(PublishedDirectory { generation, report })
    }
}
