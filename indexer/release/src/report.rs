//! The report of a run over a release.

use indexer::run::{FileReport, Reason, ReleaseReport, Report, StageReport, peak_memory_bytes};
use indexer::{Result, counted};

use super::context::RunContext;
use super::join::tally::{RowTally, Tally};
use super::read::layout::{Form, Layout};
use super::resume::journal::Done;
use super::table::Table;

const RECORDS_SUFFIX: &str = ".store";

pub(super) fn report(
    layout: &Layout,
    context: &RunContext,
    done: &Done,
    tally: &Tally,
    stages: Vec<StageReport>,
    num_ranges_continued: u64,
) -> Result<Report> {
    let nothing = RowTally::default();
    let files = context.names.iter().enumerate().map(|(position, name)| {
        let rows = tally.files().get(position).unwrap_or(&nothing);
        FileReport {
            name: name.clone(),
            num_read: rows.num_read,
            num_accepted: rows.num_accepted,
            passed_over: rows.passed_over.clone(),
            rejected: rows.rejected.iter().map(|(reason, &num)| (reason.name(), num)).collect(),
            ..FileReport::default()
        }
    });
    let report = Report::new(&context.lineages.table(), &context.families, tally.notes.clone(), files)?;
    let mut report = Report { stages, ..report };
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
    report.warnings = warnings(layout, &report);
    Ok(report)
}

#[expect(clippy::cast_precision_loss, reason = "a mean is rough")]
fn mean(sum: u64, num: u64) -> f64 {
    if num == 0 { 0.0 } else { sum as f64 / num as f64 }
}

/// Returns the problems of a release as a whole: missing parts, and rows that belong to nothing.
fn warnings(layout: &Layout, report: &Report) -> Vec<String> {
    let mut warnings = layout.warnings.clone();
    warnings.extend(without_rows(layout, report));
    let sum = |reason: Reason| report.files.iter().filter_map(|file| file.rejected.get(reason.name())).sum::<u64>();
    let notes = &report.notes;
    // Other releases have the names in the occurrences, or have none.
    let has_names = layout.input(Table::ContigNames).is_some();
    let without_name = if has_names { notes.occurrences_without_contig_name } else { 0 };
    for (number, noun, what) in [
        (sum(Reason::Orphan), "row", "of accessions that the release does not have (orphan in rejects.tsv)"),
        (without_name, "place", "on contigs that mgy_contig_map does not have, so their accessions are used as names"),
    ] {
        if number > 0 {
            warnings.push(format!("{} {what}", counted(number, noun)));
        }
    }
    warnings.extend(notes.warnings());
    warnings
}

/// Returns the files without rows that are not empty, as far as their rows were counted.
fn without_rows(layout: &Layout, report: &Report) -> impl Iterator<Item = String> {
    let counted = layout.counted_tables();
    let inputs = layout.inputs.iter().filter(move |(table, _)| counted.contains(table));
    let files = inputs.flat_map(|(_, input)| &input.files);
    let has_none = |position: u16| report.files.get(usize::from(position)).is_some_and(|file| file.num_read == 0);
    let without = files.filter(move |file| file.size_bytes > 0 && has_none(file.position));
    without.map(|file| format!("{} has no rows", file.name()))
}
