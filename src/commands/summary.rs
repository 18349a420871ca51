//! Logging the results of a run.

use std::collections::BTreeMap;

use indexer::{FileReport, LoadReport, Notes, Published, ReleaseReport, counted, counted_type};
use indexer_catalogue::StoredCatalogue;
use indexer_directory::StoredDirectory;
use store::grouped;

use crate::size::megabytes;

/// The most inputs of a catalogue that are all logged; if there are more, only those with bad rows
/// are.
const FILES_LOGGED_MAX: usize = 20;

pub(crate) fn log_proteins(Published { generation, report }: &Published) {
    report.files.iter().filter(|file| report.release.is_none() || file.num_read > 0).for_each(log_file);
    log_notes(&report.notes);
    if let Some(release) = &report.release {
        log_release(release, report.num_passed_over);
    }
    if let Some(contigs) = &report.contigs {
        tracing::info!("{contigs}");
    }
    for warning in &report.warnings {
        tracing::warn!("{warning}");
    }
    tracing::info!("published proteins/{generation}");
}

pub(crate) fn log_catalogue(Published { generation, report }: &Published<LoadReport<StoredCatalogue>>) {
    let LoadReport { num_read, num_accepted, num_rejected, stored, files, .. } = report;
    files.iter().filter(|file| files.len() <= FILES_LOGGED_MAX || file.num_rejected() > 0).for_each(log_file);
    let (files, rows) = (counted(files.len() as u64, "file"), counted(*num_read, "row"));
    tracing::info!("{files}: {rows} read, {} accepted, {} rejected", grouped(*num_accepted), grouped(*num_rejected));
    log_counts([
        (stored.num_removed.unwrap_or_default(), "resource", "removed"),
        (stored.num_replaced, "resource", "replaced by later ones of the same type and id"),
        (stored.num_included_passed_over, "resource", "passed over, as included forms of others"),
        (stored.num_private, "resource", "private and left out"),
        (stored.num_partials_merged, "partial resource", "merged into rows"),
        (stored.num_partials_without_row, "partial resource", "without effect, since no row has their type and id"),
        (stored.num_documents_merged, "document", "merged into rows"),
        (stored.num_documents_combined, "document", "combined with others of the same resource"),
        (stored.num_documents_without_row, "document", "without effect, since their resource was not loaded"),
        (
            stored.num_derived,
            "resource",
            "derived: the root of the biomes, and pipelines and experiment types that others name",
        ),
    ]);
    tracing::info!("{} stored: {}", counted(stored.num_stored, "resource"), by_type(&stored.stored));
    if let Some(missing) = missing(&stored.missing) {
        tracing::info!("{missing}");
    }
    log_comparison(report);
    tracing::info!("published catalogue/{generation}");
}

/// Returns a text about missing resources that others name, if there are any.
pub(crate) fn missing(missing: &BTreeMap<String, u64>) -> Option<String> {
    let num_missing: u64 = missing.values().sum();
    (num_missing > 0)
        .then(|| format!("{} named by others but not loaded: {}", counted(num_missing, "resource"), by_type(missing)))
}

fn by_type(numbers: &BTreeMap<String, u64>) -> String {
    let types: Vec<String> = numbers.iter().map(|(name, number)| counted_type(*number, name)).collect();
    types.join(", ")
}

pub(crate) fn log_directory(Published { generation, report }: &Published<LoadReport<StoredDirectory>>) {
    report.files.iter().for_each(log_file);
    let StoredDirectory { num_users, num_locked, num_domains, num_memberships, num_replaced } = report.stored;
    log_counts([(num_replaced, "line", "replaced by later ones of the same user or domain")]);
    tracing::info!(
        "stored: {}, {} of them locked, {}, {}",
        counted(num_users, "user"),
        grouped(num_locked),
        counted(num_domains, "domain"),
        counted(num_memberships, "membership")
    );
    log_comparison(report);
    tracing::info!("published directory/{generation}");
}

/// Logs how a load compares with the generation that it replaces.
fn log_comparison<S>(LoadReport { changes, warnings, .. }: &LoadReport<S>) {
    changes.differing().for_each(|change| tracing::info!("{change}"));
    for warning in warnings {
        tracing::warn!("{warning}");
    }
}

/// Logs the numbers of accepted and rejected rows of an input. Rejected rows are logged even with
/// `--quiet`.
fn log_file(file: &FileReport) {
    if file.num_rejected() == 0 { tracing::info!("{file}") } else { tracing::warn!("{file}") }
}

fn log_counts<const N: usize>(counts: [(u64, &str, &str); N]) {
    for (number, noun, what) in counts.into_iter().filter(|&(number, ..)| number > 0) {
        tracing::info!("{} {what}", counted(number, noun));
    }
}

fn log_notes(notes: &Notes) {
    let unknown_family_hits: u64 = notes.unknown_family_hits.values().sum();
    let unknown_lineage_proteins: u64 = notes.unknown_lineage_proteins.values().sum();
    log_counts([
        (notes.pfam_hits_without_hmm_positions, "Pfam hit", "without HMM positions: these are shown as 0"),
        (notes.pfam_hits_without_scores, "Pfam hit", "with neither E-value nor score: these are shown as 0"),
        (
            unknown_lineage_proteins,
            "protein",
            "of lineages that are not in the biome table: they are found by lineage, but not by biome id",
        ),
        (notes.mgnifam_hits_left_out, "MGnifam hit", "not served"),
        (notes.unknown_metadata_keys, "unknown metadata key", "left out"),
        (unknown_family_hits, "Pfam hit", "of families that are not in the clans table"),
    ]);
}

fn log_release(release: &ReleaseReport, num_passed_over: u64) {
    if !release.all_proteins && num_passed_over > 0 {
        tracing::info!("only cluster representatives are indexed; --all-proteins indexes the members of clusters, too");
    }
    tracing::info!(
        "{} in {}, {:.1} bytes a record, {} in all, peak memory {}",
        counted(release.num_proteins, "protein"),
        counted(release.num_segments, "segment"),
        release.bytes_per_record,
        megabytes(release.index_bytes),
        megabytes(release.peak_memory_bytes.unwrap_or_default())
    );
}
