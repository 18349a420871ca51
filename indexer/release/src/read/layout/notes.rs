//! Notes and warnings about the files of a release.

use super::choice::{Choice, Unused};
use super::file_name::{STEMS, Stem};
use super::{Form, Format};
use crate::table::{TABLES, Table};

const NAMES_MAX: usize = 12;

/// Returns the layout and the use of each file; and, as warnings, the missing parts that matter.
pub(super) fn describe(choice: &Choice) -> (Vec<String>, Vec<String>) {
    let &Choice { form, all_proteins, ref chosen, .. } = choice;
    let leading = choice.leading_table();
    let mut warnings = Vec::new();
    let mut notes = vec![match form {
        Form::Parquet => "the folder has the Parquet tables of a release".to_owned(),
        Form::Flat => "the folder has the flat files of a release".to_owned(),
    }];
    let has = |table| choice.has(table);
    for input in chosen {
        let (names, verb) = (list(&input.names), if input.names.len() == 1 { "is" } else { "are" });
        notes.push(match input.stem.table {
            Some(Table::ClusterMembers) if leading == Table::Clusters => {
                format!("{names} {verb} read only for --previous, --members or --contigs")
            }
            Some(Table::Clusters) if leading == Table::ClusterMembers => {
                format!("{names} {verb} not read: the sizes of the clusters are counted from the members")
            }
            table => format!("{names} {verb} used for the {}", table.map_or("nothing", Table::name)),
        });
        for (first, last) in gaps(&input.parts) {
            let name = input.stem.name;
            warnings.push(if first == last {
                format!("part {first} of {name} is missing: its rows will not be in the index")
            } else {
                format!("parts {first} to {last} of {name} are missing: their rows will not be in the index")
            });
        }
        let empty = input.files.iter().filter(|file| file.size_bytes == 0);
        warnings.extend(empty.map(|file| format!("{} is empty", file.name())));
    }
    if leading == Table::Sequences {
        let files = [Table::Clusters, Table::ClusterMembers].map(|table| file_names(form, table)).join(" and ");
        warnings.push(format!(
            "{files} are missing: every sequence is indexed, and the sizes of the clusters are not known"
        ));
    }
    for spec in &TABLES {
        if let (Some(stem), Some(consequence)) = (stems_of(form, spec.table).next(), spec.if_missing)
            && !has(spec.table)
        {
            // Either table of the clusters is enough, and both were named above.
            let is_needed = !matches!(spec.table, Table::Clusters | Table::ClusterMembers);
            if !is_needed && leading == Table::Sequences {
                continue;
            }
            let sentences = if is_needed { &mut warnings } else { &mut notes };
            sentences.push(format!("{} is missing: {consequence}", stem.name));
        }
    }
    let sequences = chosen.iter().find(|input| input.stem.table == Some(Table::Sequences));
    if all_proteins && sequences.is_some_and(|input| !input.stem.covers_all_proteins) {
        warnings.push("mgy_proteins is missing: only representatives have sequences".to_owned());
    }
    (notes, warnings)
}

pub(super) fn describe_unused(unused: &mut [Unused], unknown: &[String]) -> Vec<String> {
    unused.sort_by(|left, right| left.why.cmp(&right.why));
    let mut notes: Vec<String> = unused
        .chunk_by(|left, right| left.why == right.why)
        .map(|group| {
            let names: Vec<_> = group.iter().map(|file| file.name.clone()).collect();
            let verb = if names.len() == 1 { "is" } else { "are" };
            format!("{} {verb} not used: {}", list(&names), group[0].why)
        })
        .collect();
    if !unknown.is_empty() {
        notes.push(format!("no known files of a release, ignored: {}", list(unknown)));
    }
    notes
}

/// Returns a hint about sequences or clusters that the folder has only in the other form.
pub(super) fn other_form_hint(choice: &Choice) -> String {
    let is_main = |table| matches!(table, Some(Table::Sequences | Table::Clusters | Table::ClusterMembers));
    let unused = choice.unused.iter();
    let names: Vec<_> = unused
        .filter(|file| file.stem.format.form() != choice.form && is_main(file.stem.table))
        .map(|file| file.name.clone())
        .collect();
    if names.is_empty() {
        String::new()
    } else {
        format!(" ({} cannot be combined with the other files)", list(&names))
    }
}

pub(super) fn file_names(form: Form, table: Table) -> String {
    let names = stems_of(form, table).map(|stem| match stem.format {
        Format::Parquet => format!("{}.parquet", stem.name),
        Format::Tsv => format!("{}.tsv.gz", stem.name),
        Format::Fasta => format!("{}.fa.gz", stem.name),
    });
    names.collect::<Vec<_>>().join(" or ")
}

fn stems_of(form: Form, table: Table) -> impl Iterator<Item = &'static Stem> {
    STEMS.iter().filter(move |stem| stem.format.form() == form && stem.table == Some(table))
}

/// Returns the first and the last of the numbers that are missing before others, for each gap.
fn gaps(parts: &[u64]) -> impl Iterator<Item = (u64, u64)> {
    let before = parts.first().map(|&first| (0, first));
    let between = parts.windows(2).map(|pair| (pair[0], pair[1]));
    let gaps = before.into_iter().chain(between).filter(|(known, next)| known + 1 < *next);
    gaps.map(|(known, next)| (known + 1, next - 1))
}

/// Joins names, as many as are readable.
fn list(names: &[String]) -> String {
    let shown = names.iter().take(NAMES_MAX).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMES_MAX) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
