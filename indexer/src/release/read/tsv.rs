//! Tab-separated tables of the flat releases. They have no header, but one is skipped.

use std::sync::Arc;

use crate::lines::{LINE_BYTES_MAX, Line};
use crate::release::table::Table;
use crate::run::{Reason, Rejection};
use crate::{Result, values};

use super::BytesRead;
use super::batch::{Batch, Fault, RowOrigin, RowSource};
use super::checks::{self, quoted};
use super::layout::TableInput;
use super::lineages::{LineageCache, Lineages};
use super::rows::{BiomeRow, OccurrenceRow, PfamRow, SequenceRow};
use super::text::{Step, TextFiles};

/// The longest line of a table that has whole clusters on a line: some 15 million members.
const CLUSTER_LINE_BYTES_MAX: usize = 256 * 1024 * 1024;

const HEADERS: [&str; 7] =
    ["mgyp", "protein_id", "cluster_rep", "cluster_rep_accession", "mgyc", "contig_id", "mgyp_count"];

struct TsvSource {
    table: Table,
    files: TextFiles,
    lineages: LineageCache,
}

pub(super) fn open(input: &TableInput, lineages: &Arc<Lineages>, bytes_read: &BytesRead) -> Result<Box<dyn RowSource>> {
    let line_bytes_max = match input.table {
        Table::ClusterMembers => CLUSTER_LINE_BYTES_MAX,
        _ => LINE_BYTES_MAX,
    };
    let files = TextFiles::open(input, line_bytes_max, bytes_read)?;
    Ok(Box::new(TsvSource { table: input.table, files, lineages: LineageCache::new(lineages) }))
}

impl RowSource for TsvSource {
    fn next(&mut self, batch: &mut Batch) -> Result<bool> {
        match self.files.next()? {
            Step::Lines(file, lines) => lines.lines().try_for_each(|line| self.read(file, line, batch)).map(|()| true),
            Step::EndOfFile => Ok(true),
            Step::EndOfTable => Ok(false),
        }
    }
}

impl TsvSource {
    fn read(&mut self, file: u16, line: Line<'_>, batch: &mut Batch) -> Result<()> {
        let origin = RowOrigin::new(file, line.number);
        let bytes = line.without_mark();
        if bytes.is_empty() || line.number == 1 && is_header(bytes) {
            return Ok(());
        }
        let pushed = if line.is_cut {
            Err(Rejection::new(Reason::TooLong, "the line is too long").into())
        } else {
            match std::str::from_utf8(bytes) {
                Ok(text) => push_row(self.table, text, origin, &mut self.lineages, batch),
                Err(error) => Err(Fault::from(Rejection::new(Reason::BadRow, error.to_string()))),
            }
        };
        pushed.or_else(|fault| batch.leave_out(fault, origin, bytes))
    }
}

fn is_header(line: &[u8]) -> bool {
    let first = line.split(|&byte| byte == b'\t').next().unwrap_or_default().trim_ascii();
    HEADERS.iter().any(|name| name.as_bytes().eq_ignore_ascii_case(first))
}

fn push_row(
    table: Table,
    line: &str,
    origin: RowOrigin,
    lineages: &mut LineageCache,
    batch: &mut Batch,
) -> Result<(), Fault> {
    let rows = &mut batch.rows;
    match table {
        Table::Clusters => {
            let (representative, rest) = split(line)?;
            let key = checks::protein_text(representative)?;
            let size = rest.split('\t').next().unwrap_or_default();
            let size = checks::whole(size)
                .ok_or_else(|| Rejection::new(Reason::BadClusterSize, format!("{} is no size", quoted(size))))?;
            rows.push(key, origin, &values::cluster_size(size)?);
        }
        Table::ClusterMembers => {
            let (representative, rest) = split(line)?;
            let members = checks::members(rest).map(checks::protein_text);
            batch.push_members(checks::protein_text(representative), members, origin, || line.to_owned());
        }
        Table::Sequences => {
            let [protein, full_length, residues] = columns(line)?;
            let key = checks::protein_text(protein)?;
            let full_length = checks::completeness_cell(full_length)?;
            let residues = values::sequence(key, residues.as_bytes())?;
            rows.push(key, origin, &SequenceRow { full_length, residues });
        }
        Table::Biomes => {
            let [protein, count, lineage] = columns(line)?;
            let key = checks::protein_text(protein)?;
            let count = values::biome_count(checks::whole_cell("count", count)?)?;
            rows.push(key, origin, &BiomeRow { biome: lineages.ordinal_of(lineage)?, count });
        }
        Table::Pfam => {
            let (key, row) = pfam_row(line)?;
            rows.push(key, origin, &row);
        }
        Table::Occurrences => push_occurrences(line, origin, batch)?,
        Table::ContigNames => {
            let [contig, name] = columns(line)?;
            rows.push(checks::contig_text(contig)?, origin, &checks::contig_name(name)?);
        }
        Table::Counts => {
            let [protein, count] = columns(line)?;
            rows.push(checks::protein_text(protein)?, origin, &checks::whole_cell("count", count)?);
        }
        Table::BiomeCounts => {
            let [count, lineage] = columns(line)?;
            let count = checks::whole_cell("count", count)?;
            rows.push(lineages.ordinal_of(lineage)?.into(), origin, &count);
        }
    }
    Ok(())
}

/// Splits a line of a known number of columns.
fn columns<const N: usize>(line: &str) -> Result<[&str; N], Rejection> {
    let mut columns = [""; N];
    let mut found = 0;
    for column in line.split('\t') {
        if let Some(slot) = columns.get_mut(found) {
            *slot = column;
        }
        found += 1;
    }
    if found == N { Ok(columns) } else { Err(wrong_columns(&N.to_string(), found)) }
}

fn split(line: &str) -> Result<(&str, &str), Rejection> {
    line.split_once('\t').ok_or_else(|| wrong_columns("2 or more", 1))
}

#[cold]
fn wrong_columns(expected: &str, found: usize) -> Rejection {
    Rejection::new(Reason::BadRow, format!("expected {expected} columns, found {found}"))
}

/// Parses a hit: four columns, or eight with scores and coordinates in the profile.
fn pfam_row(line: &str) -> Result<(u64, PfamRow), Fault> {
    let num_columns = line.split('\t').count();
    let (protein, family, of_match, envelope) = match num_columns {
        4 => {
            let [protein, family, from, to] = columns(line)?;
            (protein, family, None, (from, to))
        }
        8 => {
            let [protein, family, evalue, score, hmm_from, hmm_to, env_from, env_to] = columns(line)?;
            (protein, family, Some([evalue, score, hmm_from, hmm_to]), (env_from, env_to))
        }
        _ => return Err(wrong_columns("4 or 8", num_columns).into()),
    };
    let key = checks::protein_text(protein)?;
    let family = checks::family_text(family)?;
    let (scores, hmm) = match of_match {
        Some([evalue, score, from, to]) => (
            Some((real("i_evalue", evalue)?, real("score", score)?)),
            Some((position("hmm_from", from)?, position("hmm_to", to)?)),
        ),
        None => (None, None),
    };
    let envelope = (position("env_from", envelope.0)?, position("env_to", envelope.1)?);
    Ok((key, PfamRow { family, scores, hmm, envelope }))
}

fn real(name: &str, text: &str) -> Result<f64, Rejection> {
    let no_number = |_| Rejection::new(Reason::BadNumber, format!("{name} {} is no number", quoted(text)));
    checks::finite(name, text.parse().map_err(no_number)?)
}

fn position(name: &str, text: &str) -> Result<u32, Rejection> {
    checks::position(name, checks::whole_cell(name, text)?)
}

/// Parses the loci of a protein. A bad one is left out alone.
fn push_occurrences(line: &str, origin: RowOrigin, batch: &mut Batch) -> Result<(), Fault> {
    let [protein, loci] = columns(line)?;
    let key = checks::protein_text(protein)?;
    let mut has_loci = false;
    for text in loci.split(';').filter(|text| !text.is_empty()) {
        has_loci = true;
        match occurrence(text) {
            Ok(row) => batch.rows.push(key, origin, &row),
            Err(rejection) => batch.reject(origin, rejection, format!("{protein}\t{text}").as_bytes()),
        }
    }
    if has_loci { Ok(()) } else { Err(Rejection::new(Reason::BadRow, "the protein has no places").into()) }
}

/// Parses a locus such as `ERZ534239.MGYC000564781877:931-2196:-1:partial`. What follows the strand is not needed.
fn occurrence(text: &str) -> Result<OccurrenceRow<'_>, Rejection> {
    let bad = || Rejection::new(Reason::BadPlace, format!("{} is no place on a contig", quoted(text)));
    let (assembly, rest) = text.split_once('.').ok_or_else(bad)?;
    let mut fields = rest.split(':');
    let contig = fields.next().ok_or_else(bad)?;
    let (start, end) = fields.next().and_then(|range| range.split_once('-')).ok_or_else(bad)?;
    let is_reverse = match fields.next().ok_or_else(bad)? {
        "1" | "+" => false,
        "-1" | "-" => true,
        _ => return Err(bad()),
    };
    Ok(OccurrenceRow {
        study: "",
        assembly: checks::assembly(assembly)?,
        contig: checks::contig_text(contig)?,
        contig_name: "",
        start: position("start", start)?,
        end: position("end", end)?,
        is_reverse,
    })
}

#[cfg(test)]
mod tests;
