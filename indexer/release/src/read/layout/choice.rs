//! The choice of files if a folder has several for a table.

use std::cmp::Reverse;

use super::file_name::{STEMS, Stem};
use super::folder::Entry;
use super::{Form, Format, ReleaseFile, leading_table};
use crate::table::Table;

/// The files of a folder, each used for a table or not.
pub(super) struct Choice {
    pub(super) form: Form,
    pub(super) all_proteins: bool,
    /// The chosen files in the order of the tables, each table once.
    pub(super) chosen: Vec<Chosen>,
    pub(super) unused: Vec<Unused>,
}

#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) stem: &'static Stem,
    pub(super) names: Vec<String>,
    /// The numbers of the parts, ascending; empty for a whole table.
    pub(super) parts: Vec<u64>,
    pub(super) files: Vec<ReleaseFile>,
}

#[derive(Debug)]
pub(super) struct Unused {
    pub(super) name: String,
    pub(super) stem: &'static Stem,
    pub(super) why: String,
}

impl Choice {
    pub(super) fn new(form: Form, all_proteins: bool, entries: Vec<Entry>) -> Self {
        let mut choice = Self { form, all_proteins, chosen: Vec::new(), unused: Vec::new() };
        let mut candidates = Vec::new();
        for entry in entries {
            let why = if entry.stem.format.form() != form {
                match form {
                    Form::Parquet => "the release is read from its Parquet tables",
                    Form::Flat => "the release is read from its flat files, since its main Parquet tables are missing",
                }
            } else if entry.stem.table.is_none() {
                "the tables that are read contain the same and more"
            } else {
                candidates.push(entry);
                continue;
            };
            choice.unused.push(Unused { name: entry.name, stem: entry.stem, why: why.to_owned() });
        }
        let mut stems: Vec<&'static Stem> =
            STEMS.iter().filter(|stem| candidates.iter().any(|entry| entry.stem == *stem)).collect();
        // Sorting is stable, so the better name of a table stays first.
        stems
            .sort_by_key(|stem| (stem.table, stem.format == Format::Fasta && stem.covers_all_proteins != all_proteins));
        for stem in stems {
            let entries: Vec<Entry> = candidates.extract_if(.., |entry| entry.stem == stem).collect();
            match choice.chosen.last().filter(|other| other.stem.table == stem.table) {
                Some(better) => {
                    let table = stem.table.map_or("rows", Table::name);
                    let why = format!("the {table} are read from {}", better.stem.name);
                    choice.unused.extend(entries.into_iter().map(|entry| Unused {
                        name: entry.name,
                        stem,
                        why: why.clone(),
                    }));
                }
                None => choice.choose_parts(stem, entries),
            }
        }
        choice
    }

    pub(super) fn has(&self, table: Table) -> bool {
        self.chosen.iter().any(|input| input.stem.table == Some(table))
    }

    /// See [`super::Layout::leading_table`].
    pub(super) fn leading_table(&self) -> Table {
        leading_table(self.form, self.all_proteins, |table| self.has(table))
    }

    /// Chooses among files of one name: the whole table over parts of it, the latest month, and
    /// among copies the one that is read fastest.
    fn choose_parts(&mut self, stem: &'static Stem, mut entries: Vec<Entry>) {
        entries.sort_by_key(|entry| (entry.part, Reverse(entry.month), entry.compression));
        let mut chosen = Chosen { stem, names: Vec::new(), parts: Vec::new(), files: Vec::new() };
        for entry in entries {
            // A whole table sorts before all parts.
            let is_copy = chosen.parts.last() == entry.part.as_ref() || chosen.parts.is_empty();
            if let Some(known) = chosen.names.last()
                && is_copy
            {
                self.unused.push(Unused { why: format!("{known} is read instead"), name: entry.name, stem });
                continue;
            }
            chosen.names.push(entry.name);
            chosen.parts.extend(entry.part);
            chosen.files.extend(entry.files);
        }
        self.chosen.push(chosen);
    }
}
