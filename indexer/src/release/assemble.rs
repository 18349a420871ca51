//! Rows become parts of a record.

use std::fmt::Write;

use store::{Occurrence, PfamHit};

use super::rows::{OccurrenceRow, PfamRow};

/// Returns a hit as it is stored: what the source does not say is 0.
pub(super) fn pfam_hit(row: &PfamRow) -> PfamHit {
    let (evalue, bit_score) = row.scores.unwrap_or_default();
    let (hmm_start, hmm_end) = row.hmm.unwrap_or_default();
    let (env_start, env_end) = row.envelope;
    PfamHit { family: row.family, evalue, bit_score, hmm_start, hmm_end, env_start, env_end }
}

/// Returns a place on a contig as it is stored: without a name, the contig's accession stands for it.
pub(super) fn occurrence(row: &OccurrenceRow<'_>, spare: Option<Occurrence>) -> Occurrence {
    let mut texts =
        spare.map_or_else(Default::default, |spare| [spare.study, spare.assembly, spare.contig, spare.contig_name]);
    for text in &mut texts {
        text.clear();
    }
    let [mut study, mut assembly, mut contig, mut contig_name] = texts;
    study.push_str(row.study);
    assembly.push_str(row.assembly);
    // Writing into memory does not fail.
    let _ = write!(contig, "MGYC{:012}", row.contig);
    contig_name.push_str(if row.contig_name.is_empty() { &contig } else { row.contig_name });
    Occurrence { study, assembly, contig, contig_name, start: row.start, end: row.end, strand: row.strand }
}
