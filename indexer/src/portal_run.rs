//! A run over portal rows, from inputs to a published generation.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use serde::Serialize;
use store::{GenerationName, Generations, InputEntry, Origin, ProteinsBuilder};

use crate::acceptance::Acceptance;
use crate::input::Input;
use crate::pipeline::{FileCounts, gather, write};
use crate::preflight;
use crate::rejects::Rejects;
use crate::replaced::examine;
use crate::report::{FileReport, Report, StageReport, write_report};
use crate::sort::Sorter;
use crate::survey::Survey;
use crate::tables::biomes::read_biomes;
use crate::tables::families::read_families;
use crate::tables::replacements::read_replacements;
use crate::{Error, Result};

/// The folder for the runs of the sorter, inside the draft.
const SPILL: &str = "spill";

/// How many bytes of rows a core indexes in a second, at least.
const PLAIN_BYTES_PER_CORE_SECOND: u64 = 30_000_000;

/// What a run over portal rows reads, and what it may take.
#[derive(Clone, Debug)]
pub struct PortalPlan {
    /// The folder of the protein generations.
    pub generations: PathBuf,
    /// The rows. They need no order.
    pub portal: Vec<Input>,
    /// The biome table.
    pub biomes: Input,
    /// The Pfam clans table.
    pub pfam: Input,
    /// The table of replaced accessions.
    pub superseded: Option<Input>,
    /// The memory for sorting and indexing. The peak of the process is within 200 MB of it, whatever the size of the input.
    pub memory_bytes: usize,
    /// How many threads check rows.
    pub num_threads: usize,
    /// How many bad rows are allowed.
    pub max_rejects: u64,
    /// What is published although it is suspicious.
    pub acceptance: Acceptance,
}

/// A published generation.
#[derive(Clone, Debug)]
pub struct Published {
    /// Its name.
    pub generation: GenerationName,
    /// The report of the run that built it.
    pub report: Report,
}

impl PortalPlan {
    /// Builds an index of the rows and makes it the current generation.
    ///
    /// # Errors
    ///
    /// * See [`Error`]. Nothing is published then, and the current generation is as it was.
    pub fn run(&self) -> Result<Published> {
        let generations = Generations::new(&self.generations);
        let tables = || [&self.biomes, &self.pfam].into_iter().chain(&self.superseded);
        let table_sizes = preflight::input_sizes(tables())?;
        let portal_sizes = preflight::input_sizes(&self.portal)?;
        // This makes the folder and removes rubbish, which makes room.
        let draft = generations.begin()?;
        preflight::check_room(generations.root(), table_sizes.iter().chain(&portal_sizes))?;
        let biomes = read_biomes(&self.biomes)?;
        let families = read_families(&self.pfam)?;
        let half_memory = self.memory_bytes / 2;

        let mut builder = ProteinsBuilder::new(draft, biomes.clone(), half_memory);
        // The portal files come first: their positions here are those that the pipeline knows them by.
        let names = self.portal.iter().chain(&self.superseded).map(Input::name).collect();
        let mut rejects = Rejects::create(generations.root(), builder.path(), names, self.max_rejects)?;
        let mut report = Report {
            num_biomes: biomes.iter().len() as u64,
            num_families: families.iter().count() as u64,
            ..Report::default()
        };
        if let Some(input) = &self.superseded {
            let position = self.portal.len();
            report.add_file(add_replacements((position, input), half_memory, &mut builder, &mut rejects)?)?;
        }

        let spill = builder.path().join(SPILL);
        fs::create_dir(&spill).map_err(Error::io("cannot create", &spill))?;
        let mut sorter = Sorter::new(&spill, half_memory);
        let total_bytes = portal_sizes.iter().map(|size| size.size_bytes).sum();
        let num_threads = self.num_threads.max(1);
        let mut gathered =
            gather(&self.portal, total_bytes, (&biomes, &families), num_threads, &mut sorter, &mut rejects)?;
        let entries = sorter.finish()?;
        let indexing = write(entries, &mut gathered.files, &mut builder, &mut rejects)?;

        for (position, (input, counts)) in self.portal.iter().zip(&gathered.files).enumerate() {
            report.add_file(FileReport {
                name: input.name(),
                num_read: counts.num_read,
                num_accepted: counts.num_accepted,
                passed_over: BTreeMap::new(),
                rejected: rejects.counts(position),
            })?;
        }
        let [num_read, num_accepted] = gathered.rows();
        if num_accepted == 0 {
            return Err(rejects.nothing_accepted(num_read)?);
        }
        self.acceptance.check_size(&generations, num_accepted)?;
        report.warnings = without_good_rows(&self.portal, &gathered.files);
        self.acceptance.check_warnings(&report.warnings)?;
        rejects.finish()?;
        let checking_started = Instant::now();
        let built = builder.finish(&families)?;
        report.replaced = examine(&built, &spill, half_memory)?;
        fs::remove_dir_all(&spill).map_err(Error::io("cannot remove", &spill))?;
        report.notes = gathered.notes;
        report.stages = vec![gathered.stage, indexing, StageReport::new("checking", checking_started.elapsed())];
        // What a stream of rows had is known only now.
        let sizes_bytes = table_sizes.iter().map(|size| size.size_bytes).chain(gathered.sizes_bytes);
        let inputs = tables().chain(&self.portal).map(Input::name).zip(sizes_bytes);
        let inputs = inputs.map(|(name, size_bytes)| InputEntry { name, size_bytes }).collect();
        write_report(&report, built.path())?;
        let generation = built.publish(origin(inputs, &report))?;
        Ok(Published { generation, report })
    }
}

impl PortalPlan {
    /// Finds out what [`PortalPlan::run`] would do, by the sizes of the rows. Nothing is written, and nothing is read from standard input.
    pub fn survey(&self) -> Survey {
        let mut survey = Survey::default();
        survey.add_inputs("rows", &self.portal);
        survey.add_tables(read_biomes(&self.biomes), read_families(&self.pfam));
        if let Some(superseded) = &self.superseded {
            survey.add_inputs("replaced accessions", [superseded]);
        }
        if let Ok(sizes) = preflight::input_sizes(&self.portal) {
            survey.add_room(&self.generations, |folder| preflight::check_room(folder, sizes.iter()));
            survey.index_bytes = preflight::plain_bytes(sizes.iter());
            survey.estimate_duration(survey.index_bytes, PLAIN_BYTES_PER_CORE_SECOND, self.num_threads);
        }
        survey
    }
}

impl StageReport {
    /// Reports how long a stage took.
    pub(crate) fn new(name: impl Into<String>, duration: Duration) -> Self {
        Self { name: name.into(), duration_ms: u64::try_from(duration.as_millis()).unwrap_or(u64::MAX) }
    }
}

/// Returns which inputs have no good row.
fn without_good_rows(inputs: &[Input], counts: &[FileCounts]) -> Vec<String> {
    let without = inputs.iter().zip(counts).filter(|(_, counts)| counts.num_accepted == 0);
    without.map(|(input, _)| format!("{} has no good row", input.name())).collect()
}

/// Reads the replaced accessions, gives them to the builder, and reports the rows of their table.
fn add_replacements(
    (position, input): (usize, &Input),
    memory_bytes: usize,
    builder: &mut ProteinsBuilder,
    rejects: &mut Rejects,
) -> Result<FileReport> {
    let mut table = read_replacements(input, memory_bytes, |row| rejects.add(position, row))?;
    table.follow(|row| rejects.add(position, row))?;
    let mut num_accepted = 0;
    for (old, new) in table.iter() {
        builder.add_replacement(old, new)?;
        num_accepted += 1;
    }
    Ok(FileReport {
        name: input.name(),
        num_read: table.num_read,
        num_accepted,
        passed_over: BTreeMap::new(),
        rejected: rejects.counts(position),
    })
}

/// Returns what the manifest says of the run.
pub(crate) fn origin(inputs: Vec<InputEntry>, report: &impl Serialize) -> Origin {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Origin {
        written_by: concat!("mgdex ", env!("CARGO_PKG_VERSION")).to_owned(),
        finished_unix_s: now.as_secs(),
        inputs,
        report: serde_json::to_value(report).unwrap_or_default(),
    }
}
