//! Which files are read where a folder has more than one for a table.

use std::path::PathBuf;

use super::folder::Entry;
use super::known::{STEMS, Stem};
use super::{Form, Format};
use crate::release::table::Table;

/// The files that were chosen for a table.
#[derive(Debug)]
pub(super) struct Chosen {
    /// What they are.
    pub(super) stem: &'static Stem,
    /// Their names.
    pub(super) names: Vec<String>,
    /// The numbers of the parts, ascending; empty for a whole table.
    pub(super) parts: Vec<u64>,
    /// The files with their sizes.
    pub(super) files: Vec<(PathBuf, u64)>,
}

/// A file that is not read.
#[derive(Debug)]
pub(super) struct Unused {
    /// The name.
    pub(super) name: String,
    /// What it is.
    pub(super) stem: &'static Stem,
    /// Why it is not read.
    pub(super) why: String,
}

/// Chooses the files of each table, in the order of the tables.
pub(super) fn choose(form: Form, all_proteins: bool, entries: Vec<Entry>) -> (Vec<Chosen>, Vec<Unused>) {
    let mut unused = Vec::new();
    let mut candidates = Vec::new();
    for entry in entries {
        let why = if entry.stem.form != form {
            Some(match form {
                Form::Parquet => "the release is read from its Parquet tables",
                Form::Flat => "the release is read from its flat files, since its main Parquet tables are missing",
            })
        } else if entry.stem.table.is_none() {
            Some("the places on contigs tell the same and more")
        } else {
            None
        };
        match why {
            Some(why) => unused.push(Unused { name: entry.name, stem: entry.stem, why: why.to_owned() }),
            None => candidates.push(entry),
        }
    }
    let mut stems: Vec<&'static Stem> =
        STEMS.iter().filter(|stem| candidates.iter().any(|entry| entry.stem == *stem)).collect();
    // Sorting is stable, so that the better name of a table stays in front.
    stems.sort_by_key(|stem| (stem.table, stem.format == Format::Fasta && stem.covers_all_proteins != all_proteins));
    let mut chosen: Vec<Chosen> = Vec::new();
    for stem in stems {
        let (own, rest) = candidates.into_iter().partition(|entry| entry.stem == stem);
        candidates = rest;
        match chosen.last().filter(|other| other.stem.table == stem.table) {
            Some(better) => unused.extend(other_names(stem, better, own)),
            None => chosen.push(choose_parts(stem, own, &mut unused)),
        }
    }
    (chosen, unused)
}

/// Returns the files of a table that has better ones.
fn other_names(stem: &'static Stem, better: &Chosen, entries: Vec<Entry>) -> impl Iterator<Item = Unused> {
    let table = stem.table.map_or("rows", Table::name);
    let why = format!("the {table} are read from {}", better.stem.name);
    entries.into_iter().map(move |entry| Unused { name: entry.name, stem, why: why.clone() })
}

/// Chooses among files of one name: the whole table before parts of it, and of copies the one that is read fastest.
fn choose_parts(stem: &'static Stem, mut entries: Vec<Entry>, unused: &mut Vec<Unused>) -> Chosen {
    entries.sort_by_key(|entry| (entry.part, entry.compression));
    let mut chosen = Chosen { stem, names: Vec::new(), parts: Vec::new(), files: Vec::new() };
    for entry in entries {
        let is_copy = match entry.part {
            _ if chosen.names.is_empty() => false,
            Some(part) => chosen.parts.last() == Some(&part),
            None => true,
        };
        let is_whole_known = !chosen.names.is_empty() && chosen.parts.is_empty();
        if is_copy || is_whole_known {
            let known = chosen.names.last().map_or("", |name| name);
            unused.push(Unused { why: format!("{known} has the same rows"), name: entry.name, stem });
            continue;
        }
        chosen.names.push(entry.name);
        chosen.parts.extend(entry.part);
        chosen.files.extend(entry.files);
    }
    chosen
}
