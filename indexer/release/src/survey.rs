//! Surveys a release before a run: its folders, headers, footers, and a sample of its rows.

use std::sync::Arc;

use indexer::run::estimate::Estimate;
use indexer::run::{Notes, Survey};
use indexer::{Result, counted};
use store::{BiomeTable, FamilyTable};

use crate::tables::{read_biomes, read_families};

use super::join::sample::Sampler;
use super::merge::replacements::open_previous;
use super::plan::ReleasePlan;
use super::read::layout::{Form, Format, Layout, TableInput, recognise};
use super::read::lineages::Lineages;
use super::read::num_rows;

impl ReleasePlan {
    /// Finds out what [`ReleasePlan::run`] would do, by folders, headers, footers, and rows from the start of some files and row groups.
    /// Nothing is written.
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
        let tables = survey.add_tables(read_biomes(&self.biomes), read_families(&self.pfam));
        if let Some(superseded) = &self.superseded {
            survey.add_inputs("replaced accessions", [superseded]);
        }
        if let Some(previous) = &self.previous {
            survey.add("earlier index", open_previous(previous), |index| {
                counted(index.statistics().num_proteins, "protein")
            });
        }
        let Some(layout) = layout else { return survey };
        for (table, input) in &layout.inputs {
            survey.add(table.name(), num_rows(input), |num_rows| describe(input, *num_rows));
        }
        survey.notes.clone_from(&layout.notes);
        survey.warnings.clone_from(&layout.warnings);
        survey.input_bytes += layout.files().map(|file| file.size_bytes).sum::<u64>();
        // Tables that cannot be opened are named already.
        if let Some(tables) = tables.filter(|_| survey.is_good()) {
            let sampled = self.sample(&layout, &tables);
            let describe = |(estimate, _): &(Estimate, _)| counted(estimate.num_rows_sampled, "row");
            if let Some((estimate, notes)) = survey.add("sample of the rows", sampled, describe) {
                survey.warnings.extend(notes.warnings());
                survey.add_size(self.acceptance, &self.generations, estimate);
                survey.estimate(estimate, &tables, self.num_threads, self.checksums);
            }
        }
        survey.add_strict(self.acceptance);
        survey.add_room(&self.generations, survey.index_bytes.max(layout.index_bytes(self.all_proteins)));
        survey
    }

    fn sample(&self, layout: &Layout, (biomes, families): &(BiomeTable, FamilyTable)) -> Result<(Estimate, Notes)> {
        let lineages = Arc::new(Lineages::unrecorded(biomes.clone()));
        let mut sampler = Sampler::new(layout, &lineages, families);
        let estimate = sampler.estimate()?;
        sampler.rejects.check(self.max_rejects)?;
        Ok((estimate, sampler.notes))
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
