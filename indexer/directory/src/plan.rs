//! A load, from the input to a published generation.

use std::path::{Path, PathBuf};
use std::time::Instant;

use indexer::Result;
use indexer::input::Input;
use indexer::run::{
    Acceptance, Built, Change, Changes, LoadReport, Published, StageReport, Survey, Workspace, open_present, preflight,
};
use indexer::sort::SortSpace;
use serde::Serialize;
use store::{Generations, durable};
use store_profiles::{DirectoryBuilder, DirectoryContents, DirectoryGeneration};

use super::gather::gather;
use super::write::{Written, write};

/// The name of these generations in messages.
const NOUN: &str = "directory";

/// The share of the memory (one in N) for sorting. The lists of entries grow by doubling, so they
/// use up to twice their share.
const SORTING_SHARE: usize = 2;

/// A load of users and domains: its input and its limits.
#[derive(Clone, Debug)]
pub struct DirectoryPlan {
    /// The folder of the directory generations.
    pub generations: PathBuf,
    /// Users and domains, one per line.
    pub input: Input,
    /// The memory for sorting. The peak of the process is at most 200 MB above the sum of it and
    /// the size of the present directory, for input and lines of any size.
    pub memory_bytes: usize,
    /// The number of bad lines that are skipped before the load fails. If the line of a locked user
    /// is skipped, the account stays open.
    pub max_rejects: u64,
    /// The suspicious generations that are published anyway.
    pub acceptance: Acceptance,
}

/// The numbers of users and domains that a load of a directory has stored.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct StoredDirectory {
    /// Users in the generation.
    pub num_users: u64,
    /// Users in the generation that are locked.
    pub num_locked: u64,
    /// Domains in the generation.
    pub num_domains: u64,
    /// The number of pairs of a user and a domain that the user belongs to.
    pub num_memberships: u64,
    /// Lines that a later line of the same user or domain replaced.
    pub num_replaced: u64,
}

impl DirectoryPlan {
    /// Loads the users and domains and makes them the current generation.
    ///
    /// # Errors
    ///
    /// * See [`indexer::Error`]. Nothing is published then, and the current generation is
    ///   unchanged.
    pub fn run(&self) -> Result<Published<LoadReport<StoredDirectory>>> {
        self.build(&self.generations)?.publish(self.acceptance)
    }

    /// Predicts the result of [`DirectoryPlan::run`] by doing the work in a folder for temporary
    /// files. Nothing is published.
    pub fn survey(&self) -> Survey {
        let mut survey = Survey::default();
        let sizes = survey.add_inputs("users and domains", [&self.input]).unwrap_or_default();
        survey.add_room(&self.generations, preflight::room_of_lines(&sizes));
        survey.add_load(self.acceptance, |folder| self.build(folder));
        survey
    }

    /// Builds a generation in a folder of generations, and compares it with the current one.
    fn build(&self, folder: &Path) -> Result<Built<StoredDirectory, DirectoryContents>> {
        let sizes = preflight::input_sizes([&self.input])?;
        let (names, needed_bytes) = (vec![self.input.name()], preflight::room_of_lines(&sizes));
        let workspace = Workspace::begin(&Generations::private(folder), names, self.max_rejects, needed_bytes)?;
        let Workspace { draft, spill, mut rows } = workspace;
        let sorting = SortSpace { folder: &spill, memory_bytes: self.memory_bytes / SORTING_SHARE };
        let gathered = gather(&self.input, preflight::total_bytes(&sizes), sorting, &mut rows)?;
        // An empty directory would unlock all locked users, and is most likely a wrong file.
        rows.finish(1)?;

        let generations = Generations::private(&self.generations);
        let present = open_present(&generations, NOUN, |name| DirectoryGeneration::open(&generations, name));
        let (present_name, present) = present.unzip();
        let mut builder = DirectoryBuilder::create(&draft)?;
        let Written { num_replaced, num_locked_before, stage: writing } =
            write(gathered.facts, gathered.num_facts, &mut builder, present.as_ref())?;
        let finishing_started = Instant::now();
        let contents = builder.finish()?;
        durable::remove_folder(&spill)?;
        let finishing = StageReport::new("finishing", finishing_started.elapsed());
        let before = present.map(|present| present.contents().clone()).unwrap_or_default();
        let numbers = vec![
            Change::new("user", before.num_users, contents.num_users),
            Change {
                missing: Some(before.num_locked.saturating_sub(num_locked_before)),
                ..Change::new("locked user", before.num_locked, contents.num_locked)
            },
            Change::new("domain", before.num_domains, contents.num_domains),
        ];
        let changes = Changes { noun: NOUN, present: present_name, numbers };
        let DirectoryContents { num_users, num_locked, num_domains, num_memberships } = contents;
        let stored = StoredDirectory { num_users, num_locked, num_domains, num_memberships, num_replaced };
        let num_accounted = num_users + num_domains + num_replaced;
        let stages = vec![gathered.stage, writing, finishing];
        let report = LoadReport::new(rows.files, stored, 0, num_accounted, stages, changes, self.acceptance)?;
        Ok(Built { draft, report, contents, inputs: vec![gathered.input] })
    }
}
