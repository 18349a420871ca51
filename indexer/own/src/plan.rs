//! Runs that add a source of own data to the present index, or remove one.

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use indexer::input::Input;
use indexer::run::{
    Acceptance, Published, REJECTS, Report, Rows, StageReport, index_checksums, index_contigs_of_records,
    inputs_without_good_row, origin, preflight, write_report,
};
use indexer::sort::SortSpace;
use indexer::{Error, Result, counted};
use serde_json::Value;
use store::{Draft, GenerationName, Generations, durable, unix_now_s};
use store_proteins::{ProteinGeneration, ProteinsBuilder, is_source_name};

use super::{Kind, OwnProteins, read};

/// The folder for sorted runs, inside the draft.
const SPILL: &str = "spill";

/// The number of new lineages that a warning names.
const LINEAGES_NAMED_MAX: usize = 5;

/// A run that adds a source of own data to the present index: its inputs and its limits. It creates
/// the index if it is missing.
///
/// ```no_run
/// use indexer::{Acceptance, Input};
/// use indexer_own::OwnAddPlan;
///
/// let plan = OwnAddPlan {
///     generations: "mgdex-data/proteins".into(),
///     name: "soil_2024".to_owned(),
///     proteins: vec![Input::Path("proteins.faa.gz".into())],
///     annotations: Vec::new(),
///     pfam: vec![Input::Path("hits.domtblout".into())],
///     gff: Vec::new(),
///     biome: Some("root:Environmental:Terrestrial:Soil".to_owned()),
///     study: String::new(),
///     assembly: String::new(),
///     allow_nucleotides: false,
///     allow_new_biomes: false,
///     replace: false,
///     memory_bytes: 1 << 30,
///     max_rejects: 0,
///     acceptance: Acceptance::default(),
/// };
/// let published = plan.run()?;
/// println!("{}: {} rows", published.generation, published.report.num_accepted);
/// # Ok::<(), indexer::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct OwnAddPlan {
    /// The folder of the protein generations.
    pub generations: PathBuf,
    /// The name of the source.
    pub name: String,
    /// FASTA.
    pub proteins: Vec<Input>,
    /// Tables of annotations by name.
    pub annotations: Vec<Input>,
    /// Pfam hits, as HMMER writes them with `--domtblout`.
    pub pfam: Vec<Input>,
    /// GFF3.
    pub gff: Vec<Input>,
    /// The biome of proteins for which the files have none, as a lineage or an id.
    pub biome: Option<String>,
    /// The study of proteins for which the files have none, or an empty text.
    pub study: String,
    /// The assembly of proteins for which the files have none, or an empty text.
    pub assembly: String,
    /// Accept sequences that look like nucleotides as proteins.
    pub allow_nucleotides: bool,
    /// Annotations may have biomes that the index lacks, if it has MGnify's. Otherwise such rows
    /// are bad, since their lineages may be misspelt.
    pub allow_new_biomes: bool,
    /// Replace a source of this name.
    pub replace: bool,
    /// The memory for sorting and indexing.
    pub memory_bytes: usize,
    /// The number of bad rows that are allowed.
    pub max_rejects: u64,
    /// The warnings despite which the source is published.
    pub acceptance: Acceptance,
}

impl OwnAddPlan {
    /// Adds the source, and makes the index with it the current generation.
    ///
    /// # Errors
    ///
    /// * See [`indexer::Error`]. Nothing is published then, and the current generation is
    ///   unchanged.
    pub fn run(&self) -> Result<Published> {
        let refused = |problem: String| Err(Error::Refused { problem });
        if !is_source_name(&self.name) {
            let problem = "the name of a source has 1 to 64 letters, digits, ., _ and -, and is not release";
            return refused(format!("{:?}: {problem}", self.name));
        }
        let generations = Generations::new(&self.generations);
        let needed_bytes = preflight::room_of_lines(&preflight::input_sizes(self.inputs())?);
        let draft = generations.begin()?;
        preflight::check_room(generations.root(), needed_bytes)?;
        let base = ProteinGeneration::open_current(&generations)?;
        if !self.replace
            && let Some(base) = &base
            && base.sources().iter().any(|source| source.name.eq_ignore_ascii_case(&self.name))
        {
            return refused(format!("the source {} already exists: --replace replaces it", self.name));
        }
        self.add(draft, base.as_ref())
    }

    fn add(&self, draft: Draft, base: Option<&ProteinGeneration>) -> Result<Published> {
        let spill = draft.path().join(SPILL);
        fs::create_dir(&spill).map_err(Error::io("cannot create", &spill))?;
        let mut rows =
            Rows::create(&self.generations, &spill, self.inputs().map(Input::name).collect(), self.max_rejects)?
                .counting_all(true);
        let half_memory = self.memory_bytes / 2;
        let is_replaced = |name: &str| name.eq_ignore_ascii_case(&self.name);
        let tables = |base: &ProteinGeneration| (base.biomes().clone(), base.families().clone());
        let (mut biomes, families) = base.map(tables).unwrap_or_default();
        let mut builder = if let Some(base) = base {
            ProteinsBuilder::beside(draft, base, |source| is_replaced(&source.name), half_memory)?
        } else {
            ProteinsBuilder::new(draft, biomes.clone(), families.clone(), half_memory)
        };
        let space = SortSpace { folder: &spill, memory_bytes: half_memory };
        let proteins = read(self, &mut biomes, space, &mut rows)?;
        builder.set_biomes(biomes.clone())?;
        builder.begin_source(&self.name)?;
        let OwnProteins { inputs: entries, new_lineages, .. } = &proteins;
        let (entries, new_lineages) = (entries.clone(), new_lineages.clone());
        let (notes, mut stages) =
            proteins.put(&biomes, &families, &mut rows, |record| Ok(builder.add_own(&record).map(drop)?))?;
        rows.finish(self.proteins.len())?;
        builder.end_source(unix_now_s(), entries.clone())?;
        let folder = builder.source_path();
        fs::rename(spill.join(REJECTS), folder.join(REJECTS)).map_err(Error::io("cannot keep", &folder))?;

        let mut report = Report::new(&biomes, &families, notes, rows.files)?;
        report.warnings = inputs_without_good_row(&report.files);
        report.warnings.extend(warning_of(&new_lineages));
        self.acceptance.check_warnings(&report.warnings)?;
        let checking_started = Instant::now();
        let mut built = builder.finish()?;
        stages.push(StageReport::new("checking", checking_started.elapsed()));
        // Either all proteins have digests or none.
        if base.is_none_or(|base| base.checksums().is_some() || base.statistics().num_proteins == 0) {
            stages.push(index_checksums(&mut built, &spill, half_memory)?);
        }
        if let Some((contigs, stage)) = index_contigs_of_records(&mut built, space, false)? {
            report.contigs = Some(contigs);
            stages.push(stage);
        }
        report.stages = stages;
        durable::remove_folder(&spill)?;
        write_report(&report, &folder)?;
        let origin_of_all = base.map_or_else(|| origin(Vec::new(), Value::Null), |base| base.manifest().origin.clone());
        let generation = built.publish(origin_of_all)?;
        Ok(Published { generation, report })
    }

    /// Returns all inputs in the order in which they are read and reported.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.kinds().map(|(_, input)| input)
    }

    pub(crate) fn kinds(&self) -> impl Iterator<Item = (Kind, &Input)> {
        let Self { proteins, annotations, pfam, gff, .. } = self;
        let files = [
            (Kind::Proteins, proteins),
            (Kind::Annotations, annotations),
            (Kind::PfamHits, pfam),
            (Kind::Features, gff),
        ];
        files.into_iter().flat_map(|(kind, inputs)| inputs.iter().map(move |input| (kind, input)))
    }
}

/// Returns a warning about new lineages: a misspelt lineage makes a new biome.
fn warning_of(new_lineages: &[String]) -> Option<String> {
    let named: Vec<_> = new_lineages.iter().take(LINEAGES_NAMED_MAX).map(String::as_str).collect();
    let others = if new_lineages.len() > named.len() { ", …" } else { "" };
    let num = counted(new_lineages.len() as u64, "lineage");
    (!named.is_empty()).then(|| format!("{num} new to the biome table: {}{others}", named.join(", ")))
}

/// A run that removes a source of own data from the present index.
#[derive(Clone, Debug)]
pub struct OwnRemovePlan {
    /// The folder of the protein generations.
    pub generations: PathBuf,
    /// The name of the source, in any letter case.
    pub name: String,
}

impl OwnRemovePlan {
    /// Removes the source, and makes the index without it the current generation.
    ///
    /// # Errors
    ///
    /// * The source does not exist.
    /// * See [`indexer::Error`]. Nothing is published then, and the current generation is
    ///   unchanged.
    pub fn run(&self) -> Result<GenerationName> {
        let generations = Generations::new(&self.generations);
        // Acquiring the lock would create the folder.
        let exists =
            |base: &ProteinGeneration| base.sources().iter().any(|source| source.name.eq_ignore_ascii_case(&self.name));
        let open = || Ok::<_, Error>(ProteinGeneration::open_current(&generations)?.filter(exists));
        let unknown = || Error::Refused {
            problem: format!("no source is named {}: `mgdex own list` lists the sources", self.name),
        };
        open()?.ok_or_else(unknown)?;
        let draft = generations.begin()?;
        let base = open()?.ok_or_else(unknown)?;
        let is_removed = |name: &str| name.eq_ignore_ascii_case(&self.name);
        let builder = ProteinsBuilder::beside(draft, &base, |source| is_removed(&source.name), 0)?;
        Ok(builder.finish()?.publish(base.manifest().origin.clone())?)
    }
}
