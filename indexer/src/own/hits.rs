//! Pfam hits, as HMMER writes them with `--domtblout`.
//!
//! A row has 22 columns between white space, and a description. `hmmsearch` has the sequence as the target and the profile as the query,
//! `hmmscan` the other way round; each side has a name and an accession, which is `-` if there is none.

use std::array;

use store::PfamAccession;

use super::entry::Hit;
use super::locus::{range, whole};
use crate::run::{Reason, Rejection};
use crate::values::{self, quoted};

/// The number of columns before the description.
const NUM_COLUMNS: usize = 22;

/// The accession of what has none.
const NO_ACCESSION: &str = "-";

/// A row.
#[derive(Debug, PartialEq)]
pub(super) enum HitRow<'a> {
    /// The protein, and its hit.
    Pfam(&'a str, Hit),
    /// A hit of a model that is not of Pfam, by its accession or its name.
    OtherModel(&'a str),
}

/// Reads a row, or returns `None` for a comment or a blank line.
pub(super) fn read(text: &str) -> Option<Result<HitRow<'_>, Rejection>> {
    (!text.starts_with('#') && !text.trim_ascii().is_empty()).then(|| read_row(text))
}

fn read_row(text: &str) -> Result<HitRow<'_>, Rejection> {
    let mut words = text.split_ascii_whitespace();
    let columns: [&str; NUM_COLUMNS] = array::from_fn(|_| words.next().unwrap_or_default());
    if columns[NUM_COLUMNS - 1].is_empty() {
        let num_columns = columns.iter().filter(|column| !column.is_empty()).count();
        return Err(Rejection::new(Reason::BadRow, format!("expected {NUM_COLUMNS} columns, found {num_columns}")));
    }
    let [target, target_accession, target_length, query, query_accession, query_length, ..] = columns;
    if values::whole(target_length).is_none() || values::whole(query_length).is_none() {
        let detail = "the third and the sixth column are no lengths: is this a file of --domtblout?";
        return Err(Rejection::new(Reason::BadRow, detail));
    }
    let [evalue, bit_score, _, hmm_start, hmm_end, _, _, env_start, env_end, _] = array::from_fn(|at| columns[at + 12]);
    let sides = [(query_accession, target), (target_accession, query), (query, target), (target, query)];
    let pfam = sides.into_iter().find_map(|(model, protein)| Some((family_of(model)?, protein)));
    let Some((family, protein)) = pfam else {
        let models = [query_accession, target_accession, query];
        return Ok(HitRow::OtherModel(models.into_iter().find(|&model| model != NO_ACCESSION).unwrap_or_default()));
    };
    let hit = Hit {
        family,
        evalue: real("i-Evalue", evalue)?,
        bit_score: real("score", bit_score)?,
        hmm: range("hmm", (whole("hmm from", hmm_start)?, whole("hmm to", hmm_end)?))?,
        envelope: range("envelope", (whole("env from", env_start)?, whole("env to", env_end)?))?,
    };
    Ok(HitRow::Pfam(protein, hit))
}

/// Parses the accession of a family, with or without a version, as in `PF00005.30`.
fn family_of(model: &str) -> Option<u64> {
    let accession = match model.split_once('.') {
        Some((accession, version)) if values::whole(version).is_some() => accession,
        _ => model,
    };
    accession.parse().ok().map(|PfamAccession(number)| number)
}

fn real(name: &str, text: &str) -> Result<f64, Rejection> {
    let bad = |_| Rejection::new(Reason::BadNumber, format!("{name} {} is no number", quoted(text)));
    values::finite(name, text.parse().map_err(bad)?)
}
