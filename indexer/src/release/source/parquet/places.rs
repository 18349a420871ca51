//! Rows of places on contigs.

use arrow_array::ArrayRef;
use arrow_schema::ArrowError;
use store::Strand;

use crate::release::rows::OccurrenceRow;
use crate::release::source::checks::{self, reject};
use crate::run::{Reason, Rejection};

use super::cells::{Texts, Wholes, WholesOrTexts};
use super::rows::Columns;

/// The columns of places on contigs.
pub(super) struct OccurrenceColumns {
    /// The protein.
    pub(super) protein: WholesOrTexts,
    /// The study.
    study: Option<Texts>,
    /// The assembly.
    assembly: Texts,
    /// The contig.
    contig: WholesOrTexts,
    /// Its name.
    contig_name: Option<Texts>,
    /// Where the gene starts.
    start: Wholes,
    /// Where it ends.
    end: Wholes,
    /// Its strand.
    strand: WholesOrTexts,
}

impl OccurrenceColumns {
    /// Takes the columns of a batch.
    pub(super) fn of(
        columns: &mut Columns<impl Iterator<Item = (&'static str, Option<ArrayRef>)>>,
    ) -> Result<Self, ArrowError> {
        Ok(Self {
            protein: columns.take(WholesOrTexts::of)?,
            study: columns.take_optional(Texts::of)?,
            assembly: columns.take(Texts::of)?,
            contig: columns.take(WholesOrTexts::of)?,
            contig_name: columns.take_optional(Texts::of)?,
            start: columns.take(Wholes::of)?,
            end: columns.take(Wholes::of)?,
            strand: columns.take(WholesOrTexts::of)?,
        })
    }

    /// Reads a row.
    pub(super) fn row(&self, row: usize) -> Result<OccurrenceRow<'_>, Rejection> {
        let study = match &self.study {
            Some(studies) => checks::study(studies.get_or_empty(Reason::BadPlace, row)?)?,
            None => "",
        };
        let contig_name = match &self.contig_name {
            Some(names) => checks::contig_name(names.get_or_empty(Reason::BadPlace, row)?)?,
            None => "",
        };
        Ok(OccurrenceRow {
            study,
            assembly: checks::assembly(self.assembly.get_or(Reason::BadPlace, row)?)?,
            contig: self.contig.contig(row)?,
            contig_name,
            start: self.start.position(row)?,
            end: self.end.position(row)?,
            strand: self.strand(row)?,
        })
    }

    /// Reads the strand.
    fn strand(&self, row: usize) -> Result<Strand, Rejection> {
        let strand = match &self.strand {
            WholesOrTexts::Wholes(values) => match values.signed(row) {
                Some(1) => Some(Strand::Forward),
                Some(-1) => Some(Strand::Reverse),
                _ => None,
            },
            WholesOrTexts::Texts(values) => match values.get(row) {
                Some("+" | "1") => Some(Strand::Forward),
                Some("-" | "-1") => Some(Strand::Reverse),
                _ => None,
            },
        };
        strand.ok_or_else(|| reject(Reason::BadPlace, format!("{} is neither 1 nor -1", self.strand.shown(row))))
    }
}
