//! The columns of each table.

use store::Strand;

use crate::release::block::RowPlace;
use crate::release::rows::{
    BiomeRow, ClusterRow, ContigNameRow, CountRow, MemberRow, OccurrenceRow, PfamRow, SequenceRow,
};
use crate::release::table::Table;
use crate::run::{Reason, Rejection};
use crate::values;

use super::super::Batch;
use super::super::checks::{self, Annotation, quoted, reject};
use super::super::rows_in::{Fault, LineageCache};

/// Reads a line into a row, or into several of its place.
pub(super) fn push_row(
    table: Table,
    line: &str,
    place: RowPlace,
    lineages: &mut LineageCache,
    batch: &mut Batch,
) -> Result<(), Fault> {
    match table {
        Table::Clusters => {
            let (representative, rest) = split(line)?;
            let key = checks::protein_text(representative)?;
            let size = rest.split('\t').next().unwrap_or_default();
            let size = checks::whole(size)
                .ok_or_else(|| reject(Reason::BadClusterSize, format!("{} is no size", quoted(size))))?;
            let row = ClusterRow { size: values::cluster_size(size)? };
            batch.rows.push(key, place, |out| row.put(out));
        }
        Table::ClusterMembers => push_members(line, place, batch)?,
        Table::Sequences => {
            let [protein, full_length, residues] = columns(line)?;
            let key = checks::protein_text(protein)?;
            let full_length = checks::completeness_cell(full_length)?;
            let row = SequenceRow { full_length, residues: values::sequence(key, residues.as_bytes())? };
            batch.rows.push(key, place, |out| row.put(out));
        }
        Table::Biomes => {
            let [protein, count, lineage] = columns(line)?;
            let key = checks::protein_text(protein)?;
            let count = values::biome_count(checks::whole_cell("count", count)?)?;
            let row = BiomeRow { biome: lineages.ordinal_of(lineage)?, count };
            batch.rows.push(key, place, |out| row.put(out));
        }
        Table::Pfam => {
            let (key, row) = pfam_row(line)?;
            batch.rows.push(key, place, |out| row.put(out));
        }
        Table::Occurrences => push_occurrences(line, place, batch)?,
        Table::ContigNames => {
            let [contig, name] = columns(line)?;
            let key = checks::contig_text(contig)?;
            let row = ContigNameRow { name: checks::contig_name(name)? };
            batch.rows.push(key, place, |out| row.put(out));
        }
        Table::Counts => {
            let [protein, count] = columns(line)?;
            let key = checks::protein_text(protein)?;
            let row = CountRow { count: checks::whole_cell("count", count)? };
            batch.rows.push(key, place, |out| row.put(out));
        }
        Table::BiomeCounts => {
            let [count, lineage] = columns(line)?;
            let row = CountRow { count: checks::whole_cell("count", count)? };
            let key = lineages.ordinal_of(lineage)?;
            batch.rows.push(key.into(), place, |out| row.put(out));
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

/// Splits the first column from the rest.
fn split(line: &str) -> Result<(&str, &str), Rejection> {
    line.split_once('\t').ok_or_else(|| wrong_columns("2 or more", 1))
}

/// Makes the rejection of a line with another number of columns.
#[cold]
fn wrong_columns(expected: &str, found: usize) -> Rejection {
    Rejection::new(Reason::BadRow, format!("expected {expected} columns, found {found}"))
}

/// Reads a representative and its members. A bad member is left out alone.
fn push_members(line: &str, place: RowPlace, batch: &mut Batch) -> Result<(), Fault> {
    let (representative, rest) = split(line)?;
    let key = checks::protein_text(representative)?;
    let mut has_members = false;
    for member in checks::members(rest) {
        has_members = true;
        match checks::protein_text(member) {
            Ok(member) => batch.rows.push(key, place, |out| MemberRow { member }.put(out)),
            Err(rejection) => batch.leave_out(rejection.into(), place, line.as_bytes())?,
        }
    }
    if has_members { Ok(()) } else { Err(reject(Reason::BadRow, "the cluster has no members".to_owned()).into()) }
}

/// Reads a hit: four columns, or eight with scores and places in the profile.
fn pfam_row(line: &str) -> Result<(u64, PfamRow), Fault> {
    let num_columns = line.split('\t').count();
    let (protein, family, scores, hmm, envelope) = if num_columns == 4 {
        let [protein, family, start, end] = columns(line)?;
        (protein, family, None, None, (start, end))
    } else if num_columns == 8 {
        let [protein, family, evalue, score, hmm_from, hmm_to, env_from, env_to] = columns(line)?;
        (protein, family, Some((evalue, score)), Some((hmm_from, hmm_to)), (env_from, env_to))
    } else {
        return Err(wrong_columns("4 or 8", num_columns).into());
    };
    let key = checks::protein_text(protein)?;
    let Annotation::Family(family) = checks::annotation(family)? else { return Err(Fault::Clan) };
    let scores = match scores {
        Some((evalue, score)) => Some((real("i_evalue", evalue)?, real("score", score)?)),
        None => None,
    };
    let hmm = match hmm {
        Some((from, to)) => Some((position("hmm_from", from)?, position("hmm_to", to)?)),
        None => None,
    };
    let envelope = (position("env_from", envelope.0)?, position("env_to", envelope.1)?);
    Ok((key, PfamRow { family, scores, hmm, envelope }))
}

/// Reads an expectation value or a score.
fn real(name: &str, text: &str) -> Result<f64, Rejection> {
    let value = text.parse().map_err(|_| reject(Reason::BadNumber, format!("{name} {} is no number", quoted(text))))?;
    checks::finite(name, value)
}

/// Reads a position.
fn position(name: &str, text: &str) -> Result<u32, Rejection> {
    checks::position(name, checks::whole_cell(name, text)?)
}

/// Reads the places of a protein. A bad one is left out alone.
fn push_occurrences(line: &str, place: RowPlace, batch: &mut Batch) -> Result<(), Fault> {
    let [protein, places] = columns(line)?;
    let key = checks::protein_text(protein)?;
    let mut has_places = false;
    for text in places.split(';').filter(|text| !text.is_empty()) {
        has_places = true;
        match occurrence(text) {
            Ok(row) => batch.rows.push(key, place, |out| row.put(out)),
            Err(rejection) => batch.leave_out(rejection.into(), place, format!("{protein}\t{text}").as_bytes())?,
        }
    }
    if has_places { Ok(()) } else { Err(reject(Reason::BadRow, "the protein has no places".to_owned()).into()) }
}

/// Reads a place such as `ERZ534239.MGYC000564781877:931-2196:-1:partial`. What stands behind the strand is not needed.
fn occurrence(text: &str) -> Result<OccurrenceRow<'_>, Rejection> {
    let bad = || reject(Reason::BadPlace, format!("{} is no place on a contig", quoted(text)));
    let (assembly, rest) = text.split_once('.').ok_or_else(bad)?;
    let mut fields = rest.split(':');
    let contig = fields.next().ok_or_else(bad)?;
    let (start, end) = fields.next().and_then(|range| range.split_once('-')).ok_or_else(bad)?;
    let strand = match fields.next().ok_or_else(bad)? {
        "1" | "+" => Strand::Forward,
        "-1" | "-" => Strand::Reverse,
        _ => return Err(bad()),
    };
    Ok(OccurrenceRow {
        study: "",
        assembly: checks::assembly(assembly)?,
        contig: checks::contig_text(contig)?,
        contig_name: "",
        start: position("start", start)?,
        end: position("end", end)?,
        strand,
    })
}
