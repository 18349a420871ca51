//! A run over a release, from its files to a published generation.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use store::{BiomeTable, Draft, FamilyTable, Generations, ProteinGeneration, ProteinsBuilder};

use super::budget::Budget;
use super::fingerprint::Fingerprint;
use super::index::{IndexRoom, JoinedTables, index};
use super::journal::{Done, Event, Journal};
use super::layout::{Layout, leading_table, recognise};
use super::lineages::Lineages;
use super::outcome::{Outcome, inputs_of};
use super::provision::Provision;
use super::reject_log::{RejectLog, join_lists, list_path};
use super::sorting::SortingRoom;
use super::strangers::Existing;
use super::sums::{check_sums, files_to_sum};
use super::superseded::{Links, add_replacements, open_previous};
use super::table::Table;
use super::unfinished::{self, Begun};
use crate::input::Input;
use crate::run::{
    Acceptance, Published, REJECTS, REJECTS_OF_FAILED_RUN, RejectLimit, StageReport, examine, preflight, publish,
};
use crate::tables::biomes::read_biomes;
use crate::tables::families::read_families;
use crate::words::counted;
use crate::{Error, Result};

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

/// What a run knows before it reads the rows.
struct Run<'a> {
    /// The plan.
    plan: &'a ReleasePlan,
    /// The files.
    layout: Layout,
    /// The names of all inputs with rows, by position: the files of the release, then the table of replaced accessions.
    names: Vec<String>,
    /// The biome table.
    biomes: BiomeTable,
    /// The families that have names.
    families: FamilyTable,
    /// The earlier index.
    previous: Option<ProteinGeneration>,
    /// How the memory is shared out.
    budget: Budget,
}

/// What was indexed.
struct Indexed {
    /// Everything that was done, now and before.
    done: Done,
    /// All lineages.
    lineages: Arc<Lineages>,
    /// Accessions of the earlier index that are members now.
    links: Option<Links>,
    /// How long the stages took.
    stages: Vec<StageReport>,
}

impl ReleasePlan {
    /// Builds an index of the release and makes it the current generation. A run that was killed or has failed goes on where it was
    /// when it is started again with the same inputs.
    ///
    /// # Errors
    ///
    /// * See [`Error`]. Nothing is published then, and the current generation is as it was.
    pub fn run(&self) -> Result<Published> {
        let layout = recognise(&self.release, self.all_proteins)?;
        for note in layout.notes.iter().chain(&layout.warnings) {
            tracing::info!("{note}");
        }
        self.acceptance.check_warnings(&layout.warnings)?;
        let tables = [&self.biomes, &self.pfam].into_iter().chain(&self.superseded);
        preflight::input_sizes(tables)?;
        let names = layout.files().map(super::layout::ReleaseFile::name).chain(self.superseded.iter().map(Input::name));
        let mut run = Run {
            plan: self,
            names: names.collect(),
            biomes: read_biomes(&self.biomes)?,
            families: read_families(&self.pfam)?,
            previous: self.previous.as_deref().map(open_previous).transpose()?,
            budget: Budget::new(self.memory_bytes, self.num_threads),
            layout,
        };
        let generations = Generations::new(&self.generations);
        let inputs = Fingerprint::of(&run.layout, (&run.biomes, &run.families), self.all_proteins)?;
        let begun = unfinished::begin(&generations, &inputs, run.budget.range_proteins, self.fresh)?;
        // What an unfinished run has done needs no room any more.
        if begun.done.num_ranges() == 0 {
            preflight::check_room(generations.root(), run.layout.index_bytes(self.all_proteins))?;
        }
        if let Some((_, range_proteins)) = &begun.done.started {
            run.budget.range_proteins = *range_proteins;
        }
        let lists = begun.draft.work_path().to_owned();
        let published = run.finish(&generations, begun);
        if let Err(Error::TooManyRejects { .. }) = &published {
            run.list_rejected(&lists);
        }
        published
    }
}

impl Run<'_> {
    /// Indexes the release and publishes the index.
    fn finish(&self, generations: &Generations, begun: Begun) -> Result<Published> {
        let Begun { draft, mut journal, done } = begun;
        let num_ranges_continued = done.num_ranges();
        if num_ranges_continued > 0 || !done.sorted.is_empty() {
            tracing::info!(
                "going on with an unfinished run, which has done {} and {}",
                counted(num_ranges_continued, "range"),
                counted(done.sorted.len() as u64, "sorted table")
            );
        }
        let summing = self.check_sums(&mut journal, &done)?;
        let limit = self.reject_limit(&done);
        let mut indexed = self.index(&draft, journal, done, &limit)?;
        indexed.stages.splice(0..0, summing);
        let num_proteins = indexed.done.num_proteins();
        if num_proteins == 0 {
            return Err(self.nothing_accepted(draft, &limit));
        }
        self.plan.acceptance.check_size(generations, num_proteins)?;
        self.publish(draft, indexed, &limit, num_ranges_continued)
    }

    /// Compares the files with their sums whose readers do not, unless an earlier run has done it.
    fn check_sums(&self, journal: &mut Journal, done: &Done) -> Result<Option<StageReport>> {
        let tables = self.tables_read();
        let has_previous = self.previous.is_some();
        let is_read = |table| match table {
            Table::Counts | Table::BiomeCounts => true,
            Table::ClusterMembers => has_previous || tables.contains(&table) || self.existing() == Existing::ByCluster,
            table => tables.contains(&table),
        };
        let files: Vec<_> = files_to_sum(&self.layout, is_read).collect();
        let sums = files.iter().filter_map(|file| file.sum.as_ref()).map(|listed| listed.sum.to_string());
        let sums: Vec<String> = sums.collect();
        if sums == done.sums {
            return Ok(None);
        }
        let stage = check_sums(&files, self.plan.num_threads)?;
        journal.write(&Event::Summed { sums })?;
        Ok(Some(stage))
    }

    /// Starts to count bad rows behind those that an earlier run has met.
    fn reject_limit(&self, done: &Done) -> RejectLimit {
        let listed_in = self.plan.generations.join(REJECTS_OF_FAILED_RUN);
        RejectLimit::new(self.plan.max_rejects, done.tally().num_towards_limit(), listed_in)
    }

    /// Indexes the release. A table that turns out not to be in order is sorted, and everything is indexed anew.
    fn index(&self, draft: &Draft, journal: Journal, mut done: Done, limit: &RejectLimit) -> Result<Indexed> {
        let journal = Arc::new(Mutex::new(journal));
        let write = |event: &Event| journal.lock().unwrap_or_else(PoisonError::into_inner).write(event);
        let mut stages = Vec::new();
        loop {
            unfinished::clean(draft, &done)?;
            let lineages = self.lineages(&journal, &done)?;
            limit.restart(done.tally().num_towards_limit())?;
            match self.attempt(draft, &journal, &mut done, (limit, &lineages), &mut stages) {
                Err(Error::OutOfOrder { table }) => {
                    tracing::info!("the {} are not in order: they will be sorted", table.name());
                    done.lineages = lineages.added();
                    let event = Event::OutOfOrder { table };
                    write(&event)?;
                    done.add(event);
                }
                Err(error) => return Err(error),
                Ok((done, links)) => return Ok(Indexed { done, lineages, links, stages }),
            }
        }
    }

    /// Starts with the lineages of the biome table and those that were met before.
    fn lineages(&self, journal: &Arc<Mutex<Journal>>, done: &Done) -> Result<Arc<Lineages>> {
        let mut table = self.biomes.clone();
        for lineage in &done.lineages {
            table.insert(None, lineage)?;
        }
        let journal = Arc::clone(journal);
        let keep = move |lineage: &str| {
            let event = Event::Lineage { lineage: lineage.to_owned() };
            journal.lock().unwrap_or_else(PoisonError::into_inner).write(&event)
        };
        Ok(Arc::new(Lineages::new(table, done.lineages.clone(), Box::new(keep))))
    }

    /// Sorts what is known not to be in order, and indexes everything that was not indexed before.
    fn attempt(
        &self,
        draft: &Draft,
        journal: &Mutex<Journal>,
        done: &mut Done,
        (limit, lineages): (&RejectLimit, &Arc<Lineages>),
        stages: &mut Vec<StageReport>,
    ) -> Result<(Done, Option<Links>)> {
        let work = draft.work_path();
        let room = SortingRoom {
            work,
            memory_bytes: self.budget.sorting_bytes,
            num_runs_max: self.budget.num_runs_max,
            names: &self.names,
            limit,
        };
        let mut provision = Provision {
            folder: &self.plan.release,
            layout: &self.layout,
            all_proteins: self.plan.all_proteins,
            lineages,
            room,
            journal,
            done,
            stages,
        };
        // Who is indexed has a record of its own, and leads nowhere else.
        let links = match &self.previous {
            Some(previous) if !self.plan.all_proteins => self.links(previous, &mut provision, work)?,
            _ => None,
        };
        let existing = self.existing();
        let tables = JoinedTables {
            leading: provision.leading_table(),
            leader: provision.leader()?,
            sequences: provision.sequences()?,
            biomes: provision.table(Table::Biomes)?,
            pfam: provision.table(Table::Pfam)?,
            occurrences: provision.table(Table::Occurrences)?,
            counts: provision.table(Table::Counts)?,
            members: if existing == Existing::ByCluster { provision.members()? } else { None },
            existing,
        };
        let room = IndexRoom {
            draft: draft.path(),
            work,
            names: &self.names,
            lineages,
            families: &self.families,
            limit,
            journal,
            budget: self.budget,
        };
        let (done, mut indexing) = index(tables, &room, done)?;
        stages.append(&mut indexing);
        Ok((done, links))
    }

    /// Finds the accessions of the earlier index that are members now.
    fn links(&self, previous: &ProteinGeneration, provision: &mut Provision<'_>, work: &Path) -> Result<Option<Links>> {
        if provision.members()?.is_none() {
            tracing::warn!("--previous has no effect: the release has no members of clusters");
            return Ok(None);
        }
        let members = || provision.members()?.ok_or(Error::Spill);
        Links::find(previous, members, work, self.budget).map(Some)
    }

    /// Tells how accessions are known that exist without being indexed.
    fn existing(&self) -> Existing {
        let covers_all = self.layout.input(Table::Sequences).is_some_and(|input| input.covers_all_proteins);
        if self.plan.all_proteins {
            Existing::Nowhere
        } else if covers_all {
            Existing::BySequence
        } else if self.layout.input(Table::ClusterMembers).is_some() {
            Existing::ByCluster
        } else {
            Existing::Unknown
        }
    }

    /// Returns the tables whose rows are read and counted. Of the numbers of occurrences, reading may end early.
    fn tables_read(&self) -> Vec<Table> {
        let has = |table| self.layout.input(table).is_some();
        let leading = leading_table(self.layout.form, self.plan.all_proteins, has);
        let mut tables = vec![leading, Table::Sequences, Table::Biomes, Table::Pfam, Table::Occurrences];
        if has(Table::Occurrences) {
            tables.push(Table::ContigNames);
        }
        tables
    }

    /// Returns the error of a run that has found no protein. Nothing that it has done is worth going on with.
    fn nothing_accepted(&self, draft: Draft, limit: &RejectLimit) -> Error {
        let error = limit.nothing_accepted().unwrap_or_else(|| Error::Release {
            path: self.plan.release.clone(),
            problem: "nothing to load: its clusters name no protein".to_owned(),
        });
        self.list_rejected(draft.work_path());
        if let Err(error) = draft.discard() {
            tracing::warn!("what the run has done cannot be removed: {error}");
        }
        error
    }

    /// Lists the bad rows that were met, where the list outlasts the run.
    fn list_rejected(&self, work: &Path) {
        let into = self.plan.generations.join(REJECTS_OF_FAILED_RUN);
        if let Err(error) = join_lists(work, &self.names, self.budget.sorting_bytes, &into) {
            tracing::warn!("the rejected rows cannot be listed: {error}");
        }
    }

    /// Adds what is not a protein, writes the report, and publishes.
    fn publish(
        &self,
        draft: Draft,
        indexed: Indexed,
        limit: &RejectLimit,
        num_ranges_continued: u64,
    ) -> Result<Published> {
        let Indexed { done, lineages, links, mut stages } = indexed;
        let started = Instant::now();
        let work = draft.work_path().to_owned();
        let mut tally = done.tally();
        let mut builder = ProteinsBuilder::new(draft, self.biomes.clone(), self.budget.sorting_bytes);
        builder.set_biomes(BiomeTable::clone(&lineages.table()))?;
        let mut log = RejectLog::new(list_path(&work, "superseded"), &self.names, limit);
        let position = u16::try_from(self.layout.files().count()).map_err(|_| Error::Spill)?;
        let table = self.plan.superseded.as_ref().map(|input| (position, input));
        tally.add(add_replacements(table, links.as_ref(), self.budget.sorting_bytes, &mut log, &mut builder)?);
        log.finish()?;
        stages.push(StageReport::new("replacing", started.elapsed()));
        for merged in &done.merged {
            builder.adopt(merged.segment.clone(), merged.files.clone())?;
        }
        join_lists(&work, &self.names, self.budget.sorting_bytes, &builder.path().join(REJECTS))?;
        let outcome = Outcome {
            layout: &self.layout,
            all_proteins: self.plan.all_proteins,
            tables_read: &self.tables_read(),
            names: &self.names,
            biomes: &lineages.table(),
            families: &self.families,
            num_ranges_continued,
        };
        let mut report = outcome.report(&done, &tally, stages)?;
        self.plan.acceptance.check_warnings(&report.warnings)?;
        let built = builder.finish(&self.families)?;
        report.replaced = examine(&built, &work, self.budget.sorting_bytes)?;
        let (inputs, draft) = (inputs_of(self.plan, &self.layout)?, built.path().to_owned());
        publish(report, &draft, inputs, |origin| built.publish(origin))
    }
}
