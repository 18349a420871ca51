//! Pfam hits, as HMMER writes them with `--domtblout`.
//!
//! A row has 22 columns separated by white space, and a description. In `hmmsearch` tables the
//! sequence is the target and the profile is the query; in `hmmscan` tables it is the other way
//! round. Each side has a name and an accession, which is `-` if missing. Rows of
//! `pfam_scan.pl`, with 15 columns, are read too. The rejection of a row of another table names the
//! table that is needed.

use std::array;

use indexer::run::{Reason, Rejection};
use indexer::values::{self, quoted};
use store::PfamAccession;

use super::entry::Hit;
use super::locus::{range, whole};

/// The number of columns before the description.
const NUM_COLUMNS: usize = 22;

/// The accession of a model without one.
const NO_ACCESSION: &str = "-";

/// A row.
#[derive(Debug, PartialEq)]
pub(super) enum HitRow<'a> {
    /// The protein, and its hit.
    Pfam(&'a str, Hit),
    /// A hit of a model that is not from Pfam: its accession or, without one, both names, one
    /// of which is that of the protein.
    OtherModel(String),
}

/// Reads a row, or returns `None` for a comment or a blank line.
pub(super) fn read(text: &str) -> Option<Result<HitRow<'_>, Rejection>> {
    (!text.starts_with('#') && !text.trim_ascii().is_empty()).then(|| read_row(text))
}

fn read_row(text: &str) -> Result<HitRow<'_>, Rejection> {
    let mut words = text.split_ascii_whitespace();
    let columns: [&str; NUM_COLUMNS] = array::from_fn(|_| words.next().unwrap_or_default());
    let [target, target_accession, target_length, query, query_accession, query_length, ..] = columns;
    let is_domtblout = !columns[NUM_COLUMNS - 1].is_empty()
        && [target_length, query_length].iter().all(|length| values::whole(length).is_some());
    if !is_domtblout {
        let other = || Err(Rejection::new(Reason::BadRow, other_table(text, &columns)));
        return read_pfam_scan(&columns).unwrap_or_else(other);
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
        hmm: range("hmm", whole("hmm from", hmm_start)?, whole("hmm to", hmm_end)?)?,
        envelope: range("envelope", whole("env from", env_start)?, whole("env to", env_end)?)?,
    };
    Ok(HitRow::Pfam(protein, hit))
}

/// Reads a row of `pfam_scan.pl`, or returns `None` for any other row. Its columns are protein,
/// alignment, envelope, accession, name and kind of the model, positions in the model and its
/// length, score, E-value, significance, and clan.
fn read_pfam_scan<'a>(columns: &[&'a str; NUM_COLUMNS]) -> Option<Result<HitRow<'a>, Rejection>> {
    let [protein, _, _, env_start, env_end, model, _, kind, hmm_start, hmm_end, _, bit_score, evalue, _, clan, end, ..] =
        *columns;
    let family = family_of(model).filter(|_| !clan.is_empty() && end.is_empty() && values::whole(kind).is_none())?;
    let read = || {
        let hit = Hit {
            family,
            evalue: real("E-value", evalue)?,
            bit_score: real("bit score", bit_score)?,
            hmm: range("hmm", whole("hmm start", hmm_start)?, whole("hmm end", hmm_end)?)?,
            envelope: range("envelope", whole("envelope start", env_start)?, whole("envelope end", env_end)?)?,
        };
        Ok(HitRow::Pfam(protein, hit))
    };
    Some(read())
}

/// Describes the table that a row is from, if that is known, and the table that is needed instead.
fn other_table(text: &str, columns: &[&str; NUM_COLUMNS]) -> String {
    let num_columns = columns.iter().filter(|column| !column.is_empty()).count();
    let cells: Vec<&str> = text.split('\t').collect();
    let is_md5 = |cell: &str| cell.len() == 32 && cell.bytes().all(|byte| byte.is_ascii_hexdigit());
    if cells.len() >= 11 && is_md5(cells[1]) {
        "a table of InterProScan has no positions in profiles: search with hmmsearch --domtblout and Pfam-A.hmm"
            .to_owned()
    } else if num_columns > 18 && [4, 5, 7, 8].iter().all(|&at| columns[at].parse::<f64>().is_ok()) {
        "a table of --tblout has no positions: run HMMER with --domtblout".to_owned()
    } else if num_columns < NUM_COLUMNS {
        format!("expected {NUM_COLUMNS} columns, found {num_columns}")
    } else {
        "the third and the sixth column are not lengths: is this a file of --domtblout?".to_owned()
    }
}

fn family_of(model: &str) -> Option<u64> {
    model.parse().ok().map(|PfamAccession(number)| number)
}

fn real(name: &str, text: &str) -> Result<f64, Rejection> {
    let bad = |_| Rejection::new(Reason::BadNumber, format!("{name} {} is not a number", quoted(text)));
    values::finite(name, text.parse().map_err(bad)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row written by HMMER 3.3.
    const HMMSEARCH: &str = "938293.PRJEB85.HG003685_328 -            312 2-Hacid_dh_C         PF02826.20   178   5.6e-54  179.1   0.0   2   2     1e-55     1e-53  178.3   0.0     2   178   101   279   100   279 0.95 # 362674 # 363609 # 1 # ID=6_328;partial=00";

    /// A row written by pyhmmer.
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
    fn pfam_scan_is_read_and_other_tables_are_named() {
        let row = "seq_1     5     60      3     62 PF00005.31  ABC_tran          Domain     1   50   137     40.5   1.2e-09   1 CL0023";
        let expected = Hit { family: 5, evalue: 1.2e-9, bit_score: 40.5, hmm: (1, 50), envelope: (3, 62) };
        assert_eq!(hit(row), HitRow::Pfam("seq_1", expected));
        assert_eq!(hit(&row.replace("CL0023", "No_clan")), HitRow::Pfam("seq_1", expected));
        let interproscan =
            "seq_1 1d5a9f7dc8f1dd2bcee4ae4b7ab3a7d3 312 Pfam PF00005 ABC_tran 3 62 1.2E-9 T 28-11-2026 IPR003439 ABC"
                .replace(' ', "\t");
        let tblout = "seq_1 - ABC_tran PF00005.31 1.2e-09 40.5 0.1 2.0e-09 39.8 0.1 1.2 1 0 0 1 1 1 1 a protein";
        for (text, wanted) in [(&*interproscan, "InterProScan"), (tblout, "--domtblout"), ("a b c", "22 columns")] {
            let detail = read(text).expect("a row").expect_err(text).detail;
            assert!(detail.contains(wanted), "{detail}");
        }
    }

    #[test]
    fn other_models_are_named() {
        assert_eq!(hit(&HMMSEARCH.replace("PF02826.20", "RREFam006.1")), HitRow::OtherModel("RREFam006.1".to_owned()));
        assert_eq!(
            hit(&HMMSEARCH.replace("PF02826.20", "-")),
            HitRow::OtherModel("938293.PRJEB85.HG003685_328 or 2-Hacid_dh_C".to_owned())
        );
        assert_eq!(hit(&HMMSCAN.replace("PF02826.20", "TIGR00001")), HitRow::OtherModel("TIGR00001".to_owned()));
        // The name of a protein is ignored if there is an accession.
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
