//! The plan of a run over a release.

use std::path::PathBuf;
use std::sync::Arc;

use store::Generations;

use crate::acceptance::Acceptance;
use crate::input::Input;
use crate::portal_run::Published;
use crate::rejects::REJECTS_OF_FAILED_RUN;
use crate::tables::biomes::read_biomes;
use crate::tables::families::read_families;
use crate::{Error, Result, preflight};

use super::budget::Budget;
use super::context::RunContext;
use super::join::rejects::RejectLimit;
use super::merge::replacements::open_previous;
use super::read::layout::{ReleaseFile, recognise};
use super::read::lineages::Lineages;
use super::resume::fingerprint::Fingerprint;
use super::resume::journal::Event;
use super::resume::unfinished::{self, Begun};
use super::run::Run;

/// What a run over a release reads, and what it may take.
#[derive(Clone, Debug)]
pub struct ReleasePlan {
    /// The folder of the protein generations.
    pub generations: PathBuf,
    /// The folder with the files of the release.
    pub release: PathBuf,
    /// The biome table.
    pub biomes: Input,
    /// The Pfam clans table.
    pub pfam: Input,
    /// The table of replaced accessions.
    pub superseded: Option<Input>,
    /// An earlier index: those of its proteins that are members of a cluster now lead to the representative.
    pub previous: Option<PathBuf>,
    /// Every protein is indexed, and not only cluster representatives.
    pub all_proteins: bool,
    /// The memory for reading, sorting and indexing. The peak of the process is within 200 MB of it, whatever the size of the input.
    pub memory_bytes: usize,
    /// How many threads index.
    pub num_threads: usize,
    /// How many bad rows are allowed.
    pub max_rejects: u64,
    /// What an unfinished run has done is thrown away.
    pub fresh: bool,
    /// What is published although it is suspicious.
    pub acceptance: Acceptance,
}

impl ReleasePlan {
    /// Builds an index of the release and makes it the current generation. A run that was killed or has failed is continued when it is
    /// started again with the same inputs.
    ///
    /// # Errors
    ///
    /// * See [`crate::Error`]. Nothing is published then, and the current generation is as it was.
    pub fn run(&self) -> Result<Published> {
        let layout = recognise(&self.release, self.all_proteins)?;
        for note in layout.notes.iter().chain(&layout.warnings) {
            tracing::info!("{note}");
        }
        self.acceptance.check_warnings(&layout.warnings)?;
        preflight::input_sizes(self.tables())?;
        let biomes = read_biomes(&self.biomes)?;
        let families = read_families(&self.pfam)?;
        let previous = self.previous.as_deref().map(open_previous).transpose()?;
        let mut budget = Budget::new(self.memory_bytes, self.num_threads);

        let generations = Generations::new(&self.generations);
        let inputs = Fingerprint::of(&layout, &biomes, &families)?;
        let Begun { draft, journal, done } =
            unfinished::begin(&generations, &inputs, budget.range_proteins, self.fresh)?;
        // What an unfinished run has done needs no room any more.
        if done.num_ranges() == 0 {
            preflight::check_room_of_release(generations.root(), &layout, self.all_proteins)?;
        }
        if let Some((_, range_proteins)) = &done.started {
            budget.range_proteins = *range_proteins;
        }
        let journal = Arc::new(journal);
        let lineage_journal = Arc::clone(&journal);
        let record = move |lineage: &str| lineage_journal.write(&Event::Lineage { lineage: lineage.to_owned() });
        let context = RunContext {
            draft: draft.path().to_owned(),
            work: draft.work_path().to_owned(),
            names: layout.files().map(ReleaseFile::name).chain(self.superseded.iter().map(Input::name)).collect(),
            lineages: Arc::new(Lineages::new(biomes, &done.lineages, record)?),
            families,
            limit: RejectLimit::new(self.max_rejects, self.generations.join(REJECTS_OF_FAILED_RUN)),
            journal,
            budget,
        };
        let run = Run { plan: self, layout, previous, context };
        let published = run.finish(&generations, draft, done);
        if let Err(Error::TooManyRejects { .. }) = &published {
            run.list_rejected();
        }
        published
    }

    /// Returns the small tables beside the release.
    pub(super) fn tables(&self) -> impl Iterator<Item = &Input> {
        [&self.biomes, &self.pfam].into_iter().chain(&self.superseded)
    }
}
