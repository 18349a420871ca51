#![doc = include_str!("../README.md")]

mod annotations;
mod assemble;
mod biomes;
mod entry;
mod features;
mod gather;
mod headers;
mod hits;
mod join;
mod locus;
mod plan;

use std::time::Instant;

use indexer::run::{Notes, Rejection, Rows, StageReport};
use indexer::sort::{SortSpace, SortedEntries};
use indexer::{Error, Result, values};
use store::{BiomeTable, FamilyTable, InputEntry};
use store_proteins::Record;
use strum::IntoStaticStr;

pub use self::plan::{OwnAddPlan, OwnRemovePlan};

use self::assemble::assemble;
use self::biomes::Biomes;
use self::entry::Facts;
use self::gather::{Gathered, gather};
use self::join::join;

/// The most bytes of the name of a study, an assembly or a contig.
const TEXT_BYTES_MAX: usize = 200;

/// The most bytes of a description.
const DESCRIPTION_BYTES_MAX: usize = 2000;

/// The formats of the files. As a text, the name of the rows in reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Kind {
    Proteins,
    Annotations,
    #[strum(serialize = "Pfam hits")]
    PfamHits,
    Features,
}

/// The rows of all inputs, joined by name and checked.
pub(crate) struct OwnProteins {
    /// The parts, in the order of the FASTA files.
    parts: SortedEntries,
    defaults: Facts,
    stage: StageReport,
    joining_started: Instant,
    notes: Notes,
    /// The inputs, in the order of [`OwnAddPlan::inputs`].
    pub(crate) inputs: Vec<InputEntry>,
    /// Lineages that were added to the biome table, in the order of the input.
    pub(crate) new_lineages: Vec<String>,
}

/// Reads all inputs, and joins their rows by name. The files of `rows` are those of
/// [`OwnAddPlan::inputs`]. Sorting uses the memory of `space`, for inputs of any size.
///
/// # Errors
///
/// * An input cannot be read, the header of a table of annotations is invalid, the biome, study or
///   assembly of `plan` is invalid, or too many rows are bad.
pub(crate) fn read(
    plan: &OwnAddPlan,
    biomes: &mut BiomeTable,
    space: SortSpace<'_>,
    rows: &mut Rows,
) -> Result<OwnProteins> {
    let mut biomes = Biomes::new(biomes, plan.allow_new_biomes);
    let refused = |Rejection { detail, .. }| Error::Refused { problem: detail };
    let facts = check(plan, &mut biomes).map_err(refused)?;
    let Gathered { by_name, inputs, notes, stage } = gather(plan, &mut biomes, space, rows)?;
    let joining_started = Instant::now();
    let parts = join(by_name, space, rows)?;
    rows.check()?;
    Ok(OwnProteins {
        parts,
        defaults: facts,
        stage,
        joining_started,
        notes,
        inputs,
        new_lineages: biomes.new_lineages(),
    })
}

impl OwnProteins {
    /// Passes the proteins to `put` in the order of the FASTA files. Returns the notes and the
    /// costs of each stage.
    pub(crate) fn put(
        self,
        biomes: &BiomeTable,
        families: &FamilyTable,
        rows: &mut Rows,
        put: impl FnMut(Record) -> Result<()>,
    ) -> Result<(Notes, Vec<StageReport>)> {
        let Self { parts, defaults, stage: reading, joining_started, mut notes, .. } = self;
        assemble(parts, &defaults, biomes, families, &mut notes, rows, put)?;
        Ok((notes, vec![reading, StageReport::new("joining", joining_started.elapsed())]))
    }
}

fn check(plan: &OwnAddPlan, biomes: &mut Biomes<'_>) -> Result<Facts, Rejection> {
    Ok(Facts {
        study: values::text("study", &plan.study, TEXT_BYTES_MAX)?.to_owned(),
        assembly: values::text("assembly", &plan.assembly, TEXT_BYTES_MAX)?.to_owned(),
        biome: plan.biome.as_deref().map(|biome| biomes.ordinal_of(biome.trim())).transpose()?,
        ..Facts::default()
    })
}

#[cfg(test)]
mod tests;
