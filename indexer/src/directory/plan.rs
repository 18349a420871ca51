//! A load, from the input to a published generation.

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use serde::Serialize;
use store::{DirectoryBuilder, DirectoryContents, Generations};

use super::gather::gather;
use super::write::write;
use crate::input::Input;
use crate::run::{LoadReport, Published, StageReport, Workspace, preflight, publish};
use crate::{Error, Result};

/// Which part of the memory sorting takes. The lists of entries grow by doubling, so that they take up to twice their share.
const SORTING_SHARE: usize = 2;

/// A load of users and domains: what it reads, and what it may take.
#[derive(Clone, Debug)]
pub struct DirectoryPlan {
    /// The folder of the directory generations.
    pub generations: PathBuf,
    /// Users and domains, one a line.
    pub input: Input,
    /// The memory for sorting. The peak of the process is within 200 MB of it, whatever the size of the input and of its lines.
    pub memory_bytes: usize,
    /// How many bad lines are left out before the load fails. If the line of a locked user is left out, the account stays open.
    pub max_rejects: u64,
}

/// What a load of a directory has stored.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct StoredDirectory {
    /// Users in the generation.
    pub num_users: u64,
    /// Those of them that are locked.
    pub num_locked: u64,
    /// Domains in the generation.
    pub num_domains: u64,
    /// How many users belong to how many domains, all together.
    pub num_memberships: u64,
    /// Lines that a later one of the same user or domain replaced.
    pub num_replaced: u64,
}

impl DirectoryPlan {
    /// Loads the users and domains and makes them the current generation.
    ///
    /// # Errors
    ///
    /// * See [`Error`]. Nothing is published then, and the current generation is as it was.
    pub fn run(&self) -> Result<Published<LoadReport<StoredDirectory>>> {
        let generations = Generations::private(&self.generations);
        let sizes = preflight::input_sizes([&self.input])?;
        let (names, needed_bytes) = (vec![self.input.name()], preflight::room_of_lines(&sizes));
        let workspace = Workspace::begin(&generations, names, self.max_rejects, needed_bytes)?;
        let Workspace { draft, spill, mut rows } = workspace;
        let sorting = (&*spill, self.memory_bytes / SORTING_SHARE);
        let gathered = gather(&self.input, preflight::total_bytes(&sizes), sorting, &mut rows)?;
        // An empty directory would unlock whoever is locked, and is most likely a wrong file.
        rows.finish(1)?;

        let mut builder = DirectoryBuilder::create(&draft)?;
        let (num_replaced, writing) = write(gathered.facts, gathered.num_facts, &mut builder)?;
        let finishing_started = Instant::now();
        let contents = builder.finish()?;
        fs::remove_dir_all(&spill).map_err(Error::io("cannot remove", &spill))?;
        let finishing = StageReport::new("finishing", finishing_started.elapsed());
        let DirectoryContents { num_users, num_locked, num_domains, num_memberships } = contents;
        let stored = StoredDirectory { num_users, num_locked, num_domains, num_memberships, num_replaced };
        let num_accounted = num_users + num_domains + num_replaced;
        let stages = vec![gathered.stage, writing, finishing];
        let report = LoadReport::new(rows.files, stored, (0, num_accounted), stages)?;
        let path = draft.path().to_owned();
        publish(report, &path, vec![gathered.input], |origin| draft.publish(origin, contents, Vec::new()))
    }
}
