//! The tables of a release, recognized by the names of files in a folder.

mod choice;
mod file_name;
mod folder;
mod notes;
mod sums;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use indexer::input::ListedSum;
use indexer::{Error, Result};
use store_proteins::CitedRelease;

use crate::table::{PerTable, Table};

use self::choice::{Choice, Chosen};
use self::file_name::Stem;
use self::folder::{Contents, list};
use self::sums::Sums;

/// The least number of bytes of a release per byte of its index: 1.3 TB become about 0.3 TB.
const RELEASE_BYTES_PER_INDEX_BYTE: u64 = 5;

/// The bytes of sorted runs per byte of the members of clusters, which are sorted twice.
const MEMBER_RUNS_PER_BYTE: u64 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Parquet tables, since 2026.
    Parquet,
    /// Tab-separated text and FASTA, until 2024.
    Flat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Format {
    Parquet,
    Tsv,
    Fasta,
}

impl Format {
    const fn form(self) -> Form {
        match self {
            Self::Parquet => Form::Parquet,
            Self::Tsv | Self::Fasta => Form::Flat,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    folder: PathBuf,
    pub(crate) form: Form,
    /// Set to index all proteins, not only cluster representatives.
    pub(crate) all_proteins: bool,
    pub(crate) inputs: PerTable<TableInput>,
    /// Sentences about the choice of files.
    pub(crate) notes: Vec<String>,
    /// Sentences about missing parts of the release.
    pub(crate) warnings: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableInput {
    pub(crate) table: Table,
    pub(crate) format: Format,
    /// Set if the sequences are those of all proteins, not only of representatives.
    pub(crate) covers_all_proteins: bool,
    pub(crate) files: Vec<ReleaseFile>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReleaseFile {
    /// The position in the run, ascending in the order of the inputs.
    pub(crate) position: u16,
    pub(crate) path: PathBuf,
    pub(crate) size_bytes: u64,
    pub(crate) sum: Option<ListedSum>,
}

/// The source that shows which accessions exist without being indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KnownBy {
    /// The sequences are those of all proteins.
    Sequences,
    /// The clusters name all proteins.
    Clusters,
    /// Unknown: any accession may exist.
    Nothing,
    /// Every protein that exists is indexed.
    Index,
}

impl Layout {
    pub(crate) fn input(&self, table: Table) -> Option<&TableInput> {
        self.inputs.get(&table)
    }

    /// Returns the files of a table that every index needs.
    pub(crate) fn require(&self, table: Table) -> Result<&TableInput> {
        self.input(table).ok_or_else(|| Error::folder(&self.folder, format!("it has no {}", table.name())))
    }

    pub(crate) fn files(&self) -> impl Iterator<Item = &ReleaseFile> {
        self.inputs.values().flat_map(|input| &input.files)
    }

    /// Returns the name of the release: the year and month that its folder, a folder above it or a
    /// file is named after, such as `2026_07`; otherwise the name of its folder.
    pub(crate) fn release_name(&self) -> String {
        let resolved = self.folder.canonicalize().unwrap_or_else(|_| self.folder.clone());
        let folders = [&self.folder, &resolved].into_iter().flat_map(|folder| folder.iter().rev());
        if let Some(month) = folders.filter_map(OsStr::to_str).find(|name| CitedRelease::is_month(name)) {
            return month.to_owned();
        }
        let month_of = |file: &ReleaseFile| file_name::parse(file.path.file_name()?.to_str()?)?.month;
        match self.files().find_map(month_of) {
            Some(month) => format!("{}_{:02}", month / 100, month % 100),
            None => resolved.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        }
    }

    /// Returns the approximate size of the index.
    pub(crate) fn index_bytes(&self, all_proteins: bool, context_tables: &[Table]) -> u64 {
        let release_bytes: u64 = self.files().map(|file| file.size_bytes).sum();
        let index_bytes = if all_proteins { release_bytes } else { release_bytes / RELEASE_BYTES_PER_INDEX_BYTE };
        // The members of clusters, and the genes on contigs, take about as much as their tables.
        index_bytes + context_tables.iter().map(|table| self.table_bytes(*table)).sum::<u64>()
    }

    /// Returns the approximate room that a run needs: that of the index, and of the sorted runs of
    /// tables that are only read for what surrounds proteins. After a run fails on a full disk, the
    /// same command continues it.
    pub(crate) fn room_bytes(&self, all_proteins: bool, context_tables: &[Table]) -> u64 {
        let runs_per_byte = |table| if table == Table::ClusterMembers { MEMBER_RUNS_PER_BYTE } else { 1 };
        let runs = context_tables.iter().map(|table| runs_per_byte(*table) * self.table_bytes(*table));
        self.index_bytes(all_proteins, context_tables) + runs.sum::<u64>()
    }

    fn table_bytes(&self, table: Table) -> u64 {
        self.input(table).map_or(0, |input| input.files.iter().map(|file| file.size_bytes).sum())
    }

    /// Returns the table with the indexed proteins, and the sizes of their clusters.
    pub(crate) fn leading_table(&self) -> Table {
        leading_table(self.form, self.all_proteins, |table| self.input(table).is_some())
    }

    pub(crate) fn known_by(&self) -> KnownBy {
        if self.all_proteins {
            KnownBy::Index
        } else if self.input(Table::Sequences).is_some_and(|input| input.covers_all_proteins) {
            KnownBy::Sequences
        } else if self.input(Table::ClusterMembers).is_some() {
            KnownBy::Clusters
        } else {
            KnownBy::Nothing
        }
    }

    /// Returns the tables whose rows are all read and counted.
    pub(crate) fn counted_tables(&self) -> Vec<Table> {
        let mut tables = vec![self.leading_table(), Table::Sequences, Table::Biomes, Table::Pfam, Table::Occurrences];
        if self.input(Table::Occurrences).is_some() {
            tables.push(Table::ContigNames);
        }
        tables
    }
}

impl ReleaseFile {
    /// Creates a file whose position and sum are set later.
    fn new(path: PathBuf, size_bytes: u64) -> Self {
        Self { position: 0, path, size_bytes, sum: None }
    }

    pub(crate) fn name(&self) -> String {
        self.path.display().to_string()
    }
}

/// See [`Layout::leading_table`]. In flat releases the table of members is preferred, whose form is
/// best known. Many users keep only the sequences of a flat release.
fn leading_table(form: Form, all_proteins: bool, has: impl Fn(Table) -> bool) -> Table {
    let is_flat = form == Form::Flat;
    match (has(Table::ClusterMembers), has(Table::Clusters)) {
        (true, true) if !all_proteins && !is_flat => Table::Clusters,
        (false, true) => Table::Clusters,
        (false, false) if is_flat && !all_proteins => Table::Sequences,
        (true, _) | (false, false) => Table::ClusterMembers,
    }
}

/// Finds the tables of a release in a folder. With `all_proteins`, the members of clusters are
/// indexed too.
pub(crate) fn recognise(folder: &Path, all_proteins: bool) -> Result<Layout> {
    let contents = list(folder)?;
    let form = form_of(&contents).ok_or_else(|| {
        Error::folder(
            folder,
            "no file of a release was found: looked for Parquet tables such as mgy_clusters.parquet and \
             mgy_protein_sequences.parquet, and for flat files such as mgy_cluster_seqs.tsv.gz and mgy_clusters.fa.gz, of which the sequences alone are enough",
        )
    })?;
    let mut choice = Choice::new(form, all_proteins, contents.entries);
    if let Some(problem) = missing_table(&choice) {
        let hint = notes::other_form_hint(&choice);
        return Err(Error::folder(folder, format!("{problem}{hint}")));
    }
    let (mut notes, mut warnings) = notes::describe(&choice);
    notes.extend(notes::describe_unused(&mut choice.unused, &contents.unknown));
    let sums = Sums::read(folder)?;
    warnings.extend(sums.warnings(folder, &choice.chosen));
    let inputs = choice.chosen.into_iter().filter_map(|Chosen { stem, files, .. }| {
        let Stem { format, covers_all_proteins, .. } = *stem;
        stem.table.map(|table| (table, TableInput { table, format, covers_all_proteins, files }))
    });
    let mut inputs: PerTable<TableInput> = inputs.collect();
    for (position, file) in inputs.values_mut().flat_map(|input| &mut input.files).enumerate() {
        let too_many = |_| Error::folder(folder, "it has more than 65,536 files");
        file.position = u16::try_from(position).map_err(too_many)?;
        file.sum = sums.expected(folder, &file.path)?;
    }
    Ok(Layout { folder: folder.to_owned(), form, all_proteins, inputs, notes, warnings })
}

/// Returns the form of a release: Parquet if its main tables exist, or if no other table does.
fn form_of(contents: &Contents) -> Option<Form> {
    let is_main = |stem: &Stem| {
        stem.format.form() == Form::Parquet && matches!(stem.table, Some(Table::Clusters | Table::Sequences))
    };
    let has = |test: &dyn Fn(&Stem) -> bool| contents.entries.iter().any(|entry| test(entry.stem));
    if has(&is_main) {
        Some(Form::Parquet)
    } else if has(&|stem| stem.format.form() == Form::Flat && stem.table.is_some()) {
        Some(Form::Flat)
    } else {
        has(&|stem| stem.format.form() == Form::Parquet).then_some(Form::Parquet)
    }
}

/// Returns the missing table that makes an index impossible, and the files that would provide it.
fn missing_table(choice: &Choice) -> Option<String> {
    let files = |table| notes::file_names(choice.form, table);
    let leading = choice.leading_table();
    if !choice.has(Table::ClusterMembers) && choice.all_proteins {
        Some(format!("the members of the clusters are missing: expected {}", files(Table::ClusterMembers)))
    } else if leading != Table::Sequences && !choice.has(leading) {
        let (members, clusters) = (files(Table::ClusterMembers), files(Table::Clusters));
        Some(format!("the clusters are missing: expected {clusters}, or {members}"))
    } else if !choice.has(Table::Sequences) {
        Some(format!("the sequences are missing: expected {}", files(Table::Sequences)))
    } else {
        None
    }
}

#[cfg(test)]
mod tests;
