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
    /// A hit of a model that is not of Pfam: its accession or, if there is none, both names, of which one is the protein's.
    OtherModel(String),
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
    let by_accession = [(query_accession, target), (target_accession, query)];
    let without_accession = by_accession.iter().all(|&(accession, _)| accession == NO_ACCESSION);
    let sides = if without_accession { [(query, target), (target, query)] } else { by_accession };
    let pfam = sides.into_iter().find_map(|(model, protein)| Some((family_of(model)?, protein)));
    let Some((family, protein)) = pfam else {
        let known = by_accession.into_iter().map(|(accession, _)| accession).find(|&known| known != NO_ACCESSION);
        return Ok(HitRow::OtherModel(known.map_or_else(|| format!("{target} or {query}"), str::to_owned)));
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A row that HMMER 3.3 has written.
    const HMMSEARCH: &str = "938293.PRJEB85.HG003685_328 -            312 2-Hacid_dh_C         PF02826.20   178   5.6e-54  179.1   0.0   2   2     1e-55     1e-53  178.3   0.0     2   178   101   279   100   279 0.95 # 362674 # 363609 # 1 # ID=6_328;partial=00";

    /// A row that pyhmmer has written.
    const HMMSCAN: &str = "2-Hacid_dh_C         PF02826.20   178 OFHT01000022_a_4     -            297   2.5e-10   29.8   0.0   1   1   3.3e-11   4.3e-10   29.0   0.0    30   124   148   240   136   246 0.79 D-isomer specific 2-hydroxyacid dehydrogenase, NAD binding domain";

    fn hit(text: &str) -> HitRow<'_> {
        read(text).expect("a row").expect(text)
    }

    #[test]
    fn the_model_is_the_side_with_the_accession() {
        let expected = Hit { family: 2826, evalue: 1e-53, bit_score: 178.3, hmm: (2, 178), envelope: (100, 279) };
        let name = "938293.PRJEB85.HG003685_328";
        assert_eq!(hit(HMMSEARCH), HitRow::Pfam(name, expected));
        // The accession alone, without a version, and in place of the name.
        assert_eq!(hit(&HMMSEARCH.replace("PF02826.20", "PF02826")), HitRow::Pfam(name, expected));
        let by_name = HMMSEARCH.replace("PF02826.20", "-").replace("2-Hacid_dh_C", "PF02826.20");
        assert_eq!(hit(&by_name), HitRow::Pfam(name, expected));

        let expected = Hit { family: 2826, evalue: 4.3e-10, bit_score: 29.0, hmm: (30, 124), envelope: (136, 246) };
        assert_eq!(hit(HMMSCAN), HitRow::Pfam("OFHT01000022_a_4", expected));
        let by_name = HMMSCAN.replace("PF02826.20", "-").replace("2-Hacid_dh_C", "PF02826");
        assert_eq!(hit(&by_name), HitRow::Pfam("OFHT01000022_a_4", expected));
    }

    #[test]
    fn other_models_are_named() {
        assert_eq!(hit(&HMMSEARCH.replace("PF02826.20", "RREFam006.1")), HitRow::OtherModel("RREFam006.1".to_owned()));
        assert_eq!(
            hit(&HMMSEARCH.replace("PF02826.20", "-")),
            HitRow::OtherModel("938293.PRJEB85.HG003685_328 or 2-Hacid_dh_C".to_owned())
        );
        assert_eq!(hit(&HMMSCAN.replace("PF02826.20", "TIGR00001")), HitRow::OtherModel("TIGR00001".to_owned()));
        // The name of a protein is not looked at where there is an accession.
        let renamed = HMMSEARCH.replace("PF02826.20", "RREFam006.1").replace("938293.PRJEB85.HG003685_328", "PF00012");
        assert_eq!(hit(&renamed), HitRow::OtherModel("RREFam006.1".to_owned()));
        for text in ["", "  ", "#", "# [ok]", "#------"] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }

    #[test]
    fn each_fault_has_its_reason() {
        for (from, to, reason) in [
            ("0.95 # 362674 # 363609 # 1 # ID=6_328;partial=00", "", Reason::BadRow),
            ("   178   5.6e-54", "   x   5.6e-54", Reason::BadRow),
            (" -            312", " -            x", Reason::BadRow),
            ("   1e-53", "   nan", Reason::BadNumber),
            ("   1e-53", "   x", Reason::BadNumber),
            ("  178.3", "  inf", Reason::BadNumber),
            ("100   279 0.95", "280   279 0.95", Reason::BadNumber),
            ("100   279 0.95", "0   279 0.95", Reason::BadNumber),
            ("100   279 0.95", "-1   279 0.95", Reason::BadNumber),
            ("100   279 0.95", "1   4294967296 0.95", Reason::BadNumber),
            ("    2   178 ", "  179   178 ", Reason::BadNumber),
        ] {
            let text = HMMSEARCH.replace(from, to);
            assert_ne!(text, HMMSEARCH, "{from}");
            assert_eq!(read(&text).expect("a row").expect_err(to).reason, reason, "{text}");
        }
    }
}
