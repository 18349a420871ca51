//! The names and forms of columns that the draft of May 2026 has, and those of the prose of the documentation.

use std::fs;
use std::path::Path;

use arrow_array::{Float32Array, Float64Array, Int32Array, Int64Array, StringArray};
use indexer_synth::SynthLayout;

use crate::loading::release::answers::assert_answers;
use crate::loading::release::plan::index;
use crate::loading::release::rows::Rows;
use crate::loading::release::synthetic::{Synthetic, synth_plan};
use crate::loading::release::truth::{Truth, accession};
use crate::loading::release::writer::{column, write_parquet};
use support::TestFolder;

/// The number of proteins that the releases have.
const NUM_FEW: u64 = 900;

/// Returns a number as columns have it.
fn long(number: u64) -> i64 {
    i64::try_from(number).expect("a small number")
}

/// Returns a number as narrow columns have it.
fn int(number: u64) -> i32 {
    i32::try_from(number).expect("a small number")
}

/// Returns what maps by protein say, ascending.
fn by_protein<V: Clone>(map: &std::collections::HashMap<u64, Vec<V>>) -> Vec<(u64, V)> {
    let mut rows: Vec<(u64, V)> =
        map.iter().flat_map(|(protein, values)| values.iter().map(|value| (*protein, value.clone()))).collect();
    rows.sort_by_key(|(protein, _)| *protein);
    rows
}

/// Writes the sequences with a description.
fn write_sequences(folder: &Path, rows: &Rows) {
    let mut sequences: Vec<_> = rows.sequences.iter().collect();
    sequences.sort();
    let description = |full_length: Option<bool>| format!("FL={}", u8::from(full_length == Some(true)));
    write_parquet(
        &folder.join("mgy_protein_sequences.parquet"),
        [
            ("protein_id", column(Int64Array::from_iter_values(sequences.iter().map(|(protein, _)| long(**protein))))),
            ("description", column(StringArray::from_iter_values(sequences.iter().map(|(_, row)| description(row.0))))),
            ("sequence", column(StringArray::from_iter_values(sequences.iter().map(|(_, row)| &row.1)))),
        ],
    );
}

/// Writes the clusters, each with all members in a text.
fn write_members(folder: &Path, rows: &Rows) {
    let mut members = std::collections::BTreeMap::<u64, Vec<String>>::new();
    for (member, representative) in &rows.representatives {
        members.entry(*representative).or_default().push(accession(*member));
    }
    write_parquet(
        &folder.join("mgy_cluster_seqs.parquet"),
        [
            ("cluster_rep", column(StringArray::from_iter_values(members.keys().map(|number| accession(*number))))),
            ("cluster_members", column(StringArray::from_iter_values(members.values().map(|names| names.join(";"))))),
        ],
    );
}

/// Writes biomes and Pfam hits.
fn write_annotations(folder: &Path, rows: &Rows) {
    let biomes = by_protein(&rows.biomes);
    write_parquet(
        &folder.join("mgy_biomes.parquet"),
        [
            ("protein_id", column(Int64Array::from_iter_values(biomes.iter().map(|(protein, _)| long(*protein))))),
            ("lineage_count", column(Int32Array::from_iter_values(biomes.iter().map(|(_, (_, count))| int(*count))))),
            ("lineage", column(StringArray::from_iter_values(biomes.iter().map(|(_, (lineage, _))| lineage)))),
        ],
    );
    let hits = by_protein(&rows.hits);
    let position = |of: fn(&crate::loading::release::rows::Hit) -> u64| {
        column(Int64Array::from_iter_values(hits.iter().map(|(_, hit)| long(of(hit)))))
    };
    write_parquet(
        &folder.join("mgy_proteins_pfam.parquet"),
        [
            ("protein_id", column(Int64Array::from_iter_values(hits.iter().map(|(protein, _)| long(*protein))))),
            (
                "pfam_accession",
                column(StringArray::from_iter_values(hits.iter().map(|(_, hit)| format!("PF{:05}", hit.family)))),
            ),
            ("i_evalue", column(Float64Array::from_iter_values(hits.iter().map(|(_, hit)| hit.evalue)))),
            ("score", column(Float64Array::from_iter_values(hits.iter().map(|(_, hit)| hit.score)))),
            ("hmm_from", position(|hit| hit.hmm.0)),
            ("hmm_to", position(|hit| hit.hmm.1)),
            ("env_from", position(|hit| hit.envelope.0)),
            ("env_to", position(|hit| hit.envelope.1)),
        ],
    );
}

#[tokio::test]
async fn the_draft_of_may_2026_is_read_like_the_release() {
    let release = Synthetic::write(&synth_plan(SynthLayout::Parquet, NUM_FEW));
    let truth = Truth::of(&release.path());
    let rows = Rows::read(&release.path());
    write_sequences(&release.path(), &rows);
    write_members(&release.path(), &rows);
    write_annotations(&release.path(), &rows);
    // With the table of clusters, and with sizes that are counted from the joined members.
    for has_clusters in [true, false] {
        if !has_clusters {
            fs::remove_file(release.path().join("mgy_clusters.parquet")).expect("writable");
        }
        let folder = TestFolder::empty();
        assert_eq!(index(&folder, &release.path()).report.num_rejected, 0);
        assert_answers(&folder, &truth, &format!("draft, clusters: {has_clusters}")).await;
    }
}

#[tokio::test]
async fn names_of_the_prose_and_single_precision_are_read_too() {
    let release = Synthetic::write(&synth_plan(SynthLayout::Parquet, NUM_FEW));
    let mut rows = Rows::read(&release.path());
    for hit in rows.hits.values_mut().flatten() {
        #[expect(clippy::cast_possible_truncation, reason = "that is what the release has")]
        let narrow = |value: f64| f64::from(value as f32);
        (hit.evalue, hit.score) = (narrow(hit.evalue), narrow(hit.score));
    }
    let indexed: Vec<u64> = rows.sizes.keys().copied().collect();
    let truth = Truth::of_rows(&rows, &indexed);
    write_annotations(&release.path(), &rows);
    let hits = by_protein(&rows.hits);
    let position = |of: fn(&crate::loading::release::rows::Hit) -> u64| {
        column(Int32Array::from_iter_values(hits.iter().map(|(_, hit)| int(of(hit)))))
    };
    #[expect(clippy::cast_possible_truncation, reason = "that is what the release has")]
    let single = |of: fn(&crate::loading::release::rows::Hit) -> f64| {
        column(Float32Array::from_iter_values(hits.iter().map(|(_, hit)| of(hit) as f32)))
    };
    write_parquet(
        &release.path().join("mgy_proteins_pfam.parquet"),
        [
            ("protein_id", column(Int64Array::from_iter_values(hits.iter().map(|(protein, _)| long(*protein))))),
            ("pfam_accession", position(|hit| hit.family)),
            ("i_evalue", single(|hit| hit.evalue)),
            ("score", single(|hit| hit.score)),
            ("hmm_from", position(|hit| hit.hmm.0)),
            ("hmm_to", position(|hit| hit.hmm.1)),
            ("env_from", position(|hit| hit.envelope.0)),
            ("env_to", position(|hit| hit.envelope.1)),
        ],
    );
    write_parquet(
        &release.path().join("mgy_clusters.parquet"),
        [
            ("cluster_rep_accession", column(Int64Array::from_iter_values(rows.sizes.keys().map(|key| long(*key))))),
            ("cluster_size", column(Int64Array::from_iter_values(rows.sizes.values().map(|size| long(*size))))),
        ],
    );
    let folder = TestFolder::empty();
    assert_eq!(index(&folder, &release.path()).report.num_rejected, 0);
    assert_answers(&folder, &truth, "prose").await;
}
