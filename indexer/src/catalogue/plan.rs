//! A load, from inputs to a published generation.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use store::{CatalogueBuilder, GenerationName, Generations, InputEntry};

use super::files::expand;
use super::gather::{FileCounts, Gathered, gather};
use super::read::Limits;
use super::report::CatalogueReport;
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

/// Which part of the memory sorting takes.
const SORTING_SHARE: usize = 4;

/// Which part the index of the search takes, while what was sorted is read back.
const INDEX_SHARE: usize = 4;

/// Which part each order takes, of which a type has five at most.
const ORDER_SHARE: usize = 64;

/// Which part a file takes that is one document over many lines.
const DOCUMENT_SHARE: usize = 4;

/// Which part a line takes. There are some under way on each thread, and what they become is several times as large.
const LINE_SHARE: usize = 256;

/// What a line takes whatever the memory, in bytes.
const LINE_BYTES_MIN: usize = 1 << 20;

/// What a load reads, and what it may take.
#[derive(Clone, Debug)]
pub struct CataloguePlan {
    /// The folder of the catalogue generations.
    pub generations: PathBuf,
    /// Files of resources or documents, and folders of such files.
    pub inputs: Vec<Input>,
    /// The memory for reading, sorting and indexing, whatever the size of the input. What is known of each resource, and the tables of
    /// the database, come on top: some 700 bytes for each resource.
    pub memory_bytes: usize,
    /// How many threads read resources.
    pub num_threads: usize,
    /// How many bad rows are allowed, if not any number.
    pub max_rejects: Option<u64>,
}

/// A published catalogue.
#[derive(Clone, Debug)]
pub struct PublishedCatalogue {
    /// The name of its generation.
    pub generation: GenerationName,
    /// The report of the load that built it.
    pub report: CatalogueReport,
}

impl CataloguePlan {
    /// Loads the resources and makes them the current generation.
    ///
    /// # Errors
    ///
    /// * See [`Error`]. Nothing is published then, and the current generation is as it was.
    pub fn run(&self) -> Result<PublishedCatalogue> {
        let generations = Generations::new(&self.generations);
        let inputs = expand(&self.inputs)?;
        let sizes = preflight::input_sizes(&inputs)?;
        // This makes the folder and removes rubbish, which makes room.
        let draft = generations.begin()?;
        preflight::check_room_of_catalogue(generations.root(), &sizes)?;
        let spill = draft.path().join(SPILL);
        fs::create_dir(&spill).map_err(Error::io("cannot create", &spill))?;
        let names = inputs.iter().map(Input::name).collect();
        let limit = self.max_rejects.unwrap_or(u64::MAX);
        let mut rejects = Rejects::create(generations.root(), draft.path(), names, limit)?;

        let limits = Limits {
            line_bytes: (self.memory_bytes / LINE_SHARE).max(LINE_BYTES_MIN),
            document_bytes: self.memory_bytes / DOCUMENT_SHARE,
        };
        let total_bytes = sizes.iter().map(|size| size.size_bytes).sum();
        let num_threads = self.num_threads.max(1);
        let sorting = (&*spill, self.memory_bytes / SORTING_SHARE);
        let mut gathered = gather(&inputs, (total_bytes, limits), sorting, num_threads, &mut rejects)?;
        let mut report = CatalogueReport::of_files(file_reports(&inputs, &gathered.files, &rejects))?;
        if report.num_accepted == 0 {
            return Err(rejects.nothing_accepted(report.num_rejected)?);
        }
        rejects.finish()?;

        let mut builder = CatalogueBuilder::create(draft.path(), self.memory_bytes / INDEX_SHARE)?;
        let ordering = (&*spill, self.memory_bytes / ORDER_SHARE);
        let written = write(&mut gathered, &mut builder, ordering, num_threads)?;
        let Gathered { resources, winners, sizes_bytes, num_derived, stage, .. } = gathered;
        let ((num_private, _), losers) = (winners.num_private_and_public(), winners.losers());
        // What follows takes memory of its own.
        drop((resources, winners));
        let finishing_started = Instant::now();
        let contents = builder.finish()?;
        fs::remove_dir_all(&spill).map_err(Error::io("cannot remove", &spill))?;
        report.account(written.stored, losers, num_private, num_derived)?;
        let finishing = StageReport::new("finishing", finishing_started.elapsed());
        report.stages = vec![stage, written.stage, finishing];
        report.peak_memory_bytes = peak_memory_bytes();
        write_report(&report, draft.path())?;
        let inputs = inputs.iter().map(Input::name).zip(sizes_bytes);
        let inputs = inputs.map(|(name, size_bytes)| InputEntry { name, size_bytes }).collect();
        let generation = draft.publish(origin(inputs, &report), contents, Vec::new())?;
        Ok(PublishedCatalogue { generation, report })
    }
}

/// Returns the rows of each input.
fn file_reports(inputs: &[Input], counts: &[FileCounts], rejects: &Rejects) -> Vec<FileReport> {
    let file = |(position, (input, counts)): (usize, (&Input, &FileCounts))| FileReport {
        name: input.name(),
        num_read: counts.num_accepted + counts.num_rejected,
        num_accepted: counts.num_accepted,
        passed_over: BTreeMap::new(),
        rejected: rejects.counts(position),
    };
    inputs.iter().zip(counts).enumerate().map(file).collect()
}
