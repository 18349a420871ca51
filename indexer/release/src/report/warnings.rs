//! Signs that a release is not whole.

use indexer::counted;
use indexer::run::{Reason, Report};

use crate::read::layout::Layout;
use crate::table::Table;

/// Returns what is wrong with a release as a whole: what it lacks, and rows that belong to nothing.
pub(super) fn warnings(layout: &Layout, report: &Report) -> Vec<String> {
    let mut warnings = layout.warnings.clone();
    warnings.extend(without_rows(layout, report));
    let sum = |reason: Reason| report.files.iter().filter_map(|file| file.rejected.get(reason.name())).sum::<u64>();
    let notes = &report.notes;
    // Other releases have the names beside the occurrences, or have none.
    let has_names = layout.input(Table::ContigNames).is_some();
    let without_name = if has_names { notes.occurrences_without_contig_name } else { 0 };
    for (number, noun, what) in [
        (sum(Reason::Orphan), "row", "of accessions that the release does not have (orphan in rejects.tsv)"),
        (without_name, "place", "on contigs that mgy_contig_map lacks, so that their accessions stand for their names"),
    ] {
        if number > 0 {
            warnings.push(format!("{} {what}", counted(number, noun)));
        }
    }
    warnings.extend(notes.warnings());
    warnings
}

/// Returns the files that have no row although they are not empty, as far as their rows were counted.
fn without_rows(layout: &Layout, report: &Report) -> impl Iterator<Item = String> {
    let counted = layout.counted_tables();
    let inputs = layout.inputs.iter().filter(move |(table, _)| counted.contains(table));
    let files = inputs.flat_map(|(_, input)| &input.files);
    let has_none = |position: u16| report.files.get(usize::from(position)).is_some_and(|file| file.num_read == 0);
    let without = files.filter(move |file| file.size_bytes > 0 && has_none(file.position));
    without.map(|file| format!("{} has no rows", file.name()))
}
