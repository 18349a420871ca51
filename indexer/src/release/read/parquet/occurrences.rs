//! Rows of loci on contigs.

use arrow_schema::ArrowError;
use store::Strand;

use crate::rejects::{Reason, Rejection};
use crate::release::read::checks;
use crate::release::read::rows::OccurrenceRow;

use super::cells::{Columns, Texts, Wholes, WholesOrTexts};

pub(super) struct OccurrenceColumns {
    pub(super) protein: WholesOrTexts,
    study: Option<Texts>,
    assembly: Texts,
    contig: WholesOrTexts,
    contig_name: Option<Texts>,
    start: Wholes,
    end: Wholes,
    strand: WholesOrTexts,
}

impl OccurrenceColumns {
    pub(super) fn take(columns: &mut Columns) -> Result<Self, ArrowError> {
        Ok(Self {
            protein: columns.take()?,
            study: columns.take_optional()?,
            assembly: columns.take()?,
            contig: columns.take()?,
            contig_name: columns.take_optional()?,
            start: columns.take()?,
            end: columns.take()?,
            strand: columns.take()?,
        })
    }

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
        let neither = || format!("{} is neither 1 nor -1", self.strand.shown(row));
        strand.ok_or_else(|| Rejection::new(Reason::BadPlace, neither()))
    }
}
