//! The plan of a run over a release, and what the run would do.

use std::path::PathBuf;

use crate::input::Input;
use crate::run::{Acceptance, Survey};
use crate::tables::{read_biomes, read_families};
use crate::words::counted;

use super::merge::replacements::open_previous;
use super::read::layout::{Form, Format, TableInput, recognise};
use super::read::num_rows;

/// How many bytes of a release a core indexes in a second, at least.
const BYTES_PER_CORE_SECOND: u64 = 50_000_000;

/// What a run over a release reads, and what it may take.
#[derive(Clone, Debug)]
pub struct ReleasePlan {
    /// The folder of the protein generations.
    pub generations: PathBuf,
    /// The folder with the files of the release.
    pub release: PathBuf,
    /// The biome table.
    pub biomes: Input,
    /// The Pfam clans table.
    pub pfam: Input,
    /// The table of replaced accessions.
    pub superseded: Option<Input>,
    /// An earlier index: those of its proteins that are members of a cluster now lead to the representative.
    pub previous: Option<PathBuf>,
    /// Every protein is indexed, and not only cluster representatives.
    pub all_proteins: bool,
    /// The memory for reading, sorting and indexing. The peak of the process is within 200 MB of it, whatever the size of the input.
    pub memory_bytes: usize,
    /// How many threads index.
    pub num_threads: usize,
    /// How many bad rows are allowed.
    pub max_rejects: u64,
    /// What an unfinished run has done is thrown away.
    pub fresh: bool,
    /// What is published although it is suspicious.
    pub acceptance: Acceptance,
}

impl ReleasePlan {
    /// Returns the small tables beside the release.
    pub(super) fn tables(&self) -> impl Iterator<Item = &Input> {
        [&self.biomes, &self.pfam].into_iter().chain(&self.superseded)
    }

    /// Finds out what [`ReleasePlan::run`] would do, by folders, headers and footers. Nothing is written.
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
        for (table, input) in &layout.inputs {
            survey.add(table.name(), num_rows(input), |num_rows| describe(input, *num_rows));
        }
        survey.warnings = layout.notes.iter().chain(&layout.warnings).cloned().collect();
        if let Err(error) = self.acceptance.check_warnings(&layout.warnings) {
            survey.add::<()>("--strict", Err(error), |()| String::new());
        }
        survey.index_bytes = layout.index_bytes(self.all_proteins);
        survey.add_room(&self.generations, survey.index_bytes);
        let release_bytes = layout.files().map(|file| file.size_bytes).sum();
        survey.input_bytes += release_bytes;
        survey.estimate_duration(release_bytes, BYTES_PER_CORE_SECOND, self.num_threads);
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
