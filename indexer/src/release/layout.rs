//! Which files of a folder are which tables of a release.

mod choice;
mod file_name;
mod folder;
mod known;
mod notes;
mod sums;

use std::path::{Path, PathBuf};

use crate::input::ListedSum;
use crate::{Error, Result};

use self::choice::{Chosen, choose};
use self::folder::{Contents, list};
use self::known::Stem;
use self::sums::Sums;
use super::table::Table;

/// How many bytes of a release go with a byte of its index, at least: 1.3 TB make some 0.3 TB.
const RELEASE_BYTES_PER_INDEX_BYTE: u64 = 5;

/// In which form a release is distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Parquet tables, since 2026.
    Parquet,
    /// Tab-separated text and FASTA, until 2024.
    Flat,
}

/// How a file is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Format {
    /// Parquet.
    Parquet,
    /// Tab-separated text, maybe compressed.
    Tsv,
    /// FASTA, maybe compressed.
    Fasta,
}

/// The files of a release that are used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The form of the release.
    pub(crate) form: Form,
    /// The tables that there are, in the order of [`Table`].
    pub(crate) inputs: Vec<TableInput>,
    /// What the user should know about the choice of files, a sentence each.
    pub(crate) notes: Vec<String>,
    /// What the release lacks, a sentence each.
    pub(crate) warnings: Vec<String>,
}

/// A table and its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableInput {
    /// The table.
    pub(crate) table: Table,
    /// How its files are encoded.
    pub(crate) format: Format,
    /// For sequences: they are those of all proteins, and not only of representatives.
    pub(crate) covers_all_proteins: bool,
    /// The files, in the order in which they are read.
    pub(crate) files: Vec<ReleaseFile>,
}

/// A file of a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReleaseFile {
    /// The position in the run, ascending in the order of the inputs.
    pub(crate) position: u16,
    /// Where it is.
    pub(crate) path: PathBuf,
    /// Its size on disk.
    pub(crate) size_bytes: u64,
    /// The sum that it should have, if there is a list of them.
    pub(crate) sum: Option<ListedSum>,
}

impl Layout {
    /// Returns the files of a table, or `None` where the release lacks it.
    pub(crate) fn input(&self, table: Table) -> Option<&TableInput> {
        self.inputs.iter().find(|input| input.table == table)
    }

    /// Returns all files, by position.
    pub(crate) fn files(&self) -> impl Iterator<Item = &ReleaseFile> {
        self.inputs.iter().flat_map(|input| &input.files)
    }

    /// Returns about how many bytes the index has, and so how much room it needs. A run that meets a full disk goes on when it is started
    /// again.
    pub(super) fn index_bytes(&self, all_proteins: bool) -> u64 {
        let release_bytes: u64 = self.files().map(|file| file.size_bytes).sum();
        if all_proteins { release_bytes } else { release_bytes / RELEASE_BYTES_PER_INDEX_BYTE }
    }
}

impl ReleaseFile {
    /// Returns what the file is called in reports.
    pub(crate) fn name(&self) -> String {
        self.path.display().to_string()
    }
}

/// Returns the table that tells which proteins are indexed, and the sizes of their clusters. In flat releases that is the one with
/// the members, whose form is known best.
pub(super) fn leading_table(form: Form, all_proteins: bool, has: impl Fn(Table) -> bool) -> Table {
    let prefers_members = all_proteins || form == Form::Flat;
    if (prefers_members && has(Table::ClusterMembers)) || !has(Table::Clusters) {
        Table::ClusterMembers
    } else {
        Table::Clusters
    }
}

/// Finds the tables of a release in a folder. With `all_proteins`, the index is to have the members of clusters too.
///
/// # Errors
///
/// * The folder cannot be listed.
/// * It has no file of a release, or lacks a table without which there is no index.
pub(crate) fn recognise(folder: &Path, all_proteins: bool) -> Result<Layout> {
    let release_error = |problem| Error::Release { path: folder.to_owned(), problem };
    let contents = list(folder)?;
    let form = form_of(&contents).ok_or_else(|| {
        release_error(String::from(
            "no file of a release was found: looked for Parquet tables such as mgy_clusters.parquet and \
             mgy_protein_sequences.parquet, and for flat files such as mgy_cluster_seqs.tsv.gz and mgy_clusters.fa.gz",
        ))
    })?;
    let (chosen, mut unused) = choose(form, all_proteins, contents.entries);
    if let Some(problem) = lacking(form, all_proteins, &chosen) {
        let hint = notes::other_form_hint(form, &unused);
        return Err(release_error(format!("{problem}{hint}")));
    }
    let (mut notes, mut warnings) = notes::of_choice(form, all_proteins, &chosen);
    notes.extend(notes::of_unused(&mut unused, &contents.unknown));
    let sums = Sums::read(folder)?;
    warnings.extend(sums.warnings(&chosen));
    let mut inputs = number(chosen).ok_or_else(|| release_error(String::from("it has more than 65,536 files")))?;
    for file in inputs.iter_mut().flat_map(|input| &mut input.files) {
        file.sum = sums.of(&file.path)?;
    }
    Ok(Layout { form, inputs, notes, warnings })
}

/// Tells which form a release has: Parquet as soon as its main tables are there, or nothing else is.
fn form_of(contents: &Contents) -> Option<Form> {
    let is_main =
        |stem: &Stem| stem.form == Form::Parquet && matches!(stem.table, Some(Table::Clusters | Table::Sequences));
    let has = |test: &dyn Fn(&Stem) -> bool| contents.entries.iter().any(|entry| test(entry.stem));
    if has(&is_main) {
        Some(Form::Parquet)
    } else if has(&|stem| stem.form == Form::Flat && stem.table.is_some()) {
        Some(Form::Flat)
    } else {
        has(&|stem| stem.form == Form::Parquet).then_some(Form::Parquet)
    }
}

/// Returns which table is missing so that no index can be built, and the files that would do.
fn lacking(form: Form, all_proteins: bool, chosen: &[Chosen]) -> Option<String> {
    let has = |table| chosen.iter().any(|input| input.stem.table == Some(table));
    let files = |table| notes::file_names(form, table);
    if !has(Table::ClusterMembers) && all_proteins {
        Some(format!("the members of the clusters are missing: expected {}", files(Table::ClusterMembers)))
    } else if !has(Table::ClusterMembers) && !has(Table::Clusters) {
        let (members, clusters) = (files(Table::ClusterMembers), files(Table::Clusters));
        Some(format!("the clusters are missing: expected {clusters}, or {members}"))
    } else if !has(Table::Sequences) {
        Some(format!("the sequences are missing: expected {}", files(Table::Sequences)))
    } else {
        None
    }
}

/// Gives positions to the files, or returns `None` where there are too many.
fn number(chosen: Vec<Chosen>) -> Option<Vec<TableInput>> {
    let mut positions = 0..=u16::MAX;
    chosen
        .into_iter()
        .map(|input| {
            let files = input.files.into_iter().map(|(path, size_bytes)| {
                Some(ReleaseFile { position: positions.next()?, path, size_bytes, sum: None })
            });
            Some(TableInput {
                table: input.stem.table?,
                format: input.stem.format,
                covers_all_proteins: input.stem.covers_all_proteins,
                files: files.collect::<Option<_>>()?,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests;
