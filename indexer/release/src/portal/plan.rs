//! A run, from inputs to a published generation.

use std::path::PathBuf;
use std::time::Instant;

use indexer::Result;
use indexer::input::Input;
use indexer::run::{
    Acceptance, FileReport, Published, Report, Rows, StageReport, Survey, Workspace, carry_own, examine,
    index_checksums, index_contigs_of_records, inputs_without_good_row, preflight, publish, replacement_warnings,
};
use indexer::sort::{SortSpace, Sorter};
use store::{Generations, durable};
use store_proteins::{CitedRelease, ProteinsBuilder, ReleaseContent};

use super::gather::{gather, read_header};
use super::index::index;
use crate::tables::replacements::read_replacements;
use crate::tables::{read_biomes, read_families};

/// A run over rows of the portal: its inputs and its limits.
///
/// ```no_run
/// use indexer::{Acceptance, Input};
/// use indexer_release::PortalPlan;
///
/// let file = |path: &str| Input::Path(path.into());
/// let plan = PortalPlan {
///     generations: "mgdex-data/proteins".into(),
///     portal: vec![file("rows.csv.gz")],
///     biomes: file("biomes.tsv"),
///     pfam: file("Pfam-A.clans.tsv.gz"),
///     pfam_version: Some("37.0".to_owned()),
///     superseded: None,
///     contigs: false,
///     checksums: false,
///     memory_bytes: 1 << 30,
///     num_threads: 2,
///     max_rejects: 0,
///     without_own: false,
///     acceptance: Acceptance::default(),
/// };
/// let published = plan.run()?;
/// println!("{}: {} proteins", published.generation, published.report.num_accepted);
/// # Ok::<(), indexer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PortalPlan {
    /// The folder of the protein generations.
    pub generations: PathBuf,
    /// The rows, in any order.
    pub portal: Vec<Input>,
    /// The biome table.
    pub biomes: Input,
    /// The Pfam clans table.
    pub pfam: Input,
    /// The version of Pfam, if it is known.
    pub pfam_version: Option<String>,
    /// The table of replaced accessions.
    pub superseded: Option<Input>,
    /// Also index the genes on contigs.
    pub contigs: bool,
    /// Also index the digests of sequences.
    pub checksums: bool,
    /// The memory for sorting and indexing. The peak of the process is at most 200 MB above it, for
    /// inputs of any size.
    pub memory_bytes: usize,
    /// The number of threads that check rows.
    pub num_threads: usize,
    /// The number of bad rows that are allowed.
    pub max_rejects: u64,
    /// Do not copy own data from the present index.
    pub without_own: bool,
    /// The suspicious generations that are published anyway.
    pub acceptance: Acceptance,
}

impl PortalPlan {
    /// Builds an index of the rows and makes it the current generation.
    ///
    /// # Errors
    ///
    /// * See [`indexer::Error`]. Nothing is published then, and the current generation is
    ///   unchanged.
    pub fn run(&self) -> Result<Published> {
        let generations = Generations::new(&self.generations);
        let tables = || [&self.biomes, &self.pfam].into_iter().chain(&self.superseded);
        let mut portal_sizes = preflight::input_sizes(self.portal.iter().chain(tables()))?;
        let table_sizes = portal_sizes.split_off(self.portal.len());
        // The portal files are first: their positions here must be those in which they are read.
        let names = self.portal.iter().chain(&self.superseded).map(Input::name).collect();
        let needed_bytes = preflight::room_of_lines(&table_sizes) + preflight::room_of_lines(&portal_sizes);
        let workspace = Workspace::begin(&generations, names, self.max_rejects, needed_bytes)?;
        let Workspace { draft, spill, mut rows } = workspace;
        let biomes = read_biomes(&self.biomes)?;
        let families = read_families(&self.pfam)?;
        let half_memory = self.memory_bytes / 2;
        let mut builder = ProteinsBuilder::new(draft, biomes.clone(), families.clone(), half_memory);
        builder.cite(self.cited());
        self.add_replacements(&mut builder, &mut rows)?;

        let mut sorter = Sorter::new(&spill, half_memory);
        let total_bytes = preflight::total_bytes(&portal_sizes);
        let num_threads = self.num_threads.max(1);
        let gathered = gather(&self.portal, total_bytes, &biomes, &families, num_threads, &mut sorter, &mut rows)?;
        rows.check()?;
        let sum = |files: &[FileReport], of: fn(&FileReport) -> u64| files[..self.portal.len()].iter().map(of).sum();
        let num_read = sum(&rows.files, |file| file.num_read);
        let indexing = index(sorter.finish()?, num_read, &mut rows, &mut builder)?;
        rows.finish(self.portal.len())?;
        self.acceptance.check_size(&generations, sum(&rows.files, |file| file.num_accepted))?;

        // The report has the table of replaced accessions first.
        let num_tables = usize::from(self.superseded.is_some());
        rows.files.rotate_right(num_tables);
        let mut report = Report::new(&biomes, &families, gathered.notes, rows.files)?;
        report.warnings = inputs_without_good_row(&report.files[num_tables..]);
        report.warnings.extend(report.notes.warnings());
        if !self.without_own {
            carry_own(&generations, &mut builder)?;
        }
        let checking_started = Instant::now();
        let mut built = builder.finish()?;
        report.replaced = examine(&built, &spill, half_memory)?;
        report.warnings.extend(replacement_warnings(&report.files, report.replaced.as_ref()));
        self.acceptance.check_warnings(&report.warnings)?;
        report.stages = vec![gathered.stage, indexing, StageReport::new("checking", checking_started.elapsed())];
        if self.checksums {
            report.stages.push(index_checksums(&mut built, &spill, half_memory)?);
        }
        let space = SortSpace { folder: &spill, memory_bytes: half_memory };
        if let Some((contigs, stage)) = index_contigs_of_records(&mut built, space, self.contigs)? {
            report.contigs = self.contigs.then_some(contigs);
            report.stages.push(stage);
        }
        durable::remove_folder(&spill)?;
        let mut inputs: Vec<_> = tables().zip(table_sizes).map(|(table, size)| table.entry(size.size_bytes)).collect();
        // The size of a stream is known only now.
        inputs.extend(gathered.inputs);
        let draft = built.path().to_owned();
        publish(report, &draft, inputs, |origin| built.publish(origin))
    }

    /// Predicts the result of [`PortalPlan::run`] from the sizes of the files and their headers.
    /// Nothing is written, and nothing is read from streams such as standard input.
    pub fn survey(&self) -> Survey {
        let mut survey = Survey::default();
        let sizes = survey.add_inputs("rows", &self.portal);
        survey.add_tables(read_biomes(&self.biomes), read_families(&self.pfam));
        if let Some(superseded) = &self.superseded {
            survey.add_inputs("replaced accessions", [superseded]);
        }
        if let Some(sizes) = sizes {
            let files = self.portal.iter().filter(|input| matches!(input, Input::Path(path) if path.is_file()));
            survey.add("headers", files.map(read_header).collect::<Result<Vec<()>>>(), |_| "as expected".to_owned());
            survey.add_room(&self.generations, preflight::room_of_lines(&sizes));
        }
        survey.add_strict(self.acceptance);
        survey
    }

    /// Returns the names of the rows.
    fn cited(&self) -> CitedRelease {
        let is_bundled = self.portal.iter().any(|input| matches!(input, Input::Bundled { .. }));
        let first = self.portal.first().map(Input::name).unwrap_or_default();
        let first = first.rsplit('/').next().unwrap_or_default();
        CitedRelease {
            name: match self.portal.len() {
                0 | 1 => first.to_owned(),
                number => format!("{first} and {} more", number - 1),
            },
            content: if is_bundled { ReleaseContent::BundledRows } else { ReleaseContent::PortalRows },
            pfam_version: self.pfam_version.clone(),
        }
    }

    fn add_replacements(&self, builder: &mut ProteinsBuilder, rows: &mut Rows) -> Result<()> {
        let Some(input) = &self.superseded else { return Ok(()) };
        let file = self.portal.len();
        let mut table = read_replacements(input, self.memory_bytes / 2, |row| rows.reject(file, row))?;
        table.follow(|row| rows.reject(file, row))?;
        rows.files[file].num_read = table.num_read;
        for (old, new) in table.iter() {
            builder.add_replacement(old, new)?;
            rows.files[file].num_accepted += 1;
        }
        Ok(())
    }
}
