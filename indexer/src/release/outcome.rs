//! The report of a run over a release.

use store::{BiomeTable, FamilyTable, InputEntry};

use super::journal::Done;
use super::layout::{Form, Layout};
use super::lineage_counts;
use super::plan::ReleasePlan;
use super::table::Table;
use super::tally::{RowTally, Tally};
use super::warnings::warnings;
use crate::Result;
use crate::input::Input;
use crate::run::{FileReport, ReleaseReport, Report, StageReport, peak_memory_bytes, preflight};

/// What the names of the files end with that hold records.
const RECORDS_SUFFIX: &str = ".store";

/// What a report is made of, beside the numbers of rows.
pub(super) struct Outcome<'a> {
    /// The files of the release.
    pub(super) layout: &'a Layout,
    /// Every protein is indexed.
    pub(super) all_proteins: bool,
    /// The tables whose rows are counted.
    pub(super) tables_read: &'a [Table],
    /// The names of all inputs with rows, by position.
    pub(super) names: &'a [String],
    /// All lineages.
    pub(super) biomes: &'a BiomeTable,
    /// The families that have names.
    pub(super) families: &'a FamilyTable,
    /// Ranges that an earlier run had done.
    pub(super) num_ranges_continued: u64,
}

impl Outcome<'_> {
    /// Makes the report.
    ///
    /// # Errors
    ///
    /// * The numbers do not add up.
    pub(super) fn report(&self, done: &Done, tally: &Tally, stages: Vec<StageReport>) -> Result<Report> {
        let mut report = Report {
            num_biomes: self.biomes.iter().len() as u64,
            num_families: self.families.iter().count() as u64,
            notes: tally.notes.clone(),
            stages,
            ..Report::default()
        };
        let nothing = RowTally::default();
        for (position, name) in self.names.iter().enumerate() {
            let rows = tally.files().get(position).unwrap_or(&nothing);
            report.add_file(FileReport {
                name: name.clone(),
                num_read: rows.num_read,
                num_accepted: rows.num_accepted,
                passed_over: rows.passed_over.clone(),
                rejected: rows.rejected.iter().map(|(reason, &num)| (reason.name(), num)).collect(),
            })?;
        }
        let files = || done.merged.iter().flat_map(|merged| &merged.files);
        let num_proteins = done.num_proteins();
        let record_bytes = files().filter(|file| file.path.ends_with(RECORDS_SUFFIX)).map(|file| file.size_bytes).sum();
        let compare = |input| lineage_counts::compare(input, self.biomes, &tally.proteins_by_biome);
        let lineage_counts = self.layout.input(Table::BiomeCounts).map(compare);
        report.release = Some(ReleaseReport {
            layout: match self.layout.form {
                Form::Parquet => "parquet",
                Form::Flat => "flat",
            },
            notes: self.layout.notes.clone(),
            all_proteins: self.all_proteins,
            out_of_order: done.out_of_order.iter().map(|table| table.name()).collect(),
            num_ranges_continued: self.num_ranges_continued,
            num_proteins,
            num_segments: done.merged.len() as u64,
            lineage_counts,
            record_bytes,
            index_bytes: files().map(|file| file.size_bytes).sum(),
            bytes_per_record: ratio(record_bytes, num_proteins),
            peak_memory_bytes: peak_memory_bytes(),
        });
        report.warnings = warnings(self.layout, self.tables_read, &report);
        Ok(report)
    }
}

/// Returns all inputs of a run with their sizes.
///
/// # Errors
///
/// * An input is gone.
pub(super) fn inputs_of(plan: &ReleasePlan, layout: &Layout) -> Result<Vec<InputEntry>> {
    let tables: Vec<&Input> = [&plan.biomes, &plan.pfam].into_iter().chain(&plan.superseded).collect();
    let sizes = preflight::input_sizes(tables.iter().copied())?;
    let tables = tables.iter().zip(sizes).map(|(input, size)| (input.name(), size.size_bytes));
    let files = layout.files().map(|file| (file.name(), file.size_bytes));
    Ok(tables.chain(files).map(|(name, size_bytes)| InputEntry { name, size_bytes }).collect())
}

/// Returns how many there are for each.
#[expect(clippy::cast_precision_loss, reason = "a mean is rough")]
fn ratio(sum: u64, num: u64) -> f64 {
    if num == 0 { 0.0 } else { sum as f64 / num as f64 }
}
