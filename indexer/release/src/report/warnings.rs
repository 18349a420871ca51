//! Signs that a release is not whole.

use std::fmt::Write;

use indexer::counted;
use indexer::run::{LineageCounts, Reason, Report};

use crate::read::layout::Layout;
use crate::table::Table;

/// Returns what is wrong with a release as a whole: what it lacks, and what contradicts its own numbers.
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
        (notes.count_mismatches, "protein", "with another number of occurrences in mgy_counts than in all biomes"),
        (notes.occurrence_mismatches, "protein", "with another number of occurrences in mgy_counts than on contigs"),
        (notes.proteins_without_count, "protein", "that mgy_counts lacks"),
        (without_name, "place", "on contigs that mgy_contig_map lacks, so that their accessions stand for their names"),
    ] {
        if number > 0 {
            warnings.push(format!("{} {what}", counted(number, noun)));
        }
    }
    let lineage_counts = report.release.as_ref().and_then(|release| release.lineage_counts.as_ref());
    warnings.extend(lineage_counts.into_iter().flat_map(lineage_warnings));
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

/// Returns how the numbers of proteins by lineage differ from those that the release gives.
fn lineage_warnings(counts: &LineageCounts) -> Vec<String> {
    let LineageCounts { num_compared, num_unreadable, problem, differing } = counts;
    let mut warnings = Vec::new();
    if let Some(problem) = problem {
        warnings.push(format!("the numbers of proteins by lineage were compared only in part: {problem}"));
    } else if *num_compared + *num_unreadable == 0 {
        warnings.push("mgy_biome_counts has no rows".to_owned());
    }
    if *num_unreadable > 0 {
        warnings.push(format!("{} of mgy_biome_counts cannot be read", counted(*num_unreadable, "row")));
    }
    if let Some((lineage, (expected, found))) = differing.iter().next() {
        let mut warning = counted(differing.len() as u64, "lineage");
        // Writing into memory does not fail.
        let _ = write!(
            warning,
            " with another number of proteins than in mgy_biome_counts, such as {lineage}: {found}, not {expected}"
        );
        warnings.push(warning);
    }
    warnings
}
