//! Examines a release before a run: its folders, headers and footers.

use std::time::Duration;

use indexer::counted;
use indexer::run::Survey;

use crate::tables::{read_biomes, read_families};

use super::merge::replacements::open_previous;
use super::plan::ReleasePlan;
use super::read::layout::{Form, Format, TableInput, recognise};
use super::read::num_rows;
use super::table::Table;

/// A rule of thumb for the bytes of a release that a core reads per second: two cores take 3.1
/// hours for the 1.3 TB of July 2026.
const BYTES_PER_SECOND: u64 = 60_000_000;

impl ReleasePlan {
    /// Predicts the result of [`ReleasePlan::run`] from folders, headers and footers. Nothing is
    /// written.
    pub fn survey(&self) -> Survey {
        let mut survey = Survey::default();
        let layout = survey.add("release", recognise(&self.release, self.all_proteins), |layout| {
            let num_files = layout.files().count() as u64;
            let form = match layout.form {
                Form::Parquet => "Parquet",
                Form::Flat => "flat",
            };
            format!("{form}, {} in use", counted(num_files, "file"))
        });
        survey.add_tables(read_biomes(&self.biomes), read_families(&self.pfam));
        if let Some(superseded) = &self.superseded {
            survey.add_inputs("replaced accessions", [superseded]);
        }
        if let Some(previous) = &self.previous {
            survey.add("earlier index", open_previous(previous), |index| {
                counted(index.statistics().num_proteins, "protein")
            });
        }
        let Some(layout) = layout else { return survey };
        let leading = layout.leading_table();
        for (table, input) in &layout.inputs {
            let num_rows = survey.add(table.name(), num_rows(input), |num_rows| describe(input, *num_rows));
            // A table of members has a row for each protein, not for each cluster.
            if *table == leading
                && leading != Table::ClusterMembers
                && let Some(Some(num_proteins)) = num_rows
            {
                survey.add_size(self.acceptance, &self.generations, num_proteins);
            }
        }
        survey.notes.clone_from(&layout.notes);
        survey.warnings.clone_from(&layout.warnings);
        let release_bytes = layout.files().map(|file| file.size_bytes).sum::<u64>();
        survey.input_bytes += release_bytes;
        survey.index_bytes = layout.index_bytes(self.all_proteins, &self.context_tables());
        survey.duration = Duration::from_secs(1 + release_bytes / BYTES_PER_SECOND / self.num_threads.max(1) as u64);
        survey.add_strict(self.acceptance);
        survey.add_room(&self.generations, layout.room_bytes(self.all_proteins, &self.context_tables()));
        survey
    }
}

fn describe(input: &TableInput, num_rows: Option<u64>) -> String {
    let num_bytes = input.files.iter().map(|file| file.size_bytes).sum();
    let rows = num_rows.map(|num_rows| format!(", {}", counted(num_rows, "row"))).unwrap_or_default();
    let sums = input.files.iter().filter(|file| file.sum.is_some()).count() as u64;
    let sums = if sums == 0 { String::new() } else { format!(", {} to be compared", counted(sums, "MD5 sum")) };
    let format = match input.format {
        Format::Parquet => "Parquet",
        Format::Tsv => "tab-separated",
        Format::Fasta => "FASTA",
    };
    let files = counted(input.files.len() as u64, "file");
    format!("{format}, {files}, {}{rows}{sums}", counted(num_bytes, "byte"))
}
