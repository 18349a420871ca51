//! A run over a release, from its files to a published generation.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use indexer::input::Input;
use indexer::run::{
    Published, REJECTS, REJECTS_OF_FAILED_RUN, RejectLimit, Report, StageReport, carry_own, examine, index_checksums,
    index_contigs_of_records, preflight, publish, replacement_warnings,
};
use indexer::sort::SortSpace;
use indexer::{Error, Result, counted};
use store::{BiomeTable, Draft, Generations, InputEntry};
use store_proteins::{BuiltProteins, CitedRelease, ProteinGeneration, ProteinsBuilder, ReleaseContent};

use crate::tables::{read_biomes, read_families};

use super::budget::Budget;
use super::context::RunContext;
use super::join::ordered::OrderedTables;
use super::join::rejects::join_lists;
use super::merge::contigs::index_contigs;
use super::merge::index::{JoinedTables, index};
use super::merge::members::index_members;
use super::merge::replacements::{Links, add_replacements, open_previous};
use super::plan::ReleasePlan;
use super::read::layout::{KnownBy, Layout, ReleaseFile, recognise};
use super::read::lineages::Lineages;
use super::read::sums::{check_sums, files_to_sum};
use super::report::report;
use super::resume::fingerprint::Fingerprint;
use super::resume::journal::{Done, Event};
use super::resume::unfinished::{self, StartedRun};
use super::table::Table;

struct Run<'a> {
    plan: &'a ReleasePlan,
    layout: Layout,
    previous: Option<ProteinGeneration>,
    context: RunContext,
}

impl ReleasePlan {
    /// Builds an index of the release and makes it the current generation. After a run was killed
    /// or has failed, the next run with the same inputs continues it.
    ///
    /// # Errors
    ///
    /// * See [`indexer::Error`]. Nothing is published then, and the current generation is
    ///   unchanged.
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
        let inputs = Fingerprint::new(&self.release, &layout, &biomes, &families)?;
        let StartedRun { draft, journal, done } =
            unfinished::begin(&generations, &inputs, budget.range_proteins, self.fresh)?;
        // The work of an unfinished run needs no additional room.
        if done.num_ranges() == 0 {
            preflight::check_room(generations.root(), layout.room_bytes(self.all_proteins, &self.context_tables()))?;
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
        if let Err(Error::TooManyRejects { .. } | Error::Refused { .. }) = &published {
            // The reason of the refusal matters more than this failed write.
            let _ = run.context.journal.write(&Event::Refused);
        }
        published
    }
}

impl Run<'_> {
    fn finish(&self, generations: &Generations, draft: Draft, mut done: Done) -> Result<Published> {
        let num_ranges_continued = done.num_ranges();
        if num_ranges_continued > 0 || !done.sorted.is_empty() {
            tracing::info!(
                "continuing an unfinished run, which has finished {} and {}",
                counted(num_ranges_continued, "range"),
                counted(done.sorted.len() as u64, "sorted table")
            );
        }
        let mut stages = Vec::from_iter(self.check_sums(&done)?);
        let links = self.index(&draft, &mut done, &mut stages)?;
        self.context.limit.check()?;
        let num_proteins = done.num_proteins();
        if num_proteins == 0 {
            return Err(self.nothing_accepted(draft));
        }
        self.plan.acceptance.check_size(generations, num_proteins)?;
        self.publish(generations, draft, &mut done, links.as_ref(), stages, num_ranges_continued)
    }

    /// Compares the files whose readers do not compare sums, unless an earlier run has done it.
    fn check_sums(&self, done: &Done) -> Result<Option<StageReport>> {
        let files = files_to_sum(&self.layout, self.previous.is_some() || self.plan.members || self.plan.contigs);
        let sums = files.iter().filter_map(|file| file.sum.as_ref()).map(|listed| listed.sum.to_string());
        let sums: Vec<String> = sums.collect();
        if sums == done.sums {
            return Ok(None);
        }
        let stage = check_sums(&files, self.plan.num_threads)?;
        self.context.journal.write(&Event::Summed { sums })?;
        Ok(Some(stage))
    }

    /// Indexes the release. If a table turns out not to be in order, it is sorted, and everything
    /// is indexed again.
    fn index(&self, draft: &Draft, done: &mut Done, stages: &mut Vec<StageReport>) -> Result<Option<Links>> {
        loop {
            unfinished::clean(draft, done)?;
            self.context.limit.restart(done.tally().num_towards_limit())?;
            match self.attempt(done, stages) {
                Err(Error::OutOfOrder { table }) => {
                    tracing::info!("the {table} are not in order: they will be sorted");
                    let event = Event::OutOfOrder { table: Table::of(table) };
                    self.context.journal.write(&event)?;
                    done.add(event);
                }
                outcome => return outcome,
            }
        }
    }

    /// Sorts the tables that are known not to be in order, and indexes everything that is not
    /// indexed yet.
    fn attempt(&self, done: &mut Done, stages: &mut Vec<StageReport>) -> Result<Option<Links>> {
        let Self { layout, context, .. } = self;
        let mut ordered = OrderedTables { layout, context, done, stages };
        let links = self.links(&mut ordered)?;
        if self.plan.members || self.plan.contigs {
            // They are sorted and counted now, and written once all proteins are indexed.
            ordered.table(Table::ClusterMembers)?;
        }
        let known_by = layout.known_by();
        let leader = ordered.leader()?;
        let mut tables = Vec::new();
        for table in [Table::Sequences].into_iter().chain(Table::ANNOTATIONS) {
            tables.extend(ordered.table(table)?.map(|opened| (table, opened)));
        }
        if known_by == KnownBy::Clusters {
            tables.extend(ordered.table(Table::ClusterMembers)?.map(|opened| (Table::ClusterMembers, opened)));
        }
        let leading = layout.leading_table();
        let joined = JoinedTables { leading, leader, tables: tables.into_iter().collect(), known_by };
        let (indexed, indexing) = index(joined, context, done)?;
        *done = indexed;
        stages.extend(indexing);
        Ok(links)
    }

    /// Finds the accessions of the earlier index that are members now. With `--all-proteins`,
    /// members have their own records, and are not replaced.
    fn links(&self, ordered: &mut OrderedTables<'_>) -> Result<Option<Links>> {
        let Some(previous) = self.previous.as_ref().filter(|_| !self.layout.all_proteins) else { return Ok(None) };
        if self.layout.input(Table::ClusterMembers).is_none() {
            tracing::warn!("--previous has no effect: the release has no members of clusters");
            return Ok(None);
        }
        let members =
            || ordered.table(Table::ClusterMembers)?.ok_or(Error::Internal("the members of clusters are missing"));
        Links::find(previous, members, &self.context).map(Some)
    }

    /// Returns the error of a run that has found no protein. Its work is not worth keeping.
    fn nothing_accepted(&self, draft: Draft) -> Error {
        let error = self
            .context
            .limit
            .nothing_accepted()
            .unwrap_or_else(|| Error::folder(&self.plan.release, "nothing to load: its clusters have no proteins"));
        self.list_rejected();
        if let Err(error) = draft.discard() {
            tracing::warn!("the work of the run cannot be removed: {error}");
        }
        error
    }

    /// Lists the bad rows that were found, in a file that outlasts the run.
    fn list_rejected(&self) {
        let into = self.plan.generations.join(REJECTS_OF_FAILED_RUN);
        if let Err(error) = self.join_lists(&into) {
            tracing::warn!("the rejected rows cannot be listed: {error}");
        }
    }

    fn join_lists(&self, into: &Path) -> Result<()> {
        let RunContext { work, names, budget, .. } = &self.context;
        join_lists(work, names, budget.sorting_bytes, into)
    }

    fn publish(
        &self,
        generations: &Generations,
        draft: Draft,
        done: &mut Done,
        links: Option<&Links>,
        mut stages: Vec<StageReport>,
        num_ranges_continued: u64,
    ) -> Result<Published> {
        let Self { plan, layout, context, .. } = self;
        let sorting_bytes = context.budget.sorting_bytes;
        let started = Instant::now();
        let mut tally = done.tally();
        let biomes = BiomeTable::clone(&context.lineages.table());
        let mut builder = ProteinsBuilder::new(draft, biomes, context.families.clone(), sorting_bytes);
        builder.cite(CitedRelease {
            name: layout.release_name(),
            content: if plan.all_proteins { ReleaseContent::AllProteins } else { ReleaseContent::Representatives },
            pfam_version: plan.pfam_version.clone(),
        });
        let position = u16::try_from(layout.files().count());
        let too_many =
            |_| Error::folder(&plan.release, "it has too many files to load together with replaced accessions");
        let table = match &plan.superseded {
            Some(input) => Some((position.map_err(too_many)?, input)),
            None => None,
        };
        tally.add(add_replacements(table, links, context, &mut builder)?);
        context.limit.check()?;
        stages.push(StageReport::new("replacing", started.elapsed()));
        for merged in &done.merged {
            builder.adopt(merged.segment.clone(), merged.files.clone())?;
        }
        if !plan.without_own {
            carry_own(generations, &mut builder)?;
        }
        let mut ordered = OrderedTables { layout, context, done, stages: &mut stages };
        let has_members = plan.members && index_members(&mut ordered, &mut tally, &mut builder)?;
        self.join_lists(&builder.path().join(REJECTS))?;
        let mut report = report(layout, context, done, &tally, stages, num_ranges_continued)?;
        let mut built = builder.finish()?;
        report.replaced = examine(&built, &context.work, sorting_bytes)?;
        report.warnings.extend(replacement_warnings(&report.files, report.replaced.as_ref()));
        if plan.members && !has_members {
            report.warnings.push("--members has no effect: the release has no members of clusters".to_owned());
        }
        if plan.contigs && layout.input(Table::Occurrences).is_none() {
            report.warnings.push("--contigs has no effect: the release has no occurrences".to_owned());
        }
        plan.acceptance.check_warnings(&report.warnings)?;
        self.index_further(done, &mut built, &mut report)?;
        let (inputs, draft) = (self.inputs()?, built.path().to_owned());
        publish(report, &draft, inputs, |origin| built.publish(origin))
    }

    /// Adds what is made from the finished index: the digests of its sequences, and the contigs.
    fn index_further(&self, done: &mut Done, built: &mut BuiltProteins, report: &mut Report) -> Result<()> {
        let Self { plan, layout, context, .. } = self;
        let space = SortSpace { folder: &context.work, memory_bytes: context.budget.sorting_bytes };
        if plan.checksums {
            report.stages.push(index_checksums(built, space.folder, space.memory_bytes)?);
        }
        if plan.contigs {
            let mut ordered = OrderedTables { layout, context, done, stages: &mut report.stages };
            report.contigs = index_contigs(&mut ordered, built, plan.contig_names)?;
        }
        let own = index_contigs_of_records(built, space, false)?;
        report.stages.extend(own.map(|(_, stage)| stage));
        Ok(())
    }

    fn inputs(&self) -> Result<Vec<InputEntry>> {
        let sizes = preflight::input_sizes(self.plan.tables())?;
        let tables = self.plan.tables().zip(sizes).map(|(input, size)| input.entry(size.size_bytes));
        let files = self.layout.files().map(|file| {
            let md5 = file.sum.as_ref().map(|listed| listed.sum.to_string());
            InputEntry { md5, ..InputEntry::of_file(&file.path, file.size_bytes) }
        });
        Ok(tables.chain(files).collect())
    }
}
