//! Rows of Pfam hits.

use arrow_array::ArrayRef;
use arrow_schema::ArrowError;

use crate::release::rows::PfamRow;
use crate::release::source::checks::{self, Annotation, reject};
use crate::release::source::rows_in::Fault;
use crate::run::Reason;

use super::cells::{Reals, Wholes, WholesOrTexts};
use super::rows::Columns;

/// The columns of hits.
pub(super) struct PfamColumns {
    /// The protein.
    pub(super) protein: WholesOrTexts,
    /// The family or clan.
    family: WholesOrTexts,
    /// The expectation value.
    evalue: Reals,
    /// The score.
    score: Reals,
    /// Start and end in the profile, start and end of the envelope.
    positions: [Wholes; 4],
}

impl PfamColumns {
    /// Takes the columns of a batch.
    pub(super) fn of(
        columns: &mut Columns<impl Iterator<Item = (&'static str, Option<ArrayRef>)>>,
    ) -> Result<Self, ArrowError> {
        let reals = |name, array: ArrayRef| Reals::of(name, &array);
        Ok(Self {
            protein: columns.take(WholesOrTexts::of)?,
            family: columns.take(WholesOrTexts::of)?,
            evalue: columns.take(reals)?,
            score: columns.take(reals)?,
            positions: [
                columns.take(Wholes::of)?,
                columns.take(Wholes::of)?,
                columns.take(Wholes::of)?,
                columns.take(Wholes::of)?,
            ],
        })
    }

    /// Reads a row.
    pub(super) fn row(&self, row: usize) -> Result<PfamRow, Fault> {
        let family = match &self.family {
            WholesOrTexts::Wholes(families) => checks::family(families.get_or(Reason::BadFamily, row)?)?,
            WholesOrTexts::Texts(families) => match checks::annotation(families.get_or(Reason::BadFamily, row)?)? {
                Annotation::Family(family) => family,
                Annotation::Clan => return Err(Fault::Clan),
            },
        };
        let scores = match (self.evalue.get(row)?, self.score.get(row)?) {
            (Some(evalue), Some(score)) => (evalue, score),
            (None, _) => return Err(reject(Reason::BadNumber, "i_evalue is missing".to_owned()).into()),
            (_, None) => return Err(reject(Reason::BadNumber, "score is missing".to_owned()).into()),
        };
        let [hmm_from, hmm_to, env_from, env_to] = &self.positions;
        Ok(PfamRow {
            family,
            scores: Some(scores),
            hmm: Some((hmm_from.position(row)?, hmm_to.position(row)?)),
            envelope: (env_from.position(row)?, env_to.position(row)?),
        })
    }
}
