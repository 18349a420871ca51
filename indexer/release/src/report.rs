//! The report of a run over a release.

mod warnings;

use indexer::Result;
use indexer::run::{FileReport, ReleaseReport, Report, StageReport, peak_memory_bytes};
use store::BiomeTable;

use super::context::RunContext;
use super::join::tally::{RowTally, Tally};
use super::read::layout::{Form, Layout};
use super::resume::journal::Done;

const RECORDS_SUFFIX: &str = ".store";

pub(super) fn report(
    layout: &Layout,
    context: &RunContext,
    done: &Done,
    tally: &Tally,
    stages: Vec<StageReport>,
    num_ranges_continued: u64,
) -> Result<Report> {
    let biomes: &BiomeTable = &context.lineages.table();
    let mut report = Report {
        num_biomes: biomes.iter().len() as u64,
        num_families: context.families.iter().count() as u64,
        notes: tally.notes.clone(),
        stages,
        ..Report::default()
    };
    let nothing = RowTally::default();
    for (position, name) in context.names.iter().enumerate() {
        let rows = tally.files().get(position).unwrap_or(&nothing);
        report.add_file(FileReport {
            name: name.clone(),
            kind: None,
            num_read: rows.num_read,
            num_accepted: rows.num_accepted,
            passed_over: rows.passed_over.clone(),
            rejected: rows.rejected.iter().map(|(reason, &num)| (reason.name(), num)).collect(),
            ..FileReport::default()
        })?;
    }
    let files = || done.merged.iter().flat_map(|merged| &merged.files);
    let num_proteins = done.num_proteins();
    let record_bytes = files().filter(|file| file.path.ends_with(RECORDS_SUFFIX)).map(|file| file.size_bytes).sum();
    report.release = Some(ReleaseReport {
        layout: match layout.form {
            Form::Parquet => "parquet",
            Form::Flat => "flat",
        },
        notes: layout.notes.clone(),
        all_proteins: layout.all_proteins,
        out_of_order: done.out_of_order.iter().map(|table| table.name()).collect(),
        num_ranges_continued,
        num_proteins,
        num_segments: done.merged.len() as u64,
        record_bytes,
        index_bytes: files().map(|file| file.size_bytes).sum(),
        bytes_per_record: mean(record_bytes, num_proteins),
        peak_memory_bytes: peak_memory_bytes(),
    });
    report.warnings = warnings::warnings(layout, &report);
    Ok(report)
}

#[expect(clippy::cast_precision_loss, reason = "a mean is rough")]
fn mean(sum: u64, num: u64) -> f64 {
    if num == 0 { 0.0 } else { sum as f64 / num as f64 }
}
